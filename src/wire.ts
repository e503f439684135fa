import { randomBytes } from "node:crypto";
import { join, relative, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ArchiveSettings } from "./adapters/fetch/archive.ts";
import type { FetchSettings } from "./adapters/fetch/index.ts";
import { checkoutOf } from "./adapters/files/checkout.ts";
import { type ConfigFile, readConfigFiles } from "./adapters/files/config.ts";
import { readBefore } from "./adapters/files/read-before.ts";
import type { Auth } from "./adapters/github/client.ts";
import type { GitHubOptions, RepositoryGitHub } from "./adapters/github/index.ts";
import type { Receivers } from "./adapters/messages/courier.ts";
import type { Heartbeat } from "./adapters/messages/heartbeat.ts";
import { isAddress, placeName } from "./adapters/store/address.ts";
import { backUp, type Restored, restore, type StoreCopy } from "./adapters/store/backup.ts";
import { type Examination, examine } from "./adapters/store/examine.ts";
import { type MovedTable, moveStore } from "./adapters/store/move.ts";
import { openStore } from "./adapters/store/open.ts";
import { storeArchive } from "./adapters/store/pack.ts";
import { StoreProblem } from "./adapters/store/problem.ts";
import type { Pool, PoolFigures, WorkerShare } from "./adapters/threads/pool.ts";
import type { ByHand } from "./config/edit/proposals.ts";
import { ConfigProblems } from "./config/problems.ts";
import { version } from "./model/digest.ts";
import type { Block, Config, Instant, Source } from "./model/model.ts";
import type {
  Backlog,
  Clock,
  Courier,
  Fetch,
  HostMemory,
  Installations,
  Jobs,
  Registry,
  RepositoryState,
  Store,
  WebArchive,
  WorkLimits,
} from "./model/ports/index.ts";
import type { Problem } from "./model/problem.ts";
import { day } from "./model/time.ts";
import type { Reader } from "./read/reader.ts";
import { type Link, withPassage } from "./recheck/issue/link.ts";
import type { Outbox } from "./recheck/run.ts";
import type { Sending } from "./status/messages/send.ts";
import type { Edition } from "./status/site/edition.ts";
import type { World } from "./watch/check.ts";
import type { StateBranch } from "./watch/state-branch/files.ts";

/** The name of each file of a bundle is a digest of it, and of all that it loads. */
const isBundled = !import.meta.url.endsWith(".ts");

// Commands differ in what they need of the world: what is large is loaded where it is used.

/** Everything that the outside decides; the faces fill it from the environment, the demo and tests by hand. */
export interface Settings {
  /** Where `sources.yaml` and `triggers/` are. */
  readonly config: string;
  /** The folder of the store's file, or the address of a PostgreSQL database; `:memory:` for none. */
  readonly data: string;
  /** `owner/name` of the report's repository, if there is one. */
  readonly repo?: string;
  readonly auth?: Auth;
  /** Of the API of the report's own GitHub: `https://github.example.com/api/v3` for GitHub Enterprise. */
  readonly githubApi?: string;
  /** For reading sources on github.com where the report's own GitHub is another one. */
  readonly githubComToken?: string;
  readonly clock: Clock;
  readonly fetch: Omit<FetchSettings, "clock" | "githubToken" | "userAgent">;
  /** The web archive that is asked for copies; undefined: none is. */
  readonly archive?: ArchiveSettings;
  readonly github?: Pick<GitHubOptions, "log" | "fetch" | "patience" | "hangUp" | "onQuota">;
  /** The run of a workflow that this is part of. */
  readonly run?: { readonly id?: string; readonly attempt?: number; readonly event?: string; readonly branch?: string };
  /** Where channels to people lead; nowhere unless told. */
  readonly receivers?: Receivers;
  /** Asked for after each good round or scan. */
  readonly heartbeat?: URL;
  /** Repositories whose config may use the receivers of a server. */
  readonly notifiable?: readonly string[];
  /** Hears of trouble with the queue that processes share. */
  readonly onJobProblem?: (error: unknown) => void;
  /** The store came from the repository itself: under whatever name, it is this one's. */
  readonly carried?: boolean;
}

