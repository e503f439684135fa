import { describe, expect, test } from "vitest";
import { type Proving, proposeClaims, provingHere } from "../../../src/claims/mine/index.ts";
import { citedSentences } from "../../../src/claims/mine/sentences.ts";
import { proveClaims } from "../../../src/claims/prove.ts";
import { Failure } from "../../../src/model/failure.ts";
import type { Reading } from "../../../src/model/reading.ts";
import { readers } from "../../../src/read/index.ts";
import { blocksOfMarkdown } from "../../../src/read/text/markdown.ts";
import { reportTextOf } from "../../../src/report/parse/report-text.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize } from "../../support/runs.ts";
import { claimsOf, given, proposals, proposalsBy, proposedFor, proposedForWhole } from "./given.ts";

describe("figures that the cited page has", () => {
  test("a figure is proved by its like, near the words that both have", async () => {
    const page = "# Engines\n\nAlpha Max has up to 128GB of unified memory.\n\nBeta Mini has 16 GB of unified memory.";
    expect(await claimsOf("The Alpha Max has up to 128 GB unified memory [1].", page)).toEqual([
      "1: the value 128GB near “Alpha Max unified memory”",
    ]);
  });

  test.each([
    ["another first name", "The Alpha Max has 128 GB of memory", "# Engines\n\nThe Beta Max has 128 GB of memory."],
    ["one at the beginning", "Alpha Max has 128 GB of memory", "# Engines\n\nBeta Max has 128 GB of memory."],
    ["on a page about it", "Alpha Max has 128 GB of memory", "# Alpha Max\n\nBeta Max has 128 GB of memory."],
    ["on a page about the other", "Alpha Max has 128 GB of memory", "# Beta Max\n\nBeta Max has 128 GB of memory."],
    ["one word more", "Alpha Max has 128 GB of memory", "# Engines\n\nThe Alpha Max Ultra has 128 GB of memory."],
    ["another number", "Kite-2 costs $40 per month", "# Prices\n\nKite-3 costs $40 per month. Kite-2 costs less."],
    ["no number", "Kite-2 costs $40 per month", "# Prices\n\nKite costs $40 per month. Kite-2 costs less."],
    ["one word", "Atlas reaches 71.4% accuracy in LockBench", "# Atlas\n\nGamma reaches 71.4% accuracy in LockBench."],
    [
      "a row",
      "With 128 GB of memory, the Atlas leads all others",
      "# Atlas and others\n\n| Engine | Memory |\n|-|-|\n| Gamma | 128 GB |",
    ],
    ["a sentence", "Alpha Max requires Python 3.11", "# Engines\n\nAlpha Max Ultra requires Python 3.11."],
    [
      "a word that is no name there",
      "Free Tier Plus: a box with 2 doors, 2 GB of memory, 8 GB of storage",
      "# Free Tier Plus\n\nfree Zorbit Nine: a box having 2 doors, 2 GB of memory, 8 GB of storage.",
    ],
  ])("the thing with the figure is called otherwise, by %s", async (_, says, page) => {
    expect(await claimsOf(`${says} [1].`, page)).toEqual([]);
  });

  test.each([
    ["Alpha Max has 128 GB of memory", "The Alpha Max has 128 GB of memory.", "Alpha Max needs 128 GB of memory."],
    ["Alpha Max has 128 GB of memory", "Memory of the Alpha Max: 128 GB.", "Alpha Max saves 128 GB of memory."],
    ["Alpha Max has 128 GB of memory", "Alpha Max's memory has 128 GB.", "Alpha Max's rival has 128 GB of memory."],
    ["Alpha Max needs 128 GB of memory", "Alpha Max needs 128 GB memory.", "Alpha Max frees 128 GB of memory."],
    ["Alpha Max needs 128 GB of memory", "Memory of the Alpha Max: 128 GB.", "Alpha Max has 128 GB of memory."],
    ["Alpha Max needs 128 GB of memory", "Alpha Max must have 128 GB of memory.", "Alpha Max offers 128 GB of memory."],
    ["Alpha Max has 128 GB of memory", "Alpha Max offers 128 GB of memory.", "Alpha Max will have 128 GB of memory."],
    [
      "Alpha Max needs 128 GB of memory",
      "Alpha Max requires 128 GB of memory.",
      "It is a myth that Alpha Max needs 128 GB.",
    ],
    [
      "Starter costs $40 per month",
      "The Starter plan is $40 per month.",
      "Starter costs $40 per month less than Plus.",
    ],
    [
      "LockerOS reaches 71.4% accuracy on LockBench",
      "On LockBench LockerOS has an accuracy of 71.4%.",
      "LockerOS reaches 71.4% accuracy on BoxBench.",
    ],
    [
      "LockerOS requires Node 20 or later for plugins",
      "LockerOS requires Node 20 or later for its plugins.",
      "LockerOS requires Node 18 or later for plugins, and Node 20 or later for themes.",
    ],
  ])("%s: %s And not: %s", async (says, same, other) => {
    const page = (text: string) => `# Overview\n\n${text}`;
    expect((await claimsOf(`${says} [1].`, page(same))).length).toBeGreaterThan(0);
    expect(await claimsOf(`${says} [1].`, page(other))).toEqual([]);
  });

  test("a name may begin a sentence, and a common word is none", async () => {
    const page = (text: string) => `# Alpha Max\n\n${text}\n\nSee our pricing.`;
    const beside = "# Engines\n\nAlpha Max has 128 GB of memory. Beta Max is smaller.";
    expect(await claimsOf("Alpha Max has 128 GB of memory [1].", beside)).toEqual([
      "1: the value 128 GB near “Alpha Max memory”",
    ]);
    expect(await claimsOf("Alpha Max starts at $40 per month [1].", page("Pricing starts at $40 per month."))).toEqual([
      "1: the value $40 near “Alpha Max”",
    ]);
    expect(await claimsOf("Kite 3.1 runs on Alpha Max [1].", page("Alpha Max runs Kite 3.1."))).toHaveLength(1);
  });

  test("each of several figures belongs to the citation behind it", async () => {
    const memory = "# Alpha Max\n\nAlpha Max has 128 GB of memory.";
    const speed = "# Alpha Max\n\nAlpha Max moves 546 GB/s between its parts.";
    const both = await claimsOf("The Alpha Max has 128 GB [1], and moves 546 GB/s [2].", memory, speed);
    expect(both).toEqual(["1: the value 128 GB near “Alpha Max memory”", "2: the value 546 GB/s near “Alpha Max”"]);
    expect(await claimsOf("The Alpha Max has 128 GB [2], and moves 546 GB/s [1].", memory, speed)).toEqual([]);
  });

  test("a paragraph's last marks cite all of its sentences; the figure says by which page", async () => {
    const text = "The Alpha Max has 128 GB of memory. The Beta Mini weighs 3 kg. Both are for sale.[1][2]";
    const claims = await claimsOf(text, "# A\n\nAlpha Max: 128 GB of memory", "# B\n\nBeta Mini weighs 3 kg");
    expect(claims).toEqual(["1: the value 128 GB near “Alpha Max memory”", "2: the value 3 kg near “Beta Mini”"]);
  });

  test("a footnote, a link beside the sentence and a column of references cite as numbers do", async () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.";
    const said = "1: the value 128 GB near “Alpha Max memory”";
    expect(
      await claimsOf("The Alpha Max has 128 GB of memory ([specification](https://docs.example.org/page-1)).", page),
    ).toEqual([said]);
    expect(
      await claimsOf("The Alpha Max has 128 GB of memory.[^1]\n\n[^1]: <https://docs.example.org/page-1>", page),
    ).toEqual([said]);
    const table = "| Engine | memory installed | Source |\n|---|---|---|\n| Alpha Max | 128 GB | [1] |";
    expect(await claimsOf(table, page)).toEqual([said]);
  });

  test("a cell of a table is one, whichever way the table is turned", async () => {
    const rows =
      "# S\n\n| Engine | Memory (GiB) | Speed |\n|---|---|---|\n| Alpha Max | 192 | 3 |\n| Beta Mini | 96 | 4 |";
    const columns =
      "# S\n\n| Feature | Alpha Max | Beta Mini |\n|---|---|---|\n| Memory (GiB) | 192 | 96 |\n| Speed | 3 | 4 |";
    expect(await claimsOf("The Alpha Max has 192 GiB memory [1].", rows)).toEqual([
      "1: the value 192 near “Alpha Max Memory GiB”",
    ]);
    expect(await claimsOf("The Alpha Max has 192 GiB memory [1].", columns)).toEqual([
      "1: the value 192 near “Memory GiB Alpha Max”",
    ]);
    expect(await claimsOf("The Beta Mini has 192 GiB memory [1].", columns)).toEqual([]);
    expect(await claimsOf("The Alpha Max has 192 GB memory [1].", rows)).toEqual([]);
  });

  test("the name with which a list begins is said of each of its figures, if the page is about it", async () => {
    const list = (title: string) => `# ${title}\n\nRailLink Alpha 900 GB/s, Beta 130 TB/s across, Gamma 3.6 TB/s`;
    const says = "On Beta, the maker's RailLink reaches 130 TB/s [1].";
    expect(await claimsOf(says, list("RailLink"))).toEqual(["1: the value 130 TB/s near “Beta RailLink”"]);
    expect(await claimsOf(says, list("Trains"))).toEqual([]);
    expect(await claimsOf("On Gamma, the maker's RailLink reaches 130 TB/s [1].", list("RailLink"))).toEqual([]);
    const siblings = "# Alpha Max and Beta Max\n\nAlpha Max 128 GB, Beta Max 64 GB";
    expect(await claimsOf("The Alpha Max has 64 GB [1].", siblings)).toEqual([]);
  });

  test("a bracket right behind a figure says of what it is, unless it has a figure of that sort itself", async () => {
    const page = (text: string) => `# Engines\n\n## Memory\n\n${text}`;
    const says = "The Alpha Max has 128 GB of memory [1].";
    expect(await claimsOf(says, page("128 GB (Alpha Max with 40 pistons)\n\n16 GB (Beta Mini)"))).toEqual([
      "1: the value 128 GB near “Alpha Max memory”",
    ]);
    expect(await claimsOf(says, page("128 GB (Alpha Max 64 GB)"))).toEqual([]);
  });

  test("both ends of a range from one thing to another are figures of their own", async () => {
    const page = "# Rents\n\nRents range from $1.20 per hour for the Alpha Max to $12.00 per hour for the Beta Mini.";
    expect(await claimsOf("The Beta Mini rents for $12.00 per hour [1].", page)).toEqual([
      "1: the value $12.00 near “Beta Mini”",
    ]);
    expect(await claimsOf("The Alpha Max rents for $12.00 per hour [1].", page)).toEqual([]);
  });

  test("the thing behind a comparison is another one", async () => {
    const page = "# Engines\n\n| Engine | Memory | Rail speed |\n|---|---|---|\n| Alpha Max | 128 GB | 6 TB/s |";
    expect(
      await claimsOf("The Alpha Max has 128 GB of memory and 6 TB/s of rail speed than Beta Mini [1].", page),
    ).toEqual(["1: the value 128 GB near “Alpha Max Memory”", "1: the value 6 TB/s near “Alpha Max Rail speed”"]);
    const other = "# Engines\n\nThe Beta Mini has a rail speed of 6 TB/s.";
    expect(await claimsOf("The Alpha Max moves 6 TB/s at higher rail speed than Beta Mini [1].", other)).toEqual([]);
  });

  test("a host alone cites whichever of its pages proves the figure, and contradicts none", async () => {
    const memory = "# Alpha Max\n\nAlpha Max has 128 GB of memory.";
    const speed = "# Alpha Max\n\nAlpha Max moves 546 GB/s between its parts.";
    const says = "The Alpha Max has 128 GB of memory. (docs.example.org(docs.example.org)) It is red.";
    expect(await claimsOf(says, memory, speed)).toEqual(["1: the value 128 GB near “Alpha Max memory”"]);
    expect(await claimsOf(says.replaceAll("docs.", "www."), memory, speed)).toEqual([]);
    const { contrary, claims } = await proposals(says.replace("128", "192"), memory);
    expect([contrary, claims]).toEqual([[], []]);
  });

  test("a source that is named in words is cited, if one source alone is called so, and contradicts nothing", async () => {
    const cited = async (
      says: string,
      title = "Alpha Max documentation",
      page = "# Alpha Max\n\nAlpha Max has 128 GB of memory.",
    ) =>
      await proposedFor(
        `${says}\n\n## References\n\n1. ${title}. https://docs.example.org/alpha\n2. Beta Mini documentation. https://beta.example.org/`,
        "https://docs.example.org/alpha",
        page,
      );
    const host = "According to docs.example.org, the Alpha Max has 128 GB of memory.";
    const name = "The Alpha Max has 128 GB of memory, the Alpha Max docs say.";
    for (const says of [host, name, name.replace("the Alpha Max docs say", "according to the Alpha Max documentation")])
      expect((await cited(says)).claims.map(({ source, proof }) => [source, "value" in proof && proof.value])).toEqual([
        [expect.any(String), "128 GB"],
      ]);
    expect((await cited(host.replace("docs.", "www."))).claims).toEqual([]);
    expect((await cited(name, "Beta Mini documentation, part 2")).claims).toEqual([]);
    expect((await cited("The Alpha Max has 128 GB of memory, the docs say.")).claims).toEqual([]);
    expect((await cited(name.replace("Alpha Max docs", "documentation"))).claims).toEqual([]);
    expect((await cited(host.replace("128", "192"))).contrary).toEqual([]);
  });

  test("a plan that has something plans nothing, and May is a month", async () => {
    const page =
      "# Alpha Max\n\nThe free plan of the Alpha Max has 5 GB of memory.\n\nIn May 2024 the Alpha Max had 12 outages of the boiler.";
    expect(await claimsOf("The free plan of the Alpha Max has 5 GB of memory [1].", page)).toEqual([
      "1: the value 5 GB near “Alpha Max memory”",
    ]);
    expect(await claimsOf("The Alpha Max plans to have 5 GB of memory [1].", page)).toEqual([]);
  });

  test("words between a number and its noun are no noun", async () => {
    const page = "# Alpha Max\n\nThe Alpha Max has 40 additional seats for guests of the crew.";
    expect(await claimsOf("The Alpha Max has 40 extra seats for guests [1].", page)).toEqual([
      "1: the value 40 additional seats near “Alpha Max”",
    ]);
  });

  test("a source that the report calls by what it says of it", async () => {
    const page = "# Rents\n\nNew drivers get a voucher of $300 in a trial of 30 days.";
    const report = "Rents: [$300 voucher, 30-day trial](https://docs.example.org/rents)";
    const { claims } = await proposedFor(report, "https://docs.example.org/rents", page);
    expect(claims.map(({ proof }) => "value" in proof && proof.value)).toEqual(["$300", "30 days"]);
  });

  test.each([
    ["a row", "| Model | Memory |\n|-|-|\n| Q9 | 16 GB |\n| Q7 | 8 GB |", "Q9 Memory"],
    ["a sentence", "The Q9 has 16 GB of memory.\n\nThe Q7 has 8 GB of memory.", "Q9 memory"],
  ])("a page that is called as its subject proves the figure of %s that names it", async (_, body, of) => {
    const sentence = "The Q9 has 16 GB of memory [1].";
    expect(await claimsOf(sentence, `# Q9\n\n${body}`)).toEqual([`1: the value 16 GB near “${of}”`]);
    expect(await claimsOf(sentence, `# Q9\n\n${body.replaceAll("Q9", "Q8")}`)).toEqual([]);
  });

  test("versions, dates, prices and numbers of things", async () => {
    const page = `# Alpha Max

The Alpha Max image ships Turbine 2.8.3 with all tools.

It was announced at the spring fair on 3 March 2026 in public.

The Alpha Max rents for $1.20 per engine-hour.

One Alpha Max fleet holds 9,600 pistons in all.`;
    const text = `The image of the Alpha Max ships Turbine 2.8.3 and its tools [1].

The Alpha Max was announced on March 3, 2026 at the spring fair [1].

The Alpha Max rents for $1.20 per engine-hour [1].

A fleet of Alpha Max holds 9600 pistons [1].`;
    expect(await claimsOf(text, page)).toEqual([
      "1: the value 2.8.3 near “Alpha Max Turbine”",
      "1: the value 3 March 2026 near “Alpha Max”",
      "1: the value $1.20 near “Alpha Max”",
      "1: the value 9,600 pistons near “Alpha Max”",
    ]);
  });
});

