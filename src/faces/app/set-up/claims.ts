import type { ReportFile } from "../../../config/draft/index.ts";
import type { Config, Instant, Reading, Trouble } from "../../../model/model.ts";
import type { Asked, ClaimCounts, RepositoryConfig, RepositoryFile, SetUp, Store } from "../../../model/ports/index.ts";
import type { Reader } from "../../../read/reader.ts";
import { afterFirstLook } from "../../draft/first-look.ts";
import { parse } from "../config/trial.ts";
import type { AppRepository } from "../sandbox.ts";
import { unlessGitHubRefuses } from "./refused.ts";

/** A drafted config whose sources were looked at, and what it was drafted from. */
export interface Unclaimed {
  /** The number of the one in whose store the answers of its sources are. */
  readonly repository: number;
  /** Files whose sentences are claims. */
  readonly reports: readonly ReportFile[];
  readonly at: Instant;
  readonly config: RepositoryConfig;
}

/** Tells what the first looks say of a draft: the claims that were found, in files that change, if there are any. */
export interface Claimed {
  readonly counts: ClaimCounts;
  readonly asked: readonly Asked[];
  readonly files: readonly RepositoryFile[];
}

/** Settles a draft as `recheck init` does, by the answers that the first looks have kept. */
export async function claimsFor(
  { reports, at, config }: Unclaimed,
  { readers, store }: { readonly readers: ReadonlyMap<string, Reader>; readonly store: Store | undefined },
): Promise<Claimed | undefined> {
  const { config: drafted } = parse(config, readers);
  if (!drafted || !store) return undefined;
  const readings = await storedReadings(drafted, readers, store);
  const failures = await storedFailures(drafted, store);
  const settled = afterFirstLook(
    { files: config.files, config: drafted },
    reports,
    { at, readings, failures },
    readers,
  );
  const { claims: _, contrary: __, open: ___, ...counts } = settled.claims;
  const known = new Map(config.files.map(({ path, text }) => [path, text]));
  return { counts, asked: settled.asked, files: settled.files.filter(({ path, text }) => known.get(path) !== text) };
}

async function storedReadings(
  { sources }: Config,
  readers: ReadonlyMap<string, Reader>,
  store: Store,
): Promise<Map<string, Reading>> {
  const found = new Map<string, Reading>();
  for (const source of sources.values()) {
    const [snapshot] = await store.snapshots(source.id, 1);
    const reading = snapshot && (await readAgain(() => readers.get(source.kind)?.read(snapshot.response, source)));
    if (reading) found.set(source.id, reading);
  }
  return found;
}

async function storedFailures({ sources }: Config, store: Store): Promise<Map<string, Pick<Trouble, "kind" | "says">>> {
  const found = new Map<string, Pick<Trouble, "kind" | "says">>();
  for (const id of sources.keys()) {
    const [look] = await store.looks(id, 1);
    if (look?.outcome === "unknown" && look.failure) found.set(id, look.failure);
  }
  return found;
}

/** It could be read once; where it cannot be now, it proves nothing. */
async function readAgain(read: () => Reading | Promise<Reading> | undefined): Promise<Reading | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/**
 * Once the sources of a drafted config were looked at, and before its pull request is opened: commits what they tell of
 * it to its branch, the claims that they prove above all. Returns whether it did. @throws GitHubProblem
 */
export async function claimSetUp(repository: AppRepository): Promise<boolean> {
  const { state, store, github, sandbox } = repository;
  const { setUp } = state;
  if (!setUp?.found || !setUp.config || setUp.claims || setUp.optedOut !== undefined || setUp.pull !== undefined)
    return false;
  // Whoever changed the branch already has it in hand.
  if (setUp.head === undefined || setUp.config.commit !== setUp.head) return false;
  const keep = (change: Partial<SetUp>) =>
    store.commit((tx) => tx.updateRepository({ setUp: { ...setUp, ...change } }));
  const reports: ReportFile[] = [];
  for (const path of [setUp.found.path, ...(setUp.found.citing ?? [])]) {
    const text = await github.text(path, setUp.head);
    if (text !== undefined) reports.push({ path, text });
  }
  const at = repository.clock.now();
  const claimed = await sandbox.claims({ repository: state.id, reports, at, config: setUp.config });
  const none = { considered: 0, stated: 0, proved: 0 };
  if (!claimed || claimed.files.length === 0) {
    await keep({ claims: claimed?.counts ?? none, ...(claimed && { asked: claimed.asked }) });
    return true;
  }
  // Finding them takes its time, and pushing moves the branch whoever wrote to it meanwhile.
  const now = await github.commit(setUp.branch);
  if (now?.sha !== setUp.head) return false;
  const { counts, files, asked } = claimed;
  const message = "Add what the first look at the sources tells\n";
  const edit = { branch: setUp.branch, parent: setUp.head, message, files };
  const commit = await unlessGitHubRefuses(github.push(edit), repository);
  if (commit === undefined) {
    await keep({ claims: none });
    return true;
  }
  const changed = new Map(files.map((file) => [file.path, file]));
  const all = setUp.config.files.map((file) => changed.get(file.path) ?? file);
  await keep({ claims: counts, asked, head: commit, config: { ...setUp.config, commit, files: all } });
  return true;
}