export const systemClock: Clock = { now: () => Date.now() };

/** @throws ConfigProblems | NoConfig */
export async function loadConfig(folder: string): Promise<Config> {
  return (await loadConfigAt(folder)).config;
}

/** A folder's config with what it is warned of. With `now`, days that have not come yet are problems. */
export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly Problem[];
  readonly files: readonly ConfigFile[];
}

/** @throws ConfigProblems | NoConfig */
export async function loadConfigAt(folder: string, now?: Instant): Promise<LoadedConfig> {
  const files = await readConfigFiles(folder);
  // By the day: what is not yet a day that was may be one tomorrow.
  const about = [now === undefined ? undefined : day(now)];
  const before = isBundled
    ? readBefore<Omit<LoadedConfig, "files">>(`${resolve(folder)} ${now === undefined ? "" : "by the day"}`, files, {
        program: import.meta.url,
        about,
      })
    : undefined;
  const known = before?.find();
  if (known) return { ...known, files };
  const [{ parseConfig }, { readers }] = await Promise.all([import("./config/index.ts"), import("./read/index.ts")]);
  const parsed = parseConfig(files, readers, now);
  if (parsed.config === undefined) throw new ConfigProblems(parsed.problems, files);
  const { config, warnings } = parsed;
  before?.keep({ config, warnings });
  return { config, warnings, files };
}

/** The program, put together: the world of its looks, and the repository it speaks to. */
export interface Program {
  readonly world: World;
  /** All that bringing GitHub up to date needs. */
  readonly outbox: Outbox;
  /** Undefined where no repository or no credentials are given. */
  readonly github?: RepositoryGitHub;
  /** All that telling people beside GitHub needs. */
  readonly messages: Sending;
  /** What waits now. */
  backlog(): Promise<Backlog>;
  close(): Promise<void>;
}

/** Picks the adapters. The only file that does. */
export async function wire(settings: Settings): Promise<Program> {
  const { clock } = settings;
  const { config, files } = await loadConfigAt(settings.config, clock.now());
  const { store, hosts, registry, close } = await openToWrite(settings);
  const web = await wireWeb(settings, config, hosts);
  const { fetch, access, archive, github, workers } = web;
  const [{ createCourier }, { recover }] = await Promise.all([
    import("./adapters/messages/courier.ts"),
    import("./recheck/recover.ts"),
  ]);
  const courier = createCourier({
    ...settings.fetch,
    clock,
    userAgent: userAgent(config),
    receivers: settings.receivers ?? nowhere,
  });
  const repository = pageOfReport(settings);
  const outbox: Outbox = {
    config,
    store,
    clock,
    github,
    link: await pageLink(),
    byHand: await byHandIn(settings, files),
  };
  return {
    world: { config, clock, fetch, store, readers: web.readers, access, archive, workers },
    outbox: {
      ...outbox,
      ...(github && { recover: () => recover(outbox, github) }),
    },
    ...(github ? { github } : {}),
    messages: { config, store, clock, courier, ...(repository !== undefined && { repository }) },
    backlog: () => registry.backlog(clock.now()),
    async close() {
      await web.close();
      await courier.close();
      await close();
    },
  };
}

/** Of one task: what a stranger serves costs no more than this. Far beyond what any honest page takes. */
const workLimits: WorkLimits = { processor: 5_000, megabytes: 256 };

/** The threads of this process, once one is needed. */
let threads: Pool | undefined;

async function shareOfThreads(): Promise<WorkerShare> {
  const { createPool, shareOf } = await import("./adapters/threads/pool.ts");
  const entry = new URL(isBundled ? "./worker.js" : "./faces/worker.ts", import.meta.url);
  threads ??= createPool({ entry, ...workLimits });
  return shareOf(threads);
}

