import {
  type AppGitHub,
  GitHubProblem,
  isAsking,
  isOver,
  type Pull,
  type StoredAnswer,
  type StoredPull,
} from "../../model/ports/index.ts";
import { afterPull } from "./answers.ts";
import { codeList } from "./names.ts";
import {
  type FullRecheck,
  fullRechecks,
  idsOf,
  noUpdate,
  reply,
  type StoreUpdate,
  type WatchedRepository,
} from "./repository.ts";

/**
 * News of a pull request → what to keep of it, if it holds answers of ours and has ended, or goes on after it had. How it
 * stands is read now: news come late, twice, or not in order. @throws GitHubProblem
 */
export async function hearPull(
  repository: WatchedRepository,
  pull: Pick<Pull, "number" | "branch">,
): Promise<StoreUpdate> {
  const held = (await rechecksWithPull(repository)).find((one) => isSamePull(one.pull, pull));
  if (!held) return await reviveAnswers(repository, pull.number);
  const live = await readPull(repository.github, pull.number);
  return live ? await concludePull(held, live, repository) : noUpdate;
}

/** Makes up for news of pull requests that got lost. @throws GitHubProblem */
export async function sweepPulls(repository: WatchedRepository): Promise<void> {
  for (const held of await rechecksWithPull(repository)) {
    const { number } = held.pull;
    const live = number === undefined ? undefined : await readPull(repository.github, number);
    if (live) await repository.store.commit(await concludePull(held, live, repository));
  }
  const cases = await fullRechecks(repository);
  await reviveClosedPulls(
    repository,
    cases.filter(({ recheck }) => isAsking(recheck)),
  );
}

type Held = FullRecheck & { readonly pull: StoredPull };

/** The rechecks with a pull request that has not ended, as far as we know. */
async function rechecksWithPull(repository: WatchedRepository): Promise<Held[]> {
  return (await fullRechecks(repository)).flatMap((one) => {
    const { pull } = one.recheck;
    return pull && pull.ended === undefined ? [{ ...one, pull }] : [];
  });
}

function isSamePull(pull: StoredPull, { number, branch }: Pick<Pull, "number" | "branch">): boolean {
  return pull.number === undefined ? pull.branch === branch : pull.number === number;
}

/**
 * Settles the answers of a pull request that was merged; withdraws those of one that was closed, and says so in the
 * issue. Of one that is open nothing changes. @throws GitHubProblem
 */
export async function concludePull(
  { pull, ...one }: Held,
  live: Pull,
  repository: WatchedRepository,
): Promise<StoreUpdate> {
  if (live.state === "open") return noUpdate;
  const { recheck, standing, answers } = one;
  const at = repository.clock.now();
  const held = answers.filter(({ id, settled }) => settled === undefined && pull.holds?.includes(id));
  const { settle, withdraw } = afterPull(standing, live.merged, pull.holds ? held : standing.gathered);
  const gone = unsettledOf(withdraw, answers);
  const outdated = gone.filter((answer) => !withdraw.includes(answer));
  await dropEndedBranch(pull, live, repository.github);
  return async (tx) => {
    await tx.settleAnswers(idsOf(settle), at);
    await tx.suspend(idsOf(withdraw), live.number);
    await tx.withdrawAnswers(idsOf(outdated));
    const over = recheck.state === "closed";
    // The last words of its issue told that these answers wait.
    await tx.updateRecheck(recheck.id, {
      pull: { ...pull, number: live.number, ended: at },
      ...(over && { written: undefined }),
    });
    // The merge changed config: it is to be read again.
    if (live.merged) await tx.updateRepository({ stale: true });
    if (gone.length === 0 || isOver(recheck)) return;
    const owed = { text: withdrawnText(live.number, withdraw), planned: at };
    await reply(tx, recheck.id, `withdrawn ${live.number} ${at}`, owed);
  };
}

/** The answers that are withdrawn, with earlier ones about the same ratings that are not settled; later ones stay. */
function unsettledOf(withdraw: readonly StoredAnswer[], answers: readonly StoredAnswer[]): StoredAnswer[] {
  const upTo = new Map(withdraw.map(({ rating, id }) => [rating, id]));
  return answers.filter(({ rating, id, settled }) => settled === undefined && id <= (upTo.get(rating) ?? -1));
}

