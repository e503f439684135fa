import { describe, expect, test } from "vitest";
import { dateIn, datesIn, instantOf, isoDayOf, isoInstant, withoutDays } from "../../src/language/dates.ts";
import { day, isoTime } from "../../src/model/time.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";

const now = Date.UTC(2026, 10, 26);
const said = (text: string) => {
  const { at, precision } = dateIn(text, now) ?? {};
  if (at === undefined) return precision === undefined ? "no date" : "unknown";
  return precision === "day" ? day(at) : precision?.endsWith("time") ? isoTime(at).slice(0, 16) : day(at).slice(0, 7);
};

/** Spellings of 3 March 2026, unless another day is given, by language. */
const spellings: Readonly<Record<string, readonly (string | readonly [written: string, day: string])[]>> = {
  English: [
    "March 3, 2026",
    "3 March 2026",
    "March 3rd, 2026",
    "the 3rd of March 2026",
    "Tue, 3 Mar 2026",
    "Mar. 3, 2026",
  ],
  German: ["3. März 2026", "Dienstag, 3. März 2026", "am 03.03.2026", ["1. Jänner 2026", "2026-01-01"]],
  French: ["3 mars 2026", "mar. 3 mars 2026", "le 3 mars 2026", ["1er août 2026", "2026-08-01"]],
  Spanish: ["3 de marzo de 2026", "martes, 3 de marzo del 2026", "3 mar 2026"],
  Portuguese: ["3 de março de 2026", "3 de Março, 2026"],
  Italian: ["3 marzo 2026", "martedì 3 marzo 2026", ["2 gen 2026", "2026-01-02"]],
  Dutch: ["3 maart 2026", "dinsdag 3 maart 2026", "3 mrt 2026"],
  Swedish: ["den 3 mars 2026"],
  Danish: ["3. marts 2026"],
  Norwegian: ["3. mars 2026", "tirsdag 3. mars 2026"],
  Finnish: ["3. maaliskuuta 2026", "3.3.2026"],
  Polish: ["3 marca 2026", ["3 września 2026", "2026-09-03"], ["3 listopada 2026", "2026-11-03"]],
  Croatian: [["3. listopada 2026.", "2026-10-03"]],
  Czech: ["3. března 2026", "3. 3. 2026"],
  Slovak: ["3. marca 2026"],
  Hungarian: ["2026. március 3.", "2026. 03. 03."],
  Romanian: ["3 martie 2026"],
  Bulgarian: ["3 март 2026 г."],
  Greek: ["3 Μαρτίου 2026"],
  Russian: ["3 марта 2026", "3 марта 2026 г.", "вторник, 3 марта 2026 года"],
  Ukrainian: ["3 березня 2026 р."],
  Lithuanian: ["2026 m. kovo 3 d."],
  Latvian: ["2026. gada 3. martā"],
  Turkish: ["3 Mart 2026", "3 Mart 2026 Salı"],
  Indonesian: ["3 Maret 2026"],
  Vietnamese: ["3 tháng 3, 2026", "ngày 3 tháng 3 năm 2026"],
  Catalan: ["3 de març del 2026", ["3 d’abril de 2026", "2026-04-03"]],
  Arabic: ["٣ مارس ٢٠٢٦", "3 مارس 2026"],
  Hebrew: ["3 במרץ 2026"],
  Hindi: ["3 मार्च 2026"],
  Thai: ["3 มีนาคม 2569"],
  Chinese: ["2026年3月3日", "2026 年 3 月 3 日 星期二"],
  Japanese: ["2026年3月3日(火)", "２０２６年３月３日"],
  Korean: ["2026년 3월 3일", "2026. 3. 3."],
  figures: ["2026-03-03", "2026/3/3", "03/03/2026", "03.03.26", "20260303", ["15/03/2026", "2026-03-15"]],
};
const rows = Object.entries(spellings).flatMap(([language, each]) =>
  each.map((one) => (typeof one === "string" ? [language, one, "2026-03-03"] : [language, ...one]) as string[]),
);

