import { groupByEach, makeOnce } from "../model/cache.ts";
import { changedTexts } from "../model/change-words.ts";
import type { Config, Unwatchable } from "../model/config.ts";
import { cutLine } from "../model/markdown.ts";
import type { StoredFiring } from "../model/ports/index.ts";
import { referenceAnchor } from "../model/published.ts";
import type { Source } from "../model/source.ts";
import { isRefuted, type ReferenceReason, readerState } from "../model/states.ts";
import type { StatusFile } from "../model/status-file.ts";
import { day, type Instant, isoTime } from "../model/time.ts";
import { leadOf, strongestFirst } from "../recheck/issue/question.ts";
import { headline } from "../recheck/issue/title.ts";
import { firingsBySource } from "../status/explain/records.ts";
import type { ClaimStory, SourceHealth } from "../status/explain/source.ts";
import { isUntrue } from "../status/status.ts";
import type { Edition } from "./edition.ts";
import { safeAddress, shortId } from "./plain.ts";

type Reference = StatusFile["references"][number];

/** A citation of the report: a numbered reference, or a source that is cited without a number. */
export interface Citation {
  readonly number?: number;
  readonly anchor: string;
  readonly direct: readonly Seen[];
  /** Sources that are watched instead of it, or that hold a claim with this reference. */
  readonly others: readonly Seen[];
  readonly unwatchable?: Unwatchable;
  readonly claims: readonly ClaimStory[];
  readonly state: ReferenceState;
  /** The unanswered firings that make it *in doubt* or *to review*; the strongest first. */
  readonly firings: readonly StoredFiring[];
}

/** The state of a citation, since when, and why in one line of text. */
interface ReferenceState {
  readonly reason: ReferenceReason;
  readonly since?: Instant;
  readonly says?: string;
}

interface Seen {
  readonly source: Source;
  readonly health: SourceHealth;
}

export function references(edition: Edition): Reference[] {
  return citationsOf(edition).flatMap((citation) => {
    if (citation.number === undefined) return [];
    const { reason, since, says } = citation.state;
    const { title, url } = titleAndAddress(citation, edition);
    return {
      number: citation.number,
      ...(title && { title: cutLine(title, 300) }),
      url,
      state: readerState(reason),
      reason,
      ...(since !== undefined && { since: isoTime(since) }),
      ...(says !== undefined && { says: cutLine(says, 300) }),
      ...changedTextsOf(citation.firings),
      sources: sourcesOf(citation)
        .map(({ source }) => shortId(source.id))
        .slice(0, 100),
      page: `references.html#${citation.anchor}`,
    };
  });
}

function changedTextsOf([strongest]: readonly StoredFiring[]): Pick<Reference, "before" | "after"> {
  const lead = strongest && leadOf(strongest);
  const [before, after] = (lead && changedTexts(lead.change)) ?? [];
  return {
    ...(before !== undefined && { before: cutLine(before, 300) }),
    ...(after !== undefined && { after: cutLine(after, 300) }),
  };
}

/** Every citation that config names: numbered ones by their number, then the rest in the order of config. */
export function citationsOf(edition: Edition): Citation[] {
  const bySource = firingsBySource(edition.open);
  const stated = edition.sources.flatMap((story) => story.claims);
  const claimsOf = new Map(edition.sources.map((story) => [story.source.id, story.claims]));
  const claims = groupByEach(stated, (claim) => citesOf(claim, edition.config));
  return citedReferences(edition).map((citation) => {
    const itsClaims =
      citation.number === undefined
        ? citation.direct.flatMap(({ source }) => claimsOf.get(source.id) ?? [])
        : (claims.get(citation.number) ?? []);
    const against = itsClaims.flatMap((claim) => firingsAgainst(claim, edition.open));
    const untrue = itsClaims.find(({ state }) => isRefuted(state));
    const changed = sourcesOf(citation).flatMap(({ source }) => bySource.get(source.id) ?? []);
    const firings = strongestFirst([...new Set(against.length > 0 ? against : changed)]);
    return {
      ...citation,
      claims: itsClaims,
      firings,
      state: referenceState(citation, { against, firings }, untrue, edition),
    };
  });
}

function sourcesOf({ direct, others }: Pick<Citation, "direct" | "others">): Seen[] {
  return [...new Map([...direct, ...others].map((seen) => [seen.source.id, seen])).values()];
}

type Cited = Pick<Citation, "number" | "anchor" | "direct" | "others" | "unwatchable">;

