import { describe, expect, it } from "vitest";
import { comparePage, comparePageAgain } from "../../../src/compare/page/index.ts";
import type { PageMemory } from "../../../src/compare/page/memory.ts";
import type { Block } from "../../../src/model/reading.ts";
import { sameText } from "./same-text.ts";

const hour = 3_600_000;
const start = Date.UTC(2026, 4, 16);
const confirmAfter = 6 * hour;

const p = (text: string, ...path: string[]): Block => ({ path, kind: "paragraph", text });
const row = (text: string, ...path: string[]): Block => ({ path, kind: "row", text, header: "Name | Value" });
const item = (text: string, ...path: string[]): Block => ({ path, kind: "item", text });

/** One page over time: a check each `every` hours. */
function watch(readings: readonly (readonly Block[])[], every = 6, confirm = confirmAfter) {
  let memory: PageMemory | undefined;
  return readings.map((blocks, i) => {
    const check = { at: start + i * every * hour, confirmAfter: confirm };
    const comparison = comparePage(memory, blocks, check);
    memory = JSON.parse(JSON.stringify(comparison.memory));
    return comparison;
  });
}

const alarms = (readings: readonly (readonly Block[])[], every = 6) =>
  watch(readings, every).map(({ changes }) => changes.length);

/** What was told, as before → after. */
const told = (readings: readonly (readonly Block[])[], every = 6) =>
  watch(readings, every).flatMap(({ changes }, check) =>
    changes.map(({ change }) => `${check}: ${change.before?.text ?? ""} → ${change.after?.text ?? ""}`),
  );

const page = [
  { path: [], kind: "heading", text: "Support" } as const,
  p("The runtime is tested with every release. It needs a driver from the same month.", "Support"),
  row("TPU v5e | no", "Support", "Matrix"),
  row("TPU v6e | no", "Support", "Matrix"),
  item("Linux with kernel 6.1 or later", "Support", "Systems"),
  item("Windows 11", "Support", "Systems"),
  p("Effective date: May 1, 2026", "Support"),
];
const edit = (from: string, to: string) => page.map((block) => ({ ...block, text: block.text.replace(from, to) }));

describe("spaces between the letters", () => {
  const flagged = (text: string) => [...page, { path: ["Support"], kind: "heading", text } as const];

  it("of a short text are not reported, as those of a longer one", () => {
    const readings = [flagged("Optional valve"), flagged("Optionalvalve"), flagged("Optionalvalve")];
    expect(alarms(readings)).toEqual([0, 0, 0]);
  });

  it("count between digits", () => {
    expect(alarms([flagged("Valve 1 2"), flagged("Valve 12"), flagged("Valve 12")])).toEqual([0, 0, 1]);
  });
});

