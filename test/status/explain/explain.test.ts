import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf } from "../../../src/faces/cli/explain/index.ts";
import { commandToType } from "../../../src/faces/cli/terminal.ts";
import type { WholeVerdict } from "../../../src/model/ports/index.ts";
import { silenceOf } from "../../../src/status/explain/events.ts";
import { explain } from "../../../src/status/explain/index.ts";
import { configOf } from "../../support/config-of.ts";
import { after, type Told } from "./told.ts";

const config = configOf(
  `report: { title: Kites, audited: 2026-05-16 }
levels: [Low, High]
ratings: { lift: Low, drag: High }
products:
  spar: { name: Spar }
sources:
  releases: { github-releases: example/spar, announces: spar, stands-for: [1, 4] }
  blog: { feed: "https://blog.example.org/feed", announces: spar }
  limits:
    page: https://example.org/limits
    cites: [7]
    claims:
      payload: { says: It carries 95 g, quote: A sled carries 95 g in a fresh wind, ratings: [lift] }
      trees: { says: Trees are a danger, absent: trees are welcome, ratings: [drag] }
  state: { json: "https://example.org/state.json", facts: { price: price, colour: colour } }
  matrix: { text: "https://example.org/matrix.md" }
  wall: { text: "https://example.org/wall.md", claims: { high: { says: It is high, quote: The wall is high, ratings: [drag] } } }
  unseen: { text: "https://example.org/unseen.md" }
  package: { pypi: spar, announces: spar }
`,
  {
    delta: `name: Delta kites
wording: Each Spar release.
ratings: [lift]
on:
  - release: spar
    bump: [major, minor]
  - change: limits
    under: Payload
    awaited: true
    means: the payload has changed
also:
  - item: blog
    matches: '(?i)monsoon'
    means: the blog speaks of monsoons
  - row: matrix
    matches: Spar
  - change: unseen
  - silence: releases
    for: 90d
`,
    sled: "name: Sleds\nratings: [drag]\non:\n  - release: spar\n  - fact: state\n    name: price\n",
  },
);

const story = `
  before:
    releases: { adds: [v1.0.0] }
    blog: { adds: [Spar 1.0 is here] }
    package: { adds: ["1.0.0"] }
    limits: { text: "# Payload\\n\\nA sled carries 95 g in a fresh wind.\\n\\n# Care\\n\\nMind the trees, the lines and the cows." }
    state: { body: '{ "price": "3", "colour": "red" }' }
    matrix: { text: "# Matrix\\n\\n| Part | Version |\\n| --- | --- |\\n| Spar | 1.0 |\\n| Tail | 2 |" }
    wall: { text: "# Wall\\n\\nThe wall is high." }
  days:
    - on: 2026-06-01 10:00
      releases: { adds: [v1.1.0] }
    - on: 2026-06-01 12:30
      blog: { adds: [Spar 1.1 is here, { name: Kites in the monsoon season, text: Rain. }] }
    - on: 2026-06-03
      releases: { adds: [v1.1.1] }
      blog: { adds: [{ name: A look back, text: Thanks to all. }] }
      state: { body: '{ "price": "4", "colour": "blue" }' }
    - on: 2026-06-05
      blog: { adds: [{ name: A look back, text: Thanks to you all., on: 2026-06-03 }] }
      matrix: { edits: { "| Spar | 1.0 |": "| Spar | 1.1 |" } }
    - on: 2026-06-06
      matrix: { edits: { "| Spar | 1.1 |": "| Spar | 1.0 |" } }
    - { on: 2026-06-07, wall: { status: 403 } }
    - { on: 2026-06-07 12:00, wall: { status: 403 } }
    - { on: 2026-06-08, package: { status: 503 } }
    - on: 2026-06-20 08:00
      limits: { edits: { 95 g: 80 g } }
`;

let told: Told;
beforeAll(async () => {
  told = await after(config, story, Date.parse("2026-06-20T09:00:00Z"));
});
afterAll(() => told.close());

