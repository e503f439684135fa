import {
  type AppGitHub,
  isAsking,
  isOver,
  type Pull,
  refusals,
  type StoredAnswer,
  type StoredPull,
  tolerate,
} from "../../model/ports/index.ts";
import { idsOf } from "../plan.ts";
import { subjectList } from "./names.ts";
import {
  type FullRecheck,
  fullRechecks,
  noUpdate,
  reply,
  type StoreUpdate,
  type WatchedRepository,
} from "./repository.ts";

/**
 * Handles a pull request with answers that has ended or was reopened, and returns the changes of the store. Reads its
 * present state: webhooks come late, twice, or in any order. @throws GitHubProblem
 */
export async function handlePull(
  repository: WatchedRepository,
  { number, branch }: Pick<Pull, "number" | "branch">,
): Promise<StoreUpdate> {
  const held = (await rechecksWithPull(repository)).find(({ pull }) =>
    pull.number === undefined ? pull.branch === branch : pull.number === number,
  );
  if (!held) return await reviveAnswers(repository, number);
  const live = await readPull(repository.github, number);
  return live ? await concludePull(held, live, repository) : noUpdate;
}

/** Reads the pull requests in case their webhooks were lost. @throws GitHubProblem */
export async function sweepPulls(repository: WatchedRepository): Promise<void> {
  for (const held of await rechecksWithPull(repository)) {
    const { number } = held.pull;
    const live = number === undefined ? undefined : await readPull(repository.github, number);
    if (live) await repository.store.commit(await concludePull(held, live, repository));
  }
  const asking = (await fullRechecks(repository)).filter(({ recheck }) => isAsking(recheck));
  await reviveClosedPulls(repository, asking);
}

type RecheckWithPull = FullRecheck & { readonly pull: StoredPull };

/** The rechecks whose pull request has not ended, according to the store. */
async function rechecksWithPull(repository: WatchedRepository): Promise<RecheckWithPull[]> {
  return (await fullRechecks(repository)).flatMap((one) => {
    const { pull } = one.recheck;
    return pull && pull.ended === undefined ? [{ ...one, pull }] : [];
  });
}

/**
 * Settles the answers of a merged pull request; withdraws those of a closed one, with a comment in the issue. An open
 * one changes nothing. @throws GitHubProblem
 */
export async function concludePull(
  { pull, ...one }: RecheckWithPull,
  live: Pull,
  repository: WatchedRepository,
): Promise<StoreUpdate> {
  if (live.state === "open") return noUpdate;
  const { recheck, status, answers } = one;
  const at = repository.clock.now();
  const { holds } = pull;
  const held = holds
    ? answers.filter(({ id, settled }) => settled === undefined && holds.includes(id))
    : status.unsettled;
  const settle = live.merged ? held : [];
  const withdraw = live.merged ? [] : held;
  const withdrawn = unsettledOf(withdraw, answers);
  const outdated = withdrawn.filter((answer) => !withdraw.includes(answer));
  await dropEndedBranch(pull, live, repository.github);
  return async (tx) => {
    await tx.settleAnswers(idsOf(settle), at);
    await tx.suspend(idsOf(withdraw), live.number);
    await tx.withdrawAnswers(idsOf(outdated));
    const over = recheck.state === "closed";
    // The final text mentioned these answers as open.
    await tx.updateRecheck(recheck.id, {
      pull: { ...pull, number: live.number, ended: at },
      ...(over && { written: undefined }),
    });
    // The merge changed config, so it has to be read again.
    if (live.merged) await tx.updateRepository({ stale: true });
    if (withdrawn.length === 0 || isOver(recheck)) return;
    const owed = { text: withdrawnText(live.number, withdraw), planned: at };
    await reply(tx, recheck.id, `withdrawn ${live.number} ${at}`, owed);
  };
}

/** The withdrawn answers and earlier unsettled ones about the same ratings, but not later ones. */
function unsettledOf(withdraw: readonly StoredAnswer[], answers: readonly StoredAnswer[]): StoredAnswer[] {
  const upTo = new Map(withdraw.map(({ rating, id }) => [rating, id]));
  return answers.filter(({ rating, id, settled }) => settled === undefined && id <= (upTo.get(rating) ?? -1));
}

function withdrawnText(number: number, answers: readonly StoredAnswer[]): string {
  const ratings = answers.map(({ rating }) => rating);
  const [its, are, them] = ratings.length === 1 ? ["its answer is", "is", "it"] : ["its answers are", "are", "them"];
  return `#${number} was closed without a merge, so ${its} withdrawn: ${subjectList(ratings)} ${are} open again. To get ${them} back, reopen #${number}; restore its branch first if it was deleted.`;
}

/**
 * Checks the closed pull requests of some rechecks: people may have reopened or even merged them. Returns whether it
 * checked any. @throws GitHubProblem
 */
export async function reviveClosedPulls(
  repository: WatchedRepository,
  meant: readonly FullRecheck[],
): Promise<boolean> {
  if (meant.length === 0) return false;
  const ids = new Set(meant.map(({ recheck }) => recheck.id));
  const holding = (await repository.store.suspendedAnswers()).filter(({ recheck }) => ids.has(recheck));
  const waiting = meant.filter(isWaiting).flatMap(({ recheck }) => recheck.pull?.number ?? []);
  const pulls = new Set([...waiting, ...holding.flatMap(({ suspendedBy }) => suspendedBy ?? [])]);
  for (const number of pulls) await repository.store.commit(await reviveAnswers(repository, number));
  return pulls.size > 0;
}

