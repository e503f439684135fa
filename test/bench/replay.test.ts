import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpusWeb, readSnippets } from "../../bench/corpus-web.ts";
import { loadConfig } from "../../src/wire/config.ts";
import { atom, begin, docsOf, hour, releases } from "../faces/cli/past.ts";
import { program } from "../support/program.ts";

/** The command, on a folder of four documents written for it. */

const docs = "https://docs.pytorch.org/guide.html";
const filler = Array.from(
  { length: 12 },
  (_, i) => `<p>Paragraph ${i} tells at some length what the guide is for.</p>`,
);
const page = (text: string, build: number) =>
  `<html lang="en"><head><title>Guide</title><link rel="stylesheet" href="a.css?v=${build}"></head><body><main><h1>Guide</h1><h2>Memory</h2><p>${text}</p>${filler.join("")}</main><footer>Built ${build}</footer></body></html>`;
const [one, two, three, four] = [
  ["v1.0.0", -90],
  ["v1.1.0", 2],
  ["v1.2.0-rc1", 4],
  ["v1.2.0", 9],
] as const;

const past: Record<string, { url: string; said: [hours: number, body: string, status?: number][] }> = {
  guide: {
    url: docs,
    said: [
      [0, page("It needs 16 GB.", 1)],
      [30, page("It needs 16 GB.", 2)],
      [60, page("It needs 24 GB.", 3)],
      [62, page("It needs 16 GB.", 4)],
      [90, page("It needs 32 GB.", 5)],
      [93, page("It needs 32 GB.", 6)],
    ],
  },
  releases: {
    url: "https://api.github.com/repos/acme/engine/releases?per_page=5&page=1",
    said: [
      [1, releases(one)],
      [49, releases(two, one)],
      [60, releases([...two, { name: "Engine 1.1" }], one)],
      [97, releases([...three, { prerelease: true }], two, one)],
      [217, releases(four, three, two, one)],
      [240, releases(four, two, one)],
    ],
  },
  feed: {
    url: "https://github.com/acme/engine/releases.atom",
    said: [
      [1, atom(one)],
      [50, atom(two, one)],
      [97, atom(three, two, one)],
      [200, atom(["nightly", 8], three, two, one)],
      [218, atom(four, three, two)],
    ],
  },
  next: {
    url: "https://api.github.com/repos/acme/next",
    said: [
      [0, "", 404],
      [300, '{"full_name":"acme/next","private":false,"archived":false}'],
    ],
  },
  other: { url: "https://other.example/", said: [[0, "Nobody watches this."]] },
};

const sources = `
report: { title: Report, audited: 2026-05-16 }
ratings: { a: High, b: Low }
products: { engine: { name: Engine } }
sources:
  guide: { page: "${docs}" }
  releases: { github-releases: acme/engine, announces: engine }
  feed: { feed: https://github.com/acme/engine/releases.atom, announces: engine }
  next: { github-repo: acme/next, at-audit: { public: no } }
`;
const triggers = {
  engine:
    "name: Engine\nratings: [a]\non: [{ release: engine }, { fact: next, name: public, becomes: yes, awaited: true }]",
  memory: "name: Memory\nratings: [b]\non: [{ change: guide, under: Memory }, { unreviewed: 10d }]",
};
const truth = {
  events: [
    ["releases", 2, 49, "must", "engine-1.1", "engine"],
    ["feed", 2, 50, "must", "engine-1.1", "engine"],
    ["feed", 4, 200, "no"],
    ["releases", 5, 217, "must", "engine-1.2", "engine"],
    ["feed", 5, 218, "must", "engine-1.2", "engine"],
    ["guide", 5, 90, "should", undefined, "memory"],
    ["next", 2, 300, "must", "next-public", "engine"],
    ["guide", 1, 0, "no"],
  ].map(([doc, to, hours, expect, event_key, ...on]) => ({
    ...{ doc, to, expect, event_key, triggers: on, label: to === 1 ? "baseline" : "content" },
    date: new Date(begin + Number(hours) * hour).toISOString(),
  })),
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "replay-"));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [doc, { url, said }] of Object.entries(past)) {
    const revisions = said.map(([hours, body, http_status], i) => ({
      ...{ rev: i + 1, file: `revs/${i + 1}.txt`, date: new Date(begin + hours * hour).toISOString() },
      ...{
        headers: { ETag: createHash("sha256").update(body).digest("hex"), "content-length": body.length },
        http_status,
      },
    }));
    for (const [i, [, body]] of said.entries()) write(`corpus/half/docs/${doc}/revs/${i + 1}.txt`, body);
    write(`corpus/half/docs/${doc}/timeline.json`, JSON.stringify({ doc, url, revisions }));
  }
  write("corpus/half/events.json", JSON.stringify(truth));
  write(
    "corpus/noise/noise.yaml",
    'items: [{ id: x, host: docs.pytorch.org, file: x.html, insert_before: "</body>" }]\n',
  );
  write("corpus/noise/x.html", "<script>token('{{RAY}}', '{{T}}')</script>");
  write("config/sources.yaml", sources);
  for (const [id, text] of Object.entries(triggers)) write(`config/triggers/${id}.yaml`, text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...more: string[]) =>
  promisify(execFile)(process.execPath, [
    program().measure("replay"),
    "--corpus",
    join(folder, "corpus/half"),
    ...more,
  ]);

