/** A mistake in a config file, where it stands, and what was probably meant. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The nearest right word. */
  readonly suggestion?: string;
}

/** Config that does not hold: every problem of it. */
export class ConfigProblems extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(`${problems.length} problems`);
    this.name = "ConfigProblems";
    this.problems = problems;
  }
}

/** `sources.yaml:41:5  unknown key "cite" in source "mps-tracker"; did you mean "cites"?` */
export function formatProblem(problem: Problem): string {
  const { file, line, column } = problem;
  return `${visible(file)}:${line}:${column}  ${problemText(problem)}`;
}

/** What is wrong, without its place: `unknown key "cite" in source "mps-tracker"; did you mean "cites"?` */
export function problemText({ message, suggestion }: Problem): string {
  return suggestion === undefined ? message : `${message}; did you mean ${quoted(suggestion)}?`;
}

/** A word of config for a message: in quotes, clipped to 80 characters, with nothing in it that a terminal would obey. */
export function quoted(word: string): string {
  const text = word.length > 80 ? `${word.slice(0, 79)}…` : word;
  return `"${visible(text)}"`;
}

/** A value of config for a message. Credentials in an address are left out. */
export function shown(value: unknown): string {
  if (value === null) return "empty";
  if (typeof value === "string") return value === "" ? "empty" : quoted(withoutCredentials(value));
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a set of keys";
  return typeof value === "number" ? `the number ${value}` : String(value);
}

/** Whether an address holds a user name or password before its host. */
export function hasCredentials(address: string): boolean {
  return userInfo.test(address);
}

const userInfo = /^([a-z][a-z0-9+.-]{0,30}:)?[\\/]{2}[^\\/?#]*@/i;

function withoutCredentials(text: string): string {
  const at = hasCredentials(text) ? text.lastIndexOf("@") : -1;
  return at < 0 ? text : `${text.slice(0, text.search(/[\\/]{2}/) + 2)}…${text.slice(at)}`;
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`);
}
