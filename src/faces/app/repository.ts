import type { Logger } from "pino";
import type { ParsedConfig } from "../../config/index.ts";
import { makeOnce, RecentlyUsed } from "../../model/cache.ts";
import { turnsByKey } from "../../model/concurrency.ts";
import type { Config } from "../../model/config.ts";
import { GitHubProblem, type RepositoryConfig, type RepositoryState } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Instant } from "../../model/time.ts";
import type { Instance } from "../../wire/instance.ts";
import { ConfigNotRead } from "./config/trial.ts";
import { createRunLog, type RunLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Recovery } from "./own-issues/recover.ts";
import type { AppRepository, Sandbox } from "./sandbox.ts";
import { createTroubles } from "./troubles.ts";
import { createBackoff, createLanes } from "./turns.ts";

export interface ServerParts {
  readonly instance: Instance;
  readonly sandbox: Sandbox;
  readonly log: Logger;
  readonly stopped: () => boolean;
  /** Called if a repository is not found under its name, or another one has it: GitHub's list shows which. */
  readonly missed: () => void;
  readonly metrics?: Metrics;
}

export type Server = ReturnType<typeof createServer>;

/** The state of one process that serves the repositories of an App's installations. */
export function createServer(parts: ServerParts) {
  const { instance, log, missed } = parts;
  const { clock } = instance;
  return {
    ...parts,
    /** Work that reads config or writes to GitHub, one piece at a time for each repository. */
    work: createLanes<number>(),
    /** Checks of sources, by repository: they may take long, so they run beside other work. */
    checks: createLanes<number>(),
    /** Checks of reports in pull requests, by repository: they fetch pages that are not watched yet. */
    reportChecks: createLanes<number>(),
    /** Checks of single sources, by repository: slow ones do not delay other repositories. */
    checkTurns: turnsByKey<number>({ atOnce: 48, each: 16 }),
    /** Bringing repositories up to date, by installation: they share its limits at GitHub. */
    attendTurns: turnsByKey<number>({ atOnce: 32, each: 4 }),
    troubles: createTroubles(instance, log, missed),
    /** Optional work that no other work waits for; retried with growing pauses if GitHub fails. */
    apart: createBackoff<`${WorkApart} ${number}`>(clock),
    /** Parsing the config in use, by repository; retried with growing pauses if it does not end. */
    reading: createBackoff<number>(clock),
    /** Parsed configs, in use and proposed, by repository; the most recently used are kept. */
    inUse: new RecentlyUsed<number, { readonly commit: string; readonly config?: Config }>(maxCharacters),
    proposed: new RecentlyUsed<number, ProposedConfig>(maxCharacters),
    /** Archived readings of drafts' sources, by repository; the most recently used are kept. */
    past: new RecentlyUsed<number, PastOfDraft>(maxCharacters),
    records: new Map<number, RepositoryRecord>(),
  };
}

export type WorkApart = "pull requests" | "overview";

interface ProposedConfig {
  readonly commit: string;
  readonly parsed: Promise<ParsedConfig | undefined>;
}

export interface PastOfDraft {
  readonly commit: string;
  readonly readings: ReadonlyMap<string, Reading>;
}

/** Cached until the draft has its claims. If it is lost, the archive is asked again. */
export function keepPast(id: number, past: PastOfDraft, { past: kept }: Pick<Server, "past">): void {
  const characters = ({ blocks = [] }: Reading) => blocks.reduce((sum, { text }) => sum + text.length, 1_000);
  kept.set(
    id,
    past,
    [...past.readings.values()].reduce((sum, one) => sum + characters(one), 0),
  );
}

/** Limit of characters of cached texts; parsed, each takes about four bytes. */
const maxCharacters = 8_000_000;

function charactersOf({ files }: RepositoryConfig): number {
  return files.reduce((sum, { text }) => sum + text.length, 1_000);
}

/** The data of one repository in this process between two jobs. Lasting data is in the store. */
export interface RepositoryRecord {
  /** The commit of a proposed config whose reading did not end. */
  givenUp?: string;
  /** When its issues were listed, if there was no webhook since. */
  listed?: Instant | undefined;
  compareAt?: Instant;
  lastScan?: Instant;
  /** When a scan last did work that depends on time alone. Webhooks delay the comparison with GitHub, but not this work. */
  timePassed?: Instant;
  runLog?: RunLog;
  readonly recovery: Recovery;
  /** The heads of pull requests to check, by number: only the last head of each. */
  readonly reportHeads: Map<number, string>;
}

