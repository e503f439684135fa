import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { git, gitBytes } from "../../../adapters/files/checkout.ts";
import { readConfigFiles } from "../../../adapters/files/config.ts";
import { refusedBecause } from "../../../adapters/files/refused.ts";
import { openStore } from "../../../adapters/store/open.ts";
import { parseConfig } from "../../../config/index.ts";
import { ConfigProblems } from "../../../config/problems.ts";
import { isoDayOf } from "../../../language/dates.ts";
import { closing } from "../../../model/closing.ts";
import type { Config } from "../../../model/config.ts";
import type { StoredFiring } from "../../../model/ports/index.ts";
import type { Source } from "../../../model/source.ts";
import { aDay, aMinute, day, type Instant } from "../../../model/time.ts";
import { firstOf, pluralize, triggerName, weightWords } from "../../../model/words.ts";
import { readers } from "../../../read/index.ts";
import { headline } from "../../../recheck/issue/title.ts";
import { compareReplays, firedSince, type ReplayDifference } from "../../../watch/replay/both.ts";
import { play, type Replay } from "../../../watch/replay/play.ts";
import { type Frame, type StoredPast, storedTapes, type Tape } from "../../../watch/replay/tape.ts";
import { configOf } from "../../../wire/config.ts";
import type { Settings } from "../../../wire/settings.ts";
import { openStored } from "../../../wire/stores.ts";
import { answer } from "../answers/index.ts";
import { table } from "../columns.ts";
import { print } from "../print.ts";
import { colourDiff, exits, type Terminal, WrongUsage } from "../terminal.ts";
import { type CorpusDocument, readCorpus, watchedIn } from "./corpus.ts";

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
async function replay({ tapes, answers, whole, until }: PastAnswers, config: Config, since: Instant): Promise<Replay> {
  await using database = closing(await openStore(":memory:"));
  const store = database.repository("backtest");
  const watched = tapes.flatMap((tape) => config.sources.get(tape.source.id) ?? []);
  const kept = new Map(watched.map((source) => [source.id, source]));
  const report = whole ? config.report : { ...config.report, audited: since };
  const then = { ...config, report, sources: kept };
  const here = tapes.filter(({ source }) => kept.has(source.id));
  return await play(here, { config: then, readers, store, answers, ...(whole && { until }) });
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
  if (at === undefined) throw new WrongUsage(`--since needs a day such as 2026-07-08, not "${written}"`);
  return at;
}

