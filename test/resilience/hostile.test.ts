import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { start } from "../support/child.ts";
import { expectTime } from "../support/expect-time.ts";
import { program } from "../support/program.ts";

/** What strangers may serve, each beside twenty pages as they are, through the command as people run it. */

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Page {
  readonly type: string;
  readonly text: string;
  /** Behind its address in `sources.yaml`. */
  readonly config?: string;
}

const folder = mkdtempSync(join(tmpdir(), "recheck-hostile-"));
closing.push(() => rmSync(folder, { recursive: true }));

/** Serves a page at a host of its own, compressed. */
async function served({ type, text }: Page): Promise<string> {
  const body = gzipSync(text, { level: 9 });
  const server = createServer(({ url }, response) => {
    if (url === "/robots.txt") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const html = (main: string) => `<!doctype html><title>A page</title><main><h1>A page</h1>${main}</main>`;
const paragraphs = (count: number, words: string) =>
  Array.from({ length: count }, (_, i) => `<p>${`${words} in part ${i}, and so on. `.repeat(8)}</p>`).join("\n");

const kinds: Readonly<Record<string, string>> = { "text/html": "page", "text/markdown": "text", "text/x-rst": "text" };
const quotes = Array.from(
  { length: 400 },
  (_, i) => `c${i}: { says: So it is, quote: "the slow brown kites have jumped over ${i} lazy dogs which were there" }`,
);

const hostile: Readonly<Record<string, Page>> = {
  "claims to be looked for in 3 MB of words much like theirs": {
    type: "text/html",
    text: html(paragraphs(5_000, "the quick brown kites jump over lazy dogs which are there")),
    config: `, claims: { ${quotes.join(", ")} }`,
  },
  "a table that says its header again in each of 20,000 rows": {
    type: "text/html",
    text: html(`<table><tr>${"<th>a header</th>".repeat(2_000)}</tr>${"<tr><td>a</td></tr>".repeat(20_000)}</table>`),
  },
  "headings nested 30,000 deep": {
    type: "text/html",
    text: html(
      Array.from({ length: 30_000 }, (_, i) => `<h2 role="heading" aria-level="${i + 1}">Part ${i} of it</h2>`).join(
        "",
      ),
    ),
  },
  "directives nested 20,000 deep": { type: "text/markdown", text: `# A text\n\n${":::{note}\n".repeat(20_000)}so` },
  "substitutions of substitutions": {
    type: "text/x-rst",
    text: `A text\n======\n\n${Array.from({ length: 800 }, (_, i) => `.. |s${i}| replace:: ${"x".repeat(900)} |s${i + 1}| |s${i + 1}|\n`).join("")}\n|s0|\n`,
  },
};

describe("hostile content costs one check and nothing else", () => {
  let told: Awaited<ReturnType<typeof run>>;
  const names = Object.keys(hostile);

  beforeAll(async () => {
    const sources: string[] = [];
    for (const [i, page] of Object.values(hostile).entries())
      sources.push(`  hostile-${i}: { ${kinds[page.type]}: "${await served(page)}"${page.config ?? ""} }`);
    for (let i = 0; i < 20; i++)
      sources.push(
        `  kind-${i}: { page: "${await served({ type: "text/html", text: html(paragraphs(9, `fact ${i}`)) })}" }`,
      );
    const report = "report: { title: A report, audited: 2026-05-16 }";
    writeFileSync(join(folder, "sources.yaml"), `${report}\nsources:\n${sources.join("\n")}\n`);
    told = await run(folder, ["scan", "--json"], slowThreads);
  });

  const checkAt = (id: string) =>
    JSON.parse(told.out).scan.checks.find(({ source }: { source: string }) => source === id);

  test("every other source is checked", () => {
    const kind = JSON.parse(told.out).scan.checks.filter(({ source }: { source: string }) =>
      source.startsWith("kind-"),
    );
    expect(kind).toHaveLength(20);
    expect(kind.map(({ outcome }: { outcome: string }) => outcome)).toEqual(kind.map(() => "first"));
  });

  test.each(names.map((name, i) => [name, `hostile-${i}`]))("%s: read, or unknown with its reason", (_, id) => {
    const { outcome, failure } = checkAt(id);
    if (outcome === "first") return;
    expect(outcome).toBe("unknown");
    expect(failure.kind).toMatch(/^(?:processor|memory|too-large|too-many|malformed)$/);
  });

  test("a page that takes more than 5 s of the processor says so, and is no outage", () => {
    expect(checkAt("hostile-0")).toMatchObject({
      outcome: "unknown",
      failure: { kind: "processor", says: "reading it took more than 5 s of processor time" },
    });
    expect(JSON.parse(told.out).scan.outage).toBe(false);
  });

  test("nothing of it is on the thread that asks, listens and writes", () => {
    expect(told.longest).toBeGreaterThan(0);
    expectTime(told.longest, 100);
  });
});

const named = async (name: string, main: string) =>
  (await served({ type: "text/html", text: html(main) })).replace("127.0.0.1", `${name}.example`);

const slowThreads = `--import ${new URL("./slow-threads.child.ts", import.meta.url)}`;

async function run(folder: string, words: readonly string[], options = "") {
  const { main, environment } = program();
  const env = {
    ...{ ...environment, PROGRAM: main, NODE_OPTIONS: options },
    ...{ RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8", RECHECK_ARCHIVE: "none" },
  };
  const told = await start("test/resilience/longest-turn.child.ts", words, env, folder).ended;
  const [, longest] = /longest turn (\d+) ms/.exec(told.err) ?? [];
  return { ...told, longest: Number(longest) };
}

describe("a report at an address is gone through apart from the thread that asks", () => {
  const folders = ["first", "own"].map((name) => mkdtempSync(join(tmpdir(), `recheck-hostile-report-${name}-`)));
  const [first = "", own = ""] = folders;
  for (const folder of folders) closing.push(() => rmSync(folder, { recursive: true }));

  test.each([
    ["init", "makers.example"],
    ["audit", "1 citation, 1 read"],
  ])("by `%s`", async (command, said) => {
    const cited = await named("makers", paragraphs(9, "so"));
    const parts = Array.from({ length: 4_000 }, (_, i) => `## Part ${i}\n\n${`The kite ${i} *flies* so. `.repeat(30)}`);
    const text = `# Kites\n\nIt flies ([the makers](${cited})).\n\n${parts.join("\n\n")}\n`;
    const address = await served({ type: "text/markdown", text });
    // The first time the engine compiles what the command loads: that is the program's own time.
    await run(first, [command, await served({ type: "text/markdown", text: text.slice(0, 200) }), "--json"]);
    const { code, out, err, longest } = await run(own, [command, address, "--json"]);
    expect(err).not.toContain("Error");
    expect(code, err).toBe(0);
    expect(out).toContain(said);
    expect(longest).toBeGreaterThan(0);
    expectTime(longest, 100);
  });
});

describe("a page that is made slow to prove costs its own claims", () => {
  const names =
    "Alder Birch Cedar Elder Fir Gum Hazel Ivy Juniper Kapok Larch Maple Oak Poplar Quince Rowan Spruce Teak";
  const slow = (weight: number) => `The kite ${names} weighs ${weight} kg`;
  const honest = (i: number) => `The kite of part ${i} weighs ${i + 3} kg in all.`;
  let address: { slow: string; honest: string[] };
  let report: string;

  beforeAll(async () => {
    const alike = Array.from({ length: 1_990 }, (_, i) => `<p>${slow(i + 5_000)} with its tail.</p>`).join("");
    address = { slow: await named("slow", alike), honest: [] };
    for (let i = 0; i < 3; i++)
      address.honest.push(await named(`part-${i}`, `<p>${honest(i)}</p>${paragraphs(9, "so")}`));
    const says = [
      ...Array.from({ length: 400 }, (_, i) => `${slow(i + 30.5)} ([the makers](${address.slow})).`),
      ...address.honest.map((at, i) => `${honest(i).slice(0, -1)} ([part ${i}](${at})).`),
    ];
    report = `# Kites\n\n| Kite | Weight |\n|-|-|\n| [Part](${address.honest[0]}) | high |\n| [Slow](${address.slow}) | low |\n\n${says.join("\n\n")}\n`;
  });

  function holds(answer: { beyond: unknown[]; claims: { source: string }[] }, longest: number): void {
    expect(answer.beyond).toEqual([
      { source: expect.any(String), says: "reading it took more than 5 s of processor time" },
    ]);
    expect(answer.claims.map(({ source }) => source)).toEqual(["part", "part-1", "part-2"]);
    expect(longest).toBeGreaterThan(0);
    expectTime(longest, 100);
  }

  test("at `init`, and at `claims` beside its config", async () => {
    const own = mkdtempSync(join(tmpdir(), "recheck-hostile-claims-"));
    closing.push(() => rmSync(own, { recursive: true }));
    writeFileSync(join(own, "report.md"), report);
    const drafted = await run(own, ["init", "report.md", "--json"], slowThreads);
    expect(drafted.err).not.toContain("Error");
    holds(JSON.parse(drafted.out).claims, drafted.longest);
    const sources = readFileSync(join(own, "sources.yaml"), "utf8").replace(/^ +claims:\n(?: {6,}.*\n)+/gm, "");
    writeFileSync(join(own, "sources.yaml"), sources);
    const proposed = await run(own, ["claims", "report.md", "--json"], slowThreads);
    holds(JSON.parse(proposed.out), proposed.longest);
  });
});
