import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { readers } from "../../src/read/index.ts";
import type { Reader } from "../../src/read/reader.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize, runs } from "../support/runs.ts";
import { response, source } from "./given.ts";

const size = inputSize(1_000_000, 200_000);
const many = (piece: string, length = size) => piece.repeat(Math.ceil(length / piece.length));
const rss = (inside: string) => `<rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;

/** Reads it; anything but a reading or a Failure is a defect. */
async function survives(reader: Reader, body: Uint8Array | string, address = reader.example): Promise<void> {
  try {
    const reading = await reader.read(response(body), source(reader, {}, address));
    for (const item of reading.items ?? []) expect(item.id.trim()).not.toBe("");
    for (const block of reading.blocks ?? []) expect(block.text).not.toBe("");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.kind).not.toBe("internal");
  }
}

/** Milliseconds: 15 s of 1 MB, of which what is quadratic takes minutes. */
const bound = size * 0.015;

async function inTime(work: Promise<void>): Promise<void> {
  const begun = processorTime();
  await work;
  expectTime(processorTime() - begun, bound);
}

describe.each([...readers.values()])("$kind", (reader) => {
  const samples = globSync(`${import.meta.dirname}/fixtures/${reader.kind}.*`);

  test("any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => survives(reader, bytes)),
      { numRuns: runs(60) },
    );
  });

  test("a real answer, damaged", async () => {
    for (const sample of samples) {
      const whole = readFileSync(sample);
      const place = fc.nat(whole.length - 1);
      const damage = fc.record({ from: place, length: fc.nat(60), by: fc.uint8Array({ maxLength: 20 }) });
      await fc.assert(
        fc.asyncProperty(damage, ({ from, length, by }) => {
          const bytes = Buffer.concat([whole.subarray(0, from), by, whole.subarray(from + length)]);
          return survives(
            reader,
            bytes,
            reader.kind === "text" ? `https://engine.example/${basename(sample)}` : undefined,
          );
        }),
        { numRuns: runs(40) },
      );
    }
  });

  test("a real answer, any of its words left out", async () => {
    for (const sample of samples) {
      const whole = readFileSync(sample, "utf8");
      for (const word of whole.matchAll(/(?<=")[^"]+(?=")|(?<=>)[^<>]+(?=<)/g)) {
        const without = (by: string) => whole.slice(0, word.index) + by + whole.slice(word.index + word[0].length);
        for (const by of ["", " "]) await survives(reader, without(by));
      }
    }
  });

  test("much of one thing", async () => {
    for (const one of ["a", "[", "<", "\0", '{"a":']) await inTime(survives(reader, many(one)));
  });
});

describe("much that is made to be slow", () => {
  const cases: [kind: string, name: string, body: string, address?: string][] = [
    ["feed", "unclosed tags in content", rss(`<item><description>${many("&lt;")}</description></item>`)],
    ["feed", "a snippet of lines", rss(`<item><description>${many("x&lt;p&gt;\n")}</description></item>`)],
    ["feed", "unclosed tags in a title", rss(`<item><title><![CDATA[${many("<a ")}]]></title></item>`)],
    ["feed", "comments, and an entity that is unknown", rss(`&nbsp;${many("<!--")}`)],
    ["feed", "sections, and an entity that is unknown", rss(`&nbsp;${many("<![CDATA[")}`)],
    ["feed", "openings", rss(many("<description "))],
    ["github-releases", "quotes in quotes", JSON.stringify([{ tag_name: "v1", body: many(`${"> ".repeat(24)}a\n`) }])],
    ["github-issue", "a long checklist", JSON.stringify({ state: "open", title: "t", body: many("- [ ] a\n") })],
    [
      "pypi",
      "long versions",
      JSON.stringify({ info: { name: "a" }, releases: { [many("1.")]: [{}], [many("1-")]: [{}] } }),
    ],
    [
      "json",
      "a wide object",
      JSON.stringify(Object.fromEntries(Array.from({ length: size * 0.08 }, (_, i) => [`k${i}`, i]))),
    ],
    ["json", "the deepest that is read", `${"[".repeat(99)}${many("1,")}1${"]".repeat(99)}`],
    ["text", "marks", many("*a_ **b`[c](![d "), "https://engine.example/a.md"],
    ["text", "brackets", many("["), "https://engine.example/a.md"],
    [
      "text",
      "items in items",
      Array.from({ length: 1_400 }, (_, i) => `${" ".repeat(i)}- a`).join("\n"),
      "https://engine.example/a.md",
    ],
    ["text", "fences of MyST", many("```{note}\n"), "https://engine.example/a.md"],
    [
      "text",
      "items in items",
      Array.from({ length: 1_400 }, (_, i) => `${" ".repeat(i)}* a`).join("\n"),
      "https://engine.example/a.rst",
    ],
    ["text", "half-open marks", many("-a_`b|c**d:e:"), "https://engine.example/a.rst"],
    ["text", "borders", many("== ==\n"), "https://engine.example/a.rst"],
    ["text", "one line of code", many("a=1;"), "https://engine.example/a.js"],
    ["pdf", "objects in a circle", `%PDF-1.4\n${many("1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]>>endobj ")}`],
    ["pdf", "beginnings of streams", `%PDF-1.4\n${many("stream\n")}`],
  ];

  test.each(cases)("%s: %s", async (kind, _, body, address) => {
    const reader = readers.get(kind);
    expect(reader).toBeDefined();
    if (reader) await inTime(survives(reader, body, address));
  });
});
