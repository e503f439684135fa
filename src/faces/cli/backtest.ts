import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { readConfigFiles } from "../../adapters/files/config.ts";
import { openStore } from "../../adapters/store/open.ts";
import { difference, firedSince } from "../../backtest/difference.ts";
import { type Played, play } from "../../backtest/play.ts";
import { parseConfig } from "../../config/index.ts";
import { ConfigProblems } from "../../config/problem.ts";
import type { Config, Instant } from "../../model.ts";
import { readers } from "../../read/index.ts";
import { loadConfig, type Settings } from "../../wire.ts";
import { NoHistory } from "./backtest/history.ts";
import { backtestLines, differenceLines } from "./backtest/lines.ts";
import { type Origin, type Past, past } from "./backtest/tapes.ts";
import { exits } from "./exits.ts";
import type { Terminal } from "./terminal.ts";
import { WrongUsage } from "./usage.ts";

export interface BacktestOptions extends Origin {
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
  const differs = difference(played, await replay(past, changed, since), since);
  if (options.json) tell({ since, until: past.until, ...differs }, out);
  else for (const line of differenceLines(differs, past, since, options.trigger ?? "", changed)) out.line(line);
  return exits.done;
}

function tell(document: object, out: Terminal): void {
  out.line(JSON.stringify(document, null, 2));
}

async function pastOf(options: Origin, config: Config, since: Instant, settings: Settings): Promise<Past> {
  try {
    return await past(options, config, since, settings);
  } catch (error) {
    if (error instanceof NoHistory) throw new WrongUsage(error.message);
    throw error;
  }
}

/** Of a folder or a checkout, the replay begins at `since`: as if the report had been audited on that day. */
async function replay({ tapes, answers, whole, until }: Past, config: Config, since: Instant): Promise<Played> {
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
