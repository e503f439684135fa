import { apart, type Stretch } from "../apart.ts";
import type { Block, Change, Evidence } from "../model.ts";
import { clean, cut, fold } from "./inert.ts";

/** Characters around a difference, and of a difference itself. */
const around = 160;
const most = 900;
/** Changes of one source that are shown. */
export const mostChanges = 12;

/** The lines of a diff of what changed in one source; empty where there is nothing to compare. */
export function diffLines(evidence: readonly Evidence[]): string[] {
  const lines: string[] = [];
  let heading = "";
  let header = "";
  for (const { change } of evidence.slice(0, mostChanges)) {
    const block = change.kind === "block" ? (change.after ?? change.before) : undefined;
    const path = headingOf(block);
    if (path !== heading && path) lines.push(`@@ ${path} @@`);
    if (block?.header && block.header !== header) lines.push(`  ${cut(fold(block.header), most)}`);
    heading = path;
    header = block?.header ?? header;
    lines.push(...compared(...(textsOf(change) ?? [undefined, undefined])));
  }
  const more = evidence.length - mostChanges;
  if (more > 0) lines.push(`  … and ${more} more ${more === 1 ? "change" : "changes"}`);
  return lines;
}

function headingOf(block: Block | undefined): string {
  return (block?.path ?? [])
    .slice(-2)
    .map((part) => cut(fold(part), 80))
    .join(" › ");
}

/** What a change replaced, and by what; undefined where there is nothing to compare. */
export function textsOf(change: Change): readonly [before: string | undefined, after: string | undefined] | undefined {
  switch (change.kind) {
    case "block":
      return [change.before?.text, change.after?.text];
    case "claim":
      return change.to === "unverified" ? undefined : [change.before, change.after];
    case "fact": {
      const { name, before, after } = change;
      const [old, now] = [before, after].map((value) => (value === undefined ? undefined : `${name}: ${value}`));
      return [old, now];
    }
    case "item-edited":
      return [textOf(change.before), textOf(change.item)];
    case "item-added":
    case "item-withdrawn":
    case "link":
      return undefined;
  }
}

function textOf({ title, blocks }: { title: string; blocks?: readonly Block[] }): string {
  return [title, ...(blocks ?? []).map((block) => block.text)].join(" / ");
}

function compared(before: string | undefined, after: string | undefined): string[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [`+ ${cut(fold(after ?? ""), most)}`];
  if (after === undefined) return [`- ${cut(fold(before), most)}`];
  const [left = "", right = ""] = apart(fold(before), fold(after), around, most).map(shown);
  if (left !== right) return [`- ${left}`, `+ ${right}`];
  return [`  ${left}`, "  (the difference is in characters that are not shown)"];
}

function shown({ text, before, after }: Stretch): string {
  const more = after > 0 ? ` … (${after.toLocaleString("en")} more characters)` : "";
  return `${before > 0 ? "… " : ""}${clean(text).trim()}${more}`;
}

/** A section that matched, set in. */
export function quoteLines(excerpt: string): string[] {
  const lines = clean(excerpt.slice(0, 20_000))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const shown = lines.slice(0, 8).map((line) => `  ${cut(line, most)}`);
  return lines.length > 8 ? [...shown, `  … and ${lines.length - 8} more lines`] : shown;
}
