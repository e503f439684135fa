import type { Problem } from "./problem.ts";

/** A config file as it was found: bytes, or text that something else decoded. */
export interface File {
  /** `sources.yaml`, `triggers/mps.yaml`; folders before that are kept for messages. */
  readonly path: string;
  readonly text: string | Uint8Array;
}

/** The text of a file, or why it is none: not UTF-8, control characters. */
export function textOf({ path, text }: File): string | Problem {
  const problem = (line: number, column: number, message: string) => ({ file: path, line, column, message });
  if (typeof text !== "string" && !isUtf8(text)) {
    const [line, column] = firstBroken(text);
    return problem(line, column, "not UTF-8 from here on; save the file as UTF-8");
  }
  const decoded = typeof text === "string" ? text.replace(/^\ufeff/, "") : new TextDecoder().decode(text);
  const control = decoded.search(controls);
  if (control < 0) return decoded;
  const { line, column } = placeIn(decoded, control);
  const code = decoded.charCodeAt(control).toString(16).toUpperCase().padStart(4, "0");
  return problem(line, column, `control character U+${code}; delete it`);
}

/** Line and column of an offset. */
export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** What YAML 1.2 calls printable leaves these out (https://yaml.org/spec/1.2.2/#51-character-set): they end up in terminals and issues. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Line and column of the first bytes that are no UTF-8. No byte of a longer character is a line feed. */
function firstBroken(bytes: Uint8Array): [number, number] {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed;
    const part = bytes.subarray(start, end);
    if (!isUtf8(part)) return [line, columnOf(part)];
    start = end + 1;
  }
  return [line, 1];
}

function columnOf(line: Uint8Array): number {
  let good = 0;
  let bad = line.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const whole = new TextDecoder("utf-8", { fatal: true });
    try {
      whole.decode(line.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return new TextDecoder().decode(line.subarray(0, good), { stream: true }).length + 1;
}
