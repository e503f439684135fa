import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { promisify } from "node:util";
import { readConfigFiles } from "../../adapters/files/config.ts";
import { openStore } from "../../adapters/store/open.ts";
import { parseConfig } from "../../config/index.ts";
import { ConfigProblems } from "../../config/problems.ts";
import type { Config, Instant, Source } from "../../model/model.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import { aDay, aMinute, day } from "../../model/time.ts";
import { counted, some, triggerName } from "../../model/words.ts";
import { readers } from "../../read/index.ts";
import { headline } from "../../recheck/issue/headline.ts";
import { compareReplays, firedSince, type ReplayDifference } from "../../watch/replay/both.ts";
import { type Played, play } from "../../watch/replay/play.ts";
import { type Frame, type Stored, storedTapes, type Tape } from "../../watch/replay/tape.ts";
import { loadConfig, openStored, type Settings } from "../../wire.ts";
import { readCorpus, watchedIn } from "./corpus.ts";
import { exits, type Terminal, table, WrongUsage } from "./terminal.ts";

export interface BacktestOptions extends PastOptions {
  readonly since: string;
  /** A trigger file that is new, or takes the place of the one of the same name. */
  readonly trigger?: string;
  readonly json?: boolean;
}

/** `npm run backtest`: what would have been asked since a day, by the program's own scan over the answers of the past. */
export async function backtestCommand(settings: Settings, options: BacktestOptions, out: Terminal): Promise<number> {
  const since = dayOf(options.since);
  if (options.corpus !== undefined && options.git !== undefined) {
    throw new WrongUsage("--corpus and --git: one of them");
  }
  const config = await loadConfig(settings.config);
  const changed = options.trigger === undefined ? undefined : await withTrigger(options.trigger, settings.config);
  const past = await pastOf(options, changed ?? config, since, settings);
  const played = await replay(past, config, since);
  const asked = firedSince(played, since);
  if (changed === undefined) {
    const { rechecks } = played;
    if (options.json) tell({ since, until: past.until, firings: asked, rechecks }, out);
    else for (const line of backtestLines(played, past, since, config)) out.line(line);
    return exits.done;
  }
  const differs = compareReplays(played, await replay(past, changed, since), since);
  if (options.json) tell({ since, until: past.until, ...differs }, out);
  else for (const line of differenceLines(differs, past, since, options.trigger ?? "", changed)) out.line(line);
  return exits.done;
}

function tell(document: object, out: Terminal): void {
  out.line(JSON.stringify(document, null, 2));
}

async function pastOf(options: PastOptions, config: Config, since: Instant, settings: Settings): Promise<PastAnswers> {
  try {
    return await past(options, config, since, settings);
  } catch (error) {
    if (error instanceof NoHistory) throw new WrongUsage(error.message);
    throw error;
  }
}

/** Of a folder or a checkout, the replay begins at `since`: as if the report had been audited on that day. */
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

/** Config with one trigger file more, or in place of the one of the same name. @throws ConfigProblems | WrongUsage */
async function withTrigger(file: string, folder: string): Promise<Config> {
  const path = `triggers/${basename(file)}`;
  let text: Uint8Array;
  try {
    text = await readFile(file);
  } catch {
    throw new WrongUsage(`there is no ${file}`);
  }
  const files = (await readConfigFiles(folder)).filter((one) => one.path !== path);
  const parsed = parseConfig([...files, { path, text }], readers);
  if (parsed.config) return parsed.config;
  throw new ConfigProblems(parsed.problems.map((one) => (one.file === path ? { ...one, file } : one)));
}

/** @throws WrongUsage */
function dayOf(written: string): Instant {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(at)) throw new WrongUsage(`--since wants a day such as 2026-07-08; not "${written}"`);
  return at;
}

/** What would have been asked, event by event, and the rechecks it would have opened. */
function backtestLines(played: Played, past: PastAnswers, since: Instant, config: Config): string[] {
  const firings = firedSince(played, since);
  const rechecks = played.rechecks
    .map((recheck) => ({ recheck, fed: firings.filter((firing) => firing.recheck === recheck.id) }))
    .filter(({ fed }) => fed.length > 0);
  return [
    heading(past, since, played.looks.length),
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

/** What another trigger file would have changed: what came, what went. */
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
    `+${rechecks.came}, −${rechecks.went} rechecks in ${counted(days, "day")} with ${file}; of events +${came.length}, −${went.length}, ${stayed} as before`,
    ...eventLines(came, "  + ", config),
    ...eventLines(went, "  − ", config),
    ...(came.length + went.length > 0
      ? ["", `Events of one trigger that join its open recheck are one. ${past.whole ? known : unknown}`]
      : []),
  ];
}

const known = "It is open until it was really answered.";
const unknown = "Nobody answers here: it stays open.";

function heading({ tapes, from }: PastAnswers, since: Instant, looks?: number): string {
  const answers = tapes.reduce((sum, { frames }) => sum + frames.filter(({ response }) => response).length, 0);
  const said = `${counted(answers, "answer")} of ${counted(tapes.length, "source")}`;
  return `Backtest since ${day(since)} · ${from}: ${said}${looks === undefined ? "" : `, ${counted(looks, "look")}`}`;
}

