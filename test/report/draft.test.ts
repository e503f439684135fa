import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { editAll } from "../../src/config/edit/index.ts";
import type { Config } from "../../src/model/config.ts";
import { builtIn } from "../../src/model/firing.ts";
import { day } from "../../src/model/time.ts";
import { readers } from "../../src/read/index.ts";
import { type Draft, draft, richestDraft } from "../../src/report/index.ts";
import { configOf } from "../support/config-of.ts";

const at = Date.parse("2026-06-01");

function drafted(name: string, around: { committed?: number; repository?: string; path?: string } = {}): Draft {
  const text = readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
  const { committed, repository, path = name } = around;
  const found = draft({ path, text, committed }, { at, readers, repository });
  if (!found) throw new Error("nothing was found");
  return found;
}

function parsed({ files }: Pick<Draft, "files">): Config {
  const triggers = files.filter(({ path }) => path.startsWith("triggers/"));
  const named = triggers.map(({ path, text }): [string, string] => [path.slice(9, -5), text]);
  return configOf(files.find(({ path }) => path === "sources.yaml")?.text ?? "", Object.fromEntries(named));
}

/**
 * A draft is all of its files, each valid, and all that it found. `npx vitest run test/report/draft.test.ts -u` writes the
 * golden files again.
 */
