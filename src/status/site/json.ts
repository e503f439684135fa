import { version } from "../../model/digest.ts";
import type { Config, FreshnessLevel, Source, Unwatchable } from "../../model/model.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import { type ClaimStanding, claimStanding } from "../../model/states.ts";
import { type StatusFile, statusFormat } from "../../model/status-file.ts";
import { day, isoTime } from "../../model/time.ts";
import { triggerName } from "../../model/words.ts";
import { headline } from "../../recheck/issue/headline.ts";
import { askedRatings, inOrder } from "../../recheck/issue/question.ts";
import type { SourceHealth } from "../explain/health.ts";
import type { ClaimStory, SourceStory } from "../explain/source.ts";
import { type Edition, openFirings } from "./edition.ts";
import { issueAddress, line, shortId, slugOf, webAddress } from "./plain.ts";

/** How the report stands, for programs. Whatever is stored, what comes out keeps to the schema of `status-file.ts`. */
export function statusJson(edition: Edition): StatusFile {
  const { at, config, status, staleAfter } = edition;
  const { title, url, version: reportVersion, audited } = config.report;
  const address = webAddress(url);
  return {
    format: statusFormat,
    program: `recheck ${version}`,
    written: isoTime(at),
    ...(status.lastLook !== undefined && { lastLook: isoTime(status.lastLook) }),
    staleAfter: isoTime(staleAfter),
    report: {
      title: line(title, 500),
      ...(address && { url: address }),
      ...(reportVersion !== undefined && { version: line(reportVersion, 60) }),
      audited: day(audited),
    },
    levels: config.levels.slice(0, 100).map((level) => line(level, 200)),
    ratings: ratings(edition),
    references: references(edition),
    claims: claims(edition),
    sources: edition.sources.slice(0, 50_000).map((story) => sourceOf(story, edition)),
    open: open(edition),
  };
}

function ratings(edition: Edition): StatusFile["ratings"] {
  const { config, status } = edition;
  const asking = rechecksByRating(edition);
  return status.ratings.slice(0, 10_000).map(({ rating: id, level: freshness, at, because, value }) => {
    const { basis, volatility, reviewed } = config.ratings.get(id) ?? {};
    const recheck = asking.get(id);
    return {
      id: shortId(id),
      names: namesOf(id, config).map((name) => line(name, 200)),
      level: line(value, 200),
      ...(basis && { basis }),
      ...(volatility !== undefined && { volatility: line(volatility, 60) }),
      ...(reviewed !== undefined && { reviewed: day(reviewed) }),
      freshness,
      at: isoTime(at),
      because: because.slice(0, 50).map((one) => line(calledBecause(one, freshness, config), 300)),
      ...(recheck && { recheck }),
      page: `ratings/${slugOf(id)}.html`,
    };
  });
}

function calledBecause(id: string, freshness: FreshnessLevel, config: Config): string {
  return freshness === "blind" ? (config.sources.get(id)?.title ?? id) : triggerName(id, config);
}

/** The address of the open recheck that asks about a rating; of several, of one in which something is contrary. */
function rechecksByRating({ status, config, repository }: Edition): Map<string, string> {
  const found = new Map<string, string>();
  const isContrary = ({ firings }: (typeof status.open)[number]) => firings.some(({ weight }) => weight === "contrary");
  for (const one of [...status.open].sort((a, b) => Number(isContrary(b)) - Number(isContrary(a)))) {
    const address = issueAddress(one.issue, repository);
    for (const rating of address ? askedRatings(one.firings, config) : []) {
      if (address && !found.has(rating)) found.set(rating, address);
    }
  }
  return found;
}

function claims(edition: Edition): StatusFile["claims"] {
  const firings = openFirings(edition);
  const all = edition.sources.flatMap((story) => story.claims);
  return all.slice(0, 50_000).map((claim) => {
    const [ended] = firingsAgainst(claim, firings);
    const state = claimStanding(claim.status, ended !== undefined);
    const since = state === claim.status ? claim.since : ended?.seen;
    return {
      id: shortId(claim.claim, 300),
      says: line(claim.says, 1_000),
      state,
      ...(since !== undefined && { since: isoTime(since) }),
      cites: citesOf(claim, edition.config).slice(0, 1_000),
      ratings: claim.ratings.slice(0, 1_000).map((id) => shortId(id)),
    };
  });
}

function sourceOf({ source, health }: SourceStory, { link }: Edition): StatusFile["sources"][number] {
  const url = webAddress(link(source));
  return {
    id: shortId(source.id),
    ...(source.title !== undefined && { title: line(source.title, 300) }),
    kind: line(source.kind, 60),
    ...(url && { url }),
    state: health.state,
    ...(health.lastSeen !== undefined && { lastSeen: isoTime(health.lastSeen) }),
    ...(health.next !== undefined && { next: isoTime(health.next) }),
  };
}

function open({ status, config, rechecks, repository }: Edition): StatusFile["open"] {
  return status.open.slice(0, 1_000).map(({ trigger, issue, firings }) => {
    const url = issueAddress(issue, repository);
    const recheck = rechecks.find((one) => one.state === "open" && one.issue === issue && issue !== undefined);
    return {
      trigger: shortId(trigger),
      name: line(triggerName(trigger, config), 300),
      weight: firings.some(({ weight }) => weight === "contrary") ? "contrary" : "routine",
      ...(recheck && { opened: isoTime(recheck.opened) }),
      ...(issue !== undefined && { issue }),
      ...(url && { url }),
      ratings: askedRatings(firings, config)
        .slice(0, 10_000)
        .map((id) => shortId(id)),
    };
  });
}

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
function references(edition: Edition): Reference[] {
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

/** What it is, in the words of config. */
function named({ direct, others, unwatchable }: Cited, { link }: Edition): Pick<Reference, "title" | "url"> {
  const source = direct[0]?.source ?? (unwatchable ? undefined : others[0]?.source);
  const title = source ? source.title : unwatchable?.title;
  const url = webAddress(source ? link(source) : unwatchable?.url);
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
  const [strongest] = inOrder(firings);
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
function citesOf(claim: ClaimStory, config: Config): number[] {
  const source = claimsSourceOf(claim, config);
  return [...new Set(claim.cites.length > 0 ? claim.cites : (source?.standsFor ?? []))];
}

/**
 * What nobody has answered and what speaks against a claim: that its own passage became another one and still is, or
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

/** How people call the parts of a rating's id; the last name holds what is past the fourth. */
function namesOf(id: string, { names }: Config): string[] {
  const parts = id.split("/").map((part) => names.get(part) ?? part);
  return parts.length > 4 ? [...parts.slice(0, 3), parts.slice(3).join(" · ")] : parts;
}

/** `Google TPU · Maturity`. */
export function nameOf(id: string, config: Config): string {
  return namesOf(id, config).join(" · ");
}