describe("in doubt nothing is proposed", () => {
  const page = (text: string) => `# Alpha Max\n\n${text}`;
  const has = "The Alpha Max has 128 GB of memory";
  const none: readonly (readonly [why: string, sentence: string, page: string])[] = [
    ["the page has another figure", has, "The Alpha Max has 192 GB of memory."],
    ["the page says both figures", has, "The Alpha Max has 128 GB of memory.\n\nThe Alpha Max has 192 GB of memory."],
    [
      "the page says it twice",
      has,
      "The Alpha Max has 128 GB of memory.\n\nWith its memory of 128 GB the Alpha Max is large.",
    ],
    [
      "another thing has it",
      "The Beta Mini has 128 GB of memory",
      "The Alpha Max has 128 GB of memory, the Beta Mini has 16 GB of memory.",
    ],
    [
      "a sibling has it",
      "The Alpha has 128 GB of memory",
      "The Alpha Max has 128 GB of memory.\n\nThe Alpha has 16 GB of memory.",
    ],
    [
      "a sibling that the page does not know",
      "The Alpha2 Max has 128 GB of memory",
      "The Alpha Max has 128 GB of memory.",
    ],
    [
      "an entry of a list that begins with another name than the host's",
      "alpha.example - Free logs with 24 hours of retention",
      "Zorbit Nine - free logs with 24 hours of retention.",
    ],
    ["another measure", "The Alpha Max has 128 GB of unified memory", "The Alpha Max has 128 GB of flash storage."],
    ["GB and GiB", "The Alpha Max has 128 GiB of memory", "The Alpha Max has 128 GB of memory."],
    [
      "more than, where the page says as much",
      "The Alpha Max has more than 128 GB of memory",
      "The Alpha Max has 128 GB of memory.",
    ],
    ["as much, where the page says more than", has, "The Alpha Max has more than 128 GB of memory."],
    [
      "at least is not up to",
      "The Alpha Max has up to 128 GB of memory",
      "The Alpha Max has at least 128 GB of memory.",
    ],
    [
      "more than is not at least",
      "The Alpha Max has more than 128 GB of memory",
      "The Alpha Max has at least 128 GB of memory.",
    ],
    [
      "about, where the page is exact about another figure",
      "The Alpha Max has about 130 GB of memory",
      "The Alpha Max has 128 GB of memory.",
    ],
    [
      "a range is not one of its ends",
      "The Alpha Max has 64 to 128 GB of memory",
      "The Alpha Max has 128 GB of memory.",
    ],
    ["an end of a range", has, "The Alpha Max has 64–128 GB of memory."],
    ["a tolerance", "The Alpha Max needs 5 % ± 1 % of memory", "The Alpha Max needs 1 % of memory."],
    ["a decimal comma", "The Alpha Max has 3 TB of memory", "Die Alpha Max hat 5,3 TB memory."],
    [
      "a separator of thousands that may be a decimal point",
      "The Alpha Max has 1.024 GB of memory",
      "The Alpha Max has 1.024 GB of memory.",
    ],
    ["a space in a number", "The Alpha Max has 24 GB of memory", "The Alpha Max has 1 024 GB of memory."],
    ["number words", "The Alpha Max has two terabytes of memory", "The Alpha Max has 2 terabytes of memory."],
    ["a negation in the report", "The Alpha Max does not have 128 GB of memory", "The Alpha Max has 128 GB of memory."],
    ["a negation on the page", has, "The Alpha Max never had 128 GB of memory."],
    ["what was before", has, "The Alpha Max previously had 128 GB of memory."],
    ["what is taken back", has, "The 128 GB memory of the Alpha Max is no longer sold."],
    ["what may come", has, "The Alpha Max could have 128 GB of memory."],
    ["a question", "Does the Alpha Max have 128 GB of memory?", "The Alpha Max has 128 GB of memory."],
    ["a price per another time", "The Alpha Max costs $5 per month", "The Alpha Max costs $5 per year."],
    ["a subject that the page never names", "The Gamma has 128 GB of memory", "Up to 128 GB of memory."],
    [
      "a thing with another name, in a sentence that is the same else",
      "The Gamma runs 4 CPU and has 128 GB of memory for journeys",
      "The Zorbit Nine runs 4 CPU and has 128 GB of memory for journeys.",
    ],
    [
      "what a sentence takes back before it says it",
      has,
      "It is not true any more, whatever the fair was told, that the Alpha Max has 128 GB of memory.",
    ],
    [
      "another version of the thing",
      "Engine 2.1 has 128 GB of memory",
      "Engine 2.0 has 128 GB of memory. Engine 2.1 has 64 GB of memory.",
    ],
  ];
  for (const [why, sentence, text] of none)
    test(why, async () =>
      expect(await claimsOf(`${sentence}${sentence.endsWith("?") ? " [1]" : " [1]."}`, page(text))).toEqual([]),
    );

  test("the one place that says the same of the same with another figure is reported as contrary", async () => {
    const { contrary, claims } = await proposals(`${has} [1].`, page("The Alpha Max has 192 GB of memory."));
    expect(contrary).toMatchObject([{ source: "page-1", figure: "128 GB", there: "192 GB", says: `${has}.` }]);
    expect(claims).toEqual([]);
    for (const text of [
      "The Beta Mini has 192 GB of memory.",
      "The Alpha Max has 192 GB of storage.",
      "The Alpha Max had 192 GB of memory.",
    ])
      expect((await proposals(`${has} [1].`, page(text))).contrary).toEqual([]);
  });

  test("two columns with one name each have their own figures", async () => {
    const table = "# S\n\n| Feature | Alpha Max | Alpha Max |\n|---|---|---|\n| Memory | 128 GB | 64 GB |";
    expect(await claimsOf("The Alpha Max has 128 GB memory [1].", table)).toEqual([]);
  });

  test("a sentence that cites by pages cites one reference, and no others", async () => {
    const other = "# Beta Mini\n\nThe Beta Mini weighs 3 kg.";
    const text = "The Beta Mini weighs 3 kg [1, pp. 2–3].";
    expect(await claimsOf(text, page("Nothing."), other)).toEqual([]);
    expect(await claimsOf(text, other, page("Nothing."))).toEqual(["1: the value 3 kg near “Beta Mini”"]);
  });

  test("a source that was not read proves nothing, and a figure without citation is nobody's", async () => {
    expect(await claimsOf("The Alpha Max has 128 GB of memory.", page("The Alpha Max has 128 GB of memory."))).toEqual(
      [],
    );
    expect((await proposals("The Alpha Max has 128 GB of memory [1].")).considered).toBe(0);
  });
});

