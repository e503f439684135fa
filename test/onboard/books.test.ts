import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/model/config.ts";
import { contentsIn, listedIn } from "../../src/onboard/contents.ts";
import { draftFrom, type Folder } from "../../src/onboard/report-files.ts";
import { originalsOf } from "../../src/onboard/translations.ts";
import { readers } from "../../src/read/index.ts";
import { type DraftedReport, draft } from "../../src/report/index.ts";
import { configOf } from "../support/config-of.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize } from "../support/runs.ts";

/** Reports in several files: what of a folder is drafted as one. */

const at = Date.UTC(2026, 10, 20);

async function drafted(files: Readonly<Record<string, string>>, named?: Folder, asked: string[] = []) {
  const tree = Object.entries(files).map(([path, text]) => ({ path, size: text.length, sha: path }));
  const github = {
    tree: async () => ({ files: tree, whole: true }),
    text: async (path: string) => {
      asked.push(path);
      return files[path];
    },
    changed: async () => Date.UTC(2026, 4, 16),
  };
  const { best, unread } = await draftFrom(
    github,
    "c",
    async (report: DraftedReport) => draft(report, { at, readers }),
    named,
  );
  const own = new Map(best?.files.map(({ path, text }) => [path.replace(/^triggers\/|\.yaml$/g, ""), text]));
  const sources = own.get("sources") ?? "";
  own.delete("sources");
  const config = best && configOf(sources, Object.fromEntries(own));
  return { asked, unread, found: best?.found, sources, config };
}

const citedBy = ({ sources }: Config) =>
  Object.fromEntries([...sources.values()].map(({ address, cites, citedBy: by }) => [address, [...cites, ...by]]));

test("a book whose second chapter rates is called as its index is", async () => {
  const { config } = await drafted({
    "docs/README.md": "# Small boats\n\nWhat we tested.\n",
    "docs/01-intro.md": "# Introduction\n\nThe [rules](https://sail.example/rules).\n",
    "docs/02-hulls.md":
      "# Hulls\n\n| hull | speed | cost |\n|---|---|---|\n| Planing | High | Medium |\n| Wooden | Low | High |\n| Steel | Medium | Low |\n\nAs the [guide](https://sail.example/guide/) says.\n",
  });
  expect(config?.report.title).toBe("Small boats");
});

test("a report in counted chapters is one config: a page that several of them cite is one source", async () => {
  const { config, found } = await drafted({
    "docs/01-intro.md":
      "# Small boats\n\nThe [rules](https://sail.example/rules) and the [guide](https://sail.example/guide).\n",
    "docs/02-hulls.md":
      "# Hulls\n\n| hull | speed | cost |\n|---|---|---|\n| Planing | High | Medium |\n| Wooden | Low | High |\n| Steel | Medium | Low |\n\nAs the [guide](https://sail.example/guide/) says.\n",
    "docs/03-rigs.md": "# Rigs\n\nSee the [rigging table](https://rigs.example/table).\n",
    "README.md": "# Boats\n\nRead `docs/`.\n",
  });
  expect(found).toMatchObject({ path: "docs/02-hulls.md", chapters: 2, ratings: 6, references: 4, sources: 3 });
  expect(config && [...config.documents.values()].map(({ title }) => title)).toEqual(["Small boats", "Rigs"]);
  expect(config && citedBy(config)).toEqual({
    "https://sail.example/guide/": ["small-boats"],
    "https://sail.example/rules": ["small-boats"],
    "https://rigs.example/table": ["rigs"],
  });
  expect(config?.report).toMatchObject({ title: "Hulls", audited: Date.UTC(2026, 4, 16) });
});

test("chapters that name the numbers of one list of references share it", async () => {
  const { config, found } = await drafted({
    "book/chapter-1.md": "# Wind\n\nWind is weak [1]. It turns [2].\n",
    "book/chapter-2.md": "# Waves\n\nWaves are short [2].\n",
    "book/chapter-3.md":
      "# References\n\n1. Bureau. Wind. https://wind.example/a\n2. Bureau. Waves. https://wind.example/b\n",
    "book/index.md": "# Weather at sea\n\nThree chapters.\n",
  });
  expect(found).toMatchObject({ path: "book/index.md", chapters: 3, references: 2, numbered: true });
  expect(config && citedBy(config)).toEqual({
    "https://wind.example/a": [1, "wind"],
    "https://wind.example/b": [2, "wind", "waves"],
  });
});

