import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { languages } from "../../scripts/languages.ts";

/** The literals of a file: strings, templates and expressions. */
function literalsOf(file: string): string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    Literal: (node) => {
      if ("regex" in node) found.push(node.regex.pattern);
      else if (typeof node.value === "string") found.push(node.value);
    },
    TemplateElement: (node) => void found.push(node.value.raw),
  });
  visitor.visit(parseSync(file, readFileSync(file, "utf8")).program);
  return found;
}

const files = globSync("src/**/*.ts").filter((file) => !/^src\/language\//.test(file));
const literals = files.flatMap((file) => literalsOf(file).map((text) => ({ file, text })));

/** Words with a letter beyond ASCII. Sets of single letters and marks are none: `[ßøł]` */
const foreignWord = /(?=\p{L}*[^\p{ASCII}\P{L}])\p{L}{2,}/u;
const withoutSets = (text: string) => text.replace(/\[(?:\\.|[^\]\\])*\]/g, "[]");

test("no word with letters beyond ASCII is outside src/language", () => {
  expect(literals.length).toBeGreaterThan(10_000);
  expect(foreignWord.test("été")).toBe(true);
  expect(foreignWord.test(withoutSets("[ßø]"))).toBe(false);
  expect(literals.filter(({ text }) => foreignWord.test(withoutSets(text)))).toEqual([]);
});

/** Words of this length or longer are hardly words of English by chance. */
const least = 6;
const wordsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? (value.toLowerCase().match(/\p{L}+/gu) ?? [])
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(wordsIn)
      : [];
/** They are words of English, too. */
const alike = "arabic comment github gitlab hebrew javascript modification regular second undici update".split(" ");
const english = new Set([...wordsIn(languages().get("en")), ...alike]);
const foreign = new Set([...languages()].flatMap(([tag, language]) => (tag === "en" ? [] : wordsIn(language))));

test("no word that only another language has is outside src/language", () => {
  const words = literals.flatMap(({ file, text }) => wordsIn(text).map((word) => `${file}: ${word}`));
  const isForeign = (word: string) => word.length >= least && foreign.has(word) && !english.has(word);
  expect([...new Set(words)].filter((line) => isForeign(line.split(": ")[1] ?? ""))).toEqual([]);
});

/** Short words are words of code as well. Several of the commonest ones in one literal are a list of words. */
const commonest = [...languages()].flatMap(([tag, { detect, figures }]) =>
  tag === "en" ? [] : wordsIn([detect?.common, figures?.joint]),
);
const short = new Set(commonest.filter((word) => word.length > 1 && !english.has(word)));
const leastShort = 3;

test("no list of short words of other languages is outside src/language", () => {
  const lists = (text: string) => new Set(wordsIn(text).filter((word) => short.has(word)));
  expect(lists("a the der und des").size).toBe(leastShort);
  expect(literals.filter(({ text }) => lists(text).size >= leastShort)).toEqual([]);
});

/** Lists of these are words of code: scales by their names, files by their folders, classes, types of a registry. */
const ofCode = new Set([
  "src/report/cite/about.ts",
  "src/report/parse/buffer.ts",
  "src/works/registries.ts",
  "src/works/match.ts",
]);
const { levels, tables, citations, statements } = languages().get("en") ?? {};
const steps = new Set(Object.values(levels ?? {}).flatMap((words) => (Array.isArray(words) ? [] : Object.keys(words))));
/** Scales of numbered levels have no words for their steps. */
const numbered = new Set(["stage", "phase", "level", "class"]);
const ofReports = new Set(
  wordsIn([levels, tables, citations, statements]).filter(
    (word) => word.length >= 5 && !steps.has(word) && !numbered.has(word),
  ),
);

test("no list of English words of reports is outside src/language", () => {
  const isList = (text: string) => text.includes("|") || /^[a-z]+(?: [a-z]+){4,}$/.test(text);
  const lists = (text: string) => new Set(isList(text) ? wordsIn(text).filter((word) => ofReports.has(word)) : []);
  expect(lists("supported|deprecated|unmaintained").size).toBe(3);
  const rooms = literals.filter(
    ({ file }) => /^src\/(?:report|claims|works|compare)\//.test(file) && !ofCode.has(file),
  );
  expect(rooms.filter(({ text }) => lists(text).size > leastShort)).toEqual([]);
});