describe("passages and facts", () => {
  const page = `# Alpha Max

The Alpha Max is an early prototype and is likely to fail on long journeys.

Set \`ENGINE_PREFER_STEAM\` to choose the boiler.

To drive the Alpha Max on ice you must use Winter Tyres (WT).`;

  test("quoted words and names of variables that are on the page once", async () => {
    expect(
      await claimsOf("The maker calls it “an early prototype” [1], and has ENGINE_PREFER_STEAM for boilers [1].", page),
    ).toEqual(["1: the passage “an early prototype”", "1: the passage “ENGINE_PREFER_STEAM”"]);
    expect(await claimsOf("The maker no longer calls it “an early prototype” [1].", page)).toEqual([]);
    expect(await claimsOf("The maker calls it “a finished product” [1].", page)).toEqual([]);
  });

  test("words that the page denies right before them are not what it says", async () => {
    const says = 'The makers call it "a large and costly mistake" [1].';
    const page = (text: string) => `# Kites\n\nThe first kite ${text}.`;
    expect(await claimsOf(says, page("was a large and costly mistake"))).toHaveLength(1);
    expect(await claimsOf(says, page("was not a large and costly mistake"))).toEqual([]);
  });

  test("the state of a thing, in nearly the page's words", async () => {
    expect(await claimsOf("The Alpha Max is an early prototype that is likely to fail on journeys [1].", page)).toEqual(
      ["1: the passage “The Alpha Max is an early prototype and is likely to fail on long journeys”"],
    );
    expect(
      await claimsOf("The Alpha Max is not an early prototype that is likely to fail on journeys [1].", page),
    ).toEqual([]);
  });

  test("not of another thing, not taken back, and not in as much doubt as one doubts", async () => {
    const runs = (subject: string) =>
      `# Engines\n\n${subject} only runs on narrow rails of steel in the mountains of the north.`;
    const says = "The Alpha Max only runs on narrow rails of steel in mountains [1].";
    expect(await claimsOf(says, runs("The Alpha Max"))).toHaveLength(1);
    expect(await claimsOf(says, runs("The Zorbit Nine"))).toEqual([]);
    expect(await claimsOf(says, runs("Formerly the Alpha Max"))).toEqual([]);
    const opened = "Public Alpha docs say it only runs on narrow rails of steel in mountains [1].";
    expect(await claimsOf(opened, runs("Public Zorbit docs say it"))).toEqual([]);
    const might = says.replace("only runs", "might only run");
    expect(await claimsOf(might, runs("The Alpha Max might"))).toHaveLength(1);
    expect(await claimsOf(might, runs("Formerly the Alpha Max might"))).toEqual([]);
    const table = "| Engine | Notes |\n|---|---|\n| Alpha Max | only runs on narrow rails of steel in mountains [1] |";
    expect(await claimsOf(table, runs("The Alpha Max"))).toHaveLength(1);
    expect(await claimsOf(table, runs("The Zorbit Nine"))).toEqual([]);
  });

  test("a part of a word says nothing about the state of a thing", async () => {
    const stated = async (says: string) => (await proposals(says, "# Rails\n\nNothing.")).stated;
    expect([
      await stated("The Alpha Max has a read-only boiler [1]."),
      await stated("The Alpha Max has only a boiler [1]."),
    ]).toEqual([0, 1]);
  });

  test("a name that the page is said not to mention", async () => {
    const long = `# Alpha Max\n\n${"The Alpha Max runs on rails of steel and of wood. ".repeat(12)}`;
    expect(await claimsOf("The page on the Alpha Max does not mention Gravel [1].", long)).toEqual([
      "1: that “Gravel” is not there",
    ]);
    expect(await claimsOf("The page on the Alpha Max does not mention Rails [1].", long)).toEqual([]);
  });

  test("a sentence that is word for word on its page, however short, and nothing if the page denies it", async () => {
    const says = "Alpha Max does not support clustering";
    expect(await claimsOf(`${says} [1].`, `# Alpha Max\n\nSome words.\n\n${says}.`)).toHaveLength(1);
    expect(await claimsOf(`${says} [1].`, "# Alpha Max\n\nSome words.\n\nAlpha Max supports clustering.")).toEqual([]);
    const { contrary } = await proposals(`${says} [1].`, "# Alpha Max\n\nAlpha Max supports clustering.");
    expect(contrary).toMatchObject([{ there: "Alpha Max supports clustering." }]);
  });

  test("facts as they are", async () => {
    expect(await claimsOf("The Alpha Max is archived [1].", { archived: "yes", public: "yes" })).toEqual(
      ["1: the fact archived: yes"].map((one) => expect.stringContaining(one.slice(3))),
    );
    expect(await claimsOf("The Alpha Max is archived [1].", { archived: "no" })).toEqual([]);
    expect(await claimsOf("The Alpha Max is not archived [1].", { archived: "no" })).toHaveLength(1);
    for (const [says, claimed] of [
      ["The Alpha Max is maintained by one company [1].", 1],
      ["The Alpha Max is under active development [1].", 1],
      ["The Alpha Max is no longer maintained [1].", 0],
      ["The Alpha Max is unmaintained [1].", 0],
    ] as const)
      expect(await claimsOf(says, { archived: "no" })).toHaveLength(claimed);
    expect(await claimsOf("The Alpha Max is maintained by one company [1].", { archived: "yes" })).toEqual([]);
    expect(await claimsOf("The Alpha Max has an Apache 2.0 licence [1].", { license: "Apache-2.0" })).toHaveLength(1);
    expect(await claimsOf("The Alpha Max has an MIT licence [1].", { license: "Apache-2.0" })).toEqual([]);
    expect(await claimsOf("The Alpha Max is under MIT or Apache 2.0 licences [1].", { license: "MIT" })).toEqual([]);
    expect(await claimsOf("The issue on the Alpha Max is still open [1].", { state: "open" })).toHaveLength(1);
    expect(await claimsOf("The issue on the Alpha Max is still open [1].", { state: "closed" })).toEqual([]);
  });
});

