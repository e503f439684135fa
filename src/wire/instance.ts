import type { Auth } from "../adapters/github/client.ts";
import type { RepositoryGitHub } from "../adapters/github/index.ts";
import { openStore } from "../adapters/store/open.ts";
import { isAddress } from "../adapters/store/problem.ts";
import type { Web } from "../audit/visit.ts";
import { makeOnce, RecentlyUsed } from "../model/cache.ts";
import type { Config } from "../model/config.ts";
import type { RepositoryState, Workers } from "../model/ports/index.ts";
import type { Link } from "../recheck/issue/question.ts";
import type { World } from "../watch/check.ts";
import { readersIn } from "../watch/workers.ts";
import { pageLink, pageOfReport, userAgent } from "./addresses.ts";
import { nobody, type Settings, usualKeep } from "./settings.ts";
import { storeFile } from "./stores.ts";
import { archives, browserFetch, shareOfThreads, sourcesToken } from "./web.ts";

export type Instance = Awaited<ReturnType<typeof wireInstance>>;

/** Limit of cached GitHub clients: each takes tens of kilobytes, and its cached answers are soon fetched again. */
const maxHubs = 1_000;

/** The parts of a server for all repositories of an App's installations. Ignores `settings.config` and `repo`. */
export async function wireInstance(settings: Settings & { readonly auth: Extract<Auth, { appId: number | string }> }) {
  const { clock, auth, githubApi } = settings;
  const [{ shareFetch }, { readers }, { createCourier }] = await Promise.all([
    import("../adapters/fetch/index.ts"),
    import("../read/index.ts"),
    import("../adapters/messages/courier.ts"),
  ]);
  const { createGitHub } = await import("../adapters/github/index.ts");
  const { createInstallations, installationCredentials } = await import("../adapters/github/installations.ts");
  const { createIssueTypes } = await import("../adapters/github/issues.ts");
  const archiveFor = await archives(settings);
  const link: Link = await pageLink();
  const { database, jobs } = await openShared(settings);
  const hosts = database.sharedHosts ?? database.hosts;
  const shared = shareFetch({ ...settings.fetch, clock, hosts });
  const withBrowser = browserFetch(settings);
  const share = await shareOfThreads();
  const workers: Workers = share;
  const guardedReaders = readersIn(workers, readers);
  const common = { baseUrl: githubApi, clock, issueTypes: createIssueTypes(clock), ...settings.github };
  const credentialsOf = installationCredentials({ auth, ...common });
  const hubs = new RecentlyUsed<string, RepositoryGitHub>(maxHubs);

  const mayNotify = (name: string) =>
    settings.notifiable?.some((one) => one.toLowerCase() === name.toLowerCase()) === true;

  function github({ id, name, installation }: RepositoryState): RepositoryGitHub {
    const key = `${installation} ${id} ${name}`;
    return makeOnce(hubs, key, () => {
      const repositoryAuth = { ...auth, installationId: installation, repositoryId: id };
      const sharedAccess = { credentials: credentialsOf(installation), group: String(installation) };
      return createGitHub({ repo: name, auth: repositoryAuth, ...sharedAccess, ...common });
    });
  }

  function web(repository: RepositoryState, config?: Config): Web {
    // A token for this repository alone: a config cannot read anything that the repository cannot access.
    const token = sourcesToken(settings, github(repository));
    const allowance = settings.githubComToken === undefined ? String(repository.installation) : undefined;
    const [id, name] = [String(repository.id), repository.name];
    const requester =
      settings.githubComToken === undefined ? { name, isPublic: repository.public === true } : undefined;
    const agent = userAgent(config ?? { report: {} }, settings.contact);
    const fetch = withBrowser(shared.for({ userAgent: agent, githubToken: token, allowance, id, own: requester }));
    const access = { githubToken: token !== undefined };
    return { fetch, readers: guardedReaders, access, workers, answers: database.answers };
  }

  return {
    clock,
    keep: settings.keep ?? usualKeep,
    registry: database.registry,
    hosts,
    /** The queue that processes share, if the store is a shared database; without it this process does all work. */
    ...(jobs && { jobs }),
    installations: createInstallations({ auth, ...common }, credentialsOf),
    readers,
    /** Threads that process content from strangers. */
    workers,
    link,
    store: ({ id }: RepositoryState) => database.repository(id),
    github,
    /** A repository's address for people. */
    page: ({ name }: RepositoryState) => pageOfReport({ ...settings, repo: name }),
    /** Sends messages, but only for repositories that the operator names: only their configs may use the server's channels. */
    courier: ({ name }: RepositoryState, config: Config) =>
      createCourier({
        ...settings.fetch,
        clock,
        userAgent: userAgent(config),
        receivers: (mayNotify(name) && settings.receivers) || nobody,
      }),
    /** Web access for checks of reports of one repository, with its config if there is one. */
    web,
    /** Everything that checks for one repository need, with its config. */
    world(repository: RepositoryState, config: Config): World {
      const wired = web(repository, config);
      const store = database.repository(repository.id);
      return { ...wired, config, clock, store, archive: archiveFor?.(wired.fetch) };
    },
    async close() {
      await shared.close();
      await share.close();
      await jobs?.close();
      await database.close();
    },
  };
}

async function openShared({ data, onJobProblem }: Pick<Settings, "data" | "onJobProblem">) {
  const place = storeFile(data);
  if (!isAddress(place)) return { database: await openStore(place) };
  const { createJobs } = await import("../adapters/jobs/boss.ts");
  // The store is opened first, because it explains problems of a database in one sentence.
  await (await openStore(place)).close();
  const jobs = await createJobs(place, { onProblem: onJobProblem });
  try {
    return { jobs, database: await openStore(place, { ask: jobs.askWithin }) };
  } catch (error) {
    // Its loops would keep the process alive.
    await jobs.close();
    throw error;
  }
}