describe("differences that count", () => {
  it.each([
    ["a cell", "v5e | no", "v5e | yes"],
    ["an item", "Windows 11", "Windows 12"],
    ["a number", "kernel 6.1", "kernel 6.5"],
    ["an effective date", "May 1, 2026", "June 1, 2026"],
    ["the day alone", "May 1,", "May 12,"],
    ["one word", "is tested with", "is not tested with"],
    ["an end", " from the same month", ""],
    ["a currency", "date: May", "date: $May"],
    ["a heading", "Support", "Supported"],
  ])("%s, once, after a second check", (_, from, to) => {
    const after = edit(from, to);
    const checks = watch([page, after, after, after]);
    expect(checks.map(({ changes }) => changes.length)).toEqual([0, 0, 1, 0]);
    expect(checks[1]?.sightings).toHaveLength(1);
    expect(checks[2]?.changes[0]?.since).toBe(start + 6 * hour);
    const { change } = checks[2]?.changes[0] ?? {};
    expect(change?.before?.text).toContain(from.trim());
    expect(sameText(change?.before?.text ?? "", change?.after?.text ?? "")).toBe(false);
  });

  it("a row that comes and one that goes", () => {
    const more = [...page.slice(0, 4), row("TPU v7 | yes", "Support", "Matrix"), ...page.slice(4)];
    expect(told([page, more, more])).toEqual(["2:  → TPU v7 | yes"]);
    expect(told([more, page, page])).toEqual(["2: TPU v7 | yes → "]);
  });

  it("a text that is otherwise the end of a longer word and the text behind it", () => {
    const heavy = row("HeavyAnvil | holds the iron | Forge", "Support", "Parts");
    const plain = row("Anvil | holds the iron | Forge", "Support", "Parts");
    const [both, one] = [
      [...page, heavy, plain],
      [...page, heavy],
    ];
    expect(told([both, one, one])).toEqual(["2: Anvil | holds the iron | Forge → "]);
    expect(told([one, both, both])).toEqual(["2:  → Anvil | holds the iron | Forge"]);
    const [able, unable] = [p("Supported on anvils of iron", "Support"), p("Unsupported on anvils of iron", "Support")];
    expect(told([[...page, unable], ...Array(2).fill([...page, able])])).toEqual([
      "2: Unsupported on anvils of iron → Supported on anvils of iron",
    ]);
    // Words that were joined say the same.
    const [apart, joined] = [
      [p("Signature of the forge", "Support"), p("heat the anvil until it glows", "Support")],
      [p("Signature of the forgeheat the anvil until it glows", "Support")],
    ];
    expect(told([[...page, ...apart], ...Array(2).fill([...page, ...joined])])).toEqual([]);
  });

  it("a text that is elsewhere, too, at one more place", () => {
    const since = "Deprecated since version 3.2.";
    const functions = (...old: string[]) =>
      ["crank()", "lever()", "pedal()", "wheel()"].flatMap((name) => [
        p(`${name} moves the ${name.slice(0, 5)} by one turn.`, "Functions"),
        ...(old.includes(name) ? [p(since, "Functions")] : []),
        p(`It returns where the ${name.slice(0, 5)} stands.`, "Functions"),
      ]);
    const [few, more] = [functions("crank()"), functions("crank()", "wheel()")];
    expect(told([few, more, more])).toEqual([`2:  → ${since}`]);
    expect(told([more, few, few])).toEqual([`2: ${since} → `]);
    expect(alarms([few, more, few, more, few])).toEqual([0, 0, 0, 0, 0]);
  });

  it("a text in the place of another one, though both are elsewhere, too", () => {
    const [full, none] = ["Supported since version 2.1.", "Not supported on this platform."];
    const platforms = (...says: string[]) =>
      ["Linux", "macOS", "Windows", "BSD", "Haiku"].flatMap((name, i) => [
        { path: [], kind: "heading" as const, text: name },
        p(says[i] ?? "", name),
      ]);
    const before = platforms(full, none, none, full, none);
    const after = platforms(full, none, full, full, none);
    expect(told([before, after, after])).toEqual([`2: ${none} → ${full}`]);
    expect(told([after, before, before])).toEqual([`2: ${full} → ${none}`]);
    const turned = platforms(none, full, none, full, none);
    expect(told([before, turned, turned]).sort()).toEqual([`2: ${full} → ${none}`, `2: ${none} → ${full}`].sort());
  });

  it("but not if it is at many more, as in a page that is drawn again", () => {
    const names = ["crank", "lever", "pedal", "wheel", "brake"];
    const drawn = (most: number) =>
      names.flatMap((name, i) => [
        p(`${name} is moved.`),
        ...(i < most ? [p("Open in a window")] : []),
        p(`A ${name}.`),
      ]);
    expect(alarms([drawn(1), drawn(5), drawn(5)])).toEqual([0, 0, 0]);
    expect(alarms([drawn(1), drawn(2), drawn(2)])).toEqual([0, 0, 1]);
  });

  it("short cells that change places with text elsewhere on the page", () => {
    const cells = (...texts: string[]) => texts.map((text) => p(text, "Plans"));
    const before = cells("Basic", "Yes", "No", "Pro", "Yes", "Yes", "Yes");
    const after = cells("Basic", "Yes", "No", "Pro", "No", "No", "Yes");
    expect(alarms([before, after, after])[2]).toBeGreaterThan(0);
  });

  it.each([
    ["a limit", "Up to 5,000 views a month", "Up to 9,000 views a month"],
    ["a bound", "Texts with fewer than 2 votes are left out.", "Texts with fewer than 3 votes are left out."],
    ["what a plan holds", "Free: 3 comments", "Free: 5 comments"],
    ["a rating", "Rated 4.8 of 5 (1,204 reviews)", "Rated 4.2 of 5 (1,204 reviews)"],
    ["the number of a rule", "2. Share kites with care.", "3. Share kites with care."],
    ["a year before a clause", "Since 2024, reviews take a week.", "Since 2025, reviews take a week."],
    [
      "a year in a sentence on copyright",
      "Copyright notices before 2024 are void.",
      "Copyright notices before 2025 are void.",
    ],
  ])("%s in a label", (_, before, after) => {
    expect(alarms([[p(before)], [p(after)], [p(after)]])).toEqual([0, 0, 1]);
  });

  it("ticks and crosses, signs and comparisons", () => {
    for (const [a, b] of [
      ["CUDA | ✓", "CUDA | ✗"],
      ["offset -5 bytes", "offset 5 bytes"],
      ["needs ≥ 16 GB", "needs ≤ 16 GB"],
      ["costs $10 a month", "costs €10 a month"],
      ["written in C", "written in C++"],
      ["written in C", "written in C#"],
      ["1.5 GB", "15 GB"],
    ] as const) {
      expect(sameText(a, b), `${a} ≠ ${b}`).toBe(false);
    }
  });
});