describe("the place in the report", () => {
  test("a row and its column, or the words of the sentence, say which ratings rest on a claim", async () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.";
    const { claims } = await proposals("The Alpha Max has 128 GB of memory [1].", page);
    expect(claims.map(({ ratings, cites, says }) => ({ ratings, cites, says }))).toEqual([
      { ratings: ["alpha-max/memory"], cites: [1], says: "The Alpha Max has 128 GB of memory." },
    ]);
    const both = await proposals("The Alpha Max, unlike the Beta Mini, has 128 GB of memory [1].", page);
    expect(both.claims).toEqual([]);
  });

  test("of several things that a sentence names, the one that its proof or its heading names alone is rated", async () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.\n\nAll ship with “a boiler for steam” in memory.";
    const rated = async (text: string) => (await proposals(text, page)).claims.map(({ ratings }) => ratings);
    expect(await rated("The Alpha Max has 128 GB of memory [1], and the Beta Mini has none.")).toEqual([
      ["alpha-max/memory"],
    ]);
    const quoted = "Alpha Max and Beta Mini have “a boiler for steam” in memory [1].";
    expect(await rated(`### Beta Mini\n\n${quoted}`)).toEqual([["beta-mini/memory"]]);
    expect(await rated(quoted)).toEqual([[]]);
  });

  test("if the rated thing is not named, all ratings that rest on the source are meant, for the thing in the sentence", async () => {
    const page = "# Engines\n\nAlpha Max weighs 128 kg in all.";
    const rated = async (sentence: string) => (await proposals(sentence, page)).claims.map(({ ratings }) => ratings);
    const says = "The Alpha Max weighs 128 kg in all [1].";
    expect(await rated(says)).toEqual([["alpha-max/memory", "alpha-max/speed"]]);
    expect(await rated(`${says}\n\nFor its memory the Alpha Max weighs 128 kg in all [1].`)).toEqual([
      ["alpha-max/memory"],
    ]);
  });

  test.each([
    [
      "price/alpha-max",
      "| | Alpha Max | Beta Mini |\n|-|-|-|\n| Speed | High [1] | Low |\n| Price | Low [2] | High [2] |",
    ],
    [
      "alpha-max/price",
      "| | Speed | Price |\n|-|-|-|\n| Alpha Max | High [1] | Low [2] |\n| Beta Mini | Low | High [2] |",
    ],
  ])("a source that a rated cell cites is asked about for that rating, %s", async (rating, table) => {
    const text = `# State of Engines

${table}

The Alpha Max starter plan costs $29 per month [2].

## References

1. Speeds. https://docs.example.org/speeds
2. Plans. https://docs.example.org/plans
`;
    const page = "# Plans\n\nThe Alpha Max starter plan costs $29 per month.";
    // A part of the sentence that cites another source says nothing about this one.
    const mixed = text.replace(
      "The Alpha Max starter plan costs",
      "The Alpha Max has a high speed [1], and its starter plan costs",
    );
    for (const report of [text, mixed]) {
      const { claims } = await proposedForWhole(report, "https://docs.example.org/plans", page);
      expect(claims.map(({ ratings }) => ratings)).toEqual([[rating]]);
    }
  });

  test.each([
    ["CUDA has 128 GB of memory", "CUDA", ["nvidia-cuda/memory"]],
    ["On NVIDIA the GPU has 128 GB of memory", "GPU", ["apple-gpu/memory"]],
    ["The NVIDIA GPU has 128 GB of memory", "NVIDIA GPU", []],
    ["The Silicon has 128 GB of memory", "Silicon", []],
  ])("a name may be shortened to a last word that is no common one: %s", async (says, thing, ratings) => {
    const table =
      "| Engine | Memory |\n|-|-|\n| NVIDIA CUDA | High |\n| Apple GPU | Low |\n| Big Silicon | Low |\n| Japanese Owl | High |";
    const text = `# Engines\n\n${table}\n\n${says} [1].\n\n## References\n\n1. Plans. https://docs.example.org/plans\n`;
    const page = `# Plans\n\n${thing} has 128 GB of memory.`;
    const { claims } = await proposedForWhole(text, "https://docs.example.org/plans", page);
    expect(claims.flatMap((claim) => claim.ratings)).toEqual(ratings);
  });

  test("a claim that config has is not proposed again", async () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.";
    const first = await proposals("The Alpha Max has 128 GB of memory [1].", page);
    expect([first.considered, first.stated, first.proved]).toEqual([1, 1, 1]);
  });
});