function withdrawnText(number: number, answers: readonly StoredAnswer[]): string {
  const ratings = answers.map(({ rating }) => rating);
  const [its, are, them] =
    ratings.length === 1 ? ["The answer about it is", "is", "it"] : ["Its answers are", "are", "them"];
  return `#${number} was closed without being merged. ${its} withdrawn: ${codeList(ratings, "and")} ${are} asked about again. To have ${them} back, restore its branch, where that is deleted, and open it again.`;
}

/**
 * Looks again at pull requests of some rechecks that were closed unmerged and took their answers along: people may have
 * opened them again, or even merged them. Returns whether it looked at any. @throws GitHubProblem
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

/** Whether its last pull request has ended, and there are answers for another one. */
export function isWaiting({ recheck, standing }: FullRecheck): boolean {
  return isAsking(recheck) && recheck.pull?.ended !== undefined && standing.gathered.length > 0;
}

/**
 * Keeps what became of such a pull request: its answers hold again, as far as nobody answered otherwise since; where
 * it was merged, that is settled. How it stands is read now. @throws GitHubProblem
 */
async function reviveAnswers(repository: WatchedRepository, number: number): Promise<StoreUpdate> {
  const taken = (await repository.store.suspendedAnswers()).filter(({ suspendedBy }) => suspendedBy === number);
  const cases = await fullRechecks(repository);
  const one = cases.find(({ recheck: { id, pull } }) => id === taken[0]?.recheck || pull?.number === number);
  if (!one || (isOver(one.recheck) && one.recheck.verdict?.kind === "dismiss")) return noUpdate;
  const back = taken.filter((answer) => !isOutdated(answer, one.answers));
  const isNext = one.recheck.pull?.number === number && isWaiting(one);
  const live = back.length > 0 || isNext ? await readPull(repository.github, number) : undefined;
  if (live?.merged) return back.length > 0 ? await settleMerged(one, back, live, repository) : noUpdate;
  return live?.state === "open" ? resumePull(one, back, live, repository) : noUpdate;
}

/** Whether another answer about the same rating came later. */
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
    // The last words of its issue told that nothing was reviewed.
    if (recheck.state === "closed") await tx.updateRecheck(recheck.id, { written: undefined });
  };
}

/**
 * Makes a pull request that was opened again the recheck's once more, also for ratings that were answered otherwise
 * since; where another one took its place, the answers go there.
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
  const [its, hold, go] = back.length === 1 ? ["its answer", "holds", "goes"] : ["its answers", "hold", "go"];
  const ratings = codeList(
    back.map(({ rating }) => rating),
    "and",
  );
  const into = where === undefined ? "" : `, and ${go} into #${where}`;
  return `#${number} was opened again: ${its} about ${ratings} ${hold} again${into}.`;
}

/** Reads a pull request; undefined where it does not exist, or may not be read any more. @throws GitHubProblem */
export async function readPull(github: WatchedRepository["github"], number: number): Promise<Pull | undefined> {
  try {
    return await github.pull(number);
  } catch (error) {
    if (error instanceof GitHubProblem && error.kind === "not-found") return undefined;
    return unlessRefused(error);
  }
}

/**
 * The refusal that an error tells of: *forbidden* or *locked* (403), or *invalid* where a rule of the repository is against
 * it (422). @throws the error, where it is another one
 */
export function refusalIn(error: unknown): GitHubProblem {
  if (error instanceof GitHubProblem && ["forbidden", "locked", "invalid"].includes(error.kind)) return error;
  throw error;
}

/** Lets a refusal pass. @throws the error, where it is not a refusal */
export function unlessRefused(error: unknown): undefined {
  refusalIn(error);
}

/**
 * Deletes the branch of a pull request that has ended, where all that is on it was merged, or is ours alone.
 * @throws GitHubProblem
 */
export async function dropEndedBranch(
  { branch, head, shared }: Pick<StoredPull, "branch" | "head" | "shared">,
  { merged, head: last }: Pick<Pull, "merged" | "head">,
  github: WatchedRepository["github"],
): Promise<void> {
  const ours = shared ? undefined : head;
  await dropBranch(github, branch, merged ? last : ours).catch(unlessRefused);
}

/**
 * Deletes a branch of ours whose pull request has ended, as long as `done` is what it holds: what people committed beyond
 * that is theirs. GitHub may have deleted it already. @throws GitHubProblem
 */
export async function dropBranch(
  github: Pick<AppGitHub, "commit" | "deleteBranch">,
  branch: string,
  done: string | undefined,
): Promise<void> {
  if (done !== undefined && (await github.commit(branch))?.sha === done) await github.deleteBranch(branch);
}
