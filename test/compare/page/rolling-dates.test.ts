import { describe, expect, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { PageMemory } from "../../../src/compare/page/memory.ts";
import type { Block } from "../../../src/model/reading.ts";

const aDay = 86_400_000;
const confirmAfter = aDay / 4;
const start = Date.UTC(2026, 0, 20, 12);

type Kind = Block["kind"];

const page = (text: string, kind: Kind = "paragraph"): readonly Block[] => [
  { path: [], kind: "heading", text: "Kites" },
  { path: ["Kites"], kind: "paragraph", text: "The kite holds in wind of force six." },
  { path: ["Kites"], kind, text },
  { path: ["Kites"], kind: "paragraph", text: "It is sold with its string." },
];

interface Text {
  /** The day on which it comes. */
  readonly day: number;
  readonly text: string;
}

/** Which texts are reported, and which are said to roll, by two checks on each day. */
function checked(texts: readonly Text[], kind?: Kind) {
  let memory: PageMemory | undefined;
  let last: number | undefined;
  const reported: string[] = [];
  const rolling = new Set<string>();
  for (let day = 0; day <= (texts.at(-1)?.day ?? 0); day++) {
    const text = texts.findLast((text) => text.day <= day)?.text ?? "";
    for (const at of [start + day * aDay, start + day * aDay + confirmAfter]) {
      const { memory: next, changes, noise } = comparePage(memory, page(text, kind), { at, last, confirmAfter });
      for (const { change } of changes) reported.push(change.after?.text ?? "");
      for (const { change, reason } of noise)
        if (reason === "its date rolls" && change.kind === "block") rolling.add(change.after?.text ?? "");
      memory = JSON.parse(JSON.stringify(next));
      last = at;
    }
  }
  return { reported, rolling: [...rolling] };
}

const days = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18];
const every = (text: (day: Date) => string, of = days) =>
  of.map((day) => ({ day, text: text(new Date(start + day * aDay)) }));

const plus = (date: Date, more: number) => new Date(date.getTime() + more * aDay);
const written = (locale: string, date: Date) =>
  date.toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const iso = (date: Date) => date.toISOString().slice(0, 10);
const sinceLaunch = (date: Date) => Math.round((date.getTime() - Date.UTC(2024, 4, 1)) / aDay);

describe("a date that moves with the clock is reported once", () => {
  test.each<[string, (date: Date) => string, Kind?]>([
    ["an expiry", (date) => `This document will expire on ${written("en-GB", plus(date, 186))}.`],
    ["an offer", (date) => `Order until ${written("en-US", plus(date, 3))} and fly at the weekend.`],
    ["a delivery, German", (date) => `Lieferung bis ${written("de", plus(date, 5))}`],
    ["a list of prices, French", (date) => `Prix en vigueur le ${written("fr", date)}`],
    ["a state, Spanish", (date) => `Estado del viento a ${written("es", date)}`],
    ["a state, Portuguese", (date) => `Situação em ${written("pt", date)}`],
    ["a state, Italian", (date) => `Situazione al ${written("it", date)}`],
    ["a state, Dutch", (date) => `Stand van ${written("nl", date)}`],
    ["a state, Polish", (date) => `Stan na ${written("pl", date)}`],
    ["a state, Japanese", (date) => `${written("ja", date)}の風`],
    ["a state, Chinese", (date) => `截至${written("zh", date)}的风力`],
    ["a row", (date) => `Wind of | ${iso(date)} | force six`, "row"],
    ["an entry", (date) => `Nightly of ${iso(date)}`, "item"],
    ["figures in American order", (date) => `Rates as of ${date.toLocaleDateString("en-US", { timeZone: "UTC" })}`],
    ["figures with points", (date) => `Kurse vom ${iso(date).split("-").toReversed().join(".")}`],
    [
      "a span of days",
      (date) => `The wind from ${written("en-GB", plus(date, -30))} to ${written("en-GB", date)} in one picture.`,
    ],
    ["a time of day", (date) => `The harbour was calm on ${iso(date)} at ${10 + (date.getUTCDate() % 10)}:30 UTC.`],
    ["days that are left", (date) => `The key is valid for ${400 - sinceLaunch(date) + 800} days.`],
    ["days since a launch", (date) => `The harbour has been open for ${sinceLaunch(date)} days.`],
    ["a sentence among others", (date) => `Kites need wind. They were tested on ${iso(date)} by ten people. All fly.`],
  ])("%s", (_, text, kind) => {
    const texts = every(text);
    const { reported, rolling } = checked(texts, kind);
    expect(reported.length).toBeLessThanOrEqual(1);
    if (reported.length > 0) {
      expect(reported).toEqual([texts[1]?.text]);
      expect(rolling).toEqual(texts.slice(2).map(({ text }) => text));
    }
  });

  test("also if it moves with each build, months apart", () => {
    const builds = [0, 40, 61, 130, 300];
    const texts = every((date) => `The manual describes the engine of ${written("en-GB", date)}`, builds);
    expect(checked(texts).reported).toEqual([texts[1]?.text]);
  });
});