describe("hostile reports", () => {
  test("thousands of citations are capped, in bounded time", async () => {
    const many = Array.from(
      { length: inputSize(10_000, 5_200) },
      (_, i) => `The Alpha Max has ${i} GB of memory [1].`,
    ).join("\n\n");
    const { considered, left, cut, claims } = await proposals(many, "# Alpha Max\n\nAlpha Max has 128 GB of memory.");
    expect(considered + left).toBeGreaterThan(5_000);
    expect(considered).toBeLessThanOrEqual(5_000);
    expect([cut, claims.length]).toEqual([false, 1]);
  });

  test("a page that says everything of everything", async () => {
    const page = `# Alpha Max\n\n${Array.from({ length: inputSize(20_000, 2_500) }, (_, i) => `Only the Alpha Max requires ${i} GB of memory number ${i}.`).join("\n\n")}`;
    const many = Array.from(
      { length: inputSize(5_000, 600) },
      (_, i) => `Only the Alpha Max requires ${i} GB of memory [1].`,
    ).join("\n\n");
    const began = processorTime();
    expect((await proposals(many, page)).claims).toEqual([]);
    expectTime(processorTime() - began, inputSize(8_000, 1_500));
  });

  test("a sentence of thousands of figures", async () => {
    const began = processorTime();
    await proposals(`${"$1a'".repeat(inputSize(6_000, 1_500))} [1].`, "# A\n\nB");
    expectTime(processorTime() - began, inputSize(4_000, 1_000));
  });

  test("fifty megabytes are cut", async () => {
    const { cut } = await proposals(`${"word ".repeat(10_000_000)} [1].`, "# A\n\nB");
    expect(cut).toBe(true);
  });

  test("long runs of digits, marks and brackets", async () => {
    for (const unit of ["1,", "[1]", "A ", "“", "a_", "not "]) {
      const text = unit.repeat(inputSize(20_000, 5_000));
      expect((await proposals(`The Alpha Max has ${text} [1].`, `# A\n\n${text}`)).claims).toEqual([]);
    }
  });
});