test("if each chapter counts its own references, only the report's numbers are kept", async () => {
  const list = (host: string) =>
    `\n\n## References\n\n1. One. https://${host}.example/one\n2. Both. https://both.example/\n`;
  const { config, found } = await drafted({
    "report/README.md": `# Tides\n\n- [First](01-first.md)\n\nTides rise [1].${list("tides")}`,
    "report/01-first.md": `# First\n\nThey fall [1].${list("first")}`,
    "report/02-second.md": `# Second\n\nThey turn [1].${list("second")}`,
  });
  expect(found).toMatchObject({ path: "report/README.md", chapters: 2, references: 4 });
  expect(config && citedBy(config)).toEqual({
    "https://tides.example/one": [1],
    "https://both.example/": [2, "first", "second"],
    "https://first.example/one": ["first"],
    "https://second.example/one": ["second"],
  });
});

test("values that MkDocs takes from the environment are their defaults", () => {
  const text = `docs_dir: !ENV [DOCS, "text"]
site_description:
  !ENV [
    DESCRIPTION,
    "The tides, in short.",
  ]
site_name: !ENV [NAME, Tides]
nav:
  - !ENV [NAV_EBB, "Ebb, and after"]: ebb.md
  - Flood: flood.md
extra:
  emoji: !!python/name:material.extensions.emoji.twemoji
  deploy: !ENV DEPLOY
`;
  expect(contentsIn("mkdocs.yml", text)).toEqual({ title: "Tides", from: "text", chapters: ["ebb.md", "flood.md"] });
});

test("the chapters are those that a table of contents lists", async () => {
  const { config, found, asked } = await drafted({
    "src/SUMMARY.md":
      "# Summary\n\n- [Knots](./knots/bends.md)\n  - [Hitches](knots/hitches.md)\n- [Far](https://far.example/)\n",
    "src/knots/bends.md": "# Bends\n\n[A](https://knots.example/a)\n",
    "src/knots/hitches.md": "# Hitches\n\n[B](https://knots.example/b)\n",
    "src/knots/unlisted.md": "# Unlisted\n\n[C](https://knots.example/c)\n",
  });
  expect(found).toMatchObject({ path: "src/knots/bends.md", chapters: 1 });
  expect(config && citedBy(config)).toMatchObject({
    "https://knots.example/a": [],
    "https://knots.example/b": ["hitches"],
  });
  expect(config && Object.keys(citedBy(config))).not.toContain("https://knots.example/c");
  expect(new Set(asked).size).toBe(asked.length);
});

test("of decisions, each in a file, every one is rated, and asked about by the citations of its file", async () => {
  const adr = (title: string, status: string, link: string) =>
    `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\nAs [told](${link}).\n`;
  const files = {
    "README.md": "# A shop\n\n[Site](https://shop.example/about)\n",
    "docs/adr/0001-keep-records.md": adr("1. Keep records", "Accepted", "https://records.example/why"),
    "docs/adr/0002-use-queues.md": adr("2. Use queues", "Superseded by 4", "https://queues.example/docs"),
    "docs/adr/0003-use-topics.md": adr("3. Use topics", "Proposed", "https://topics.example/docs"),
    "docs/adr/0004-use-streams.md": adr("4. Use streams", "Accepted", "https://records.example/why"),
  };
  const { config, found, sources } = await drafted(files);
  expect(found).toMatchObject({ path: "docs/adr", chapters: 4, ratings: 4 });
  expect(config && [...config.ratings.values()].map(({ id, level }) => `${id}: ${level}`)).toEqual([
    "keep-records: Accepted",
    "use-queues: Superseded",
    "use-topics: Proposed",
    "use-streams: Accepted",
  ]);
  expect([...(config?.triggers.keys() ?? [])]).toEqual([
    "keep-records",
    "use-queues",
    "use-topics",
    "use-streams",
    "links",
  ]);
  expect(sources).not.toContain("text: docs/adr");
});