test("a month that moves with the clock is reported once", () => {
  const month = (date: Date) => date.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  const texts = every((date) => `Mill draft, ${month(date)}`, [0, 33, 64, 90, 125]);
  expect(checked(texts).reported).toEqual([texts[1]?.text]);
  const meetings = [0, 20, 40].map((day, i) => ({
    day,
    text: `The next meeting is in ${["May", "August", "December"][i]} 2026`,
  }));
  expect(checked(meetings).reported).toEqual(meetings.slice(1).map(({ text }) => text));
});

test("a date that moves again before its second check rolls from its own day", () => {
  const text = (day: number) => `This document will expire on ${written("en-GB", plus(new Date(start), day + 186))}.`;
  let memory: PageMemory | undefined;
  let last: number | undefined;
  const reported = [0, 0.25, 7, 7.25, 23, 27, 28, 28.25, 40, 40.25].flatMap((day) => {
    const at = start + day * aDay;
    const { memory: next, changes } = comparePage(memory, page(text(Math.floor(day))), { at, last, confirmAfter });
    memory = next;
    last = at;
    return changes.map(({ change }) => change.after?.text);
  });
  expect(reported).toEqual([text(7)]);
});

test("of two fields, each has its own date", () => {
  const closing = [40, 45, 61, 90];
  const fields = (day: number): readonly Block[] => [
    { path: [], kind: "paragraph", text: "The kite holds in wind of force six." },
    { path: ["Opens"], kind: "term", text: written("en-GB", plus(new Date(start), day + 3)) },
    { path: ["Closes"], kind: "term", text: written("en-GB", plus(new Date(start), closing[day] ?? 0)) },
  ];
  let memory: PageMemory | undefined;
  let last: number | undefined;
  const reported = closing.flatMap((_, day) =>
    [0, 0.25].flatMap((part) => {
      const at = start + (day + part) * aDay;
      const comparison = comparePage(memory, fields(day), { at, last, confirmAfter });
      memory = comparison.memory;
      last = at;
      return comparison.changes.flatMap(({ change }) => change.after?.text ?? []);
    }),
  );
  const [, opens, first] = fields(1).map(({ text }) => text);
  expect(reported).toEqual([opens, first, fields(2)[2]?.text, fields(3)[2]?.text]);
});

test("a text with the same date as one that rolls does, too", () => {
  const expiry = (date: Date) => `This document will expire on ${written("en-GB", plus(date, 186))}.`;
  const texts = every(expiry, [0, 1, 2, 3]);
  const head = every(
    (date) => `${expiry(date)} Mill draft, valid until ${written("en-GB", plus(date, 186))}.`,
    [4, 5, 6],
  );
  expect(checked([...texts, ...head]).reported).toEqual([texts[1]?.text, head[0]?.text]);
});

