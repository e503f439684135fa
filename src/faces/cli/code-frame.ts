import stringWidth from "fast-string-width";
import { visible } from "../../config/problems.ts";
import { type ConfigText, withoutSecrets } from "../../config/text.ts";
import type { Problem } from "../../model/problem.ts";
import { cutText } from "./columns.ts";

/** Characters of a file that is split into lines for frames, at most. */
const maxFileCharacters = 1_000_000;
/** Columns of a line that are shown if the width of the terminal is unknown. */
const usualWidth = 100;

/** Shows the places of problems: the line, the one before it, and a caret below the place. */
export class CodeFrames {
  readonly #files: ReadonlyMap<string, ConfigText>;
  readonly #lines = new Map<string, readonly string[]>();

  constructor(files: readonly ConfigText[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /**
   * ```
   *    40 │   mps-tracker:
   *    41 │     cite: [3]
   *       │     ^
   * ```
   * No lines if the file is unknown. `width`: columns of the terminal.
   */
  of({ file, line, column }: Problem, width = usualWidth): string[] {
    const lines = this.#linesOf(file);
    const here = lines[line - 1];
    if (here === undefined || here.trim() === "") return [];
    const digits = String(line).length;
    const gutter = (label: string) => `  ${label.padStart(digits)} │ `;
    const room = Math.max(20, width - digits - 5);
    const before = lines[line - 2] ?? "";
    const { text, caret } = visiblePart(here, column, room);
    return [
      ...(before.trim() === "" ? [] : [gutter(String(line - 1)) + cutText(shown(before).trimEnd(), room)]),
      gutter(String(line)) + text,
      `${gutter("")}${" ".repeat(caret)}^`,
    ];
  }

  #linesOf(path: string): readonly string[] {
    const known = this.#lines.get(path);
    if (known) return known;
    const text = this.#files.get(path)?.text ?? "";
    const decoded = typeof text === "string" ? text : new TextDecoder().decode(text);
    const lines = decoded
      .slice(0, maxFileCharacters)
      .replace(/^\ufeff/, "")
      .split(/\r?\n/);
    this.#lines.set(path, lines);
    return lines;
  }
}

function visiblePart(line: string, column: number, room: number): { text: string; caret: number } {
  const start = shown(line.slice(0, column - 1));
  const rest = shown(line).slice(start.length);
  const left = stringWidth(start) < room - 8 ? start : `…${lastColumns(start, Math.floor(room / 2))}`;
  return { text: cutText((left + rest).trimEnd(), room), caret: stringWidth(left) };
}

function shown(line: string): string {
  return visible(withoutSecrets(line).replaceAll("\t", "  "));
}

function lastColumns(text: string, width: number): string {
  const characters = Array.from(text);
  let from = characters.length;
  for (let used = 0; from > 0; from--) {
    used += stringWidth(characters[from - 1] ?? "");
    if (used > width) break;
  }
  return characters.slice(from).join("");
}
