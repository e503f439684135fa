import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import type { Web } from "../../../../src/audit/visit.ts";
import { type AuditOptions, auditCommand } from "../../../../src/faces/cli/audit/index.ts";
import { findReport } from "../../../../src/faces/cli/report.ts";
import { Unreachable, WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import { style } from "../../../../src/publish/pages/files.ts";
import { gitlabProject } from "../../../../src/read/kinds/gitlab-project.ts";
import { mediawiki } from "../../../../src/read/kinds/mediawiki.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { shareOfThreads } from "../../../../src/wire/web.ts";
import { source } from "../../../read/given.ts";
import { type LocalWeb, openWeb } from "../add/web.ts";

/** A report whose sources fare in every way that sources fare, and a web on this machine that serves them. */

const prose = (about: string) =>
  `<p>${`The ${about} is described here at some length, so that a reader finds all that is known of it. `.repeat(25)}</p>`;
const page = (title: string, body: string) => ({
  body: `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`,
});
const repo = (name: string, more: object = {}) => ({
  type: "application/json",
  body: JSON.stringify({
    private: false,
    archived: false,
    full_name: name,
    pushed_at: "2026-11-01T00:00:00Z",
    ...more,
  }),
});
const to = (location: string, status = 301) => ({ status, headers: { location } });

const answers = {
  "fine.example/guide": page("Guide", `${prose("guide")}<p>The device has 96 GB of memory.</p>`),
  "figure.example/device": page(
    "Device",
    `${prose("device")}<p>The device has 96 GB of memory.</p><table><tr><th>kind</th><th>GB</th></tr><tr><td>small</td><td>77</td></tr></table>`,
  ),
  "plan.example/device": page(
    "Device",
    `${prose("device")}<p>The device costs $49 per month.</p><p>The device needs at least 32 GB to start.</p>
    <p>The device keeps 10 million series.</p><p>The device takes 1.2 million points per second.</p>
    <p>The device does not support clustering.</p><p>The device has a limit of 30 million labels.</p>
    <p>The basic plan costs $29 and includes 50 GB of storage.</p>
    <p>“I wanted a device made for people who think in rows”, says its maker.</p>`,
  ),
  "quote.example/terms": page("Terms", `${prose("terms")}<p>You may use it for any purpose.</p>`),
  "moved.example/old": to("http://moved.example/new"),
  "moved.example/new": page("New", prose("new place")),
  "home.example/deep/page": to("http://home.example/", 302),
  "home.example/": page("Home", prose("home")),
  "wall.example/paper": { status: 403, body: "no" },
  "docs.example/1.2/install.html": page("Install", `${prose("installation")}<a href="/stable/install.html">stable</a>`),
  "docs.example/stable/install.html": page("Install", `${prose("installation")}<p>Version 3.</p>`),
  "api.github.com/repos/kites/alive": repo("kites/alive"),
  "api.github.com/repos/kites/archived": repo("kites/archived", { archived: true }),
  "api.github.com/repos/kites/before": repo("kites/after"),
  "api.github.com/repos/kites/silent": repo("kites/silent", { pushed_at: "2021-03-01T00:00:00Z" }),
};

const report = `# Kites

A [guide](http://fine.example/guide) to devices with 96 GB.

The device has 128 GB of memory ([maker](http://figure.example/device)).

They say “you may never ever sell it to anybody” in the [terms](http://quote.example/terms).

- [gone](http://gone.example/page)
- [old place](http://moved.example/old), [deep page](http://home.example/deep/page)
- [paper](http://wall.example/paper)
- [installation](http://docs.example/1.2/install.html)
- [alive](https://github.com/kites/alive), [archived](https://github.com/kites/archived),
  [before](https://github.com/kites/before), [silent](https://github.com/kites/silent),
  [nowhere](https://github.com/kites/nowhere)
`;

const folder = mkdtempSync(join(tmpdir(), "recheck-audit-"));
let web: LocalWeb;
beforeAll(async () => {
  web = await openWeb(answers);
  writeFileSync(join(folder, "report.md"), report);
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

async function audit(
  written: string | readonly string[],
  options: AuditOptions = {},
  changed: Partial<Settings["fetch"]> = {},
  own: Pick<Settings, "auth"> = { auth: { token: "t" } },
) {
  const lines: string[] = [];
  const settings: Settings = {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => Date.UTC(2026, 10, 22) },
    ...own,
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0, ...changed },
  };
  const out = {
    live: false,
    paint: (_: unknown, text: string) => text,
    line: (text = "") => void lines.push(text),
    note: () => {},
  };
  const code = await auditCommand([written].flat(), settings, options, out);
  return { code, out: lines.join("\n") };
}

interface Told {
  readonly kind: string;
  readonly address: string;
  readonly line: number;
  readonly says: string;
  readonly evidence: string;
}

/** The findings in a report of this name and text. */
async function findingsIn(name: string, text: string): Promise<Told[]> {
  writeFileSync(join(folder, name), text);
  return JSON.parse((await audit(join(folder, name), { json: true })).out).findings;
}

const json = (body: unknown) => ({ type: "application/json", body: JSON.stringify(body) });
const npm = (name: string, latest: object) =>
  json({ name, "dist-tags": { latest: "3.0.0" }, versions: { "1.2.0": {}, "1.9.0": {}, "3.0.0": latest } });
const crossref = (DOI: string, type: string) =>
  json({ status: "ok", message: { DOI, title: ["A study"], "updated-by": [{ DOI: "10.9/notice", type }] } });
const paper = (id: string, versions: string[], comments = "") =>
  `<OAI-PMH><GetRecord><record><metadata><arXivRaw><id>${id}</id>${versions.map((one) => `<version version="${one}"><date>Mon, 02 Mar 2026 00:00:00 GMT</date></version>`).join("")}<title>T</title><comments>${comments}</comments><abstract>${"Of 12 GB and more. ".repeat(60)}</abstract></arXivRaw></metadata></record></GetRecord></OAI-PMH>`;
const oai = (id: string) =>
  `oaipmh.arxiv.org/oai?verb=GetRecord&identifier=oai:arXiv.org:${id}&metadataPrefix=arXivRaw`;

describe("audit", () => {
  test("asks the keepers of papers and packages for their state", async () => {
    Object.assign(answers, {
      "registry.npmjs.org/fine": npm("fine", {}),
      "registry.npmjs.org/left": npm("left", { deprecated: "use right" }),
      "api.crossref.org/v1/works/10.1000%2Fretracted": crossref("10.1000/retracted", "retraction"),
      "api.crossref.org/v1/works/10.1000%2Fcorrected": crossref("10.1000/corrected", "correction"),
      [oai("2601.00001")]: { type: "text/xml", body: paper("2601.00001", ["v1", "v2", "v3"]) },
      [oai("2601.00002")]: { type: "text/xml", body: paper("2601.00002", ["v1"], "This paper has been withdrawn") },
      "api.crossref.org/v1/works/10.1000%2Fbusy": { status: 429, headers: { "retry-after": "60" } },
      "registry.npmjs.org/down": { status: 503 },
      // Another agency gave it out: Crossref does not know it, and the page is there.
      "doi.org/10.1000/elsewhere": to("http://fine.example/guide", 302),
    });
    const of = [
      "npmjs.com/package/fine",
      "npmjs.com/package/fine/v/1.2.0",
      "npmjs.com/package/fine/v/3.0.0",
      "npmjs.com/package/left",
      "npmjs.com/package/down",
      "doi.org/10.1000/retracted",
      "doi.org/10.1000/corrected",
      "doi.org/10.1000/elsewhere",
      "doi.org/10.1000/nowhere",
      "doi.org/10.1000/busy",
      "arxiv.org/abs/2601.00001v1",
      "arxiv.org/abs/2601.00001v3",
      "arxiv.org/abs/2601.00001",
      "arxiv.org/pdf/2601.00002",
    ];
    const findings = await findingsIn(
      "keepers.md",
      of
        .map((one) => `It takes 128 GB ([${one}](https://www.${one})).\n\n`.replace("www.d", "d").replace("www.a", "a"))
        .join(""),
    );
    expect(
      findings.map(({ kind, address, says }) => `${kind}: ${address.replace(/https:..(www.)?/, "")} ${says}`),
    ).toEqual([
      "retracted: doi.org/10.1000/retracted was retracted",
      "gone: doi.org/10.1000/nowhere was not found",
      "ended: npmjs.com/package/left is deprecated by its authors",
      "ended: arxiv.org/pdf/2601.00002 was withdrawn",
      "outdated: npmjs.com/package/fine/v/1.2.0 is of an older major version",
      "outdated: doi.org/10.1000/corrected was corrected",
      "outdated: arxiv.org/abs/2601.00001v1 is of an older version",
      "unseen: npmjs.com/package/down could not be read",
      "unseen: doi.org/10.1000/busy could not be read",
    ]);
    expect(findings.map(({ evidence }) => evidence)).toEqual([
      "10.1000/retracted: 10.9/notice",
      "404, not found",
      "left: use right",
      "2601.00002",
      "fine 3.0.0, https://www.npmjs.com/package/fine/v/3.0.0",
      "10.1000/corrected: 10.9/notice",
      "arXiv:2601.00001 v3, https://arxiv.org/abs/2601.00001v3",
      "503",
      "429, asked to slow down",
    ]);
  });

  test("hears of a retraction by any address that holds the DOI", async () => {
    const sici = "10.5555/0022(199806)49:8<693::AID-ASI4>3.0.CO;2-O";
    Object.assign(answers, {
      "api.crossref.org/v1/works/10.5555%2Fs00521-021": crossref("10.5555/s00521-021", "retraction"),
      "api.crossref.org/v1/works/10.5555%2Fkite.0000308": crossref("10.5555/kite.0000308", "retraction"),
      [`api.crossref.org/v1/works/${encodeURIComponent(sici)}`]: crossref(sici, "correction"),
      "api.crossref.org/v1/works/10.5555%2Fkite.9": json({
        message: { DOI: "10.5555/KITE.9", "updated-by": [{ DOI: "10.5555/kite.9", type: "new_version" }] },
      }),
      "link.publisher.example/notes/10.2026/part-2": page("Notes", prose("release")),
    });
    const cited = [
      "http://link.publisher.example/article/10.5555/s00521-021/fulltext.html",
      "http://journals.example/one/article?id=10.5555/kite.0000308",
      `http://papers.example/doi/abs/${sici}`,
      "https://doi.org/10.5555/kite.9",
      "http://link.publisher.example/notes/10.2026/part-2",
    ];
    const findings = await findingsIn("dois.md", cited.map((one) => `- It flies: ${one}\n`).join(""));
    expect(findings.map(({ line, says, evidence }) => [line, says, evidence])).toEqual([
      [1, "was retracted", "10.5555/s00521-021: 10.9/notice"],
      [2, "was retracted", "10.5555/kite.0000308: 10.9/notice"],
      [3, "was corrected", `${sici}: 10.9/notice`],
    ]);
  });

  test("hears of a retraction by the DOI that a page gives of its work", async () => {
    const meta = (name: string, content: string) => ({
      body: page("Lift", prose("lift")).body.replace("<main>", `<meta name="${name}" content="${content}"><main>`),
    });
    Object.assign(answers, {
      "api.crossref.org/v1/works/10.5555%2Fs41-021-9": crossref("10.5555/s41-021-9", "retraction"),
      "nature.example/articles/s41-021-9": meta("citation_doi", "10.5555/s41-021-9"),
      "press.example/article/34": meta("DC.Identifier", "doi:10.5555/s41-021-9"),
      "press.example/article/35": meta("citation_doi", "10.5555/nowhere"),
      "press.example/article/36": meta("citation_title", "10.5555/s41-021-9"),
    });
    const cited = ["nature.example/articles/s41-021-9", ...[34, 35, 36].map((n) => `press.example/article/${n}`)];
    const findings = await findingsIn("works.md", cited.map((one) => `- It flies: http://${one}\n`).join(""));
    expect(findings.map(({ line, says }) => [line, says])).toEqual([[1, "was retracted"]]);
    expect(findings).toMatchObject([{ evidence: "10.5555/s41-021-9: 10.9/notice", also: [{ line: 2 }] }]);
  });

  test("gives the new places of a file of a branch that was renamed, and of an issue in another repository", async () => {
    const issue = { state: "open", title: "It drifts", labels: [], body: prose("drift") };
    Object.assign(answers, {
      "raw.githubusercontent.com/kites/alive/HEAD/docs/use.md": { type: "text/plain", body: prose("use") },
      "api.github.com/repos/kites/alive/issues/3": to("http://api.github.com/repositories/5/issues/3"),
      "api.github.com/repositories/5/issues/3": json({ ...issue, html_url: "https://github.com/kites/fine/issues/3" }),
      "api.github.com/repos/kites/before/issues/4": to("http://api.github.com/repositories/6/issues/4"),
      "api.github.com/repositories/6/issues/4": json({ ...issue, html_url: "https://github.com/kites/after/issues/4" }),
    });
    const cited = ["alive/blob/main/docs/use.md", "alive/blob/v1.0/docs/use.md", "alive/issues/3", "before/issues/4"];
    const findings = await findingsIn(
      "renamed.md",
      cited.map((one) => `- It flies: https://github.com/kites/${one}\n`).join(""),
    );
    expect(findings.map(({ line, says, evidence }) => [line, says, evidence])).toEqual([
      [2, "was not found", "404, not found"],
      [1, "has moved for good", "https://github.com/kites/alive/blob/HEAD/docs/use.md"],
      [3, "has moved for good", "https://github.com/kites/fine/issues/3"],
      [4, "was renamed", "kites/after"],
    ]);
  });

  const gitlab = (address: string) =>
    gitlabProject.request(source(gitlabProject, {}, `gitlab.com/${address}`), { githubToken: false }).url.slice(8);
  const project = (fullPath: string, more: object = {}) =>
    json({
      data: {
        project: { fullPath, archived: false, visibility: "public", lastActivityAt: "2026-10-01T00:00:00Z", ...more },
      },
    });
  const forgejo = (full_name: string, more: object = {}) =>
    json({ full_name, private: false, archived: false, updated_at: "2026-10-01T00:00:00Z", ...more });
  const rfc = (number: number, more: object) =>
    json({ doc_id: `RFC${number}`, title: "T", status: "PROPOSED STANDARD", ...more });
  const w3c = (status: string) =>
    json({
      _embedded: {
        "version-history": [{ status, uri: "https://www.w3.org/TR/x/", date: "2026-01-01", title: "Kites" }],
      },
    });
  const w3cAt = (name: string) => `api.w3.org/specifications/${name}/versions?embed=1&items=200`;
  const lifecycle = json({
    result: {
      label: "Kite",
      releases: [
        { name: "3.14", isMaintained: true, eolFrom: "2030-10-01" },
        { name: "3.10", isMaintained: true, eolFrom: "2027-01-11" },
        { name: "3.9", isMaintained: false, eolFrom: "2025-10-31" },
        { name: "3", isMaintained: false, eolFrom: null },
        { name: "2", isMaintained: false, eolFrom: null },
      ],
    },
  });
  const csaf = (category: string) =>
    json({
      document: { category, title: "Kites fall", tracking: { id: "K-1", status: "final", revision_history: [] } },
    });
  const related = (relationType: string) =>
    json({
      data: {
        attributes: {
          relatedIdentifiers: [{ relationType, relatedIdentifier: "10.9/next", relatedIdentifierType: "DOI" }],
        },
      },
    });
  const limited = { status: 429, headers: { "retry-after": "60" } };
  const rows: readonly (readonly [
    address: string,
    answers: Record<string, object>,
    finding: string | undefined,
    evidence?: string,
  ])[] = [
    [
      "https://gitlab.com/toys/old/-/issues/3",
      {
        [gitlab("toys/old")]: project("toys/old", { archived: true }),
        "gitlab.com/toys/old/-/issues/3": page("Three", prose("issue")),
      },
      "ended: is archived: nobody maintains it",
      "gitlab.com/toys/old",
    ],
    ["https://gitlab.com/toys/new", { [gitlab("toys/new")]: project("toys/new") }, undefined],
    [
      "https://gitlab.com/toys/quiet",
      { [gitlab("toys/quiet")]: project("toys/quiet", { lastActivityAt: "2021-01-01T00:00:00Z" }) },
      "silent: has been silent for 5 years",
      "last change 2021-01-01",
    ],
    [
      "https://gitlab.com/toys/none",
      { [gitlab("toys/none")]: json({ data: { project: null } }) },
      "gone: is not public, or not there",
      "gitlab.com/toys/none",
    ],
    [
      "https://gitlab.com/toys/group",
      {
        [gitlab("toys/group")]: json({ data: { project: null } }),
        "gitlab.com/toys/group": page("Group", prose("group")),
      },
      undefined,
    ],
    [
      "https://gitlab.com/toys/busy",
      { [gitlab("toys/busy")]: limited },
      "unseen: could not be read",
      "429, asked to slow down",
    ],
    [
      "https://codeberg.org/toys/old",
      { "codeberg.org/api/v1/repos/toys/old": forgejo("toys/old", { archived: true }) },
      "ended: is archived: nobody maintains it",
      "codeberg.org/toys/old",
    ],
    [
      "https://codeberg.org/toys/before",
      { "codeberg.org/api/v1/repos/toys/before": forgejo("toys/after") },
      "moved: was renamed",
      "toys/after",
    ],
    ["https://codeberg.org/toys/new", { "codeberg.org/api/v1/repos/toys/new": forgejo("toys/new") }, undefined],
    [
      "https://codeberg.org/toys/down",
      { "codeberg.org/api/v1/repos/toys/down": { status: 502 } },
      "unseen: could not be read",
      "502",
    ],
    [
      "https://www.rfc-editor.org/rfc/rfc7231",
      { "www.rfc-editor.org/rfc/rfc7231.json": rfc(7231, { obsoleted_by: ["RFC9110"] }) },
      "ended: was obsoleted",
      "rfc7231: RFC9110",
    ],
    [
      "https://www.rfc-editor.org/rfc/rfc5246",
      { "www.rfc-editor.org/rfc/rfc5246.json": rfc(5246, { updated_by: ["RFC5746"] }) },
      "outdated: was updated",
      "rfc5246: RFC5746",
    ],
    [
      "https://www.rfc-editor.org/rfc/rfc3986",
      { "www.rfc-editor.org/rfc/rfc3986.json": rfc(3986, { errata_url: "https://www.rfc-editor.org/errata/rfc3986" }) },
      "outdated: has errata",
      "https://www.rfc-editor.org/errata/rfc3986",
    ],
    [
      "https://www.rfc-editor.org/rfc/rfc9110",
      { "www.rfc-editor.org/rfc/rfc9110.json": rfc(9110, { obsoleted_by: [], errata_url: null }) },
      undefined,
    ],
    [
      "https://www.w3.org/TR/kites-1/",
      { [w3cAt("kites-1")]: w3c("Superseded Recommendation") },
      "ended: was superseded",
      "kites-1",
    ],
    ["https://www.w3.org/TR/kites-2/", { [w3cAt("kites-2")]: w3c("Retired") }, "ended: was retired", "kites-2"],
    [
      "https://www.w3.org/TR/kites-3/",
      { [w3cAt("kites-3")]: w3c("Obsolete Recommendation") },
      "ended: is obsolete",
      "kites-3",
    ],
    ["https://www.w3.org/TR/kites-4/", { [w3cAt("kites-4")]: w3c("Recommendation") }, undefined],
    [
      "https://www.w3.org/TR/kites-5/",
      { [w3cAt("kites-5")]: limited },
      "unseen: could not be read",
      "429, asked to slow down",
    ],
    [
      "Kite 3.9.1 https://endoflife.date/kite",
      { "endoflife.date/api/v1/products/kite/": lifecycle },
      "ended: says that 3.9 is no longer maintained",
      "Kite 3.9, 2025-10-31",
    ],
    ["Kite v3.10 https://endoflife.date/kite", {}, "outdated: says that 3.10 ends in 50 days", "Kite 3.10, 2027-01-11"],
    ["Kite 2 https://endoflife.date/kite", {}, "ended: says that 2 is no longer maintained", "Kite 2"],
    ["Kite 3.14, beside 3.9 others, https://endoflife.date/kite", {}, undefined],
    ["Kite https://endoflife.date/kite", {}, undefined],
    [
      "https://csaf.example/2026/k-1.json",
      { "csaf.example/2026/k-1.json": csaf("csaf_withdrawn") },
      "ended: was withdrawn",
      "https://csaf.example/2026/k-1.json",
    ],
    [
      "https://csaf.example/2026/k-2.json",
      { "csaf.example/2026/k-2.json": csaf("csaf_superseded") },
      "ended: was superseded by another advisory",
    ],
    ["https://csaf.example/2026/k-3.json", { "csaf.example/2026/k-3.json": csaf("csaf_security_advisory") }, undefined],
    [
      "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
      {
        "api.github.com/advisories/GHSA-aaaa-bbbb-cccc": json({
          ghsa_id: "GHSA-aaaa-bbbb-cccc",
          withdrawn_at: "2026-07-01",
        }),
      },
      "ended: was withdrawn on 2026-07-01",
      "GHSA-aaaa-bbbb-cccc: 2026-07-01",
    ],
    [
      "https://osv.dev/vulnerability/RUSTSEC-2026-0001",
      { "api.osv.dev/v1/vulns/RUSTSEC-2026-0001": json({ id: "RUSTSEC-2026-0001", withdrawn: "2026-07-01" }) },
      "ended: was withdrawn on 2026-07-01",
      "RUSTSEC-2026-0001: 2026-07-01",
    ],
    [
      "https://osv.dev/vulnerability/RUSTSEC-2026-0002",
      { "api.osv.dev/v1/vulns/RUSTSEC-2026-0002": json({ id: "RUSTSEC-2026-0002" }) },
      undefined,
    ],
    [
      "https://zenodo.org/records/41",
      { "api.datacite.org/dois/10.5281%2Fzenodo.41": related("IsPreviousVersionOf") },
      "outdated: has a newer version",
      "10.5281/zenodo.41: 10.9/next",
    ],
    [
      "https://zenodo.org/records/42",
      { "api.datacite.org/dois/10.5281%2Fzenodo.42": related("IsObsoletedBy") },
      "ended: was replaced",
      "10.5281/zenodo.42: 10.9/next",
    ],
    ["https://zenodo.org/records/43", { "api.datacite.org/dois/10.5281%2Fzenodo.43": related("Cites") }, undefined],
    [
      "https://doi.org/10.1000/set",
      { "api.datacite.org/dois/10.1000%2Fset": related("IsPreviousVersionOf") },
      "outdated: has a newer version",
      "10.1000/set: 10.9/next",
    ],
    [
      "https://doi.org/10.1000/doubt",
      { "api.crossref.org/v1/works/10.1000%2Fdoubt": crossref("10.1000/doubt", "expression_of_concern") },
      "ended: has an expression of concern",
      "10.1000/doubt: 10.9/notice",
    ],
    [
      "https://doi.org/10.1000/edition",
      { "api.crossref.org/v1/works/10.1000%2Fedition": crossref("10.1000/edition", "new_version") },
      "outdated: has a newer version",
      "10.1000/edition: 10.9/notice",
    ],
    [
      "https://packagist.org/packages/toys/kite",
      {
        "repo.packagist.org/p2/toys/kite.json": json({
          minified: "composer/2.0",
          packages: { "toys/kite": [{ version: "1.0.0", abandoned: "toys/other" }] },
        }),
      },
      "ended: is abandoned by its authors",
      "toys/kite: toys/other",
    ],
    [
      "https://huggingface.co/toys/kite",
      { "huggingface.co/api/models/toys/kite": json({ id: "toys/kite", disabled: true }) },
      "ended: was disabled by its host",
      "toys/kite",
    ],
    [
      "https://huggingface.co/toys/none",
      { "huggingface.co/api/models/toys/none": { status: 401, ...json({ error: "Repository not found" }) } },
      "gone: is not public, or not there",
      "toys/none",
    ],
    [
      "https://crates.io/crates/kite/1.2.0",
      {
        "index.crates.io/ki/te/kite": {
          type: "text/plain",
          body: ["1.2.0", "1.3.0", "3.0.0", "2.9.9"].map((vers) => JSON.stringify({ name: "kite", vers })).join("\n"),
        },
      },
      "outdated: is of an older major version",
      "kite 3.0.0, https://crates.io/crates/kite/3.0.0",
    ],
    ["https://crates.io/crates/kite/3.0.0", {}, undefined],
    [
      "https://www.nuget.org/packages/Kite/1.2.0",
      { "api.nuget.org/v3-flatcontainer/kite/index.json": json({ versions: ["1.2.0", "2.0.0-rc.1", "2.0.0"] }) },
      "outdated: is of an older major version",
      "Kite 2.0.0, https://www.nuget.org/packages/Kite/2.0.0",
    ],
    [
      "https://rubygems.org/gems/kite/versions/1.2.0",
      { "rubygems.org/api/v1/versions/kite.json": json([{ number: "1.9.0" }, { number: "1.2.0" }]) },
      undefined,
    ],
    [
      "https://apps.apple.com/us/app/id123456789",
      { "itunes.apple.com/lookup?id=123456789&country=us": json({ resultCount: 0, results: [] }) },
      "gone: was not found",
      "404, not found",
    ],
    [
      "https://en.wikipedia.org/wiki/Kite",
      {
        [mediawiki
          .request(source(mediawiki, {}, "https://en.wikipedia.org/wiki/Kite"), { githubToken: false })
          .url.slice(8)]: json({
          curtimestamp: "2026-11-01T00:00:00Z",
          query: { pages: [{ title: "Kite", extract: "A kite.", revisions: [] }] },
        }),
      },
      undefined,
    ],
  ];

  test("asks the keepers of all else for its state, says no more than they do, and never that a limited one is gone", async () => {
    for (const [, more] of rows) Object.assign(answers, more);
    const told: Record<string, string> = {};
    for (const [i, [written]] of rows.entries()) {
      const findings = await findingsIn("standing.md", `# Kites\n\nIt says: ${written}\n`);
      expect(findings.length, written).toBeLessThan(2);
      const [one] = findings;
      if (one) told[i] = `${one.kind}: ${one.says} (${one.evidence}) at ${one.line}`;
    }
    for (const [i, [written, , finding, evidence]] of rows.entries())
      expect(told[i], written).toEqual(
        finding === undefined
          ? undefined
          : expect.stringMatching(
              `^${RegExp.escape(`${finding} (`)}${evidence === undefined ? ".*" : RegExp.escape(evidence)}\\) at 3$`,
            ),
      );
  });

  test("reports a fact about a repository once, for all its citations", async () => {
    const of = ["", "/blob/main/LICENSE", "/releases"].map((path) => `https://github.com/kites/archived${path}`);
    Object.assign(answers, {
      "raw.githubusercontent.com/kites/archived/main/LICENSE": { type: "text/plain", body: "MIT\n".repeat(9) },
    });
    Object.assign(answers, { "api.github.com/repos/kites/archived/releases?per_page=100": json([]) });
    const findings = await findingsIn("thrice.md", of.map((one, i) => `- [${i}](${one})\n`).join(""));
    expect(findings.filter(({ kind }: Told) => kind === "ended")).toMatchObject([
      { line: 1, also: [{ line: 2 }, { line: 3 }] },
    ]);
  });

  test("reports once that a host limits us, for all its citations, and never that its pages are gone", async () => {
    for (const name of ["a", "b", "c"]) Object.assign(answers, { [`registry.npmjs.org/limited-${name}`]: limited });
    const links = ["a", "b", "c"].map((name) => `- [${name}](https://www.npmjs.com/package/limited-${name})\n`);
    const findings = await findingsIn("limited.md", links.join(""));
    expect(findings).toMatchObject([
      {
        kind: "unseen",
        about: "www.npmjs.com",
        evidence: "429, asked to slow down",
        line: 1,
        also: [{ line: 2 }, { line: 3 }],
      },
    ]);
  });

  test("names the line with an address itself, and not one that begins with it", async () => {
    const text = `- [issues](http://gone.example/kite/issues)\n- [other](http://gone.example/kite-2)\n- bare http://gone.example/kite.\n- [slash](http://gone.example/wind/)\n`;
    const findings = await findingsIn("lines.md", text);
    expect(findings.map(({ address, line }) => [line, address])).toEqual([
      [1, "http://gone.example/kite/issues"],
      [2, "http://gone.example/kite-2"],
      [3, "http://gone.example/kite"],
      [4, "http://gone.example/wind/"],
    ]);
  });

  test("names all numbers of an address that is a reference twice, the first with its line", async () => {
    const links = ["delta", "box", "delta"].map(
      (name, i) => `${i + 1}. The ${name} kite. http://gone.example/${name}\n`,
    );
    writeFileSync(join(folder, "twice.md"), `# Kites\n\n## References\n\n${links.join("")}`);
    const { out } = await audit(join(folder, "twice.md"));
    expect(out).toMatch(/twice\.md:5 {2}The delta kite \[1, 3\] was not found/);
    expect(out).toMatch(/twice\.md:6 {2}The box kite \[2\] was not found/);
  });

  test("reports once the parts that GitHub's hourly allowance, or the time, left out", async () => {
    const many = Array.from({ length: 80 }, (_, i) => `- [r${i}](https://github.com/many/r${i})\n`);
    for (const i of many.keys()) Object.assign(answers, { [`api.github.com/repos/many/r${i}`]: repo(`many/r${i}`) });
    writeFileSync(join(folder, "github.md"), many.join(""));
    const { out, code } = await audit(join(folder, "github.md"), {}, {}, {});
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toEqual([
      expect.stringMatching(/^GitHub allows 60 requests an hour without a token, .* For 20 citations there/),
      "60 citations, 60 read, 0 figures and 0 quotes compared: no findings",
    ]);
    const late = await audit(join(folder, "github.md"), { minutes: "0.0001", json: true }, { pause: 100 });
    const { left, citations } = JSON.parse(late.out);
    expect(left).toEqual([
      `Time ran out before ${80 - citations} citations could be checked; use --minutes 10 for more.`,
    ]);
    expect(citations).toBeLessThan(40);
    await expect(audit(join(folder, "github.md"), { minutes: "soon" })).rejects.toThrow("--minutes needs a number");
  });

  test.each<readonly [string, string, boolean]>([
    ["another figure", "The device has 128 GB of memory (LINK).", true],
    ["the same in another unit", "The device has 98304 MB of memory (LINK).", false],
    ["what is as good as the same", "The device has 100 GB of memory (LINK).", false],
    ["up to", "The device has up to 128 GB of memory (LINK).", false],
    ["about", "The device has about 128 GB of memory (LINK).", false],
    ["a range", "The device has 120–128 GB of memory (LINK).", false],
    ["two figures", "The device has 128 GB, and the next one 256 GB (LINK).", false],
    ["two citations", "The device has 128 GB ([a](http://fine.example/guide), LINK).", false],
    ["two sentences", "The device has 128 GB. All of it is told elsewhere (LINK).", false],
    ["a cell beside what it cites", "| device | memory |\n|---|---|\n| LINK | 128 GB |", true],
    ["a cell of what the page does not name", "| kite | memory | in |\n|---|---|---|\n| Sled | 128 GB | LINK |", false],
    [
      "a sentence before another one that cites",
      "Some have 128 GB of memory. The maker has more to tell (LINK).",
      false,
    ],
    ["a comparison", "The device is larger than one of 128 GB (LINK).", false],
    ["a share", "The device is 40% larger (LINK).", false],
    ["a number in a cell without its unit", "The device has 77 GB of memory (LINK).", false],
    ["a unit that the page does not have", "The device draws 450 W (LINK).", false],
    ["words that are there", "They write “the device has 96 GB of memory” (LINK).", false],
    ["words that are not there", "They write “nobody may ever sell it abroad” (LINK).", true],
    ["a title in a bibliography", "Ng, A. et al. “Nobody may ever sell it abroad.” (2015). LINK says it.", false],
    ["words that nobody is said to have said", "The “nobody may ever sell it abroad” kind of device (LINK).", false],
    ["words left out", "They write “the device has […] no memory whatsoever” (LINK).", false],
    ["a title", "See [“The device has no memory whatsoever”](http://figure.example/device).", false],
    ["words of somebody else", "Ada said “we never saw such a thing here”. The maker disagrees (LINK).", false],
    ["per month", "The device costs $59 per month (PLAN).", true],
    ["at least", "The device needs at least 16 GB to start (PLAN).", true],
    ["millions", "The device keeps 20 million series (PLAN).", true],
    ["millions per second", "The device takes 2.4 million points per second (PLAN).", true],
    ["an altered quotation", "They said “I wanted a device designed for people who think in rows” (PLAN).", true],
    ["two figures, one of them another", "The basic plan costs $29 and includes 20 GB of storage (PLAN).", true],
    ["per month, shortened", "The device costs $59/month (PLAN).", true],
    ["a price", "The device costs $59 (PLAN).", true],
    ["a need", "The device needs 16 GB (PLAN).", true],
    ["a limit", "The device has a limit of 20 million labels (PLAN).", true],
    [
      "an altered quotation, called so",
      "They called it “a device designed for people who think in rows” (PLAN).",
      true,
    ],
    ["both figures of two", "The basic plan costs $19 and includes 20 GB of storage (PLAN).", true],
    ["what the page denies", "The device supports clustering (PLAN).", true],
    ["what the page denies, denied", "The device does not support clustering (PLAN).", false],
    ["two figures that are there", "The basic plan costs $29 and includes 50 GB of storage (PLAN).", false],
    ["a grouped number", "The device keeps 10 000 000 series (PLAN).", false],
    ["the same per year", "The device costs $588 per year (PLAN).", false],
  ])("says that a figure or a quotation is missing only if that is unmistakable: %s", async (_, text, told) => {
    const link = "[maker](http://figure.example/device)";
    const plan = "[plans](http://plan.example/device)";
    const findings = await findingsIn("claim.md", `# Claim\n\n${text.replace("LINK", link).replace("PLAN", plan)}\n`);
    expect(findings.some(({ kind }) => kind === "unsupported")).toBe(told);
  });

  test("says of each citation what a careful reader would want to know, worst first, and of no other", async () => {
    const { code, out } = await audit(join(folder, "report.md"), { json: true });
    const { findings, citations } = JSON.parse(out) as { findings: Told[]; citations: number };
    expect(code).toBe(0);
    expect(citations).toBe(13);
    expect(findings.map(({ kind, address, line, says }) => [kind, line, address, says])).toEqual([
      ["unsupported", 5, "http://figure.example/device", "names 96 GB, and nowhere 128 GB"],
      ["unsupported", 7, "http://quote.example/terms", "does not hold the words that are quoted from it"],
      ["gone", 9, "http://gone.example/page", "was not found"],
      ["gone", 10, "http://home.example/deep/page", "leads to a home page"],
      ["gone", 15, "https://github.com/kites/nowhere", "is not public, or not there"],
      ["ended", 13, "https://github.com/kites/archived", "is archived: nobody maintains it"],
      [
        "outdated",
        12,
        "http://docs.example/1.2/install.html",
        "is for a single version, and there is a page for the current one",
      ],
      ["moved", 10, "http://moved.example/old", "has moved for good"],
      ["moved", 14, "https://github.com/kites/before", "was renamed"],
      ["silent", 14, "https://github.com/kites/silent", "has been silent for 5 years"],
      ["unseen", 11, "http://wall.example/paper", "could not be read"],
    ]);
  });

  test("audits the file of a reference manager, entry by entry", async () => {
    const bib =
      "@misc{a, title={Fine}, url={http://fine.example/guide}}\n@misc{b, title={Gone},\n  url={http://gone.example/page}}\n@misc{c\n";
    writeFileSync(join(folder, "refs.bib"), bib);
    const { out } = await audit(join(folder, "refs.bib"));
    expect(out).toMatch(/refs\.bib:2 {2}Gone \[2\] was not found\n/);
    expect(out).toMatch(
      /refs\.bib:4: entry c: a comma is missing after its key\n2 citations, 1 read, 0 figures and 0 quotes compared: 1 finding$/,
    );
  });

  test("prints it in lines, with a count at the end", async () => {
    const { out } = await audit(join(folder, "report.md"));
    expect(out).toContain(
      "report.md:10  old place has moved for good\n    http://moved.example/old  (http://moved.example/new)",
    );
    expect(out.split("\n").at(0)).toBe("10 things in this report are out of date");
    expect(out.split("\n").at(-1)).toBe(
      "13 citations, 9 read, 2 figures and 1 quote compared: 10 findings (1 citation cannot be checked)",
    );
  });

  test("fails on the findings that --fail-on names", async () => {
    const file = join(folder, "report.md");
    expect((await audit(file, { failOn: "ended" })).code).toBe(2);
    writeFileSync(join(folder, "good.md"), "[guide](http://fine.example/guide)\n");
    expect(await audit(join(folder, "good.md"), { failOn: "gone,ended" })).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 citation, 1 read, 0 figures and 0 quotes compared: no findings"),
    });
    await expect(audit(file, { failOn: "gon" })).rejects.toThrow('did you mean "gone"?');
  });

  test("writes a page without a script, and a summary, in which nothing of a report is markup", async () => {
    writeFileSync(join(folder, "bad.md"), "[<img src=x onerror=alert(1)> **b**](http://gone.example/x)\n");
    const [html, summary] = [join(folder, "audit.html"), join(folder, "summary.md")];
    await audit(join(folder, "bad.md"), { html, summary });
    const written = readFileSync(html, "utf8");
    expect(written).toContain("was not found");
    expect(written).toContain(style);
    expect(written).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    expect(readFileSync(summary, "utf8")).toMatch(
      /^- `[^`]*bad\.md:1` `b` \(`http:\/\/gone\.example\/x`\) was not found: `404, not found` → cite its new place/m,
    );
  });

  test("reads a folder, a page and a repository's README", async () => {
    const chapters = join(folder, "chapters");
    mkdirSync(join(chapters, "more"), { recursive: true });
    writeFileSync(join(chapters, "a.md"), "[guide](http://fine.example/guide)\n");
    writeFileSync(join(chapters, "more", "b.md"), "[gone](http://gone.example/b)\n");
    expect((await audit(chapters)).out).toContain("more/b.md:1  gone was not found");
    // A name of the days before UTF-8, as it lies in old checkouts.
    writeFileSync(
      Buffer.concat([Buffer.from(`${chapters}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]),
      "[x](http://x.example/)\n",
    );
    const withoutWeb = { ...({} as Web), workers: await shareOfThreads() };
    const { report } = await findReport(join(chapters, "a.md"), withoutWeb, { at: 0 });
    expect(report, "git is asked for the day of a report only if it is drafted").not.toHaveProperty("committed");
    const { faults } = await findReport(chapters, withoutWeb, { at: 0 });
    expect(faults).toEqual([`${join(chapters, "caf\ufffd.md")} could not be read: its name is not in UTF-8`]);
    expect((await audit(chapters)).out).toContain("more/b.md:1  gone was not found");
    Object.assign(answers, {
      "report.example/": page("Report", `${prose("report")}<a href="http://gone.example/p">gone</a>`),
      "api.github.com/repos/kites/report/git/trees/HEAD?recursive=1": {
        type: "application/json",
        body: JSON.stringify({ tree: [{ path: "README.md", mode: "100644", type: "blob", sha: "1", size: 30 }] }),
      },
      "api.github.com/repos/kites/report/contents/README.md": {
        type: "text/plain",
        body: "[gone](http://gone.example/r)\n",
      },
    });
    expect((await audit("http://report.example/")).out).toContain("gone was not found");
    expect((await audit("kites/report")).out).toContain("README.md:1  gone was not found");
  });

  test.each([
    ["nothing there", "nowhere.md", "cannot find nowhere.md: give a file, a folder, owner/name or a URL"],
    ["a device without an end", "/dev/zero", "/dev/zero is neither a file nor a folder; for standard input, give -"],
    ["a page that is not there", "http://gone.example/", "http://gone.example/ could not be read: 404, not found"],
    ["a page behind a login", "http://login.example/report", "could not be read: login page"],
    ["a picture", "http://image.example/report", "image/png where a report was expected"],
    ["a host that limits us", "http://busy.example/report", "could not be read: 429, asked to slow down"],
    ["a host that is down", "http://down.example/report", "could not be read: 503"],
    [
      "a private repository",
      "toys/private",
      "toys/private is private or does not exist: set GITHUB_TOKEN to read a private one",
    ],
    ["an empty repository", "toys/empty", "toys/empty is empty: it has no commit yet"],
    [
      "a page without a link",
      "http://bare.example/report",
      "http://bare.example/report cites no public address: audit needs links, DOIs or a list of references",
    ],
  ])("has one sentence for %s", async (_, written, says) => {
    Object.assign(answers, {
      "login.example/report": {
        body: '<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form><p>Please sign in to continue.</p>',
      },
      "image.example/report": { type: "image/png", body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]) },
      "busy.example/report": { status: 429, headers: { "retry-after": "60" } },
      "down.example/report": { status: 503 },
      "bare.example/report": page("Bare", prose("bare facts")),
      "api.github.com/repos/toys/empty/git/trees/HEAD?recursive=1": {
        status: 409,
        type: "application/json",
        body: "{}",
      },
    });
    const failed = await audit(written).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(WrongUsage);
    expect((failed as Error).message).toContain(says);
    expect((failed as Error).message).not.toContain("\n");
  });

  test.each([
    ["html", "--html"],
    ["summary", "--summary"],
  ])("asks for nothing where its file could not be written: %s", async (option, named) => {
    web.asked.length = 0;
    const written = (path: string) => audit(join(folder, "report.md"), { [option]: path });
    const nowhere = join(folder, "nowhere", "audit");
    await expect(written(nowhere)).rejects.toThrow(
      new WrongUsage(`${named}: ${nowhere} cannot be written: there is no such folder`),
    );
    await expect(written(folder)).rejects.toThrow(`${folder} cannot be written: it is a folder`);
    const below = join(folder, "report.md", "audit");
    await expect(written(below)).rejects.toThrow(`${below} cannot be written: a file is where a folder should be`);
    expect(web.asked).toEqual([]);
  });

  test("names a link that leads to itself, and a file that nests too deep to be read", async () => {
    const [loop, deep] = [join(folder, "loop.md"), join(folder, "deep.html")];
    symlinkSync(loop, loop);
    await expect(audit(loop)).rejects.toThrow("it leads to itself");
    writeFileSync(deep, `<a href="http://gone.example/page">gone</a>${"<div>".repeat(10_000)}`);
    await expect(audit(deep)).rejects.toThrow(`${deep} is longer than 1,000,000 characters, or nests too deep`);
  });

  test("names the way out for LaTeX that cites by keys alone", async () => {
    writeFileSync(join(folder, "survey.tex"), "Kites fly \\cite{kite}.\\bibliography{refs}");
    await expect(audit(join(folder, "survey.tex"))).rejects.toThrow("a .bib file is read as it is");
  });

  test("leaves out files of a folder that are no text, and says so", async () => {
    const home = mkdtempSync(join(folder, "mixed-"));
    writeFileSync(join(home, "README.md"), "# Kites\n\n[gone](http://gone.example/page)\n");
    writeFileSync(join(home, "other.md"), Buffer.alloc(100));
    const { out } = await audit(home);
    expect(out).toContain("gone was not found");
    expect(out).toContain(`${join(home, "other.md")} is not a text`);
  });

  test("asks the reader to check if no other day shows more", async () => {
    Object.assign(answers, {
      "shut.example/page": { status: 403 },
      "down.example/page": { status: 500 },
      "shell.example/page": { body: '<title>App</title><div id="root"></div><script src="/app.js"></script>' },
    });
    writeFileSync(
      join(folder, "shut.md"),
      "[one](http://shut.example/page), [two](http://shell.example/page), [three](http://down.example/page)\n",
    );
    const { out } = await audit(join(folder, "shut.md"));
    expect(out.split("\n").filter((line) => /^ .*(?:\(|→)/.test(line))).toEqual([
      "    http://shut.example/page  (403)",
      "    → check it yourself from time to time",
      "    http://shell.example/page  (a page that only shows its text in a browser)",
      "    → check it yourself from time to time",
      "    http://down.example/page  (500)",
      "    → check again tomorrow",
    ]);
  });

  test("says once of a host at a private address how it may be asked", async () => {
    writeFileSync(join(folder, "inner.md"), "[one](http://inner.example/a), [two](http://inner.example/b)\n");
    const { out } = await audit(join(folder, "inner.md"), {}, { allowAddresses: parseRanges("10.0.0.0/8") });
    expect(out.match(/→.*/g)).toEqual(["→ if it may be requested, add its range to RECHECK_ALLOW_ADDRESSES"]);
    expect(out).toContain("also at ");
  });

  test("has one sentence for a report of 50 MB, and for a file that is no text", async () => {
    writeFileSync(join(folder, "large.md"), Buffer.alloc(50_000_001, "a"));
    await expect(audit(join(folder, "large.md"))).rejects.toThrow("larger than 50 MB: give a part of it");
    writeFileSync(join(folder, "bytes.md"), Buffer.alloc(100));
    await expect(audit(join(folder, "bytes.md"))).rejects.toThrow("is not a text in UTF-8");
  });

  test("says how many of 2,100 links it did not check, and that it read a long file in part", async () => {
    const links = Array.from({ length: 2_100 }, (_, i) => `- [Link ${i}](http://fine.example/${i})\n`);
    writeFileSync(join(folder, "links.md"), links.join(""));
    const { left, citations } = JSON.parse(
      (await audit(join(folder, "links.md"), { json: true, minutes: "0.0001" })).out,
    );
    expect(left.at(-1)).toBe("100 citations beyond the first 2,000 were not checked.");
    expect(left[0]).toBe(
      `Time ran out before ${(2_000 - citations).toLocaleString("en")} citations could be checked; use --minutes 10 for more.`,
    );
    const long = `[one](http://fine.example/guide)\n\n${"Words without an end. ".repeat(50_000)}\n\n[two](http://fine.example/x)\n`;
    writeFileSync(join(folder, "long.md"), long);
    expect(JSON.parse((await audit(join(folder, "long.md"), { json: true })).out)).toMatchObject({
      citations: 1,
      left: [
        expect.stringMatching(/long\.md is longer than 1,000,000 characters, or nests too deep: the rest was not read/),
      ],
    });
  });

  test("calls an address that answers without a page gone, and a site that fails unseen; follows pages that send on", async () => {
    Object.assign(answers, {
      "soft.example/page": page("Page not found", "<p>Sorry, we could not find it.</p>"),
      "parked.example/page": page("parked.example", "<p>This domain is for sale. Buy this domain today.</p>"),
      "broken.example/page": page("Oops", "<p>Something went wrong on our side.</p>"),
      "built.example/old": {
        body: '<!doctype html><title>Redirect</title><meta http-equiv="refresh" content="0; url=/new"><a href="/new">new</a>',
      },
      "built.example/new": page("New", prose("new place")),
    });
    const of = ["soft.example/page", "parked.example/page", "broken.example/page", "built.example/old"];
    const findings = await findingsIn("dead.md", `# Dead\n\n${of.map((one) => `- http://${one}`).join("\n")}\n`);
    expect(findings.map(({ kind, address, says, evidence }) => [kind, address, says, evidence])).toEqual([
      ["gone", "http://soft.example/page", expect.stringContaining("does not exist"), expect.any(String)],
      ["gone", "http://parked.example/page", expect.stringContaining("does not exist"), expect.any(String)],
      ["moved", "http://built.example/old", "has moved for good", "http://built.example/new"],
      ["unseen", "http://broken.example/page", "answers with an error page", "an error page"],
    ]);
  });

  test("reports nothing about pictures, recordings and archives that are there, however large", async () => {
    const large = "x".repeat(11_000_000);
    Object.assign(answers, {
      "figure.example/by-name.png": { type: "image/png", body: "\u0089PNG" },
      "figure.example/figure": { type: "image/png", body: "\u0089PNG" },
      "figure.example/download": { type: "application/zip", body: "PK" },
      "figure.example/film.mp4": { type: "video/mp4", body: large },
    });
    const of = ["by-name.png", "figure", "download", "film.mp4", "none.png"].map(
      (one) => `http://figure.example/${one}`,
    );
    const findings = await findingsIn("files.md", `# Files\n\n${of.map((one) => `- ${one}`).join("\n")}\n`);
    expect(findings.map(({ kind, address }) => [kind, address])).toEqual([["gone", "http://figure.example/none.png"]]);
  });

  describe("with few hosts and no network", () => {
    const failing =
      (code: string): LookupFunction =>
      (_, __, done) =>
        done(Object.assign(new Error(code), { code }), "", 4);
    const proxy = { HTTPS_PROXY: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:1" };
    const untrusted = Object.assign(new Error("x"), { code: "SELF_SIGNED_CERT_IN_CHAIN" });
    test.each<readonly [string, Partial<Settings["fetch"]>, string]>([
      ["no resolver", { lookup: failing("EAI_AGAIN") }, "the host name did not resolve: no resolver answered"],
      ["a resolver that knows no name", { lookup: failing("ENOTFOUND") }, "the host name did not resolve"],
      ["a proxy that is down", { proxy }, "no connection: the proxy cannot be reached"],
      [
        "a proxy with its own certificate",
        { lookup: (_, __, done) => done(untrusted, "", 4) },
        "TLS failed: the certificate is of an authority that is not known",
      ],
    ])("reports the cause, and calls nothing gone: %s", async (_, network, cause) => {
      for (const hosts of [1, 2]) {
        const of = ["fine.example/guide", "quote.example/terms"].slice(0, hosts);
        writeFileSync(join(folder, "few.md"), `# Few\n\n${of.map((one) => `- http://${one}`).join("\n")}\n`);
        const offline = { origin: undefined, ...network };
        const { code, out } = await audit(join(folder, "few.md"), { json: true }, offline);
        expect(code).toBe(3);
        const { findings, left } = JSON.parse(out) as { findings: Told[]; left: string[] };
        expect(findings.map(({ kind, evidence }) => [kind, evidence])).toEqual(of.map(() => ["unseen", cause]));
        const silent = hosts === 1 ? "The only host" : "2 of 2 hosts";
        expect(left[0]).toBe(
          `${silent} gave no response: ${cause}. Check the network and the proxy of this machine, then try again.`,
        );
      }
    });
  });

  test("takes silence of most hosts for an outage of ours", async () => {
    const { code, out } = await audit(
      join(folder, "report.md"),
      { json: true },
      { origin: () => "http://127.0.0.1:1" },
    );
    expect(code).toBe(3);
    expect(new Set((JSON.parse(out).findings as Told[]).map(({ kind }) => kind))).toEqual(new Set(["unseen"]));
    const said = await audit(join(folder, "report.md"), {}, { origin: () => "http://127.0.0.1:1" });
    expect(said.out).toMatch(/^(\d+) of \1 hosts gave no response: no connection: refused\. [^\n]*$/);
    await expect(audit("http://report.example/", {}, { origin: () => "http://127.0.0.1:1" })).rejects.toThrow(
      Unreachable,
    );
  });
});