/** As people read it, in golden/. After a change that is meant: npx vitest run test/status/explain/explain.test.ts -u */
it.each([...["blog", "releases", "state", "limits", "matrix", "wall", "package", "lift", "delta"]])(
  "explains %s",
  async (name) => {
    await expect(`${(await told.lines(name)).join("\n")}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  },
);

it("explains a source that was never checked", async () => {
  expect((await told.lines("unseen"))[1]).toBe(`Not checked yet: ${commandToType("scan")}`);
});

describe("a check without an event", () => {
  const silent = configOf(
    `report: { title: Kites, audited: 2026-05-16 }
ratings: { lift: Low }
sources:
  needs: { text: "https://example.org/needs.md" }
  notes: { text: "https://example.org/notes.md" }
  fresh: { text: "https://example.org/fresh.md" }
`,
    {
      delta:
        "name: Kites\nratings: [lift]\non:\n  - { change: notes, matches: 'Requires \\d+ TB' }\n  - { change: needs }\n",
    },
  );
  const needs = "# Needs\\n\\nRequires 16 GB of memory.\\n\\nMind the trees.";
  const story = `
  before:
    needs: { text: "${needs}\\n\\nLast updated on 3 June 2026 by mkdocs." }
    notes: { text: "${needs}" }
    fresh: { text: "${needs}" }
  days:
    - on: 2026-06-18 08:00
      needs: { edits: { 3 June 2026: 18 June 2026 } }
      notes: { edits: { 16 GB: 24 GB } }
      fresh: { edits: { "Mind the trees.": "Mind the trees!" } }
`;
  const nearestOf = async (source: string, at: string) => {
    const told = await after(silent, story, Date.parse(at));
    const [, line] = (await told.lines(source)).filter((one) => /^(?:Last check|Nearest|No change came)/.test(one));
    await told.close();
    return line;
  };

  it("says that a stamp was passed over as one", async () => {
    expect(await nearestOf("needs", "2026-06-18T09:00:00Z")).toBe(
      'Nearest to an alert, 2026-06-18 08:01: text changed under "Needs": "Last updated on 3 June 2026 by …" → "Last updated on 18 June 2026 by …": ignored as a stamp: it says when or by which program the page was made.',
    );
  });

  it("says of other marks that the words are the same", async () => {
    expect(await nearestOf("fresh", "2026-06-18T09:00:00Z")).toBe(
      'Nearest to an alert, 2026-06-18 08:01: text changed under "Needs": "Mind the trees." → "Mind the trees!": the same words: only marks, counters, relative dates or the numbers of headings differ.',
    );
  });

  it("shows a trigger's pattern, and the nearest text", async () => {
    expect(await nearestOf("notes", "2026-06-19T09:00:00Z")).toMatch(
      /: "Requires 16 GB of memory\." → "Requires 24 GB of memory\.": trigger delta needs a change of the page matching Requires .*; the nearest text was "Requires 24 GB of memory\."\.$/,
    );
  });

  it("says of a source that never moved that every response was the same", async () => {
    expect(await nearestOf("fresh", "2026-06-17T09:00:00Z")).toBe(
      "No change came near an alert: every response since 2026-05-16 00:01 was identical.",
    );
  });
});

describe("waiting", () => {
  const waits = configOf(
    `report: { title: Kites, audited: 2026-05-16 }
ratings: { lift: Low, drag: High }
sources:
  wall:
    text: "https://example.org/wall.md"
    claims:
      high: { says: It is high, quote: The wall is high, ratings: [drag] }
      open: { says: No gate is shut, absent: the gate is shut, ratings: [lift] }
      old: { says: It is old, quote: The wall is old, ratings: [lift], until: [{ change: wall, matches: shut }] }
`,
    { delta: "name: Walls\nratings: [drag]\non:\n  - claim: wall/high\n    means: the wall is another one\n" },
  );
  const seenOnce = `
  before:
    wall: { text: "# Wall\\n\\nThe wall is high.\\n\\nThe wall is old.\\n\\n# Gate\\n\\nNobody knows." }
  days:
    - on: 2026-06-20 08:00
      wall: { text: "# Wall\\n\\nThe wall is low.\\n\\nThe wall is old.\\n\\n# Gate\\n\\nNow the gate is shut." }
`;

  const waiting = async (at: string) => await after(waits, seenOnce, Date.parse(at));

  it("foretells which claims it moves, which it ends, and whom that asks", async () => {
    const told = await waiting("2026-06-20T09:00:00Z");
    expect((await told.lines("wall")).filter((line) => /^ {6}(?:if|and) /.test(line))).toEqual([
      '      if it is still there, it now differs from claim "high": "The wall is high" → "The wall is low": asks delta, against the report (the wall is another one)',
      '      if it is still there, it contradicts claim "open": "Now the gate is shut": asks claims, against the report',
      '      and it ends claim "wall/old": asks claims, against the report',
    ]);
    await told.close();
  });

  it("and so it comes", async () => {
    const told = await waiting("2026-06-21T09:00:00Z");
    const fired = (await told.store.firings()).map(({ trigger, weight }) => `${weight} ${trigger}`);
    expect(fired.toSorted()).toEqual(["contrary claims", "contrary claims", "contrary delta"]);
    await told.close();
  });
});

describe("a silent change", () => {
  it("a text that takes claims along does not say that they hold", async () => {
    const alone = configOf(
      `report: { title: Kites, audited: 2026-05-16 }
ratings: { drag: High }
sources:
  wall:
    text: "https://example.org/wall.md"
    claims: { high: { says: It is high, quote: The wall is high, ratings: [drag] } }
`,
      { delta: "name: Age\nratings: []\non: [{ unreviewed: 900d }]\n" },
    );
    const story = `
  before:
    wall: { text: "# Wall\\n\\nThe wall is high.\\n\\nNobody knows." }
  days:
    - on: 2026-06-20 08:00
      wall: { text: "# Wall\\n\\nThe wall is low.\\n\\nNobody knows." }
`;
    const told = await after(alone, story, Date.parse("2026-06-21T09:00:00Z"));
    const lines = await told.lines("wall");
    expect(lines.filter((line) => /differs from claim "high"|→ no alert/.test(line))).toEqual([
      expect.stringContaining('now differs from claim "high": "The wall is high" → "The wall is low"'),
      "              → no alert: no trigger listens to this source, except through its claims",
    ]);
    const [wall] = alone.sources.values();
    const silence = (to: "back" | "moved") => wall && silenceOf({ kind: "link", to }, wall, { config: alone });
    expect(silence("back")).toBe("the address works again, which raises no question");
    expect(silence("moved")).toBe("no trigger watches this address");
    await told.close();
  });
});

describe("a list in which all entries have the same time", () => {
  const list = configOf(
    `report: { title: Kites, audited: 2026-05-16 }
ratings: { lift: Low }
sources:
  parts: { json: "https://example.org/parts.json", items: parts, item: { id: name, date: made } }
`,
    { delta: "name: Delta kites\nratings: [lift]\non:\n  - item: parts\n    matches: spar\n" },
  );
  const linesAfter = async (made: string) => {
    const parts = ["spar", "tail", "line"].map((name) => `{ "name": "${name}", "made": "${made}" }`);
    const first = `\n  before:\n    parts: { body: '{ "parts": [${parts.join(", ")}] }' }\n`;
    const story = await after(
      list,
      `${first}  days: [{ on: 2026-05-18, parts: { status: 304 } }]\n`,
      Date.parse("2026-06-01T09:00:00Z"),
    );
    const lines = await story.lines("parts");
    await story.close();
    return lines.join("\n");
  };

  it("says so of a time of day, and takes a day as the day of the entries", async () => {
    const generated = await linesAfter("2026-05-16T14:03:27Z");
    expect(generated).toContain("all entries have the same time, so it says when the list was made");
    expect(generated).not.toContain("fired");
    expect(await linesAfter("2026-05-17")).toContain("fired, for your information");
  });
});

describe("a trigger", () => {
  it("has nothing to ask if nothing fired", async () => {
    const quiet = await after(
      config,
      "  before: { limits: { text: '# Payload' } }\n  days: [{ on: 2026-06-01 }]",
      Date.parse("2026-06-02"),
    );
    const lines = await quiet.lines("sled");
    expect(lines[1]).toBe("No event is waiting for an answer.");
    expect(lines).toContain('  ○ state: "price" changes');
    await quiet.close();
  });
});

describe("a recheck", () => {
  it("shows every event with its evidence", async () => {
    expect(await told.lines("#13")).toEqual([
      "#13 · Sleds (sled) · open, opened 2026-06-01",
      "Asks about drag",
      "  ● for your information  2026-06-03  state: price 3 → 4  · event state price 4",
      '      state  2026-06-03 00:01  price "3" → "4"  (named by the trigger)',
      "  ● for your information  2026-06-03  Spar 1.1.1 released  · event spar 1.1.1",
      '      releases  2026-06-03 00:01  new entry "v1.1.1"  (named by the trigger)',
      "  ● for your information  2026-06-01  Spar 1.1.0 released  · event spar 1.1.0",
      '      releases  2026-06-01 10:01  new entry "v1.1.0"  (named by the trigger)',
      '      blog  2026-06-01 12:31  new entry "Spar 1.1 is here"  (named by the trigger)',
      "",
      `Condition by condition: ${commandToType("explain", "sled")}`,
    ]);
  });

  it("of a number or name that nobody has is none", async () => {
    expect(await told.about("#99")).toEqual([]);
    expect(await told.about("nobody")).toEqual([]);
  });
});

describe("afterwards", () => {
  it("a claim that moved is reported with both texts, and closed rechecks as closed", async () => {
    const later = await after(config, story, Date.parse("2026-06-21T09:00:00Z"));
    const [recheck] = await later.store.rechecks();
    if (recheck)
      await later.store.updateRecheck(recheck.id, { state: "closed", issue: 12, closed: Date.parse("2026-06-21") });
    const lines = await later.lines("limits");
    expect(lines).toContain("              ● delta  fired, against the report, #12 (a claim of the report)");
    expect(lines.slice(lines.indexOf("Claims"), lines.indexOf("Claims") + 5)).toEqual([
      "Claims",
      "  ✗ It carries 95 g (ref 7): altered since 2026-06-20",
      "      limits/payload · lift",
      expect.stringMatching(/^ {6}- A sled carries 95 g/),
      expect.stringMatching(/^ {6}\+ A sled carries 80 g/),
    ]);
    expect((await later.lines("#12"))[0]).toBe(
      "#12 · Delta kites (delta) · closed, opened 2026-06-01, closed 2026-06-21",
    );
    await later.close();
  });
});

describe("an open question is shown with the rating and with the trigger", () => {
  const lived = () => after(config, story, Date.parse("2026-06-20T09:00:00Z"));
  /** The events of trigger *sled*, about *drag* alone, which no recheck that is open asks about. */
  async function unasked(): Promise<Told> {
    const told = await lived();
    const [, sleds] = await told.store.rechecks();
    if (sleds) await told.store.updateRecheck(sleds.id, { state: "closed", closed: opened });
    return told;
  }
  const opened = Date.parse("2026-06-20");
  const events = async ({ store }: Told) =>
    (await store.firings()).filter(({ trigger }) => trigger === "sled").map(({ id }) => id);
  const asked = async (told: Told, name: string) => (await told.lines(name)).find((line) => line.includes("with "));

  it("if one issue of all triggers asks about the time before", async () => {
    const told = await unasked();
    const ids = await events(told);
    const caught = { trigger: "catch-up", marker: "m", opened, state: "open" as const, issue: 40 };
    await told.store.openRecheck(caught, ids);
    const line = `Recheck #40 is open since 2026-06-20, with ${ids.length} events:`;
    for (const name of ["drag", "sled", "catch-up"]) expect(await asked(told, name)).toBe(line);
    const lines = await told.lines("#40");
    expect(lines.slice(0, 2)).toEqual(["#40 · Catch up (catch-up) · open, opened 2026-06-20", "Asks about drag"]);
    expect(lines.filter((one) => one.startsWith("  ●"))).toHaveLength(ids.length);
    expect(lines.at(-1)).toBe(`Condition by condition: ${commandToType("explain", "sled")}`);
    await told.close();
  });

  it("if its recheck still waits for its turn", async () => {
    const told = await unasked();
    const ids = await events(told);
    await told.store.openRecheck({ trigger: "sled", marker: "m", opened, state: "queued" }, ids);
    for (const name of ["drag", "sled"]) {
      expect(await asked(told, name)).toBe(`Not asked yet, because of sled, with ${ids.length} events:`);
    }
    await told.close();
  });

  it("and answered ratings are asked about no more", async () => {
    const told = await lived();
    const answer = { recheck: 2, rating: "drag", verdict: "keep" as const, by: "somebody" };
    await told.store.commit((tx) => tx.addAnswers([{ ...answer, at: opened, settled: opened }]));
    for (const name of ["drag", "sled"]) {
      expect(await told.lines(name)).toContain("No event is waiting for an answer.");
    }
    await told.close();
  });
});