describe("several dates of a draft that move together", () => {
  const month = (date: Date) => date.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  const draft = (date: Date): readonly Block[] => [
    { path: [], kind: "row", text: `Mill draft | Kites | ${month(date)}` },
    { path: [], kind: "row", text: `Harbour | Expires ${written("en-GB", plus(date, 186))} | [Page]` },
    { path: [], kind: "term", text: "Published:" },
    { path: ["Published"], kind: "term", text: written("en-GB", date) },
    { path: [], kind: "term", text: "Expires:" },
    { path: ["Expires"], kind: "term", text: written("en-GB", plus(date, 186)) },
    { path: ["Kites"], kind: "paragraph", text: "The kite holds in wind of force six." },
  ];
  /** With a day that may be that of anything. */
  const undated = (date: Date) =>
    draft(date).map((block): Block => JSON.parse(JSON.stringify(block).replace("Published", "Drawn")));
  /** The reported texts, by checks on these days. A part of a day is a second check. */
  const reportedOn = (checks: readonly number[], of = draft) => {
    let memory: PageMemory | undefined;
    let last: number | undefined;
    return checks.map((day) => {
      const at = start + day * aDay;
      const blocks = of(new Date(start + Math.floor(day) * aDay));
      const { memory: next, changes } = comparePage(memory, blocks, { at, last, confirmAfter });
      memory = next;
      last = at;
      return changes.map(({ change }) => change.after?.text);
    });
  };

  test("are reported once, and none is mistaken for another if only some checks are compared", () => {
    const checks = [0, 2, 2.25, 3, 20, 20.25, 27, 28, 50, 57, 57.25];
    expect(reportedOn(checks, undated).map((texts) => texts.length)).toEqual([0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("take the month of one of them along", () => {
    expect(reportedOn([0, 2, 2.25, 20, 20.25, 60, 60.25], undated).slice(3)).toEqual([[], [], [], []]);
  });

  test("are not reported if a field says that it was published since the last check", () => {
    expect(reportedOn([0, 2, 2.25, 3, 20, 20.25, 60, 60.25]).flat()).toEqual([]);
  });

  test("are reported if they were renewed for a year, as people do", () => {
    const expiry = written("en-GB", plus(new Date(start), 365 + 186));
    expect(reportedOn([0, 365, 365.25]).at(-1)).toContain(`Harbour | Expires ${expiry} | [Page]`);
  });
});

describe("it is reported each time", () => {
  const roll = every((date) => `Order until ${written("en-GB", plus(date, 10))}.`, [0, 1, 2, 3]);
  const jump = { day: 4, text: `Order until ${written("en-GB", plus(new Date(start), 90))}.` };

  test("if the date jumps", () => {
    expect(checked([...roll, jump]).reported).toEqual([roll[1]?.text, jump.text]);
  });

  test("if it is a day that no calendar has", () => {
    const texts = [30, 31].map((day, i) => ({ day: i, text: `The offer ends on ${day} February 2026.` }));
    expect(checked([...texts, { day: 2, text: texts[1]?.text ?? "" }])).toEqual({
      reported: [texts[1]?.text],
      rolling: [],
    });
  });

  test("if another word changes with it", () => {
    const other = { day: 4, text: roll[3]?.text.replace("Order", "Pay") ?? "" };
    expect(checked([...roll, other]).reported).toEqual([roll[1]?.text, other.text]);
  });

  test("if another figure changes with it", () => {
    const cost = (date: Date, i: number) => `It costs $${30 + i} since ${written("en-GB", date)}.`;
    const texts = [0, 10, 20, 30].map((day, i) => ({ day, text: cost(new Date(start + day * aDay), i) }));
    expect(checked(texts).reported).toEqual(texts.slice(1).map(({ text }) => text));
  });

  test("if it is a number, and no span of days", () => {
    const texts = [80, 83, 86].map((weight, i) => ({
      day: i * 3,
      text: `A sled carries ${weight} g in a fresh wind.`,
    }));
    expect(checked(texts).reported).toEqual(texts.slice(1).map(({ text }) => text));
  });

  test.each([
    ["English", "Effective"],
    ["French", "En vigueur depuis le"],
  ])("if it is the day since when the text applies, weeks later, %s", (_, words) => {
    const texts = every((date) => `${words} ${written("en-GB", plus(date, -1))}`, [0, 157, 223]);
    expect(checked(texts).reported).toEqual(texts.slice(1).map(({ text }) => text));
  });

  test.each([
    ["a deadline that people move", [20, 60, 85, 130, 190], [0, 12, 33, 60, 101]],
    ["a date that goes back", [40, 30, 20, 10, 0], [0, 1, 2, 3, 4]],
    ["the next of some dates", [5, 30, 34, 80, 90], [0, 6, 31, 35, 81]],
  ])("%s", (_, ahead, at) => {
    const texts = at.map((day, i) => ({
      day,
      text: `Sign up by ${written("en-GB", plus(new Date(start), ahead[i] ?? 0))}.`,
    }));
    expect(checked(texts).reported).toEqual(texts.slice(1).map(({ text }) => text));
  });
});

describe("a window of days", () => {
  type Entry = readonly [day: number, text: string];
  const nameOfDay = (day: number) => written("en-GB", new Date(start + day * aDay));

  /** A page with the next five days and their entries, on each day. */
  const agenda = (today: number, entries: readonly Entry[]): readonly Block[] => [
    ...page("Kites fly on these days.").slice(0, 3),
    ...[0, 1, 2, 3, 4].flatMap((n) => [
      { path: ["Kites"], kind: "item" as const, text: nameOfDay(today + n) },
      ...entries
        .filter(([day]) => day === today + n)
        .map(([, text]) => ({ path: ["Kites"], kind: "item" as const, text })),
    ]),
    ...page("").slice(3),
  ];

  function reportedOf(entriesOn: (day: number) => readonly Entry[]): string[] {
    let memory: PageMemory | undefined;
    let last: number | undefined;
    const reported: string[] = [];
    for (let day = 0; day < 8; day++) {
      for (const at of [start + day * aDay, start + day * aDay + confirmAfter]) {
        const { memory: next, changes } = comparePage(memory, agenda(day, entriesOn(day)), { at, last, confirmAfter });
        for (const { change } of changes)
          reported.push(`${day}: ${change.before?.text ?? ""} → ${change.after?.text ?? ""}`);
        memory = JSON.parse(JSON.stringify(next));
        last = at;
      }
    }
    return reported;
  }

  const races: readonly Entry[] = [
    [3, "A race of ten kites"],
    [5, "A lesson for children"],
  ];
  const once = `1: ${nameOfDay(0)} → ${nameOfDay(5)}`;

  test("moves once, and its past entries go silently", () => {
    expect(reportedOf(() => races.slice(0, 1))).toEqual([once]);
  });

  test("but an entry that comes, or goes before its day, is reported", () => {
    expect(reportedOf((day) => (day < 3 ? races.slice(0, 1) : races))).toContain("3:  → A lesson for children");
    expect(reportedOf((day) => (day < 2 ? races.slice(0, 1) : []))).toContain("2: A race of ten kites → ");
  });
});
