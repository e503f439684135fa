import { digest } from "../model/digest.ts";
import { askers, builtIn } from "../model/firing.ts";
import type {
  Change,
  Claim,
  ClaimState,
  Condition,
  Config,
  Event,
  Evidence,
  Firing,
  Instant,
  Item,
  Product,
  Seen,
  Source,
  Trigger,
} from "../model/model.ts";
import type { EventSighting, StoredFiring } from "../model/ports/index.ts";
import { eventKey, parseVersion, recognise, type Version } from "../model/version.ts";
import { type Happening, type Match, match } from "./conditions.ts";

/** Changes of one look that are one event: one entry, one fact, or all blocks of a page together. */
export interface Occurrence {
  readonly event: Event;
  readonly changes: readonly Seen[];
}

/** What was remembered of the events at hand, read in the transaction that keeps the outcome. */
export interface Remembered {
  /** Sightings of these events, and of every event of their products. */
  readonly sightings: readonly EventSighting[];
  readonly firings: readonly StoredFiring[];
}

export interface Evaluation {
  readonly firings: readonly Firing[];
  readonly events: readonly EventSighting[];
  /** Claims overturned by what they said would end them. */
  readonly overturned: readonly ClaimState[];
}

/** Groups the changes of one look into events. */
export function occurrences(changes: readonly Seen[], source: Source, config: Config): Occurrence[] {
  const blocks = changes.filter(({ change }) => change.kind === "block");
  const found: Occurrence[] = changes
    .filter(({ change }) => change.kind !== "block")
    .map((seen) => ({ event: announce(seen.change, source, config), changes: [seen] }));
  if (blocks.length > 0) {
    const key = blocksKey(
      source,
      blocks.map(({ change }) => change).filter((change) => change.kind === "block"),
    );
    found.push({ event: { key }, changes: blocks });
  }
  return found;
}

/** Meets what happened in one source with every trigger and every claim that names its own end. Pure. */
export function evaluate(
  happened: readonly Occurrence[],
  source: Source,
  config: Config,
  remembered: Remembered,
  at: Instant,
): Evaluation {
  if (happened.length === 0) return { firings: [], events: [], overturned: [] };
  const firings: Firing[] = [];
  const overturned: ClaimState[] = [];
  const listeners = [...triggerListeners(config), ...untilListeners(config)];
  for (const occurrence of happened) {
    for (const listener of [...listeners, ...claimListeners(occurrence, source, config)]) {
      const evidence = meet(listener, occurrence, source, config, remembered, at);
      if (evidence.length === 0) continue;
      if (listener.part === "until" && listener.claim) overturned.push(overturn(listener.claim, occurrence, at));
      for (const trigger of listener.triggers) {
        const firing = fire(trigger, listener, occurrence, evidence, remembered, config.report.audited, at);
        if (firing) firings.push(firing);
      }
    }
  }
  return {
    firings: merge(firings),
    events: happened.flatMap((occurrence) => sightingOf(occurrence, source)),
    overturned,
  };
}

/** Events that a first look found already there: known from now on, and never fired. */
export function baselineEvents(items: readonly Item[], source: Source, config: Config, at: Instant): EventSighting[] {
  return items.flatMap((item) => {
    const event = release(item, source, config);
    return event ? [{ key: event.key, source: source.id, seen: at, baseline: true, event }] : [];
  });
}

/** Judges every condition of a trigger by one occurrence, for `explain`. */
export function judge(
  trigger: Trigger,
  occurrence: Occurrence,
  source: Source,
  config: Config,
  sightings: readonly EventSighting[],
): { condition: Condition; part: "on" | "also"; matches: readonly Match[] }[] {
  const happening = happeningOf(occurrence, source, config, sightings);
  return triggerListeners({ ...config, triggers: new Map([[trigger.id, trigger]]) }).map(({ condition, part }) => ({
    condition,
    part: part === "also" ? "also" : "on",
    matches: occurrence.changes.map(({ change }) => match(condition, { ...happening, change })),
  }));
}

/** A condition, why it is listened to, and whom it asks. */
interface Listener {
  readonly condition: Condition;
  readonly part: Evidence["part"];
  readonly triggers: readonly string[];
  readonly claim?: Claim;
}

function triggerListeners(config: Config): Listener[] {
  return [...config.triggers.values()].flatMap((trigger) => [
    ...trigger.on.map((condition): Listener => ({ condition, part: "on", triggers: [trigger.id] })),
    ...trigger.also.map((condition): Listener => ({ condition, part: "also", triggers: [trigger.id] })),
  ]);
}

