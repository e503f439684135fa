import { quoted } from "./problem.ts";
import type { Path } from "./tree.ts";

/** Places whose entries have ids, and what one of them is called. */
const nouns: Readonly<Record<string, string>> = {
  claims: "claim",
  conclusions: "conclusion",
  documents: "document",
  products: "product",
  ratings: "rating",
  sources: "source",
};

/** What a path leads to, in words: `source "mps-tracker"`, `claim "tpu7x/gke-only"`, `a condition of trigger "mps"`. */
export function whereIs(path: Path, root: string): string {
  return wordsOf(path, root).where;
}

/** What a value at a path is called: by its key, `"cites"`, or, where it is an entry, as a whole: `source "mps-tracker"`. */
export function subjectOf(path: Path, root: string): string {
  const { where, entry } = wordsOf(path, root);
  return entry ? where : quoted(String(path.findLast((step) => typeof step === "string")));
}

/** `entry`: the path ends at something that has a name of its own. */
function wordsOf(path: Path, root: string): { where: string; entry: boolean } {
  let where = root;
  let entry = true;
  for (let i = 0; i < path.length; i++) {
    const step = path[i];
    const named = entryWords(path, i, where);
    if (named) i++;
    else if (typeof step === "string") where = i === 0 ? step : `${quoted(step)} of ${where}`;
    where = named ?? where;
    entry = named !== undefined;
  }
  return { where, entry };
}

/** The words for the entry that stands below the step at `i`, if it is one. */
function entryWords(path: Path, i: number, where: string): string | undefined {
  const key = String(path[i]);
  const entry = path[i + 1];
  const noun = nouns[key];
  if (typeof entry === "string" && noun === "claim") return `claim ${quoted(`${String(path[1])}/${entry}`)}`;
  if (typeof entry === "string" && noun && i === 0) return `${noun} ${quoted(entry)}`;
  if (typeof entry !== "number") return undefined;
  if (["on", "also", "until"].includes(key)) return `a condition of ${where}`;
  return key === "unwatchable" ? `entry ${entry + 1} of unwatchable` : undefined;
}
