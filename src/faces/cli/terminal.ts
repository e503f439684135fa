import { nearest } from "../../config/nearest.ts";
import { type ConfigProblems, formatProblem } from "../../config/problems.ts";
import type { ConfigText } from "../../config/text.ts";
import type { Problem } from "../../model/problem.ts";
import { counted } from "../../model/words.ts";
import { CodeFrames } from "./code-frame.ts";
import { wrapped } from "./columns.ts";
import { type Colour, harmless, painted, print, screenOf } from "./print.ts";

/** Where a command writes: lines for people, or one document for programs. */
export interface Terminal {
  readonly paint: (colour: Colour, text: string) => string;
  /** Whether a person watches, on a terminal whose cursor can go back over a line. */
  readonly live: boolean;
  /** Columns of the terminal; undefined where there is none. */
  readonly width?: number;
  /** `command`: a line that the runner of a workflow is to obey; it obeys no other. */
  line(text?: string, as?: "command"): void;
  /** Beside the result, to standard error: progress, warnings. */
  note(text: string): void;
}

/** The process's own: colour and progress on a terminal, plain lines in a pipe. */
export function processTerminal(): Terminal {
  const [screen, beside] = [screenOf("out"), screenOf("err")];
  const width = screen?.columns ?? 0;
  return {
    live: screen?.moves === true,
    ...(width >= minWidth && { width }),
    paint: painted,
    line: (text = "", as) => print("out", `${as ? text : fitted(text, width)}\n`, as),
    note: (text) => print("err", `${fitted(text, beside?.columns ?? 0)}\n`),
  };
}

/** Narrower than this a terminal is not read, and the widths of some are wrong. */
const minWidth = 20;

/** Each line of a text that a person reads, broken between words where a terminal says how wide it is. */
export function linesFitted(text: string, width: number): string {
  const lines = text.split("\n");
  return lines.map((line) => fitted(line, width)).join("\n");
}

/** A line broken between words, where a terminal says how wide it is; a document of several lines as it is. */
function fitted(text: string, width: number): string {
  return width < minWidth || text.includes("\n") ? text : wrapped(harmless(text), width).join("\n");
}

/**
 * Another command of this program, as whoever called this one would call it: `recheck explain tpu` where it is
 * installed, `npx recheck-bot explain tpu` where npm fetched it, `npm run explain -- tpu` in a clone.
 */
export function called(command: string, ...rest: readonly string[]): string {
  const by = process.env.npm_command;
  const words = by === "run-script" && rest.length > 0 ? [command, "--", ...rest] : [command, ...rest];
  const program = by === "run-script" ? "npm run" : by === "exec" ? "npx recheck-bot" : "recheck";
  return `${program} ${words.join(" ")}`;
}

/** The command that prints the help of another command. */
export function helpOn(command: string): string {
  return process.env.npm_command === "run-script" ? called(command, "--help") : called("help", command);
}

/** A heading with its lines, set in by two columns; nothing where there is no line. */
export function section(out: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out.line();
  out.line(`  ${out.paint("bold", title)}`);
  for (const line of lines) out.line(`  ${line}`);
}

type Paint = Pick<Terminal, "paint">;

/** The two sides of a difference: what went in red, what came in green. */
export function sidesColoured(before: string, after: string, { paint }: Paint): [before: string, after: string] {
  return [paint("red", before), paint("green", after)];
}

/**
 * A line that tells a difference, by its signs: `- old` and `+ new` as a whole; within a line the sides of
 * `"old" → "new"`, or else the words beside the arrow.
 */
export function diffColoured(line: string, out: Paint): string {
  const sign = /^[+-]|^ +[+\-−](?= )/.exec(line)?.[0].trimStart();
  if (sign !== undefined) return sidesColoured(line, line, out)[sign === "+" ? 1 : 0];
  const quoted = /("[^"]*")( → )("[^"]*")/g;
  const sides = quoted.test(line) ? quoted : /([^\s"→]{1,80})( → )([^\s"→;,)]{1,80})/g;
  return line.replace(sides, (_, before: string, arrow: string, after: string) =>
    sidesColoured(before, after, out).join(arrow),
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

/** `; did you mean "tpu/maturity"?`, where something near is among them. */
export function meant(word: string, among: Iterable<string>): string {
  const near = nearest(word, among);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** Exit codes of the commands; `docs/commands.md` has the same table. */
export const exits = {
  done: 0,
  /** Config or usage is wrong; nothing was fetched. */
  wrong: 1,
  /** `status --fail-on`: a rating stands at one of these levels. */
  standing: 2,
  /** Most hosts gave no response. */
  outage: 3,
  /** GitHub did not take everything; the rest stays in the outbox. */
  github: 4,
  /**
   * The store cannot be used: another Recheck runs, it is of a newer version or damaged, the disk is full or read-only.
   */
  store: 5,
  /** Nothing of all that was looked at could be seen, though hosts answered or were refused. */
  unseen: 6,
  /** `status`: nobody has looked for longer than the schedule allows. */
  stopped: 7,
  /** A defect of Recheck. */
  defect: 70,
} as const;

/** All that is known of a defect: where it was thrown, else what. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** Problems after these many are told without the lines that they stand on. */
const maxFrames = 60;

type Lines = Pick<Terminal, "line" | "width" | "paint">;

/** Every problem of a config, each with the line that it stands on. */
export function printProblems({ problems, files }: ConfigProblems, out: Lines): void {
  printPlaces(problems, files, out);
  out.line();
  out.line(`${counted(problems.length, "problem")}; nothing was fetched.`);
}

/** Places of a config that holds, and that hardly anybody means as they stand. */
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

/** The gutter beside the file's own text, and the caret, apart from it. */
function frameColoured(line: string, { paint }: Paint): string {
  const gutter = /^ *\d* │ ?/.exec(line)?.[0] ?? "";
  const rest = line.slice(gutter.length);
  return paint("gray", gutter) + (/^ *\^$/.test(rest) ? paint("red", rest) : rest);
}