function untilListeners(config: Config): Listener[] {
  return [...config.sources.values()].flatMap((source) =>
    source.claims.flatMap((claim) =>
      claim.until.map(
        (condition): Listener => ({ condition, part: "until", triggers: askers(claim.ratings, config), claim }),
      ),
    ),
  );
}

/** A claim needs no trigger file: what becomes of it fires the trigger that names its rating. */
function claimListeners(occurrence: Occurrence, source: Source, config: Config): Listener[] {
  const change = occurrence.changes[0]?.change;
  if (change?.kind === "claim") {
    const claim = source.claims.find(({ id }) => `${source.id}/${id}` === change.claim);
    if (!claim) return [];
    const isNotFound = change.to === "not found";
    const condition: Condition = {
      kind: "claim",
      source: source.id,
      claim: claim.id,
      when: ["altered", "gone", "contradicted"],
    };
    return [
      { condition, part: "claim", triggers: isNotFound ? [builtIn.notFound] : askers(claim.ratings, config), claim },
    ];
  }
  if (change?.kind === "link" && change.to === "gone") {
    const condition: Condition = { kind: "link", source: source.id, when: ["gone"] };
    return source.claims.map((claim) => ({ condition, part: "claim", triggers: askers(claim.ratings, config), claim }));
  }
  return [];
}

/** Changes of one look that are kept as evidence of one event: nobody reads more. */
const mostEvidence = 500;

function meet(
  listener: Listener,
  occurrence: Occurrence,
  source: Source,
  config: Config,
  remembered: Remembered,
  at: Instant,
): Evidence[] {
  const { condition, part, claim } = listener;
  const happening = happeningOf(occurrence, source, config, remembered.sightings);
  const evidence = occurrence.changes.values().flatMap(({ change, since }): Evidence[] => {
    const notFound = change.kind === "claim" && change.to === "not found" && part === "claim";
    const outcome: Match = notFound ? { met: true } : match(condition, { ...happening, change });
    if (!outcome.met) return [];
    const claimKey = claim && `${claim.source}/${claim.id}`;
    return [
      {
        source: source.id,
        seen: Math.min(since, at),
        change,
        part,
        condition,
        claim: claimKey,
        excerpt: outcome.excerpt,
      },
    ];
  });
  return [...evidence.take(mostEvidence)];
}

function happeningOf(
  { event, changes }: Occurrence,
  source: Source,
  config: Config,
  sightings: readonly EventSighting[],
): Happening {
  const product = event.product === undefined ? undefined : config.products.get(event.product);
  const read = (text: string | undefined): Version | undefined =>
    product && text !== undefined ? parseVersion(text, { ...product, tags: [] }) : undefined;
  const known = sightings
    .filter((sighting) => sighting.event.product === event.product && sighting.key !== event.key)
    .map((sighting) => read(sighting.event.version))
    .filter((version) => version !== undefined);
  const change = changes[0]?.change ?? { kind: "link", to: "back" };
  const retitled =
    change.kind === "item-edited" &&
    event.product !== undefined &&
    release(change.before, source, config)?.key !== event.key;
  return { source, change, event, version: read(event.version), known, retitled };
}

/** A firing, unless the event was already known to this trigger without firing. */
function fire(
  trigger: string,
  { condition, part }: Listener,
  { event }: Occurrence,
  evidence: readonly Evidence[],
  { sightings, firings }: Remembered,
  audited: Instant,
  at: Instant,
): Firing | undefined {
  const before = firings.find((firing) => firing.trigger === trigger && firing.event.key === event.key);
  // A page's first look says nothing of when: whoever dates the event after the audit still brings news.
  const undated = ({ baseline, event: seen }: EventSighting) => baseline && seen.at === undefined;
  const news = event.at !== undefined && event.at > audited;
  const heard = sightings.some(
    (sighting) => sighting.key === event.key && listensTo(condition, sighting.source) && !(news && undated(sighting)),
  );
  if (!before && heard) return undefined;
  if (
    before &&
    evidence.every((piece) => before.evidence.some((old) => old.source === piece.source && old.part === piece.part))
  ) {
    return undefined;
  }
  const contrary =
    trigger !== builtIn.notFound &&
    (part === "until" || part === "claim" || condition.kind === "claim" || condition.awaited === true);
  const seen = evidence.reduce((first, piece) => Math.min(first, piece.seen), at);
  return { trigger, event, weight: contrary ? "contrary" : "routine", seen, fired: at, evidence };
}

function listensTo(condition: Condition, source: string): boolean {
  if ("source" in condition) return condition.source === source;
  if (condition.kind === "release") return condition.sources.length === 0 || condition.sources.includes(source);
  return false;
}

