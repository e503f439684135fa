import { superscript } from "../html/blocks.ts";

/** A run of text on the page; `transform` ends with its distances from the left and from below. */
export interface PdfPiece {
  readonly str: string;
  readonly transform: readonly number[];
  readonly height: number;
  readonly hasEOL: boolean;
}

interface Line {
  text: string;
  y: number;
  height: number;
}

/** The paragraphs of all pages: lines close to each other, in letters of one size. A paragraph may go on on the next page. */
export function paragraphs(pages: readonly (readonly PdfPiece[])[]): string[] {
  const groups: string[] = [];
  let above: Line | undefined;
  for (const lines of withoutRunningLines(pages.map(linesOf))) {
    for (const [index, line] of lines.entries()) {
      const last = groups.length - 1;
      if (above && (index > 0 ? isSameParagraph(above, line) : goesOn(above, line))) {
        groups[last] = join(groups[last] ?? "", line.text);
      } else {
        groups.push(line.text);
      }
      above = line;
    }
  }
  return groups;
}

/** Characters of a page's number and the count of pages with the words around them, at most. */
const maxPageNumber = 40;

/** Whether a line only numbers its page: `7`, `7 / 12`, `Seite 7 von 12`. It changes when a page is added. */
function isPageNumber({ text }: Line, page: number, pages: number): boolean {
  if (/^\W*\d{1,4}\W*$/.test(text)) return true;
  return text.length <= maxPageNumber && numbersIn(text).join() === `${page},${pages}`;
}

function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** Leaves out running heads and feet, as on a near page. If they have no page number, the first of them stays. */
function withoutRunningLines(pages: readonly (readonly Line[])[]): readonly (readonly Line[])[] {
  const places = pages.map((lines) => new Map(lines.map((line) => [placeOf(line), line.text])));
  return pages.map((lines, page) => {
    // Left and right pages may have their own.
    const near = (line: Line, steps: readonly number[]) =>
      steps.flatMap((step) => {
        const text = places[page + step]?.get(placeOf(line));
        return text !== undefined && isNumbered(line.text, text, step) ? [text] : [];
      });
    const isNumber = (line: Line) => isPageNumber(line, page + 1, pages.length);
    const isRunning = (line: Line) => isNumber(line) || near(line, [-2, -1, 1, 2]).length > 0;
    const isFirst = (line: Line) =>
      !isNumber(line) && near(line, [-2, -1]).length === 0 && near(line, [1, 2]).every((text) => text === line.text);
    const downwards = lines.toSorted((one, other) => other.y - one.y);
    const running = [downwards, downwards.toReversed()].flatMap((all) => {
      const end = all.findIndex((line) => !isRunning(line));
      return all.slice(0, end < 0 ? all.length : end);
    });
    const dropped = new Set(running.filter((line) => !isFirst(line)));
    return lines.filter((line) => !dropped.has(line));
  });
}

/** The same for lines of two pages at one height that differ in figures only. */
function placeOf({ text, y }: Line): string {
  return `${Math.round(y)} ${text.replace(/\d+/g, "0")}`;
}

/** Whether the figures of two such lines are the same, but for page numbers that are `step` apart. */
function isNumbered(text: string, other: string, step: number): boolean {
  const others = numbersIn(other);
  return numbersIn(text).every((figure, index) => [0, step].includes((others[index] ?? 0) - figure));
}

const spaceBehindRaised = /([⁰¹²³⁴-⁹]) (?=[,.;:!?)\]])/g;

function linesOf(pieces: readonly PdfPiece[]): Line[] {
  const lines: Line[] = [];
  let last: Line | undefined;
  let isOpen = false;
  let isBehindRaised = false;
  for (const { str, transform, height, hasEOL } of pieces) {
    const y = transform[5] ?? 0;
    if (last && isRaised(last, str, y, height)) {
      last.text = last.text.trimEnd() + superscript(str.trim());
      isBehindRaised = true;
      continue;
    }
    // The library ends a line before and after raised text.
    if (isBehindRaised && str === "" && last) {
      last.text += " ";
      continue;
    }
    if (!last || !(isOpen || isBehindRaised) || Math.abs(last.y - y) > Math.max(last.height, height, 1) / 2) {
      last = { text: "", y, height };
      lines.push(last);
    }
    last.text += str;
    last.height = Math.max(last.height, height);
    isOpen = !hasEOL;
    isBehindRaised = false;
  }
  for (const line of lines) line.text = line.text.replace(/\s+/g, " ").replace(spaceBehindRaised, "$1").trim();
  return lines.filter(({ text }) => text !== "");
}

/** Whether this is an exponent or a note: smaller figures above the line. */
function isRaised(line: Line, str: string, y: number, height: number): boolean {
  const up = y - line.y;
  const isSmall = height > 0 && height < 0.85 * line.height;
  return isSmall && up > 0.15 * line.height && up < line.height && /^\s*\d{1,3}\s*$/.test(str);
}

function isSameParagraph(above: Line, line: Line): boolean {
  const down = above.y - line.y;
  return down > 0 && down < Math.max(above.height, line.height, 1) * 1.7 && isSameSize(above, line);
}

function isSameSize(above: Line, line: Line): boolean {
  return Math.abs(above.height - line.height) < Math.max(above.height, line.height, 1) / 8;
}

/** Whether the first line of a page goes on with the last sentence of the page before it. */
function goesOn(above: Line, line: Line): boolean {
  return isSameSize(above, line) && !/[.!?:;…]\W{0,3}$/.test(above.text) && /^\p{Ll}/u.test(line.text);
}

/** Joins a line, and rejoins a word that was split at the end of a line. */
function join(text: string, line: string): string {
  return /[a-z]-$/.test(text) && /^[a-z]/.test(line) ? text.slice(0, -1) + line : `${text} ${line}`;
}
