import type { Audit } from "../../../audit/audit.ts";
import { citationName } from "../../../audit/cited.ts";
import { findingHeadings } from "../../../model/finding.ts";
import { code, words } from "../../../model/markdown.ts";
import { placeText } from "../../../model/words.ts";

/** An audit as Markdown, in which no text of a source is markup. */
export function auditMarkdown({ report, says, counts, findings, left }: Audit): string {
  const parts = [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, all]) => {
    const lines = all
      .slice(0, 100)
      .map(
        ({ cited, says, evidence, todo, copy }) =>
          `- ${code(placeText(cited))} ${code(citationName(cited))} (${code(cited.address)}) ${words(says)}: ${code(evidence)} → ${words(todo)}${copy ? `; archived copy: ${code(copy.url)}` : ""}`,
      );
    return [
      `### ${findingHeadings[kind]}`,
      "",
      ...lines,
      ...(all.length > 100 ? ["", `And ${all.length - 100} more.`] : []),
    ].join("\n");
  });
  return [
    `## Audit of ${words(report)}`,
    [`${says}.`, `${counts}.`, ...left].map((one) => words(one, 400)).join(" "),
    ...parts,
    "",
  ].join("\n\n");
}
