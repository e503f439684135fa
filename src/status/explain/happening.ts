import type { Change, Condition, Event, Evidence, Instant, Seen, Source, Trigger } from "../../model/model.ts";
import type { LookRecord, StoredFiring } from "../../model/ports/index.ts";
import { stamp } from "../../model/time.ts";
import { isPromotion } from "../../watch/conditions.ts";
import { judge, type Occurrence, occurrences } from "../../watch/evaluate.ts";
import { conditionWords, listensTo } from "./condition.ts";
import type { Known } from "./known.ts";

/** Something that a source told, and what came of it. */
export interface Happening {
  readonly source: string;
  /** First seen, and when that counted: later where a second look was needed. */
  readonly since: Instant;
  readonly at: Instant;
  readonly event: Event;
  readonly changes: readonly Change[];
  readonly hearings: readonly Hearing[];
  /** Why nothing came of it, where no trigger had a condition to judge it by. */
  readonly silence?: string;
}

/** What one trigger made of it. */
export interface Hearing {
  readonly trigger: string;
  readonly outcome: "fired" | "evidence" | "known" | "silent";
  readonly weight?: "routine" | "contrary";
  /** The recheck it fed: its issue, once there is one. */
  readonly issue?: number;
  readonly part?: Evidence["part"];
  readonly means?: string;
  readonly excerpt?: string;
  /** In words, for all but *fired*. */
  readonly because?: string;
  readonly conditions: readonly Judged[];
}

export interface Judged {
  readonly part: "on" | "also";
  readonly words: string;
  readonly means?: string;
  readonly met: boolean;
  readonly because?: string;
}

/** How many happenings of a source are told. */
const most = 20;

/** What a source told in its newest looks, newest first. */
export async function happeningsOf(source: Source, known: Known): Promise<readonly Happening[]> {
  const happenings = known.told.get(source.id) ?? (await workOut(source, known));
  known.told.set(source.id, happenings);
  return happenings;
}

async function workOut(source: Source, known: Known): Promise<Happening[]> {
  const told: Happening[] = [];
  const keys = new Set<string>();
  for (const look of known.looks.get(source.id) ?? []) {
    for (const occurrence of occurrences(look.changes ?? [], source, known.config)) {
      keys.add(occurrence.event.key);
      if (told.length < most) told.push(await happeningOf(occurrence, look, source, known));
    }
  }
  const older = known.firings.filter(
    ({ event, evidence }) => !keys.has(event.key) && evidence.some((piece) => piece.source === source.id),
  );
  return [...told, ...fromFirings(older, source, known)].sort((a, b) => b.at - a.at).slice(0, most);
}

/** Firings outlive the records of their looks. */
function fromFirings(firings: readonly StoredFiring[], source: Source, known: Known): Happening[] {
  return firings.map((firing) => {
    const evidence = firing.evidence.filter((piece) => piece.source === source.id);
    const since = evidence.reduce((first, { seen }) => Math.min(first, seen), Infinity);
    return {
      source: source.id,
      ...{ since, at: Math.max(since, firing.fired), event: firing.event },
      changes: evidence.map(({ change }) => change),
      hearings: [spoken(firing, source, known, Math.max(since, firing.fired), [])],
    };
  });
}

async function happeningOf(occurrence: Occurrence, look: LookRecord, source: Source, known: Known): Promise<Happening> {
  const { config, firings } = known;
  const { event } = occurrence;
  const kind = sortOf(occurrence);
  const triggers = [...config.triggers.values()].filter(
    (trigger) => conditionsFor(trigger, source, kind, known).length > 0 || fed(trigger.id, event, source, firings),
  );
  const builtIn = firings.filter(
    (firing) => firing.event.key === event.key && !config.triggers.has(firing.trigger) && isFrom(firing, source),
  );
  const isRead = triggers.some((trigger) => conditionsFor(trigger, source, kind, known).some(readsText));
  const whole = isRead ? await withTexts(occurrence, look.at, source, known) : occurrence;
  const judged = triggers.map((trigger) => hearingOf(trigger, whole, look.at, source, known));
  const hearings = [
    ...judged.filter(({ outcome, conditions }) => outcome !== "silent" || conditions.length > 0),
    ...builtIn.map((firing) => spoken(firing, source, known, look.at, [])),
  ];
  const silence = hearings.length === 0 ? silenceOf(occurrence.changes, source, known) : undefined;
  return {
    source: source.id,
    since: occurrence.changes.reduce((first, { since }) => Math.min(first, since), look.at),
    ...{ at: look.at, event, hearings },
    changes: occurrence.changes.map(({ change }) => change),
    ...(silence && { silence }),
  };
}

/** Whether it looks into the text of an entry: to read that again takes long. */
function readsText(condition: Condition): boolean {
  return (condition.kind === "item" || condition.kind === "commit") && condition.matches !== undefined;
}

/** The entries with their texts, which only the snapshot keeps. */
async function withTexts(occurrence: Occurrence, at: Instant, source: Source, known: Known): Promise<Occurrence> {
  const changes: Seen[] = [];
  for (const seen of occurrence.changes) {
    const { change } = seen;
    const item = "item" in change ? await known.item(source, at, change.item.id) : undefined;
    changes.push(item && "item" in change ? { ...seen, change: { ...change, item } } : seen);
  }
  return { ...occurrence, changes };
}

function fed(trigger: string, event: Event, source: Source, firings: readonly StoredFiring[]): boolean {
  return firings.some((one) => one.trigger === trigger && one.event.key === event.key && isFrom(one, source));
}

function isFrom({ evidence }: StoredFiring, source: Source): boolean {
  return evidence.some((piece) => piece.source === source.id);
}