test("a radar with one file an entry is one draft, and all its files are read", async () => {
  const rings = ["adopt", "trial", "assess", "hold"];
  const entries = Array.from({ length: 30 }, (_, i): [string, string] => [
    `radar/2026-01/tool${String.fromCharCode(97 + (i % 26))}${i}.md`,
    `---\ntitle: "Tool ${i}"\nring: ${rings[i % 4]}\nquadrant: tools\n---\n\nSee [its site](https://tool${i}.example/docs).\n`,
  ]);
  const { found, config, unread } = await drafted(Object.fromEntries(entries));
  expect(found).toMatchObject({ path: "radar/2026-01", ratings: 30, references: 30 });
  expect(config?.levels).toEqual(["hold", "assess", "trial", "adopt"]);
  expect(unread).toBeUndefined();
});

test("pages of a manual, posts of a blog and pages beside a report are no chapters of it", async () => {
  const page = (name: string) =>
    `# ${name}\n\n[${name}](https://${name}.example/a) and [b](https://${name}.example/b)\n`;
  const { found } = await drafted({
    "README.md": `# Boards\n\n## Documentation\n\n- [Install](docs/01-install.md)\n- [Usage](docs/02-usage.md)\n\n${page("boards")}[c](https://c.example/)`,
    "docs/01-install.md": page("install"),
    "docs/02-usage.md": page("usage"),
    "_posts/2026-01-02-news.md": page("news"),
    "_posts/2026-02-03-more.md": page("more"),
  });
  expect(found).toMatchObject({ path: "README.md", references: 3 });
  expect(found?.chapters).toBeUndefined();
});

test("chapters are read within the limits of a set-up", async () => {
  const chapters = Array.from({ length: 300 }, (_, i): [string, string] => [
    `book/${String(i + 1).padStart(3, "0")}-part.md`,
    `# Part ${i}\n\n[x](https://x${i}.example/)\n`,
  ]);
  const { found, asked, unread } = await drafted(Object.fromEntries(chapters));
  expect(found).toMatchObject({ path: "book/001-part.md", chapters: 99 });
  expect(asked.length).toBeLessThanOrEqual(120);
  const says = ["The report has 300 files, too many or too large for one draft: 200 files were not read."];
  expect(unread).toEqual({ pages: 300 - asked.length, says });
});

const named = { folder: "", limits: { chapters: 2_000, pages: 2_100, bytes: 50_000_000 } };
const page = (name: string, more = "") => `# ${name}\n\nThe [${name}](https://${name}.example/) says so.\n${more}`;
const rstPage = (name: string, more = "") =>
  `${name}\n=====\n\nThe \`${name} <https://${name}.example/>\`_ says so.\n${more}`;

test("a folder is called as the page that includes others", async () => {
  const { config } = await drafted(
    {
      "tides.qmd": page("Tides", "\n{{< include parts/ebb.qmd >}}\n"),
      "parts/ebb.qmd": "The [ebb](https://ebb.example/).",
    },
    named,
  );
  expect(config?.report.title).toBe("Tides");
});

