import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { type AuditOptions, auditCommand } from "../../../../src/faces/cli/audit/index.ts";
import { checkCommand } from "../../../../src/faces/cli/check.ts";
import { initCommand } from "../../../../src/faces/cli/init/index.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { linesOut } from "../../../support/lines-out.ts";
import { work, works } from "../../../support/works.ts";
import { type Answer, json, type LocalWeb, openWeb } from "../add/web.ts";

/** Registries of works on this machine, and reports that cite their works rightly and wrongly. */

const feed = (entry: string) => ({
  type: "application/atom+xml",
  body: `<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>`,
});
const preprint = `<entry><id>http://arxiv.org/abs/2301.00005v1</id><published>2023-01-01T00:00:00Z</published>
  <title>Learning to steer a kite from its own noise</title><author><name>Golden Raven</name></author>
  <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.5555/kite.5</arxiv:doi></entry>`;
const raw = `<OAI-PMH><GetRecord><record><metadata><arXivRaw><id>2301.00005</id><version version="v1"><date>Sun, 01 Jan 2023 00:00:00 GMT</date></version><title>T</title><abstract>${"Of kites and more. ".repeat(60)}</abstract></arXivRaw></metadata></record></GetRecord></OAI-PMH>`;

function registry(address: string): Answer | undefined {
  const { host, pathname, searchParams } = new URL(`http://${address}`);
  const doi = decodeURIComponent(pathname).replace(/^.*?(?=10\.)/, "");
  const many = Number(/^10\.5555\/list\.(\d+)$/.exec(doi)?.[1] ?? 99);
  const one = many < 40 ? listed(many) : works.find(({ DOI }) => DOI === doi);
  if (host === "api.crossref.org") {
    if (pathname.startsWith("/v1/works/")) return one && json({ message: one });
    if (pathname === "/journals") return json({ message: { items: [{ title: "Journal of Kites" }] } });
    const words = searchParams.get("query.bibliographic") ?? "";
    const nearest = Array.from({ length: 40 }, (_, i) => listed(i)).filter(({ title }) =>
      words.includes(title[0] ?? ""),
    );
    return json({ message: { items: [...works, ...nearest] } });
  }
  if (host === "api.openalex.org") return json({ results: [] });
  if (host === "doi.org") return { ...json({ responseCode: 100 }), status: 404 };
  if (host === "oaipmh.arxiv.org") return { type: "text/xml", body: raw };
  if (host === "export.arxiv.org") return feed(searchParams.has("id_list") ? preprint : "");
  return undefined;
}

/** The entry of this number in a file of forty: in the report a tenth has another author, a tenth the identifier of another work. */
function listed(i: number) {
  const words = ["amber", "birch", "cobalt", "delta", "ember", "fjord", "garnet", "harbor", "indigo", "jasper"];
  const title = `Measured drag of ${words[i % 10]} kites at ${words[Math.floor(i / 10)]} heights in winter storms`;
  return work(
    `10.5555/list.${i}`,
    title,
    [`Northern ${"Avocet Bittern Crane Dunlin".split(" ")[i % 4]}`],
    2010 + (i % 10),
  );
}