describe("after config was edited", () => {
  const sources = `report: { title: Kites, audited: 2026-05-16 }
ratings: { lift: Low }
sources:
  blog: { feed: "https://blog.example.org/feed" }
  wall: { text: "https://example.org/wall.md" }
`;
  const trigger = (on: string) => ({ delta: `name: Delta\nratings: [lift]\non: [${on}]\n` });
  const then = configOf(sources, trigger("{ item: blog, matches: monsoon }"));
  const now = configOf(sources, trigger("{ item: blog, matches: kites }, { change: wall }"));
  const days = `
  before:
    blog: { adds: [Hello] }
    wall: { text: "# Wall\\n\\nThe wall is high." }
  days:
    - on: 2026-06-03
      blog: { adds: [{ name: More kites, text: Rain. }] }
      wall: { edits: { high: low } }
`;

  it("the text of that time is shown, and that no trigger listened then", async () => {
    const later = await after(then, days, Date.parse("2026-06-05"));
    const about = async (name: string) => {
      const at = Date.parse("2026-06-05");
      const stories = (await explain(name, { config: now, store: later.store, at })) ?? [];
      return stories.flatMap((one) => linesOf(one, now, at));
    };
    expect(await about("blog")).toContain(
      "              · delta  no alert: a new entry matching monsoon: in neither title nor text",
    );
    expect(await about("wall")).toContain("              → no alert: no trigger listened to this at that time");
    expect((await about("delta")).join("\n")).not.toContain("monsoon");
    await later.close();
  });
});