function eventLines(firings: readonly StoredFiring[], indent: string, config: Config): string[] {
  const rows = firings.map((firing) => [
    day(firing.fired),
    firing.weight,
    firing.trigger,
    `${headline(firing, config).text}  (${some([...new Set(firing.evidence.map(({ source }) => source || "time"))], 3)})`,
  ]);
  return table(rows, indent);
}

/** Where the answers of the past come from. */
export interface PastOptions {
  readonly corpus?: string;
  readonly git?: string;
}

/** What is to be replayed. */
export interface PastAnswers extends Stored {
  /** In words: `what is stored`. */
  readonly from: string;
  /** The tapes hold every look that there was. */
  readonly whole: boolean;
  readonly until: Instant;
}

/** @throws StoreProblem | NoHistory */
async function past(
  { corpus, git }: PastOptions,
  config: Config,
  since: Instant,
  settings: Pick<Settings, "data" | "repo" | "clock">,
): Promise<PastAnswers> {
  if (corpus === undefined && git === undefined) {
    const { store, close } = await openStored(settings);
    try {
      const stored = await storedTapes(config, store);
      return { ...stored, from: "what is stored", whole: true, until: settings.clock.now() };
    } finally {
      await close();
    }
  }
  const tapes =
    corpus === undefined ? await historyTapes(git ?? ".", config, since) : corpusTapes(corpus, config, since);
  const last = Math.max(since, ...tapes.flatMap(({ frames }) => frames.map(({ at }) => at)));
  return { tapes, answers: [], from: corpus ?? `the history of ${git}`, whole: false, until: last };
}

/** The documents of a folder that config watches, each from the revision on that stood at `since`. */
function corpusTapes(folder: string, config: Config, since: Instant): Tape[] {
  const docs = readCorpus(folder, (line) => process.stderr.write(`${line}\n`));
  return watchedIn(docs, { config, readers }).flatMap(({ doc: { url, revisions }, source }): Tape[] => {
    const start = Math.max(
      0,
      revisions.findLastIndex(({ date }) => date <= since),
    );
    const frames = revisions.slice(start).map(({ date, status, headers, body }) => ({
      at: Math.max(date, since) + aMinute,
      response: { url, status, headers, body },
    }));
    return [{ source, frames }];
  });
}

const run = promisify(execFile);
/** Bytes of one answer of git. */
const maxBuffer = 64_000_000;
/** Revisions of one file, the newest. */
const most = 2_000;

/** A folder that is no checkout, or a git that does not answer. */
class NoHistory extends Error {
  override readonly name = "NoHistory";
}

/**
 * The history of a checkout as tapes: for each `text` source whose address ends with the path of a file in it. Where
 * the address names a repository of GitHub, that must be the checkout's. @throws NoHistory
 */
async function historyTapes(folder: string, config: Config, since: Instant): Promise<Tape[]> {
  const paths = (await git(folder, "ls-files", "-z")).split("\0").filter(Boolean);
  const names = await namesOf(folder);
  const tapes: Tape[] = [];
  for (const source of config.sources.values()) {
    const path = source.kind === "text" ? pathOf(source, paths, names) : undefined;
    const frames = path === undefined ? [] : await framesOf(folder, path, source, since);
    if (frames.length > 0) tapes.push({ source, frames });
  }
  return tapes;
}

/** The longest path of the checkout with which the address ends. */
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
  const origin = await git(folder, "config", "--get", "remote.origin.url").catch(() => "");
  const found = /[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?\s*$/.exec(origin)?.[1];
  return new Set([(found ?? basename(resolve(folder))).toLowerCase()]);
}

async function framesOf(folder: string, path: string, source: Source, since: Instant): Promise<Frame[]> {
  const log = await git(folder, "log", "--first-parent", `--max-count=${most}`, "--format=%H %ct", "--", path);
  const commits = log
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ hash: line.slice(0, 40), at: Number(line.slice(41)) * 1000 }))
    .sort((a, b) => a.at - b.at);
  const start = Math.max(
    0,
    commits.findLastIndex(({ at }) => at <= since),
  );
  const frames: Frame[] = [];
  for (const { hash, at } of commits.slice(start)) {
    const body = await blob(folder, hash, path);
    const response = { url: source.address, status: body ? 200 : 404, headers: {}, body: body ?? new Uint8Array() };
    frames.push({ at: Math.max(at, since) + aMinute, response });
  }
  return frames;
}

/** Undefined where a commit removed the file. */
async function blob(folder: string, hash: string, path: string): Promise<Uint8Array | undefined> {
  try {
    const args = ["-C", folder, "cat-file", "blob", `${hash}:${path}`];
    const { stdout } = await run("git", args, { maxBuffer, encoding: "buffer" });
    return new Uint8Array(stdout);
  } catch {
    return undefined;
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await run("git", ["-C", folder, ...args], { maxBuffer })).stdout;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n")[0] : "";
    throw new NoHistory(`git tells no history of ${folder}${said ? `: ${said}` : ""}`);
  }
}