/** What kinds of condition can be met by what kind of change. */
const listeners: Readonly<Record<Change["kind"], readonly Condition["kind"][]>> = {
  "item-added": ["release", "item", "commit"],
  "item-edited": [],
  "item-withdrawn": [],
  fact: ["fact", "issue"],
  block: ["change", "row", "issue"],
  claim: ["claim"],
  link: ["link"],
};

/** An entry that became a release counts as a new one. */
function sortOf({ changes }: Occurrence): Change["kind"] {
  const change = changes[0]?.change;
  return !change ? "link" : isPromotion(change) ? "item-added" : change.kind;
}

function conditionsFor({ on, also }: Trigger, source: Source, kind: Change["kind"], { config }: Known): Condition[] {
  return [...on, ...also].filter(
    (condition) => listeners[kind].includes(condition.kind) && listensTo(condition, config).includes(source),
  );
}

function hearingOf(trigger: Trigger, occurrence: Occurrence, at: Instant, source: Source, known: Known): Hearing {
  const { config, events, firings } = known;
  const { key } = occurrence.event;
  const before = events.filter(({ seen }) => seen < at);
  const listening = conditionsFor(trigger, source, sortOf(occurrence), known);
  const conditions = judge(trigger, occurrence, source, config, before)
    .filter(({ condition }) => listening.includes(condition))
    .filter(({ matches }) => !matches.every((match) => !match.met && match.because.startsWith("not about ")))
    .map(({ condition, part, matches }): Judged => {
      const unmet = matches.find((match) => !match.met);
      const met = matches.some((match) => match.met);
      const because = met || !unmet || unmet.met ? undefined : reason(unmet.because, condition, occurrence);
      const { means } = condition;
      return {
        part,
        words: conditionWords(condition, config),
        met,
        ...(means && { means }),
        ...(because && { because }),
      };
    });
  const firing = firings.find((one) => one.trigger === trigger.id && one.event.key === key);
  if (firing && isFrom(firing, source)) return spoken(firing, source, known, at, conditions);
  const met = conditions.find((one) => one.met);
  if (!met) return { trigger: trigger.id, outcome: "silent", because: "no condition matches", conditions };
  return { trigger: trigger.id, outcome: "known", part: met.part, because: heard(key, firing, at, known), conditions };
}

/** The pattern stands beside it: these say what it met. */
const inWords: Readonly<Record<string, string>> = {
  "`title` is not found in its title": "not in its title",
  "`matches` is found in neither title nor text": "in neither title nor text",
  "`matches` is not found in what changed": "not in what changed",
  "names no version of a product that this source announces": "names no version of it",
};

/** Where the text of an entry is kept no more, nobody can say that it does not match. */
function reason(because: string, condition: Condition, { changes }: Occurrence): string {
  const unread = changes.some(({ change }) => "item" in change && change.item.blocks === undefined);
  const isText = (condition.kind === "item" || condition.kind === "commit") && because.startsWith("`matches`");
  if (isText && unread) return "not in its title, and it has no text";
  return inWords[because] ?? because;
}

function heard(key: string, firing: StoredFiring | undefined, at: Instant, { events }: Known): string {
  if (firing) return "asked about already";
  const first = events.filter((event) => event.key === key && event.seen <= at).sort((a, b) => a.seen - b.seen)[0];
  if (!first) return "this condition is younger than what it matches";
  if (first.baseline) return `known since the first look at ${first.source}`;
  return first.seen < at ? `known since ${first.source}` : "this condition is younger than what it matches";
}

/** A trigger that fired, or took this as one more evidence. */
function spoken(
  firing: StoredFiring,
  source: Source,
  { rechecks }: Known,
  at: Instant,
  conditions: readonly Judged[],
): Hearing {
  const own = firing.evidence.filter((piece) => piece.source === source.id);
  const best = own.find(({ condition }) => condition?.awaited) ?? own.find(({ part }) => part !== "also") ?? own[0];
  const first = firing.evidence[0];
  const issue = rechecks.find(({ id }) => id === firing.recheck)?.issue;
  const fired = firing.fired === at || first?.source === source.id;
  return {
    trigger: firing.trigger,
    outcome: fired ? "fired" : "evidence",
    weight: firing.weight,
    ...(issue !== undefined && { issue }),
    ...(best && { part: best.part }),
    ...(best?.condition?.means && { means: best.condition.means }),
    ...(best?.excerpt && { excerpt: best.excerpt }),
    ...(!fired &&
      first && {
        because: `known since ${first.source} ${stamp(first.seen)}`,
      }),
    conditions,
  };
}

function silenceOf(changes: readonly Seen[], { id, claims }: Source, { config }: Known): string {
  const change = changes[0]?.change;
  const own = (condition: Condition) => "source" in condition && condition.source === id;
  const heard = [...config.triggers.values()].some(({ on, also }) => [...on, ...also].some(own));
  switch (change?.kind) {
    case "claim":
      if (change.to === "supported") return "the claim is supported again: nothing to ask";
      return claims.some((claim) => `${id}/${claim.id}` === change.claim)
        ? "asked about already"
        : "config no longer has this claim";
    case "link":
      return "no trigger watches what becomes of this address";
    case "item-edited":
      return "no trigger watches edits of entries";
    case "item-withdrawn":
      return "no trigger watches what is withdrawn";
    case "fact":
      return `no trigger asks about "${change.name}"`;
    default:
      if (heard) return "no trigger listens to what changed here";
      return claims.length > 0
        ? "no trigger listens to this source; its claims hold"
        : "no trigger listens to this source";
  }
}
