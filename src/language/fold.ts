import { digitOf } from "./digits.ts";
/**
 * Text without differences that readers do not see: NFKC, one kind of dash, quote, space, cedilla and digit, no
 * invisible characters.
 * Case is kept (`GB` is not `Gb`). Offsets lead back to the original text.
 */
export interface Folded {
  readonly text: string;
  /** The offset in the original of each character of `text`, and of its end. Absent: the offsets are the same. */
  readonly at?: Int32Array;
}

const plain = /^[\x20-\x7e]*$/;
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cc}/u;
const allInvisible = new RegExp(invisible, "gu");
const space = /\s/u;
const mark = /\p{M}/u;
const superscript = /[\u00b2\u00b3\u00b9\u2070-\u2079]/u;
const letterOrCloser = /[\p{L}%)\].,"']/u;
const maxMarks = 8;

export function foldText(text: string): Folded {
  if (plain.test(text)) return { text };
  const pieces: string[] = [];
  const at: number[] = [];
  let before = "";
  for (let i = 0; i < text.length; ) {
    const from = i;
    const base = String.fromCodePoint(text.codePointAt(i) ?? 0);
    i += base.length;
    let cluster = base;
    if (base > "\x7f" || (text.charCodeAt(i) > 0x2ff && mark.test(text.charAt(i)))) {
      for (let marks = 0; i < text.length && mark.test(text.charAt(i)); i++, marks++)
        if (marks < maxMarks) cluster += text.charAt(i);
    }
    const folded = keepsGroup(text, from, cluster) ? "'" : foldCharacter(cluster, before);
    for (let k = 0; k < folded.length; k++) at.push(from);
    if (folded !== "") {
      pieces.push(folded);
      before = folded.slice(-1);
    }
  }
  at.push(text.length);
  return { text: pieces.join(""), at: Int32Array.from(at) };
}

const noBreak = /[\u00a0\u2007\u2009\u202f]/;
const lastDigit = /\p{Nd}$/u;
const groupOfThree = /^\p{Nd}{3}(?!\p{Nd})/u;

/** A space at which no line is broken keeps the groups of a number together, as an apostrophe does: `1 299`. */
function keepsGroup(text: string, at: number, cluster: string): boolean {
  if (!noBreak.test(cluster) || !groupOfThree.test(text.slice(at + 1, at + 9))) return false;
  return lastDigit.test(text.slice(Math.max(0, at - 2), at));
}

/** The place of a stretch of folded text in the original. */
export function original(folded: Folded, start: number, end: number): { start: number; end: number } {
  if (folded.at === undefined) return { start, end };
  return { start: nth(folded.at, start), end: nth(folded.at, end) };
}

/** Drops a raised digit after a word, which is a footnote mark, and keeps one apart after a digit, which is a power. */
function foldCharacter(cluster: string, before: string): string {
  if (cluster >= " " && cluster <= "~" && cluster.length === 1) return cluster;
  if (space.test(cluster)) return " ";
  if (invisible.test(cluster)) return cluster.replace(allInvisible, "").normalize("NFKC");
  if (superscript.test(cluster)) return letterOrCloser.test(before) ? "" : `^${cluster.normalize("NFKC")}`;
  switch (cluster) {
    case "‐":
    case "‑":
    case "‒":
    case "–":
    case "—":
    case "―":
    case "−":
    case "﹣":
    case "-":
      return "-";
    case "٫":
      return ".";
    case "٬":
      return ",";
    case "٪":
      return "%";
    case "‘":
    case "’":
    case "ʼ":
    case "‚":
    case "‛":
    case "′":
    case "`":
      return "'";
    case "“":
    case "”":
    case "„":
    case "«":
    case "»":
    case "″":
      return '"';
    case "×":
      return "×";
    case "ţ":
      return "ț";
    case "Ţ":
      return "Ț";
    case "ş":
      return "ș";
    case "Ş":
      return "Ș";
    case "µ":
    case "μ":
      return "u";
    default:
      return normalized(cluster);
  }
}

/** The last clusters that were normalised: a text repeats the same few. */
const known = new Map<string, string>();
const mostKnown = 5_000;
const longestForm = 8;

function normalized(cluster: string): string {
  let form = known.get(cluster);
  if (form === undefined) {
    form = cluster.normalize("NFKC");
    if (digit.test(form)) form = digitOf(form);
    // "2½" is no "21⁄2".
    else if (fraction.test(cluster)) form = cluster;
    // One character may expand to a whole sentence, and a page of it to eighteen pages: then it stays.
    if (form.length > longestForm) form = cluster;
    if (known.size >= mostKnown) known.clear();
    known.set(cluster, form);
  }
  return form;
}

const digit = /^\p{Nd}$/u;
const fraction = /^[¼-¾⅐-⅞]$/;

/** The entry at an index that is certainly within the column: no check, no fallback. */
export function nth<T>(column: ArrayLike<T>, index: number): T {
  return column[index] as T;
}
