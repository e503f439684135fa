import { describe, expect, test } from "vitest";
import { processorTime } from "../../support/processor-time.ts";
import { claimsOf, proposals, proposedFor } from "./given.ts";

describe("figures that the cited page has", () => {
  test("a figure is proved by its like, near the words that both have", () => {
    const page = "# Engines\n\nAlpha Max has up to 128GB of unified memory.\n\nBeta Mini has 16 GB of unified memory.";
    expect(claimsOf("The Alpha Max has up to 128 GB unified memory [1].", page)).toEqual([
      '1: the value 128GB near "Alpha Max unified memory"',
    ]);
  });

  test("each of several figures belongs to the citation behind it", () => {
    const memory = "# Alpha Max\n\nAlpha Max has 128 GB of memory.";
    const speed = "# Alpha Max\n\nAlpha Max moves 546 GB/s between its parts.";
    const both = claimsOf("The Alpha Max has 128 GB [1], and moves 546 GB/s [2].", memory, speed);
    expect(both).toEqual(['1: the value 128 GB near "Alpha Max memory"', '2: the value 546 GB/s near "Alpha Max"']);
    expect(claimsOf("The Alpha Max has 128 GB [2], and moves 546 GB/s [1].", memory, speed)).toEqual([]);
  });

  test("a paragraph's last marks cite all of its sentences; the figure says by which page", () => {
    const text = "The Alpha Max has 128 GB of memory. The Beta Mini weighs 3 kg. Both are for sale.[1][2]";
    const claims = claimsOf(text, "# A\n\nAlpha Max: 128 GB of memory", "# B\n\nBeta Mini weighs 3 kg");
    expect(claims).toEqual(['1: the value 128 GB near "Alpha Max memory"', '2: the value 3 kg near "Beta Mini"']);
  });

  test("a footnote, a link beside the sentence and a column of references cite as numbers do", () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.";
    const said = '1: the value 128 GB near "Alpha Max memory"';
    expect(
      claimsOf("The Alpha Max has 128 GB of memory ([specification](https://docs.example.org/page-1)).", page),
    ).toEqual([said]);
    expect(
      claimsOf("The Alpha Max has 128 GB of memory.[^1]\n\n[^1]: <https://docs.example.org/page-1>", page),
    ).toEqual([said]);
    const table = "| Engine | memory installed | Source |\n|---|---|---|\n| Alpha Max | 128 GB | [1] |";
    expect(claimsOf(table, page)).toEqual([said]);
  });

  test("a cell of a table is one, whichever way the table is turned", () => {
    const rows =
      "# S\n\n| Engine | Memory (GiB) | Speed |\n|---|---|---|\n| Alpha Max | 192 | 3 |\n| Beta Mini | 96 | 4 |";
    const columns =
      "# S\n\n| Feature | Alpha Max | Beta Mini |\n|---|---|---|\n| Memory (GiB) | 192 | 96 |\n| Speed | 3 | 4 |";
    expect(claimsOf("The Alpha Max has 192 GiB memory [1].", rows)).toEqual([
      '1: the value 192 near "Alpha Max Memory GiB"',
    ]);
    expect(claimsOf("The Alpha Max has 192 GiB memory [1].", columns)).toEqual([
      '1: the value 192 near "Memory GiB Alpha Max"',
    ]);
    expect(claimsOf("The Beta Mini has 192 GiB memory [1].", columns)).toEqual([]);
    expect(claimsOf("The Alpha Max has 192 GB memory [1].", rows)).toEqual([]);
  });

  test("the name with which a list begins is said of each of its figures, where the page is about it", () => {
    const list = (title: string) => `# ${title}\n\nRailLink Alpha 900 GB/s, Beta 130 TB/s across, Gamma 3.6 TB/s`;
    const says = "On Beta, the maker's RailLink reaches 130 TB/s [1].";
    expect(claimsOf(says, list("RailLink"))).toEqual(['1: the value 130 TB/s near "Beta RailLink"']);
    expect(claimsOf(says, list("Trains"))).toEqual([]);
    expect(claimsOf("On Gamma, the maker's RailLink reaches 130 TB/s [1].", list("RailLink"))).toEqual([]);
    const siblings = "# Alpha Max and Beta Max\n\nAlpha Max 128 GB, Beta Max 64 GB";
    expect(claimsOf("The Alpha Max has 64 GB [1].", siblings)).toEqual([]);
  });

  test("a bracket right behind a figure says of what it is, unless it has a figure of that sort itself", () => {
    const page = (text: string) => `# Engines\n\n## Memory\n\n${text}`;
    const says = "The Alpha Max has 128 GB of memory [1].";
    expect(claimsOf(says, page("128 GB (Alpha Max with 40 pistons)\n\n16 GB (Beta Mini)"))).toEqual([
      '1: the value 128 GB near "Alpha Max memory"',
    ]);
    expect(claimsOf(says, page("128 GB (Alpha Max 64 GB)"))).toEqual([]);
  });

  test("both ends of what ranges from one thing to another are figures of their own", () => {
    const page = "# Rents\n\nRents range from $1.20 per hour for the Alpha Max to $12.00 per hour for the Beta Mini.";
    expect(claimsOf("The Beta Mini rents for $12.00 per hour [1].", page)).toEqual([
      '1: the value $12.00 near "Beta Mini"',
    ]);
    expect(claimsOf("The Alpha Max rents for $12.00 per hour [1].", page)).toEqual([]);
  });

  test("behind a comparison stands another thing", () => {
    const page = "# Engines\n\n| Engine | Memory | Rail speed |\n|---|---|---|\n| Alpha Max | 128 GB | 6 TB/s |";
    expect(claimsOf("The Alpha Max has 128 GB of memory and 6 TB/s of rail speed than Beta Mini [1].", page)).toEqual([
      '1: the value 128 GB near "Alpha Max Memory"',
      '1: the value 6 TB/s near "Alpha Max Rail speed"',
    ]);
    const other = "# Engines\n\nThe Beta Mini has a rail speed of 6 TB/s.";
    expect(claimsOf("The Alpha Max moves 6 TB/s at higher rail speed than Beta Mini [1].", other)).toEqual([]);
  });

  test("a host alone cites whichever of its pages proves the figure, and contradicts none", () => {
    const memory = "# Alpha Max\n\nAlpha Max has 128 GB of memory.";
    const speed = "# Alpha Max\n\nAlpha Max moves 546 GB/s between its parts.";
    const says = "The Alpha Max has 128 GB of memory. (docs.example.org(docs.example.org)) It is red.";
    expect(claimsOf(says, memory, speed)).toEqual(['1: the value 128 GB near "Alpha Max memory"']);
    expect(claimsOf(says.replaceAll("docs.", "www."), memory, speed)).toEqual([]);
    const { contrary, claims } = proposals(says.replace("128", "192"), memory);
    expect([contrary, claims]).toEqual([[], []]);
  });

  test("who is named in words is cited, where one source alone is called so, and contradicts nothing", () => {
    const cited = (
      says: string,
      title = "Alpha Max documentation",
      page = "# Alpha Max\n\nAlpha Max has 128 GB of memory.",
    ) =>
      proposedFor(
        `${says}\n\n## References\n\n1. ${title}. https://docs.example.org/alpha\n2. Beta Mini documentation. https://beta.example.org/`,
        "https://docs.example.org/alpha",
        page,
      );
    const host = "According to docs.example.org, the Alpha Max has 128 GB of memory.";
    const name = "The Alpha Max has 128 GB of memory, the Alpha Max docs say.";
    for (const says of [host, name, name.replace("the Alpha Max docs say", "according to the Alpha Max documentation")])
      expect(cited(says).claims.map(({ source, proof }) => [source, "value" in proof && proof.value])).toEqual([
        [expect.any(String), "128 GB"],
      ]);
    expect(cited(host.replace("docs.", "www.")).claims).toEqual([]);
    expect(cited(name, "Beta Mini documentation, part 2").claims).toEqual([]);
    expect(cited("The Alpha Max has 128 GB of memory, the docs say.").claims).toEqual([]);
    expect(cited(name.replace("Alpha Max docs", "documentation")).claims).toEqual([]);
    expect(cited(host.replace("128", "192")).contrary).toEqual([]);
  });

  test("a plan that has something plans nothing, and May is a month", () => {
    const page =
      "# Alpha Max\n\nThe free plan of the Alpha Max has 5 GB of memory.\n\nIn May 2024 the Alpha Max had 12 outages of the boiler.";
    expect(claimsOf("The free plan of the Alpha Max has 5 GB of memory [1].", page)).toEqual([
      '1: the value 5 GB near "Alpha Max memory"',
    ]);
    expect(claimsOf("The Alpha Max plans to have 5 GB of memory [1].", page)).toEqual([]);
  });

  test("words between a number and what is counted do not say what is counted", () => {
    const page = "# Alpha Max\n\nThe Alpha Max has 40 additional seats for guests of the crew.";
    expect(claimsOf("The Alpha Max has 40 extra seats for guests [1].", page)).toEqual([
      '1: the value 40 additional seats near "Alpha Max"',
    ]);
  });

  test("a source that the report calls by what it says of it", () => {
    const page = "# Rents\n\nNew drivers get a voucher of $300 in a trial of 30 days.";
    const report = "Rents: [$300 voucher, 30-day trial](https://docs.example.org/rents)";
    const { claims } = proposedFor(report, "https://docs.example.org/rents", page);
    expect(claims.map(({ proof }) => "value" in proof && proof.value)).toEqual(["$300", "30 days"]);
  });

  test("versions, dates, prices and numbers of things", () => {
    const page = `# Alpha Max

The Alpha Max image ships Turbine 2.8.3 with all tools.

It was announced at the spring fair on 3 March 2026 in public.

The Alpha Max rents for $1.20 per engine-hour.

One Alpha Max fleet holds 9,600 pistons in all.`;
    const text = `The image of the Alpha Max ships Turbine 2.8.3 and its tools [1].

The Alpha Max was announced on March 3, 2026 at the spring fair [1].

The Alpha Max rents for $1.20 per engine-hour [1].

A fleet of Alpha Max holds 9600 pistons [1].`;
    expect(claimsOf(text, page)).toEqual([
      '1: the value 2.8.3 near "Alpha Max Turbine"',
      '1: the value 3 March 2026 near "Alpha Max"',
      '1: the value $1.20 near "Alpha Max"',
      '1: the value 9,600 pistons near "Alpha Max"',
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
    test(why, () =>
      expect(claimsOf(`${sentence}${sentence.endsWith("?") ? " [1]" : " [1]."}`, page(text))).toEqual([]),
    );

  test("the one place that says the same of the same with another figure is told as contrary", () => {
    const { contrary, claims } = proposals(`${has} [1].`, page("The Alpha Max has 192 GB of memory."));
    expect(contrary).toEqual([{ source: "page-1", figure: "128 GB", there: "192 GB", says: `${has}.` }]);
    expect(claims).toEqual([]);
    for (const text of [
      "The Beta Mini has 192 GB of memory.",
      "The Alpha Max has 192 GB of storage.",
      "The Alpha Max had 192 GB of memory.",
    ])
      expect(proposals(`${has} [1].`, page(text)).contrary).toEqual([]);
  });

  test("two columns with one name each have their own figures", () => {
    const table = "# S\n\n| Feature | Alpha Max | Alpha Max |\n|---|---|---|\n| Memory | 128 GB | 64 GB |";
    expect(claimsOf("The Alpha Max has 128 GB memory [1].", table)).toEqual([]);
  });

  test("a sentence that cites by pages cites one reference, and no others", () => {
    const other = "# Beta Mini\n\nThe Beta Mini weighs 3 kg.";
    const text = "The Beta Mini weighs 3 kg [1, pp. 2–3].";
    expect(claimsOf(text, page("Nothing."), other)).toEqual([]);
    expect(claimsOf(text, other, page("Nothing."))).toEqual(['1: the value 3 kg near "Beta Mini"']);
  });

  test("a source that was not read proves nothing, and a figure without citation is nobody's", () => {
    expect(claimsOf("The Alpha Max has 128 GB of memory.", page("The Alpha Max has 128 GB of memory."))).toEqual([]);
    expect(proposals("The Alpha Max has 128 GB of memory [1].").considered).toBe(0);
  });
});

describe("passages and facts", () => {
  const page = `# Alpha Max

The Alpha Max is an early prototype and is likely to fail on long journeys.

Set \`ENGINE_PREFER_STEAM\` to choose the boiler.

To drive the Alpha Max on ice you must use Winter Tyres (WT).`;

  test("quoted words and names of variables that stand on the page once", () => {
    expect(
      claimsOf("The maker calls it “an early prototype” [1], and has ENGINE_PREFER_STEAM for boilers [1].", page),
    ).toEqual(['1: the passage "an early prototype"', '1: the passage "ENGINE_PREFER_STEAM"']);
    expect(claimsOf("The maker no longer calls it “an early prototype” [1].", page)).toEqual([]);
    expect(claimsOf("The maker calls it “a finished product” [1].", page)).toEqual([]);
  });

  test("how a thing stands, in nearly the page's words", () => {
    expect(claimsOf("The Alpha Max is an early prototype that is likely to fail on journeys [1].", page)).toEqual([
      '1: the passage "The Alpha Max is an early prototype and is likely to fail on long journeys"',
    ]);
    expect(claimsOf("The Alpha Max is not an early prototype that is likely to fail on journeys [1].", page)).toEqual(
      [],
    );
  });

  test("not of another thing, not taken back, and not in as much doubt as one doubts", () => {
    const runs = (subject: string) =>
      `# Engines\n\n${subject} only runs on narrow rails of steel in the mountains of the north.`;
    const says = "The Alpha Max only runs on narrow rails of steel in mountains [1].";
    expect(claimsOf(says, runs("The Alpha Max"))).toHaveLength(1);
    expect(claimsOf(says, runs("The Zorbit Nine"))).toEqual([]);
    expect(claimsOf(says, runs("Formerly the Alpha Max"))).toEqual([]);
    const opened = "Public Alpha docs say it only runs on narrow rails of steel in mountains [1].";
    expect(claimsOf(opened, runs("Public Zorbit docs say it"))).toEqual([]);
    const might = says.replace("only runs", "might only run");
    expect(claimsOf(might, runs("The Alpha Max might"))).toHaveLength(1);
    expect(claimsOf(might, runs("Formerly the Alpha Max might"))).toEqual([]);
    const table = "| Engine | Notes |\n|---|---|\n| Alpha Max | only runs on narrow rails of steel in mountains [1] |";
    expect(claimsOf(table, runs("The Alpha Max"))).toHaveLength(1);
    expect(claimsOf(table, runs("The Zorbit Nine"))).toEqual([]);
  });

  test("a part of a word says nothing of how a thing stands", () => {
    const stated = (says: string) => proposals(says, "# Rails\n\nNothing.").stated;
    expect([
      stated("The Alpha Max has a read-only boiler [1]."),
      stated("The Alpha Max has only a boiler [1]."),
    ]).toEqual([0, 1]);
  });

  test("a name that the page is said not to mention", () => {
    const long = `# Alpha Max\n\n${"The Alpha Max runs on rails of steel and of wood. ".repeat(12)}`;
    expect(claimsOf("The page on the Alpha Max does not mention Gravel [1].", long)).toEqual([
      '1: that "Gravel" is not there',
    ]);
    expect(claimsOf("The page on the Alpha Max does not mention Rails [1].", long)).toEqual([]);
  });

  test("facts as they are", () => {
    expect(claimsOf("The Alpha Max is archived [1].", { archived: "yes", public: "yes" })).toEqual(
      ["1: the fact archived: yes"].map((one) => expect.stringContaining(one.slice(3))),
    );
    expect(claimsOf("The Alpha Max is archived [1].", { archived: "no" })).toEqual([]);
    expect(claimsOf("The Alpha Max is not archived [1].", { archived: "no" })).toHaveLength(1);
    expect(claimsOf("The Alpha Max has an Apache 2.0 licence [1].", { license: "Apache-2.0" })).toHaveLength(1);
    expect(claimsOf("The Alpha Max has an MIT licence [1].", { license: "Apache-2.0" })).toEqual([]);
    expect(claimsOf("The Alpha Max is under MIT or Apache 2.0 licences [1].", { license: "MIT" })).toEqual([]);
    expect(claimsOf("The issue on the Alpha Max is still open [1].", { state: "open" })).toHaveLength(1);
    expect(claimsOf("The issue on the Alpha Max is still open [1].", { state: "closed" })).toEqual([]);
  });
});

describe("the place in the report", () => {
  test("a row and its column, or the words of the sentence, say which ratings rest on a claim", () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.";
    const { claims } = proposals("The Alpha Max has 128 GB of memory [1].", page);
    expect(claims.map(({ ratings, cites, says }) => ({ ratings, cites, says }))).toEqual([
      { ratings: ["alpha-max/memory"], cites: [1], says: "The Alpha Max has 128 GB of memory." },
    ]);
    const both = proposals("The Alpha Max, unlike the Beta Mini, has 128 GB of memory [1].", page);
    expect(both.claims).toEqual([]);
  });

  test("of several things that a sentence names, the one that its proof or its heading names alone is rated", () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.\n\nAll ship with “a boiler for steam” in memory.";
    const rated = (text: string) => proposals(text, page).claims.map(({ ratings }) => ratings);
    expect(rated("The Alpha Max has 128 GB of memory [1], and the Beta Mini has none.")).toEqual([
      ["alpha-max/memory"],
    ]);
    const quoted = "Alpha Max and Beta Mini have “a boiler for steam” in memory [1].";
    expect(rated(`### Beta Mini\n\n${quoted}`)).toEqual([["beta-mini/memory"]]);
    expect(rated(quoted)).toEqual([[]]);
  });

  test("where nothing says what is rated of it, all that rests on the source is, of the thing that is spoken of", () => {
    const page = "# Engines\n\nAlpha Max weighs 128 kg in all.";
    const rated = (sentence: string) => proposals(sentence, page).claims.map(({ ratings }) => ratings);
    const says = "The Alpha Max weighs 128 kg in all [1].";
    expect(rated(says)).toEqual([["alpha-max/memory", "alpha-max/speed"]]);
    expect(rated(`${says}\n\nFor its memory the Alpha Max weighs 128 kg in all [1].`)).toEqual([["alpha-max/memory"]]);
  });

  test("what config has is not proposed again", () => {
    const page = "# Engines\n\nAlpha Max has 128 GB of memory.";
    const first = proposals("The Alpha Max has 128 GB of memory [1].", page);
    expect([first.considered, first.stated, first.proved]).toEqual([1, 1, 1]);
  });
});

describe("hostile reports", () => {
  test("ten thousand citations are capped, in bounded time", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `The Alpha Max has ${i} GB of memory [1].`).join("\n\n");
    const { considered, left, cut, claims } = proposals(many, "# Alpha Max\n\nAlpha Max has 128 GB of memory.");
    expect(considered + left).toBeGreaterThan(5_000);
    expect(considered).toBeLessThanOrEqual(5_000);
    expect([cut, claims.length]).toEqual([false, 1]);
  });

  test("a page that says everything of everything", () => {
    const page = `# Alpha Max\n\n${Array.from({ length: 20_000 }, (_, i) => `Only the Alpha Max requires ${i} GB of memory number ${i}.`).join("\n\n")}`;
    const many = Array.from({ length: 5_000 }, (_, i) => `Only the Alpha Max requires ${i} GB of memory [1].`).join(
      "\n\n",
    );
    const began = processorTime();
    expect(proposals(many, page).claims).toEqual([]);
    expect(processorTime() - began).toBeLessThan(8_000);
  }, 60_000);

  test("fifty megabytes are cut", () => {
    const { cut } = proposals(`${"word ".repeat(10_000_000)} [1].`, "# A\n\nB");
    expect(cut).toBe(true);
  });

  test("long runs of digits, marks and brackets", () => {
    for (const text of [
      "1,".repeat(20_000),
      "[1]".repeat(20_000),
      "A ".repeat(20_000),
      "“".repeat(20_000),
      "a_".repeat(20_000),
      "not ".repeat(20_000),
    ])
      expect(proposals(`The Alpha Max has ${text} [1].`, `# A\n\n${text}`).claims).toEqual([]);
  });
});