describe("limits on time", () => {
  const memory = "# Alpha Max\n\nAlpha Max has 128 GB of memory.";
  const speed = "# Alpha Max\n\nAlpha Max moves 546 GB/s between its parts.";
  const says = "The Alpha Max has 128 GB of memory [1]. The Alpha Max moves 546 GB/s [2].";
  const failure = new Failure("processor", { after: 5_000 });
  const failing = (step: keyof Proving, of: (input: never) => boolean): Partial<Proving> => ({
    [step]: (input: never, config: never) =>
      of(input) ? Promise.reject(failure) : (provingHere(readers)[step] as (...all: never[]) => unknown)(input, config),
  });
  const isMemory = ({ reading }: { reading: Reading }) => JSON.stringify(reading).includes("128");

  test("is reported, and costs its own claims alone", async () => {
    const proposed = await proposals(says, memory, speed);
    expect(proposed.claims).toHaveLength(2);
    expect(proposed.beyond).toEqual([]);
    const [first, second] = proposed.claims;
    for (const one of [failing("prove", isMemory), failing("sift", ({ source }) => source === first?.source)]) {
      const { claims, open, unproved, beyond } = await proposalsBy(one, says, memory, speed);
      expect(claims).toEqual([second]);
      expect([open, unproved]).toEqual([[], 1]);
      expect(beyond).toEqual([{ source: first?.source, says: "reading it took more than 5 s of processor time" }]);
    }
    const { claims, beyond } = await proposalsBy(
      failing("stated", () => true),
      says,
      memory,
      speed,
    );
    expect([claims, beyond]).toMatchObject([[], [{ source: "README.md" }]]);
  });

  test("and that Recheck is stopping is the fault of no page", async () => {
    const stopping = { prove: () => Promise.reject(new Failure("deferred", { why: "Recheck is stopping" })) };
    await expect(proposalsBy(stopping, says, memory)).rejects.toThrow("Recheck is stopping");
  });
});

