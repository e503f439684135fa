import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, isSettled, type Memory } from "../../../src/compare/index.ts";
import { comparePage, comparePageAgain } from "../../../src/compare/page/index.ts";
import type { PageMemory } from "../../../src/compare/page/memory.ts";
import type { Block } from "../../../src/model/reading.ts";
import { pageOf } from "../../../src/read/html/html.ts";
import { inputSize, runs } from "../../support/runs.ts";
import { sameText } from "./same-text.ts";

const hour = 3_600_000;
const confirmAfter = 6 * hour;

function checks(readings: readonly (readonly Block[])[]) {
  let memory: PageMemory | undefined;
  return readings.map((blocks, i) => {
    const comparison = comparePage(memory, blocks, { at: Date.UTC(2026, 4, 16) + i * 6 * hour, confirmAfter });
    memory = JSON.parse(JSON.stringify(comparison.memory));
    return comparison;
  });
}

const alarms = (readings: readonly (readonly Block[])[]) => checks(readings).map(({ changes }) => changes.length);
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

const word = fc.constantFrom(
  ..."the driver needs memory for each device and kernel when compiled mode starts with four workers per node see table below yes no not supported Linux GB".split(
    " ",
  ),
);
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 9 }), fc.nat(500))
  .map(([words, number]) => `${words.join(" ")} ${number}.`.replace(/^./, (first) => first.toUpperCase()));
const block = fc.oneof(
  fc
    .array(sentence, { minLength: 1, maxLength: 4 })
    .map((all): Block => ({ path: [], kind: "paragraph", text: all.join(" ") })),
  sentence.map((text): Block => ({ path: [], kind: "item", text })),
  fc
    .array(word, { minLength: 2, maxLength: 4 })
    .map((cells): Block => ({ path: [], kind: "row", text: cells.join(" | ") })),
);
const page = fc.array(block, { minLength: 1, maxLength: 15 });

/** The same words in other markup. */
function html(blocks: readonly Block[], noise: number): string {
  const attributes = `class="c${noise} css-${noise * 7}" data-build="${noise}"`;
  const link = (text: string) => text.replace(/(\w+) (\w+)/, `<a href="/to?n=${noise}" ${attributes}>$1</a> $2`);
  return blocks
    .map(({ kind, text }) => {
      const space = noise % 2 ? "\n  " : " ";
      if (kind === "row")
        return `<table ${attributes}><tr>${text
          .split(" | ")
          .map((cell) => `<td>${cell}</td>`)
          .join(space)}</tr></table>`;
      const inner = link(text).replaceAll(". ", `.${space}`);
      if (kind === "item") return `<ul><li ${attributes}>${noise % 3 ? inner : `<p>${inner}</p>`}</li></ul>`;
      return noise % 3 ? `<p ${attributes}>${inner}</p>` : `<div><div ${attributes}><span>${inner}</span></div></div>`;
    })
    .join(space(noise));
}
const space = (noise: number) => (noise % 2 ? "\n\n" : "");

const cut = (blocks: readonly Block[]) =>
  blocks.flatMap((one) =>
    one.kind === "paragraph" ? one.text.split(/(?<=\.) /).map((text): Block => ({ ...one, text })) : [one],
  );