describe("a table of contents", () => {
  test("of many chapters is drafted as a whole from a folder", async () => {
    const count = inputSize(2_000, 400);
    const names = Array.from({ length: count }, (_, i) => `part${i}`);
    const chapters = names.map((name): [string, string] => [`docs/${name}.md`, page(name)]);
    const nav = names.map((name) => `  - ${name}.md\n`).join("");
    const files = { "mkdocs.yml": `site_name: Tides\nnav:\n${nav}`, ...Object.fromEntries(chapters) };
    const whole = await drafted(files, named);
    expect(whole.found).toMatchObject({ path: "docs/part0.md", chapters: count - 1, references: count });
    expect(whole.unread).toBeUndefined();
    const { found, unread, asked } = await drafted(files);
    expect(found).toMatchObject({ chapters: 98 });
    expect(asked.length).toBeLessThanOrEqual(120);
    expect(unread?.says).toEqual([
      `The report has ${count.toLocaleString("en")} files, too many or too large for one draft: ${(count - 99).toLocaleString("en")} files were not read.`,
    ]);
  });

  test.each<readonly [string, Record<string, string>, number, readonly unknown[]]>([
    [
      "that lists itself",
      {
        "conf.py": "project = 'Tides'\n",
        "index.rst": rstPage("tides", "\n.. toctree::\n\n   index\n   ebb\n"),
        "ebb.rst": rstPage("ebb", "\n.. toctree::\n\n   index\n"),
      },
      2,
      ["index.rst: listed below itself, and read once."],
    ],
    [
      "that names files which are not there",
      {
        "mkdocs.yml": "site_name: Tides\nnav: [index.md, ebb.md, flood.md, https://tides.example/, Moon: moon.md]\n",
        "docs/index.md": page("tides"),
        "docs/ebb.md": page("ebb"),
      },
      2,
      ["mkdocs.yml lists 2 files that cannot be found: flood.md, moon.md."],
    ],
    [
      "whose pages show how to list and include files",
      {
        "book.toml": '[book]\ntitle = "Tides"\n',
        "src/SUMMARY.md": "- [Tides](tides.md)\n- [Ebb](ebb.md)\n",
        "src/tides.md": page("tides").concat("\n```rst\n.. toctree::\n\n   a\n```\n\nWrite \\{{#include b.md}}.\n"),
        "src/ebb.md": page("ebb").concat("\n````md\n```{toctree}\nc\n```\n````\n\n  .. include:: d.md\n"),
      },
      2,
      [],
    ],
    [
      "that leads to another one, in which a file is missing",
      {
        "book.toml": '[book]\ntitle = "Tides"\n',
        "src/SUMMARY.md": "- [Tides](tides.md)\n- [Ebb](ebb.md)\n- [Moon](moon.md)\n",
        "src/tides.md": page("tides"),
        "src/ebb.md": page("ebb"),
      },
      2,
      ["book.toml lists 1 file that cannot be found: moon.md."],
    ],
    [
      "that disagrees with another one",
      {
        "_quarto.yml": "book: { title: Tides, chapters: [index.md, ebb.md, flood.md] }\n",
        "SUMMARY.md": "- [Tides](index.md)\n- [Ebb](ebb.md)\n- [Moon](moon.md)\n",
        "index.md": page("tides"),
        "ebb.md": page("ebb"),
        "flood.md": page("flood"),
        "moon.md": page("moon"),
      },
      4,
      ["_quarto.yml and SUMMARY.md list different chapters: all 4 of both were read."],
    ],
    [
      "that leads out of the folder",
      {
        "_toc.yml": "root: index\nchapters: [{ file: ../../etc/passwd }, { file: ebb }]\n",
        "index.md": page("tides", "\n{{< include ../secret.md >}}\n"),
        "ebb.md": page("ebb"),
      },
      2,
      ["_toc.yml names files outside of the folder, which were not read: ../secret.md, ../../etc/passwd."],
    ],
    [
      "that is no YAML",
      { "mkdocs.yml": "site_name: [\nnav: {", "docs/ebb.md": page("ebb"), "docs/index.md": page("tides") },
      2,
      [expect.stringMatching(/^mkdocs\.yml could not be read: line 1: .*\.$/)],
    ],
  ])("%s has one sentence, and loses nothing", async (_, files, references, says) => {
    const { found, unread } = await drafted(files, named);
    expect(found?.references).toBe(references);
    expect(unread?.says ?? []).toEqual(says);
  });

  test("beside four others is the one that is drafted, and the others are named", async () => {
    const book = (name: string, chapters: number) => ({
      [`${name}/mkdocs.yml`]: `site_name: ${name}\n`,
      ...Object.fromEntries(Array.from({ length: chapters }, (_, i) => [`${name}/docs/p${i}.md`, page(`${name}${i}`)])),
    });
    const { found, config, unread } = await drafted({
      ...book("a", 2),
      ...book("b", 2),
      ...book("c", 4),
      ...book("d", 2),
      ...book("e", 3),
    });
    expect(config?.report.title).toBe("c");
    expect(found).toMatchObject({ chapters: 3, references: 4 });
    expect(unread?.says).toEqual([
      "4 other books were left out: e/mkdocs.yml, a/mkdocs.yml, b/mkdocs.yml, d/mkdocs.yml. Name the folder of one to read it.",
    ]);
  });
});

test("tables of contents in the folders of others list no report", async () => {
  const { found } = await drafted({
    "README.md": page("readme"),
    "test/fixtures/book/mkdocs.yml": "site_name: Tides\nnav: [a.md, b.md]\n",
    "test/fixtures/book/docs/a.md": page("a"),
    "test/fixtures/book/docs/b.md": page("b"),
  });
  expect(found).toMatchObject({ path: "README.md", references: 1 });
});

