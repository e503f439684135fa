import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answersMark,
  beginLine,
  isReportedBy,
  markOf,
  reportedLine,
  sectionEnd,
  splitAtSection,
  withSection,
} from "../../../src/recheck/issue/marker.ts";
import { firing } from "../samples.ts";
import { hostile } from "./hostile.ts";

const section = (text: string, marker = "m1") =>
  [beginLine(marker, "tensor", [firing("tensor", "some event")], ["recheck"]), text, sectionEnd].join("\n\n");

describe("the hidden line", () => {
  test("is read back with any names of events and labels, and nothing in it can end it", () => {
    fc.assert(
      fc.property(fc.array(hostile()), fc.array(hostile(), { maxLength: 3 }), (keys, labels) => {
        const line = beginLine(
          "m1",
          "tensor",
          keys.map((key) => firing("tensor", key)),
          labels,
        );
        expect(line).not.toMatch(/[\n@#`/>](?!$)/);
        expect(line.indexOf("-->")).toBe(line.length - 3);
        const mark = markOf(`${line}\n\ntext`);
        const told = keys.slice(0, keys.length - (mark?.more ?? 0));
        expect(mark).toMatchObject({ marker: "m1", trigger: "tensor", contrary: 0 });
        expect(mark?.labels).toHaveLength(labels.length);
        expect(mark?.events).toEqual(
          told.map((key) => (key.toWellFormed().length === key.length ? key : expect.anything())),
        );
      }),
    );
  });

  test("of a comment shows whether others together report its events, unless it has no room for them all", () => {
    const comment = (...keys: readonly string[]) => reportedLine(keys.map((key) => firing("tensor", key)));
    const isReported = isReportedBy({ marker: "own", body: comment("one", "two") });
    expect([comment("one"), "recheck:tells", comment("two", "three")].map(isReported)).toEqual([false, false, true]);
    expect(["no events", "own"].map(isReportedBy({ marker: "own", body: "" }))).toEqual([false, true]);
    expect(comment(...Array.from({ length: 500 }, (_, index) => `event number ${index}`))).toBe("");
  });

  test("has room for so many events, and counts the rest", () => {
    const firings = Array.from({ length: 500 }, (_, index) => firing("tensor", `event number ${index}`));
    const mark = markOf(beginLine("m1", "tensor", firings, []));
    expect(mark?.events.length).toBeGreaterThan(50);
    expect((mark?.events.length ?? 0) + (mark?.more ?? 0)).toBe(500);
  });

  test.each([
    "",
    "text",
    "<!-- recheck:begin not json -->",
    "<!-- recheck:begin [1] -->",
    '<!-- recheck:begin {"marker":"m1","labels":1} -->',
    "> <!-- recheck:begin {} -->",
  ])("is not seen in %j", (body) => {
    expect(markOf(body)?.marker || undefined).toBeUndefined();
  });

  test("says how many of its events are contrary, and which labels came with it", () => {
    const contrary = firing("tensor", "worse", { weight: "contrary" });
    const mark = markOf(beginLine("m1", "tensor", [contrary, firing("tensor", "routine")], ["recheck", "contrary"]));
    expect(mark).toMatchObject({ events: ["worse", "routine"], contrary: 1, labels: ["recheck", "contrary"] });
    const older = markOf('<!-- recheck:begin {"marker":"m1","events":["a"]} -->');
    expect(older).toMatchObject({ events: ["a"], contrary: undefined, labels: undefined });
  });
});

describe("text of people", () => {
  test("stays around the section, to the letter", () => {
    const people = fc.oneof(hostile(), fc.string()).filter((text) => !/recheck:(?:begin|end)/.test(text));
    fc.assert(
      fc.property(people, people, (above, below) => {
        const existing = `${above}\n${section("old")}\n${below}`;
        expect(withSection(existing, () => section("new"))).toBe(`${above}\n${section("new")}\n${below}`);
      }),
    );
  });

  test("stays when GitHub's editor has ended its lines with CR LF", () => {
    const existing = `Mine.\n\n${section("old")}\n\nMine too.`.replaceAll("\n", "\r\n");
    expect(withSection(existing, () => section("new"))).toBe(`Mine.\r\n\r\n${section("new")}\r\n\r\nMine too.`);
    expect(markOf(existing)?.events).toEqual(["some event"]);
  });

  test.each([
    ["both ends gone", "Only mine.", "Only mine."],
    ["the end gone", `${beginLine("m1", "tensor", [], [])}\n\nold\n\nMine.`, "old\n\nMine."],
    ["the beginning gone", `old\n\n${sectionEnd}\n\nMine.`, "old\n\n\nMine."],
    ["the ends in the wrong order", `${sectionEnd}\nMine.\n${beginLine("m1", "tensor", [], [])}`, "Mine."],
  ])("stays with %s, below a new section", (_, existing, kept) => {
    const merged = withSection(existing, () => section("new"));
    expect(merged).toBe(`${section("new")}\n\n${kept}`);
    // And from then on the section is replaced in its place.
    expect(withSection(merged, () => section("newer"))).toBe(`${section("newer")}\n\n${kept}`);
  });

  test("an empty body is all ours", () => {
    expect(withSection("", () => section("new"))).toBe(section("new"));
    expect(splitAtSection("  \n")).toEqual({ before: "", section: "", after: "" });
  });

  test("keeps its ticks, if the question is the same", () => {
    const asking = (first: string, second: string) =>
      section(`text\n\n### To decide\n\n- [${first}] Does it run?\n- [${second}] Which ones?\n\n### Answer`);
    expect(withSection(asking("x", " "), () => asking(" ", " "))).toBe(asking("x", " "));
    expect(withSection(asking("X", "x").replaceAll("\n", "\r\n"), () => asking(" ", " "))).toBe(asking("x", "x"));
    expect(withSection(asking(" ", " "), () => asking(" ", " "))).toBe(asking(" ", " "));
  });

  test("is never a tick that a source wrote", () => {
    const shown = (first: string) => section(`\`\`\`\`diff\n- [x] Does it run?\n\`\`\`\`\n\n- [${first}] Does it run?`);
    expect(withSection(shown(" "), () => shown(" "))).toBe(shown(" "));
  });
});

test("in a pull request, too, people's text stays if they wiped out a hidden line", () => {
  const section = (words: string) =>
    `${answersMark("m4rk")}\n\n${words}\n\n### To edit by hand\n\n- [ ] here\n\n${sectionEnd}`;
  const existing = `Mine.\n\n${section("old").replace("- [ ]", "- [x]")}\n\nMine too.`;
  expect(withSection(existing, () => section("new"))).toBe(
    `Mine.\n\n${section("new").replace("- [ ]", "- [x]")}\n\nMine too.`,
  );
  for (const line of [answersMark("m4rk"), sectionEnd]) {
    const body = withSection(existing.replace(line, ""), () => section("new"));
    expect(body).toMatch(/^<!-- recheck:answer [\s\S]*Mine\.[\s\S]*Mine too\.$/);
    expect(body.split(sectionEnd)).toHaveLength(2);
  }
});
