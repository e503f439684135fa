import { createInterface } from "node:readline";
import stringWidth from "fast-string-width";
import { type ConfigProblems, formatProblem, showInvisible } from "../../config/problems.ts";
import { type ConfigText, decodedText, withoutSecrets } from "../../config/text.ts";
import { nearestWord } from "../../language/nearest.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Problem } from "../../model/problem.ts";
import { enumerate, pluralize } from "../../model/words.ts";
import { cutText, wrapLine } from "./columns.ts";
import { type Colour, colourText, escapeCommands, print, screenOf } from "./print.ts";

/** The output of a command: lines for people, or one document for programs. */
export interface Terminal {
  readonly paint: (colour: Colour, text: string) => string;
  /** Whether a person watches, on a terminal whose cursor can go back over a line. */
  readonly live: boolean;
  /** Columns of the terminal; undefined if there is none. */
  readonly width?: number;
  /** `command`: a line that the runner of a workflow executes; it executes no other. */
  line(text?: string, as?: "command"): void;
  /** Writes progress and warnings to standard error. */
  note(text: string): void;
  /** Asks the person at the terminal for one line; undefined if there is none. */
  readonly ask?: (question: string) => Promise<string>;
  /** Whether only findings and problems are printed, without counts and hints. */
  readonly quiet?: boolean;
  /** The same, only if all details are wanted. */
  detail?(text: string): void;
}

interface Loudness {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly progress?: boolean;
}

/** The process's own: colour and progress on a terminal, plain lines in a pipe. */
export function processTerminal({
  quiet = false,
  verbose = false,
  progress = !quiet && !verbose,
}: Loudness = {}): Terminal {
  const [screen, beside] = [screenOf("out"), screenOf("err")];
  const width = screen?.columns ?? 0;
  const note = (text: string) => print("err", `${wrapToWidth(text, beside?.columns ?? 0)}\n`);
  return {
    live: progress && screen?.moves === true,
    quiet,
    ...(width >= minWidth && { width }),
    paint: colourText,
    line: (text = "", as) => print("out", `${as ? text : wrapToWidth(text, width)}\n`, as),
    note,
    ...(verbose && { detail: note }),
    ...(screen?.moves === true && process.stdin.isTTY && { ask }),
  };
}

/** Reads one line from the keyboard. Its end is an empty answer. */
async function ask(question: string): Promise<string> {
  print("out", `${question} `);
  const reader = createInterface({ input: process.stdin });
  try {
    return await new Promise<string>((resolve) => {
      reader.once("close", () => resolve(""));
      reader.once("line", resolve);
    });
  } finally {
    reader.close();
  }
}

/** Minimum width: narrower terminals are not readable, and some report wrong widths. */
const minWidth = 20;

export function wrapLines(text: string, width: number): string {
  const lines = text.split("\n");
  return lines.map((line) => wrapToWidth(line, width)).join("\n");
}

/** Wraps a line between words, if the width of the terminal is known. Documents of several lines are not changed. */
function wrapToWidth(text: string, width: number): string {
  return width < minWidth || text.includes("\n") ? text : wrapLine(escapeCommands(text), width).join("\n");
}

/**
 * Another command in the form that the user can type: `recheck explain tpu` if installed, `npx recheck-bot explain tpu`
 * by npx, `npm run explain -- tpu` in a clone.
 */
export function commandToType(command: string, ...rest: readonly string[]): string {
  const by = process.env.npm_command;
  // npm 11 calls the command `run`, earlier ones `run-script`.
  const isScript = by === "run" || by === "run-script";
  const words = isScript && rest.length > 0 ? [command, "--", ...rest] : [command, ...rest];
  const program = isScript ? "npm run" : by === "exec" ? "npx recheck-bot" : "recheck";
  return `${program} ${words.join(" ")}`;
}

export function sayStoreProblem({ kind, message }: { readonly kind: string; readonly message: string }): string {
  return kind === "missing" ? `${message}: run ${commandToType("scan")} first` : message;
}

/** A heading with its lines, indented by two columns; omitted if there are no lines. */
export function section(out: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out.line();
  out.line(`  ${out.paint("bold", title)}`);
  for (const line of lines) out.line(`  ${line}`);
}

type Paint = Pick<Terminal, "paint">;

export function colourSides(before: string, after: string, { paint }: Paint): [before: string, after: string] {
  return [paint("red", before), paint("green", after)];
}

/** Colours the words of the report and of the page in a line, given in the order in which it has them. */
export function colourWithin(line: string, sides: { report?: string; page?: string }, { paint }: Paint): string {
  let from = 0;
  let coloured = "";
  for (const [side, text = ""] of Object.entries(sides)) {
    const at = line.indexOf(text, from);
    if (text === "" || at < 0) continue;
    coloured += line.slice(from, at) + paint(side === "report" ? "red" : "green", text);
    from = at + text.length;
  }
  return coloured + line.slice(from);
}

