import { describe, expect, test } from "vitest";
import { changedSentences } from "../../../src/claims/mine/changed-sentences.ts";
import { contradictionsIn } from "../../../src/claims/mine/contradictions.ts";
import type { Block } from "../../../src/model/reading.ts";
import type { ReportFile } from "../../../src/report/index.ts";

/** A change of a report, and the page that it cites: what it says otherwise, and how often nothing is said. */

const address = "https://docs.example.org/spec";
const report = (...lines: string[]) => [
  {
    path: "README.md",
    text: `# State of Engines\n\n${lines.join("\n\n")}\n\n## References\n\n1. Specification. ${address}\n2. Other. https://other.example.org/\n`,
  },
];
const changed = (before: ReportFile[], after: ReportFile[]) =>
  changedSentences({ before, after, lists: [], numbered: new Map() });
const filler: Block[] = Array.from({ length: 12 }, (_, i) => ({
  path: ["Engines", `Chapter ${i}`],
  kind: "paragraph",
  text: `This chapter tells at some length what an engine is good for, where it ends, and who is to look after it, part ${"abcdefghijkl"[i]}.`,
}));
const page = (...blocks: Block[]) => ({ kind: "page", reading: { title: "Engines", blocks: [...blocks, ...filler] } });
const said = (text: string, path = "Memory"): Block => ({ path: ["Engines", path], kind: "paragraph", text });

function told(sentence: string, there: ReturnType<typeof page>, before = "Nothing is cited."): string[] {
  const { sentences } = changed(report(before), report(before, sentence));
  const addresses = [address, "https://other.example.org/"];
  const found = addresses.map((one) => contradictionsIn({ sentences, address: one, page: there }).contradictions);
  return found.flat().map(({ said: own, there: other = "-", under = "" }) => `${own} | ${other} | ${under}`);
}

test("only sentences that are new, or have a new citation, are read", () => {
  const old = "The Big Engine has 96 GB of memory [1].";
  const same = changed(report(old), report("Some words.", old));
  expect(same.sentences).toEqual([]);
  const { sentences } = changed(report(old), report(old.replace("96", "512"), "Moved [2]."));
  expect(sentences).toEqual([
    {
      file: "README.md",
      text: "The Big Engine has 512 GB of memory.",
      cites: [{ at: 35, title: "Specification", address }],
    },
    { file: "README.md", text: "Moved.", cites: [{ at: 5, title: "Other", address: "https://other.example.org/" }] },
  ]);
  const elsewhere = [{ path: "README.md", text: report(old)[0]?.text.replace(address, `${address}/v2`) ?? "" }];
  expect(changed(report(old), elsewhere).sentences).toMatchObject([{ cites: [{ address: `${address}/v2` }] }]);
});

describe("references that are listed in another file of the report", () => {
  const chapter = (text: string) => [{ path: "chapters/memory.md", text: `# Memory\n\n${text}\n` }];
  const bib = (path: string, at: string) => ({
    path,
    text: `@misc{doe99,\n title = {Specification},\n url = {${at}}\n}\n`,
  });
  const list = (path: string, at: string) => ({
    path,
    text: `# References\n\n1. Other. https://a.example/\n2. Specification. ${at}\n`,
  });
  const cited = (text: string, lists: ReportFile[], numbered: [number, string][] = []) =>
    changedSentences({ before: [], after: chapter(text), lists, numbered: new Map(numbered) });
  const addresses = (...given: Parameters<typeof cited>) =>
    cited(...given).sentences.flatMap(({ cites }) => cites.map((one) => one.address));

  test("by key, several in one bracket, in a cell, with pages", () => {
    const lists = [bib("refs.bib", address), { path: "b.bib", text: "@misc{roe:1, url = {https://b.example/}}" }];
    const { sentences, elsewhere } = cited("The Big Engine has 96 GB [see @doe99, p. 3; -@roe:1] of memory.", lists);
    expect(elsewhere).toBe(true);
    expect(sentences).toEqual([
      {
        file: "chapters/memory.md",
        text: "The Big Engine has 96 GB of memory.",
        cites: [
          { at: 24, title: "Specification", address },
          { at: 24, title: "roe:1", address: "https://b.example/" },
        ],
      },
    ]);
    const table = "| engine | memory |\n|---|---|\n| Big Engine | 96 GB [@doe99] |";
    expect(cited(table, lists).sentences).toMatchObject([{ text: "96 GB", row: "Big Engine", cites: [{ address }] }]);
  });

  test("by number, if one file alone counts its references; else config says", () => {
    const says = "The Big Engine has 96 GB of memory [2].";
    expect(addresses(says, [list("references.md", address)])).toEqual([address]);
    expect(addresses(says, [list("references.md", address)], [[2, "https://old.example/"]])).toEqual([address]);
    const two = [list("references.md", address), list("other/references.md", "https://b.example/")];
    expect(addresses(says, two)).toEqual([undefined]);
    expect(addresses(says, two, [[2, "https://c.example/"]])).toEqual(["https://c.example/"]);
    expect(addresses(says, [bib("refs.bib", address)])).toEqual([undefined]);
    const own = `${says}\n\n## References\n\n2. Own. https://own.example/`;
    expect(addresses(own, [list("references.md", address)])).toEqual(["https://own.example/"]);
    expect(cited(own, []).elsewhere).toBe(false);
  });

  test("not by a key with two addresses, nor by a text that only looks like one", () => {
    const two = [bib("a.bib", address), bib("b.bib", "https://b.example/")];
    expect(addresses("The Big Engine has 96 GB of memory [@doe99].", two)).toEqual([undefined]);
    expect(addresses("Write to us [me@doe99], [@doe99 or else; anybody].", two)).toEqual([]);
  });

  test("a sentence is not new because its list is read", () => {
    const says = chapter("The Big Engine has 96 GB of memory [2]. More.");
    const lists = [list("references.md", address)];
    const { sentences } = changedSentences({ before: says, after: says, lists, numbered: new Map() });
    expect(sentences).toEqual([]);
  });
});