/** How busy the threads of this process are; undefined before one was needed. */
export function threadFigures(): PoolFigures | undefined {
  return threads?.figures();
}

/** The web, for those who look without a store. */
export interface WiredWeb
  extends Pick<World, "clock" | "fetch" | "readers" | "access" | "archive" | "workers">,
    Pick<Program, "github" | "close"> {
  /** Asks for nothing more; what came can still be read. */
  stop(): Promise<void>;
}

/** The way into the web on behalf of a config; no store is opened. Whoever asks for it closes it. */
export async function wireWeb(
  settings: Settings,
  config: { readonly report: { readonly url?: string } },
  hosts?: HostMemory,
): Promise<WiredWeb> {
  const { clock } = settings;
  const [{ createFetch }, { readers }, { readersIn }] = await Promise.all([
    import("./adapters/fetch/index.ts"),
    import("./read/index.ts"),
    import("./watch/tasks.ts"),
  ]);
  const github = await reportsGitHub(settings);
  const token = sourcesToken(settings, github);
  const own = { userAgent: userAgent(config), clock, githubToken: token, hosts };
  const fetch = createFetch({ ...settings.fetch, ...own });
  const archive = (await archives(settings))?.(fetch);
  const workers = await shareOfThreads();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= fetch.close());
  return {
    clock,
    fetch,
    workers,
    readers: readersIn(workers, readers),
    access: { githubToken: token !== undefined },
    archive,
    ...(github ? { github } : {}),
    stop,
    async close() {
      await stop();
      await workers.close();
    },
  };
}

/** The report's repository; undefined where none, or no credentials, are given. */
async function reportsGitHub(settings: Settings): Promise<RepositoryGitHub | undefined> {
  const { clock, repo, auth, githubApi: baseUrl } = settings;
  if (!repo || !auth) return undefined;
  const { createGitHub } = await import("./adapters/github/index.ts");
  return createGitHub({ repo, auth, baseUrl, clock, fetch: await proxied(settings), ...settings.github });
}

async function proxied({ fetch: { proxy } }: Settings): Promise<GitHubOptions["fetch"]> {
  return (await import("./adapters/fetch/routes.ts")).proxiedFetch(proxy);
}

/** The way to the watchman who is to hear that all goes well; undefined where there is none. */
export async function wireHeartbeat({
  heartbeat,
  fetch,
  clock,
}: Pick<Settings, "heartbeat" | "fetch" | "clock">): Promise<Heartbeat | undefined> {
  if (!heartbeat) return undefined;
  const { createHeartbeat } = await import("./adapters/messages/heartbeat.ts");
  return createHeartbeat({ ...fetch, clock, userAgent: userAgent({ report: {} }) }, heartbeat);
}

