import type { Instant } from "../../model/model.ts";
import { isAsking } from "../../model/ports/index.ts";
import { isClipped } from "../issue/clip.ts";
import { around, newTicks, tickedBoxes } from "../issue/marker.ts";
import { readIssue } from "../observe.ts";
import { carryOut, lookAgain } from "./carry-out.ts";
import { type AskingHome, type Case, casesOf, type Keeping, nothing } from "./case.ts";
import { deedOf, may, type Tick, tickOf } from "./deed.ts";

/** An issue was edited. */
export interface IssueEdit {
  readonly kind: "edited";
  readonly issue: number;
  /** The body before. */
  readonly before: string;
  readonly after: string;
  /** When it was edited, where GitHub says so. */
  readonly edited?: Instant;
  readonly by: string;
  readonly bot: boolean;
}

/**
 * A person's edit of a recheck's description, or of the overview's → what to keep: what its newly ticked boxes ask for,
 * and that our section is to be written again, its boxes empty. What was ticked is told by the edit itself, so that no
 * writing of ours in between loses it. @throws GitHubProblem
 */
export async function hearEdit(home: AskingHome, edited: IssueEdit, at: Instant): Promise<Keeping> {
  if (edited.bot) return nothing;
  const one = (await casesOf(home)).find(({ recheck }) => recheck.issue === edited.issue && isAsking(recheck));
  const { overview } = home.state;
  const isOverview = overview?.number !== undefined && overview.number === edited.issue;
  if (!one && !isOverview) return nothing;
  const ticks = newTicks(edited.before, edited.after).flatMap((id) => tickOf(id) ?? []);
  const obeyed = ticks.length > 0 && may(await home.github.permission(edited.by), "box") ? ticks : [];
  const keepings: Keeping[] = [];
  for (const tick of obeyed) {
    if (one && tick.kind === "keep" && isSwept(one, edited)) continue;
    keepings.push(one ? await ofRecheck(tick, one, home, { by: edited.by, at }) : await ofOverview(tick, home, at));
  }
  const { section } = around(edited.after);
  // A part that found no room may have it now.
  const touched = around(edited.before).section !== section || isClipped(section);
  return async (tx) => {
    for (const keep of keepings) await keep(tx);
    if (touched && one) await tx.updateRecheck(one.recheck.id, { written: undefined });
    if (touched && !one && overview) await tx.updateRepository({ overview: { ...overview, written: undefined } });
  };
}

/** Whether a sweep read the box after this edit, and took it: news that come later still are no second answer. */
function isSwept({ answers }: Case, { edited }: IssueEdit): boolean {
  return edited !== undefined && answers.some(({ by, at }) => by === unknown && edited < at);
}

/** Who ticked a box that nobody told of. */
const unknown = "somebody";

/**
 * Boxes that stand ticked though nobody told: an edit's news may get lost. Who ticked one is not known, but could not
 * have edited the description without write access. @throws GitHubProblem
 */
export async function sweepBoxes(home: AskingHome, at: Instant): Promise<void> {
  const { github, store, state } = home;
  const cases = (await casesOf(home)).filter(({ recheck }) => recheck.state === "open");
  const listed = cases.length > 0 ? await github.openIssues() : [];
  for (const one of cases) {
    const ticks = ticksIn(listed.find(({ number }) => number === one.recheck.issue)?.body);
    if (ticks.length === 0) continue;
    const keepings = await Promise.all(ticks.map((tick) => ofRecheck(tick, one, home, { by: unknown, at })));
    await store.commit(async (tx) => {
      for (const keep of keepings) await keep(tx);
      await tx.updateRecheck(one.recheck.id, { written: undefined });
    });
  }
  const { overview } = state;
  const ticks = overview?.number === undefined ? [] : ticksIn((await readIssue(github, overview.number))?.body);
  if (!overview || ticks.length === 0) return;
  const keepings = await Promise.all(ticks.map((tick) => ofOverview(tick, home, at)));
  await store.commit(async (tx) => {
    for (const keep of keepings) await keep(tx);
    await tx.updateRepository({ overview: { ...overview, written: undefined } });
  });
}

function ticksIn(body = ""): Tick[] {
  return tickedBoxes(body).flatMap((id) => tickOf(id) ?? []);
}

async function ofRecheck(
  tick: Tick,
  one: Case,
  home: AskingHome,
  speaker: { readonly by: string; readonly at: Instant },
): Promise<Keeping> {
  if (tick.kind !== "keep" && tick.kind !== "look") return nothing;
  const command = tick.kind === "keep" ? ({ kind: "keep", ratings: [] } as const) : tick;
  return (await carryOut(deedOf(command, one.standing, speaker), one, home, speaker)).keep;
}

async function ofOverview(tick: Tick, { config, store }: AskingHome, at: Instant): Promise<Keeping> {
  switch (tick.kind) {
    case "look":
      return lookAgain([...config.sources.keys()], at);
    case "retry":
      return lookAgain(
        tick.sources.filter((source) => config.sources.has(source)),
        at,
      );
    case "unsnooze": {
      const recheck = (await store.rechecks()).find(({ id }) => id === tick.recheck);
      if (recheck?.state !== "open" || recheck.snoozed === undefined) return nothing;
      const { issue } = recheck;
      return (tx) => tx.updateRecheck(tick.recheck, { state: "open", issue });
    }
    case "keep":
      return nothing;
  }
}