describe("a day is read in the languages of pages", () => {
  test("there are 60 spellings in 20 languages, and more", () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(Object.keys(spellings).length).toBeGreaterThanOrEqual(20);
  });

  test.each(rows)("%s: %s is %s", (_, written = "", expected) => {
    expect(said(written)).toBe(expected);
  });
});

describe("a date is never guessed", () => {
  test.each([
    ["either day first or month first", "03/04/2026"],
    ["two figures that may be day, month or year", "02/01/26"],
    ["another weekday", "Mon, 3 March 2026"],
    ["another weekday in Japanese", "2026年3月3日(水)"],
    ["another weekday behind it", "3 Mart 2026 Pazartesi"],
    ["a year that is too far", "1 June 2226"],
    ["October in Croatian, November in Polish", "listopad 2025"],
    ["a day that the calendar does not have", "30 February 2026"],
    ["a month that the calendar does not have", "2026-13-01"],
  ])("%s: %s", (_, written) => {
    expect(said(written)).toBe("unknown");
    expect(datesIn(written).flatMap(({ at }) => at ?? [])).toEqual([]);
  });

  test.each([
    ["two figures of the year by what is possible", "03-12-31", "2003-12-31"],
    ["two figures of the year by the weekday", "Fri, 02/01/26", "2026-01-02"],
    ["day and month by the weekday", "Fri, 02/01/2026", "2026-01-02"],
    ["day and month with spaces by the weekday", "Sat, 11 04 2020", "2020-04-11"],
    ["day first between points, with two figures of the year as well", "02.01.26", "2026-01-02"],
    ["the next year", "1 June 2027", "2027-06-01"],
  ])("%s: %s", (_, written, expected) => {
    expect(said(written)).toBe(expected);
  });

  test("a year after the next one is no year, if the time is known", () => {
    expect([dateIn("1 June 2028", now)?.at, dateIn("2028-06-01", now)?.at]).toEqual([undefined, undefined]);
    expect(dateIn("1 June 2028")?.at).toBe(Date.UTC(2028, 5));
  });

  test.each([
    "Discontinued in March 2026",
    "Deprecated in 2025",
    "Withdrawn June 1, 2026",
    "Level 3",
    "Kite 12",
    "03335",
    "3 March 2026 and 4 March 2026",
    "v2026.3.1",
    "tomorrow",
    "",
  ])("it is no date: %s", (written) => {
    expect(said(written)).toBe("no date");
  });
});

describe("a time of day", () => {
  test.each([
    ["Jan. 2, 2026, 10:57 a.m.", "2026-01-02T10:57"],
    ["Friday, January 2, 2026 - 3:09pm", "2026-01-02T15:09"],
    ["January 2, 2026 at 10:00 AM", "2026-01-02T10:00"],
    ["12:30 am, 2 January 2026", "2026-01-02T00:30"],
    ["10:57, 2 January 2026 (UTC)", "2026-01-02T10:57"],
    ["Freitag, 2. Januar 2026, 10.57 Uhr", "2026-01-02T10:57"],
    ["Fri Jan 02 10:00:00 CET 2026", "2026-01-02T09:00"],
    ["Fri Jan  2 10:00:00 2026", "2026-01-02T10:00"],
    ["Fri, 02 Jan 2026 10:00:00 Europe/Berlin", "2026-01-02T09:00"],
    ["Fri, 03 Jul 2026 10:00:00 Europe/Berlin", "2026-07-03T08:00"],
    ["Fri, 02 Jan 2026 10:00:00 ET", "2026-01-02T15:00"],
    ["Fri, 03 Jul 2026 10:00:00 ET", "2026-07-03T14:00"],
    ["Fri, 02 Jan 2026 10:00:00 MET", "2026-01-02T09:00"],
    ["Fri, 02-Jan-26 10:00:00 GMT", "2026-01-02T10:00"],
    ["Fri Jan 02 2026 10:00:00 GMT+0100 (Central European Standard Time)", "2026-01-02T09:00"],
    ["2026-01-02T10:00:00-05:00Z", "2026-01-02T15:00"],
    ["Fri, 2 Jan 2026 10:00:00 MST-07:00", "2026-01-02T17:00"],
    ["Fri, 2 Jan 2026 10:00:00 -0700 MST", "2026-01-02T17:00"],
    ["Fri Jan 2 10:00:00 +0100 2026", "2026-01-02T09:00"],
    ["Fri Jan 2 10:00:00 2026 EST", "2026-01-02T15:00"],
    ["Fri, 2 Jan 2026 10:4:5 GMT", "2026-01-02T10:04"],
    ["Fr, 02 Jan 2026 10:00:00 +0100", "2026-01-02T09:00"],
    ["02 Mär 2026 10:00:00 +0100", "2026-03-02T09:00"],
    ["02 avr 2026 10:00:00 GMT", "2026-04-02T10:00"],
    ["02 déc. 2026 10:00:00 GMT", "2026-12-02T10:00"],
    ["2026年1月2日 10:57", "2026-01-02T10:57"],
  ])("%s is %s", (written, expected) => {
    expect(said(written)).toBe(expected);
  });

  test.each(["2 January 2026 10:00 IST", "Fri, 02 Jan 2026 10:00:00 XYZT"])(
    "in a zone whose name may be several, only the day is known: %s",
    (written) => {
      expect(said(written)).toBe("2026-01-02");
    },
  );

  test.each([
    "2 January 2026 25:00",
    "2 January 2026 10:61",
    "2 January 2026 13:00 pm",
    "2 January 2026 10:00 Mars/Olympus",
  ])("that no clock shows makes it no date: %s", (written) => {
    expect(said(written)).toBe("no date");
  });

  test("without a zone is said to be local", () => {
    expect(dateIn("2026-01-02 10:00")?.precision).toBe("local time");
    expect(dateIn("2026-01-02 10:00 CET")?.precision).toBe("time");
  });
});

