import { proposeClaims } from "../../../config/claims/index.ts";
import { withClaims } from "../../../config/claims/write.ts";
import type { ReportFile } from "../../../config/draft/index.ts";
import type { Config, Reading } from "../../../model/model.ts";
import type { ClaimCounts, RepositoryConfig, RepositoryFile, SetUp, Store } from "../../../model/ports/index.ts";
import type { Reader } from "../../../read/reader.ts";
import { parse } from "../config/trial.ts";
import type { AppRepository } from "../sandbox.ts";
import { unlessRefused } from "./refused.ts";

/** A drafted config whose sources were looked at, and the report that it was drafted from. */
export interface Unclaimed {
  /** In whose store the answers of its sources are. */
  readonly repository: string;
  readonly report: ReportFile;
  readonly config: RepositoryConfig;
}

/** The claims that were found: in files that change, if there are any. */
export interface Claimed {
  readonly counts: ClaimCounts;
  readonly files: readonly RepositoryFile[];
}

/** Finds the claims of a report as `recheck init` does, by the answers that the first looks have kept. */
export async function claimsFor(
  { report, config }: Unclaimed,
  { readers, store }: { readonly readers: ReadonlyMap<string, Reader>; readonly store: Store | undefined },
): Promise<Claimed | undefined> {
  const { config: drafted } = parse(config, readers);
  if (!drafted || !store) return undefined;
  const readings = await storedReadings(drafted, readers, store);
  const { claims, contrary: _, ...counts } = proposeClaims([report], drafted, readings, readers);
  const claimed = withClaims(config.files, claims, readers);
  const files = claimed?.files.filter((file) => !config.files.includes(file)) ?? [];
  return { counts, files };
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

/** It could be read once; where it cannot be now, it proves nothing. */
async function readAgain(read: () => Reading | Promise<Reading> | undefined): Promise<Reading | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/**
 * Once the sources of a drafted config were looked at, and before its pull request is opened: commits the claims that
 * they prove to its branch. Returns whether it did. @throws GitHubProblem
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
  const { path } = setUp.found;
  const text = await github.text(path, setUp.head);
  const claimed =
    text === undefined
      ? undefined
      : await sandbox.claims({ repository: state.name, report: { path, text }, config: setUp.config });
  const none = { considered: 0, stated: 0, proved: 0 };
  if (!claimed || claimed.files.length === 0) {
    await keep({ claims: claimed?.counts ?? none });
    return true;
  }
  const { counts, files } = claimed;
  const message = "Add the claims that the sources of the report prove\n";
  const edit = { branch: setUp.branch, parent: setUp.head, message, files };
  const commit = await unlessRefused(github.push(edit), repository);
  if (commit === undefined) {
    await keep({ claims: none });
    return true;
  }
  const changed = new Map(files.map((file) => [file.path, file]));
  const all = setUp.config.files.map((file) => changed.get(file.path) ?? file);
  await keep({ claims: counts, head: commit, config: { ...setUp.config, commit, files: all } });
  return true;
}
