import { parseConfig } from "../src/config/index.ts";
import type { Seen } from "../src/model/change.ts";
import type { Config, Trigger } from "../src/model/config.ts";
import { readers } from "../src/read/index.ts";
import { evaluate } from "../src/watch/evaluate.ts";
import { occurrencesOf } from "../src/watch/events.ts";

/**
 * A million changes, ten a check, in a config of 1,000 sources and 1,000 triggers. Each trigger listens to three
 * sources, and one change in fifty meets it. Measures the processor time of a thousand changes, in ms, beside writing
 * them as JSON. `node bench/evaluations.ts`, in a process of its own; prints one line of JSON.
 */
const [sources, triggers, checks, ofEach] = [1_000, 1_000, 100_000, 10];
const since = Date.UTC(2026, 5, 1);

const listed = Array.from({ length: sources }, (_, n) => `  s${n}:\n    feed: https://h${n}.example/feed\n`);
const text = `report: { title: Bench, audited: 2026-01-01 }\nratings:\n  r: as it is\nsources:\n${listed.join("")}`;
const trigger = "name: T\nratings: [r]\non:\n  - item: s0\n    matches: '\\b(edition 7|withdrawn)\\b'\n";
const files = [
  { path: "sources.yaml", text },
  { path: "triggers/t.yaml", text: trigger },
];
const { config: one, problems } = parseConfig(files, readers);
if (!one) throw new Error(JSON.stringify(problems.slice(0, 3)));
/** More triggers than a config has files, each with the same words for three sources of its own. */
const copies = Array.from({ length: triggers }, (_, n): [string, Trigger][] =>
  [...one.triggers.values()].map((trigger) => {
    const of = (k: number) => `s${(n + k * 37) % sources}`;
    const on = trigger.on.flatMap((condition) => [0, 1, 2].map((k) => ({ ...condition, source: of(k) })));
    return [`t${n}`, { ...trigger, id: `t${n}`, on }];
  }),
);
const config: Config = { ...one, triggers: new Map(copies.flat()) };
const all = [...config.sources.values()];

function changesOf(check: number): Seen[] {
  return Array.from({ length: ofEach }, (_, n) => {
    const number = check * ofEach + n;
    const title = `Volume ${number}, edition ${number % 50}`;
    return { since, change: { kind: "item-added", item: { id: String(number), title, at: since } } };
  });
}

function millisecondsOf(work: (check: number) => unknown): number {
  const before = process.cpuUsage();
  for (let check = 0; check < checks; check++) work(check);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

let fired = 0;
const ours = millisecondsOf((check) => {
  const source = all[check % all.length];
  if (!source) return;
  const occurrences = occurrencesOf(changesOf(check), source, config);
  const remembered = { sightings: [], firings: [] };
  fired += evaluate(occurrences, { source, config, remembered, at: since }).firings.length;
});
// Each change that meets a condition meets three triggers.
if (fired !== (3 * checks * ofEach) / 50) throw new Error(`${fired} firings`);
let written = 0;
const theirs = millisecondsOf((check) => {
  written += JSON.stringify(changesOf(check)).length;
});
const each = (checks * ofEach) / 1_000;
process.stdout.write(`${JSON.stringify({ ours: ours / each, theirs: theirs / each, written })}\n`);