describe("an instant as sources write it", () => {
  test.each([
    ["2026-07-08", Date.UTC(2026, 6, 8)],
    ["2026-07-08T10:00:00Z", Date.UTC(2026, 6, 8, 10)],
    ["2026-07-08T10:00:00.5", Date.UTC(2026, 6, 8, 10, 0, 0, 500)],
    ["2026-07-08T10:00:00.57Z", Date.UTC(2026, 6, 8, 10, 0, 0, 570)],
    ["2026-07-08 10:00", Date.UTC(2026, 6, 8, 10)],
    ["2026-07-08T10:00:00+02:00", Date.UTC(2026, 6, 8, 8)],
    ["2026-07-08T10:00:00-03:30", Date.UTC(2026, 6, 8, 13, 30)],
    ["Wed, 08 Jul 2026 10:00:00 GMT", Date.UTC(2026, 6, 8, 10)],
    ["Wed, 08 Jul 2026 10:00:00 -0500", Date.UTC(2026, 6, 8, 15)],
    ["8 Jul 2026 10:00:00 EST", Date.UTC(2026, 6, 8, 15)],
    ["July 8, 2026", Date.UTC(2026, 6, 8)],
    ["Wed, 08 Jul 2026 10:00:00 CEST", Date.UTC(2026, 6, 8, 8)],
    ["8 Jul 2026 10:00 BST", Date.UTC(2026, 6, 8, 9)],
    ["Wed, 08 Jul 2026 10:00:00 JST", Date.UTC(2026, 6, 8, 1)],
    ["Wed Jul 08 2026 10:00:00 GMT+0200 (Central European Summer Time)", Date.UTC(2026, 6, 8, 8)],
    ["2026-07-08 10:00:00 +02:00", Date.UTC(2026, 6, 8, 8)],
    ["2026-07-08T10:00:00 +0200", Date.UTC(2026, 6, 8, 8)],
    ["2026-07-08T10:00:00+02", Date.UTC(2026, 6, 8, 8)],
    ["2026-07-08 10:00:00 UTC", Date.UTC(2026, 6, 8, 10)],
    ["2026-07-08 10:00 CET", Date.UTC(2026, 6, 8, 9)],
    ["20260708T100000Z", Date.UTC(2026, 6, 8, 10)],
    ["20260708", Date.UTC(2026, 6, 8)],
    ["Wed, 07/08/2026 - 10:00", Date.UTC(2026, 6, 8, 10)],
    ["08.07.2026", Date.UTC(2026, 6, 8)],
    ["8.7.2026 10:00", Date.UTC(2026, 6, 8, 10)],
    ["20261345", undefined],
    ["123456789", undefined],
    ["tomorrow", undefined],
    ["2026-13-45", undefined],
    ["", undefined],
    [undefined, undefined],
    ["0001-01-01", undefined],
    ["9999-12-31T00:00:00Z", undefined],
  ])("%s", (written, at) => {
    expect(instantOf(written)).toBe(at);
  });

  test("a program's own spelling is ISO 8601 and nothing else", () => {
    expect(isoInstant("2026-07-08T10:00:00.000Z")).toBe(Date.UTC(2026, 6, 8, 10));
    expect(isoInstant("0001-01-01T00:00:00.000Z")).toBe(new Date(0).setUTCFullYear(1, 0, 1));
    expect(["8 July 2026", "2026-02-30T10:00:00Z", "2026-07-08T25:00:00Z"].map(isoInstant)).toEqual([NaN, NaN, NaN]);
    expect(["2026-07-08", "20260708", "2026-02-30", "2026-07"].map(isoDayOf)).toEqual([
      Date.UTC(2026, 6, 8),
      ...[undefined, undefined, undefined],
    ]);
  });
});

