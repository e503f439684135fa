import type { Config, Source, Unwatchable } from "../../model/model.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import type { ClaimStanding } from "../../model/states.ts";
import type { StatusFile } from "../../model/status-file.ts";
import { day, isoTime } from "../../model/time.ts";
import { headline } from "../../recheck/issue/headline.ts";
import { strongestFirst } from "../../recheck/issue/question.ts";
import type { SourceHealth } from "../explain/health.ts";
import type { ClaimStory } from "../explain/source.ts";
import { type Edition, openFirings } from "./edition.ts";
import { line, safeAddress, shortId } from "./plain.ts";

type Reference = StatusFile["references"][number];

/** A reference number, with all that is watched for its sake. */
interface Cited {
  readonly number: number;
  /** Sources that are the page it names. */
  readonly direct: Seen[];
  /** Sources that are watched in its place, or that hold a claim it was cited for. */
  readonly others: Seen[];
  readonly unwatchable?: Unwatchable;
}

interface Seen {
  readonly source: Source;
  readonly health: SourceHealth;
}

/** How every reference stands that config names, by its number. */
export function references(edition: Edition): Reference[] {
  const open = openFirings(edition);
  const bySource = new Map<string, StoredFiring[]>();
  const byClaim = new Map<string, StoredFiring[]>();
  for (const firing of open) {
    for (const id of new Set(firing.evidence.map(({ source }) => source))) {
      bySource.set(id, [...(bySource.get(id) ?? []), firing]);
    }
  }
  const doubted = new Map<number, StoredFiring[]>();
  for (const { claims } of edition.sources) {
    for (const claim of claims) {
      const against = firingsAgainst(claim, open);
      byClaim.set(claim.claim, against);
      for (const number of against.length > 0 ? citesOf(claim, edition.config) : []) {
        doubted.set(number, [...(doubted.get(number) ?? []), ...against]);
      }
    }
  }
  return cited(edition).map((one) => {
    const watched = [...one.direct, ...one.others];
    const changed = watched.flatMap(({ source }) => bySource.get(source.id) ?? []);
    return {
      number: one.number,
      ...named(one, edition),
      ...stateOf(one, doubted.get(one.number) ?? [], changed, edition),
      sources: [...new Set(watched.map(({ source }) => shortId(source.id)))].slice(0, 100),
    };
  });
}

/** Every number that config names, in order. */
function cited({ sources, config }: Edition): Cited[] {
  const found = new Map<number, Cited>();
  const at = (number: number): Cited => {
    const known = found.get(number) ?? { number, direct: [], others: [] };
    found.set(number, known);
    return known;
  };
  for (const { source, health } of sources) {
    const seen = { source, health };
    for (const number of new Set(source.cites)) at(number).direct.push(seen);
    const ofClaims = source.claims.flatMap(({ cites }) => cites);
    for (const number of new Set([...source.standsFor, ...ofClaims])) {
      if (!source.cites.includes(number)) at(number).others.push(seen);
    }
  }
  for (const unwatchable of config.unwatchable) {
    for (const number of unwatchable.cites) found.set(number, { ...at(number), unwatchable });
  }
  return [...found.values()].sort((a, b) => a.number - b.number).slice(0, 10_000);
}

/** Its title and address, in the words of config. */
function named({ direct, others, unwatchable }: Cited, { link }: Edition): Pick<Reference, "title" | "url"> {
  const source = direct[0]?.source ?? (unwatchable ? undefined : others[0]?.source);
  const title = source ? source.title : unwatchable?.title;
  const url = safeAddress(source ? link(source) : unwatchable?.url);
  return { ...(title && { title: line(title, 300) }), ...(url && { url }) };
}

function stateOf(
  { direct, others }: Cited,
  doubted: readonly StoredFiring[],
  changed: readonly StoredFiring[],
  edition: Edition,
): Pick<Reference, "state" | "since" | "says"> {
  if (doubted.length > 0) return told("in doubt", doubted, edition);
  if (changed.length > 0) return told("to review", changed, edition);
  // Where the page itself is watched, what stands for it does not hide that it is gone.
  const deciding = direct.length > 0 ? direct : others;
  if (deciding.length === 0) return { state: "unwatched" };
  const unseen = deciding.map(({ health }) => unseenSince(health));
  if (unseen.every((one) => one !== undefined)) return unseen[0] ?? { state: "unseen" };
  return { state: "fresh" };
}

function told(state: "in doubt" | "to review", firings: readonly StoredFiring[], { config }: Edition) {
  const [strongest] = strongestFirst(firings);
  const since = firings.reduce((first, { seen }) => Math.min(first, seen), Number.POSITIVE_INFINITY);
  return {
    state,
    since: isoTime(since),
    ...(strongest && { says: line(headline(strongest, config).sentence, 300) }),
  };
}

/** Once is no news: a source counts as unseen from its second failure in a row. */
function unseenSince(health: SourceHealth): Pick<Reference, "state" | "since" | "says"> | undefined {
  const { state, trouble, blindFrom, lastSeen } = health;
  if (state === "seen" || (state === "unseen" && trouble !== undefined && trouble.count < 2)) return undefined;
  if (state === "not seen yet" && !trouble) return { state: "unseen", says: "Not seen yet" };
  const since = trouble?.since ?? lastSeen ?? blindFrom;
  const what = state === "gone" ? "Gone" : trouble ? "Unseen" : "Not looked at";
  const why = trouble ? `: ${trouble.says}` : "";
  return {
    state: "unseen",
    ...(since !== undefined && { since: isoTime(since) }),
    says: line(`${what}${since === undefined ? "" : ` since ${day(since)}`}${why}`, 300),
  };
}

/** The source that a claim is made on; undefined where config no longer has it. */
export function claimsSourceOf({ claim }: ClaimStory, { sources }: Config): Source | undefined {
  return sources.get(claim.slice(0, claim.indexOf("/")));
}

/** The reference numbers that a claim stands under: its own, else all of its source's. */
export function citesOf(claim: ClaimStory, config: Config): number[] {
  const source = claimsSourceOf(claim, config);
  return [...new Set(claim.cites.length > 0 ? claim.cites : (source?.standsFor ?? []))];
}

/**
 * The firings that nobody has answered and that speak against a claim: that its own passage became another one and still is, or
 * that something came that ends it while its page still says it.
 */
export function firingsAgainst({ claim, status }: ClaimStory, open: readonly StoredFiring[]): StoredFiring[] {
  return open.filter(({ evidence }) =>
    evidence.some((piece) => piece.claim === claim && (piece.part === "until" || isAltered(piece.part, status))),
  );
}

function isAltered(part: string, status: ClaimStanding): boolean {
  return part === "claim" && (status === "altered" || status === "gone" || status === "contradicted");
}
