import { code, words } from "../../model/markdown.ts";
import { placeText, pluralize, upTo } from "../../model/words.ts";
import type { CheckedChange } from "./changed-citations.ts";

const maxFindings = 200;
const maxUnread = 20;

export function changeCounts({ change, seen, findings }: CheckedChange): string {
  const sentences = pluralize(change.sentences.length, "changed sentence");
  return `${sentences} with citations; ${pluralize(seen.read, "cited page")} read: ${pluralize(findings.length, "finding")}.`;
}

/** A checked change as Markdown, in which no text of a source is markup. `listed`: its findings that are shown in it. */
export function changeSummary(checked: CheckedChange, listed = checked.findings, advice = ""): string {
  const { change, seen } = checked;
  const findings = listed.map((one) => `${code(placeText(one))} ${words(one.message)}`);
  const unread = seen.unread.map(({ address, because }) => `${code(address)} ${words(because)}`);
  const list = (most: number, entries: readonly string[]) =>
    upTo(most, entries)
      .map((entry) => `- ${entry}`)
      .join("\n");
  const parts = [
    changeCounts(checked),
    advice,
    list(maxFindings, findings),
    unread.length > 0 ? "These pages were not read, so their content is unknown:" : "",
    list(maxUnread, unread),
    change.cut.map((path) => `${code(path)} is longer than the limit for reports.`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