const folder = mkdtempSync(join(tmpdir(), "recheck-works-"));
let answers: (address: string) => Answer | undefined = registry;
let web: LocalWeb;
beforeAll(async () => {
  web = await openWeb(new Proxy({}, { get: (_, address) => answers(String(address)) }));
});
beforeEach(() => {
  answers = registry;
  web.asked.length = 0;
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

function terminal() {
  const { out: terminal, lines } = linesOut();
  return { lines, out: terminal };
}

const settingsIn = (config: string, changed: Partial<Settings["fetch"]> = {}): Settings => ({
  config,
  data: join(folder, "data"),
  clock: { now: () => Date.UTC(2026, 10, 26) },
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0, ...changed },
});

async function audit(name: string, text: string, options: AuditOptions = {}, changed: Partial<Settings["fetch"]> = {}) {
  writeFileSync(join(folder, name), text);
  const { lines, out } = terminal();
  const code = await auditCommand([join(folder, name)], settingsIn(folder, changed), options, out);
  return { code, out: lines.join("\n") };
}

interface Said {
  readonly left: readonly string[];
  readonly findings: readonly { kind: string; line: number; evidence: string; todo: string; also: unknown[] }[];
}

async function findings(name: string, text: string): Promise<Said> {
  return JSON.parse((await audit(name, text, { json: true })).out);
}

const report = `# Kites

They fly.

## References

1. Osprey, A., & Linnet, B. (2018). The lift of tethered kites in steady wind. *Journal of Kites*. https://doi.org/10.5555/kite.1
2. Osprey, A., & Linnet, B. (2018). The lift of tethered kites in steady wind. *Journal of Kites*. https://doi.org/10.5555/kite.2
3. Moorhen, C. (2012). Sails of woven paper after forty winters. *Journal of Kites*. https://doi.org/10.5555/kite.3
4. Hoopoe, I. (2019). A theory of knots that untie themselves in fog. *Journal of Kites*. https://doi.org/10.5555/kite.404
5. Raven, G. (2023). Learning to steer a kite from its own noise. arXiv:2301.00005
6. Bunting, F. (2016). Long flights of small kites over the sea. *Journal of Kites*. https://doi.org/10.5555/kite.4
`;

const bib = Array.from({ length: 40 }, (_, i) => {
  const { DOI, title, author, issued } = listed(i);
  const by = i % 10 === 3 ? "Zimmer, Otto" : `${author[0]?.family}, ${author[0]?.given}`;
  const doi = i % 10 === 7 ? "10.5555/kite.2" : DOI;
  return `@article{k${i}, title={${title[0]}}, author={${by}}, year={${issued["date-parts"][0]?.[0]}}, journal={Journal of Kites}, doi={${doi}}}\n`;
}).join("");

describe("the works that a report cites", () => {
  test("get one finding each, with the registry's entry and the next step", async () => {
    const { findings: found, left } = await findings("report.md", report);
    expect(found.map(({ kind, line, evidence, todo }) => ({ kind, line, evidence, todo }))).toEqual([
      {
        kind: "retracted",
        line: 12,
        evidence: "10.5555/kite.4: 10.5555/notice.4",
        todo: "say so, or cite its replacement",
      },
      {
        kind: "other-work",
        line: 8,
        evidence: "10.5555/kite.2 leads to “Knots that hold wet lines under heavy load”",
        todo: "did you mean 10.5555/kite.1?",
      },
      {
        kind: "not-found",
        line: 10,
        evidence: "10.5555/kite.404 is not registered, and a search found no such title",
        todo: "it may exist all the same: check, and cite its identifier",
      },
      {
        kind: "differs",
        line: 9,
        evidence: "its authors are Dark Petrel, Eastern Siskin",
        todo: "correct it: Petrel, Dark and Siskin, Eastern",
      },
      { kind: "published", line: 11, evidence: "10.5555/kite.5", todo: "cite 10.5555/kite.5" },
    ]);
    expect(left).toEqual([]);
    const records = web.asked.filter((address) => address.startsWith("api.crossref.org/v1/works/"));
    expect(records.length).toBe(new Set(records).size);
  });

  test("are in every format, and --fail-on knows their kinds", async () => {
    const [html, summary] = [join(folder, "a.html"), join(folder, "a.md")];
    const { code, out } = await audit("report.md", report, { html, summary, failOn: "other-work" });
    expect(code).toBe(2);
    expect(out).toContain("→ did you mean 10.5555/kite.1?");
    expect(out).toContain("6 works checked in registries");
    for (const file of [html, summary]) {
      const written = readFileSync(file, "utf8");
      expect(written).toContain("The identifier of another work");
      expect(written).toContain("did you mean 10.5555/kite.1?");
    }
    expect((await audit("report.md", report, { failOn: "gone,moved" })).code).toBe(0);
  });

  test.each([
    ["list.bib", bib.replaceAll("\n", "\r\n"), []],
    ["lines.bib", bib.replaceAll(/, (?=\w{3,8}=)/g, ",\n  "), []],
    [
      "list.ris",
      "TY  - JOUR\nAU  - Osprey, Ash\nTI  - The lift of tethered kites in steady wind\nPY  - 2018\nDO  - 10.5555/kite.2\nER  - \n",
      [],
    ],
    [
      "list.md",
      report.replace("arXiv:2301.00005", "https://arxiv.org/abs/2301.00005"),
      ["retracted 12", "not-found 10", "differs 9"],
    ],
  ])("have the entries of %s corrected by a patch that git takes", async (name, text, left) => {
    const checkout = join(folder, `patched-${name}`);
    mkdirSync(join(checkout, "docs"), { recursive: true });
    const git = (...words: string[]) => execFileSync("git", ["-C", checkout, ...words]);
    git("init", "--quiet");
    const patch = join(folder, "a.patch");
    const { out } = await audit(`patched-${name}/docs/${name}`, text, { patch });
    expect(out).toMatch(/^ {4}\+ .*\b10\.5555\/(?:list\.7|kite\.1)\b/m);
    git("apply", patch);
    const corrected = readFileSync(join(checkout, "docs", name), "utf8");
    const { findings: rest } = await findings(name, corrected);
    expect(rest.map(({ kind, line }) => `${kind} ${line}`)).toEqual(left);
  });

  test("are checked entry by entry in a bibliography", async () => {
    const { findings: found } = await findings("refs.bib", bib);
    expect(found.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      ...[8, 18, 28, 38].map((line) => `other-work ${line}`),
      ...[4, 14, 24, 34].map((line) => `differs ${line}`),
    ]);
    expect(found[0]).toMatchObject({ todo: "did you mean 10.5555/list.7?" });
    expect(web.asked.length).toBeLessThan(2.5 * 40);
  });

  test.each([
    ["below a heading", "## References\n\n- Sails of woven paper after forty winters, Moorhen 2012\n"],
    ["below a line of plain text", "References\n\n- Sails of woven paper after forty winters, Moorhen 2012\n"],
    [
      "in a known style",
      "It said:\n\n1. Moorhen, C. (2012). Sails of woven paper after forty winters. *Journal of Kites*.\n",
    ],
  ])("are searched for without an identifier %s", async (_, text) => {
    await findings("listed.md", `# Kites\n\nA [page](http://fine.example/kites).\n\n${text}`);
    expect(web.asked.filter((address) => address.includes("query.bibliographic")).length).toBe(1);
  });

  test.each([
    [
      "a sentence",
      "As everybody knows, [wet lines](https://doi.org/10.5555/kite.2) break under loads that dry ones hold.",
    ],
    ["an item", "- Sailors say that paper outlasts cotton if it is woven by hand: https://doi.org/10.5555/kite.3"],
    [
      "a table of products",
      "| kite | maker | year | paper |\n| --- | --- | --- | --- |\n| Albatross of spring steel | Wide Sky | 2019 | https://doi.org/10.5555/kite.3 |",
    ],
  ])("are not compared with %s that merely links to them", async (_, text) => {
    expect((await findings("prose.md", `# Kites\n\n${text}\n`)).findings).toEqual([]);
    expect(web.asked.filter((address) => address.includes("query"))).toEqual([]);
  });

  test.each([
    ["an item", "- 10.5555/kite.404\n- 10.5555/kite.4"],
    ["an item with words", "- The lines of Hoopoe: 10.5555/kite.404\n- Long flights of kites, 10.5555/kite.4"],
    ["a cell", "| what | DOI |\n| --- | --- |\n| Fog | 10.5555/kite.404 |\n| Sea | 10.5555/kite.4 |"],
    ["a prefix", "- doi:10.5555/kite.404\n- DOI: 10.5555/kite.4"],
    ["a link", "- See [fog](https://doi.org/10.5555/kite.404)\n- See [sea](https://doi.org/10.5555/kite.4)"],
  ])(
    "are found by a bare DOI in %s, with its line, and a DOI that nobody registered is called that",
    async (_, text) => {
      const { findings: found } = await findings("bare.md", `# Kites\n\n${text}\n`);
      const first = text.startsWith("|") ? 5 : 3;
      expect(found.map(({ kind, line, evidence }) => `${kind} ${line} ${evidence}`)).toEqual([
        expect.stringMatching(new RegExp(`^retracted ${first + 1} `)),
        `not-found ${first} 10.5555/kite.404 is not registered`,
      ]);
    },
  );

  test("are compared in lists of titled links, if authors and year follow", async () => {
    const list = [
      "- [The lift of tethered kites in steady wind](https://doi.org/10.5555/kite.1) — Ash Osprey and Black Linnet, 2018",
      "- [Sails of woven paper after forty winters](https://doi.org/10.5555/kite.2) — Dark Petrel (2012)",
      "- [Knots that hold wet lines under heavy load](https://doi.org/10.5555/kite.2) — Inca Hoopoe (2015)",
      "- [A short read on how knots hold](https://doi.org/10.5555/kite.2) — Great Stuff, read it first",
    ];
    const { findings: found } = await findings("links.md", `# Kites\n\n${list.join("\n")}\n`);
    expect(found.map(({ kind, line, todo }) => `${kind} ${line} ${todo}`)).toEqual([
      "other-work 4 did you mean 10.5555/kite.3?",
      "differs 5 correct it: Moorhen, Common",
    ]);
  });

  test("cost nothing if a report cites pages only", async () => {
    const text = "# Kites\n\n- Kites of 2019, a [page](http://fine.example/kites) of many words on paper and string\n";
    await findings("pages.md", text);
    expect(web.asked.map((address) => address.split("/")[0])).toEqual(["fine.example"]);
  });
});

