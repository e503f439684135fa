import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { reportTextOf } from "../../src/report/parse/report-text.ts";
import { configOf } from "../support/config-of.ts";
import { citedBy, ratedBy } from "./rated.ts";

const head = `#+TITLE: Kites of ~2026~ compared
#+DATE: 2026-03-04
#+OPTIONS: toc:nil

`;

describe("a report in Org mode", () => {
  test("its keywords head it", () => {
    const text = `${head}* Box\n\n[[https://box.example/][Box]]\n`;
    const sources = draft({ path: "a.org", text }, { at: Date.parse("2026-06-01"), readers })?.files[0]?.text ?? "";
    expect(configOf(sources).report).toMatchObject({
      title: "Kites of 2026 compared",
      audited: Date.parse("2026-03-04"),
    });
  });

  test("links lead where they say, with their labels; what is code, a comment or a drawer is none", () => {
    const text = `${head}* Kites :wind:rope:
:PROPERTIES:
:SOURCE: https://drawer.example/
:END:

- [[https://box.example/a(b)][Box]] flies, and [[https://delta.example/?a=1][Delta]] too.
- [[https://plain.example/]], as told [[*Wind][below]].
- [[https://badge.example/][https://badge.example/b.svg]]
- [[https://shield.example/][file:https://shield.example/s.svg]]
# https://comment.example/

#+BEGIN_SRC sh
curl https://code.example/
#+END_SRC

** TODO Wind
It is told in a note [fn:1].

[fn:1] See [[https://note.example/][the note]].
`;
    expect(citedBy(text, "a.org")).toEqual({
      "https://box.example/a(b)": "Box",
      "https://delta.example/?a=1": "Delta",
      "https://plain.example/": "as told below",
      "https://note.example/": "See the note 1",
    });
    const { parts } = reportTextOf("a.org", text);
    expect(parts.filter(({ kind }) => kind === "heading").map((part) => part.text)).toEqual(["Kites", "Wind"]);
  });

  test("its tables rate, with a rule below their head or without one", () => {
    const rows = "| Box | *Yes* | No | Yes |\n| Delta | No | Yes | =Yes= |\n| Sled | Yes | No | No |\n";
    const columns = "| Feature | Day | Night | Rain |\n";
    const found = { "Box | Day": "Yes", "Box | Night": "No", "Delta | Rain": "Yes", "Sled | Rain": "No" };
    expect(ratedBy(`* Kites\n\n${columns}${rows}`, "a.org").ratings).toMatchObject(found);
    expect(ratedBy(`* Kites\n\n|-\n${columns}|---+---+---+---|\n${rows}|-\n`, "a.org").ratings).toMatchObject(found);
  });
});

test("an address ends at a bracket that it did not open", () => {
  const text = "Kites: [[https://box.example/a][Box]], [https://delta.example/b Delta], https://sled.example/?a[]=1.";
  expect(Object.keys(citedBy(text, "a.txt"))).toEqual([
    "https://box.example/a",
    "https://delta.example/b",
    "https://sled.example/?a[]=1",
  ]);
});
