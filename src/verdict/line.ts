import { withoutFences } from "../edit/fences.ts";

/** GitHub takes no longer comment. */
const mostBody = 65_536;
/** Characters of a command. */
const mostLine = 4_000;

/** What follows `/recheck` in a comment. */
export interface CommandLine {
  readonly words: string;
  /** Further lines begin with `/recheck`, too. */
  readonly more: boolean;
}

/**
 * The first line of a comment, if it is a command. Quoted lines do not count, nor does what Markdown takes for their
 * continuation; a line set in by four spaces is code. Pure, linear.
 */
export function commandLine(body: string): CommandLine | undefined {
  const lines = body.slice(0, mostBody).split(/\r\n|\r|\n/);
  const own = unquoted(lines);
  const first = own.findIndex((line) => line.trim() !== "");
  const words = commandIn(own[first] ?? "");
  if (words === undefined) return undefined;
  return {
    words: words.slice(0, mostLine),
    more: withoutFences(own.slice(first + 1).join("\n"))
      .split("\n")
      .some(isCommand),
  };
}

function isCommand(line: string): boolean {
  return commandIn(line) !== undefined;
}

/** What stands after `/recheck`, where a line begins with that word. */
function commandIn(line: string): string | undefined {
  const start = line.search(/\S/);
  if (start < 0 || start > 3 || line.slice(0, start).includes("\t")) return undefined;
  const rest = line.slice(start);
  if (!/^\/recheck(?:[\s:]|$)/i.test(rest)) return undefined;
  return rest.slice("/recheck".length).replace(/^:/, "").trim();
}

/** Without block quotes: a line right below one goes on with it (https://spec.commonmark.org/0.31.2/#block-quotes). */
function unquoted(lines: readonly string[]): string[] {
  let quoted = false;
  return lines.filter((line) => {
    if (/^ {0,3}>/.test(line)) quoted = true;
    else if (line.trim() === "") quoted = false;
    return !quoted;
  });
}