describe("the draft of a config", () => {
  test("names each work by its right identifier, and asks for each record once", async () => {
    const checkout = join(folder, "drafted");
    mkdirSync(checkout);
    const more =
      "7. Petrel, D., & Siskin, E. (2012). Sails of woven paper after forty winters. *Journal of Kites*, 3(1), 1–9.\n";
    writeFileSync(join(checkout, "report.md"), report.replace(/^3\. .*\n/m, "") + more);
    const { lines, out } = terminal();
    await initCommand(join(checkout, "report.md"), settingsIn(checkout), { dryRun: true, json: true }, out);
    const { files } = JSON.parse(lines.join("\n")) as { files: { path: string; text: string }[] };
    const drafted = files.find(({ path }) => path === "sources.yaml")?.text ?? "";
    expect([...drafted.matchAll(/10\.5555\/kite\.\d+/g)].map(([doi]) => doi)).toEqual(
      ["1", "404", "4", "3"].map((number) => `10.5555/kite.${number}`),
    );
    const records = web.asked.filter((address) => address.startsWith("api.crossref.org/v1/works/"));
    expect(records.length).toBe(new Set(records).size);
  });
});

describe("a change of a report", () => {
  const checkout = join(folder, "checkout");
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", checkout, "-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);
  const said = async (name: string) => {
    const { lines, out } = terminal();
    await checkCommand(join(checkout, name), settingsIn(checkout), { since: "HEAD", json: true }, out);
    return JSON.parse(lines.join("\n")) as { findings: { line: number; message: string }[]; unread: unknown[] };
  };
  const begin = (name: string, text: string) => {
    rmSync(checkout, { recursive: true, force: true });
    mkdirSync(checkout);
    git("init", "--quiet");
    writeFileSync(join(checkout, name), text);
    git("add", "-A");
    git("commit", "--quiet", "-m", "Begin");
  };

  test("is checked in its new and edited entries only", async () => {
    begin("report.md", report);
    const moved = report.replace("They fly.", "They fly.\n\nSome do not.").replace("kite.404", "kite.405");
    writeFileSync(join(checkout, "report.md"), moved);
    const { findings: found } = await said("report.md");
    expect(found.map(({ line, message }) => `${line} ${message}`)).toEqual([
      expect.stringMatching(/^12 .*10\.5555\/kite\.405.* is not registered/),
    ]);
    expect(web.asked.filter((address) => address.includes("kite.1"))).toEqual([]);
  });

  test("is checked in a bibliography that it touches", async () => {
    begin("refs.bib", bib);
    writeFileSync(join(checkout, "refs.bib"), bib.replace("10.5555/list.0}", "10.5555/kite.2}"));
    const { findings: found } = await said("refs.bib");
    expect(found.map(({ line, message }) => `${line} ${message}`)).toEqual([
      expect.stringMatching(
        /^1 .*leads to “Knots that hold wet lines under heavy load”.*Did you mean 10\.5555\/list\.0\?/,
      ),
    ]);
  });

  test("names the works that a registry did not answer for", async () => {
    begin("refs.bib", bib);
    writeFileSync(join(checkout, "refs.bib"), bib.replace("10.5555/list.0}", "10.5555/kite.2}"));
    answers = (address) => (address.startsWith("api.crossref.org") ? { status: 503 } : registry(address));
    const { findings: found, unread } = await said("refs.bib");
    expect(found).toEqual([]);
    expect(unread).toContainEqual({ address: "10.5555/kite.2", because: "a registry did not answer" });
  });
});

