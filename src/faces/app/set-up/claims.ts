import type { Memory } from "../../../compare/index.ts";
import type { Trouble } from "../../../model/check.ts";
import type { Config } from "../../../model/config.ts";
import {
  type ClaimCounts,
  problemIn,
  type RepositoryConfig,
  type RepositoryFile,
  type SetUp,
  type Store,
  type TriggerCount,
} from "../../../model/ports/index.ts";
import type { Reading } from "../../../model/reading.ts";
import { aMinute, type Duration, type Instant } from "../../../model/time.ts";
import { afterFirstCheck, type FirstCheckSteps, pastOfUnproved } from "../../../onboard/first-check.ts";
import type { Reader } from "../../../read/reader.ts";
import { noteRefusal } from "../../../recheck/refusals.ts";
import type { ReportFile } from "../../../report/index.ts";
import type { World } from "../../../watch/check.ts";
import { parse } from "../config/trial.ts";
import type { AppRepository } from "../sandbox.ts";

/** A drafted config with checked sources, and the report that it was drafted from. */
export interface CheckedDraft {
  /** The number of the repository in whose store the answers are. */
  readonly repository: number;
  readonly reports: readonly ReportFile[];
  readonly at: Instant;
  readonly config: RepositoryConfig;
  /** Readings from the time of the audit, for sources that no longer confirm all statements. */
  readonly past?: ReadonlyMap<string, Reading>;
}

/** The result of the first checks for a draft: the files that change, with the claims that were found, if any. */
export interface ClaimedDraft {
  readonly counts: ClaimCounts;
  readonly asked: readonly TriggerCount[];
  readonly files: readonly RepositoryFile[];
  /** Ids of the sources that do not prove everything the report says about them. */
  readonly open: readonly string[];
  /** Sources that are against the report: their next check asks about it. */
  readonly against: readonly string[];
}

export interface ClaimsFrom {
  readonly readers: ReadonlyMap<string, Reader>;
  readonly store: Store | undefined;
  readonly through?: FirstCheckSteps;
}

/** Completes a draft as `recheck init` does, from the stored responses of the first checks. */
export async function claimsFor(
  { reports, at, config, past }: CheckedDraft,
  { readers, store, through }: ClaimsFrom,
): Promise<ClaimedDraft | undefined> {
  const { config: drafted } = parse(config, readers);
  if (!drafted || !store) return undefined;
  const readings = await storedReadings(drafted, readers, store);
  const failures = await storedFailures(drafted, store);
  const settled = await afterFirstCheck(
    { files: config.files, config: drafted },
    reports,
    { at, readings, failures, past },
    readers,
    through,
  );
  const { claims: _, contradicted, contrary: __, beyond: ___, unconfirmed: ____, open, ...counts } = settled.claims;
  const texts = new Map(config.files.map(({ path, text }) => [path, text]));
  const files = settled.files.filter(({ path, text }) => texts.get(path) !== text);
  const against = [...new Set(contradicted.map(({ source }) => source))];
  return { counts, asked: settled.asked, files, open, against };
}

async function storedReadings(
  { sources }: Config,
  readers: ReadonlyMap<string, Reader>,
  store: Store,
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>();
  for (const source of sources.values()) {
    const [snapshot] = await store.snapshots(source.id, 1);
    const read = async () => snapshot && readers.get(source.kind)?.read(snapshot.response, source);
    // The response could be read before. If it cannot be read now, it proves nothing.
    const reading = await read().catch(() => undefined);
    if (reading) readings.set(source.id, reading);
  }
  return readings;
}

async function storedFailures({ sources }: Config, store: Store): Promise<Map<string, Pick<Trouble, "kind" | "says">>> {
  const failures = new Map<string, Pick<Trouble, "kind" | "says">>();
  for (const id of sources.keys()) {
    const [check] = await store.checks(id, 1);
    if (check?.outcome === "unknown" && check.failure) failures.set(id, check.failure);
  }
  return failures;
}

type DraftAlone = SetUp & Required<Pick<SetUp, "found" | "config" | "head">>;

