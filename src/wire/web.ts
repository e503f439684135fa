import { fetchWithBrowser } from "../adapters/browser/index.ts";
import type { FetchSettings } from "../adapters/fetch/index.ts";
import type { GitHubOptions, RepositoryGitHub } from "../adapters/github/index.ts";
import type { Heartbeat } from "../adapters/messages/post.ts";
import type { Pool, PoolFigures, WorkerShare } from "../adapters/threads/pool.ts";
import { turns } from "../model/concurrency.ts";
import type { Browser, Fetch, HostMemory, WebArchive, WorkLimits } from "../model/ports/index.ts";
import type { World } from "../watch/check.ts";
import { readersIn } from "../watch/workers.ts";
import { userAgent } from "./addresses.ts";
import { isBundled } from "./config.ts";
import type { Program } from "./program.ts";
import type { Settings } from "./settings.ts";

/** Access to the web, for commands without a store. */
export interface WiredWeb
  extends Pick<World, "clock" | "fetch" | "readers" | "access" | "archive">,
    Required<Pick<World, "workers">>,
    Pick<Program, "github" | "close"> {
  /** Stops all requests; received responses can still be parsed. */
  stop(): Promise<void>;
}

/** Opens web access on behalf of a config, without a store. The caller closes it. */
export async function wireWeb(
  settings: Settings,
  config: { readonly report: { readonly url?: string } },
  hosts?: HostMemory,
): Promise<WiredWeb> {
  const { clock } = settings;
  const [{ createFetch }, { readers }] = await Promise.all([
    import("../adapters/fetch/index.ts"),
    import("../read/index.ts"),
  ]);
  const github = await reportsGitHub(settings);
  const token = sourcesToken(settings, github);
  const own = { userAgent: userAgent(config, settings.contact), clock, githubToken: token, hosts };
  const fetch = browserFetch(settings)(createFetch({ ...settings.fetch, ...own }));
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

/** The report's repository; undefined if no repository or no credentials are given. */
async function reportsGitHub(settings: Settings): Promise<RepositoryGitHub | undefined> {
  const { clock, repo, auth, githubApi: baseUrl } = settings;
  if (!repo || !auth) return undefined;
  const { createGitHub } = await import("../adapters/github/index.ts");
  return createGitHub({ repo, auth, baseUrl, clock, fetch: await proxyFetch(settings), ...settings.github });
}

/** A `fetch` for GitHub that uses the operator's proxies; undefined if there are none. */
export async function proxyFetch({ fetch: { proxy } }: Settings): Promise<GitHubOptions["fetch"]> {
  return (await import("../adapters/fetch/routes.ts")).proxiedFetch(proxy);
}

/** The heartbeat monitor; undefined if none is configured. */
export async function wireHeartbeat({
  heartbeat,
  fetch,
  clock,
}: Pick<Settings, "heartbeat" | "fetch" | "clock">): Promise<Heartbeat | undefined> {
  if (!heartbeat) return undefined;
  const { createHeartbeat } = await import("../adapters/messages/post.ts");
  return createHeartbeat({ ...fetch, clock, userAgent: userAgent({ report: {} }) }, heartbeat);
}

/** The client of the web archive; undefined if disabled. */
export async function archives({
  archive,
  clock,
  dryRun,
}: Settings): Promise<((fetch: Fetch) => WebArchive) | undefined> {
  if (!archive) return undefined;
  const { createArchive } = await import("../adapters/fetch/archive.ts");
  return (fetch) => createArchive(fetch, clock, dryRun ? { timegate: archive.timegate } : archive);
}

/** The token for github.com: the report's, unless that is of another GitHub, whose token github.com must not see. */
export function sourcesToken(
  { auth, githubApi, githubComToken }: Settings,
  github: RepositoryGitHub | undefined,
): FetchSettings["githubToken"] {
  if (githubComToken !== undefined) return async () => githubComToken;
  if (githubApi !== undefined && URL.parse(githubApi)?.host !== "api.github.com") return undefined;
  if (github) return () => github.installationToken();
  return auth && "token" in auth ? async () => auth.token : undefined;
}

/** Pages that are open at once: each is a process of the browser. */
const pagesAtOnce = 2;

/** Wraps a fetch so that it can open pages in the operator's browser. All fetches wrapped by one result share the browser. */
export function browserFetch({ browser }: Settings): (fetch: Fetch) => Fetch {
  let shared: Promise<Browser> | undefined;
  const open = async () => {
    if (browser === undefined) return undefined;
    shared ??= import("../adapters/browser/page.ts").then(({ createBrowser }) => createBrowser(browser));
    return await shared;
  };
  const inTurn = turns(pagesAtOnce);
  return (fetch) => fetchWithBrowser(fetch, inTurn, open);
}

/** Limits of one task on content from strangers; far beyond the needs of any honest page. */
const workLimits: WorkLimits = { processor: 5_000, megabytes: 256 };

let threads: Pool | undefined;

/** A share of this process's threads, which start on first use. */
export async function shareOfThreads(): Promise<WorkerShare> {
  const { createPool, shareOf } = await import("../adapters/threads/pool.ts");
  const entry = new URL(isBundled ? "./worker.js" : "../faces/worker.ts", import.meta.url);
  threads ??= createPool({ entry, ...workLimits });
  return shareOf(threads);
}

/** The load of this process's threads; undefined before their first use. */
export function threadFigures(): PoolFigures | undefined {
  return threads?.figures();
}