function backtestLines(played: Replay, past: PastAnswers, since: Instant, config: Config): string[] {
  const firings = firedSince(played, since);
  const rechecks = played.rechecks
    .map((recheck) => ({ recheck, fed: firings.filter((firing) => firing.recheck === recheck.id) }))
    .filter(({ fed }) => fed.length > 0);
  return [
    heading(past, since, played.checks.length),
    "",
    ...eventLines(firings, "  ", config),
    ...(firings.length > 0 ? [""] : []),
    `${pluralize(rechecks.length, "recheck")} would have been opened, with ${pluralize(firings.length, "event")}`,
    ...rechecks.map(
      ({ recheck, fed }) =>
        `  ${day(recheck.opened)}  ${triggerName(recheck.trigger, config)}: ${pluralize(fed.length, "event")}`,
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
    `+${rechecks.came}, −${rechecks.went} rechecks in ${pluralize(days, "day")} with ${file}; events: +${came.length}, −${went.length}, ${stayed} unchanged`,
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
  const said = `${pluralize(sum, "answer")} of ${pluralize(answers.length, "source")}`;
  return `Backtest since ${day(since)} · ${from}: ${said}${checks === undefined ? "" : `, ${pluralize(checks, "check")}`}`;
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

export interface PastOptions {
  readonly corpus?: string;
  readonly git?: string;
}

export interface PastAnswers extends StoredPast {
  /** The origin in words: `what is stored`. */
  readonly from: string;
  /** Whether the tapes hold every check. */
  readonly whole: boolean;
  readonly until: Instant;
}

/** @throws StoreProblem | WrongUsage if there is no history */
export async function readPast(
  { corpus, git }: PastOptions,
  config: Config,
  since: Instant,
  settings: Pick<Settings, "data" | "repo" | "clock">,
): Promise<PastAnswers> {
  if (corpus === undefined && git === undefined) {
    await using opened = closing(await openStored(settings));
    const stored = await storedTapes(config, opened.store);
    return { ...stored, from: "what is stored", whole: true, until: settings.clock.now() };
  }
  const tapes =
    corpus === undefined ? await historyTapes(git ?? ".", config, since) : corpusTapes(corpus, config, since);
  const last = Math.max(since, ...tapes.flatMap(({ frames }) => frames.map(({ at }) => at)));
  return { tapes, answers: [], from: corpus ?? `the history of ${git}`, whole: false, until: last };
}

/** The documents of a folder that config watches, from the revision that was current at `since`. @throws WrongUsage */
function corpusTapes(folder: string, config: Config, since: Instant): Tape[] {
  const docs = documentsIn(folder);
  return watchedIn(docs, { config, readers }).flatMap(({ doc: { url, revisions }, source }): Tape[] => {
    const frames = fromDay(since, revisions, ({ date }) => date).map(({ date, status, headers, body }) => ({
      at: Math.max(date, since) + aMinute,
      response: { url, status, headers, body },
    }));
    return [{ source, frames }];
  });
}

/** From the last one before a day on. `all`: oldest first. */
function fromDay<T>(since: Instant, all: readonly T[], timeOf: (one: T) => Instant): readonly T[] {
  const last = all.findLastIndex((one) => timeOf(one) <= since);
  return all.slice(Math.max(0, last));
}

/** @throws WrongUsage */
function documentsIn(folder: string): CorpusDocument[] {
  try {
    return readCorpus(folder, (line) => print("err", `${line}\n`));
  } catch (error) {
    const why = refusedBecause(error, "its folder docs does not exist");
    throw why === undefined ? error : new WrongUsage(`--corpus: ${folder} cannot be read: ${why}`);
  }
}

/** Limit of revisions per file; the newest are read. */
const maxRevisions = 2_000;

/**
 * The history of a checkout as tapes, for each `text` source whose address ends with the path of a file in it. If the address
 * names a GitHub repository, the checkout must be of that repository. @throws WrongUsage if git has no history of it
 */
async function historyTapes(folder: string, config: Config, since: Instant): Promise<Tape[]> {
  const paths = (await history(folder, "ls-files", "-z")).split("\0").filter(Boolean);
  const names = await namesOf(folder);
  const tapes: Tape[] = [];
  for (const source of config.sources.values()) {
    const path = source.kind === "text" ? pathOf(source, paths, names) : undefined;
    const frames = path === undefined ? [] : await framesOf(folder, path, source, since);
    if (frames.length > 0) tapes.push({ source, frames });
  }
  return tapes;
}

/** The longest path in the checkout that the address ends with. */
function pathOf({ address }: Source, paths: readonly string[], names: ReadonlySet<string>): string | undefined {
  const { host, pathname } = new URL(address);
  const decoded = decodeURIComponent(pathname).slice(1);
  const isGitHub = host === "raw.githubusercontent.com" || host === "github.com";
  if (
    isGitHub &&
    !names.has(decoded.split("/").slice(0, 2).join("/").toLowerCase()) &&
    !names.has(decoded.split("/")[1]?.toLowerCase() ?? "")
  )
    return undefined;
  const fitting = paths.filter((path) => decoded === path || decoded.endsWith(`/${path}`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** `owner/name` of the checkout's origin; without one, the name of its folder. */
async function namesOf(folder: string): Promise<Set<string>> {
  const origin = await history(folder, "config", "--get", "remote.origin.url").catch(() => "");
  const repository = /[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?\s*$/.exec(origin)?.[1];
  return new Set([(repository ?? basename(resolve(folder))).toLowerCase()]);
}

async function framesOf(folder: string, path: string, source: Source, since: Instant): Promise<Frame[]> {
  const log = await history(
    folder,
    "log",
    "--first-parent",
    `--max-count=${maxRevisions}`,
    "--format=%H %ct",
    "--",
    path,
  );
  const commits = log
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ hash: line.slice(0, 40), at: Number(line.slice(41)) * 1000 }))
    .sort((a, b) => a.at - b.at);
  const frames: Frame[] = [];
  for (const { hash, at } of fromDay(since, commits, (commit) => commit.at)) {
    // A commit may have removed the file.
    const body = await gitBytes(folder, ["cat-file", "blob", `${hash}:${path}`]).catch(() => undefined);
    const response = { url: source.address, status: body ? 200 : 404, headers: {}, body: body ?? new Uint8Array() };
    frames.push({ at: Math.max(at, since) + aMinute, response });
  }
  return frames;
}

async function history(folder: string, ...words: string[]): Promise<string> {
  try {
    return await git(folder, ...words);
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n")[0] : "";
    throw new WrongUsage(`git has no history of ${folder}${said ? `: ${said}` : ""}`);
  }
}
