import { builtIn } from "../../model/firing.ts";
import type { Claim, Condition, Instant } from "../../model/model.ts";
import type { StoredFiring, StoredRecheck, Watch } from "../../model/ports/index.ts";
import { touches } from "../../model/rests.ts";
import { triggerName } from "../../model/words.ts";
import { conditionsOf, conditionWords, listensTo } from "./condition.ts";
import { type Happening, happeningsOf, type Judged } from "./happening.ts";
import { type Health, healthOf } from "./health.ts";
import type { Known } from "./known.ts";
import { noiseOf, type Waiting, waitingOf } from "./quiet.ts";
import { type ClaimStory, claimStory } from "./source.ts";

/** One condition of a trigger, and all that bears on it. */
export interface ConditionStory {
  readonly part: "on" | "also";
  readonly words: string;
  readonly means?: string;
  readonly awaited: boolean;
  readonly sources: readonly { readonly source: string; readonly health: Health }[];
  /** Newest first. */
  readonly fired: readonly StoredFiring[];
  readonly unmet: readonly { readonly happening: Happening; readonly because: string }[];
  readonly waiting: readonly (Waiting & { readonly source: string })[];
  readonly noise: number;
  /** For silence and age: when it fires if nothing happens. */
  readonly due?: Instant;
}

/** A trigger: its recheck, its conditions, and the claims that ask it. */
export interface TriggerStory {
  readonly kind: "trigger";
  readonly trigger: string;
  readonly name: string;
  readonly wording?: string;
  readonly ratings: readonly string[];
  readonly conditions: readonly ConditionStory[];
  readonly claims: readonly ClaimStory[];
  /** What it asks about now. */
  readonly open?: RecheckStory;
}

/** How many are told of one condition. */
const few = 3;

export async function triggerStory(id: string, known: Known): Promise<TriggerStory> {
  const { config } = known;
  const trigger = config.triggers.get(id);
  const open = known.rechecks.find((recheck) => recheck.trigger === id && recheck.state === "open");
  const asked = known.firings.filter((firing) => firing.trigger === id && firing.recheck === open?.id);
  const told = new Map<string, readonly Happening[]>();
  const conditions: ConditionStory[] = [];
  for (const { condition, part } of conditionsOf(id, config)) {
    for (const source of listensTo(condition, config)) {
      if (!told.has(source.id)) told.set(source.id, await happeningsOf(source, known));
    }
    conditions.push(conditionStory(id, condition, part, known, told));
  }
  return {
    kind: "trigger",
    trigger: id,
    name: triggerName(id, config),
    ...(trigger?.wording && { wording: trigger.wording }),
    ratings: trigger?.ratings ?? [],
    conditions,
    claims: claimsAsking(id, known).map((claim) => claimStory(claim, known)),
    ...(asked.length > 0 && { open: recheckStory(id, known, open) }),
  };
}

function conditionStory(
  trigger: string,
  condition: Condition,
  part: "on" | "also",
  known: Known,
  told: ReadonlyMap<string, readonly Happening[]>,
): ConditionStory {
  const { config } = known;
  const words = conditionWords(condition, config);
  const sources = listensTo(condition, config);
  const same = JSON.stringify(condition);
  const isThis = (judged: Judged) => judged.part === part && judged.words === words && judged.means === condition.means;
  const unmet = sources.flatMap(({ id }) =>
    (told.get(id) ?? []).flatMap((happening) => {
      const judged = happening.hearings.find((one) => one.trigger === trigger)?.conditions.find(isThis);
      const apart = /^not (one of the moments|about) /.test(judged?.because ?? "");
      return judged && !judged.met && judged.because && !apart ? [{ happening, because: judged.because }] : [];
    }),
  );
  const met = new Set(
    sources.flatMap(({ id }) =>
      (told.get(id) ?? [])
        .filter(({ hearings }) =>
          hearings.find((one) => one.trigger === trigger)?.conditions.some((one) => isThis(one) && one.met),
        )
        .map(({ event }) => event.key),
    ),
  );
  const due = dueOf(trigger, condition, known);
  return {
    ...{ part, words, awaited: condition.awaited === true },
    ...(condition.means && { means: condition.means }),
    sources: sources.map((source) => ({ source: source.id, health: healthOf(source, known) })),
    fired: known.firings
      .filter((firing) => firing.trigger === trigger)
      .filter(
        ({ event, evidence }) =>
          met.has(event.key) ||
          evidence.some((piece) => piece.part === part && JSON.stringify(piece.condition) === same),
      )
      .toReversed(),
    unmet: unmet.sort((a, b) => b.happening.at - a.happening.at).slice(0, few),
    waiting: sources.flatMap((source) =>
      waitingOf(source, known)
        .filter(({ asks }) => asks.some((asked) => asked.trigger === trigger && asked.means === condition.means))
        .map((one) => ({ ...one, source: source.id })),
    ),
    noise: sources.reduce((sum, source) => sum + noiseOf(source, known).reduce((all, { count }) => all + count, 0), 0),
    ...(due !== undefined && { due }),
  };
}

