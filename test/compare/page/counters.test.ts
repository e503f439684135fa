import { describe, expect, it } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import type { PageMemory } from "../../../src/compare/page/memory.ts";
import type { Block } from "../../../src/model/reading.ts";

const hour = 3_600_000;
const start = Date.UTC(2026, 4, 16);

const page = (text: string, kind: Block["kind"] = "paragraph"): readonly Block[] => [
  { path: [], kind: "heading", text: "Kites" },
  { path: ["Kites"], kind: "paragraph", text: "The kite holds in wind of force six." },
  { path: ["Kites"], kind, text },
  { path: ["Kites"], kind: "paragraph", text: "It is sold with its string." },
];

/** What is reported of a text that changes every `every` hours; each value stands for two checks. */
function reported(texts: readonly string[], every: number, kind: Block["kind"] = "paragraph"): string[] {
  let memory: PageMemory | undefined;
  return texts.flatMap((text, i) =>
    [0, 6].flatMap((hours) => {
      const at = start + (i * every + hours) * hour;
      const { changes, memory: next } = comparePage(memory, page(text, kind), { at, confirmAfter: 6 * hour });
      memory = JSON.parse(JSON.stringify(next));
      return changes.map(({ change }) => change.after?.text ?? `without ${change.before?.text}`);
    }),
  );
}

const six = (text: (i: number) => string) => Array.from({ length: 7 }, (_, i) => text(i));

describe("a text that counts by itself", () => {
  it.each([
    ["downloads", (i: number) => `Downloads: ${(50_000 + 511 * i).toLocaleString("en")}`],
    ["places that are free", (i: number) => `${20 + 4 * i} places are free in this boat`],
    ["the time that is left", (i: number) => `The sale ends in ${90 - 5 * i} hours.`],
    ["a ticker", (i: number) => `Tin $64,${123 + i}.55 (+1.${i}%)`],
    ["a revision", (i: number) => `Revision ${(0xa1b2c3d + 7_919 * i).toString(16)}`],
    ["stars", (i: number) => `Star ${(1.1 + i / 10).toFixed(1)}k Fork ${200 + i}`],
    ["a clock", (i: number) => `Now in the harbour: 1${i}:05`],
    ["a sum with points", (i: number) => `Umsatz: 1.234.${500 + i} Euro`],
  ])("is reported twice, and then no more: %s", (_, text) => {
    const texts = six(text);
    expect(reported(texts, 24)).toEqual(texts.slice(1, 3));
  });

  it("is known in a row by all that the row says", () => {
    const texts = six((i) => `Tin | ${100 + 7 * i} | EUR`);
    expect(reported(texts, 24, "row")).toEqual(texts.slice(1, 3));
  });

  it("is a digest in data", () => {
    const texts = six((i) => `file.sha256: ${(0xa1b2c3d + 7_919 * i).toString(16).repeat(9)}`);
    expect(reported(texts, 24, "value")).toEqual(texts.slice(1, 3));
  });

  it("does not silence the other numbers beside it", () => {
    const texts = six((i) => `models[gpt]: calls: ${100 + 7 * i}; price: ${i < 4 ? 2 : 3}`);
    expect(reported(texts, 24, "value")).toEqual([texts[1], texts[2], texts[4]]);
  });

  it("is reported when it goes, and when it says something else", () => {
    const texts = six((i) => `Downloads: ${50_000 + i}`);
    expect(reported([...texts, "Downloads are counted no more"], 24).at(-1)).toBe("Downloads are counted no more");
    expect(reported([...texts, "It is sold with its string."], 24).at(-1)).toBe("It is sold with its string.");
  });

  it("is reported again once it has been there for a week", () => {
    const texts = six((i) => `Downloads: ${50_000 + i}`);
    expect(reported(texts, 24 * 8)).toEqual(texts.slice(1));
  });

  it("is accepted all the same, so that claims are proved by what it says", () => {
    let memory: PageMemory | undefined;
    six((i) => `Downloads: ${50_000 + i}`).forEach((text, i) => {
      for (const hours of [0, 6]) {
        const at = start + (24 * i + hours) * hour;
        memory = comparePage(memory, page(text), { at, confirmAfter: 6 * hour }).memory;
      }
    });
    expect(memory?.accepted.map(({ text }) => text)).toContain("Downloads: 50006");
  });
});

it("is another text at another place: three chapters of the same words are each reported", () => {
  const chapters = (holds: readonly number[]): readonly Block[] =>
    holds.flatMap((litres, n) => [
      { path: [], kind: "heading", text: `Chapter ${"abcd".charAt(n)}` },
      { path: [`Chapter ${"abcd".charAt(n)}`], kind: "paragraph", text: `The vessel holds ${litres} litres.` },
    ]);
  let memory: PageMemory | undefined;
  const holds = [200, 300, 400, 500];
  const seen: (string | undefined)[] = [];
  for (let n = -1; n < 4; n++) {
    if (n >= 0) holds[n] = 1_000 + n;
    for (const hours of [0, 6]) {
      const at = start + (24 * (n + 1) + hours) * hour;
      const { changes, memory: next } = comparePage(memory, chapters(holds), { at, confirmAfter: 6 * hour });
      memory = next;
      seen.push(...changes.map(({ change }) => change.after?.text));
    }
  }
  expect(seen).toEqual([0, 1, 2, 3].map((n) => `The vessel holds ${1_000 + n} litres.`));
});

describe("a text that only has numbers", () => {
  it.each([
    ["a price, every two weeks", 14 * 24, (i: number) => `It costs $${12 + i} a month.`],
    ["a version, every day", 24, (i: number) => `The newest release is 2.13.${i}.`],
    ["a version of two parts, every day", 24, (i: number) => `Kites 3.${i} is the newest.`],
    ["another word beside the number, every day", 24, (i: number) => `Wind ${i} from the ${"news".charAt(i % 4)}${i}x`],
  ])("is reported each time: %s", (_, every, text) => {
    const texts = six(text);
    expect(reported(texts, every)).toEqual(texts.slice(1));
  });
});