describe("a registry that fails", () => {
  const faults: Readonly<Record<string, Answer>> = {
    "an error": { status: 500 },
    "too many requests": { status: 429 },
    forbidden: { status: 403 },
    "a page of HTML": { body: "<title>Sorry</title>" },
    "an empty answer": { type: "application/json", body: "" },
    "another JSON": json({ message: "later" }),
    "an error with status 200": json({ error: "later", message: { items: [] } }),
  };
  const allowed = new Set(["retracted 12", "other-work 8", "not-found 10", "differs 9", "published 11"]);
  const hosts = ["api.crossref.org", "api.openalex.org", "api.datacite.org", "doi.org", "export.arxiv.org"];

  test.each(Object.entries(faults))("with %s accuses nobody else", async (_, fault) => {
    for (const host of hosts) {
      answers = (address) => (address.startsWith(host) ? fault : registry(address));
      const { findings: found, left } = await findings("report.md", report);
      const kinds = found.filter(({ kind }) => kind !== "unseen" && kind !== "gone");
      expect(kinds.map(({ kind, line }) => `${kind} ${line}`).filter((one) => !allowed.has(one))).toEqual([]);
      if (host === "api.crossref.org") expect(left.join()).toMatch(/not checked: a registry did not answer/);
    }
  });

  test("or the time that is over, leaves works unchecked, and says so", async () => {
    const { out } = await audit("refs.bib", bib, { minutes: "0.02" }, { pause: 200 });
    expect(out).toMatch(
      /Registries were asked about \d+ of 40 works, then the time was over\. --minutes 10 gives more\./,
    );
    expect(out).not.toContain("Not found in the registries");
  });
});

