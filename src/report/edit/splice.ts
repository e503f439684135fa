import { formatPatch, structuredPatch } from "diff";
import type { Stretch } from "../../language/fold.ts";

/** A range of a text, by offsets, and its replacement. */
export interface Splice extends Stretch {
  readonly text: string;
}

/** Replaces ranges; everything else stays the same byte for byte. Ranges must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.from - b.from)) {
    result += text.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return result + text.slice(at);
}

/** The line end at an offset, or else that of the first line: CR LF or LF. */
export function lineEnd(text: string, at = 0): "\r\n" | "\n" {
  const here = text.indexOf("\n", at);
  const feed = here < 0 ? text.indexOf("\n") : here;
  return feed > 0 && text[feed - 1] === "\r" ? "\r\n" : "\n";
}

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** A space for each character, except line feeds. Offsets stay. */
export function blankOut(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** A file before and after a change; without `before` it is new. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after: string;
}

/** A unified diff for `git apply`; empty if nothing changes. Paths are relative to the repository's root. */
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

/** The lines of a patch on a page. The last may be a single space, which git needs. */
export function linesOfPatch(patch: string): string[] {
  return patch.replace(/\n$/, "").split(/\r?\n/);
}