describe("a change that is too long to show whole", () => {
  const text = (words: string, lines: number) => {
    const long = "The kite flies well in every wind that blows from the sea. ".repeat(lines);
    return `# Payload\\n\\n${long}${words} ${long}`;
  };
  const rows = (count: number) =>
    `# Matrix\\n\\n| Part | Version |\\n| --- | --- |\\n${Array.from({ length: 80 }, (_, i) => `| Spar ${i} | ${i < count ? 2 : 1} |`).join("\\n")}`;
  const whole = (lines: number) => `
  before:
    wall: { text: "${text("It carries 95 g.", lines)}" }
    matrix: { text: "${rows(0)}" }
  days:
    - on: 2026-06-03
      wall: { text: "${text("It carries 80 g.", lines)}" }
      matrix: { text: "${rows(80)}" }
`;
  const asking = configOf(
    `report: { title: Kites, audited: 2026-05-16 }
ratings: { lift: Low }
sources:
  matrix: { text: "https://example.org/matrix.md" }
  wall: { text: "https://example.org/wall.md" }
`,
    {
      delta:
        "name: Delta\nratings: [lift]\non:\n  - { change: wall, matches: 80 g }\n  - { row: matrix, matches: Spar }\n",
    },
  );

  it.each([4, 14])("is shown with its difference, and the event that fired: %i sentences before it", async (lines) => {
    const later = await after(asking, whole(lines), Date.parse("2026-06-04T09:00:00Z"));
    const wall = await later.lines("wall");
    expect(wall.find((line) => line.startsWith("              - "))).toContain("95 g");
    expect(wall.find((line) => line.startsWith("              + "))).toContain("80 g");
    expect(wall).toContain("              ● delta  fired, for your information, #12");
    const matrix = await later.lines("matrix");
    expect(matrix).toContain("              and 77 more");
    expect(matrix).toContain("              ● delta  fired, for your information, #12");
    await later.close();
  });
});

describe("once it was answered as a whole", () => {
  it.each<[WholeVerdict, string]>([
    [{ kind: "dismiss", by: "tester", because: "a rename\u202e" }, 'Dismissed, by tester: "a rename"'],
    [{ kind: "keep", by: "tester", because: "both say so" }, 'The report stays unchanged, by tester: "both say so"'],
  ])("a verdict on all of a recheck is shown with its reason", async (verdict, line) => {
    const later = await after(config, story, Date.parse("2026-06-21T09:00:00Z"));
    const [recheck] = await later.store.rechecks();
    const closed = { state: "closed", issue: 12, closed: Date.parse("2026-06-21"), verdict } as const;
    if (recheck) await later.store.updateRecheck(recheck.id, closed);
    expect(await later.lines("#12")).toContain(line);
    await later.close();
  });
});