describe("dates among other words", () => {
  test.each([
    ["from 2026-05-16 on", "2026-05-16"],
    ["on May 16, 2026", "2026-05-16"],
    ["on 16th May 2026", "2026-05-16"],
    ["Dec. 2, 2025", "2025-12-02"],
    ["in September 2025", "2025-09-01"],
    ["Chapter 2, September 2025", "2025-09-01"],
    ["| 2025/09/03 |", "2025-09-03"],
    ["26–28 July 2026", "2026-07-28"],
    ["Stand: 12. März 2024", "2024-03-12"],
    ["am 12.03.2024", "2024-03-12"],
    ["mis à jour le 1er août 2024", "2024-08-01"],
    ["3 de abril de 2024", "2024-04-03"],
    ["最終更新日: 2024年4月3日", "2024-04-03"],
    ["2024年4月", "2024-04-01"],
    ["per 3 maart 2026", "2026-03-03"],
    ["so 3 March 2026", "2026-03-03"],
    ["on Tuesday, 3 March 2026, in the evening", "2026-03-03"],
    ["2026년 3월 3일에 바뀌었다", "2026-03-03"],
    ["更新2026-03-03", "2026-03-03"],
    ["(March 3, 2026; it flies)", "2026-03-03"],
    ["“3 March 2026”: it flies", "2026-03-03"],
  ])("%s", (text, expected) => {
    expect(datesIn(text).map(({ at }) => at && day(at))).toEqual([expected]);
  });

  test.each([
    "output 2026",
    "phased out 2026",
    "des 2026 écoles",
    "version 2026.3.1 and 1.2.3.2026",
    "2026-13-01 or 99 May 2026x",
    "February 30, 2026",
  ])("there is none in: %s", (text) => {
    expect(datesIn(text).flatMap(({ at }) => at ?? [])).toEqual([]);
  });

  test("each has its place and how exact it is", () => {
    const text = "Since Tuesday, 3 March 2026 and until May 2027.";
    expect(datesIn(text).map(({ from, to, precision }) => [text.slice(from, to), precision])).toEqual([
      ["Tuesday, 3 March 2026", "day"],
      ["May 2027", "month"],
    ]);
    expect(withoutDays("Built 2026-03-03, or 03/04/2026.", "§")).toBe("Built §, or §.");
    expect(dateIn("May 2027")?.precision).toBe("month");
  });
});

test.each([
  ["figures", "3 ".repeat(50_000)],
  ["years", "2026-".repeat(20_000)],
  ["months", "mar ".repeat(25_000)],
  ["days", "2026-03-03 ".repeat(9_000)],
  ["half dates", "mar. 3 de de ".repeat(8_000)],
  ["words", "one word more ".repeat(50_000)],
])("%s without end take time linear in their length", (_, text) => {
  const begun = processorTime();
  datesIn(`${text}2026`);
  expectTime(processorTime() - begun, 3_000);
});
