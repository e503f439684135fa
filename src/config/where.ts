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
  let where = root;
  for (let i = 0; i < path.length; i++) {
    const key = String(path[i]);
    const entry = path[i + 1];
    const noun = nouns[key];
    if (typeof entry === "string" && noun && (i === 0 || noun === "claim")) {
      where = noun === "claim" ? `claim ${quoted(`${String(path[1])}/${entry}`)}` : `${noun} ${quoted(entry)}`;
      i++;
    } else if (typeof entry === "number" && ["on", "also", "until"].includes(key)) {
      where = `a condition of ${where}`;
      i++;
    } else if (typeof entry === "number" && key === "unwatchable") {
      where = `entry ${entry + 1} of unwatchable`;
      i++;
    } else if (typeof path[i] === "string") where = i === 0 ? key : `${quoted(key)} of ${where}`;
  }
  return where;
}

/** What a value at a path is called: by its key, `"cites"`, or as a whole, `source "mps-tracker"`. */
export function subjectOf(path: Path, root: string): string {
  const whole = whereIs(path, root);
  const key = path.findLast((step) => typeof step === "string");
  const entry = typeof path.at(-1) === "number" && /^(a condition|entry) /.test(whole);
  const named = key !== undefined && whole.endsWith(` ${quoted(key)}`) === false && !whole.endsWith(`/${key}"`);
  return key === undefined || entry || !named ? whole : quoted(key);
}
