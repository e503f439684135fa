import { isLevel, levelIn } from "./scale.ts";

/** What a column of a table of rechecks holds. */
export type Role = "confidence" | "volatility" | "wording";

const roles: readonly [Role, RegExp][] = [
  [
    "wording",
    /\b(?:re-?checks?|triggers?|revisit\w*|re-?evaluat\w*|re-?assess\w*|review when|update when|watch for|invalidated by|what would change)\b/i,
  ],
  ["confidence", /\b(?:confidence|certainty|evidence (?:strength|quality|level))\b/i],
  ["volatility", /\b(?:volatility|half-life|shelf life|decay|rate of change|churn)\b/i],
];

export function roleOf(heading: string): Role | undefined {
  return roles.find(([, pattern]) => pattern.test(heading))?.[0];
}

/** Whether a table tells when to look again. */
export function isRecheckHeader(header: readonly string[]): boolean {
  const found = header.slice(1).map(roleOf);
  return found.includes("wording") || (found.includes("confidence") && found.includes("volatility"));
}

/** `Topic Confidence Volatility Recheck trigger` as its columns: the first and the last may be of several words. */
export function topicColumns(line: string): string[] | undefined {
  const words = line.split(" ");
  const first = words.findIndex((word, i) => i > 0 && roleOf(word) !== undefined);
  if (first < 1) return undefined;
  const middle: string[] = [];
  let at = first;
  while (at < words.length && ["confidence", "volatility"].includes(roleOf(words[at] ?? "") ?? ""))
    middle.push(words[at++] ?? "");
  const last = words.slice(at).join(" ");
  if (middle.length === 0 || roleOf(last) !== "wording") return undefined;
  return [words.slice(0, first).join(" "), ...middle, last];
}

/** Whether a table tells what levels mean: each of its columns is one, and its cells are something else. */
export function isRubric(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const levels = header.slice(1).flatMap((heading) => levelIn(heading) ?? []);
  const columns = levels.length >= 2 && levels.length === header.length - 1 && levels.every(isLevel);
  const cells = rows.flatMap((row) => row.slice(1));
  return columns && cells.filter((cell) => isLevel(levelIn(cell) ?? "")).length < 0.5 * cells.length;
}