describe("an entry under another heading", () => {
  const heading = (text: string): Block => ({ path: [], kind: "heading", text });
  const board = (lists: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(lists).flatMap(([title, entries]) => [
      heading(title),
      ...entries.map((entry) => item(entry, title)),
    ]);
  const planned = board({ Planned: ["Sails of silk", "A second mast"], Done: ["A rudder"] });
  const done = board({ Planned: ["A second mast"], Done: ["A rudder", "Sails of silk"] });

  it("went from the one and came to the other, once both are confirmed", () => {
    const checks = watch([planned, done, done, done]);
    expect(checks.map(({ changes }) => changes.length)).toEqual([0, 0, 2, 0]);
    expect(checks[2]?.changes.map(({ change: { before, after } }) => [before?.path, after?.path])).toEqual([
      [["Planned"], undefined],
      [undefined, ["Done"]],
    ]);
    expect(checks[1]?.accepted).toEqual(planned);
    expect(checks[2]?.accepted).toEqual(done);
  });

  it("is not reported if it is back at the next check, or goes to and fro", () => {
    expect(alarms([planned, done, planned, planned])).toEqual([0, 0, 0, 0]);
    expect(alarms([planned, done, done, planned, planned])).toEqual([0, 0, 2, 0, 0]);
  });

  it.each([
    ["a heading has another name", board({ Planned: ["Sails of silk", "A second mast"], Ready: ["A rudder"] })],
    ["the heading that it left is gone", board({ Done: ["A rudder", "Sails of silk", "A second mast"] })],
    [
      "nothing stayed under its new heading",
      board({ Planned: ["A second mast", "A rudder"], Done: ["Sails of silk"] }),
    ],
    ["it is there twice", board({ Planned: ["Sails of silk", "A second mast"], Done: ["A rudder", "Sails of silk"] })],
  ])("is not reported as moved if %s", (_, now) => {
    const moves = watch([planned, now, now]).flatMap(({ changes }) =>
      changes.filter(
        ({ change: { before, after } }) => (before ?? after)?.text === "Sails of silk" && before && !after,
      ),
    );
    expect(moves).toEqual([]);
  });

  it("is one of many if the page is sorted again", () => {
    const many = Array.from({ length: 30 }, (_, i) => `Part ${i} of the whole engine`);
    const sorted = (at: number) =>
      board({ Planned: [...many.slice(0, at), "Sails"], Done: ["A rudder", ...many.slice(at)] });
    expect(alarms([sorted(29), sorted(1), sorted(1)])).toEqual([0, 0, 0]);
    expect(alarms([sorted(3), sorted(1), sorted(1)])).toEqual([0, 0, 4]);
  });
});

describe("a table's column", () => {
  const table = (...[head = "", ...rows]: string[]): Block[] => [
    { path: ["Plans"], kind: "row", text: head },
    ...rows.map((text): Block => ({ path: ["Plans"], kind: "row", text, header: head })),
  ];
  const told = (before: readonly Block[], after: readonly Block[]) =>
    watch([before, after, after]).flatMap(({ changes }) =>
      changes.map(({ change: { before, after } }) => [before?.text, after?.text]),
    );
  const plans = table("Part | Free | Paid", "Sails | yes | no", "Masts | 2 | 4", "Oars | no | no");

  it.each([
    [
      "comes and is empty",
      table("Part | Old | Free | Paid", "Sails |  | yes | no", "Masts |  | 2 | 4", "Oars |  | no | no"),
    ],
    [
      "comes and says the same",
      table("Part | Free | Paid | Oil", "Sails | yes | no | 1", "Masts | 2 | 4 | 1", "Oars | no | no | 1"),
    ],
    ["is moved", table("Part | Paid | Free", "Sails | no | yes", "Masts | 4 | 2", "Oars | no | no")],
    ["is moved, and was the first", table("Free | Paid | Part", "yes | no | Sails", "2 | 4 | Masts", "no | no | Oars")],
  ])("is reported once if it %s, and if that is undone", (_, other) => {
    expect(told(plans, other)).toEqual([[plans[0]?.text, other[0]?.text]]);
    expect(told(other, plans)).toEqual([[other[0]?.text, plans[0]?.text]]);
  });

  it("is reported once if a text above the table comes with it", () => {
    const oil = table("Part | Free | Paid | Oil", "Sails | yes | no | 1", "Masts | 2 | 4 | 1", "Oars | no | no | 1");
    const other = [p("All plans have oil since May.", "Plans"), ...oil];
    expect(told(plans, other)).toEqual([
      [plans[0]?.text, oil[0]?.text],
      [undefined, other[0]?.text],
    ]);
  });

  it("does not hide a cell that changed with it", () => {
    const other = table("Part | Free | Paid | Oil", "Sails | yes | no | 1", "Masts | 2 | 8 | 1", "Oars | no | no | 1");
    expect(told(plans, other)).toEqual([
      [plans[2]?.text, other[2]?.text],
      [plans[0]?.text, other[0]?.text],
    ]);
  });

  it("is reported with each row that it says something else about", () => {
    const other = table("Part | Free | Paid | Oil", "Sails | yes | no | 1", "Masts | 2 | 4 | 2", "Oars | no | no | 3");
    expect(told(plans, other)).toHaveLength(4);
    expect(told(other, plans)).toHaveLength(4);
  });

  it("is reported with the row of a table that has one, and with each row if two columns have one name", () => {
    const one = table("Part | Free | Paid", "Sails | yes | no");
    expect(told(one, table("Part | Free | Paid | Oil", "Sails | yes | no | 1"))).toHaveLength(2);
    const twins = table("Part | Free | Paid | Paid", "Sails | yes | no | 1", "Masts | 2 | 4 | 1", "Oars | no | no | 1");
    expect(told(plans, twins)).toHaveLength(4);
  });

  it("does not hide what another column in its place says", () => {
    const [old, now] = ["yes", "no"].map((said) =>
      table(`Part | Free | Oil ${said}`, ...["Sails", "Masts"].map((part) => `${part} | 2 | ${said}`)),
    );
    expect(told(old ?? [], now ?? [])).toHaveLength(3);
  });

  it("is one of many changes if rows swap what they say under the same columns", () => {
    const other = table("Part | Free | Paid", "Sails | no | yes", "Masts | 4 | 2", "Oars | no | no");
    expect(told(plans, other)).toHaveLength(2);
  });
});

describe("an entry within another one", () => {
  const within = (lists: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(lists).flatMap(([title, entries]) => [
      item(title, "Platforms"),
      ...entries.map((entry): Block => ({ path: ["Platforms", title], kind: "item", text: entry })),
    ]);
  const flat = (...entries: readonly string[]) => entries.map((entry) => item(entry, "Platforms"));
  const described = (terms: Readonly<Record<string, string>>) =>
    Object.entries(terms).flatMap(([term, said]): Block[] => [
      { path: [], kind: "term", text: term },
      { path: [term], kind: "term", text: said },
    ]);
  const told = (before: readonly Block[], after: readonly Block[]) =>
    watch([before, after, after]).flatMap(({ changes }) =>
      changes.map(({ change: { before, after } }) =>
        [before, after].map((block) => (block ? [...block.path, block.text].join(" › ") : "-")),
      ),
    );

  it("is reported if it moves to another one, even the only one", () => {
    const now = within({ Supported: [], Deprecated: ["A board of silk", "Linux"] });
    expect(told(within({ Supported: ["Linux"], Deprecated: ["A board of silk"] }), now)).toEqual([
      ["Platforms › Supported › Linux", "-"],
      ["-", "Platforms › Deprecated › Linux"],
    ]);
  });

  it("is reported if it comes under one more, and if it goes from one of them", () => {
    const one = within({ Linux: ["x86"], macOS: ["ARM"] });
    const two = within({ Linux: ["x86", "ARM"], macOS: ["ARM"] });
    expect(told(one, two)).toEqual([["-", "Platforms › Linux › ARM"]]);
    expect(told(two, one)).toEqual([["Platforms › Linux › ARM", "-"]]);
  });

  it("is reported if it leaves others for a place beside the one that it was in", () => {
    const now = [...within({ Linux: ["ARM"] }), ...flat("x86")];
    expect(told(within({ Linux: ["ARM", "x86"] }), now)).toHaveLength(2);
  });

  it("is reported if it says the same as others, too, and the other one has another name", () => {
    const plans = { Paid: ["yes"], Team: ["no"], Large: ["yes"] };
    expect(told(within({ Free: ["no"], ...plans }), within({ Trial: ["yes"], ...plans }))).toEqual([
      ["Platforms › Free", "Platforms › Trial"],
      ["Platforms › Free › no", "Platforms › Trial › yes"],
    ]);
  });

  it("is reported if two terms swap their descriptions", () => {
    expect(told(described({ Free: "8 GB", Paid: "16 GB" }), described({ Free: "16 GB", Paid: "8 GB" }))).toEqual([
      ["Free › 8 GB", "Free › 16 GB"],
      ["Paid › 16 GB", "Paid › 8 GB"],
    ]);
  });

  it.each([
    ["the other one has another name", within({ Linux: ["x86", "ARM"] }), within({ GNU: ["x86", "ARM"] })],
    ["the other one is written otherwise", within({ "x86 (all)": ["a"] }), within({ "x86 {[all]}": ["a"] })],
    ["all are sorted again", within({ A: ["a", "b"], B: ["c"] }), within({ B: ["c"], A: ["b", "a"] })],
    ["the list is laid flat", within({ Linux: ["x86", "ARM"], macOS: [] }), flat("Linux", "x86", "ARM", "macOS")],
    ["the list is no longer flat", flat("Linux", "x86", "ARM", "macOS"), within({ Linux: ["x86", "ARM"], macOS: [] })],
  ])("is not reported as moved if %s", (_, one, other) => {
    expect(told(one, other).filter((sides) => sides.join().includes("x86"))).toEqual([]);
    expect(told(one, other).length).toBeLessThan(2);
  });
});

describe("differences that do not count", () => {
  it.each<[string, Block[], Block[]]>([
    [
      "paragraphs cut elsewhere",
      [p("One thing is certain. Another is not.")],
      [p("One thing is certain."), p("Another is not.")],
    ],
    [
      "the marks of a heading that nobody drew",
      [p("#####Usage#####"), p("### It needs C# ###")],
      [p("Usage"), p("It needs C#")],
    ],
    [
      "a sentence cut in two elements",
      [p("Version 2.13.0 of the runtime")],
      [p("Version 2.13.0"), p("of the runtime")],
    ],
    [
      "items in another order",
      [item("alpha"), item("beta"), item("gamma")],
      [item("gamma"), item("alpha"), item("beta")],
    ],
    ["a word above an advertisement", [p("Sails"), p("Masts")], [p("Sails"), p("– Anzeige –"), p("Masts")]],
    [
      "text above one more advert",
      [p("Sails"), p("Masts"), p("Advertisement"), p("Oars"), p("Ropes")],
      [p("Sails"), p("Advertisement"), p("Masts"), p("Advertisement"), p("Oars"), p("Ropes")],
    ],
    ["white space and quotes", [p("It’s “ready” — now")], [p('It\'s "ready" - now')]],
    ["a relative date", [p("Updated 3 days ago")], [p("Updated over a week ago")]],
    ["a relative date in German", [p("Aktualisiert vor 3 Tagen")], [p("Aktualisiert vor einer Woche")]],
    [
      "a relative date made exact",
      [p("Text before."), p("Updated over a month ago")],
      [p("Text before."), p("March 16, 2026")],
    ],
    ["a relative date in a few letters", [p("Posted 3d ago")], [p("Posted 2w ago")]],
    ["a relative date that is about right", [p("Modifié il y a environ 2 mois")], [p("Modifié il y a plus d’un an")]],
    ["a relative date in Swedish", [p("Uppdaterad för 3 dagar sedan")], [p("Uppdaterad för en vecka sedan")]],
    ["a relative date in Polish", [p("Zmieniono 3 dni temu")], [p("Zmieniono 2 tygodnie temu")]],
    ["views", [p("1,204 views")], [p("1,311 views")]],
    ["views, behind their name", [p("Views: 1,204")], [p("Views: 1,311")]],
    ["readers who wrote", [p("Rated 4.8 of 5 (1,204 reviews)")], [p("Rated 4.8 of 5 (1,311 reviews)")]],
    ["how long a page took", [p("Text."), p("Page generated in 0.034 s")], [p("Text."), p("Page generated in 0.2 s")]],
    ["the time at which it is read", [p("Text."), p("Current time: 12:04")], [p("Text."), p("Current time: 13:59")]],
    ["a copyright year", [p("© 2025 Example")], [p("© 2026 Example")]],
    [
      "a list of copyright years",
      [p("Copyright (c) 2019,2021-2024 Ada")],
      [p("Copyright (c) 2019,2021-2024,2026 Ada")],
    ],
    ["a copyright year behind the name", [p("© Example Ltd. 2019–2025")], [p("© Example Ltd. 2019–2026")]],
    [
      "a year beside reserved rights",
      [p("Example Ltd. 2025. All rights reserved.")],
      [p("Example Ltd. 2026. All rights reserved.")],
    ],
    ["a year at the end of a notice", [p("Copyright Example 2025")], [p("Copyright Example 2026")]],
    ["a query", [p("See https://example.org/a?utm=1 for more")], [p("See https://example.org/a?utm=2&s=9 for more")]],
    ["a hash", [p("Build 3f2a9c81d0e4b5a6c7d8")], [p("Build 99ffa0b1c2d3e4f5a6b7")]],
    [
      "an address written in references",
      [p("Write to &#104;&#x69;&#64;example.org")],
      [p("Write to &#x68;&#105;&#64;example.org")],
    ],
    ["a heading's level", [{ path: [], kind: "heading", text: "Cost" }, p("Ten.", "Cost")], [p("Cost"), p("Ten.")]],
    ["loading", [p("Text.")], [p("Text."), p("Loading...")]],
    ["a label that occurs once more", [p("Read more"), p("x one")], [p("Read more"), p("x one"), p("Read more")]],
  ])("%s", (_, before, after) => {
    const checks = watch([before, after, after, after]);
    expect(checks.map(({ changes, sightings }) => [changes.length, sightings.length])).toEqual(Array(4).fill([0, 0]));
  });
});

it("dates that are all a day later are news", () => {
  const dates = (...texts: string[]) => texts.map((text) => p(text, "Changes"));
  const before = dates("Mar 31, 2024", "31 oct. 2023", "2023-02-28");
  const after = dates("Apr 1, 2024", "1 nov. 2023", "2023-03-01");
  expect(alarms([before, after, after]).at(-1)).toBeGreaterThan(0);
});

it("a time in another zone is the same time, and another time is news", () => {
  const posted = (time: string) => [p("The anvil is told of."), p(time)];
  const before = posted("2019-12-14 16:16:01 -0600");
  const after = posted("2019-12-14 22:16:01 +0000");
  expect(alarms([before, after, after, before])).toEqual([0, 0, 0, 0]);
  const later = posted("2019-12-14 22:19:01 +0000");
  expect(alarms([before, later, later])).toEqual([0, 0, 1]);
  const opens = posted("Opens 5 March 2026 10:00 UTC");
  const closes = posted("Closes 5 March 2026 10:00 UTC");
  expect(alarms([opens, closes, closes])).toEqual([0, 0, 1]);
});

it("a day that is written in another way is the same day, and another day is news", () => {
  const held = (day: string) => [p("The anvil is told of."), p(`The meeting of the smiths: ${day}`)];
  const [before, after] = [held("12 March 2025"), held("2025-03-12")];
  expect(alarms([before, after, after])).toEqual([0, 0, 0]);
  expect(alarms([before, held("2025-03-13"), held("2025-03-13")])).toEqual([0, 0, 1]);
  expect(alarms([held("3/2/2025"), held("2025-02-03"), held("2025-02-03")])).toEqual([0, 0, 1]);
});

it("counters in one line are no news, and the rest of the line is", () => {
  const stats = (views: number, state: string) => [
    p("The anvil is told of."),
    p(`Replies: 3 · Views: ${views} · State: ${state}`),
  ];
  expect(alarms([stats(502, "open"), stats(540, "open"), stats(577, "open")])).toEqual([0, 0, 0]);
  expect(alarms([stats(502, "open"), stats(502, "closed"), stats(502, "closed")])).toEqual([0, 0, 1]);
});

it("an address that is hidden from robots, and then shown, is reported once", () => {
  const [hidden, shown] = [[p("Write to [email protected] today.")], [p("Write to help@example.org today.")]];
  expect(alarms([hidden, shown, shown, shown])).toEqual([0, 0, 1, 0]);
});

describe("the second check", () => {
  const after = edit("Windows 11", "Windows 12");

  it("must be an hour later at least, and as late as asked", () => {
    expect(watch([page, after, after], 0.5, 0.25 * hour).map(({ changes }) => changes.length)).toEqual([0, 0, 0]);
    expect(alarms([page, after, after, after, after, after], 2)).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it("is not needed if nothing is to be confirmed", () => {
    expect(watch([page, after, after], 6, 0).map(({ changes }) => changes.length)).toEqual([0, 1, 0]);
  });

  it("may be the same response again", () => {
    const [, seen] = watch([page, after]);
    const again = comparePageAgain(seen?.memory as PageMemory, { at: start + 13 * hour, confirmAfter });
    expect(again.changes).toHaveLength(1);
    const more = comparePageAgain(again.memory, { at: start + 20 * hour, confirmAfter });
    expect([more.changes.length, more.sightings.length]).toEqual([0, 0]);
  });

  it("forgets what did not last, and says so", () => {
    const checks = watch([page, after, page, page]);
    expect(checks.map(({ changes }) => changes.length)).toEqual([0, 0, 0, 0]);
    expect(checks[2]?.noise.map(({ reason }) => reason)).toContain("did not last");
  });

  it("keeps accepted content until it is confirmed", () => {
    const checks = watch([page, after, after]);
    const texts = checks.map(({ accepted }) => accepted.map((block) => block.text).join("\n"));
    expect(texts[1]).toContain("Windows 11");
    expect(texts[1]).not.toContain("Windows 12");
    expect(texts[2]).toContain("Windows 12");
    expect(texts[2]).not.toContain("Windows 11");
  });

  it("waits while a page is being edited, and reports an edit in one go", () => {
    const more = after.map((block) => ({ ...block, text: block.text.replace("May 1", "May 20") }));
    expect(alarms([page, after, more, more, more])).toEqual([0, 0, 0, 2, 0]);
  });

  it("reports a further edit while it waits at the second check after the first, as it reads then", () => {
    const edits = ["6.2", "6.3", "6.4", "6.4"].map((kernel) => edit("kernel 6.1", `kernel ${kernel}`));
    expect(told([page, ...edits], 48)).toEqual(["3: Linux with kernel 6.1 or later → Linux with kernel 6.4 or later"]);
    const rows = ["no", "soon", "yes", "yes"].map((is) => [...page, row(`TPU v7 of the third generation | ${is}`)]);
    expect(told([page, ...rows], 48)).toEqual(["3:  → TPU v7 of the third generation | yes"]);
  });

  it("but not what is another text each time, before one of them stays", () => {
    const teasers = ["A talk on compilers", "Our office has moved", "New figures for May"].map((text) => [
      ...page,
      p(text, "Teaser"),
    ]);
    expect(told([page, ...teasers, teasers[2] ?? []], 48)).toEqual(["4:  → New figures for May"]);
  });

  it("keeps all that was accepted while all that is new waits", () => {
    const keys = (...texts: string[]) => texts.map((text) => row(text, "Keys"));
    const [before, after] = [
      keys("c | Class", "t | Test", "o | Comment"),
      keys("t | Test", "c | Class", "c | Comment"),
    ];
    const checks = watch([before, after, after]);
    expect(checks.map(({ accepted }) => accepted)).toEqual([before, before, after]);
  });
});

describe("learning from a page", () => {
  const with_ = (...texts: string[]) => [...page, ...texts.map((text) => p(text, "Teaser"))];

  it("text that moves at every check", () => {
    const readings = Array.from({ length: 12 }, (_, i) => with_(`Story number ${i} about something else entirely`));
    const checks = watch(readings);
    expect(checks.every(({ changes }) => changes.length === 0)).toBe(true);
    expect(checks.at(-1)?.noise.map(({ reason }) => reason)).toContain("moves at every check");
  });

  it("and is forgotten when it stops", () => {
    const moving = Array.from({ length: 8 }, (_, i) => with_(`Story number ${i} about something else entirely`));
    const still = Array.from({ length: 60 }, () => with_("Story number 8 about something else entirely"));
    const news = with_("Breaking: the teaser is now a notice of withdrawal");
    const counts = alarms([...moving, ...still, news, news, news]);
    expect(counts.slice(0, -3).every((count) => count === 0)).toBe(true);
    expect(counts.slice(-3)).toEqual([0, 1, 0]);
  });

  it("does not hide news elsewhere behind what moves", () => {
    const readings = Array.from({ length: 12 }, (_, i) => [
      ...(i < 6 ? page : edit("v5e | no", "v5e | yes")),
      p(`Story number ${i} about something else entirely`, "Teaser"),
    ]);
    expect(told(readings)).toEqual([expect.stringContaining("TPU v5e | no → TPU v5e | yes")]);
  });

  it("a text that returns", () => {
    const after = edit("Windows 11", "Windows 12");
    const checks = watch([page, after, after, page, page, after, after, page, page]);
    expect(checks.map(({ changes }) => changes.length)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(checks[3]?.noise.map(({ reason }) => reason)).toContain("returned to an earlier text");
  });

  it("but not a part of an edit that goes alone", () => {
    const more = [...page, p("A first new paragraph."), p("A second new paragraph.")];
    const part = [...page, p("A first new paragraph.")];
    expect(told([page, more, more, part, part])).toEqual([
      "2:  → A first new paragraph.",
      "2:  → A second new paragraph.",
      "4: A second new paragraph. → ",
    ]);
  });

  it("the rest of such an edit, which is then undone as a whole, beside other news", () => {
    const more = [...page, p("A first new paragraph."), p("A second new paragraph.")];
    const part = [...page, p("A first new paragraph.")];
    const none = edit("Windows 11", "Windows 12");
    expect(told([page, more, more, part, part, none, none]).slice(3)).toEqual(["6: Windows 11 → Windows 12"]);
  });

  it("a part of an edit that is taken back soon, as a pair", () => {
    const both = edit("Windows 11", "Windows 12").map((block) => ({
      ...block,
      text: block.text.replace("v5e | no", "v5e | yes"),
    }));
    const part = edit("v5e | no", "v5e | yes");
    expect(alarms([page, both, both, part, part, both, both, part, part])).toEqual([0, 0, 2, 0, 0, 0, 0, 0, 0]);
    expect(told([page, both, both, part, part], 8 * 24).slice(2)).toEqual(["4: Windows 12 → Windows 11"]);
  });

  it("but not what a text that returned becomes next", () => {
    const usage = (words: string) => [...page, row(words, "Usage")];
    const [long, short] = [
      usage("start() stop() and then resume() close()"),
      usage("start() stop() and then resume()"),
    ];
    expect(alarms([long, page, page, long, short, short])).toEqual([0, 0, 1, 0, 0, 1]);
  });

  it("a page with all the text that it once had, after any other text between", () => {
    const says = (...texts: string[]) => texts.map((text) => p(text));
    const one = says("The club flies on the western hill.", "Kites are lent to guests.", "Members pay in spring.");
    const two = says("The club flies on the eastern hill.", "Kites are lent to guests.", "Members pay in autumn.");
    const [hill, hut] = ["The club flies on the eastern hill.", "It has a hut."];
    const three = says(`${hill} ${hut}`, "Kites are sold to guests.", "Guests pay at once.");
    const checks = watch([one, two, two, three, three, one, one, three, three, two, two], 24);
    expect(checks.map(({ changes }) => changes.length > 0)).toEqual(
      [...Array(11).keys()].map((check) => check === 2 || check === 4),
    );
    expect(checks[5]?.noise.map(({ reason }) => reason)).toContain("returned to an earlier text");
    const late = watch([one, two, two, ...Array.from({ length: 62 }, () => two), one, one], 24);
    expect(late.at(-1)?.changes).not.toHaveLength(0);
  });

  it("one of a few variants", () => {
    const variants = ["Variant A of the banner text", "Variant B of the banner text"];
    const readings = Array.from({ length: 40 }, (_, i) => with_(variants[i % 2] ?? ""));
    expect(alarms(readings).every((count) => count === 0)).toBe(true);
  });

  it("and asks for another check a variant that may have come to stay", () => {
    const after = edit("Windows 11", "Windows 12");
    const checks = watch([page, after, page, after, page, after]);
    expect(checks[5]?.noise.map(({ reason }) => reason)).toContain("one of a few variants");
    expect(checks[5]?.sightings.map(({ since }) => since)).toEqual([start + 30 * hour]);
  });

  it("believes a text that came and went, once it stays", () => {
    const after = edit("Windows 11", "Windows 12");
    expect(alarms([page, after, page, after, page, after, after, after, after]).filter(Boolean)).toEqual([1]);
  });
});

describe("a text in the place of a relative date", () => {
  const around = (text: string) => [p("Kites fly over the sea."), p(text), p("Ropes hold the kite.")];

  it.each([
    ["Updated over a month ago", "Discontinued in March 2026"],
    ["Updated over a month ago", "Deprecated in 2025"],
    ["Updated over a month ago", "Withdrawn May 1, 2026"],
    ["Updated over a month ago", "End of life: May 2026"],
    ["Updated over a month ago", "Level 3"],
    ["Updated over a month ago", "Kite 12"],
    ["Updated 3 days ago", "Ends June 1, 2027"],
    ["Updated 3 days ago", "June 1, 2027"],
    ["Supported until 2027", "Updated 2 days ago"],
  ])("is news unless it is a date that has come: %s, then %s", (before, after) => {
    const checks = [around(before), around(after), around(after), around(after)];
    expect(alarms(checks).some((count) => count > 0)).toBe(true);
  });

  it("is news beside the date made exact", () => {
    const after = [...around("April 26, 2026").slice(0, 2), p("Withdrawn May 1, 2026"), p("Ropes hold the kite.")];
    const checks = [around("Updated 3 weeks ago"), after, after, after];
    expect(told(checks)).toEqual(["2:  → Withdrawn May 1, 2026"]);
  });

  it.each([
    ["Updated over a month ago", "March 16, 2026"],
    ["Updated over a month ago", "Updated March 16, 2026"],
    ["Updated over a month ago", "Updated on 03/04/2026"],
    ["Aktualisiert vor 4 Wochen", "16. März 2026"],
    ["Aktualisiert vor 4 Wochen", "16. März 2026, 10:57 Uhr"],
    ["Updated 3 weeks ago", "Updated: April 26, 2026"],
    ["Modifié il y a 2 mois", "16 mars 2026"],
    ["Actualizado hace 2 meses", "16 de marzo de 2026"],
    ["Atualizado há 2 meses", "16 de março de 2026"],
    ["2 mesi fa", "16 marzo 2026"],
    ["2 maanden geleden", "16 maart 2026"],
    ["Uppdaterad för 2 månader sedan", "16 mars 2026"],
    ["Zmieniono 2 tygodnie temu", "16 kwietnia 2026"],
    ["2 месяца назад", "16 марта 2026 г."],
    ["Updated 2 months ago", "2026年3月16日"],
    ["2026년 3월 16일", "Updated 2 months ago"],
    ["fa 2 mesos", "16 d’abril de 2026"],
  ])("is the same date made exact, or the other way round: %s, then %s", (before, after) => {
    const checks = [around(before), around(after), around(after), around(after)];
    expect(alarms(checks)).toEqual([0, 0, 0, 0]);
  });
});