function sightingOf({ event, changes }: Occurrence, source: Source): EventSighting[] {
  const first = changes[0];
  if (!first || first.change.kind === "item-withdrawn") return [];
  return [{ key: event.key, source: source.id, seen: first.since, baseline: false, event }];
}

function overturn(claim: Claim, { event, changes }: Occurrence, at: Instant): ClaimState {
  const since = changes[0]?.since ?? at;
  const proved = digest(claim.proof);
  return { claim: `${claim.source}/${claim.id}`, status: "contradicted", since, found: event.key, proved };
}

/** Several conditions of one trigger met by one event are one firing; the weightier word counts. */
function merge(firings: readonly Firing[]): Firing[] {
  const merged = new Map<string, Firing>();
  for (const firing of firings) {
    const key = JSON.stringify([firing.trigger, firing.event.key]);
    const before = merged.get(key);
    if (!before) {
      merged.set(key, firing);
      continue;
    }
    const evidence = [
      ...before.evidence,
      ...firing.evidence.filter((piece) => piece.part !== "also" || !said(before, piece)),
    ];
    const weight = before.weight === "contrary" ? "contrary" : firing.weight;
    merged.set(key, { ...before, weight, evidence, seen: Math.min(before.seen, firing.seen) });
  }
  return [...merged.values()].map((firing) => ({ ...firing, evidence: mostTellingFirst(firing.evidence) }));
}

/** What several conditions say of one change is kept once: as the one that awaits it, or knows what it means, has it. */
function mostTellingFirst(evidence: readonly Evidence[]): Evidence[] {
  const rank = ({ condition }: Evidence) => (condition?.awaited ? 0 : condition?.means ? 1 : 2);
  return evidence.toSorted((a, b) => rank(a) - rank(b));
}

function said(firing: Firing, piece: Evidence): boolean {
  return firing.evidence.some((old) => old.source === piece.source && old.part === "on" && !piece.condition?.means);
}

/** What one change of one source announces. */
function announce(change: Change, source: Source, config: Config): Event {
  switch (change.kind) {
    case "item-added":
    case "item-edited":
    case "item-withdrawn":
      return release(change.item, source, config) ?? itemEvent(change.item, source);
    case "fact":
      return { key: `${source.id} ${change.name} ${clip(change.after ?? "no longer given")}${nth(change)}` };
    case "block":
      return { key: blocksKey(source, [change]) };
    case "claim": {
      const claim = source.claims.find(({ id }) => `${source.id}/${id}` === change.claim);
      const proved = digest(change.to === "not found" ? claim?.proof : (change.after ?? ""));
      return { key: `${change.claim} ${change.to} ${proved}${nth(change)}` };
    }
    case "link":
      return { key: [source.id, change.to, ...(change.address ? [change.address] : [])].join(" ") };
  }
}

/** A value that comes again, after another held for a while, is another event. */
function nth({ again }: { readonly again?: number }): string {
  return again ? ` (${again + 1})` : "";
}

/** The key of all blocks that changed in one look: one event, however many blocks. */
function blocksKey(source: Source, changes: readonly Extract<Change, { kind: "block" }>[]): string {
  return `${source.id} changed ${digest(changes.map(({ before, after }) => [before?.text, after?.text]))}`;
}

/** The version that an item announces, if its source announces a product and the item names one. */
function release(item: Item, source: Source, config: Config): Event | undefined {
  for (const id of source.announces) {
    const product = config.products.get(id);
    const version = product && versionOf(item, product, source.announces.length === 1);
    if (!product || !version) continue;
    const pre = item.pre && !version.pre ? " pre-release" : "";
    return { key: `${eventKey(product, version)}${pre}`, product: id, version: version.text, at: item.at };
  }
  return undefined;
}

/**
 * A tag or package version belongs to the source's only product, and so does a title that is nothing but a version; any
 * other title must name its product.
 */
function versionOf(item: Item, product: Product, only: boolean): Version | undefined {
  if (item.version !== undefined && only) return parseVersion(item.version, product);
  const bare = only && /\d\.\d/.test(item.title) ? parseVersion(item.title, product) : undefined;
  return recognise(item.title, product) ?? bare;
}

/** A commit is the same in whatever list it stands. */
function itemEvent({ id, at }: Item, source: Source): Event {
  return { key: /^[\da-f]{40}$/.test(id) ? `commit ${id}` : `${source.id} ${clip(id)}`, at };
}

function clip(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 80)}…${digest(text)}`;
}