/** Whether claims are still to be found for a draft: it has no pull request yet or was drafted again, and only we wrote to its branch. */
export function isUnclaimed(setUp: SetUp | undefined): setUp is DraftAlone {
  if (!setUp?.found || !setUp.config || setUp.claims || setUp.optedOut !== undefined) return false;
  if (setUp.pull !== undefined && setUp.redraft !== "done") return false;
  return setUp.head !== undefined && setUp.config.commit === setUp.head;
}

/** Reads all that is needed to find the claims of a draft. @throws GitHubProblem */
async function readReports({ found, head, config }: DraftAlone, { state, github, clock }: AppRepository) {
  const reports: ReportFile[] = [];
  for (const path of [found.path, ...(found.citing ?? [])]) {
    const text = await github.text(path, head);
    if (text !== undefined) reports.push({ path, text });
  }
  return { repository: state.id, reports, at: clock.now(), config };
}

const longestPast: Duration = 2 * aMinute;

/** Fetches copies from the audit's time for sources that do not confirm all statements. @throws GitHubProblem */
export async function pastOfSetUp(
  draft: DraftAlone,
  repository: AppRepository,
  world: World,
  stopped: () => boolean,
): Promise<ReadonlyMap<string, Reading>> {
  if (!world.archive) return new Map();
  const { store, sandbox } = repository;
  const { open = [] } = (await sandbox.claims(await readReports(draft, repository))) ?? {};
  const now = new Map<string, Reading>();
  for (const id of open) {
    const { page, language }: Memory = JSON.parse((await store.memory(id)) ?? "{}");
    if (page) now.set(id, { blocks: page.accepted, region: page.region, language });
  }
  return await pastOfUnproved(open, world.config, now, world, { within: longestPast, stopped });
}

/**
 * Commits the results of the first checks to a draft's branch, above all the confirmed claims, before the pull request is
 * opened. `past`: readings from the time of the audit. Returns whether it did, and whether sources are checked once more,
 * because they are against the report. @throws GitHubProblem
 */
export async function claimSetUp(
  repository: AppRepository,
  past: ReadonlyMap<string, Reading> = new Map(),
): Promise<"no" | "claimed" | "checked again"> {
  const { state, store, github, sandbox, clock } = repository;
  const { setUp } = state;
  // A person who changed the branch is already working on it.
  if (!isUnclaimed(setUp)) return "no";
  const keep = (change: Partial<SetUp>, hurried: readonly string[] = []) =>
    store.commit(async (tx) => {
      await tx.updateRepository({ setUp: { ...setUp, ...change } });
      if (hurried.length > 0) await tx.hurry(hurried, clock.now());
    });
  const claimed = await sandbox.claims({ ...(await readReports(setUp, repository)), past });
  const none = { considered: 0, stated: 0, proved: 0 };
  if (!claimed || claimed.files.length === 0) {
    await keep({ claims: claimed?.counts ?? none, ...(claimed && { asked: claimed.asked }) });
    return "claimed";
  }
  // Finding claims takes time, and pushing would overwrite the edits of people since then.
  const now = await github.commit(setUp.branch);
  if (now?.sha !== setUp.head) return "no";
  const { counts, files, asked, against } = claimed;
  const message = "Add the results of the first check of the sources\n";
  const edit = { branch: setUp.branch, parent: setUp.head, message, files };
  const commit = await unlessGitHubRefuses(github.push(edit), repository);
  if (commit === undefined) {
    await keep({ claims: none });
    return "claimed";
  }
  const changed = new Map(files.map((file) => [file.path, file]));
  const all = setUp.config.files.map((file) => changed.get(file.path) ?? file);
  await keep({ claims: counts, asked, head: commit, config: { ...setUp.config, commit, files: all } }, against);
  return against.length > 0 ? "checked again" : "claimed";
}

/** Returns undefined if a permission is missing: then people write the config themselves, and there is no retry. */
export async function unlessGitHubRefuses<T>(asked: Promise<T>, repository: AppRepository): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const problem = problemIn(error, "forbidden", "invalid");
    await repository.store.commit((tx) => tx.updateRepository({ says: problem.message }));
    await noteRefusal(repository, problem);
    return undefined;
  }
}
