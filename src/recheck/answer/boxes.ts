import { isAsking } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { isClipped } from "../issue/layout.ts";
import { newTicks, splitAtSection, tickedBoxes } from "../issue/marker.ts";
import { isKnown } from "../issue/question.ts";
import { readIssue } from "../observe.ts";
import type { Speaker } from "./answers.ts";
import { carryOut, checkAgain } from "./carry-out.ts";
import {
  type FullRecheck,
  fullRechecks,
  mayAnswer,
  noUpdate,
  type StoreUpdate,
  type WatchedRepository,
} from "./repository.ts";

/**
 * Handles a person's edit of a recheck's or the overview's description: carries out newly ticked boxes, and marks our
 * section to be rewritten with empty boxes. The edit itself shows which boxes were ticked, so our own writes in between
 * lose no tick. @throws GitHubProblem
 */
export async function handleEdit(repository: WatchedRepository, edited: IssueEdit, at: Instant): Promise<StoreUpdate> {
  if (edited.bot) return noUpdate;
  const fullRecheck = (await fullRechecks(repository)).find(
    ({ recheck }) => recheck.issue === edited.issue && isAsking(recheck),
  );
  const { overview } = repository.state;
  const isOverview = overview?.number !== undefined && overview.number === edited.issue;
  if (!fullRecheck && !isOverview) return noUpdate;
  const ticks = newTicks(edited.before, edited.after).flatMap((id) => tickOf(id) ?? []);
  const obeyed = ticks.length > 0 && mayAnswer(await repository.github.permission(edited.by), "box") ? ticks : [];
  const isNew = ({ kind }: Tick) => !fullRecheck || kind === "check" || !isSwept(fullRecheck, edited);
  const { section } = splitAtSection(edited.after);
  // A part that was left out may fit now.
  const touched = splitAtSection(edited.before).section !== section || isClipped(section);
  return await obey(obeyed.filter(isNew), fullRecheck, repository, { by: edited.by, at }, touched);
}

/** Carries out ticks in a recheck, or else in the overview. `touched`: our section is written again, with empty boxes. */
async function obey(
  ticks: readonly Tick[],
  recheck: FullRecheck | undefined,
  repository: WatchedRepository,
  speaker: Speaker,
  touched = true,
): Promise<StoreUpdate> {
  const { overview } = repository.state;
  const updates = await Promise.all(
    ticks.map((tick) =>
      recheck ? ofRecheck(tick, recheck, repository, speaker) : ofOverview(tick, repository, speaker.at),
    ),
  );
  return async (tx) => {
    for (const update of updates) await update(tx);
    if (touched && recheck) await tx.updateRecheck(recheck.recheck.id, { written: undefined });
    if (touched && !recheck && overview) await tx.updateRepository({ overview: { ...overview, written: undefined } });
  };
}

export interface IssueEdit {
  readonly kind: "edited";
  readonly issue: number;
  readonly before: string;
  readonly after: string;
  /** When it was edited, if GitHub says so. */
  readonly edited?: Instant;
  readonly by: string;
  readonly bot: boolean;
}

/** Whether a sweep already read the ticks of this edit, so that its late webhook is not a second answer. */
function isSwept({ answers }: FullRecheck, { edited }: IssueEdit): boolean {
  return edited !== undefined && answers.some(({ by, at }) => by === unknown && edited < at);
}

/** The name for an unknown person, if the webhook of a tick was lost. */
const unknown = "somebody";

/**
 * Finds ticked boxes whose webhook was lost. Who ticked them is unknown, but only people with write access can edit the
 * description. @throws GitHubProblem
 */
export async function sweepBoxes(repository: WatchedRepository, at: Instant): Promise<void> {
  const { github, store, state } = repository;
  const speaker = { by: unknown, at };
  // Rechecks whose trigger is no longer in config are skipped: their boxes would never be emptied.
  const cases = (await fullRechecks(repository)).filter(
    ({ recheck: { state, trigger } }) => state === "open" && isKnown(trigger, repository.config),
  );
  const listed = cases.length > 0 ? await github.openIssues() : [];
  for (const target of cases) {
    const { issue: number = 0 } = target.recheck;
    // It is not listed if somebody removed its label.
    const issue = listed.find((each) => each.number === number) ?? (await readIssue(github, number));
    const ticks = issue?.state === "open" ? ticksIn(issue.body) : [];
    if (ticks.length > 0) await store.commit(await obey(ticks, target, repository, speaker));
  }
  const { overview } = state;
  const ticks = overview?.number === undefined ? [] : ticksIn((await readIssue(github, overview.number))?.body);
  if (ticks.length > 0) await store.commit(await obey(ticks, undefined, repository, speaker));
}

function ticksIn(body = ""): Tick[] {
  return tickedBoxes(body).flatMap((id) => tickOf(id) ?? []);
}

/** A command that a person gives by ticking a box. */
export type Tick =
  /** Correct the sentences as suggested. */
  | { readonly kind: "accept" }
  /** Keep all ratings that have no answer yet. */
  | { readonly kind: "keep" }
  | { readonly kind: "check" }
  /** `recheck`: its id in the store. */
  | { readonly kind: "unsnooze"; readonly recheck: number }
  /** Check these failed sources again. */
  | { readonly kind: "retry"; readonly sources: readonly string[] };

/** Parses a box's id (`accept`, `keep`, `check`, `unsnooze 12`, `retry some-source`); undefined for other ids. */
export function tickOf(id: string): Tick | undefined {
  const [kind, ...rest] = id.slice(0, 40_000).trim().split(/\s+/);
  switch (kind) {
    case "accept":
    case "keep":
    case "check":
      return rest.length === 0 ? { kind } : undefined;
    case "unsnooze": {
      const [recheck = ""] = rest;
      return rest.length === 1 && /^[1-9]\d{0,14}$/.test(recheck) ? { kind, recheck: Number(recheck) } : undefined;
    }
    case "retry": {
      const sources = [...new Set(rest)].slice(0, maxRetriedSources);
      return sources.length > 0 && sources.every((one) => sourceId.test(one)) ? { kind, sources } : undefined;
    }
    default:
      return undefined;
  }
}

const maxRetriedSources = 500;

const sourceId = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

async function ofRecheck(
  tick: Tick,
  recheck: FullRecheck,
  repository: WatchedRepository,
  speaker: Speaker,
): Promise<StoreUpdate> {
  if (tick.kind === "unsnooze" || tick.kind === "retry") return noUpdate;
  const command = tick.kind === "keep" ? ({ kind: "keep", ratings: [] } as const) : tick;
  return (await carryOut(command, recheck, repository, speaker)).update;
}

async function ofOverview(tick: Tick, { config, store }: WatchedRepository, at: Instant): Promise<StoreUpdate> {
  switch (tick.kind) {
    case "check":
      return checkAgain([...config.sources.keys()], at);
    case "retry": {
      const sources = tick.sources.filter((source) => config.sources.has(source));
      return checkAgain(sources, at);
    }
    case "unsnooze": {
      const recheck = (await store.rechecks()).find(({ id }) => id === tick.recheck);
      if (recheck?.state !== "open" || recheck.snoozed === undefined) return noUpdate;
      const { issue } = recheck;
      return (tx) => tx.updateRecheck(tick.recheck, { state: "open", issue });
    }
    case "accept":
    case "keep":
      return noUpdate;
  }
}