describe("a page without changes that wait", () => {
  it("need not be compared with itself, however late: nothing is reported, and nothing learned that would report more later", () => {
    const variants = fc.tuple(page, page, page);
    const visits = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 90 * 24 })), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(variants, visits, fc.integer({ min: 1, max: 9_000 }), (pages, all, later) => {
        let memory: Memory | undefined;
        let now = Date.UTC(2026, 4, 16);
        const check = (at: number) => ({ at, confirmAfter, structured: false, audited: 0 });
        for (const [which, hours] of all) {
          now += hours * hour;
          const reading = { blocks: pages[which] ?? [] };
          const { noise, ...seen } = compare(memory, reading, check(now));
          memory = JSON.parse(JSON.stringify(seen.memory));
          if (!memory || noise.length > 0 || !isSettled(memory)) continue;
          const late = now + later * hour;
          const again = compare(memory, reading, check(late));
          expect([again.changes, again.sightings, again.noise]).toEqual([[], [], []]);
          expect(again.accepted).toEqual(seen.accepted);
          for (const blocks of pages) {
            const [with_, without] = [again.memory, memory].map((one) => compare(one, { blocks }, check(late + hour)));
            expect(with_).toEqual(without);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

describe("never an alarm", () => {
  it("for blocks in another order, cut or spaced otherwise", () => {
    fc.assert(
      fc.property(page, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (before, chance) => {
        const order = new Map(cut(before).map((one) => [one, chance.next().value ?? 0]));
        const after = [...order.keys()].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
        expect(sum(alarms([before, after, after, before, before]))).toBe(0);
      }),
      { numRuns: runs(300) },
    );
  });

  it("for other attributes, link targets, wrappers and white space", () => {
    fc.assert(
      fc.property(page, fc.nat(50), fc.nat(50), (blocks, a, b) => {
        const [before, after] = [html(blocks, a), html(blocks, b)].map((text) => pageOf(`<main>${text}</main>`).blocks);
        expect(sum(alarms([before ?? [], after ?? [], after ?? []]))).toBe(0);
      }),
      { numRuns: runs(300) },
    );
  });

  it("for the same again", () => {
    fc.assert(
      fc.property(page, (blocks) => {
        const all = checks([blocks, blocks, blocks]);
        expect(all.map(({ changes, sightings, noise }) => [changes, sightings, noise].flat())).toEqual([[], [], []]);
        expect(all[2]?.memory).toEqual(all[0]?.memory);
      }),
    );
  });
});

describe("always one alarm", () => {
  const edit = (blocks: readonly Block[], at: number, change: (text: string) => string) =>
    blocks.map((one, i) => (i === at % blocks.length ? { ...one, text: change(one.text) } : one));

  it.each<[string, (text: string) => string]>([
    ["a number", (text) => (/\d/.test(text) ? text.replace(/\d+/, "7777") : `${text} | 7777`)],
    ["a date", (text) => `${text.replace(/\.$/, "")} from May 7, 2031.`],
    ["a word", (text) => text.replace(/^\S+/, "Formerly")],
    ["all of it", () => "Replaced by something new"],
  ])("for %s", (_, change) => {
    fc.assert(
      fc.property(page, fc.nat(), (before, at) => {
        const after = edit(before, at, change);
        const counts = alarms([before, after, after, after, after]);
        expect(counts.map((count) => count > 0)).toEqual([false, false, true, false, false]);
      }),
      { numRuns: runs(300) },
    );
  });

  it("for a block that comes, and one that goes", () => {
    fc.assert(
      fc.property(page, fc.nat(), fc.constantFrom("item", "row", "paragraph"), (blocks, at, kind) => {
        const one: Block = { path: [], kind, text: "Quantised | matrix products 4242" };
        const index = at % (blocks.length + 1);
        const more = [...blocks.slice(0, index), one, ...blocks.slice(index)];
        expect(alarms([blocks, more, more, more])).toEqual([0, 0, 1, 0]);
        expect(alarms([more, blocks, blocks, blocks])).toEqual([0, 0, 1, 0]);
      }),
      { numRuns: runs(200) },
    );
  });

  it("confirmed by the same response as well as by another", () => {
    fc.assert(
      fc.property(page, page, (before, after) => {
        const [, seen] = checks([before, after]);
        const check = { at: Date.UTC(2026, 4, 17), confirmAfter };
        const memory = seen?.memory as PageMemory;
        expect(comparePageAgain(memory, check).changes).toEqual(comparePage(memory, after, check).changes);
      }),
    );
  });
});

describe("at any edit", () => {
  it("no rendered difference is empty, and nothing is reported twice", () => {
    fc.assert(
      fc.property(page, page, page, (a, b, c) => {
        const all = checks([a, b, b, b, c, c, c]);
        for (const { change } of all.flatMap(({ changes }) => changes)) {
          expect(change.before ?? change.after).toBeDefined();
          if (change.before && change.after) expect(sameText(change.before.text, change.after.text)).toBe(false);
        }
        expect([all[3]?.changes.length, all[6]?.changes.length]).toEqual([0, 0]);
      }),
      { numRuns: runs(300) },
    );
  });

  it("text that flaps alarms at most once", () => {
    fc.assert(
      fc.property(
        page,
        fc.array(fc.boolean(), { minLength: 5, maxLength: 60 }),
        fc.boolean(),
        (blocks, shown, swap) => {
          const one: Block = { path: [], kind: "item", text: "Quantised matrix products are supported" };
          const other: Block = { path: [], kind: "item", text: "Nothing is known of integers" };
          const readings = shown.map((is) => [...blocks, ...(is ? [one] : swap ? [other] : [])]);
          expect(alarms(readings).filter((count) => count > 0).length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("memory stays bounded over many noisy checks", () => {
    const blocks = (i: number): Block[] =>
      Array.from({ length: 60 }, (_, n) => ({
        path: [],
        kind: "paragraph",
        text:
          n % 2
            ? `A sentence that never changes, number ${n}.`
            : `Teaser ${(i * 7919 + n * 104_729) % 100_003} of the hour.`,
      }));
    const all = checks(Array.from({ length: inputSize(200, 120) }, (_, i) => blocks(i)));
    const sizes = all.map(({ memory }) => JSON.stringify(memory).length);
    // It is full after 80 checks.
    expect(Math.max(...sizes)).toBeLessThan(200_000);
    expect(sum(all.map(({ changes }) => changes.length))).toBe(0);
  });
});
