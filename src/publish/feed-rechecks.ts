import { digest } from "../model/digest.ts";
import { eventLines } from "../model/message.ts";
import { isOver, type StoredAnswer, type StoredFiring, type StoredRecheck } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { day, type Instant } from "../model/time.ts";
import { firstOf, ratingTitle, triggerName, upTo, verdictCounts, weightWords } from "../model/words.ts";
import { newestOf } from "../recheck/answer/answers.ts";
import { findingsFirst } from "../recheck/first-check.ts";
import { askedRatings, groupReleases, strongestFirst } from "../recheck/issue/question.ts";
import { headline } from "../recheck/issue/title.ts";
import type { SourceStory } from "../status/explain/source.ts";
import { coveredBy, supports } from "../status/freshness.ts";
import { eventFields } from "../status/messages/digest.ts";
import type { BlindPeriod, Edition } from "./edition.ts";
import { issueAddress, safeAddress } from "./plain.ts";

export interface FeedEntry {
  /** Stays the same for the same subject; unique within the report. */
  readonly key: string;
  readonly kind: "contrary" | "opened" | "answered" | "blind" | "seen again" | "digest";
  readonly title: string;
  readonly published: Instant;
  readonly updated: Instant;
  readonly link?: string;
  readonly says: string;
  readonly list: readonly string[];
  /** Ratings whose feeds also have this entry. */
  readonly ratings: ReadonlySet<string>;
}

/** One entry for each contrary event, and two per recheck: what else it asks about, and how it was answered. */
export function recheckEntries(edition: Edition): FeedEntry[] {
  const contrary = edition.firings.filter(({ weight }) => weight === "contrary");
  const events = [...Map.groupBy(contrary, ({ event }) => event.key).values()];
  return [...events.map((firings) => contraryEntry(firings, edition)), ...questionEntries(edition)];
}

function contraryEntry(firings: readonly StoredFiring[], edition: Edition): FeedEntry {
  const { config, rechecks, repository } = edition;
  const [strongest] = strongestFirst(firings) as [StoredFiring, ...StoredFiring[]];
  const askedIds = askedRatings(firings, config);
  const fields = eventFields(firings, edition);
  const issue = rechecks.find(({ id }) => firings.some(({ recheck }) => recheck === id))?.issue;
  const fired = Math.min(...firings.map((firing) => firing.fired));
  return {
    key: `contrary/${digest(strongest.event.key)}`,
    kind: "contrary",
    title: headline(strongest, config).sentence,
    published: fired,
    updated: fired,
    link: issueAddress(issue, repository),
    says: `It is against the report, seen ${day(strongest.seen)}. Asked by ${firstOf(fields?.triggers ?? [], maxNames)}.`,
    list: fields ? eventLines(fields).map(([label, text]) => `${label}: ${text}`) : [],
    ratings: new Set(askedIds),
  };
}

function questionEntries(edition: Edition): FeedEntry[] {
  const firings = Map.groupBy(edition.firings, ({ recheck }) => recheck);
  const answers = Map.groupBy(edition.answers, ({ recheck }) => recheck);
  return edition.rechecks.flatMap((recheck) => {
    const fed = firings.get(recheck.id) ?? [];
    const given = answers.get(recheck.id) ?? [];
    const settled = [...newestOf(given.filter((answer) => answer.settled !== undefined)).values()];
    const routine = fed.filter(({ weight }) => weight === "routine");
    return [
      ...(routine.length > 0 || fed.length === 0 ? [openedEntry(recheck, routine, edition)] : []),
      ...answeredEntry(recheck, fed, settled, edition),
    ];
  });
}

const maxFirings = 20;
const maxNames = 12;

function openedEntry(
  recheck: StoredRecheck,
  firings: readonly StoredFiring[],
  { config, repository }: Edition,
): FeedEntry {
  const ordered = groupReleases(findingsFirst(strongestFirst(firings), config));
  const [strongest] = ordered;
  const askedIds = askedRatings(firings, config);
  const joined = firings.map(({ joined }) => joined ?? recheck.opened);
  const what = strongest ? `: ${headline(strongest, config).text}` : "";
  const titles = askedIds.map((id) => ratingTitle(id, config));
  return {
    key: `opened/${digest(recheck.marker)}`,
    kind: "opened",
    title: `${triggerName(recheck.trigger, config)}${what}`,
    published: recheck.opened,
    updated: joined.reduce((latest, at) => Math.max(latest, at), recheck.opened),
    link: issueAddress(recheck.issue, repository),
    says: askedIds.length > 0 ? `It asks about ${firstOf(titles, maxNames)}. What was seen:` : "What was seen:",
    list: upTo(
      maxFirings,
      ordered.map(
        (firing) => `${headline(firing, config).sentence} (${weightWords[firing.weight]}, seen ${day(firing.seen)})`,
      ),
    ),
    ratings: new Set(askedIds),
  };
}

