import { describe, expect, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { Block } from "../../../src/model/reading.ts";

const page = (headings: readonly string[]): readonly Block[] =>
  headings.flatMap((heading, i) => [
    { path: [], kind: "heading", text: heading },
    { path: [heading], kind: "paragraph", text: `The ${"abcd".charAt(i)}-kite holds in wind of force six.` },
  ]);

function reported(before: readonly string[], after: readonly string[]): (string | undefined)[] {
  const { memory } = comparePage(undefined, page(before), { at: 0, confirmAfter: 0 });
  const { changes } = comparePage(memory, page(after), { at: 86_400_000, confirmAfter: 0 });
  return changes.map(({ change }) => change.after?.text);
}

describe("the number of a section is no news", () => {
  test.each([
    ["of a chapter", ["Chapter 2. Flying"], ["Chapter 3. Flying"]],
    ["in another language", ["Kapitel 2: Fliegen"], ["Kapitel 3: Fliegen"]],
    [
      "of all its sections",
      ["2 Flying", "2.1 Landing", "2.1.1 On water"],
      ["3 Flying", "3.1 Landing", "3.1.1 On water"],
    ],
    ["with a full stop", ["4. Strings"], ["5. Strings"]],
  ])("%s", (_, before, after) => {
    expect(reported(before, after)).toEqual([]);
  });
});

describe("it is reported", () => {
  test.each([
    ["if the words differ", ["2.1 Landing"], ["3.1 Landing on water"], ["3.1 Landing on water"]],
    ["if a version heads it", ["Release 2.1"], ["Release 2.2"], ["Release 2.2"]],
    ["if a figure is within the words", ["Kites with 2 strings"], ["Kites with 3 strings"], ["Kites with 3 strings"]],
  ])("%s", (_, before, after, news) => {
    expect(reported(before, after)).toEqual(news);
  });
});
