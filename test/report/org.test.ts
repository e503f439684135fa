import { expect, test } from "vitest";
import { reportTextOf } from "../../src/report/parse/report-text.ts";
import { citedBy, ratingsIn } from "./rated.ts";

const report = `#+TITLE: Kites compared
#+OPTIONS: toc:nil
# a comment with https://comment.example/
* Flight                                             :draft:
:PROPERTIES:
:CUSTOM_ID: flight
:END:
See [[https://box.example/a][the =box= kite]], [[https://delta.example/]] and a note.[fn:1]

  | Feature | Box | Delta | ~Sled~ |
  |---------+-----+-------+--------|
  | <l>     | <3> |       |        |
  | Wind    | yes | no    | yes    |
  | Rain    | no  | no    | yes    |
  |---------+-----+-------+--------|
  | Snow    | yes | yes   | no     |

#+begin_src sh
curl https://code.example/
#+end_src
[fn:1] Lee, A. (2020). Kites. https://lee.example/kites
`;

test("a report in Org has its title, headings, links and notes; code and comments have none", () => {
  expect(citedBy(report, "a.org")).toEqual({
    "https://box.example/a": "the box kite",
    "https://delta.example/": "delta.example",
    "https://lee.example/kites": expect.any(String),
  });
  const headings = reportTextOf("a.org", report).parts.filter(({ kind }) => kind === "heading");
  expect(headings.map(({ text, level }) => [text, level])).toEqual([
    ["Kites compared", 1],
    ["Flight", 2],
  ]);
});

test("a table in Org rates as others do; rules and widths are no rows", () => {
  const expected = [
    "no < yes",
    "Box | Wind: yes | Rain: no | Snow: yes",
    "Delta | Wind: no | Rain: no | Snow: yes",
    "Sled | Wind: yes | Rain: yes | Snow: no",
  ].join("\n");
  expect(ratingsIn(report, "a.org")).toBe(expected);
  expect(ratingsIn(report.replace(/^.*--\+--.*\n/gm, ""), "a.org")).toBe(expected);
});
