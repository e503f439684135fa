import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Worker } from "node:worker_threads";
import { Command } from "commander";
import words from "../src/language/words.json" with { type: "json" };
import { type Case, casesIn } from "./cases.ts";
import { ruleLists, withoutRule } from "./switches.ts";

/**
 * `npm run rules -- --corpus DIR… [--words] [--every N] [--out FILE]`: switches each named rule off in turn, or with
 * `--words` the words of each idea in all languages, and counts the pages and reports that are read otherwise. DIR holds
 * page histories, or reports in `docs/`. Every Nth is read without each rule; all others only without the rules that
 * changed nothing on these. The ledger keeps what it holds on other folders and lists.
 */

interface Count {
  /** Pages and reports on which the rule applied. */
  readonly read: number;
  /** Those that are read otherwise without it. */
  readonly changed: number;
  /** Histories and reports with such a change. */
  readonly pages: number;
}

/** Counts by rule or idea, and by folder. */
type Ledger = Record<string, Record<string, Count>>;

/** What a switch changed in a folder so far. */
class Tally {
  #read = 0;
  #changed = 0;
  readonly #groups = new Set<string>();

  add({ group }: Case, isChanged: boolean): void {
    this.#read++;
    if (!isChanged) return;
    this.#changed++;
    this.#groups.add(group);
  }

  get count(): Count {
    return { read: this.#read, changed: this.#changed, pages: this.#groups.size };
  }
}

const {
  corpus,
  every,
  out,
  words: ofWords,
} = new Command("rules")
  .requiredOption("--corpus <dir...>")
  .option("--words", "switch the words of each idea off, and no rule")
  .option("--every <n>", "read every Nth page and report without each", Number, 10)
  .option("--out <file>", "the ledger", "bench/rules.json")
  .parse()
  .opts<{ corpus: string[]; every: number; out: string; words?: true }>();

const ledger: Record<string, Ledger> = existsSync(out) ? JSON.parse(readFileSync(out, "utf8")) : {};
if (ofWords) await tryWords();
else tryRules();
writeFileSync(out, `${JSON.stringify(ledger, null, 2)}\n`);

function tryRules(): void {
  const ids = Object.values(ruleLists).flatMap((list) => list.map(({ id }) => id));
  const counts: Ledger = Object.fromEntries(ids.map((id) => [id, {}]));
  for (const folder of corpus) countIn(folder, counts, (n) => n % every === 0, ids);
  const idle = ids.filter((id) => changesOf(counts[id] ?? {}) === 0);
  for (const folder of idle.length > 0 ? corpus : []) countIn(folder, counts, () => true, idle);
  for (const [name, list] of Object.entries(ruleLists))
    note(
      name,
      list.map(({ id }) => id),
      counts,
    );
}

function countIn(folder: string, counts: Ledger, isWanted: (n: number) => boolean, asked: readonly string[]): void {
  const tallies = new Map(asked.map((id) => [id, new Tally()]));
  for (const one of casesIn(folder, isWanted)) {
    const { result: hash, applied } = withoutRule(undefined, one.hash);
    for (const id of applied) tallies.get(id)?.add(one, withoutRule(id, one.hash).result !== hash);
  }
  for (const [id, { count }] of tallies) if (count.read > 0) counts[id] = { ...counts[id], [basename(folder)]: count };
}

/** Modules build their patterns from the words as they load, so that each idea needs a thread of its own. */
async function tryWords(): Promise<void> {
  const cases = corpus.map((folder) => [...casesIn(folder, (n) => n % every === 0)]);
  const all = await hashesWithout(undefined);
  const ideas = Object.keys(words).sort();
  const counts: Ledger = {};
  for (const [at, idea] of ideas.entries()) {
    process.stderr.write(`${at + 1} of ${ideas.length}: ${idea}\n`);
    const hashes = await hashesWithout(idea);
    counts[idea] = Object.fromEntries(
      corpus.map((folder, i) => {
        const tally = new Tally();
        for (const [n, one] of (cases[i] ?? []).entries()) tally.add(one, hashes[i]?.[n] !== all[i]?.[n]);
        return [basename(folder), tally.count];
      }),
    );
  }
  note("words", ideas, counts);
}

async function hashesWithout(idea: string | undefined): Promise<string[][]> {
  const worker = new Worker(new URL("without-words.ts", import.meta.url), { workerData: { idea, corpus, every } });
  const [hashes] = (await once(worker, "message")) as [string[][]];
  return hashes;
}

/** Writes the counts into a list of the ledger, and prints them: what changes most first. */
function note(name: string, ids: readonly string[], counts: Ledger): void {
  const before = ledger[name] ?? {};
  const list: Ledger = Object.fromEntries(ids.map((id) => [id, { ...before[id], ...counts[id] }]));
  ledger[name] = list;
  for (const id of ids.toSorted((a, b) => changesOf(list[b] ?? {}) - changesOf(list[a] ?? {}))) {
    const sets = Object.entries(list[id] ?? {}).filter(([, { changed }]) => changed > 0);
    const shown = sets.map(([set, { read, changed, pages }]) => `${set} ${changed} of ${read}, ${pages} pages`);
    process.stdout.write(`${name} ${id}: ${shown.join("; ") || "changes nothing"}\n`);
  }
}

function changesOf(sets: Record<string, Count>): number {
  return Object.values(sets).reduce((sum, { changed }) => sum + changed, 0);
}