/** Whether its last pull request has ended, and answers wait for the next one. */
export function isWaiting({ recheck, status }: FullRecheck): boolean {
  return isAsking(recheck) && recheck.pull?.ended !== undefined && status.unsettled.length > 0;
}

/**
 * Updates the answers of a closed pull request from its present state: those without a later answer count again; a
 * merge settles them. @throws GitHubProblem
 */
async function reviveAnswers(repository: WatchedRepository, number: number): Promise<StoreUpdate> {
  const taken = (await repository.store.suspendedAnswers()).filter(({ suspendedBy }) => suspendedBy === number);
  const cases = await fullRechecks(repository);
  const fullRecheck = cases.find(({ recheck: { id, pull } }) => id === taken[0]?.recheck || pull?.number === number);
  if (!fullRecheck || (isOver(fullRecheck.recheck) && fullRecheck.recheck.verdict?.kind === "dismiss")) return noUpdate;
  const back = taken.filter((answer) => !isOutdated(answer, fullRecheck.answers));
  const isNext = fullRecheck.recheck.pull?.number === number && isWaiting(fullRecheck);
  const live = back.length > 0 || isNext ? await readPull(repository.github, number) : undefined;
  if (live?.merged) return back.length > 0 ? await settleMerged(fullRecheck, back, live, repository) : noUpdate;
  return live?.state === "open" ? resumePull(fullRecheck, back, live, repository) : noUpdate;
}

/** Whether a later answer about the same rating was given. */
function isOutdated({ rating, at }: StoredAnswer, answers: readonly StoredAnswer[]): boolean {
  return answers.some((other) => other.rating === rating && other.at >= at);
}

async function settleMerged(
  { recheck }: FullRecheck,
  back: readonly StoredAnswer[],
  live: Pull,
  { github, clock }: WatchedRepository,
): Promise<StoreUpdate> {
  await dropEndedBranch({ branch: live.branch }, live, github);
  return async (tx) => {
    await tx.suspend(idsOf(back), undefined);
    await tx.settleAnswers(idsOf(back), clock.now());
    await tx.updateRepository({ stale: true });
    // The final text said that no rating was reviewed.
    if (recheck.state === "closed") await tx.updateRecheck(recheck.id, { written: undefined });
  };
}

/**
 * Makes a reopened pull request the recheck's again, including ratings with a different answer since; if another pull
 * request has taken its place, the answers move there.
 */
function resumePull(
  { recheck }: FullRecheck,
  back: readonly StoredAnswer[],
  live: Pull,
  { clock }: WatchedRepository,
): StoreUpdate {
  const { id, pull } = recheck;
  const { number, branch } = live;
  const isReplaced = pull !== undefined && pull.ended === undefined;
  const again =
    pull?.number === number
      ? { ...pull, ended: undefined }
      : { number, branch, round: pull?.round ?? 1, holds: idsOf(back) };
  return async (tx) => {
    await tx.suspend(idsOf(back), undefined);
    if (!isReplaced) await tx.updateRecheck(id, { pull: again });
    const where = isReplaced ? pull.number : undefined;
    if (!isAsking(recheck) || back.length === 0) return;
    const planned = clock.now();
    await reply(tx, id, `back ${number} ${planned}`, { text: revivedText(number, back, where), planned });
  };
}

function revivedText(number: number, back: readonly StoredAnswer[], where: number | undefined): string {
  const [its, count, move] = back.length === 1 ? ["its answer", "counts", "moves"] : ["its answers", "count", "move"];
  const ratings = subjectList(back.map(({ rating }) => rating));
  const into = where === undefined ? "" : `, and ${move} to #${where}`;
  return `#${number} was reopened: ${its} about ${ratings} ${count} again${into}.`;
}

/** Undefined if it does not exist, or may not be read. @throws GitHubProblem */
export async function readPull(github: WatchedRepository["github"], number: number): Promise<Pull | undefined> {
  return await tolerate(github.pull(number), "not-found", ...refusals);
}

/** Deletes the branch of an ended pull request if everything on it was merged or is ours. @throws GitHubProblem */
export async function dropEndedBranch(
  { branch, head, shared }: Pick<StoredPull, "branch" | "head" | "shared">,
  { merged, head: last }: Pick<Pull, "merged" | "head">,
  github: WatchedRepository["github"],
): Promise<void> {
  const ours = shared ? undefined : head;
  await tolerate(dropBranch(github, branch, merged ? last : ours), ...refusals);
}

/**
 * Deletes a branch of ours if its head is `done`: later commits of people are kept. GitHub may have deleted it already.
 * @throws GitHubProblem
 */
export async function dropBranch(
  github: Pick<AppGitHub, "commit" | "deleteBranch">,
  branch: string,
  done: string | undefined,
): Promise<void> {
  if (done !== undefined && (await github.commit(branch))?.sha === done) await github.deleteBranch(branch);
}
