import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { draft } from "../../src/report/index.ts";
import { Home, openWeb } from "../faces/cli/add/web.ts";
import { fixture, source } from "../read/given.ts";
import { configOf } from "../support/config-of.ts";

/** A kind's own description is all that config, `add` and the draft of a config need to know of it. */

const head = "report: { title: Kites, audited: 2026-05-16 }\n";
const audited = Date.UTC(2026, 4, 16);

const services = [...readers.values()].filter(({ example }) => !/^https?:/.test(example));
const endable = [...readers.values()].filter(({ endings = [] }) => endings.length > 0);

test("there are services and things that end among them", () => {
  for (const some of [services, endable]) expect(some.length).toBeGreaterThan(0);
});

test.each(endable)("a condition may ask how $kind ends", (reader) => {
  const sources = `${head}ratings: { lift: Low }\nsources:\n  it: { ${reader.kind}: "${reader.example}" }\n`;
  const conditions = (reader.endings ?? []).map(
    ({ fact, becomes }) => `  - { fact: it, name: ${fact}${becomes === undefined ? "" : `, becomes: ${becomes}`} }\n`,
  );
  expect(() => configOf(sources, { kites: `name: Kites\nratings: [lift]\non:\n${conditions.join("")}` })).not.toThrow();
});

const fixtures = readdirSync(new URL("../read/fixtures", import.meta.url));

describe.each(services)("the address of $kind on the web", (reader) => {
  const page = reader.page(source(reader));

  test("is recognised by the kind that gives it", () => {
    expect(kindOf(page, readers)).toMatchObject({ kind: reader.kind, address: reader.example });
  });

  test("is added as that kind, by the answer of its service", async () => {
    const { url } = reader.request(source(reader), { githubToken: false });
    const named = fixtures.filter((name) => name.startsWith(`${reader.kind}.`));
    const name = named.find((one) => /\.(?:atom|xml)$/.test(one) === /\.atom|xml/i.test(url)) ?? named[0] ?? "";
    const { body } = fixture(name);
    const type = name.endsWith(".json") ? "application/json" : "text/xml";
    const web = await openWeb({
      [url.replace(/^https:\/\//, "")]: {
        type,
        body: new TextDecoder().decode(body).replaceAll('acme/kite":', `${reader.example}":`),
      },
    });
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

test("a config that is drafted for a report that cites each kind is valid, and asks each for its own events", () => {
  const cited = services.map((reader) => ({ reader, page: reader.page(source(reader)) }));
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
