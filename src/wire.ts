import { randomBytes } from "node:crypto";
import { join, relative, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ArchiveSettings, createArchive } from "./adapters/fetch/archive.ts";
import { createFetch, type FetchSettings, shareFetch } from "./adapters/fetch/index.ts";
import { proxiedFetch } from "./adapters/fetch/routes.ts";
import { checkoutOf } from "./adapters/files/checkout.ts";
import { type ConfigFile, readConfigFiles } from "./adapters/files/config.ts";
import { createBranches } from "./adapters/github/branches.ts";
import type { Auth } from "./adapters/github/client.ts";
import { createGitHub, type GitHubOptions, type RepositoryGitHub } from "./adapters/github/index.ts";
import { createInstallations, installationCredentials } from "./adapters/github/installations.ts";
import { createIssueTypes } from "./adapters/github/issues.ts";
import { createCourier, type Receivers } from "./adapters/messages/courier.ts";
import { backUp, type Restored, restore, type StoreCopy } from "./adapters/store/backup.ts";
import { type Examination, examine } from "./adapters/store/examine.ts";
import { openStore } from "./adapters/store/open.ts";
import { storeArchive } from "./adapters/store/pack.ts";
import { StoreProblem } from "./adapters/store/problem.ts";
import { createPool, shareOf, type WorkerShare } from "./adapters/threads/pool.ts";
import { type ByHand, proposer } from "./config/edit/proposals.ts";
import { parseConfig } from "./config/index.ts";
import { ConfigProblems } from "./config/problems.ts";
import { version } from "./model/digest.ts";
import type { Block, Config, Instant, Source } from "./model/model.ts";
import type {
  Clock,
  Courier,
  Fetch,
  HostMemory,
  Installations,
  PastIssues,
  Registry,
  RepositoryState,
  Store,
  WebArchive,
  Workers,
  WorkLimits,
} from "./model/ports/index.ts";
import type { Problem } from "./model/problem.ts";
import { readers } from "./read/index.ts";
import { pageOfFile } from "./recheck/issue/by-hand.ts";
import { type Link, withPassage } from "./recheck/issue/link.ts";
import type { Outbox } from "./recheck/run.ts";
import type { Sending } from "./status/messages/send.ts";
import { type Edition, editionOf } from "./status/site/edition.ts";
import type { World } from "./watch/check.ts";
import type { StateBranch } from "./watch/state-branch/files.ts";
import { readersIn } from "./watch/tasks.ts";

/** Everything that the outside decides; the faces fill it from the environment, the demo and tests by hand. */
export interface Settings {
  /** Where `sources.yaml` and `triggers/` are. */
  readonly config: string;
  /** Where the store's file is; `:memory:` for none. */
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
  readonly github?: Pick<GitHubOptions, "log" | "fetch" | "patience" | "hangUp">;
  /** The run of a workflow that this is part of. */
  readonly run?: { readonly id?: string; readonly attempt?: number; readonly event?: string; readonly branch?: string };
  /** Where channels to people lead; nowhere unless told. */
  readonly receivers?: Receivers;
  /** Repositories whose config may use the receivers of a server. */
  readonly notifiable?: readonly string[];
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
  const parsed = parseConfig(files, readers, now);
  if (parsed.config === undefined) throw new ConfigProblems(parsed.problems, files);
  return { config: parsed.config, warnings: parsed.warnings, files };
}

/** The program, put together: the world of its looks, and the repository it speaks to. */
export interface Program {
  readonly world: World;
  /** All that bringing GitHub up to date needs. */
  readonly outbox: Outbox;
  /** Undefined where no repository or no credentials are given. */
  readonly github?: RepositoryGitHub & PastIssues;
  /** All that telling people beside GitHub needs. */
  readonly messages: Sending;
  close(): Promise<void>;
}