test("a table of contents made to be slow costs little", async () => {
  const pages = Array.from({ length: inputSize(5_000, 2_000) }, (_, i): [string, string] => [`docs/p${i}.md`, "x"]);
  const patterns = Array.from({ length: inputSize(4_000, 1_500) }, (_, i) => `  - "**/*${i}*/**"\n`).join("");
  const begun = processorTime();
  await drafted({ "mkdocs.yml": `nav:\n${patterns}`, ...Object.fromEntries(pages) }, named);
  expectTime(processorTime() - begun, inputSize(20_000, 3_000));
});

test("a pattern of very many stars names nothing", async () => {
  const files = Object.fromEntries(["a", "b", "c"].map((name) => [`docs/${name}.md`, page(name)]));
  const listed = (pattern: string) => drafted({ "mkdocs.yml": `nav: [c.md, "${pattern}"]\n`, ...files }, named);
  expect((await listed("**/*.md")).found?.references).toBe(3);
  expect((await listed(`${"*".repeat(1)}${"a*".repeat(11)}.md`)).found?.references).toBe(3);
});

test("tables of contents share 500 KB", async () => {
  const nav = `nav: [a.md, b.md]\n# ${"x".repeat(300_000)}\n`;
  const book = (folder: string) => ({
    [`${folder}/mkdocs.yml`]: `site_name: ${folder}\n${nav}`,
    ...Object.fromEntries(["a", "b"].map((name) => [`${folder}/docs/${name}.md`, page(folder + name)])),
  });
  const asked: string[] = [];
  await drafted({ ...book("one"), ...book("two") }, named, asked);
  expect(asked.filter((path) => path.endsWith("mkdocs.yml"))).toEqual(["one/mkdocs.yml"]);
});

const tableNames =
  "_quarto.yml _bookdown.yml mkdocs.yml _toc.yml _config.yml myst.yml conf.py book.toml antora.yml sidebars.js SUMMARY.md".split(
    " ",
  );

test("no text of a table or of a page is too strange to be read", () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(fc.constantFrom("nav:", "  - ", "*a", "&a ", "[", "{", "!!x ", ".. toctree::", "\n", "../", "xref:a[]"))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.constantFrom(...tableNames), text, (name, written) => {
      const { chapters = [] } = contentsIn(`docs/${name}`, written) ?? {};
      for (const chapter of [...chapters, ...listedIn(name, written).chapters]) expect(chapter).toBeTypeOf("string");
    }),
  );
});

test("a folder that a person names is read with any name, and all of it", async () => {
  const { found } = await drafted(
    {
      "docs/examples/adr/a.md": page("a"),
      "docs/examples/adr/b.md": page("b"),
      "docs/examples/adr/tests/c.md": page("c"),
    },
    { ...named, folder: "docs/examples/adr/" },
  );
  expect(found).toMatchObject({ references: 2, chapters: 1 });
});

test("a refusal says what was left out, and why", async () => {
  const { found, unread } = await drafted({
    "README.md": "# Boats\n\nNothing yet.\n",
    "examples/a.md": page("a"),
    "test/b.md": page("b"),
    "CHANGELOG.md": page("c"),
    "README.es.md": "# Barcos\n",
  });
  expect(found).toBeUndefined();
  expect(unread?.says).toEqual([
    "2 pages were left out because of the names of their folders (examples, test): name the folder itself to read it.",
    "1 translation was left out (es): a report is read in one language.",
    "1 page was left out because of its name (CHANGELOG.md): name the file itself to read it.",
  ]);
});

test.each([
  [["a.md", "a.es.md", "a.pt-BR.md"], ["a.md"]],
  [
    ["docs/en/a.md", "docs/en/c.md", "docs/es/a.md", "docs/es/b.md"],
    ["docs/en/a.md", "docs/en/c.md", "docs/es/b.md"],
  ],
  [["a.md", "es/a.md", "fr/a.md"], ["a.md"]],
  [["README.md", "README_ja.md", "README-de.md"], ["README.md"]],
  [
    ["docs/index.md", "docs/os/index.md", "docs/os/linux.md", "docs/os/ios.md"],
    ["docs/index.md", "docs/os/index.md", "docs/os/linux.md", "docs/os/ios.md"],
  ],
  [
    ["de/a.md", "de/b.md", "en/a.md"],
    ["de/a.md", "de/b.md"],
  ],
  [
    ["db/a.md", "js/a.md", "node.js.md"],
    ["db/a.md", "js/a.md", "node.js.md"],
  ],
])("of %j the originals are %j", (paths, originals) => {
  expect(originalsOf(paths).pages).toEqual(originals);
});
