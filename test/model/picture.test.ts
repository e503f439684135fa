import { expect, test } from "vitest";
import { isPicture, pictureElement, pictureIn } from "../../src/model/published.ts";

const picture = `UklGR${"a".repeat(1_000)}==`;
const stored = (html: string) => new TextEncoder().encode(html);

test("a picture is stored behind a page, and comes back", () => {
  expect(pictureIn(stored(`<p>A page</p>${pictureElement(picture)}`))).toBe(picture);
});

test.each([
  ["a page without one", "<p>A page</p>"],
  ["an empty page", ""],
  ["a page that writes one itself", `${pictureElement(picture)}<p>A page</p>`],
  ["another format", pictureElement(`PHN2Zz${"a".repeat(100)}`)],
  ["one that ends its element", pictureElement('UklGR"><script>alert(1)</script>')],
  ["one that is too large", pictureElement(`UklGR${"a".repeat(80_000)}`)],
])("%s has none", (_, html) => {
  expect(pictureIn(stored(html))).toBeUndefined();
});

test.each([undefined, 3, "", "UklGR", `UklGR${"=".repeat(50_000)}`])("%s is no picture", (data) => {
  expect(isPicture(data)).toBe(false);
});
