import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { readConfigFiles } from "../../../adapters/files/config.ts";
import { refusedBecause } from "../../../adapters/files/refused.ts";
import { openStore } from "../../../adapters/store/open.ts";
import { parseConfig } from "../../../config/index.ts";
import { ConfigProblems } from "../../../config/problems.ts";
import { isoDayOf } from "../../../language/dates.ts";
import type { Config } from "../../../model/config.ts";
import type { StoredFiring } from "../../../model/ports/index.ts";
import { aDay, day, type Instant } from "../../../model/time.ts";
import { counted, firstOf, triggerName, weightWords } from "../../../model/words.ts";
import { readers } from "../../../read/index.ts";
import { headline } from "../../../recheck/issue/title.ts";
import { compareReplays, firedSince, type ReplayDifference } from "../../../watch/replay/both.ts";
import { type Played, play } from "../../../watch/replay/play.ts";
import { configOf } from "../../../wire/config.ts";
import type { Settings } from "../../../wire/settings.ts";
import { answer } from "../answers/index.ts";
import { table } from "../columns.ts";
import { colourDiff, exits, type Terminal, WrongUsage } from "../terminal.ts";
import { type PastAnswers, type PastOptions, readPast } from "./past.ts";

export interface BacktestOptions extends PastOptions {
  readonly since: string;
  /** A trigger file, which is added or replaces the one of the same name. */
  readonly trigger?: string;
  readonly json?: boolean;
}

/** `recheck backtest`: runs the scan of the program over past responses, and shows the issues that it would have opened. */
export async function backtestCommand(settings: Settings, options: BacktestOptions, out: Terminal): Promise<number> {
  const since = dayOf(options.since);
  if (options.corpus !== undefined && options.git !== undefined) {
    throw new WrongUsage("--corpus and --git: one of them");
  }
  const config = await configOf(settings);
  const changed = options.trigger === undefined ? undefined : await withTrigger(options.trigger, settings.config);
  const past = await readPast(options, changed ?? config, since, settings);
  const played = await replay(past, config, since);
  const asked = firedSince(played, since);
  if (changed === undefined) {
    const { rechecks } = played;
    if (options.json)
      answer("backtest", { command: "backtest", since, until: past.until, firings: asked, rechecks }, out);
    else for (const line of backtestLines(played, past, since, config)) out.line(colourDiff(line, out));
    return exits.done;
  }
  const differs = compareReplays(played, await replay(past, changed, since), since);
  if (options.json) answer("backtest-of-trigger", { command: "backtest", since, until: past.until, ...differs }, out);
  else
    for (const line of differenceLines(differs, past, since, options.trigger ?? "", changed))
      out.line(colourDiff(line, out));
  return exits.done;
}

/** For a folder or a checkout, the replay begins at `since`, as if the report had been audited on that day. */
async function replay({ tapes, answers, whole, until }: PastAnswers, config: Config, since: Instant): Promise<Played> {
  const database = await openStore(":memory:");
  try {
    const store = database.repository("backtest");
    const own = tapes.flatMap((tape) => config.sources.get(tape.source.id) ?? []);
    const kept = new Map(own.map((source) => [source.id, source]));
    const report = whole ? config.report : { ...config.report, audited: since };
    const then = { ...config, report, sources: kept };
    const here = tapes.filter(({ source }) => kept.has(source.id));
    return await play(here, { config: then, readers, store, answers, comesBack: !whole, ...(whole && { until }) });
  } finally {
    await database.close();
  }
}

/** Config with a trigger file added or replaced. @throws ConfigProblems | WrongUsage */
async function withTrigger(file: string, folder: string): Promise<Config> {
  const path = `triggers/${basename(file)}`;
  let text: Uint8Array;
  try {
    text = await readFile(file);
  } catch (error) {
    throw new WrongUsage(`--trigger: ${file} cannot be read: ${refusedBecause(error, "it is not there") ?? error}`);
  }
  const files = (await readConfigFiles(folder)).filter((one) => one.path !== path);
  const all = [...files, { path, text }];
  const parsed = parseConfig(all, readers);
  if (parsed.config) return parsed.config;
  const named = <T extends object>(one: T, its: string, key: keyof T) => (its === path ? { ...one, [key]: file } : one);
  throw new ConfigProblems(
    parsed.problems.map((one) => named(one, one.file, "file")),
    all.map((one) => named(one, one.path, "path")),
  );
}

/** @throws WrongUsage */
function dayOf(written: string): Instant {
  const at = isoDayOf(written);
  if (at === undefined) throw new WrongUsage(`--since wants a day such as 2026-07-08; not "${written}"`);
  return at;
}

function backtestLines(played: Played, past: PastAnswers, since: Instant, config: Config): string[] {
  const firings = firedSince(played, since);
  const rechecks = played.rechecks
    .map((recheck) => ({ recheck, fed: firings.filter((firing) => firing.recheck === recheck.id) }))
    .filter(({ fed }) => fed.length > 0);
  return [
    heading(past, since, played.checks.length),
    "",
    ...eventLines(firings, "  ", config),
    ...(firings.length > 0 ? [""] : []),
    `${counted(rechecks.length, "recheck")} would have been opened, with ${counted(firings.length, "event")}`,
    ...rechecks.map(
      ({ recheck, fed }) =>
        `  ${day(recheck.opened)}  ${triggerName(recheck.trigger, config)}: ${counted(fed.length, "event")}`,
    ),
  ];
}

function differenceLines(
  { came, went, stayed, rechecks }: ReplayDifference,
  past: PastAnswers,
  since: Instant,
  file: string,
  config: Config,
): string[] {
  const days = Math.max(1, Math.round((past.until - since) / aDay));
  return [
    heading(past, since),
    "",
    `+${rechecks.came}, −${rechecks.went} rechecks in ${counted(days, "day")} with ${file}; events: +${came.length}, −${went.length}, ${stayed} unchanged`,
    ...eventLines(came, "  + ", config),
    ...eventLines(went, "  − ", config),
    ...(came.length + went.length > 0
      ? ["", `Events that join the open recheck of their trigger count as one. ${past.whole ? known : unknown}`]
      : []),
  ];
}

const known = "It stays open until its actual answer.";
const unknown = "Answers are not replayed: it stays open.";

function heading({ tapes, from }: PastAnswers, since: Instant, checks?: number): string {
  const answers = tapes.map(({ frames }) => frames.filter(({ response }) => response).length).filter((of) => of > 0);
  const sum = answers.reduce((all, of) => all + of, 0);
  const said = `${counted(sum, "answer")} of ${counted(answers.length, "source")}`;
  return `Backtest since ${day(since)} · ${from}: ${said}${checks === undefined ? "" : `, ${counted(checks, "check")}`}`;
}

function eventLines(firings: readonly StoredFiring[], indent: string, config: Config): string[] {
  const rows = firings.map((firing) => [
    day(firing.fired),
    weightWords[firing.weight],
    firing.trigger,
    `${headline(firing, config).text}  (${firstOf([...new Set(firing.evidence.map(({ source }) => source || "time"))], 3)})`,
  ]);
  return table(rows, indent);
}