function answeredEntry(
  recheck: StoredRecheck,
  firings: readonly StoredFiring[],
  settled: readonly StoredAnswer[],
  { config, repository }: Edition,
): FeedEntry[] {
  const end = isOver(recheck) ? recheck : undefined;
  const moments = [...settled.flatMap(({ settled }) => settled ?? []), ...(end ? [end.closed] : [])];
  if (moments.length === 0) return [];
  const ratings = askedRatings(firings, config);
  return [
    {
      key: `answered/${digest(recheck.marker)}`,
      kind: "answered",
      title: `${triggerName(recheck.trigger, config)}: ${verdictOf(settled, end?.verdict?.kind === "dismiss")}`,
      published: Math.min(...moments),
      updated: Math.max(...moments),
      link: issueAddress(recheck.issue, repository),
      says: end ? "The recheck is closed." : "The recheck is still open for other ratings.",
      list: settled.map(
        ({ rating, verdict, level }) =>
          `${ratingTitle(rating, config)}: ${verdict === "keep" || level === undefined ? "kept" : `changed to ${level}`}`,
      ),
      ratings: new Set([...ratings, ...settled.map(({ rating }) => rating)]),
    },
  ];
}

/** `1 changed, 3 kept`, `dismissed`, or closed without an answer. */
function verdictOf(settled: readonly StoredAnswer[], dismissed: boolean): string {
  if (dismissed) return "dismissed, no rating changes";
  return verdictCounts(settled) || "closed by hand, no rating was reviewed";
}

interface SourcePeriod extends BlindPeriod {
  readonly story: SourceStory;
}

export function blindEntries(edition: Edition): FeedEntry[] {
  const all = edition.sources.flatMap((story) =>
    (edition.histories.get(story.source.id)?.blindPeriods ?? []).map((period) => ({ ...period, story })),
  );
  const periods = uncoveredPeriods(all, edition);
  const ended = periods.filter(({ until }) => until !== undefined);
  return [
    ...groupByHost(periods, edition, ({ blindFrom }) => blindFrom).map((group) => blindEntry(group, edition)),
    ...groupByHost(ended, edition, ({ until = 0 }) => until).map((group) => seenAgainEntry(group, edition)),
  ];
}

/** Periods without another source for the same products: ratings of a covered source are not blind. */
function uncoveredPeriods(all: readonly SourcePeriod[], edition: Edition): SourcePeriod[] {
  const { config, watches } = edition;
  const byOf = Map.groupBy(all, ({ story }) => story.source.id);
  const isSeenAt = (source: Source, at: Instant) => {
    const watch = watches.get(source.id);
    const wasSeen = watch?.firstSeen !== undefined && watch.firstSeen <= at;
    const isIn = ({ blindFrom, until = Infinity }: SourcePeriod) => blindFrom <= at && at < until;
    return wasSeen && supports(source, config, watch, at) && byOf.get(source.id)?.some(isIn) !== true;
  };
  return all.flatMap((period) => {
    const { story, blindFrom, until = edition.at + 1 } = period;
    // A source may be covered at first, and turn blind when the covering source does.
    const others = coveredBy(story.source, config, () => true).flatMap((id) => byOf.get(id) ?? []);
    const moments = others.map((other) => other.blindFrom).filter((at) => blindFrom < at && at < until);
    const from = [blindFrom, ...moments.sort((a, b) => a - b)].find(
      (at) => coveredBy(story.source, config, (other) => isSeenAt(other, at)).length === 0,
    );
    return from === undefined ? [] : [{ ...period, blindFrom: from }];
  });
}

interface Group {
  readonly host: string;
  readonly day: string;
  readonly periods: readonly SourcePeriod[];
  readonly moments: readonly Instant[];
}

function groupByHost(
  periods: readonly SourcePeriod[],
  edition: Edition,
  momentOf: (period: SourcePeriod) => Instant,
): Group[] {
  const hostOf = ({ story: { source } }: SourcePeriod) => URL.parse(edition.link(source) ?? "")?.host || source.kind;
  const byHost = Map.groupBy(periods, (period) => `${hostOf(period)} ${day(momentOf(period))}`);
  return [...byHost].map(([key, its]) => {
    const [host = "", day = ""] = key.split(" ");
    return { host, day, periods: its, moments: its.map(momentOf) };
  });
}

function blindEntry(group: Group, edition: Edition): FeedEntry {
  const isAlone = group.periods.length === 1;
  return {
    ...entryOf("blind", group, edition),
    title: `${subject(group)} ${isAlone ? "is" : "are"} not checkable`,
    says: `${isAlone ? "It was" : "They were"} not read for 7 days, and the ratings that depend on ${isAlone ? "it" : "them"} are not checkable.`,
    list: group.periods.map((period) => `${called(period)}: ${period.says}`),
  };
}

function seenAgainEntry(group: Group, edition: Edition): FeedEntry {
  return {
    ...entryOf("seen again", group, edition),
    title: `${subject(group)} ${group.periods.length === 1 ? "is" : "are"} read again`,
    says: "Changes since then are reported separately.",
    list: group.periods.map((period) => `${called(period)}: not checkable since ${day(period.blindFrom)}`),
  };
}

function entryOf(kind: "blind" | "seen again", { host, day, periods, moments }: Group, { link }: Edition) {
  const [first] = periods;
  const address = periods.length === 1 && first ? safeAddress(link(first.story.source)) : undefined;
  return {
    key: `${kind.replace(" ", "-")}/${host}/${day}`,
    kind,
    published: Math.min(...moments),
    updated: Math.max(...moments),
    ...(address && { link: address }),
    ratings: new Set(periods.flatMap(({ story }) => story.health.ratings)),
  };
}

function subject({ periods, host }: Group): string {
  const [first] = periods;
  return periods.length === 1 && first ? called(first) : `${periods.length} sources at ${host}`;
}

function called({ story: { source } }: SourcePeriod): string {
  return source.title ?? source.id;
}
