import type { Pull, StoredAnswer } from "../ports.ts";
import { list } from "../verdict/name.ts";
import { type Asking, type Case, casesOf, idsOf, type Keeping, nothing } from "./asking.ts";
import { dropBranchOf, readPull } from "./open-pull.ts";
import { reply } from "./reply.ts";

/** Pull requests that were closed unmerged, and took their answers along, are seen again: open, or even merged. */

/** Looks at those of some rechecks, and keeps what became of them. Whether it looked at any. @throws GitHubProblem */
export async function comeBack(home: Asking, meant: readonly Case[]): Promise<boolean> {
  if (meant.length === 0) return false;
  const ids = new Set(meant.map(({ recheck }) => recheck.id));
  const holding = (await home.store.answersAside()).filter(({ recheck }) => ids.has(recheck));
  const waiting = meant.filter(isWaiting).flatMap(({ recheck }) => recheck.pull?.number ?? []);
  const pulls = new Set([...waiting, ...holding.flatMap(({ aside }) => aside ?? [])]);
  for (const number of pulls) await home.store.commit(await revive(home, number));
  return pulls.size > 0;
}

/** Whether its last pull request has ended, and there are answers for another one. */
export function isWaiting({ recheck, standing }: Case): boolean {
  return recheck.state === "open" && recheck.pull?.ended !== undefined && standing.gathered.length > 0;
}

/**
 * What to keep of such a pull request: what it took along holds again, as far as nobody answered otherwise since; where
 * it was merged, that is settled. How it stands is read now. @throws GitHubProblem
 */
export async function revive(home: Asking, number: number): Promise<Keeping> {
  const taken = (await home.store.answersAside()).filter(({ aside }) => aside === number);
  const cases = await casesOf(home);
  const one = cases.find(({ recheck: { id, pull } }) => id === taken[0]?.recheck || pull?.number === number);
  if (!one || one.recheck.dismissed !== undefined) return nothing;
  const back = taken.filter((answer) => !isOutdated(answer, one.answers));
  const isNext = one.recheck.pull?.number === number && isWaiting(one);
  const live = back.length > 0 || isNext ? await readPull(home.github, number) : undefined;
  if (live?.merged) return back.length > 0 ? await merged(one, back, live, home) : nothing;
  return live?.state === "open" ? goesOn(one, back, live, home) : nothing;
}

/** Whether another answer about the same rating came later. */
function isOutdated({ rating, at }: StoredAnswer, answers: readonly StoredAnswer[]): boolean {
  return answers.some((other) => other.rating === rating && other.at >= at);
}

async function merged(
  { recheck }: Case,
  back: readonly StoredAnswer[],
  live: Pull,
  { github, clock }: Asking,
): Promise<Keeping> {
  await dropBranchOf({ branch: live.branch }, live, github);
  return async (tx) => {
    await tx.setAside(idsOf(back), undefined);
    await tx.settleAnswers(idsOf(back), clock.now());
    await tx.updateRepository({ stale: true });
    // Its last words told that nothing was reviewed.
    if (recheck.state === "closed" && !recheck.closing) await tx.updateRecheck(recheck.id, { written: undefined });
  };
}

/**
 * It is the recheck's again, also for what was answered otherwise since, unless another one took its place: then its
 * answers go there.
 */
function goesOn({ recheck }: Case, back: readonly StoredAnswer[], live: Pull, { clock }: Asking): Keeping {
  const { id, pull, state } = recheck;
  const { number, branch } = live;
  const isReplaced = pull !== undefined && pull.ended === undefined;
  const again =
    pull?.number === number
      ? { ...pull, ended: undefined }
      : { number, branch, round: pull?.round ?? 1, holds: idsOf(back) };
  return async (tx) => {
    await tx.setAside(idsOf(back), undefined);
    if (!isReplaced) await tx.updateRecheck(id, { pull: again });
    const where = isReplaced ? pull.number : undefined;
    if (state === "open" && back.length > 0)
      await reply(tx, id, `back ${number} ${clock.now()}`, saysBack(number, back, where));
  };
}

function saysBack(number: number, back: readonly StoredAnswer[], where: number | undefined): string {
  const [its, hold, go] = back.length === 1 ? ["its answer", "holds", "goes"] : ["its answers", "hold", "go"];
  const ratings = list(
    back.map(({ rating }) => rating),
    "and",
  );
  const into = where === undefined ? "" : `, and ${go} into #${where}`;
  return `#${number} was opened again: ${its} about ${ratings} ${hold} again${into}.`;
}