/** Opens what is remembered of the repository of these settings, for the one who writes it. @throws StoreProblem */
export async function openToWrite({ data, repo, carried }: Pick<Settings, "data" | "repo" | "carried">): Promise<{
  store: Store;
  hosts: HostMemory;
  registry: Registry;
  close(): Promise<void>;
}> {
  const database = await openStore(storeFile(data));
  const known = carried ? await database.repositories() : [unnamed];
  if (repo !== undefined) for (const name of known) await database.adopt(name, repo);
  const { hosts, registry } = database;
  const key = repo === undefined ? unnamed : await database.keyOf(repo);
  try {
    await database.own(key);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { store: database.repository(key), hosts, registry, close: () => database.close() };
}

/** The branch of the report's repository on which the store is kept. */
export async function wireState(
  settings: Settings & Required<Pick<Settings, "repo" | "auth">>,
  branch: string,
  say: StateBranch["say"],
): Promise<StateBranch> {
  const { repo, auth, clock, githubApi, run = {} } = settings;
  const { createBranches } = await import("./adapters/github/branches.ts");
  const web = { baseUrl: githubApi, clock, fetch: await proxied(settings), ...settings.github };
  return {
    branches: createBranches({ repo, auth, ...web }),
    archive: storeArchive(storeFile(settings.data)),
    branch,
    clock,
    run: { run: run.id, attempt: run.attempt },
    version,
    word: () => randomBytes(9).toString("hex"),
    wait: (duration) => sleep(duration),
    say,
  };
}

/** The program for every repository of an App's installations, put together. */
export interface Instance {
  readonly clock: Clock;
  readonly registry: Registry;
  /** The work that processes share, where the store is a database of many; without it this process does all of it. */
  readonly shared?: SharedWork;
  readonly installations: Installations;
  readonly readers: World["readers"];
  readonly link: Link;
  /** All that is remembered of one repository. */
  store(repository: RepositoryState): Store;
  github(repository: RepositoryState): RepositoryGitHub;
  /** A repository's address for people. */
  page(repository: RepositoryState): string | undefined;
  /** Tells people beside GitHub; only for repositories that the operator names, whose config may use the server's channels. */
  courier(repository: RepositoryState, config: Config): Courier;
  /** All that looks on behalf of one repository need, with its config. */
  world(repository: RepositoryState, config: Config): World;
  close(): Promise<void>;
}

/** What one of many processes needs to share their work. */
export interface SharedWork {
  readonly jobs: Jobs;
  /** Takes over the work for a repository from whoever had it before. */
  succeed(repository: number): Promise<void>;
}

/** Picks the adapters for a server of many repositories. `settings.config` and `repo` play no part. */
export async function wireInstance(
  settings: Settings & { readonly auth: Extract<Auth, { appId: number | string }> },
): Promise<Instance> {
  const { clock, auth, githubApi } = settings;
  const [{ shareFetch }, { readers }, { readersIn }, { createCourier }] = await Promise.all([
    import("./adapters/fetch/index.ts"),
    import("./read/index.ts"),
    import("./watch/tasks.ts"),
    import("./adapters/messages/courier.ts"),
  ]);
  const { createGitHub } = await import("./adapters/github/index.ts");
  const { createInstallations, installationCredentials } = await import("./adapters/github/installations.ts");
  const { createIssueTypes } = await import("./adapters/github/issues.ts");
  const [archiveFor, link] = [await archives(settings), await pageLink()];
  const { database, jobs } = await openShared(settings);
  const shared = shareFetch({ ...settings.fetch, clock, hosts: database.sharedHosts ?? database.hosts });
  const workers = await shareOfThreads();
  const apart = readersIn(workers, readers);
  const common = { baseUrl: githubApi, clock, issueTypes: createIssueTypes(clock), ...settings.github };
  const credentialsOf = installationCredentials({ auth, ...common });
  const hubs = new Map<string, RepositoryGitHub>();

  function github({ id, name, installation }: RepositoryState): RepositoryGitHub {
    const key = `${installation} ${id} ${name}`;
    const known = hubs.get(key);
    if (known) return known;
    const own = { ...auth, installationId: installation, repositoryId: id };
    const shared = { credentials: credentialsOf(installation), group: String(installation) };
    const hub = createGitHub({ repo: name, auth: own, ...shared, ...common });
    hubs.set(key, hub);
    return hub;
  }

  return {
    clock,
    registry: database.registry,
    ...(jobs && { shared: { jobs, succeed: (repository) => database.succeed(String(repository)) } }),
    installations: createInstallations({ auth, ...common }, credentialsOf),
    readers,
    link,
    store: ({ id }) => database.repository(id),
    github,
    page: ({ name }) => pageOfReport({ ...settings, repo: name }),
    courier: ({ name }, config) =>
      createCourier({
        ...settings.fetch,
        clock,
        userAgent: userAgent(config),
        receivers: (mayNotify(name, settings) && settings.receivers) || nowhere,
      }),
    world(repository, config) {
      // A token for this repository alone: what it cannot see itself, no config can make it read.
      const token = sourcesToken(settings, github(repository));
      const allowance = settings.githubComToken === undefined ? String(repository.installation) : undefined;
      const fetch = shared.for({ userAgent: userAgent(config), githubToken: token, allowance });
      const store = database.repository(repository.id);
      const archive = archiveFor?.(fetch);
      const access = { githubToken: token !== undefined };
      return { config, clock, fetch, store, readers: apart, access, archive, workers };
    },
    async close() {
      await shared.close();
      await workers.close();
      await jobs?.close();
      await database.close();
    },
  };
}

/** The store of a server, and the queue in it where it is a database of many processes. */
async function openShared({ data, onJobProblem }: Pick<Settings, "data" | "onJobProblem">) {
  const place = storeFile(data);
  if (!isAddress(place)) return { database: await openStore(place) };
  const { createJobs } = await import("./adapters/jobs/boss.ts");
  // The store first: it says in one sentence what is wrong with a database.
  await (await openStore(place)).close();
  const jobs = await createJobs(place, { onProblem: onJobProblem });
  return { jobs, database: await openStore(place, { ask: jobs.askWithin }) };
}

/** How the web archive is asked by a way into the web; undefined where none is. */
async function archives({ archive, clock }: Settings): Promise<((fetch: Fetch) => WebArchive) | undefined> {
  if (!archive) return undefined;
  const { createArchive } = await import("./adapters/fetch/archive.ts");
  return (fetch) => createArchive(fetch, clock, archive);
}

/**
 * The token for reading sources, which are on github.com: the report's own, unless that belongs to another GitHub.
 * It would be turned away there, and github.com is not to see it.
 */
function sourcesToken(
  { auth, githubApi, githubComToken }: Settings,
  github: RepositoryGitHub | undefined,
): FetchSettings["githubToken"] {
  if (githubComToken !== undefined) return async () => githubComToken;
  if (githubApi !== undefined && !isGitHubCom(githubApi)) return undefined;
  if (github) return () => github.installationToken();
  return auth && "token" in auth ? async () => auth.token : undefined;
}

const nowhere: Receivers = { places: {} };

function mayNotify(name: string, { notifiable = [] }: Settings): boolean {
  return notifiable.some((one) => one.toLowerCase() === name.toLowerCase());
}

function isGitHubCom(api: string): boolean {
  return URL.parse(api)?.host === "api.github.com";
}

/** Looks are kept under this name until a repository is named, which then takes them over. */
const unnamed = "local";

/** Opens what is stored, for those who only want to read it: works beside a running scan. @throws StoreProblem */
export async function openStored(
  settings: Pick<Settings, "data" | "repo">,
): Promise<{ store: Store; close(): Promise<void> }> {
  const file = storeFile(settings.data);
  const database = await openStore(file, { readonly: true });
  try {
    const name = nameIn(await database.repositories(), settings.repo, file);
    return { store: database.repository(await database.keyOf(name)), close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Which of the repositories in a store is meant. @throws StoreProblem where others are there, and this one is not */
function nameIn(known: readonly string[], repo: string | undefined, file: string): string {
  const [only] = known;
  if (repo !== undefined && known.includes(repo)) return repo;
  if (only === undefined || known.includes(unnamed)) return known.includes(unnamed) ? unnamed : (repo ?? unnamed);
  if (repo === undefined && known.length === 1) return only;
  const those = `${known.slice(0, 5).join(", ")}${known.length > 5 ? " and others" : ""}`;
  if (repo !== undefined)
    throw new StoreProblem("missing", `nothing is recorded of ${repo} in ${placeName(file)}, but of ${those}`);
  throw new StoreProblem("missing", `${placeName(file)} remembers several repositories: name one by --repo (${those})`);
}

/** All that is published of a report, from what is stored. @throws ConfigProblems | NoConfig | StoreProblem */
export async function editionFrom(settings: Settings): Promise<Edition> {
  const config = await loadConfig(settings.config);
  const stored = await openStored(settings);
  try {
    return await editionIn(stored.store, config, settings);
  } finally {
    await stored.close();
  }
}

/** The same of a store that is open. */
export async function editionIn(store: Store, config: Config, settings: Settings): Promise<Edition> {
  const repository = pageOfReport(settings);
  const { editionOf } = await import("./status/site/edition.ts");
  return await editionOf({ config, store, at: settings.clock.now(), link: await pageLink(), repository });
}

/** How people edit the `sources.yaml` of a folder: by its path in the checkout, on the branch that is checked out. */
async function byHandIn(settings: Settings, files: readonly ConfigFile[]): Promise<ByHand | undefined> {
  const { pageOfFile } = await import("./recheck/issue/by-hand.ts");
  const { proposer } = await import("./config/edit/proposals.ts");
  const file = files.find(({ path }) => path === "sources.yaml");
  if (!file) return undefined;
  const [repository, root] = [pageOfReport(settings), await checkoutOf(settings.config)];
  const folder = root === undefined ? "" : relative(root, resolve(settings.config)).split(sep).join("/");
  const path = folder === "" ? file.path : `${folder}/${file.path}`;
  return {
    path,
    ...(repository !== undefined && root !== undefined && { page: pageOfFile(repository, path, settings.run?.branch) }),
    propose: proposer(path, new TextDecoder().decode(file.text)),
  };
}

/** The address of the report's repository for people, on the GitHub that has this API. */
function pageOfReport({ repo, githubApi: api }: Pick<Settings, "repo" | "githubApi">): string | undefined {
  if (repo === undefined) return undefined;
  const url = api === undefined || isGitHubCom(api) ? null : URL.parse(api);
  return `${url?.origin ?? "https://github.com"}/${repo}`;
}

/** Opens what a server remembers of its repositories, for those who only want to read it: works beside it. */
export async function openRegistry({
  data,
}: Pick<Settings, "data">): Promise<{ registry: Registry; close(): Promise<void> }> {
  const { registry, close } = await openStore(storeFile(data), { readonly: true });
  return { registry, close };
}

/** Where a person opens a source; a live page at the passage. */
async function pageLink(): Promise<(source: Source, passage?: Block) => string> {
  const { readers } = await import("./read/index.ts");
  return (source, passage) => pageOf(source, readers.get(source.kind), passage);
}

function pageOf(source: Source, reader: Reader | undefined, passage: Block | undefined): string {
  const address = reader?.page(source) ?? source.address;
  return source.kind === "page" && passage !== undefined ? withPassage(address, passage) : address;
}

/** Names the project, and the report on whose behalf it reads. */
function userAgent({ report }: { readonly report: { readonly url?: string } }): string {
  return `Recheck/${version} (citation watcher${report.url ? `; +${report.url}` : ""})`;
}

/** Carries the store to another place: the address of a database, or a folder. @throws StoreProblem */
export async function wireMove({ data }: Pick<Settings, "data">, to: string): Promise<readonly MovedTable[]> {
  return await moveStore(storeFile(data), storeFile(to));
}

/** The store as a file that is copied, put back and examined. @throws StoreProblem */
export function wireStoreFile({ data, clock }: Pick<Settings, "data" | "clock">): {
  readonly path: string;
  backUp(to: string): Promise<StoreCopy>;
  restore(from: string): Promise<Restored>;
  examine(mend: boolean): readonly Examination[];
} {
  const path = storeFile(data);
  if (isAddress(path)) {
    throw new StoreProblem(
      "unusable",
      `the store is the database ${placeName(path)}: PostgreSQL's own pg_dump and pg_restore copy it`,
    );
  }
  return {
    path,
    backUp: (to) => backUp(path, to),
    restore: (from) => restore(from, path, clock.now()),
    examine: (mend) => examine(path, { now: clock.now(), mend }),
  };
}

/** Where what is remembered lies: a file, or the address of a database. */
export function storeFile(data: string): string {
  return data === ":memory:" || isAddress(data) ? data : join(data, "recheck.sqlite");
}
