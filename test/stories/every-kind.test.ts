import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startWeb } from "../../demo/web.ts";
import { openStore } from "../../src/adapters/store/open.ts";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import type { Reader, Sample } from "../../src/read/reader.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { draft } from "../../src/report/index.ts";
import { tryScenarios } from "../../src/watch/replay/scenario.ts";
import { Home, openWeb } from "../faces/cli/add/web.ts";
import { response, source } from "../read/given.ts";
import { configOf } from "../support/config-of.ts";

/** What a kind says of itself is all that a scenario, `add` and the demo's web need to know of it. */

const head = "report: { title: Kites, audited: 2026-05-16 }\n";
const audited = Date.UTC(2026, 4, 16);
const day = 86_400_000;

type Sampled = Reader & { readonly sample: Sample };
const sampled = [...readers.values()].filter((reader): reader is Sampled => reader.sample !== undefined);
const isService = ({ example }: Reader) => !/^https?:/.test(example);
const lists = sampled.filter(({ gives }) => gives({}).items);
const endable = sampled.filter(({ endings = [] }) => endings.length > 0);

const entry = (name: string, on: number) => ({ name, on, pre: false, draft: false });
const state = { entries: [entry("1.0.0", audited - 2 * day), entry("1.1.0", audited - day)], facts: {}, text: "One" };

function answerOf(reader: Sampled): string {
  return reader.sample.body(state, source(reader));
}

test("there are services, lists and things that end among them", () => {
  for (const some of [sampled.filter(isService), lists, endable]) expect(some.length).toBeGreaterThan(0);
});

describe.each(sampled)("a sample of $kind", (reader) => {
  test("is read as what was told of it", async () => {
    const reading = await reader.read(response(answerOf(reader)), source(reader));
    const gives = reader.gives({});
    if (gives.items) expect(reading.items?.map(({ title }) => title.split(" ").at(-1))).toEqual(["1.1.0", "1.0.0"]);
    if (gives.text) expect(reading.blocks?.map(({ text }) => text)).toEqual(["One"]);
    for (const fact of gives.facts ?? []) {
      const told = { ...state, entries: [], facts: { [fact]: "yes" } };
      const read = await reader.read(response(reader.sample.body(told, source(reader))), source(reader));
      expect(read.facts?.[fact], fact).toBe("yes");
    }
  });
});

async function played(reader: Reader, condition: string, scenario: string): Promise<string[]> {
  const sources = `${head}ratings: { lift: Low }\nsources:\n  it: { ${reader.kind}: "${reader.example}" }\n`;
  const trigger = `name: Kites\nratings: [lift]\non:\n  - ${condition}\n`;
  const text = `trigger: kites\nscenarios:\n  - name: it moves\n${scenario}`;
  const { played, problems } = await tryScenarios(
    [{ path: "scenarios/kites.yaml", text }],
    configOf(sources, { kites: trigger }),
    readers,
    async () => {
      const database = await openStore(":memory:");
      return { store: database.repository("kinds"), close: () => database.close() };
    },
  );
  return [...problems.map(formatProblem), ...(played === 1 ? [] : [`${played} were played`])];
}

describe("a scenario", () => {
  test.each(lists)("tells of entries of $kind", async (reader) => {
    const { items = [] } = await reader.read(response(answerOf(reader)), source(reader));
    const titled = items.find(({ title }) => title.endsWith("1.1.0"))?.title;
    const scenario = `    before: { it: { adds: ["1.0.0"] } }
    days: [{ on: 2026-06-01, it: { adds: ["1.1.0"] } }]
    expect: [{ on: 2026-06-01, event: "it ${titled}", weight: routine }]
`;
    expect(await played(reader, `${reader.gives({}).commits ? "commit" : "item"}: it`, scenario)).toEqual([]);
  });

  test.each(endable)("tells how $kind ends", async (reader) => {
    for (const { fact, becomes } of reader.endings ?? []) {
      const scenario = `    before: { it: { ${becomes === undefined ? "" : `facts: { ${fact}: ${becomes === "no" ? "yes" : "no"} }`} } }
    days: [{ on: 2026-06-01, it: { facts: { ${fact}: ${becomes ?? "yes"} } } }]
    expect: [{ on: 2026-06-01, event: "it ${fact} ${becomes ?? "yes"}", weight: routine }]
`;
      const condition = `{ fact: it, name: ${fact}${becomes === undefined ? "" : `, becomes: ${becomes}`} }`;
      expect(await played(reader, condition, scenario), fact).toEqual([]);
    }
  });
});

