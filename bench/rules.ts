import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import type { Source } from "../src/model/source.ts";
import type { RuleTrial } from "../src/model/trace.ts";
import { chromeRules } from "../src/read/html/chrome.ts";
import { page } from "../src/read/kinds/page.ts";
import { sequencesOf, snapshotsOf } from "./snapshots.ts";

/**
 * `npm run rules -- --corpus DIR… [--every N] [--out FILE]`: switches each rule for boilerplate off in turn and counts
 * the readings that change. Only pages on which a rule applies are read again without it. Every Nth snapshot is read
 * without each rule; all others only without the rules that changed nothing on these.
 */

interface Count {
  /** Pages read without the rule. */
  read: number;
  /** Readings that changed. */
  changed: number;
  /** Pages whose readings changed, each counted once. */
  pages: number;
}

interface Snapshot {
  readonly sequence: string;
  readonly url: string;
  readonly html: string;
}

const { corpus, every, out } = new Command("rules")
  .requiredOption("--corpus <dir...>")
  .option("--every <n>", "read every Nth snapshot without each rule", Number, 10)
  .option("--out <file>", "the ledger", "bench/rules.json")
  .parse()
  .opts<{ corpus: string[]; every: number; out: string }>();

function hashOf({ url, html }: Snapshot, trial: RuleTrial): string {
  const rest = { cites: [], standsFor: [], citedBy: [], announces: [], claims: [], options: {} };
  const source: Source = { id: "page", kind: "page", address: url, ...rest };
  const headers = { "content-type": "text/html; charset=utf-8" };
  const response = { url, status: 200, headers, body: Buffer.from(html) };
  return createHash("sha256").update(readingOf()).digest("hex");

  function readingOf(): string {
    try {
      return JSON.stringify(page.read(response, source, { trial }));
    } catch (error) {
      return String(error);
    }
  }
}

function* snapshotsIn(folder: string, isWanted: (n: number) => boolean): Generator<Snapshot> {
  for (const { id, file, url } of sequencesOf(folder)) {
    const snapshots = snapshotsOf(join(folder, file), (why) => process.stderr.write(`${id}: ${why}\n`));
    for (const [n, { html }] of snapshots.entries()) if (isWanted(n)) yield { sequence: id, url, html };
  }
}

/** Reads a page with all rules, then without each one that applied and is asked about. */
function* changesOf(snapshot: Snapshot, isAsked: (rule: string) => boolean): Generator<[string, boolean]> {
  const applied = new Set<string>();
  const hash = hashOf(snapshot, { applied: (rule) => applied.add(rule) });
  for (const rule of applied) if (isAsked(rule)) yield [rule, hashOf(snapshot, { without: rule }) !== hash];
}

function count(folder: string, isWanted: (n: number) => boolean, isAsked: (rule: string) => boolean) {
  const counts = new Map<string, Count & { sequences: Set<string> }>();
  for (const snapshot of snapshotsIn(folder, isWanted)) {
    for (const [rule, isChanged] of changesOf(snapshot, isAsked)) {
      const before = counts.get(rule) ?? { read: 0, changed: 0, pages: 0, sequences: new Set<string>() };
      counts.set(rule, before);
      before.read++;
      if (!isChanged) continue;
      before.changed++;
      before.pages = before.sequences.add(snapshot.sequence).size;
    }
  }
  return counts;
}

const ledger = new Map(chromeRules.map(({ id }) => [id, {} as Record<string, Count>]));

function note(folder: string, isWanted: (n: number) => boolean, isAsked: (rule: string) => boolean): void {
  for (const [rule, { read, changed, pages }] of count(folder, isWanted, isAsked)) {
    const sets = ledger.get(rule);
    if (sets) sets[basename(folder)] = { read, changed, pages };
  }
}

const changes = (rule: string) => Object.values(ledger.get(rule) ?? {}).some(({ changed }) => changed > 0);

const isSampled = (n: number) => n % every === 0;
for (const folder of corpus) note(folder, isSampled, () => true);
const idle = new Set([...ledger.keys()].filter((rule) => !changes(rule)));
const isIdle = (rule: string) => idle.has(rule);
for (const folder of idle.size > 0 ? corpus : []) note(folder, () => true, isIdle);
writeFileSync(out, `${JSON.stringify(Object.fromEntries(ledger), null, 2)}\n`);
const total = (rule: string) => Object.values(ledger.get(rule) ?? {}).reduce((sum, { changed }) => sum + changed, 0);
for (const rule of [...ledger.keys()].sort((a, b) => total(b) - total(a))) {
  const sets = Object.entries(ledger.get(rule) ?? {});
  const shown = sets.map(([set, { read, changed, pages }]) => `${set} ${changed} of ${read} readings, ${pages} pages`);
  process.stdout.write(`${rule}: ${shown.join("; ") || "applies nowhere"}\n`);
}