/** When a condition on time alone is met, if nothing happens before. */
function dueOf(trigger: string, condition: Condition, { watches, config }: Known): Instant | undefined {
  if (condition.kind === "silence") {
    const watch: Watch | undefined = watches.get(condition.source);
    const last = watch?.lastChange ?? watch?.firstSeen;
    return last === undefined ? undefined : last + condition.for;
  }
  if (condition.kind !== "unreviewed") return undefined;
  const ratings = config.triggers.get(trigger)?.ratings ?? [];
  const since = ratings.map((id) => config.ratings.get(id)?.reviewed ?? config.report.audited);
  return since.length > 0 ? Math.min(...since) + condition.for : undefined;
}

/** Claims that ask this trigger when they move; of *not found*, those that never were. */
function claimsAsking(trigger: string, { config, claims, asking }: Known): readonly Claim[] {
  if (trigger !== builtIn.notFound) return asking.get(trigger) ?? [];
  const all = [...config.sources.values()].flatMap((source) => source.claims);
  return all.filter((claim) => claims.get(`${claim.source}/${claim.id}`)?.status === "not found");
}

/** A recheck: what fed it. */
export interface RecheckStory {
  readonly kind: "recheck";
  readonly trigger: string;
  readonly name: string;
  readonly state: "open" | "closed" | "not planned yet";
  readonly issue?: number;
  readonly opened?: Instant;
  readonly closed?: Instant;
  /** Of it as a whole. */
  readonly verdict?: { readonly kind: "keep" | "dismiss"; readonly because: string; readonly by?: string };
  readonly ratings: readonly string[];
  /** Newest first. */
  readonly firings: readonly StoredFiring[];
}

/** Without a recheck: what is still to be asked. */
export function recheckStory(trigger: string, { config, firings }: Known, recheck?: StoredRecheck): RecheckStory {
  const fed = firings.filter((firing) => firing.trigger === trigger && firing.recheck === recheck?.id);
  const ratings = new Set(fed.flatMap((firing) => [...touches(firing, config)]));
  return {
    kind: "recheck",
    trigger,
    name: triggerName(trigger, config),
    state: recheck?.state ?? "not planned yet",
    ...(recheck?.issue !== undefined && { issue: recheck.issue }),
    ...(recheck && { opened: recheck.opened }),
    ...(recheck?.closed !== undefined && { closed: recheck.closed }),
    ...(recheck && verdictOf(recheck)),
    ratings: [...config.ratings.keys()].filter((id) => ratings.has(id)),
    firings: fed.toReversed(),
  };
}

function verdictOf({ state, dismissed, by, because }: StoredRecheck): Pick<RecheckStory, "verdict"> {
  const reason = dismissed ?? because;
  if (state === "open" || reason === undefined) return {};
  const kind = dismissed === undefined ? "keep" : "dismiss";
  return { verdict: { kind, because: reason, ...(by !== undefined && { by }) } };
}