describe("the page has another figure for the same", () => {
  const memory = page(said("The Big Engine has 96 GB of memory in all configurations sold today."));

  test("a figure, with the heading above it", () => {
    expect(told("The Big Engine has 512 GB of memory [1].", memory)).toEqual(["512 GB | 96 GB | Memory"]);
  });

  test("a number in groups, which is one figure", () => {
    expect(told("The Big Engine has 1 096 GB of memory [1].", memory)).toEqual(["1 096 GB | 96 GB | Memory"]);
    const grouped = page(said("The Big Engine costs 1\u00a0299\u00a0€ in all configurations sold today."));
    expect(told("The Big Engine costs 299 € [1].", grouped)).toEqual(["299 € | 1\u00a0299\u00a0€ | Memory"]);
    for (const same of ["1299 €", "1.299 €", "1,299 €", "€1’299", "1 299 EUR"])
      expect(told(`The Big Engine costs ${same} [1].`, grouped)).toEqual([]);
  });

  test("in a cell, by its row and column", () => {
    const rows = ["| engine | memory |", "|---|---|", "| Big Engine | 512 GB [1] |", "| Small Wheel | 3 kg [1] |"];
    expect(told(rows.join("\n"), memory)).toEqual(["512 GB | 96 GB | Memory"]);
  });

  test("a version", () => {
    const there = page(said("The engine supports Widget 2.8 on every machine from the first day.", "Software"));
    expect(told("The engine supports Widget 2.9 on every machine [1].", there)).toEqual(["2.9 | 2.8 | Software"]);
  });

  test("or none for it, and the report's nowhere", () => {
    expect(told("The Small Wheel has 512 GB of memory [1].", memory)).toEqual(["512 GB | 96 GB | "]);
    const there = page(said("The Big Engine has 96 GB of memory, or 512 GB at a price."));
    expect(told("The Small Wheel has 512 GB of memory [1].", there)).toEqual([]);
  });

  test("quoted words that the page has in others", () => {
    const there = page(said("We found that the engine runs for ten thousand hours without any service, in a test."));
    const quoting = (words: string) => told(`The maker says “${words}” [1].`, there);
    expect(quoting("the engine runs for ten thousand days without any service")).toEqual([
      "the engine runs for ten thousand days without any service | the engine runs for ten thousand hours without any service | ",
    ]);
    expect(quoting("the engine runs for ten thousand hours without any service")).toEqual([]);
    const linked = `The maker says “the engine runs for ten thousand days without any service” ([source](${address})).`;
    expect(told(linked, there)).toHaveLength(1);
    expect(told("It is the “engine that runs for ten thousand days without service” [1].", there)).toEqual([]);
  });

  test("quoted words", () => {
    const sentence = "The maker says “the engine runs for ten thousand hours without any service” [1].";
    expect(told(sentence, memory)).toEqual(["the engine runs for ten thousand hours without any service | - | "]);
    const there = page(said("We found that the engine runs for ten thousand hours without any service, in a test."));
    expect(told(sentence, there)).toEqual([]);
  });
});

describe("nothing is said", () => {
  const memory = page(said("The Big Engine has 96 GB of memory in all configurations sold today."));

  test.each([
    ["of what the page says, too", "The Big Engine has 96 GB of memory [1]."],
    ["of what is between two quotations", 'It says "memory" of the engine that is said to run and "all of it" [1].'],
    ["of a statement that rests on several sources", "The Big Engine has 512 GB of memory [1][2]."],
    ["of a reference that is not there", "The Big Engine has 512 GB of memory [7]."],
    ["beside a reference that is not there", "The Big Engine has 512 GB of memory [1, 7]."],
    ["of two figures of a sort", "The Big Engine has 512 GB or 1 TB of memory [1]."],
    ["of what is denied", "The Big Engine does not have 512 GB of memory [1]."],
    ["of what is planned", "The Big Engine may have 512 GB of memory next year [1]."],
    ["of a range that holds the page's figure", "The Big Engine has 64 to 128 GB of memory [1]."],
    ["of a tolerance", "The Big Engine has 100 GB ± 5 GB of memory [1]."],
    ["of a figure that is meant about", "The Big Engine has about 100 GB of memory [1]."],
    ["of more than", "The Big Engine has more than 64 GB of memory [1]."],
    ["of up to", "The Big Engine has up to 128 GB of memory [1]."],
    ["of a decimal comma", "The Big Engine has 512,5 GB of memory [1]."],
    ["of number words", "The Big Engine has ninety gigabytes of memory [1]."],
    ["of a question", "Does the Big Engine have 512 GB of memory? [1]"],
    ["without a citation", "The Big Engine has 512 GB of memory."],
  ])("%s", (_, sentence) => {
    expect(told(sentence, memory)).toEqual([]);
  });

  test("of another reference than that whose pages are cited", () => {
    expect(told("The Big Engine has 512 GB of memory [2, pp. 1–3].", memory)).toEqual(["512 GB | 96 GB | Memory"]);
    expect(told("The Big Engine has 512 GB of memory [7, pp. 1–2].", memory)).toEqual([]);
  });

  test("if the page says both", () => {
    const both = page(said("The Big Engine has 96 GB of memory."), said("The Big Engine has 512 GB of memory."));
    expect(told("The Big Engine has 512 GB of memory [1].", both)).toEqual([]);
  });
});