export function repositoryRecord(id: number, { records }: Server): RepositoryRecord {
  return makeOnce(records, id, () => ({ reportHeads: new Map(), recovery: { unheard: new Set() } }));
}

export function runLogOf({ id, name }: RepositoryState, server: Server): RunLog {
  const record = repositoryRecord(id, server);
  record.runLog ??= createRunLog(server.log.child({ repository: name }), server.metrics);
  return record.runLog;
}

/** Runs work on an active repository alone. After a refusal of GitHub, or an end of the program, it is done later. */
export function runAlone(id: number, server: Server, work: (home: AppRepository) => Promise<void>): Promise<void> {
  const { stopped, troubles, instance } = server;
  return server.work.run(id, async () => {
    const home = await openIfReadable(id, server);
    if (!home || instance.clock.now() < troubles.pausedUntil(home.state.installation)) return;
    const record = repositoryRecord(id, server);
    const leave = () => {
      record.compareAt = undefined;
    };
    if (stopped()) return leave();
    try {
      await work(home);
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      if (stopped() && error.uncertain) return leave();
      await troubles.report(home, error);
      record.compareAt = troubles.retryAt(id);
    }
  });
}

/** Also undefined while the config in use cannot be read; the log reports that. */
export async function openIfReadable(
  id: number,
  server: Server,
  state?: RepositoryState,
): Promise<AppRepository | undefined> {
  try {
    return await open(id, server, state);
  } catch (error) {
    if (error instanceof ConfigNotRead) return undefined;
    throw error;
  }
}

/** An active repository with its config. `read`: its state, if it was just read. @throws ConfigNotRead */
export async function open(id: number, server: Server, read?: RepositoryState): Promise<AppRepository | undefined> {
  const { instance, sandbox } = server;
  const state = read ?? (await instance.registry.repository(id));
  if (state?.standing !== "active") return undefined;
  const config = await configInUse(state, server);
  const { clock, readers, link } = instance;
  const [store, github] = [instance.store(state), instance.github(state)];
  const ownSandbox = { ...sandbox, parseProposed: (proposed: RepositoryConfig) => parseProposed(id, proposed, server) };
  const web = () => instance.web(state);
  return { state, store, github, clock, readers, link, sandbox: ownSandbox, web, config };
}

/** The config in use could be parsed once. If it cannot be now, that is retried with growing pauses. @throws ConfigNotRead */
async function configInUse({ id, name, config }: RepositoryState, server: Server): Promise<Config | undefined> {
  if (!config) return undefined;
  const { instance, sandbox, log, reading, inUse, proposed } = server;
  const cached = inUse.get(id);
  if (cached?.commit === config.commit) return cached.config;
  if (instance.clock.now() < reading.until(id)) throw new ConfigNotRead(config.commit);
  const parsed = await sandbox.parse(config);
  if (!parsed) {
    reading.failed(id);
    const problem = new ConfigNotRead(config.commit);
    log.warn({ repository: name }, problem.message);
    throw problem;
  }
  reading.succeeded(id);
  proposed.delete(id);
  inUse.set(id, { commit: config.commit, config: parsed.config }, charactersOf(config));
  return parsed.config;
}

/** Parses a proposed config once, without retries: people replace a config that takes too long by another commit. */
async function parseProposed(id: number, config: RepositoryConfig, server: Server): Promise<ParsedConfig | undefined> {
  const { sandbox, proposed } = server;
  const { commit } = config;
  const record = repositoryRecord(id, server);
  if (record.givenUp === commit) return undefined;
  const cached = proposed.get(id);
  if (cached?.commit === commit) return await cached.parsed;
  const entry = { commit, parsed: sandbox.parseProposed(config) };
  proposed.set(id, entry, charactersOf(config));
  try {
    const parsed = await entry.parsed;
    if (!parsed) record.givenUp = commit;
    return parsed;
  } catch (error) {
    // A failed thread says nothing about the config.
    if (proposed.get(id) === entry) proposed.delete(id);
    throw error;
  }
}