/**
 * Colours a line with a difference: `- old` and `+ new` as a whole; otherwise the sides of `"old" → "new"`, or the
 * words beside the arrow.
 */
export function colourDiff(line: string, out: Paint): string {
  const sign = /^[+-]|^ +[+\-−](?= )/.exec(line)?.[0].trimStart();
  if (sign !== undefined) return colourSides(line, line, out)[sign === "+" ? 1 : 0];
  const quoted = /("[^"]*")( → )("[^"]*")/g;
  const sides = quoted.test(line) ? quoted : /([^\s"→]{1,80})( → )([^\s"→;,)]{1,80})/g;
  return line.replace(sides, (_, before: string, arrow: string, after: string) =>
    colourSides(before, after, out).join(arrow),
  );
}

/** A command that was called with words it does not know. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";
}

/** No host gave a response: the network, until shown otherwise. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** `; did you mean "tpu/maturity"?`, if a similar word is among them. */
export function didYouMean(word: string, among: Iterable<string>): string {
  const near = nearestWord(word, among);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** The end of a message about an unknown name: the nearest of those that exist, else the first ones. */
export function knownNames(word: string, among: Iterable<string>): string {
  const all = [...among].toSorted((a, b) => Number(b.includes(word)) - Number(a.includes(word)));
  return didYouMean(word, all) || `; known: ${enumerate(all, 6) || "none"}`;
}

/** The words of an option such as `--fail-on gone,ended`: each is one of these, with hyphens for spaces. @throws WrongUsage */
export function wordsFrom<T extends string>(option: string, written: string | undefined, all: readonly T[]): T[] {
  const byName = new Map(all.map((one) => [one.replaceAll(" ", "-"), one]));
  const words = (written ?? "").split(",").map((word) => word.trim().replaceAll(" ", "-"));
  return words.filter(Boolean).map((word) => {
    const meant = byName.get(word);
    if (meant !== undefined) return meant;
    const names = [...byName.keys()];
    throw new WrongUsage(`${option}: ${word} is not one of ${names.join(", ")}${didYouMean(word, names)}`);
  });
}

/** Exit codes of the commands; `docs/commands.md` has the same table. */
export const exits = {
  done: 0,
  /** Config or usage is wrong; nothing was fetched. */
  wrong: 1,
  /** `status --fail-on`: a rating is in one of these states. */
  standing: 2,
  /** Most hosts gave no response. */
  outage: 3,
  /** GitHub refused some writes; they stay in the outbox. */
  github: 4,
  /** The store cannot be used: another Recheck runs, it is of a newer version or damaged, the disk is full or read-only. */
  store: 5,
  /** No checked source could be read, although hosts answered or requests were refused. */
  unseen: 6,
  /** `status`: there was no check for longer than the schedule allows. */
  stopped: 7,
  /** A defect of Recheck. */
  defect: 70,
} as const;

export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** Problems beyond this many are printed without their lines. */
const maxFrames = 60;

type Lines = Pick<Terminal, "line" | "width" | "paint">;

export function printProblems({ problems, files }: ConfigProblems, out: Lines): void {
  printPlaces(problems, files, out);
  out.line();
  out.line(`${pluralize(problems.length, "problem")}.`);
}

/** Valid but probably unintended settings. */
export function printWarnings(warnings: readonly Problem[], files: readonly ConfigText[], out: Terminal): void {
  printPlaces(warnings, files, out, `${out.paint("yellow", "warning")}  `);
  if (warnings.length > 0) out.line();
}

function printPlaces(problems: readonly Problem[], files: readonly ConfigText[], out: Lines, before = ""): void {
  const frames = new CodeFrames(files);
  for (const [at, problem] of problems.entries()) {
    const meant = /(?<=; did you mean )".*"(?=\?$)/;
    out.line(before + formatProblem(problem).replace(meant, (word) => out.paint("green", word)));
    if (at < maxFrames) for (const line of frames.of(problem, out.width)) out.line(frameColoured(line, out));
  }
}

/** Colours the gutter, the text and the caret differently. */
function frameColoured(line: string, { paint }: Paint): string {
  const gutter = /^ *\d* │ ?/.exec(line)?.[0] ?? "";
  const rest = line.slice(gutter.length);
  return paint("gray", gutter) + (/^ *\^$/.test(rest) ? paint("red", rest) : rest);
}

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
    return makeOnce(this.#lines, path, () => {
      const text = decodedText(this.#files.get(path) ?? { text: "" });
      return text.slice(0, maxFileCharacters).split(/\r?\n/);
    });
  }
}

function visiblePart(line: string, column: number, room: number): { text: string; caret: number } {
  const start = shown(line.slice(0, column - 1));
  const rest = shown(line).slice(start.length);
  const left = stringWidth(start) < room - 8 ? start : `…${lastColumns(start, Math.floor(room / 2))}`;
  return { text: cutText((left + rest).trimEnd(), room), caret: stringWidth(left) };
}

function shown(line: string): string {
  return showInvisible(withoutSecrets(line).replaceAll("\t", "  "));
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
