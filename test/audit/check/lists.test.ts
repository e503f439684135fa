import { expect, test } from "vitest";
import { listsNear } from "../../../src/audit/check/lists.ts";

/** Which other files may list what a changed chapter cites. */

const near = (paths: readonly string[], changed = ["book/chapters/03.md"], report?: string) =>
  listsNear(
    paths.map((path) => ({ path, size: 100 })),
    changed,
    report,
  );

test("files of reference managers and pages of references, the nearest first, behind the report itself", () => {
  const paths = [
    "README.md",
    "z/library.json",
    "refs.bib",
    "book/back/references.md",
    "book/chapters/99-bibliography.md",
  ];
  expect(near(paths, undefined, "README.md")).toEqual([
    "README.md",
    "book/chapters/99-bibliography.md",
    "book/back/references.md",
    "refs.bib",
    "z/library.json",
  ]);
});

test("no page of references of something else, no chapter, no note, nothing of others", () => {
  const paths = [
    "docs/api/references.md",
    "book/chapters/02.md",
    "book/notes.md",
    "package.json",
    "vendor/a.bib",
    "tests/b.bib",
  ];
  expect(near(paths)).toEqual([]);
  expect(near(["refs.bib"], ["refs.bib"])).toEqual([]);
});

test("few, and no large ones", () => {
  const many = Array.from({ length: 30 }, (_, i) => `refs${i}.bib`);
  expect(near(many)).toHaveLength(8);
  const sized = (size: number) => many.map((path) => ({ path, size }));
  expect(listsNear(sized(1_900_000), ["a.md"])).toHaveLength(2);
  expect(listsNear([...sized(2_100_000), { path: "b.bib", size: 9, link: true }], ["a.md"])).toEqual([]);
});
