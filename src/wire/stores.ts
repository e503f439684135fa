import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../adapters/store/open.ts";
import { isAddress, placeName } from "../adapters/store/problem.ts";
import { version } from "../model/own-version.ts";
import { StoreProblem } from "../model/problem.ts";
import type { StateBranch } from "../watch/state-branch/files.ts";
import type { Settings } from "./settings.ts";

/** Opens the store of the repository of these settings for writing. @throws StoreProblem */
export async function openToWrite({
  data,
  repo,
  carried,
  dryRun,
}: Pick<Settings, "data" | "repo" | "carried" | "dryRun">) {
  const open = dryRun ? (await import("../adapters/store/move.ts")).copyInMemory : openStore;
  const database = await open(storeFile(data));
  const known = carried ? await database.repositories() : [unnamed];
  if (repo !== undefined) for (const name of known) await database.adopt(name, repo);
  const { hosts, answers, registry } = database;
  const key = await database.keyOf(repo ?? onlyName(await database.repositories()) ?? unnamed);
  await database.own(key).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return { store: database.repository(key), hosts, answers, registry, close: () => database.close() };
}

export async function wireState(
  settings: Settings & Required<Pick<Settings, "repo" | "auth">>,
  branch: string,
  say: StateBranch["say"],
): Promise<StateBranch> {
  const { repo, auth, clock, githubApi, run = {} } = settings;
  const [{ createBranches }, { storeArchive }, { proxyFetch }] = await Promise.all([
    import("../adapters/github/branches.ts"),
    import("../adapters/store/pack.ts"),
    import("./web.ts"),
  ]);
  const web = { baseUrl: githubApi, clock, fetch: await proxyFetch(settings), ...settings.github };
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

/** The name for checks until a repository is named, which then takes them over. */
const unnamed = "local";

/** Opens the store read-only; works during a running scan. @throws StoreProblem */
export async function openStored(settings: Pick<Settings, "data" | "repo">) {
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

export async function repositoriesIn({ data }: Pick<Settings, "data">): Promise<readonly string[]> {
  try {
    const database = await openStore(storeFile(data), { readonly: true });
    const names = await database.repositories().finally(() => database.close());
    return names.filter((name) => name !== unnamed);
  } catch (error) {
    if (error instanceof StoreProblem) return [];
    throw error;
  }
}

/** The default repository: the only one in the store. */
function onlyName(known: readonly string[]): string | undefined {
  return known.length === 1 ? known[0] : undefined;
}

/** The repository in the store that the settings mean. @throws StoreProblem if the store has only others */
function nameIn(names: readonly string[], repo: string | undefined, file: string): string {
  if (repo !== undefined && names.includes(repo)) return repo;
  if (names.includes(unnamed)) return unnamed;
  if (names.length === 0) return repo ?? unnamed;
  const only = onlyName(names);
  if (repo === undefined && only !== undefined) return only;
  const those = `${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""}`;
  if (repo !== undefined)
    throw new StoreProblem("missing", `${placeName(file)} has no records of ${repo}, only of ${those}`);
  throw new StoreProblem("missing", `${placeName(file)} remembers several repositories: name one by --repo (${those})`);
}

/** Opens the store of a server read-only; works while the server runs. */
export async function openRegistry({ data }: Pick<Settings, "data">) {
  const place = storeFile(data);
  const { registry, close } = await openStore(place, { readonly: true });
  return {
    registry,
    putAside: async () =>
      isAddress(place) ? await (await import("../adapters/jobs/boss.ts")).workPutAside(place) : [],
    close,
  };
}

export function storeFile(data: string): string {
  return data === ":memory:" || isAddress(data) ? data : join(data, "recheck.sqlite");
}
