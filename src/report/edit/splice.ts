import { formatPatch, structuredPatch } from "diff";

/** A piece of a text, by offsets, and what stands there afterwards. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Puts pieces in place; all else stays as it was, byte for byte. Pieces must not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.from - b.from)) {
    result += text.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return result + text.slice(at);
}

/** How the line at an offset ends, else the first line of the text: CR LF or LF. */
export function lineEnd(text: string, at = 0): "\r\n" | "\n" {
  const here = text.indexOf("\n", at);
  const feed = here < 0 ? text.indexOf("\n") : here;
  return feed > 0 && text[feed - 1] === "\r" ? "\r\n" : "\n";
}

/** Line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** A file before and after; without `before` it is new. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after: string;
}

/** A unified diff that `git apply` takes; empty where nothing changes. Paths are from the root of the repository. */
export function patchOf(changes: readonly FileChange[]): string {
  return changes
    .filter(({ before, after }) => before !== after)
    .map(({ path, before, after }) => {
      const [from, to] = [before === undefined ? "/dev/null" : `a/${path}`, `b/${path}`];
      const patch = structuredPatch(from, to, before ?? "", after, undefined, undefined, { context: 3 });
      return formatPatch({ ...patch, isGit: true, isCreate: before === undefined });
    })
    .join("");
}

const patchContext = 3;

/** The same for pieces of one text, of which only the lines around them are compared: it may be long. */
export function patchAround(path: string, text: string, splices: readonly Splice[]): string {
  const from = linesBefore(text, Math.min(...splices.map((splice) => splice.from)));
  const to = linesBehind(text, Math.max(...splices.map((splice) => splice.to)));
  const inside = splices.map((splice) => ({ ...splice, from: splice.from - from, to: splice.to - from }));
  const [before, after] = [text.slice(from, to), spliced(text.slice(from, to), inside)];
  if (before === after) return "";
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: patchContext,
  });
  const above = lineOf(text, from) - 1;
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + above,
    newStart: hunk.newStart + above,
  }));
  return formatPatch({ ...patch, hunks, isGit: true });
}

/** Where the line begins that stands so many above an offset. */
function linesBefore(text: string, offset: number): number {
  let at = offset;
  for (let lines = 0; lines <= patchContext && at > 0; lines++) at = text.lastIndexOf("\n", at - 1);
  return at <= 0 ? 0 : at + 1;
}

/** Where the line ends that stands so many below an offset. */
function linesBehind(text: string, offset: number): number {
  let at = offset;
  for (let lines = 0; lines <= patchContext; lines++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}
