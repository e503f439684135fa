import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { auditCommand } from "../../src/faces/cli/audit/index.ts";
import { initCommand } from "../../src/faces/cli/init/index.ts";
import { scanCommand } from "../../src/faces/cli/scan.ts";
import { statusCommand } from "../../src/faces/cli/status.ts";
import { publish } from "../../src/publish/index.ts";
import { placesIn } from "../../src/recheck/correct.ts";
import { messagesDue } from "../../src/status/messages/plan.ts";
import { editionFrom } from "../../src/wire/program.ts";
import type { Settings } from "../../src/wire/settings.ts";
import { type Answer, atom, json, type LocalWeb, openWeb, page, prose } from "../faces/cli/add/web.ts";
import { endInstance, issuesOf, type LocalIssue, startInstanceWith } from "../support/instance.ts";
import { linesOut } from "../support/lines-out.ts";
import { works } from "../support/works.ts";

/** A report of which eight things are out of date, and all who say so. */

const at = Date.UTC(2026, 10, 20);

const report = `# State of Gauges

Last audited: 2026-06-01.

| Gauge | Price | Limits | Health |
|---|---|---|---|
| Tidewell | Low [1] | High [2] | Medium |
| Oxbow | High | Medium [3] | Low [4] |

The Tidewell Team plan costs $29 per month [1]. Tidewell keeps 10 million series in one instance [2].
An Oxbow server needs 16 GB of memory [3]. Oxbow is maintained by one company [4].

Its client for browsers is a package [5], and its plotting tool is in wide use [6]. The old guide [7] and
the tour [8] explain the rest.

## References

1. Tidewell pricing. https://tidewell.example/pricing
2. Tidewell limits. https://tidewell.example/limits
3. Oxbow system requirements. https://oxbow.example/requirements
4. Oxbow repository. https://github.com/oxbow/oxbow
5. Oxbow client. https://www.npmjs.com/package/oxbow-client
6. Oxbow plot. https://github.com/oxbow/plot
7. Oxbow guide. https://oxbow.example/guide
8. Tidewell tour. https://tidewell.example/tour
`;

const repo = (name: string, more: object = {}) =>
  json({ private: false, archived: false, full_name: name, pushed_at: "2026-11-01T00:00:00Z", ...more });

const answers = {
  "tidewell.example/pricing": page(
    "Tidewell pricing",
    "",
    `<h1>Tidewell pricing</h1><p>The Team plan costs $39 per month.</p>${prose("tides", 14)}`,
  ),
  "tidewell.example/limits": page(
    "Tidewell limits",
    "",
    `<h1>Limits</h1><p>Tidewell keeps 5 million series in one instance.</p>${prose("limits", 14)}`,
  ),
  "oxbow.example/requirements": page(
    "Oxbow requirements",
    "",
    `<h1>System requirements</h1><p>An Oxbow server needs 32 GB of memory.</p>${prose("servers", 14)}`,
  ),
  "api.github.com/repos/oxbow/oxbow/releases?per_page=30": json([]),
  "api.github.com/repos/oxbow/plot/releases?per_page=30": json([]),
  "github.com/oxbow/oxbow/releases.atom": atom("Releases", []),
  "github.com/oxbow/plot/releases.atom": atom("Releases", []),
  "api.github.com/repos/oxbow/oxbow": repo("oxbow/oxbow", { archived: true }),
  "api.github.com/repos/oxbow/plot": repo("oxbow/plot", { pushed_at: "2023-05-01T00:00:00Z" }),
  "registry.npmjs.org/oxbow-client": json({
    name: "oxbow-client",
    "dist-tags": { latest: "2.0.0" },
    versions: { "2.0.0": { deprecated: "use oxbow" } },
    time: { "2.0.0": "2025-05-01T00:00:00Z" },
  }),
};

/** The eight, worst first, as everybody calls them. */
const eight = [
  ["Tidewell pricing [1]", "$39"],
  ["Tidewell limits [2]", "5 million"],
  ["Oxbow system requirements [3]", "32 GB"],
  ["Oxbow guide [7]", "was not found"],
  ["Tidewell tour [8]", "was not found"],
  ["Oxbow repository [4]", "is archived"],
  ["Oxbow client [5]", "is deprecated"],
  ["Oxbow plot [6]", "has been silent for 3 years"],
] as const;
/** The line of each in the report: that of the sentence, or that of the reference. */
const lines = [10, 10, 11, 24, 25, 21, 22, 23];
const linesIn = (text: string) => [...text.matchAll(/README\.md:(\d+)/g)].map(([, line]) => Number(line));
const leads = "8 things in this report are out of date";

