import { expect, test } from "vitest";
import { Margins } from "../../bench/margins.ts";
import { lossesSince } from "../../src/compare/losses.ts";
import { comparePage } from "../../src/compare/page/index.ts";
import type { Decision } from "../../src/model/heuristics.ts";
import type { Block } from "../../src/model/reading.ts";
import { pageOf } from "../../src/read/html/html.ts";
import { page } from "../support/story.ts";

const block = (text: string): Block => ({ path: [], kind: "paragraph", text });

test("a threshold is reported with the decisions near it, the nearest first, each once in its sequence", () => {
  const margins = new Margins();
  const decide = (sequence: string, value: number, about?: string) =>
    margins.traceOf(sequence)({ threshold: "share of links", value, limit: 0.5, about });
  decide("a", 0.9);
  decide("a", 0.54, "far");
  for (const _ of [1, 2, 3]) decide("a", 0.49, "near");
  decide("b", 0.2);
  expect(margins.lines()).toEqual([
    "| threshold | decisions | within 10 % | below | above | in sequences |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    "| share of links, 0.5 | 6 | 2 | 1 | 1 | 1 |",
    "",
    "## share of links, 0.5",
    "",
    "- a: 0.49 “near”, 3 times",
    "- a: 0.54 “far”, 1 time",
  ]);
});

test("a tracer of a page hears its decisions, and the page is read as without it", () => {
  const heard: Decision[] = [];
  const menu = '<div><a href="/a">One page</a> <a href="/b">Another page</a> and more</div>';
  const html = page("<p>Ten engines.</p>", menu);
  expect(pageOf(html, { trace: (decision) => heard.push(decision) })).toEqual(pageOf(html));
  const links = heard.find(({ threshold }) => threshold === "share of links in a menu");
  expect(links).toMatchObject({ limit: 0.66, about: expect.stringContaining("One page") });
  expect(links?.value).toBeCloseTo(18 / 25);
});

test("a tracer of a comparison hears how alike two texts were, and how much of a page is gone", () => {
  const heard: Decision[] = [];
  const trace = (decision: Decision) => heard.push(decision);
  const [before, after] = [[block("One two three four five six")], [block("One two three four seven eight nine")]];
  const { memory } = comparePage(undefined, before, { at: 0, confirmAfter: 0 });
  comparePage(memory, after, { at: 1, confirmAfter: 0, trace });
  const alike = heard.find(({ threshold }) => threshold === "share of words of two texts that are one");
  expect(alike?.value).toBeCloseTo(4 / 7);
  lossesSince({ page: memory }, { blocks: after }, { mayBeHalf: true, trace });
  expect(heard.at(-1)).toMatchObject({ threshold: "share that is gone, to be asked for its language", value: 1 });
});
