import { html, raw } from "hono/html";
import type { Audit } from "../../../audit/audit.ts";
import { type Cited, citationName } from "../../../audit/cited.ts";
import type { Finding } from "../../../audit/findings.ts";
import { type FindingKind, findingHeadings } from "../../../model/finding.ts";
import { code, words } from "../../../model/markdown.ts";
import { day, isoTime, minute } from "../../../model/time.ts";
import { asSentence, firstOf, groupDigits, oneLine, placeText, upTo, withNumbers } from "../../../model/words.ts";
import { style } from "../../../publish/pages/files.ts";
import { colourDiff, colourSides, colourWithin, type Terminal } from "../terminal.ts";

const grave: readonly FindingKind[] = ["retracted", "unsupported", "gone", "ended", "other-work", "not-found"];

const maxEvidenceCharacters = 2_000;

/** Corrections of a finding that are shown, lines of one, and characters of a line. The patch has all. */
const [maxEdits, maxLinesOfEdit, maxLineCharacters] = [3, 8, 400];

/** Longest title that is shown: bibliographies have long ones. */
const maxTitleCharacters = 90;

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
export function findingSays({ cited, says, contradiction }: Finding, out: Terminal): string {
  const [line = "", page, report] = [says, contradiction?.there, contradiction?.said].map(
    (text) => text && oneLine(text, maxEvidenceCharacters),
  );
  const name = withNumbers(oneLine(cited.title, maxTitleCharacters), cited.numbers);
  return `${name} ${colourWithin(line, { page, report }, out)}`;
}

/** Findings of one kind that are listed as Markdown. */
const maxListed = 100;

/** An audit as Markdown, in which no text of a source is markup. */
export function auditMarkdown({ report, says, counts, findings, left }: Audit): string {
  const parts = [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const lines = ofKind.map(
      ({ cited, says, evidence, todo, copy }) =>
        `- ${code(placeText(cited))} ${code(citationName(cited))} (${code(cited.address)}) ${words(says)}: ${code(evidence)} → ${words(todo)}${copy ? `; archived copy: ${code(copy.url)}` : ""}`,
    );
    const listed = upTo(maxListed, lines, (more) => `\nAnd ${groupDigits(more)} more.`);
    return [`### ${findingHeadings[kind]}`, "", ...listed].join("\n");
  });
  return [
    `## Audit of ${words(report)}`,
    [`${says}.`, `${counts}.`, ...left].map((one) => words(one, 400)).join(" "),
    ...parts,
    "",
  ].join("\n\n");
}

/** An audit as one page that can be sent around: nothing is loaded, and no text of a source is markup. */
export async function auditPage(audit: Audit): Promise<string> {
  const { report, at, findings, says, counts, left } = audit;
  const groups = [...Map.groupBy(findings, ({ kind }) => kind)];
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
          <title>Audit of ${report}</title>
          <style>
            ${raw(style)} main { padding-block: 2.5rem; }
          </style>
        </head>
        <body>
          <main>
            <h1>Audit of ${report}</h1>
            <p class="lead">${says}. ${counts}. Checked on ${minute(at)}.</p>
            ${left.map((sentence) => html`<p>${sentence}</p>`)}
            ${groups.map(
              ([kind, all]) => html`<section>
                <h2>${findingHeadings[kind]} (${all.length})</h2>
                <ul>
                  ${all.map(
                    ({ cited, also, says, evidence, todo, copy }) => html`<li>
                      <p>
                        ${cited.address === "" ? citationName(cited) : html`<a href="${cited.address}" rel="noreferrer">${citationName(cited)}</a>`}
                        ${says}
                      </p>
                      <p>${[...new Set([cited, ...also].map(placeText))].join(", ")} · ${evidence}</p>
                      <p><em>${todo}</em>${copy ? html` · <a href="${copy.url}" rel="noreferrer">archived copy</a>` : ""}</p>
                    </li>`,
                  )}
                </ul>
              </section>`,
            )}
          </main>
        </body>
      </html>`,
  );
}

const maxCharacters = 2_000;

/**
 * An audit as a JUnit report: each citation is a test. A finding that `fails` does not accept, and a citation that was
 * not checked, is a skipped test. Spec: https://github.com/testmoapp/junitxml
 */
export async function junit(
  { report, at, findings, citedPages }: Audit,
  cited: readonly Cited[],
  fails: (kind: FindingKind) => boolean,
): Promise<string> {
  const checked = new Set(
    citedPages.flatMap(({ cited: { address }, failure }) => (failure?.kind === "deferred" ? [] : address)),
  );
  const all = [
    ...new Map([...cited, ...findings.map((finding) => finding.cited)].map((one) => [keyOf(one), one])).values(),
  ];
  const tests = all.map((citation) => {
    const ofIt = findings.filter((finding) =>
      [finding.cited, ...finding.also].some((other) => keyOf(other) === keyOf(citation)),
    );
    const bad = ofIt.filter(({ kind }) => fails(kind));
    const skipped = bad.length > 0 ? [] : ofIt.map(saysOf);
    const unchecked = ofIt.length === 0 && !checked.has(citation.address) ? ["not checked: there was no time"] : [];
    return { one: citation, bad, skipped: [...skipped, ...unchecked] };
  });
  const counts = raw(
    `tests="${tests.length}" failures="${tests.filter(({ bad }) => bad.length > 0).length}" skipped="${tests.filter(({ skipped }) => skipped.length > 0).length}"`,
  );
  return String(
    await html`${raw('<?xml version="1.0" encoding="UTF-8"?>')}
<testsuites ${counts}>
  <testsuite name="${oneLine(report, maxCharacters)}" timestamp="${isoTime(at)}" ${counts}>
${tests.map(
  ({
    one,
    bad,
    skipped,
  }) => html`    <testcase classname="${placeText({ file: one.file })}" name="${oneLine(`${citationName(one)} ${one.address}`, maxCharacters)}" file="${placeText({ file: one.file })}"${one.line === undefined ? "" : raw(` line="${one.line}"`)}>
${bad.map((finding) => html`      <failure type="${finding.kind}" message="${findingHeadings[finding.kind]}">${saysOf(finding)}</failure>\n`)}${skipped.slice(0, 1).map((message) => html`      <skipped message="${message}" />\n`)}    </testcase>
`,
)}  </testsuite>
</testsuites>`,
  );
}

function keyOf({ address, file, line }: Cited): string {
  return address === "" ? placeText({ file, line }) : address;
}

function saysOf({ cited, says, evidence, todo, copy }: Finding): string {
  const archived = copy ? ` Archived copy: ${copy.url}` : "";
  return oneLine(
    `${placeText(cited)}: ${citationName(cited)} ${says} (${evidence}). ${asSentence(todo)}.${archived}`,
    maxCharacters,
  );
}