test.each<[string, string, Parameters<typeof drafted>[1]?]>([
  ["a survey in Markdown with footnotes, a matrix, a rubric and topics", "survey.md"],
  ["a survey in HTML with a head, a bibliography and marks", "survey.html"],
  [
    "an awesome-list, which rates nothing, and is as old as its file",
    "awesome.md",
    { committed: Date.parse("2026-05-20T22:00:00Z") },
  ],
  ["an awesome-list in its own repository", "awesome.md", { repository: "wick/wick" }],
  ["a radar of lists, whose headings are levels", "radar.md"],
  ["a text with only its lines left", "extracted.txt"],
  ["a text with only its lines left, called Markdown", "extracted.txt", { path: "extracted.md" }],
])("%s", async (name, file, around) => {
  const made = drafted(file, around);
  parsed(made);
  const files = made.files.map(({ path, text }) => `--- ${path}\n${text}`);
  const text = [...files, `--- found\n${JSON.stringify(made.found, null, 2)}\n`].join("\n");
  await expect(text).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.txt`);
});

test("an answer is written into the table that it was read from", () => {
  const [sources = { path: "", text: "" }, ...others] = drafted("survey.md").files;
  const config = parsed({ files: [sources, ...others] });
  const before = readFileSync(new URL("fixtures/survey.md", import.meta.url), "utf8");
  const reviews = [{ rating: "geo-cask/speed", verdict: "change", level: "High", at } as const];
  const edited = editAll(reviews, config, { sources, text: { path: "survey.md", text: before } });
  expect(edited.byHand).toEqual([]);
  const after = edited.changes.find(({ path }) => path === "survey.md")?.after;
  expect(after).toBe(before.replace("| Geo Cask          | Medium |", "| Geo Cask          | High |"));
  expect(parsed(drafted("survey.md", { path: "what: now?.md" })).report.text).toBeUndefined();
});

test.each(Object.values(builtIn))("a topic that is called as the built-in trigger %s gets another id", (id) => {
  const text = readFileSync(new URL("fixtures/survey.md", import.meta.url), "utf8");
  const renamed = text.replace("| Weather |", `| ${id} |`);
  const { triggers } = parsed(draft({ path: "survey.md", text: renamed }, { at, readers }) as Draft);
  expect([...triggers].find(([, { name }]) => name === id)?.[0]).toBe(`${id}-2`);
});

describe("tables that rate nothing", () => {
  const none = (table: string) =>
    draft({ path: "a.md", text: `${table}\n\n- [x](https://x.example.org/)` }, { at, readers })?.found.ratings;

  test.each([
    ["packages", "| Package | Licence | Language |\n|-|-|-|\n| a | MIT | C |\n| b | BSD | Go |\n| c | MIT | C |"],
    ["figures", "| Card | GB | W |\n|-|-|-|\n| a | 80 | 300 |\n| b | 80 | 700 |"],
    ["sentences", "| What | Why |\n|-|-|\n| a | High time to go home. |\n| b | Low tide came in early this year. |"],
    ["when to check again", "| Topic | Confidence | Volatility |\n|-|-|-|\n| a | High | Low |\n| b | Low | High |"],
  ])("%s", (_, table) => {
    expect(none(table)).toBe(0);
  });

  test("words of no scale and no legend rate nothing, though columns share them", () => {
    const table = "| Band | Live | Studio |\n|-|-|-|\n| a | loud | quiet |\n| b | quiet | loud |\n| c | loud | loud |";
    expect(none(table)).toBe(0);
  });
});

test("a link in a cell is that rating's source; a change of a home page asks nobody", () => {
  const text =
    "| Kite | Day | Night |\n|-|-|-|\n| Box | [high](https://box.example.org/lift) | low |\n| Delta | low | [low](https://delta.example.org/) |";
  const found = draft({ path: "a.md", text: `# T\n\n${text}` }, { at, readers });
  if (!found) throw new Error("nothing was found");
  expect(found.files[0]?.text).toContain("  box/day: high # box-day\n  box/night: low\n");
  expect(parsed(found).triggers.get("box")?.on).toMatchObject([{ kind: "change", source: "box-day" }]);
  expect(parsed(found).triggers.get("delta")?.on).toMatchObject([{ kind: "link", source: "delta-night" }]);
});

test("a page in a row of facts is asked about only when it is gone; the proof of a cell asks about that alone", () => {
  const text = `# Kites

| | Box kite | Delta |
|-|-|-|
| Site | [repo](https://github.com/box/kite) | [repo](https://github.com/delta/wing) |
| Licence | [MIT](https://box.example.org/licence) | [GPL](https://delta.example.org/licence) |
| Day | [high](https://docs.example.org/box-and-delta) | low |
| Night | low | high |`;
  const found = draft({ path: "a.md", text }, { at, readers });
  const { triggers, axes } = parsed(found ?? { files: [] });
  const asked = (id: string) => triggers.get(id)?.on.map((one) => `${one.kind} ${"source" in one ? one.source : ""}`);
  expect(asked("box-kite")).toEqual(["fact kite-repo", "release ", "change day-box-kite"]);
  expect(asked("delta")).toEqual(["fact wing-repo", "release "]);
  expect(asked("links")).toContain("link gpl");
  expect(axes).toEqual(["subject", "area"]);
});

test("one shared word does not make a source one of a thing with a long name", () => {
  const text = `# Controls

| Control | Coverage |
|-|-|
| C-1 Contribution process is documented in public | GAP |
| C-2 Scanned release artifacts | COVERED |
| C-3 Signed release tags | GAP |

- [A faster process for builds](https://github.com/a/b/issues/1)
- [Artifacts of a release are scanned](https://github.com/a/b/issues/2)`;
  const found = draft({ path: "a.md", text }, { at, readers });
  const { triggers } = parsed(found ?? { files: [] });
  expect([...triggers.keys()].filter((id) => id.startsWith("c-"))).toEqual(["c-2-scanned-release-artifacts"]);
});

test("one decision has levels to move to, written as the report writes its own", () => {
  const levels = (text: string) => {
    const found = draft({ path: "a.md", text: `${text}\n\n[k](https://k.example.org/a)` }, { at, readers });
    return found && parsed(found).levels;
  };
  expect(levels("# 7. Use kites\n\n## Status\n\nApproved")).toEqual(["Superseded", "Approved"]);
  expect(levels("---\ntitle: Kites\nring: adopt\n---\n")).toEqual(["hold", "assess", "trial", "adopt"]);
});

test("a title is the row's name, and no level, label that says nothing or half a sentence", () => {
  const text = `# T

| Database | Sharding |
|-|-|
| https://github.com/sea/weed | 🟢 Yes |
| https://github.com/sea/star | 🔴 No |

The users have rights, as told [here](https://docs.example.org/users). The configuration can be found at <https://conf.example.org/a>.`;
  const found = draft({ path: "a.md", text }, { at, readers });
  const { sources } = parsed(found ?? { files: [] });
  expect([...sources.values()].map(({ title }) => title)).toEqual([
    "sea/weed",
    "sea/weed releases",
    "sea/star",
    "sea/star releases",
    "The users have rights, as told",
    "The users have rights, as told",
  ]);
});

describe("when it was checked", () => {
  const committed = Date.parse("2026-05-20T22:00:00Z");
  test.each([
    ["Last updated: 3 March 2026", "2026-03-03"],
    ["Table last built on 2026-02-11 at 16:21 UTC", "2026-02-11"],
    ["Data gathered 26–28 April 2026.", "2026-04-28"],
    ["Sources were checked on 5 January 2026, all of them. Last updated: 2026-03-03.", "2026-01-05"],
    ["Version 3 of 2020-01-01.", "2026-05-20"],
    ["As of 3 March 2026, kites fly.", "2026-03-03"],
    ["Lines are short (as of 12 September 2024, they end at 90 m).", "2026-05-20"],
    ["Zuletzt aktualisiert: 12. März 2026", "2026-03-12"],
    ["最終更新日：2026年3月3日", "2026-03-03"],
    ["Last updated: 3 марта 2026", "2026-03-03"],
    ["Last updated: 3. března 2026", "2026-03-03"],
    ["Last updated: 3 września 2025", "2025-09-03"],
    ["Last updated: 2026년 3월 3일", "2026-03-03"],
    ["Last updated: 03/03/2026", "2026-03-03"],
    ["Last updated: 03/04/2026", "2026-05-20"],
  ])("%s", (text, expected) => {
    const path = "a.md";
    const found = draft({ path, text: `# T\n\n${text}\n\n[k](https://k.example.org/)`, committed }, { at, readers });
    expect(found && day(found.found.audited)).toBe(expected);
  });
});

describe("an unusual head of a report", () => {
  test.each([
    ["lines before all else", "a.md", "Title: Kites compared\nDate: 2026-03-04 10:20\nTags: wind,\n  rope\n\n"],
    [
      "the head of a proposal",
      "a.rst",
      "Proposal: 9\nTitle: Kites compared\nStatus: Draft\nCreated: 04-Mar-2026\n\n\nAbstract\n========\n\n",
    ],
    [
      "the head of a wiki's proposal",
      "a.mediawiki",
      "<pre>\n  BIP: 9\n  Title: Kites compared\n  Author: A. Person <a@person.example>\n  Created: 2026-03-04\n</pre>\n\n== Abstract ==\n",
    ],
    ["fields", "a.rst", "===============\nKites compared\n===============\n\n:Author: A. Person\n:Date: 2026/3/4\n\n"],
    ["the line of a revision", "a.adoc", "= Kites compared\nA. Person <a@person.example>\nv1.2, 2026-03-04\n\n"],
    ["attributes of a revision", "a.adoc", "= Kites compared\n:revnumber: 1.2\n:revdate: 2026-03-04\n\n"],
    ["a head between percent signs", "a.md", '%%%\ntitle = "Kites compared"\ndate = 2026-03-04\n%%%\n\n'],
    ["a head above tildes", "a.md", "title=Kites compared\ndate=2026-03-04\n~~~~~~\n\n"],
    ["the name of a post", "_posts/2026-03-04-kites.md", "---\ntitle: Kites compared\n---\n\n"],
    [
      "the head of a page",
      "a.html",
      '<meta name="dcterms.date" content="2026-03-04"><title>Kites compared</title>\n\n',
    ],
    ["the front matter of a page", "a.html", "---\ntitle: Kites compared\ndate: 2026-03-04\n---\n<p>First."],
    [
      "a logo",
      "2026-03-04-a.md",
      '<p align="center"><a href="https://a.example"><img src="a.png" alt="Kites compared logo"></a></p>\n\n',
    ],
    ["a picture in a heading", "2026-03-04-a.md", "# ![Kites compared](a.png)\n\n"],
  ])("%s: title and day of its edition", (_, path, head) => {
    const text = `${head}Kites need wind, and since 1 May 2019 some need none: https://k.example.org/`;
    const found = draft({ path, text }, { at, readers });
    expect(found && parsed(found).report).toMatchObject({ title: "Kites compared", audited: Date.parse("2026-03-04") });
  });

  test.each(["[![Build Status](b.svg)](https://b.example)", "![logo](a.png)"])("%s is no title", (badge) => {
    const found = draft({ path: "a.md", text: `${badge}\n\nKites need wind: https://k.example.org/` }, { at, readers });
    expect(found && parsed(found).report.title).toBe("Kites need wind: https://k.example.org/");
  });

  test.each([
    "## Node of kites version 16 (Apr 2021)",
    "Act on kites, published on 3 May 2019 in the gazette",
    "1. Kites, RFC 3339, July 2002.",
    "| Kite | Title | Date |\n|-|-|-|\n| 1 | An updated model | 2018-05-14 |",
    "The law published on 18 January 2017 applies.",
    "The [revised standards published January 18, 2017](https://w.example.org/) apply.",
  ])("a date in %j is no edition's", (line) => {
    const text = `# Kites compared\n\n${line}\n\nSee https://k.example.org/`;
    expect(draft({ path: "a.md", text }, { at, readers })?.found.because).toContain("today");
  });

  test("but of several headings below it none is the title", () => {
    const text = "This is a list of kites.\n\n## Box kites\n\nSee https://k.example.org/\n\n## Sled kites\n\nNone yet.";
    const found = draft({ path: "kites.md", text }, { at, readers });
    expect(found && parsed(found).report.title).toBe("This is a list of kites.");
  });

  const line = "Kites are compared by people who fly them, each for a year, and by nobody else.";
  test.each([
    ["a.md", "![Ropes](https://b.example/badge.svg)\n\nAll ropes hold: hemp, wire!", "a"],
    ["kites/README.md", "These are the ropes that hold them:", "kites"],
    ["kites/docs/README.md", "Hold the ropes!", "kites"],
    ["README.md", "These are the ropes that hold them:", "kite-ropes"],
    ["kites-and-ropes.md", "These are the ropes that hold them:", "kites-and-ropes"],
    ["kites-and-ropes.md", `${line}\n\nSee`, "kites-and-ropes"],
    ["ropes.adoc", `== {references}\n\n${line}\n\nSee`, "ropes"],
    ["ropes-pt.md", "### Índice\n\n* [C](#c)\n* [D](#d)\n\n### C\n\n### D", "ropes-pt"],
    ["ropes.csv", "title,\nRopes of kites,\n===,\nname,ring\nHemp,adopt\nWire,hold\nSilk,trial\n", "Ropes of kites"],
    ["ropes.csv", "title,ring\nHemp,adopt\nWire,hold\nSilk,trial\n", "ropes"],
    ["a.md", "![Ropes of kites](a.png)\n\n## Kites and ropes\n\nA list.\n\n## Wind", "Kites and ropes"],
    ["a.md", "![Ropes of kites](a.png)\n\nA list.\n\n## Wind\n\n## Tails", "Ropes of kites"],
    ["kites/README.md", "![Ropes of kites header image](img/top.png)\n\nA list.", "Ropes of kites"],
    ["kites-and-ropes.md", "These ropes hold.", "These ropes hold."],
    ["kites/README.md", "{% raw %}\n\nKites hold", "Kites hold"],
    ["kites/README.md", `${line}\n\n${line}\n\n# Basics\n\n# Ropes\n\n# Wind`, "kites"],
    ["kites/README.md", `## Kites and ropes\n\n${line}\n\n${line}\n\n# Basics\n\n# Ropes\n\n# Wind`, "Kites and ropes"],
    ["kites/README.md", `${line}\n\n# Kites and ropes\n\n# Ropes\n\n# Wind`, "Kites and ropes"],
    ["kites/README.md", "Kites and ropes    {#ropes}\n=====", "Kites and ropes"],
    ["a.html", '<h1>Kites and ropes<a class="link" href="#ropes">¶</a></h1>', "Kites and ropes"],
    ["a.md", "# Kites and ropes [🔗](#ropes)", "Kites and ropes"],
  ])("%s, %j: is called %s", (path, head, title) => {
    const text = `${head}\n\nhttps://k.example.org/`;
    const found = draft({ path, text }, { at, readers, repository: "someone/kite-ropes" });
    expect(found && parsed(found).report.title).toBe(title);
  });

  test.each([
    ["# Updated kites\n\n", "Updated kites"],
    ["# Dates of kites\n\n", "Dates of kites"],
    ["# Updated March 2026\n\n## Kites\n\n", "Kites"],
    ["# Introduction\n\n", "Introduction"],
    ["# Kites fly {#sec-kites .unnumbered}\n\n", "Kites fly"],
    ["# Summary\n\nKites fly.\n\n# Motivation\n\n", "0046-kites"],
    ["---\nfeature: kite_ropes\n---\n\n# Summary\n\nKites fly.\n\n# Motivation\n\n", "kite ropes"],
    [
      "- Feature Name: Kite ropes\n- Start Date: 2026-03-04\n\n# Summary\n\nKites fly.\n\n# Motivation\n\n",
      "Kite ropes",
    ],
    ["## Getting started\n\nKites fly.\n\n", "0046-kites"],
    [`${"Kites fly. ".repeat(20)}\n\n## Sponsors\n\n`, "0046-kites"],
    ["# Contents\n\n- Box\n\n# State of kites\n\n", "State of kites"],
    ["# Kites\n\nFeature: ropes\n\n", "Kites"],
    ["# V2 Ropes\n\n## Aim\n\n", "V2 Ropes"],
    ["\n---\ntitle: Kites fly\n---\n\n", "Kites fly"],
  ])("%j: its sections and its edition are no title", (head, title) => {
    const text = `${head}Kites need wind: https://k.example.org/`;
    const found = draft({ path: "rfcs/0046-kites.md", text }, { at, readers });
    expect(found && parsed(found).report.title).toBe(title);
  });

  test.each([
    ["Version 0.2 - May 15, 2026", "0.2"],
    ["A. Person · Version: 1.4 · March 2026", "1.4"],
    ["This is report version 2, of many.", "2"],
    ["Version 3 of 2020-01-01.", "3"],
    ["Ropes are longer since version 2.0.9 of Kite.", undefined],
    ["It is under the Kite License, Version 2.0, as of 2004.", undefined],
    ["Version 7 makes ropes longer.", undefined],
    ["## Kites (version 7), and the Kite License (Version 2.0)", "7"],
    ["Free by the Kite License (Version 2.0)", undefined],
    ["This is version 2.1 of this survey.", "2.1"],
    ["Report version: 2.1", "2.1"],
    ["You need Python version 3.10 or newer.", undefined],
    ["Needs Python (version 3), or Kite DB, version 4", undefined],
    ["Version 4.2 of Kite DB draws maps.", undefined],
    ["Version 4.2rc1 is out.", undefined],
    ["Free under the Kite License\nversion 3 or later", undefined],
  ])("%j: its own version, and no other one", (line, version) => {
    const text = `# Kites\n\n${line}\n\nKites need wind: https://k.example.org/`;
    const found = draft({ path: "a.md", text }, { at, readers });
    expect(found && parsed(found).report.version).toBe(version);
  });

  test.each([
    ["v1.2, 2026-03-04", "1.2"],
    [":revnumber: 1.2", "1.2"],
    [":revnumber: {given-later}", undefined],
  ])("the version of AsciiDoc with %j", (head, version) => {
    const text = `= Kites\nA. Person\n${head}\n\nKites need wind: https://k.example.org/`;
    const found = draft({ path: "a.adoc", text }, { at, readers });
    expect(found && parsed(found).report.version).toBe(version);
  });

  test("a day on which somebody verified what a row is about is none of the report's", () => {
    const words = "It carries more than others, and is sewn by hand. ".repeat(6);
    const text = `Kite,About\nBox,"${words}Its maker verified that in March 2019: https://k.example.org/"\n`;
    const found = draft({ path: "a.csv", text }, { at, readers });
    expect(found?.found.because).toBe("today; the report states no day");
  });

  test("a day in another sentence than the edition is none of it", () => {
    const text = "# Kites\n\nAll was sewn in May 2019 by hand. The first version came later.\n\nhttps://k.example.org/";
    const found = draft({ path: "a.md", text }, { at, readers });
    expect(found?.found.because).toBe("today; the report states no day");
  });

  test("lines that merely begin with a word are no head", () => {
    const text = "Kites: what they need\nWind: much of it, by https://k.example.org/\n\nThe end.";
    const found = draft({ path: "a.md", text }, { at, readers });
    expect(found?.found.because).toBe("today; the report states no day");
  });
});

test("ids that YAML takes for equal numbers stay apart", () => {
  const text =
    "# T\n\n- [4e999](https://a.example.org/)\n- [5e999](https://b.example.org/)\n- [true](https://c.example.org/)";
  const found = draft({ path: "a.md", text }, { at, readers });
  expect(found && [...parsed(found).sources.keys()]).toEqual(["4e999", "5e999", "true"]);
});

describe("of several files", () => {
  test("the one that is most of a report is taken", () => {
    const all = ["awesome.md", "survey.md", "radar.md"].map((name) => drafted(name));
    expect(richestDraft([undefined, ...all])?.found.path).toBe("survey.md");
    expect(richestDraft([undefined])).toBeUndefined();
  });

  test("a text without references and ratings gives nothing", () => {
    expect(draft({ path: "README.md", text: "# Hello\n\nNothing here." }, { at, readers })).toBeUndefined();
    expect(draft({ path: "README.md", text: "" }, { at, readers })).toBeUndefined();
  });
});
