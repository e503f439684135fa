import { apart, type Stretch } from "../../model/apart.ts";
import { changedTexts, changePath } from "../../model/change-words.ts";
import type { Evidence } from "../../model/firing.ts";
import { clean, cut, fold } from "../../model/markdown.ts";
import { counted, grouped } from "../../model/words.ts";

/** Characters of unchanged text that are shown on either side of a difference. */
const contextCharacters = 160;

/** Characters of the longest line of a difference or of a matching section. */
const maxLineCharacters = 900;

/** How much of a difference is shown. */
type Length = "whole" | "short";

const most: Readonly<Record<Length, { readonly around: number; readonly line: number }>> = {
  whole: { around: contextCharacters, line: maxLineCharacters },
  short: { around: 60, line: 240 },
};

/** Changes in one source that are shown, at most; the others are counted. */
export const maxChangesOfSource = 12;

/** The lines of a diff of what changed in one source; empty where there is nothing to compare. */
export function diffLines(evidence: readonly Evidence[], length: Length = "whole"): string[] {
  const lines: string[] = [];
  let heading = "";
  let header = "";
  for (const { change } of evidence.slice(0, maxChangesOfSource)) {
    const block = change.kind === "block" ? (change.after ?? change.before) : undefined;
    const path = changePath(change)
      .map((part) => cut(fold(part), 80))
      .join(" › ");
    if (path !== heading && path) lines.push(`@@ ${path} @@`);
    if (block?.header && block.header !== header) lines.push(`  ${cut(fold(block.header), most[length].line)}`);
    heading = path;
    header = block?.header ?? header;
    const [left, right] = changedTexts(change) ?? [];
    lines.push(...compared(left, right, length));
  }
  const more = evidence.length - maxChangesOfSource;
  if (more > 0) lines.push(`  … and ${counted(more, "more change")}`);
  return lines;
}

function compared(before: string | undefined, after: string | undefined, length: Length): string[] {
  const { around, line } = most[length];
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [`+ ${cut(fold(after ?? ""), line)}`];
  if (after === undefined) return [`- ${cut(fold(before), line)}`];
  const [left = "", right = ""] = apart(fold(before), fold(after), around, line).map(diffShown);
  if (left !== right) return [`- ${left}`, `+ ${right}`];
  return [`  ${left}`, "  (the difference is in characters that are not shown)"];
}

function diffShown({ text, before, after }: Stretch): string {
  const more = after > 0 ? ` … (${grouped(after)} more characters)` : "";
  return `${before > 0 ? "… " : ""}${clean(text).trim()}${more}`;
}

/** The first 8 lines of a section that matched, indented by two spaces. */
export function quoteLines(excerpt: string, length: Length = "whole"): string[] {
  const lines = clean(excerpt.slice(0, 20_000))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const shown = lines.slice(0, 8).map((line) => `  ${cut(line, most[length].line)}`);
  return lines.length > 8 ? [...shown, `  … and ${lines.length - 8} more lines`] : shown;
}
