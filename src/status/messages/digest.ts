import { changedTexts } from "../../model/change-words.ts";
import type { Config } from "../../model/config.ts";
import { claimOf } from "../../model/dependencies.ts";
import { builtIn } from "../../model/firing.ts";
import type { EventFields, Message, MessageItem, MessageSection } from "../../model/message.ts";
import type { StoredAnswer, StoredFiring } from "../../model/ports/index.ts";
import { pagePath } from "../../model/published.ts";
import { day, type Instant, isoTime } from "../../model/time.ts";
import { enumerate, oneLine, placeText, pluralize, ratingTitle, triggerName, weightWords } from "../../model/words.ts";
import type { PlaceInReport } from "../../recheck/correct.ts";
import { auditFinding, findingsFirst } from "../../recheck/first-check.ts";
import {
  addressOf,
  askedRatings,
  groupReleases,
  isKnown,
  type Link,
  leadOf,
  strongestFirst,
} from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { type AskedRows, type Status, unansweredFirings } from "../status.ts";

/** The events, answers, due ratings and failed sources of a period: for messages, a page and a feed. Pure. */

export interface ReportNews extends AskedRows {
  readonly at: Instant;
  readonly status: Status;
  /** `https://github.com/owner/name`. */
  readonly repository?: string;
  readonly link?: Link;
  /** Finds lines in the report, if its text is known. */
  readonly inReport?: PlaceInReport;
}

/** A period: later than `after`, and not later than `until`. */
export interface DigestPeriod {
  readonly after: Instant;
  readonly until: Instant;
}

export interface DigestOptions {
  readonly most: number;
  /** Leaves out the names and words of people. */
  readonly isAnonymous?: boolean;
  /** Firings that the reader already got in a message: they are repeated only while undecided. */
  readonly mailed?: ReadonlySet<number>;
  /** Sources that failed in a past period (default: those that fail now). */
  readonly unseen?: readonly MessageItem[];
}

/** The parts of a digest that do not depend on the present. Empty sections are left out. */
export type Digest = Pick<Message, "title" | "sections">;

/** The digest of a period. If it lasts until now, it has all ratings that are due and all sources that fail. */
export function digestIn(
  period: DigestPeriod,
  news: ReportNews,
  { most, isAnonymous = false, mailed = new Set(), unseen }: DigestOptions,
): Digest {
  const { config, status, answers } = news;
  const isIn = (at: Instant) => at > period.after && at <= period.until;
  const isOver = period.until < news.at;
  const firings = news.firings.filter(({ fired, trigger }) => isIn(fired) && isKnown(trigger, config));
  const verdicts = answers.filter(({ at }) => isIn(at));
  const due = status.ratings.filter(({ level, at }) => level === "due" && (!isOver || isIn(at)));
  const unmailed = firings.filter(({ id }) => !mailed.has(id));
  const mailedOnce = unansweredFirings(firings, news.rechecks).filter(({ id }) => mailed.has(id));
  const [happenings, undecided] = [eventItems(unmailed, news), eventItems(mailedOnce, news)];
  const counts = [
    ...(happenings.length > 0 ? [pluralize(happenings.length, "event")] : []),
    ...(undecided.length > 0 ? [`${undecided.length} still to decide`] : []),
    ...(verdicts.length > 0 ? [pluralize(verdicts.length, "answer")] : []),
    ...(due.length > 0 ? [pluralize(due.length, "rating due", "ratings due")] : []),
  ];
  const answered = verdicts.map((answer) => ({
    says: answerText(answer, config, isAnonymous),
    link: issueLink(answer.recheck, news),
  }));
  const reviews = due.map(({ rating, at }) => ({
    says: `${ratingTitle(rating, config)}, since ${day(at)}`,
    page: pagePath("ratings", rating),
  }));
  const sections: readonly (readonly [heading: string, items: readonly MessageItem[]])[] = [
    ["Events", happenings],
    ["Still to decide", undecided],
    ["Answers", answered],
    ["Due for a review", reviews],
    [unseenHeading, unseen ?? unseenNow(news)],
  ];
  const from = day(period.after + 1);
  return {
    title: `${isOver ? `${from} to ${day(period.until)}` : `Since ${from}`}: ${counts.length > 0 ? enumerate(counts) : "nothing new"}`,
    sections: sections
      .filter(([, items]) => items.length > 0)
      .map(([heading, items]) => messageSection(heading, items, most)),
  };
}