/** Picks the adapters. The only file that does. */
export async function wire(settings: Settings): Promise<Program> {
  const { clock } = settings;
  const { config, files } = await loadConfigAt(settings.config, clock.now());
  const { store, hosts, close } = await openToWrite(settings);
  const web = wireWeb(settings, config, hosts);
  const { fetch, access, archive, github, workers } = web;
  const courier = createCourier({
    ...settings.fetch,
    clock,
    userAgent: userAgent(config),
    receivers: settings.receivers ?? nowhere,
  });
  const repository = pageOfReport(settings);
  return {
    world: { config, clock, fetch, store, readers: web.readers, access, archive, workers },
    outbox: { config, store, clock, github, link: pageOf, byHand: await byHandIn(settings, files) },
    ...(github ? { github } : {}),
    messages: { config, store, clock, courier, ...(repository !== undefined && { repository }) },
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
let threads: Workers | undefined;

function shareOfThreads(): WorkerShare {
  const isBundled = !import.meta.url.endsWith(".ts");
  const entry = new URL(isBundled ? "./worker.js" : "./faces/worker.ts", import.meta.url);
  threads ??= createPool({ entry, ...workLimits });
  return shareOf(threads);
}

/** The web, for those who look without a store. */
export interface WiredWeb
  extends Pick<World, "clock" | "fetch" | "readers" | "access" | "archive" | "workers">,
    Pick<Program, "github" | "close"> {
  /** Asks for nothing more; what came can still be read. */
  stop(): Promise<void>;
}

/** The way into the web on behalf of a config; no store is opened. Whoever asks for it closes it. */
export function wireWeb(
  settings: Settings,
  config: { readonly report: { readonly url?: string } },
  hosts?: HostMemory,
): WiredWeb {
  const { clock, repo, auth, githubApi } = settings;
  const github =
    repo && auth
      ? createGitHub({
          repo,
          auth,
          baseUrl: githubApi,
          clock,
          fetch: proxiedFetch(settings.fetch.proxy),
          ...settings.github,
        })
      : undefined;
  const token = sourcesToken(settings, github);
  const own = { userAgent: userAgent(config), clock, githubToken: token, hosts };
  const fetch = createFetch({ ...settings.fetch, ...own });
  const archive = archiveFor(settings, fetch);
  const workers = shareOfThreads();
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

/** Opens what is remembered of the repository of these settings, for the one who writes it. @throws StoreProblem */
export async function openToWrite({
  data,
  repo,
  carried,
}: Pick<Settings, "data" | "repo" | "carried">): Promise<{ store: Store; hosts: HostMemory; close(): Promise<void> }> {
  const database = await openStore(storeFile(data));
  const known = carried ? await database.repositories() : [unnamed];
  if (repo !== undefined) for (const name of known) await database.adopt(name, repo);
  const { hosts } = database;
  const key = repo === undefined ? unnamed : await database.keyOf(repo);
  return { store: database.repository(key), hosts, close: () => database.close() };
}

/** The branch of the report's repository on which the store is kept. */
export function wireState(
  settings: Settings & Required<Pick<Settings, "repo" | "auth">>,
  branch: string,
  say: StateBranch["say"],
): StateBranch {
  const { repo, auth, clock, githubApi, run = {} } = settings;
  const web = { baseUrl: githubApi, clock, fetch: proxiedFetch(settings.fetch.proxy), ...settings.github };
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

/** Picks the adapters for a server of many repositories. `settings.config` and `repo` play no part. */
export async function wireInstance(
  settings: Settings & { readonly auth: Extract<Auth, { appId: number | string }> },
): Promise<Instance> {
  const { clock, auth, githubApi } = settings;
  const database = await openStore(storeFile(settings.data));
  const shared = shareFetch({ ...settings.fetch, clock, hosts: database.hosts });
  const workers = shareOfThreads();
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
    installations: createInstallations({ auth, ...common }, credentialsOf),
    readers,
    link: pageOf,
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
      const fetch = shared.for({ userAgent: userAgent(config), githubToken: token });
      const store = database.repository(repository.id);
      const archive = archiveFor(settings, fetch);
      const access = { githubToken: token !== undefined };
      return { config, clock, fetch, store, readers: apart, access, archive, workers };
    },
    async close() {
      await shared.close();
      await workers.close();
      await database.close();
    },
  };
}

function archiveFor({ archive, clock }: Settings, fetch: Fetch): WebArchive | undefined {
  return archive && createArchive(fetch, clock, archive);
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
    throw new StoreProblem("missing", `nothing is recorded of ${repo} in ${file}, but of ${those}`);
  throw new StoreProblem("missing", `${file} remembers several repositories: name one by --repo (${those})`);
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
  return await editionOf({ config, store, at: settings.clock.now(), link: pageOf, repository });
}

/** How people edit the `sources.yaml` of a folder: by its path in the checkout, on the branch that is checked out. */
async function byHandIn(settings: Settings, files: readonly ConfigFile[]): Promise<ByHand | undefined> {
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
function pageOf(source: Source, passage?: Block): string {
  const address = readers.get(source.kind)?.page(source) ?? source.address;
  return source.kind === "page" && passage !== undefined ? withPassage(address, passage) : address;
}

/** Names the project, and the report on whose behalf it reads. */
function userAgent({ report }: { readonly report: { readonly url?: string } }): string {
  return `Recheck/${version} (citation watcher${report.url ? `; +${report.url}` : ""})`;
}

/** The store as a file that is copied, put back and examined. @throws StoreProblem */
export function wireStoreFile({ data, clock }: Pick<Settings, "data" | "clock">): {
  readonly path: string;
  backUp(to: string): Promise<StoreCopy>;
  restore(from: string): Promise<Restored>;
  examine(mend: boolean): readonly Examination[];
} {
  const path = storeFile(data);
  return {
    path,
    backUp: (to) => backUp(path, to),
    restore: (from) => restore(from, path, clock.now()),
    examine: (mend) => examine(path, { now: clock.now(), mend }),
  };
}

/** Where what is remembered lies. */
export function storeFile(data: string): string {
  return data === ":memory:" ? data : join(data, "recheck.sqlite");
}
