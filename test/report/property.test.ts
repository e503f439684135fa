import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import { readers } from "../../src/read/index.ts";
import { type Draft, draft } from "../../src/report/index.ts";
import { anyAddress } from "../support/any-address.ts";
import { anySign } from "../support/any-sign.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize, runs } from "../support/runs.ts";

const at = Date.parse("2026-06-01");

function problemsOf(drafted: Draft | undefined): string[] {
  return drafted ? parseConfig(drafted.files, readers).problems.map(formatProblem) : [];
}

const words = fc.constantFrom(
  ..."Low Medium High Adopt Hold ✓ ✗ Yes No null true ~ 1 42 0 1e3 constructor __proto__ toString claims links not-found # - : | & * ! % @ ` ' \" { } [ ] , ? > < <b> </td> <table> <tr> <td> <th> <ol> <li> <sup>1</sup> <a href=#fn1>1</a> [1] [^1] [^x]: [2]: 3. Confidence Volatility Trigger Topic Recheck Rating Platform Ä 東京 😀 \ud800 \u0000 \u0007 \u2028 \u0085 \ufeff \u202e".split(
    " ",
  ),
);
const addresses = fc.oneof(
  anyAddress,
  fc.constantFrom(
    "https://github.com/a/b",
    "https://github.com/a/b/releases",
    "https://github.com/A/b/releases/tag/v1.2.3",
    "https://github.com/a/b/issues/0",
    "https://github.com/a/b/issues/12",
    "https://github.com/a/b/pull/12/files",
    "https://github.com/a/../issues/1",
    "https://github.com/-a/b",
    "https://github.com/a/b/blob/main/Read me%20.md",
    "https://github.com/a/b/tree/main/src",
    "https://github.com/a/b/tree/v1.0/src",
    "https://github.com/a/b/commits/main",
    "https://pypi.org/project/_x_/",
    "https://pypi.org/project/x/1.0/",
    "https://hub.docker.com/r/A/B",
    "https://hub.docker.com/_/redis",
    "https://example.org/a.pdf",
    "https://example.org/feed/",
    "https://example.org/a.md",
    "https://example.org/a.zip",
    "https://user:secret@example.org/",
    "http://localhost:80/x",
    "http://10.0.0.1/",
    "https://example.org/%ff%zz?a=b c#d",
    "https://[::1]/",
    "https://exa\u0000mple.org/",
    "https://example.org/''\"{}|`",
    "https:///",
    "http://",
  ),
);
const cell = fc.oneof(words, addresses, fc.string({ unit: anySign, maxLength: 30 }));
const line = fc.oneof(
  { weight: 5, arbitrary: fc.array(cell, { maxLength: 8 }).map((cells) => cells.join(" ")) },
  { weight: 3, arbitrary: fc.array(cell, { minLength: 2, maxLength: 6 }).map((cells) => `| ${cells.join(" | ")} |`) },
  fc.constantFrom("|---|---|---|", "", "## References", "# Title", "## Adopt", "```", "<table>", "</table>", "---"),
  fc.tuple(fc.nat(50), cell, addresses).map(([n, text, address]) => `${n}. ${text}. ${address}`),
  fc.tuple(fc.nat(50), cell, addresses).map(([n, text, address]) => `[${n}] ${text}, accessed May 2026, ${address}`),
  fc.tuple(fc.nat(50), addresses).map(([n, address]) => `[${n}]: ${address}`),
  fc.tuple(cell, addresses).map(([text, address]) => `- [${text}](${address}) and more`),
);

const grid = fc
  .tuple(
    fc.array(cell, { minLength: 3, maxLength: 6 }),
    fc.array(cell, { minLength: 2, maxLength: 6 }),
    fc.constantFrom(["Low", "High"], ["✓", "✗", "~"], ["null", "true"], ["Hold", "Adopt", "x"]),
  )
  .chain(([header, rows, levels]) =>
    fc
      .array(fc.constantFrom(...levels), {
        minLength: header.length * rows.length,
        maxLength: header.length * rows.length,
      })
      .map((values) => {
        const clean = (text: string) => text.replace(/[|\n\r]/g, " ");
        const body = rows.map(
          (row, r) =>
            `| ${[clean(row), ...header.slice(1).map((_, c) => values[r * header.length + c])].join(" | ")} |`,
        );
        return [`| ${header.map(clean).join(" | ")} |`, `|${header.map(() => "---|").join("")}`, ...body].join("\n");
      }),
  );

const text = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: line },
      grid.map((one) => `\n${one}\n`),
    ),
    { maxLength: 40 },
  )
  .map((lines) => lines.join("\n"));