describe("replay", () => {
  test("writes what each revision caused, when it fired, and nothing else", async () => {
    const out = join(folder, "firings.jsonl");
    const { stdout, stderr } = await run("--config", join(folder, "config"), "--out", out);
    const firings = readFileSync(out, "utf8").trimEnd().split("\n");
    const at = (hours: number, minutes = 1) => new Date(begin + hours * hour + minutes * 60_000).toISOString();
    const told = firings.map((line) => JSON.parse(line));
    const event = (one: { event: string }) => one.event.replace(/ [\da-f]{16}$/, "");
    expect(told.map((one) => [one.doc, one.rev, one.at, one.trigger, event(one), one.new])).toEqual([
      ["releases", 2, at(49), "engine", "engine 1.1.0", true],
      ["feed", 2, at(50), "engine", "engine 1.1.0", false],
      ["guide", 5, at(96), "memory", "guide changed", true],
      ["releases", 5, at(217), "engine", "engine 1.2.0", true],
      ["feed", 5, at(218), "engine", "engine 1.2.0", false],
      ["next", 2, at(300), "engine", "next public yes", true],
    ]);
    expect(stdout).toBe("");
    expect(stderr).toContain("not watched: other (https://other.example/)");
    expect(stderr).toMatch(/checks 4 of 5 documents/);
    expect(stderr).toMatch(/6 firings, 1 more of time alone/);
  });

  test("shows how raw change alerts, a watcher of versions and itself compare", async () => {
    const labels = join(folder, "corpus/half/events.json");
    const { stdout } = await run("--config", join(folder, "config"), "--out", join(folder, "x"), "--truth", labels);
    const cells = stdout
      .trimEnd()
      .split("\n")
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(cells).toHaveLength(5);
    const named = Object.fromEntries(cells.map(([name, ...rest]) => [name, rest]));
    expect(named["a watcher of versions"]?.slice(2, 3)).toEqual(["2 of 4"]);
    expect(named.Recheck).toEqual([expect.any(String), "100 %", "4 of 4", "0.0", "6.0"]);
    expect(named["raw change alerts"]?.[2]).toBe("4 of 4");
    expect(Number(named["raw change alerts"]?.[0])).toBeGreaterThan(4 * Number(named.Recheck?.[0]));
  });

  test("says what a config lacks, and how it is called", async () => {
    await expect(run("--config", join(folder, "config"))).rejects.toMatchObject({ code: 1, stderr: /^usage: / });
    const wrong = join(folder, "wrong");
    mkdirSync(wrong);
    writeFileSync(join(wrong, "sources.yaml"), "report: { titel: x }\n");
    const failed = expect(run("--config", wrong, "--out", join(folder, "x"))).rejects;
    await failed.toMatchObject({ code: 1, stderr: expect.stringContaining('sources.yaml:1:11  unknown key "titel"') });
  });
});

describe("the web of a replay", () => {
  const web = (hours: number, url: string, body: string) =>
    corpusWeb(
      docsOf({ doc: { url, said: [[1, body]] } }),
      { now: () => begin + hours * hour },
      readSnippets(join(folder, "corpus/half")),
    );
  const served = async (hours: number, url: string, body: string, asked = url) => {
    const fetched = await web(hours, url, body).get({ url: asked }, {});
    return fetched.kind === "response" ? Buffer.from(fetched.response.body).toString() : fetched.kind;
  };

  test("adds to a page of the host what it adds, with new tokens at each request", async () => {
    const first = await served(2, docs, "<body>x</body>");
    expect(first).toMatch(/^<body>x<script>token\('[\da-f]{16}', '[\w+/=]+'\)<\/script>\s*<\/body>$/);
    expect(await served(2, docs, "<body>x</body>")).not.toBe(first);
    expect(await served(2, "https://pytorch.org/", "<body>x</body>")).toBe("<body>x</body>");
  });

  test("answers GitHub's API by path and the query's meaning, all else by its exact address", async () => {
    const api = "https://api.github.com/repos/acme/engine/commits?path=src/mps&per_page=30";
    expect(await served(2, api, "[]", "https://api.github.com/repos/ACME/engine/commits?sha=main&path=src%2Fmps")).toBe(
      "[]",
    );
    await expect(served(2, api, "[]", "https://api.github.com/repos/acme/engine/commits?path=src")).rejects.toThrow(
      "404",
    );
    await expect(served(2, "https://a.example/x?b=1", "x", "https://a.example/x")).rejects.toThrow("404");
    await expect(served(0, "https://a.example/x", "x")).rejects.toThrow("404");
  });
});

describe("the config of the measure", () => {
  test("has the report's own triggers", () => {
    expect(realpathSync("test/bench/replay/triggers")).toBe(realpathSync("triggers"));
  });

  test("shows the entries that are in both lists alike", async () => {
    const [shipped, measured] = [await loadConfig("."), await loadConfig("test/bench/replay")];
    const common = [...measured.sources.values()].filter(({ id }) => shipped.sources.has(id));
    expect(common.length).toBeGreaterThan(50);
    for (const { id, kind, address, options, announces, atAudit, confirm, claims } of common) {
      const other = shipped.sources.get(id);
      if (id === "tpu-runtimes") continue;
      expect({ id, kind, address, atAudit, confirm }).toEqual({
        ...{ id, kind: other?.kind, address: other?.address },
        ...{ atAudit: other?.atAudit, confirm: other?.confirm },
      });
      if (other?.options.versions !== undefined || options.versions === undefined)
        expect(options).toEqual(other?.options);
      if (id !== "xla-readme") expect(announces).toEqual(other?.announces);
      for (const { id, proof, ratings, until } of claims) {
        const same = other?.claims.find((claim) => claim.id === id);
        expect({ proof, ratings, until }).toEqual({ proof: same?.proof, ratings: same?.ratings, until: same?.until });
      }
    }
    for (const [id, product] of measured.products) expect(product).toEqual(shipped.products.get(id));
    for (const [id, { level }] of measured.ratings) expect(level).toBe(shipped.ratings.get(id)?.level);
    expect(measured.report).toEqual(shipped.report);
  });
});
