import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../src/config/index.ts";
import { draftFrom } from "../../src/onboard/report-files.ts";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";

/** One small book of each kind in `books/`, and what a person finds in it. */

interface Expected {
  readonly title: string;
  readonly files: readonly string[];
  readonly references: number;
  readonly ratings: number;
  readonly says?: readonly string[];
}

const home = join(import.meta.dirname, "books");
const at = Date.UTC(2026, 10, 20);
const folder = { folder: "", limits: { chapters: 2_000, pages: 2_000, bytes: 5_000_000 } };

async function drafted(book: string, named?: typeof folder) {
  const files = readdirSync(join(home, book), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "expected.yaml")
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(home, book).length + 1));
  const text = (path: string) => readFileSync(join(home, book, path), "utf8");
  const github = {
    tree: async () => ({ files: files.map((path) => ({ path, sha: "", size: text(path).length })), whole: true }),
    text: async (path: string) => (existsSync(join(home, book, path)) ? text(path) : undefined),
    changed: async () => at,
  };
  const { best, report, unread } = await draftFrom(github, "c", async (one) => draft(one, { at, readers }), named);
  const { chapters = [], path, text: own } = report ?? { path: "", text: "" };
  const { config, problems } = parseConfig(best?.files ?? [], readers);
  expect(problems).toEqual([]);
  return {
    title: config?.report.title,
    files: [...(own === "" ? [] : [path]), ...chapters.map((one) => one.path)].toSorted(),
    references: best?.found.references,
    ratings: best?.found.ratings,
    unread,
  };
}

describe.each(readdirSync(home))("%s", (book) => {
  const { says = [], ...expected } = parse(readFileSync(join(home, book, "expected.yaml"), "utf8")) as Expected;
  const person = { ...expected, files: expected.files.toSorted() };

  test("is drafted from all of its chapters, as a repository", async () => {
    const { unread, ...rest } = await drafted(book);
    expect(rest).toEqual(person);
    expect(unread?.says ?? []).toEqual(says);
  });

  test("is the same if a person names its folder", async () => {
    const { unread: _, ...rest } = await drafted(book, folder);
    expect(rest).toEqual(person);
  });
});