test("a thing that shares one word with a rated one is another thing", async () => {
  const rated = "| Model | Ready? |\n|-|-|\n| owl-japanese-preview | ✅ |\n| Beta BERT | ❌ |\n| Gamma BERT | ✅ |";
  const sizes =
    "## Japanese models of text\n\n| Model | Size |\n|-|-|\n| [Kite 7B](https://kite.example.org/7b) | 650 GB |\n| [Fox 1B](https://fox.example.org/1b) | 12 GB |";
  const page = "# Kite 7B\n\nThe size of Kite 7B is 650 GB.";
  const { claims } = await proposedForWhole(
    `# State of Models\n\n${rated}\n\n${sizes}`,
    "https://kite.example.org/7b",
    page,
  );
  expect(claims.map(({ ratings }) => ratings)).toEqual([[]]);
});

test.each([
  ["its paragraph", "State of Models", "Beta BERT is old. The Kite paper"],
  ["the report's title", "Alpha BERT and others", "The Kite paper"],
  ["the last word of a name", "State of Models", "The Kite paper on GitHub"],
  ["an abbreviation as common as AI", "State of Models", "The AI paper"],
  ["the subject of the whole report", "State of Alpha BERT", "Alpha BERT"],
])("a sentence that names no rated thing rests on none: not by %s", async (_, title, begins) => {
  const rated =
    "| Model | Ready? |\n|-|-|\n| Alpha BERT | ✅ |\n| Beta BERT | ❌ |\n| Models on GitHub | ✅ |\n| Vertex AI | ✅ |";
  const says = `${begins} supports 12 tails and [says](https://kite.example.org/7b) so.`;
  const { claims } = await proposedForWhole(
    `# ${title}\n\n${rated}\n\n## Others\n\n${says}`,
    "https://kite.example.org/7b",
    `# Paper\n\n${begins.replace(/.*\. /, "")} supports 12 tails and says so.`,
  );
  expect(claims.flatMap(({ ratings }) => ratings)).toEqual([]);
  expect(claims).not.toEqual([]);
});

test.each([
  ["Markdown", "a.md", "# Prices\n\nAlpha Max costs $29[^1].\n\n[^1]: [Alpha](https://a.example.org/)"],
  ["AsciiDoc", "a.adoc", "= Prices\n\nAlpha Max costs $29footnote:[See https://a.example.org/[Alpha].]."],
  ["MediaWiki", "a.wiki", "== Prices ==\nAlpha Max costs $29<ref>[https://a.example.org/ Alpha]</ref>."],
])("the mark of a footnote is no part of the figure before it: %s", (_, path, text) => {
  const [sentence] = citedSentences(reportTextOf(path, text)).sentences;
  expect([sentence?.text, sentence?.marks]).toEqual(["Alpha Max costs $29.", [{ at: 19, number: 1 }]]);
});

describe("a figure with one separator of thousands", () => {
  const english = "\n\nThe kite is flown on the beach, with notes about the wind and the tails that it needs.".repeat(
    4,
  );
  const german = "\n\nDer Drachen wird am Strand geflogen, mit Hinweisen zum Wind und zu dem Schwanz.".repeat(4);
  test.each([
    ["$6,999", `The Alpha costs $6,999.${english}`, ["1: the value $6,999 near “Alpha”"]],
    ["$6,999", `Die Alpha kostet $6.999.${german}`, ["1: the value $6.999 near “Alpha”"]],
    ["$6.999", `Die Alpha kostet $6.999.${german}`, ["1: the value $6.999 near “Alpha”"]],
    ["$6.999", `The Alpha costs $6,999.${english}`, []],
    ["$6,999", "The Alpha costs $6,999.", []],
  ])("is %s if the page leaves no doubt", async (price, page, claims) => {
    expect(await claimsOf(`The Alpha costs ${price} [1].`, `# Prices\n\n${page}`)).toEqual(claims);
  });
});

test("a unit of one letter ends a sentence, and the letter of a name does not", () => {
  const text = "# Kites\n\nIt takes 450 W [1]. It is by A. Kite [2].\n";
  expect(citedSentences(reportTextOf("a.md", text)).sentences.map((one) => one.text)).toEqual([
    "It takes 450 W.",
    "It is by A. Kite.",
  ]);
});

test("an item that holds only the labels of its links says nothing", async () => {
  const page = "# Downloads\n\nKites for all.\n\n:apple: Kites for macOS | Kites for Linux";
  const cites = "[:apple: Kites for macOS](https://kite.example.org/a) | [Kites for Linux](https://kite.example.org/a)";
  const { claims } = await proposedForWhole(`# Kites\n\n- ${cites}`, "https://kite.example.org/a", page);
  expect(claims).toEqual([]);
});

test("text between two quotations is no quotation", async () => {
  const says =
    'See the section "manual" of the book Kite Papers and the section "Grouping of tails" of this chapter [1].';
  expect(await claimsOf(says, "# Kites\n\nIt is of the book Kite Papers and the section below.")).toEqual([]);
  expect(
    await claimsOf(
      "Er sagt „der Drachen fliegt sehr hoch“ dazu [1].",
      "# Kites\n\nAlle sagen: der Drachen fliegt sehr hoch.",
    ),
  ).toEqual(["1: the passage “der Drachen fliegt sehr hoch”"]);
  expect(
    await claimsOf(
      "Hon säger ”draken flyger mycket högt” här [1].",
      "# Drakar\n\nAlla säger: draken flyger mycket högt.",
    ),
  ).toEqual(["1: the passage “draken flyger mycket högt”"]);
});

test.each([
  ["the version of a licence", "Alpha Max is under Apache 2.0 [1].", "# Alpha Max\n\nAlpha Max is under Apache 2.0."],
  [
    "the version of a named licence",
    "Alpha Max is under Kite 3.3 Community License [1].",
    "# Alpha Max\n\nAlpha Max is under Kite 3.3 Community License.",
  ],
  [
    "a licence with its number last",
    "Alpha Max: Kite Open License v1.0 [1].",
    "# Alpha Max\n\nAlpha Max: Kite Open License v1.0",
  ],
  [
    "a licence by its letters",
    "Alpha Max is under the EUPL 1.2 [1].",
    "# Alpha Max\n\nAlpha Max is under the EUPL 1.2.",
  ],
  [
    "a licence with hard hyphens",
    "The Alpha Max is CC BY‑NC 4.0 [1].",
    "# Alpha Max\n\nThe Alpha Max is CC BY‑NC 4.0.",
  ],
  [
    "a number in an identifier",
    "Alpha Max has the 639-spec-field section [1].",
    "# Alpha Max\n\nAlpha Max has the 639-spec-field section.",
  ],
  [
    "a duration in a title",
    'Alpha Max has a talk, "Your first kite in 1 hour" by S. Owl [1].',
    "# Talks\n\nAlpha Max: the talk is 1 hour.",
  ],
])("%s is no figure", async (_, says, page) => {
  expect((await claimsOf(says, page)).filter((claim) => claim.includes("the value"))).toEqual([]);
});

