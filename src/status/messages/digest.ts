import type { Config } from "../../model/config.ts";
import type { Message, MessageItem, MessageSection } from "../../model/message.ts";
import type { StoredAnswer, StoredFiring, StoredRecheck } from "../../model/ports/index.ts";
import { day, type Instant } from "../../model/time.ts";
import { counted, listed, ratingTitle, triggerName } from "../../model/words.ts";
import { isKnown, strongestFirst, toldTogether } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { Status } from "../status.ts";

/**
 * Tells what happened, what was answered, what is due and what could not be seen: in messages, on a page and in a feed.
 * Pure.
 */

export interface ReportNews {
  readonly at: Instant;
  readonly config: Config;
  readonly status: Status;
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly answers: readonly StoredAnswer[];
  /** `https://github.com/owner/name`. */
  readonly repository?: string;
}

/** A stretch of time: later than `after`, and no later than `until`. */
export interface Stint {
  readonly after: Instant;
  readonly until: Instant;
}

/** The length of a digest, and what is not stored for later. */
export interface DigestOptions {
  /** Items of one section, at most. */
  readonly most: number;
  /** Leaves out the names and words of people. */
  readonly isAnonymous?: boolean;
  /** Sources that could not be seen in a past time; else those that cannot be seen now. */
  readonly unseen?: readonly MessageItem[];
}

/** The part of a digest that stays true after its time. Sections without items are left out. */
export type Digest = Pick<Message, "title" | "sections">;

/**
 * Tells what a time brought, from what is stored; what is due and unseen is told as of now, unless the time is past.
 */
export function digestIn(stint: Stint, news: ReportNews, { most, isAnonymous = false, unseen }: DigestOptions): Digest {
  const { config, status, answers } = news;
  const isIn = (at: Instant) => at > stint.after && at <= stint.until;
  const isOver = stint.until < news.at;
  const seen = news.firings.filter(({ fired, trigger }) => isIn(fired) && isKnown(trigger, config));
  const given = answers.filter(({ at }) => isIn(at));
  const due = status.ratings.filter(({ level, at }) => level === "due" && (!isOver || isIn(at)));
  const happenings = happened(seen, news);
  const counts = [counted(happenings.length, "event"), counted(given.length, "answer")].join(" and ");
  const from = day(stint.after + 1);
  return {
    title: `${isOver ? `${from} to ${day(stint.until)}` : `Since ${from}`}: ${counts}`,
    sections: [
      messageSection("What happened", happenings, most),
      messageSection(
        "What was answered",
        given.map((answer) => ({ says: answered(answer, config, isAnonymous), ...issue(answer.recheck, news) })),
        most,
      ),
      messageSection(
        "What is due for a review",
        due.map(({ rating, at }) => ({ says: `${ratingTitle(rating, config)}, since ${day(at)}` })),
        most,
      ),
      messageSection("What could not be seen", unseen ?? unseenNow(news), most),
    ].filter(({ items }) => items.length > 0),
  };
}

/** Each event once, whoever asks about it, the strongest first. */
export function happened(firings: readonly StoredFiring[], news: ReportNews): MessageItem[] {
  const told = toldTogether(strongestFirst(firings)).map((firing) => ({
    firing,
    what: headline(firing, news.config).sentence,
    when: `${firing.weight}, seen ${day(firing.seen)}`,
  }));
  const events = Map.groupBy(told, ({ what, when }) => `${what} (${when}`);
  return [...events].map(([says, its]) => {
    const names = [...new Set(its.map(({ firing }) => triggerName(firing.trigger, news.config)))];
    const links = its.map(({ firing }) => issue(firing.recheck, news)).filter(({ link }) => link !== undefined);
    return { says: `${says}; ${listed(names)})`, ...links[0] };
  });
}

function unseenNow({ status, config }: ReportNews): MessageItem[] {
  return status.unseen.map(({ source, trouble, gone, goneSince = trouble.since }) => ({
    says: `${config.sources.get(source)?.title ?? source}: ${gone ? "gone" : trouble.says}, since ${day(goneSince)}`,
  }));
}

function answered({ rating, verdict, level, because, by }: StoredAnswer, config: Config, isAnonymous: boolean): string {
  const what = verdict === "keep" ? "kept" : `changed to ${level ?? "another level"}`;
  const whose = isAnonymous ? "" : ` by ${by}${because === undefined ? "" : `, because ${because}`}`;
  return `${ratingTitle(rating, config)}: ${what}${whose}`;
}

function issue(recheck: number | undefined, { rechecks, repository }: ReportNews): { link?: string } {
  const number = rechecks.find(({ id }) => id === recheck)?.issue;
  return number === undefined || repository === undefined ? {} : { link: `${repository}/issues/${number}` };
}

/** The first items, and how many more there are. */
export function messageSection(heading: string | undefined, all: readonly MessageItem[], most: number): MessageSection {
  const items = all.slice(0, most);
  return { ...(heading !== undefined && { heading }), items, more: all.length - items.length };
}