export const unseenHeading = "Could not be checked";

export function eventItems(firings: readonly StoredFiring[], news: ReportNews): MessageItem[] {
  const headlines = groupReleases(findingsFirst(strongestFirst(firings), news.config)).map((firing) => ({
    firing,
    what: headline(firing, news.config).sentence,
    when: `${firing.trigger === builtIn.notFound ? "" : `${weightWords[firing.weight]}, `}seen ${day(firing.seen)}`,
  }));
  const events = Map.groupBy(headlines, ({ what, when }) => `${what} (${when}`);
  return [...events].map(([says, its]) => {
    const names = [...new Set(its.map(({ firing }) => triggerName(firing.trigger, news.config)))];
    const [link] = its.flatMap(({ firing }) => issueLink(firing.recheck, news) ?? []);
    const event = eventFields(
      its.map(({ firing }) => firing),
      news,
    );
    return { says: `${says}; ${enumerate(names)})`, link, event };
  });
}

function unseenNow({ status, config }: ReportNews): MessageItem[] {
  return status.unseen.map(({ source, trouble, gone, goneSince = trouble.since }) => ({
    says: `${config.sources.get(source)?.title ?? source}: ${gone ? "gone" : trouble.says}, since ${day(goneSince)}`,
    page: pagePath("sources", source),
  }));
}

function answerText(
  { rating, verdict, level, because, by }: StoredAnswer,
  config: Config,
  isAnonymous: boolean,
): string {
  const what = verdict === "keep" ? "kept" : `changed to ${level ?? "another level"}`;
  const whose = isAnonymous ? "" : ` by ${by}${because === undefined ? "" : `, because ${because}`}`;
  return `${ratingTitle(rating, config)}: ${what}${whose}`;
}

function issueLink(recheck: number | undefined, { rechecks, repository }: ReportNews): string | undefined {
  const number = rechecks.find(({ id }) => id === recheck)?.issue;
  return number === undefined || repository === undefined ? undefined : `${repository}/issues/${number}`;
}

export function messageSection(heading: string | undefined, all: readonly MessageItem[], most: number): MessageSection {
  const items = all.slice(0, most);
  return { heading, items, more: all.length - items.length };
}

const maxRatings = 12;
const maxText = 300;

export function eventFields(
  firings: readonly StoredFiring[],
  { config, link = addressOf, inReport }: Pick<ReportNews, "config" | "link" | "inReport">,
): EventFields | undefined {
  const [strongest] = strongestFirst(firings);
  const lead = strongest && leadOf(strongest);
  if (!lead) return undefined;
  const source = config.sources.get(lead.source);
  const claim = claimOf(lead.claim, config);
  const audited = auditFinding(lead.change);
  const place = inReport?.(source, claim, audited?.cited) ?? audited?.place;
  const { change } = lead;
  const isNotFound = change.kind === "claim" && change.to === "not found";
  const [before, after] = isNotFound ? [undefined, change.after] : (changedTexts(change) ?? []);
  const page = source && link(source, after === undefined ? undefined : { path: [], kind: "row", text: after });
  const cites = claim && claim.cites.length > 0 ? claim.cites : (source?.cites ?? []);
  return {
    weight: strongest.weight,
    seen: isoTime(strongest.seen),
    triggers: [...new Set(firings.map(({ trigger }) => oneLine(triggerName(trigger, config))))],
    ratings: askedRatings(firings, config)
      .slice(0, maxRatings)
      .map((id) => ({ id, name: ratingTitle(id, config), level: config.ratings.get(id)?.level ?? "" })),
    source: source && oneLine(source.title ?? source.id),
    ...(cites.length > 0 && { references: cites }),
    page,
    claim: lead.claim,
    sentence: claim && oneLine(claim.says, maxText),
    place: place && placeText(place),
    ...(before !== undefined && { before: oneLine(before, maxText) }),
    ...(after !== undefined && { after: oneLine(after, maxText) }),
  };
}
