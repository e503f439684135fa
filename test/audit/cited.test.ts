import { describe, expect, test } from "vitest";
import { citationsOf } from "../../src/audit/cited.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize } from "../support/runs.ts";

const linesOf = (text: string, path = "a.md") =>
  citationsOf([{ path, text }]).cited.map(({ address, line }) => [line, address]);

describe("the line of a citation", () => {
  test.each([
    ["[x](<https://d.example.org/a b.pdf>)", "https://d.example.org/a%20b.pdf"],
    ["[x](https://d.example.org/a%20b)", "https://d.example.org/a%20b"],
    ["[x](HTTPS://D.Example.org/Docs)", "https://d.example.org/Docs"],
    ["[x](https://d.example.org:443/docs)", "https://d.example.org/docs"],
    ["[x](https://bücher.example.org/ö)", "https://xn--bcher-kva.example.org/%C3%B6"],
    ["See https://d.example.org/?a=1&amp;b=2.", "https://d.example.org/?a=1&b=2"],
    ['<a href="https://d.example.org/?a=1&amp;b=2">x</a>', "https://d.example.org/?a=1&b=2"],
    ['<a href="https://d.example.org/a b">x</a>', "https://d.example.org/a%20b"],
    ["[x](https://d.example.org/a/../b?utm_source=y#z)", "https://d.example.org/b"],
    ["[x](https://d.example.org?q=1)", "https://d.example.org/?q=1"],
    ["Reed, B. Kites. doi:10.5555/182.", "https://doi.org/10.5555/182"],
    [
      "[x](https://doi.org/10.5555/1520(1981)038<1179:TSOTIF>2.0.CO;2)",
      "https://doi.org/10.5555/1520(1981)038%3C1179:TSOTIF%3E2.0.CO;2",
    ],
    ["[x](https://l.example.org/url?q=https%3A%2F%2Fd.example.org%2Fdocs)", "https://d.example.org/docs"],
  ])("is that of an address which is written as %s", (written, address) => {
    expect(linesOf(`# Kites\n\nThey fly.\n\n${written}\n`)).toEqual([[5, address]]);
  });

  test("is found in time that grows with the text alone", () => {
    for (const one of ["<https:", '"https:', "https://a.example.org/b ", "[x](https://D.example.org/"]) {
      const from = processorTime();
      linesOf(`[x](https://D.example.org/missing?a)\n${one.repeat(inputSize(20_000, 5_000))}`);
      expectTime(processorTime() - from, inputSize(5_000, 1_250), one);
    }
  });
});
