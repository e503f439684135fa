import type { Finding } from "../../../audit/findings.ts";
import { type FindingKind, findingHeadings } from "../../../model/finding.ts";
import { day } from "../../../model/time.ts";
import { firstOf, oneLine, placeText, withNumbers } from "../../../model/words.ts";
import { colourDiff, colourSides, type Terminal } from "../terminal.ts";

const grave: readonly FindingKind[] = ["retracted", "unsupported", "gone", "ended", "other-work", "not-found"];

const maxEvidenceCharacters = 2_000;

/** Corrections of a finding that are shown, lines of one, and characters of a line. The patch has all. */
const [maxEdits, maxLinesOfEdit, maxLineCharacters] = [3, 8, 400];

/** Longest title that is shown: bibliographies have long ones. */
const maxTitleCharacters = 90;

/** Prints findings below the headings of their kinds, each with its line in the report, the evidence and the advice. */
export function printFindings(findings: readonly Finding[], out: Terminal): void {
  for (const [index, [kind, all]] of [...Map.groupBy(findings, (one) => one.kind)].entries()) {
    if (index > 0) out.line();
    out.line(out.paint(grave.includes(kind) ? "red" : "yellow", findingHeadings[kind]));
    for (const finding of all) {
      const { cited, also, evidence, todo, copy, edits = [] } = finding;
      out.line(`  ${placeText(cited)}  ${findingSays(finding, out)}`);
      const facts = oneLine(evidence, maxEvidenceCharacters);
      const [was, now] = kind === "moved" ? colourSides(cited.address, facts, out) : [cited.address, facts];
      out.line(`    ${was}${evidence === "" ? "" : `  (${now})`}`);
      if (also.length > 0) out.line(`    also at ${firstOf([...new Set(also.map(placeText))], 4)}`);
      out.line(out.paint("gray", `    → ${todo}`));
      if (copy) out.line(`    archived copy of ${day(copy.at)}: ${oneLine(copy.url, maxEvidenceCharacters)}`);
      for (const { before, after } of edits.slice(0, maxEdits)) {
        const [was, now] = [before, after].map((text) =>
          text
            .trimEnd()
            .split(/\r\n?|\n/)
            .slice(0, maxLinesOfEdit),
        );
        for (const line of was ?? []) out.line(colourDiff(`    - ${oneLine(line, maxLineCharacters)}`, out));
        for (const line of now ?? []) out.line(colourDiff(`    + ${oneLine(line, maxLineCharacters)}`, out));
      }
    }
  }
}

/** `[2] Tidewell pricing says $39; the report says $29`. */
export function findingSays({ cited, says }: Finding, out: Terminal): string {
  const words = oneLine(says, maxEvidenceCharacters);
  const [, theirs, ours] = /^says (.*); the report says (.*)$/.exec(words) ?? [];
  const [red, green] = colourSides(ours ?? "", theirs ?? "", out);
  return `${withNumbers(oneLine(cited.title, maxTitleCharacters), cited.numbers)} ${ours === undefined ? words : `says ${green}; the report says ${red}`}`;
}