/** Expects that a text leads with all, in this order, each with what is so now. */
function leadsWithAll(text: string, all: readonly (readonly [name: string, says: string])[] = eight): void {
  const plain = text.replace(/\\(?=[^\w\s])/g, "");
  let at = plain.indexOf(`${all === eight ? 8 : each.length} things in this report are out of date`);
  expect(at, text).toBeGreaterThanOrEqual(0);
  for (const [name, says] of all) {
    const next = plain.indexOf(name, at);
    expect(next, `${name} in ${text}`).toBeGreaterThan(at);
    expect(plain.slice(next, next + 250)).toContain(says);
    at = next;
  }
}

const newer = atom("Oxbow news", [{ title: "Oxbow 5 is out", url: "https://oxbow.example/news/5", at: "2026-08-01" }]);

let web: LocalWeb;
const folder = mkdtempSync(join(tmpdir(), "recheck-first-"));
const file = join(folder, "README.md");
beforeAll(async () => {
  web = await openWeb({ ...answers, "oxbow.example/feed.xml": newer });
  writeFileSync(file, report);
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

let now = at;
const settings = (): Settings => ({
  config: folder,
  data: join(folder, "data"),
  clock: { now: () => now },
  auth: { token: "t" },
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
});

async function said(command: (out: Parameters<typeof auditCommand>[3]) => Promise<number>): Promise<string> {
  const { out: terminal, lines } = linesOut();
  await command(terminal);
  return lines.join("\n");
}

const frontPage = (edition: Parameters<typeof publish>[0]) =>
  String(publish(edition).get("index.html"))
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#36;", "$");

test("audit, init, the first scan, status, the page and a message say the same eight in the same order, and nothing is asked twice", async () => {
  const audit = await said((out) => auditCommand([file], settings(), {}, out));
  expect(audit.split("\n")[0]).toBe(leads);
  leadsWithAll(audit);
  expect(linesIn(audit)).toEqual(lines);
  expect(audit.split("\n").at(-1)).toBe("8 citations, 6 read, 3 figures and 0 quotes compared: 8 findings");

  web.asked.length = 0;
  leadsWithAll(await said((out) => initCommand(file, settings(), {}, out)));
  expect(web.asked.length).toBe(new Set(web.asked).size);
  const scan = await said((out) => scanCommand(settings(), {}, out));
  leadsWithAll(scan);
  expect(linesIn(scan).slice(0, 8)).toEqual(lines);
  const status = await said((out) => statusCommand(settings(), {}, out));
  leadsWithAll(status);
  expect(linesIn(status).slice(0, 8)).toEqual(lines);
  expect(status).toMatch(/○ README\.md:24 oxbow-guide {2,}404, not found/);
  const edition = await editionFrom(settings());
  leadsWithAll(frontPage(edition));
  // No check saw what was before.
  expect(String(publish(edition).get("references.html"))).not.toMatch(/archived: yes|not there</);
  const inReport = placesIn({ path: "README.md", text: report }, edition.link);
  const [message, ...more] = messagesDue({ id: "team", by: "webhook", tell: ["contrary"] }, [], {
    ...edition,
    inReport,
  });
  expect([message?.message.title, more]).toEqual([leads, []]);
  const items = message?.message.sections.flatMap((one) => one.items.map(({ says }) => says)) ?? [];
  leadsWithAll([leads, ...items].join("\n"));
  const events = message?.message.sections.flatMap((one) => one.items.map(({ event }) => event?.place ?? "")) ?? [];
  expect(linesIn(events.join("\n"))).toEqual(lines);
  // What the page says now, for people who have the message alone.
  expect(message?.message.sections[0]?.items[0]?.event?.after).toContain("$39");
  expect(status).not.toMatch(/Low {4}·|High {3}·/);
  for (const days of [1, 3, 5, 8]) {
    now = at + days * 86_400_000;
    expect(await said((out) => scanCommand(settings(), {}, out))).not.toMatch(/Fired|[✗●] \[\d/);
  }
});

test("the set-up pull request, its issue and the overview say the same, and nothing is asked twice", async () => {
  const it = await startInstanceWith({ web });
  try {
    await it.serve({ "README.md": `${report}9. Oxbow news. https://oxbow.example/feed.xml\n` });
    // The archive is asked for its copies, one page at a time.
    await it.run();
    const [setUp] = await it.local.asPerson<LocalIssue[]>("GET", "/pulls?state=all");
    leadsWithAll(setUp?.body ?? "");
    expect(linesIn(setUp?.body ?? "").slice(0, 8)).toEqual(lines);
    expect(setUp?.body.split("\n").filter((line) => line !== "")[1]).toBe(`**${leads}:**`);
    expect(await issuesOf(it)).toEqual([]);

    await it.local.asPerson("PUT", `/pulls/${setUp?.number}/merge`, {});
    await it.run();
    const issues = await issuesOf(it);
    expect(issues.map(({ title }) => title)).toEqual([
      `${leads}: Tidewell pricing [1] says $39; the report says $29`,
      "Catch up: 1 event since the audit of 2026-06-01",
      "Recheck overview",
    ]);
    for (const { body } of issues) {
      leadsWithAll(body);
      expect(linesIn(body).slice(0, 8)).toEqual(lines);
    }
    for (const days of [1, 2, 3, 4]) {
      it.pass(days * 86_400_000);
      await it.run();
    }
    expect(await issuesOf(it)).toHaveLength(3);
    expect(it.log()).not.toContain('"level":50');
  } finally {
    await endInstance(it);
  }
});

/** A report of which one thing of each kind is out of date, and the registries of the works that it cites. */
const ofEachKind = `# State of Kites

Last audited: 2026-06-01.

| Kite | Lift | Price |
|---|---|---|
| Diamond | High [1] | Low [9] |
| Delta | Low [2] | High |

The Diamond costs $29 [9]. The old guide [10], the school [11], the drawing tool [12] and the notes [6] explain the rest.

## References

1. Bunting, F. (2016). Long flights of small kites over the sea. *Journal of Kites*. https://doi.org/10.5555/kite.4
2. Osprey, A., & Linnet, B. (2018). The lift of tethered kites in steady wind. *Journal of Kites*. https://doi.org/10.5555/kite.2
3. Moorhen, C. (2012). Sails of woven paper after forty winters. *Journal of Kites*. https://doi.org/10.5555/kite.3
4. Hoopoe, I. (2019). A theory of knots that untie themselves in fog. *Journal of Kites*. https://doi.org/10.5555/kite.404
5. Raven, G. (2023). Learning to steer a kite from its own noise. https://arxiv.org/abs/2301.00005
6. Shrike, H. (2022). Notes on strings. https://arxiv.org/abs/2201.00007v1
7. Oxbow reels. https://github.com/oxbow/reels
8. Oxbow lines. https://github.com/oxbow/lines
9. Diamond prices. https://oxbow.example/prices
10. Kite guide. https://oxbow.example/guide
11. Kite school. https://oxbow.example/school
12. Drawing tool. https://oxbow.example/tool
13. Plover, J. (2015). Ropes that no hand has ever twisted by moonlight. *Journal of Kites*, 4(2), 11-19.
14. Bunting, F. (2016). Long flights of small kites over the sea. *Journal of Kites*.
15. Dunlin, O. (2017). What the wind forgets about paper and glue. *Journal of Kites*, 6(1), 3-9.
`;

const entry = (id: string, title: string, by: string, doi = "") =>
  `<entry><id>http://arxiv.org/abs/${id}v1</id><published>2023-01-01T00:00:00Z</published><title>${title}</title><author><name>${by}</name></author>${doi && `<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">${doi}</arxiv:doi>`}</entry>`;
const preprints = {
  type: "application/atom+xml",
  body: `<feed xmlns="http://www.w3.org/2005/Atom">${entry("2301.00005", "Learning to steer a kite from its own noise", "Golden Raven", "10.5555/kite.5")}${entry("2201.00007", "Notes on strings", "Hooded Shrike")}</feed>`,
};
const raw = (id: string, ...versions: readonly string[]) => ({
  type: "text/xml",
  body: `<OAI-PMH><GetRecord><record><metadata><arXivRaw><id>${id}</id>${versions.map((at, i) => `<version version="v${i + 1}"><date>${at}</date></version>`).join("")}<title>T</title><abstract>${"Of kites and more. ".repeat(60)}</abstract></arXivRaw></metadata></record></GetRecord></OAI-PMH>`,
});

function answerOfKinds(address: string): Answer | undefined {
  const { host, pathname, search } = new URL(`http://${address}`);
  const first = "Sun, 01 Jan 2023 00:00:00 GMT";
  if (host === "api.crossref.org") {
    const doi = decodeURIComponent(pathname).replace(/^.*?(?=10\.)/, "");
    const one = works.find(({ DOI }) => DOI === doi);
    if (pathname.startsWith("/v1/works/")) return one && json({ message: one });
    if (pathname === "/journals") return json({ message: { items: [{ title: "Journal of Kites" }] } });
    return json({ message: { items: works } });
  }
  if (host === "api.openalex.org") return json({ results: [] });
  if (host === "doi.org") return { ...json({ responseCode: 100 }), status: 404 };
  if (host === "oaipmh.arxiv.org")
    return search.includes("2201.00007")
      ? raw("2201.00007", first, "Tue, 03 Feb 2026 00:00:00 GMT")
      : raw("2301.00005", first);
  if (host === "export.arxiv.org") return preprints;
  const others: Readonly<Record<string, Answer>> = {
    "api.github.com/repos/oxbow/reels/releases?per_page=30": json([]),
    "api.github.com/repos/oxbow/lines/releases?per_page=30": json([]),
    "github.com/oxbow/reels/releases.atom": atom("Releases", []),
    "github.com/oxbow/lines/releases.atom": atom("Releases", []),
    "api.github.com/repos/oxbow/reels": repo("oxbow/reels", { archived: true }),
    "api.github.com/repos/oxbow/lines": repo("oxbow/lines", { pushed_at: "2023-05-01T00:00:00Z" }),
    "oxbow.example/prices": page("Prices", "", `<h1>Prices</h1><p>The Diamond costs $39.</p>${prose("prices", 14)}`),
    "oxbow.example/school": { status: 301, headers: { location: "https://oxbow.example/lessons" } },
    "oxbow.example/lessons": page("Lessons", "", `<h1>Lessons</h1>${prose("lessons", 14)}`),
    "oxbow.example/tool": page("Tool", "", `<h1>Tool</h1>${prose("tool", 14)}`),
  };
  return others[address];
}

/** Worst first, as everybody calls them. */
const each = [
  ["Bunting, F. (2016). Long flights of small kites", "was retracted"],
  ["Long flights of small kites over the sea", "was retracted"],
  ["Diamond prices [9]", "$39"],
  ["Kite guide [10]", "was not found"],
  ["Oxbow reels [7]", "is archived"],
  ["The lift of tethered kites", "has the identifier of another work"],
  ["A theory of knots", "was not found"],
  ["Ropes that no hand", "was not found"],
  ["What the wind forgets", "was not found"],
  ["Sails of woven paper", "differs from its record in the registry"],
  ["Notes on strings [6]", "is of an older version"],
  ["Learning to steer a kite", "has been published since"],
  ["Kite school [11]", "has moved for good"],
  ["Oxbow lines [8]", "has been silent for 3 years"],
] as const;

test("one thing of each kind is said by all alike", async () => {
  const ofKinds = await openWeb(new Proxy({}, { get: (_, address) => answerOfKinds(String(address)) }));
  const home = mkdtempSync(join(tmpdir(), "recheck-kinds-"));
  const text = join(home, "README.md");
  writeFileSync(text, ofEachKind);
  let time = at;
  const own = (): Settings => ({
    ...settings(),
    config: home,
    data: join(home, "data"),
    clock: { now: () => time },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => ofKinds.origin, pause: 0 },
  });
  try {
    const audit = await said((out) => auditCommand([text], own(), {}, out));
    leadsWithAll(audit, each);
    for (const others of [
      await said((out) => initCommand(text, own(), {}, out)),
      await said((out) => scanCommand(own(), {}, out)),
      await said((out) => statusCommand(own(), {}, out)),
    ]) {
      leadsWithAll(others, each);
      expect(linesIn(others).slice(0, each.length)).toEqual(linesIn(audit));
    }
    const edition = await editionFrom(own());
    leadsWithAll(frontPage(edition), each);
    const inReport = placesIn({ path: "README.md", text: ofEachKind }, edition.link);
    const [sent] = messagesDue({ id: "team", by: "webhook", tell: ["contrary"] }, [], { ...edition, inReport });
    const items = sent?.message.sections.flatMap((one) => one.items.map(({ says }) => says)) ?? [];
    // A message lists twelve, the overview ten.
    leadsWithAll([sent?.message.title, ...items].join("\n"), each.slice(0, 12));
    for (const days of [1, 3, 5, 8]) {
      time = at + days * 86_400_000;
      expect(await said((out) => scanCommand(own(), {}, out))).not.toMatch(/Fired|[✗●] \[\d/);
    }
  } finally {
    await ofKinds.close();
    rmSync(home, { recursive: true });
  }
});

test("one thing of each kind is said by the set-up, its issue and the overview alike", async () => {
  const ofKinds = await openWeb(new Proxy({}, { get: (_, address) => answerOfKinds(String(address)) }));
  const it = await startInstanceWith({ web: ofKinds });
  try {
    await it.serve({ "README.md": ofEachKind });
    await it.run();
    const [setUp] = await it.local.asPerson<LocalIssue[]>("GET", "/pulls?state=all");
    leadsWithAll(setUp?.body ?? "", each);
    await it.local.asPerson("PUT", `/pulls/${setUp?.number}/merge`, {});
    await it.run();
    const issues = await issuesOf(it);
    for (const { body } of issues) leadsWithAll(body, body.includes("and 4 more") ? each.slice(0, 10) : each);
    for (const days of [1, 2, 3, 4]) {
      it.pass(days * 86_400_000);
      await it.run();
    }
    expect((await issuesOf(it)).map(({ title }) => title)).toEqual(issues.map(({ title }) => title));
    expect(it.log()).not.toContain('"level":50');
  } finally {
    await endInstance(it);
    await ofKinds.close();
  }
});
