import { describe, expect, test } from "vitest";
import {
  type EntryCorrection,
  editEntry,
  identifyEntry,
  linesWithEnds,
  withLinesEdited,
} from "../../src/report/edit/edit-entry.ts";

const doi = (old: string, now: string): EntryCorrection => ({ part: "identifier", old, now });
const year: EntryCorrection = { part: "year", old: "2019", now: "2012" };
const venue: EntryCorrection = { part: "venue", old: "Journal of Sails", now: "Kites & Lines" };
const authors: EntryCorrection = { part: "authors", old: "", now: "Petrel, Dark and Siskin, Eastern" };

/** The text with its first entry corrected, or undefined. */
function edited(path: string, text: string, ...corrections: EntryCorrection[]): string | undefined {
  const lines = linesWithEnds(text);
  const edit = editEntry(path, lines, { line: 1, end: lines.length }, corrections);
  return edit && withLinesEdited(text, [edit]);
}

describe("an entry is corrected in place:", () => {
  test.each<[string, string, string, string, EntryCorrection[]]>([
    [
      "a DOI at each of its places",
      "refs.bib",
      "@article{a,\r\n  doi = {10.5555/Kite.1},\r\n  url = {https://doi.org/10.5555/kite.1}\r\n}\r\n",
      "@article{a,\r\n  doi = {10.5555/kite.2},\r\n  url = {https://doi.org/10.5555/kite.2}\r\n}\r\n",
      [doi("10.5555/kite.1", "10.5555/kite.2")],
    ],
    [
      "not a longer DOI",
      "a.md",
      "10.5555/kite.1, as in 10.5555/kite.12 and 10.5555/kite.1.3.",
      "10.5555/kite.2, as in 10.5555/kite.12 and 10.5555/kite.1.3.",
      [doi("10.5555/kite.1", "10.5555/kite.2")],
    ],
    [
      "the address of a preprint",
      "a.md",
      "Kites. [arXiv](https://arxiv.org/abs/2301.00005v2).",
      "Kites. [arXiv](https://doi.org/10.5555/kite.5).",
      [doi("arXiv:2301.00005", "10.5555/kite.5")],
    ],
    [
      "the number of a preprint",
      "a.md",
      "Kites. arXiv:2301.00005.",
      "Kites. arXiv:2302.00006.",
      [doi("arXiv:2301.00005", "arXiv:2302.00006")],
    ],
    [
      "a number by the DOI of arXiv",
      "a.md",
      "arXiv:2301.00005. https://arxiv.org/abs/2301.00005",
      "arXiv:2302.00006. https://arxiv.org/abs/2302.00006",
      [doi("arXiv:2301.00005", "10.48550/arxiv.2302.00006")],
    ],
    [
      "the DOI of a preprint, beside its number",
      "refs.bib",
      "@article{a, eprint = {2301.00005}, doi = {10.48550/arXiv.2301.00005}}",
      "@article{a, eprint = {2301.00005}, doi = {10.5555/kite.5}}",
      [{ part: "version", old: "arXiv:2301.00005", now: "10.5555/kite.5" }],
    ],
    [
      "a year that its key and address have as well",
      "refs.bib",
      "@article{kite2019,\n year = 2019, url = {http://a.example/2019}}",
      "@article{kite2019,\n year = 2012, url = {http://a.example/2019}}",
      [year],
    ],
    [
      "a venue, escaped for its format",
      "refs.bib",
      "@article{a, journal = {Journal of Sails}}",
      "@article{a, journal = {Kites \\& Lines}}",
      [venue],
    ],
    ["a venue of Markdown", "a.md", "Kites. *Journal of Sails*, 3.", "Kites. *Kites & Lines*, 3.", [venue]],
    [
      "authors over several lines",
      "refs.bib",
      "@article{a,\n  author = {{\\'E}, A and\n   Moorhen, C},\n}",
      "@article{a,\n  author = {Petrel, Dark and Siskin, Eastern},\n}",
      [authors],
    ],
  ])("%s", (_, path, before, after, corrections) => {
    expect(edited(path, before, ...corrections)).toBe(after);
  });

  test.each<[string, string, string, EntryCorrection[]]>([
    ["a year is there twice", "a.md", "Kite (2019). Winds of 2019.", [year]],
    ["a year is part of a date", "a.md", "Kite, 2019-03-01.", [year]],
    ["authors follow a style", "a.md", "Moorhen, C. Kites.", [authors]],
    ["a number of arXiv is no address", "a.md", "arXiv:2301.00005", [doi("arXiv:2301.00005", "10.5555/kite.5")]],
    [
      "the number of another work would remain",
      "a.md",
      "arXiv:2301.00005, https://arxiv.org/abs/2301.00005",
      [doi("arXiv:2301.00005", "10.5555/kite.5")],
    ],
    ["one of two places is unknown", "a.md", "Kite (2019).", [year, venue]],
    ["a registry sends markup", "a.md", "Journal of Sails", [{ ...venue, now: "[Kites](http://a.example)" }]],
    ["a registry sends a line", "a.md", "Journal of Sails", [{ ...venue, now: "Kites\n# Fog" }]],
    ["a registry sends a mark in a DOI", "a.md", "10.5555/kite.1", [doi("10.5555/kite.1", "10.5555/<b>")]],
    ["a cell ends at a comma", "a.csv", "a,Journal of Sails,b", [venue]],
  ])("not if %s", (_, path, before, corrections) => {
    expect(edited(path, before, ...corrections)).toBeUndefined();
  });
});

describe("an entry is identified for the draft of a config:", () => {
  test.each<[string, string, string, string | undefined, { wrong?: string; right?: string }]>([
    [
      "another work's DOI",
      "a.md",
      "Kites. [doi](https://doi.org/10.5555/kite.1).\n",
      "Kites. [doi]().\n",
      { wrong: "10.5555/kite.1" },
    ],
    ["another work's number", "a.md", "Kites. arXiv:2301.00005v1.", "Kites. .", { wrong: "arXiv:2301.00005" }],
    [
      "a missing DOI in prose",
      "a.md",
      "1. Kites. *Sails*, 2012.\r\n",
      "1. Kites. *Sails*, 2012. https://doi.org/10.5555/kite.1\r\n",
      { right: "10.5555/kite.1" },
    ],
    [
      "a missing DOI in BibTeX",
      "a.bib",
      "@misc{a,\n title = {T}}\n",
      "@misc{a, doi = {10.5555/kite.1},\n title = {T}}\n",
      { right: "10.5555/kite.1" },
    ],
    ["not a row", "a.md", "| Kites | 2012 |\n", undefined, { right: "10.5555/kite.1" }],
    ["not by a DOI with marks", "a.md", "Kites.", undefined, { right: "10.5555/a<b" }],
  ])("%s", (_, path, before, after, identifiers) => {
    const lines = linesWithEnds(before);
    const edit = identifyEntry(path, lines, { line: 1, end: lines.length }, identifiers);
    expect(edit && withLinesEdited(before, [edit])).toBe(after);
  });
});

test("edits of several entries are made at once, and one of other lines is left out", () => {
  const edits = [
    { line: 3, before: "c\n", after: "C\n" },
    { line: 1, before: "a\nb\n", after: "A\n" },
    { line: 4, before: "x", after: "y" },
  ];
  expect(withLinesEdited("a\nb\nc\nd", edits)).toBe("A\nC\nd");
});
