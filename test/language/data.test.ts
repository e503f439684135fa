import { readFileSync } from "node:fs";
import { analyse } from "scslre";
import { expect, test } from "vitest";
import { editorSchema, languages, languagesPage, wordsFile } from "../../scripts/languages.ts";
import { monthNamesFile } from "../../scripts/month-names.ts";

const all = languages();

test.each([
  ["src/language/words.json", wordsFile(all)],
  ["src/language/month-names.json", monthNamesFile()],
  ["docs/languages.md", languagesPage(all)],
  ["src/language/data/schema.json", editorSchema()],
])("%s is what `npm run languages` writes", (file, text) => {
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("ReDoS: no phrase of a language takes the square of a text's length", () => {
  const sources = [...all.values()].flatMap((language) => stringsIn(language));
  expect(sources.length).toBeGreaterThan(400);
  const slow = (source: string) =>
    analyse(
      { source: source.replaceAll(/\{[a-z]+\}/g, "x"), flags: "iu" },
      { reportTypes: { Move: true, Self: true, Trade: true } },
    ).reports.length > 0;
  expect(sources.filter(slow)).toEqual([]);
});

/** All phrases of a language, and its name. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
