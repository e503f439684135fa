import { html, raw } from "hono/html";
import type { Audit } from "../../../audit/audit.ts";
import { type Cited, citationName } from "../../../audit/cited.ts";
import type { Finding } from "../../../audit/findings.ts";
import { type FindingKind, findingHeadings } from "../../../model/finding.ts";
import { isoTime } from "../../../model/time.ts";
import { asSentence, oneLine, placeText } from "../../../model/words.ts";

const maxCharacters = 2_000;

/**
 * An audit as a JUnit report: each citation is a test. A finding that `fails` does not accept, and a citation that was
 * not checked, is a skipped test. Spec: https://github.com/testmoapp/junitxml
 */
export async function junit(
  { report, at, findings, sighted }: Audit,
  cited: readonly Cited[],
  fails: (kind: FindingKind) => boolean,
): Promise<string> {
  const checked = new Set(
    sighted.flatMap(({ cited: { address }, failure }) => (failure?.kind === "deferred" ? [] : address)),
  );
  const all = [
    ...new Map([...cited, ...findings.map((finding) => finding.cited)].map((one) => [keyOf(one), one])).values(),
  ];
  const tests = all.map((one) => {
    const ofIt = findings.filter((finding) =>
      [finding.cited, ...finding.also].some((other) => keyOf(other) === keyOf(one)),
    );
    const bad = ofIt.filter(({ kind }) => fails(kind));
    const skipped = bad.length > 0 ? [] : ofIt.map(saysOf);
    const unchecked = ofIt.length === 0 && !checked.has(one.address) ? ["not checked: there was no time"] : [];
    return { one, bad, skipped: [...skipped, ...unchecked] };
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