describe.each(sampled.filter(isService))("the address of $kind on the web", (reader) => {
  const page = reader.page(source(reader));

  test("is known by the kind that says it", () => {
    expect(kindOf(page, readers)).toMatchObject({ kind: reader.kind, address: reader.example });
  });

  test("is added as that kind, by what its service answers", async () => {
    const { url } = reader.request(source(reader), { githubToken: false });
    const type = reader.sample.type ?? "application/json";
    const web = await openWeb({ [url.replace(/^https:\/\//, "")]: { type, body: answerOf(reader) } });
    const home = new Home(web, `${head}sources: {}\n`);
    try {
      const { code, out, yaml } = await home.add(page);
      expect(code, out).toBe(0);
      expect(Object.values(parse(yaml).sources)).toEqual([expect.objectContaining({ [reader.kind]: reader.example })]);
    } finally {
      home.remove();
      await web.close();
    }
  });
});

test("a config that is drafted for a report that cites each kind is valid, and asks of each what it can tell", () => {
  const cited = sampled.filter(isService).map((reader) => ({ reader, page: reader.page(source(reader)) }));
  const text = `# Kites\n\n## References\n\n${cited.map(({ page }, i) => `${i + 1}. [Source ${i + 1}](${page})`).join("\n")}\n`;
  const drafted = draft({ path: "README.md", text }, { at: audited, readers });
  const { config, problems } = parseConfig(drafted?.files ?? [], readers);
  expect(problems.map(formatProblem)).toEqual([]);
  const sources = [...(config?.sources.values() ?? [])];
  expect(sources.map(({ kind, address }) => [kind, address])).toEqual(
    cited.map(({ reader }) => [reader.kind, reader.example]),
  );
});

test("of one name, a repository and a package are one product, and two packages are two", () => {
  const pages = [
    "https://github.com/acme/kite/releases",
    "https://pypi.org/project/kite/",
    "https://crates.io/crates/kite",
    "https://codeberg.org/others/kite/releases",
  ];
  const text = `# Kites\n\n## References\n\n${pages.map((page, i) => `${i + 1}. [Source ${i + 1}](${page})`).join("\n")}\n`;
  const { config } = parseConfig(draft({ path: "README.md", text }, { at: audited, readers })?.files ?? [], readers);
  const announced = [...(config?.sources.values() ?? [])].map(({ announces }) => announces[0]);
  expect(announced[1]).toBe(announced[0]);
  expect(new Set(announced).size).toBe(3);
});

describe("the demo's web", () => {
  const config = configOf(
    `${head}sources:\n${sampled.map(({ kind, example }) => `  ${kind}: { ${kind}: "${example}" }\n`).join("")}`,
  );
  const entries = sampled.map(({ kind }) => ["2026-06-01", { kind: "entry", source: kind, name: "1.1.0" }] as const);
  const story = { past: entries, days: [], notFound: [] };
  let web: Awaited<ReturnType<typeof startWeb>>;
  beforeAll(async () => {
    web = await startWeb({ config, readers, story, clock: { now: () => Date.UTC(2026, 6, 1) } });
  });
  afterAll(async () => await web.close());

  test.each(sampled)("has $kind", async (reader) => {
    const { url } = reader.request(source(reader), { githubToken: true });
    const answer = await fetch(`${web.url}/${url.replace(/^https:\/\//, "")}`);
    expect(answer.status, url).toBe(200);
    const body = new Uint8Array(await answer.arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    const { items } = await reader.read(response(body, { headers }), source(reader));
    if (reader.gives({}).items) expect(items?.map(({ title }) => title)).toEqual([expect.stringContaining("1.1.0")]);
  });
});