describe("a statement that no source confirms", () => {
  const page = "# Kite\n\nKite Cloud keeps data for 30 days. Kite Cloud is sold by resellers only.";
  const unconfirmed = async (says: string, ...pages: string[]) =>
    (await proposals(says, ...pages)).unconfirmed.map(({ says, nearest }) => [says, nearest]);

  test("is listed with the nearest passage of its source, if there is one", async () => {
    expect(await unconfirmed("Kite Cloud requires resellers to keep data [1].", page)).toEqual([
      [
        "Kite Cloud requires resellers to keep data.",
        "Kite Cloud keeps data for 30 days. Kite Cloud is sold by resellers only",
      ],
    ]);
    expect(await unconfirmed("Grain mills need 40 MB of wheat [1].", page)).toEqual([
      ["Grain mills need 40 MB of wheat.", undefined],
    ]);
    expect(await unconfirmed("Kite needs oil [1].", page)).toEqual([["Kite needs oil.", undefined]]);
  });

  test("is not listed if another source confirms it, or one contradicts it, or none was read", async () => {
    const other = "# Mills\n\nMill Two has 40 MB of memory.";
    expect(await unconfirmed("Mill Two has 40 MB of memory [1][2].", page, other)).toEqual([]);
    expect(await unconfirmed("Mill Two has 50 MB of memory [1].", other)).toEqual([]);
    const { config, readings, report } = given("Mill Two has 40 MB of memory [1].", page);
    readings.clear();
    expect((await proposeClaims([report], config, { readings, proving: provingHere(readers) })).unconfirmed).toEqual(
      [],
    );
  });

  test.each([
    ["Kite is free under the Apache-2.0 licence", "Kite is free under the Apache-2.0 licence.", []],
    ["An Oxbow server needs 16 GB of memory", "An Oxbow server needs 32 GB of memory.", []],
    ["Mill Two has 40 MB of memory and weighs 30 kg", "Mill Two has 40 MB of memory.", [expect.any(String)]],
  ])("is listed if a part of its sentence is open: %s", async (says, there, open) => {
    expect((await unconfirmed(`${says} [1].`, `# Page\n\n${there}`)).map(([words]) => words)).toEqual(open);
  });
});

describe("a sentence that is word for word on its page", () => {
  const page = (text: string) => `# Grainstore\n\n${text} Ask us about prices.`;

  test.each([
    "Clustering is experimental",
    "Grainstore runs on Linux and macOS",
    "Grainstore cannot join two tables",
    "Grainstore is free under the Apache-2.0 licence",
  ])("is a claim, however short: %s", async (says) => {
    expect(await claimsOf(`${says} [1].`, page(`${says}.`))).toEqual([`1: the passage “${says}”`]);
  });

  test("is one claim, also if it has a figure that is proved", async () => {
    expect(await claimsOf("Grainstore costs $29 per month [1].", page("Grainstore costs $29 per month."))).toEqual([
      expect.stringContaining("the value $29"),
    ]);
    const [needs, there] = [
      "The engine Grainstore needs 16 GB of memory",
      "The engine Grainstore needs 16 GB of memory and runs on Linux.",
    ];
    expect(await claimsOf(`${needs} [1].`, page(there))).toEqual([`1: the passage “${there.slice(0, -1)}”`]);
  });

  test.each([
    ["a part of a sentence", "Grainstore runs on Linux", "Grainstore runs on Linux only with a licence."],
    ["there twice", "Clustering is experimental", "Clustering is experimental. Note: clustering is experimental."],
    ["a way to the page", "The set-up is at https://a.example.org/b", "The set-up is at https://a.example.org/b."],
    ["a heading", "Clustering is experimental", "Welcome.\n\n## Clustering is experimental\n\nWelcome."],
  ])("is none if it is %s", async (_, says, there) => {
    expect(await claimsOf(`${says} [1].`, page(there))).toEqual([]);
  });

  test("is not counted among the statements otherwise", async () => {
    const { stated, unconfirmed } = await proposals("Grainstore runs on Windows [1].", page("Welcome."));
    expect([stated, unconfirmed]).toEqual([0, []]);
  });
});

describe("news against the report's own words alters its claim", () => {
  test.each([
    ["now supported", "Grainstore does not support clustering", "Since 0.10, Grainstore supports clustering"],
    ["now possible", "Grainstore cannot join two tables", "Grainstore can join two tables"],
    ["no longer experimental", "Clustering is experimental", "Clustering is stable since 0.10"],
    [
      "except …",
      "Grainstore supports backups of all tables",
      "Grainstore supports backups of all tables, except replicas",
    ],
    ["except on …", "Grainstore runs on Linux and macOS", "Grainstore runs on Linux and macOS, except on ARM"],
  ])("%s", async (_, was, is) => {
    const blocks = (text: string) => blocksOfMarkdown(`# Grainstore\n\n${text}. It keeps data in columns.\n\nAsk us.`);
    const { config, readings, report } = given(
      `${was} [1].`,
      `# Grainstore\n\n${was}. It keeps data in columns.\n\nAsk us.`,
    );
    const { claims } = await proposeClaims([report], config, { readings, proving: provingHere(readers) });
    const [claim] = claims;
    if (!claim || "fact" in claim.proof) throw new Error("no claim of a text");
    const proofs = [{ ...claim, proof: claim.proof }];
    const before = proveClaims(proofs, blocks(was), new Map(), 1).states;
    expect(before).toMatchObject([{ status: "supported" }]);
    const states = new Map(before.map((state) => [state.claim, state]));
    const { changes } = proveClaims(proofs, blocks(is), states, 2, blocks(was));
    expect(changes.map(({ to }) => to)).toEqual([expect.stringMatching(/altered|gone/)]);
  });

  test("archived", async () => {
    const { claims } = await proposals("Grainstore is maintained by one company [1].", { archived: "no" });
    expect(claims).toMatchObject([{ proof: { fact: "archived", is: "no" } }]);
  });
});