function citedReferences({ sources, config }: Edition): Cited[] {
  const numbered = new Map<number, Cited & { direct: Seen[]; others: Seen[] }>();
  const plain: Cited[] = [];
  const citedAt = (number: number) =>
    makeOnce(numbered, number, () => ({ number, anchor: referenceAnchor(number), direct: [], others: [] }));
  for (const { source, health } of sources) {
    const entry = { source, health };
    const ofClaims = source.claims.flatMap(({ cites }) => cites);
    const instead = new Set([...source.standsFor, ...ofClaims]);
    for (const number of new Set(source.cites)) citedAt(number).direct.push(entry);
    for (const number of instead) if (!source.cites.includes(number)) citedAt(number).others.push(entry);
    if (source.cites.length > 0 || instead.size > 0) continue;
    plain.push({ anchor: `source-${source.id}`, direct: [entry], others: [] });
  }
  for (const [index, unwatchable] of config.unwatchable.entries()) {
    for (const number of unwatchable.cites) numbered.set(number, { ...citedAt(number), unwatchable });
    if (unwatchable.cites.length > 0) continue;
    plain.push({ anchor: `unwatchable-${index + 1}`, direct: [], others: [], unwatchable });
  }
  const inOrder = [...numbered.values()].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return [...inOrder, ...plain].slice(0, 10_000);
}

export function titleAndAddress(
  { direct, others, unwatchable }: Cited,
  { link }: Pick<Edition, "link">,
): { readonly title?: string | undefined; readonly url?: string | undefined } {
  const source = direct[0]?.source ?? (unwatchable ? undefined : others[0]?.source);
  return {
    title: source ? source.title : unwatchable?.title,
    url: safeAddress(source ? link(source) : unwatchable?.url),
  };
}

function referenceState(
  { direct, others }: Cited,
  { against, firings }: Readonly<Record<"against" | "firings", readonly StoredFiring[]>>,
  untrue: ClaimStory | undefined,
  { config }: Edition,
): ReferenceState {
  const [strongest] = firings;
  if (untrue && against.length === 0) {
    const since = untrue.since === undefined ? {} : { since: untrue.since };
    return { reason: "not corrected", ...since, says: `${untrue.state}, and not corrected: “${untrue.says}”` };
  }
  // If the page itself is gone, another source that is watched instead does not hide that.
  const deciding = direct.length > 0 ? direct : others;
  const unseen = deciding.map(({ health }) => unseenSince(health));
  const isGone = unseen.length > 0 && unseen.every((one) => one?.reason === "gone");
  if (strongest && (against.length > 0 || !isGone)) {
    const since = firings.reduce((first, { seen }) => Math.min(first, seen), Number.POSITIVE_INFINITY);
    return { reason: against.length > 0 ? "in doubt" : "to review", since, says: headline(strongest, config).sentence };
  }
  if (deciding.length === 0) return { reason: "unwatched" };
  if (unseen.every((one) => one !== undefined)) return unseen[0] ?? { reason: "unseen" };
  return { reason: "fresh" };
}

/** A source counts as failed from its second failure in a row. */
function unseenSince(health: SourceHealth): ReferenceState | undefined {
  const { state, trouble, blindFrom, lastSeen, goneSince } = health;
  if (state === "seen" || (state === "unseen" && trouble !== undefined && trouble.count < 2)) return undefined;
  if (state === "not read yet" && !trouble) return { reason: "unseen", says: "Not read yet" };
  const since = goneSince ?? trouble?.since ?? lastSeen ?? blindFrom;
  const what = state === "gone" ? "Gone" : trouble ? "Could not be read" : "Not checked";
  const why = trouble ? `: ${trouble.says}` : "";
  return {
    reason: state === "gone" ? "gone" : "unseen",
    since,
    says: `${what}${since === undefined ? "" : ` since ${day(since)}`}${why}`,
  };
}

export function claimsSourceOf({ id }: ClaimStory, { sources }: Config): Source | undefined {
  return sources.get(id.slice(0, id.indexOf("/")));
}

/** The reference numbers of a claim: its own, or else all of its source. */
export function citesOf(claim: ClaimStory, config: Config): number[] {
  const source = claimsSourceOf(claim, config);
  return [...new Set(claim.cites.length > 0 ? claim.cites : (source?.standsFor ?? []))];
}

/**
 * The unanswered firings that contradict a claim: its passage changed and still differs, its page disagreed from the
 * first check on, or an event ends it while its page still says it.
 */
export function firingsAgainst({ id, state }: ClaimStory, open: readonly StoredFiring[]): StoredFiring[] {
  return open.filter(({ evidence }) =>
    evidence.some((piece) => piece.claim === id && (piece.part === "until" || isUntrue(piece, state))),
  );
}
