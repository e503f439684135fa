import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FramedPage, isFrameKept } from "../../src/compare/other-document.ts";
import type { Block } from "../../src/model/reading.ts";

const block = (text: string): Block => ({ path: [], kind: "item", text });
const pageWith = (around: readonly string[], content: readonly string[], language = "en"): FramedPage => ({
  whole: { language, blocks: [...around, ...content].map(block) },
  content: content.map(block),
});
const menu = Array.from({ length: 12 }, (_, i) => `Menu ${i}`);

describe("the frame of a page", () => {
  test("is kept with any content", () => {
    const texts = (minLength: number) =>
      fc.uniqueArray(
        fc.string({ minLength: 1 }).map((text) => `text ${text}`),
        { minLength },
      );
    fc.assert(
      fc.property(texts(0), texts(1), (olds, news) => {
        expect(isFrameKept(pageWith(menu, olds), pageWith(menu, news))).toBe(true);
      }),
    );
  });

  test("is not kept if the content is gone, and only the frame is shown", () => {
    expect(isFrameKept(pageWith(menu, ["a", "b"]), pageWith(menu, ["b"]))).toBe(true);
    expect(isFrameKept(pageWith(menu, ["a"]), pageWith(menu, ["Menu 1", "Menu 2"]))).toBe(false);
    expect(isFrameKept(pageWith(menu, ["a"]), pageWith(menu, []))).toBe(false);
  });

  test("is kept if a few entries of its menus changed, and another one if most did", () => {
    const changed = (count: number) => menu.map((name, i) => (i < count ? `${name} anew` : name));
    expect(isFrameKept(pageWith(menu, ["a"]), pageWith(changed(4), ["b"]))).toBe(true);
    expect(isFrameKept(pageWith(menu, ["a"]), pageWith(changed(9), ["b"]))).toBe(false);
  });

  test("is another one in a page that declares another language", () => {
    expect(isFrameKept(pageWith(menu, ["a"], "en"), pageWith(menu, ["b"], "de"))).toBe(false);
  });

  test("is not reported if there is hardly any", () => {
    expect(isFrameKept(pageWith(menu.slice(0, 3), ["a"]), pageWith(menu.slice(0, 3), ["b"]))).toBe(false);
  });
});
