import { structuredPatch } from "diff";
import { type CutText, cutToDifference } from "../../model/apart.ts";
import { changedTexts, changePath } from "../../model/change-words.ts";
import { type FieldEdit, fieldEdit } from "../../model/fields.ts";
import { type Evidence, maxEvidence } from "../../model/firing.ts";
import { clean, cut, cutLine, fold } from "../../model/markdown.ts";
import { firstOf, groupDigits, pluralize, upTo } from "../../model/words.ts";

/** Limits for a shown difference. */
export type Length = "whole" | "short";

/** Characters of unchanged text on either side of a difference, and of a line. */
const most: Readonly<Record<Length, { readonly around: number; readonly line: number }>> = {
  whole: { around: 160, line: 900 },
  short: { around: 60, line: 120 },
};

/** Most changes of one source that are shown; the rest is counted. */
export const maxChangesOfSource = 12;

/** Names of rows or entries with the same edit, at most; the rest is counted. */
const maxNames = 6;

/** The changes of one source as the lines of a diff; empty if there is nothing to compare. */
export function diffLines(evidence: readonly Evidence[], length: Length = "whole"): string[] {
  const lines: string[] = [];
  let heading = "";
  let header = "";
  const edits = evidence.map(({ change }, index) => ({ change, key: index, ...fieldEdit(change) }));
  const groups = shownFirst([...Map.groupBy(edits, ({ key }) => key).values()]);
  for (const [first, ...others] of groups.slice(0, maxChangesOfSource)) {
    if (!first) continue;
    const { change, texts } = first;
    const block = change.kind === "block" ? (change.after ?? change.before) : undefined;
    const path = changePath(change)
      .map((part) => cutLine(part, 80))
      .join(" › ");
    if (path !== heading && path) lines.push(`@@ ${path} @@`);
    heading = path;
    const [left, right] = changedTexts(change) ?? [];
    const isLong = Math.max(left?.length ?? 0, right?.length ?? 0) > most[length].around;
    const [was, is] = (isLong && texts) || [left, right];
    if (was === left && block?.header && block.header !== header) {
      header = block.header;
      lines.push(`  ${cutLine(header, most[length].line)}`);
    }
    lines.push(...comparedLines(was, is, length));
    const names = others.map(({ name = "" }) => cutLine(name, 80));
    if (names.length > 0) lines.push(`  likewise: ${firstOf(names, maxNames)}`);
  }
  const more = groups.slice(maxChangesOfSource).reduce((sum, group) => sum + group.length, 0);
  const least = evidence.length >= maxEvidence ? "at least " : "";
  if (more > 0) lines.push(`  … and ${least}${pluralize(more, "more change")}`);
  return lines;
}

/** If not all are shown, each field comes once before more of one: a new version is not behind the sizes of all files. */
function shownFirst<T extends readonly { readonly key: unknown; readonly of?: FieldEdit["of"] }[]>(
  groups: readonly T[],
) {
  if (groups.length <= maxChangesOfSource) return groups;
  const fields = [...Map.groupBy(groups, ([first]) => first?.of ?? first?.key).values()];
  return [...fields.flatMap((field) => field.slice(0, 1)), ...fields.flatMap((field) => field.slice(1))];
}

function comparedLines(before: string | undefined, after: string | undefined, length: Length): readonly string[] {
  const { around, line } = most[length];
  if (before === undefined && after === undefined) return [];
  if (/\S\n/.test(`${before}${after}`)) return comparedCode(before ?? "", after ?? "", line);
  if (before === undefined) return [`+ ${cutLine(after ?? "", line)}`];
  if (after === undefined) return [`- ${cutLine(before, line)}`];
  const [left = "", right = ""] = cutToDifference(fold(before), fold(after), around, line).map(diffShown);
  if (left !== right) return [`- ${left}`, `+ ${right}`];
  return [`  ${left}`, "  (only characters that are not shown differ)"];
}

const maxCodeLines = 24;

/** Texts that were kept line by line. */
function comparedCode(before: string, after: string, most: number): readonly string[] {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 2 });
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith("\\"));
  const shown = lines.map((line) => `${line.slice(0, 1)} ${cut(clean(line.slice(1)), most)}`);
  return upTo(maxCodeLines, shown, (more) => `  … and ${pluralize(more, "more line")}`);
}

function diffShown({ text, before, after }: CutText): string {
  const more = after > 0 ? ` … (${groupDigits(after)} more characters)` : "";
  return `${before > 0 ? "… " : ""}${clean(text).trim()}${more}`;
}

/** The first 8 lines of a matching passage, indented by two spaces. */
export function quoteLines(excerpt: string, length: Length = "whole"): string[] {
  const lines = clean(excerpt.slice(0, 20_000))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const shown = lines.map((line) => `  ${cut(line, most[length].line)}`);
  return [...upTo(8, shown, (more) => `  … and ${more} more lines`)];
}
