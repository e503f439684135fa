import { formatPatch, structuredPatch } from "diff";

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
