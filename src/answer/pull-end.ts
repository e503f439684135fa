import type { Pull, StoredAnswer, StoredPull } from "../ports.ts";
import { afterPull } from "../verdict/answers.ts";
import { list } from "../verdict/name.ts";
import { type Asking, type Case, casesOf, idsOf, type Keeping, nothing } from "./asking.ts";
import { dropBranchOf, readPull } from "./open-pull.ts";
import { comeBack, revive } from "./pull-again.ts";
import { reply } from "./reply.ts";

type Held = Case & { readonly pull: StoredPull };

/**
 * News of a pull request → what to keep of it, if it holds answers of ours and has ended, or goes on after it had. How it
 * stands is read now: news come late, twice, or not in order. @throws GitHubProblem
 */
export async function hearPull(home: Asking, pull: Pick<Pull, "number" | "branch">): Promise<Keeping> {
  const held = (await waiting(home)).find((one) => isIn(one.pull, pull));
  if (!held) return await revive(home, pull.number);
  const live = await readPull(home.github, pull.number);
  return live ? await endOf(held, live, home) : nothing;
}

/** Makes up for news of pull requests that got lost. @throws GitHubProblem */
export async function sweepPulls(home: Asking): Promise<void> {
  for (const held of await waiting(home)) {
    const { number } = held.pull;
    const live = number === undefined ? undefined : await readPull(home.github, number);
    if (live) await home.store.commit(await endOf(held, live, home));
  }
  const cases = await casesOf(home);
  await comeBack(
    home,
    cases.filter(({ recheck }) => recheck.state === "open"),
  );
}

/** The rechecks with a pull request that has not ended, as far as we know. */
async function waiting(home: Asking): Promise<Held[]> {
  return (await casesOf(home)).flatMap((one) => {
    const { pull } = one.recheck;
    return pull && pull.ended === undefined ? [{ ...one, pull }] : [];
  });
}

function isIn(pull: StoredPull, { number, branch }: Pick<Pull, "number" | "branch">): boolean {
  return pull.number === undefined ? pull.branch === branch : pull.number === number;
}

/** Merged: what it held is settled. Closed: that is withdrawn, and the issue says so. Open: nothing. */
export async function endOf({ pull, ...one }: Held, live: Pull, home: Asking): Promise<Keeping> {
  if (live.state === "open") return nothing;
  const { recheck, standing, answers } = one;
  const at = home.clock.now();
  const held = answers.filter(({ id, settled }) => settled === undefined && pull.holds?.includes(id));
  const { settle, withdraw } = afterPull(standing, live.merged, pull.holds ? held : standing.gathered);
  const gone = unsettledOf(withdraw, answers);
  const outdated = gone.filter((answer) => !withdraw.includes(answer));
  await dropBranchOf(pull, live, home.github);
  return async (tx) => {
    await tx.settleAnswers(idsOf(settle), at);
    await tx.setAside(idsOf(withdraw), live.number);
    await tx.withdrawAnswers(idsOf(outdated));
    const over = recheck.state === "closed" && !recheck.closing;
    // Its last words told that these answers wait.
    await tx.updateRecheck(recheck.id, {
      pull: { ...pull, number: live.number, ended: at },
      ...(over && { written: undefined }),
    });
    // What was merged is config now: it is to be read again.
    if (live.merged) await tx.updateRepository({ stale: true });
    if (gone.length === 0 || recheck.state === "closed") return;
    await reply(tx, recheck.id, `withdrawn ${live.number} ${at}`, withdrawn(live.number, withdraw));
  };
}

/** With what was said of their ratings before; what was said since is no part of it. */
function unsettledOf(withdraw: readonly StoredAnswer[], answers: readonly StoredAnswer[]): StoredAnswer[] {
  const upTo = new Map(withdraw.map(({ rating, id }) => [rating, id]));
  return answers.filter(({ rating, id, settled }) => settled === undefined && id <= (upTo.get(rating) ?? -1));
}

function withdrawn(number: number, answers: readonly StoredAnswer[]): string {
  const ratings = answers.map(({ rating }) => rating);
  const [its, are, them] =
    ratings.length === 1 ? ["The answer about it is", "is", "it"] : ["Its answers are", "are", "them"];
  return `#${number} was closed without being merged. ${its} withdrawn: ${list(ratings, "and")} ${are} asked about again. To have ${them} back, restore its branch, where that is deleted, and open it again.`;
}