describe("any text", () => {
  test.each(["README.md", "report.html", "report.txt", "report.adoc", "report.wiki"])(
    "a draft of %s is a valid config, or nothing was found",
    (path) => {
      fc.assert(
        fc.property(text, (written) => {
          expect(problemsOf(draft({ path, text: written }, { at, readers }))).toEqual([]);
        }),
        { numRuns: runs(150) },
      );
    },
  );

  test("a draft of several chapters is one, and so is one of files that each rate a thing", () => {
    const status = fc.constantFrom("Adopt", "hold", "Trial", "Accepted", "no ring: #", "");
    const entry = fc
      .tuple(cell, status, text)
      .map(([title, ring, body]) => `---\ntitle: ${title.replace(/[\r\n]/g, " ")}\nring: ${ring}\n---\n${body}`);
    const files = fc.array(fc.oneof(text, entry), { maxLength: 5 });
    fc.assert(
      fc.property(text, files, (written, others) => {
        const chapters = others.map((one, i) => ({ path: `${i}.md`, text: one }));
        expect(problemsOf(draft({ path: "a.md", text: written, chapters }, { at, readers }))).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test("such texts hold references, ratings and topics", () => {
    const found = fc
      .sample(text, { numRuns: 100, seed: 1 })
      .flatMap((written) => draft({ path: "a.md", text: written }, { at, readers })?.found ?? []);
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter(({ ratings }) => ratings > 3).length).toBeGreaterThan(6);
    expect(found.filter(({ numbered }) => numbered).length).toBeGreaterThan(6);
    expect(found.filter(({ unwatchable }) => unwatchable > 0).length).toBeGreaterThan(3);
    expect(found.filter(({ triggers }) => triggers > 1).length).toBeGreaterThan(3);
  });

  test("of any characters at all", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anySign, maxLength: 300 }),
        fc.constantFrom("a.md", "a.html", ""),
        (written, path) => {
          expect(problemsOf(draft({ path, text: written }, { at, readers }))).toEqual([]);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe("hostile texts are read in bounded time", () => {
  const much = inputSize(200_000, 20_000);
  /** Milliseconds of processor time. */
  const bound = inputSize(6_000, 1_500);
  const texts: Readonly<Record<string, string>> = {
    "open brackets": "[".repeat(much),
    "nested links": '<a href="https://e.org/x">a'.repeat(much / 10),
    "nested lists": "<ol><li>x".repeat(much / 10),
    "nested tables": "<table><tr><td>Low".repeat(much / 20),
    emphasis: "*a _b ".repeat(much / 5),
    "one long line": `1. ${"x ".repeat(much)}https://e.org/`,
    "one long address": `- https://e.org/${"(".repeat(much)}`,
    "many references": Array.from(
      { length: much / 10 },
      (_, i) => `[${(i % 9_999) + 1}] Title ${i}, accessed May 2026, https://e.org/${"p/".repeat(20)}${i}`,
    ).join("\n"),
    "many links": Array.from({ length: much / 10 }, (_, i) => `- [Entry ${i}](https://e.org/${i})`).join("\n"),
    "many footnotes": Array.from({ length: much / 40 }, (_, i) => `Text[^n${i}]\n\n[^n${i}]: https://e.org/${i}`).join(
      "\n\n",
    ),
    "many levels in lines": `Low ${"High ".repeat(30)}\n${"Low High Low High\n".repeat(much / 10)}`,
    "many small tables of lines": "A B C D\nx High Low High\ny High Low High\n\n".repeat(much / 40),
    "a wide table": `|${"a|".repeat(much / 40)}\n|${"-|".repeat(much / 40)}\n${`|${"Low|".repeat(much / 40)}\n`.repeat(10)}`,
    "a long table": `|Name|A|B|\n|-|-|-|\n${Array.from({ length: much / 10 }, (_, i) => `|n${i}|Low|High|`).join("\n")}`,
    dates: "verified on May 5, 2026. ".repeat(much / 20),
    quotes: "> ".repeat(much / 2),
  };
  test.each(Object.entries(texts))("%s", (_, written) => {
    for (const path of ["a.md", "a.html"]) {
      const started = processorTime();
      const drafted = draft({ path, text: written }, { at, readers });
      expectTime(processorTime() - started, bound);
      expect(problemsOf(drafted)).toEqual([]);
    }
  });

  test("MDX: comments that do not end", () => {
    const started = processorTime();
    draft({ path: "a.mdx", text: "{/*".repeat(12 * much) }, { at, readers });
    expectTime(processorTime() - started, bound);
  });

  const openings = [
    "footnote:[",
    "https://e.org/[",
    "image:a[",
    "<<a",
    "[[[",
    "`a",
    "+++a",
    "*a ",
    "{a}",
    "a::",
    "a\n---\n",
  ];
  const asciidoc: Readonly<Record<string, string>> = {
    ...Object.fromEntries(openings.map((opening) => [opening, opening.repeat(much / opening.length)])),
    "attributes that grow": `:a: ${"x".repeat(900)}\n\n${"{a} ".repeat(much / 4)}`,
    "cells that multiply": `|===\n${"60*|x ".repeat(much / 6)}\n|===`,
    "cells that span": `|===\n${"99.99+|x ".repeat(much / 9)}\n|===`,
    "lists in lists": "* a\n** b\n. c\n".repeat(much / 12),
  };
  test.each(Object.entries(asciidoc))("AsciiDoc: %s", (_, written) => {
    const started = processorTime();
    const drafted = draft({ path: "a.adoc", text: written }, { at, readers });
    expectTime(processorTime() - started, bound);
    expect(problemsOf(drafted)).toEqual([]);
  });
});