describe("a folder for the store", () => {
  const data = join(folder, "remembered");
  const run = async (text: string, minutes: string, pause: number) => {
    web.asked.length = 0;
    writeFileSync(join(folder, "refs.bib"), text);
    const { lines, out } = terminal();
    await auditCommand([join(folder, "refs.bib")], { ...settingsIn(folder, { pause }), data }, { minutes }, out);
    const asked = web.asked.filter((address) => /query\.bibliographic|openalex|handles|id_list/.test(address));
    return { asked, out: lines.join("\n") };
  };
  const searched = bib.replaceAll(/, doi=\{[^}]+\}/g, "");

  test("keeps the answers of registries: the next run asks nothing again", async () => {
    mkdirSync(data);
    expect((await run(bib, "1", 0)).asked.length).toBeGreaterThan(3);
    const again = await run(bib, "1", 0);
    expect(again.asked).toEqual([]);
    expect(again.out).toContain("40 works checked in registries (answers up to 1 day old)");
  });

  test("stays empty with --dry-run", async () => {
    const empty = join(folder, "empty");
    mkdirSync(empty);
    writeFileSync(join(folder, "report.md"), report);
    const { out } = terminal();
    await initCommand(join(folder, "report.md"), { ...settingsIn(folder), data: empty }, { dryRun: true }, out);
    expect(readdirSync(empty)).toEqual([]);
  });

  test("lets the next run continue with the rest", async () => {
    const first = await run(searched, "0.02", 200);
    const reached = Number(
      /Registries were asked about (\d+) of 40 works; the next run asks about the rest\./.exec(first.out)?.[1],
    );
    expect(reached).toBeLessThan(40);
    const second = await run(searched, "1", 0);
    expect(second.out).not.toContain("the next run");
    // Those that were under way at the end are asked again.
    expect(second.asked.filter((address) => first.asked.includes(address)).length).toBeLessThanOrEqual(8);
  });
});
