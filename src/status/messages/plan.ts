import { digest } from "../../model/digest.ts";
import type { Channel, Message, MessageKind, MessageSection } from "../../model/message.ts";
import { isQuiet } from "../../model/message.ts";
import type { Config, Instant } from "../../model/model.ts";
import type { NewMessage, StoredAnswer, StoredFiring, StoredMessage, StoredRecheck } from "../../model/ports/index.ts";
import { aDay, day } from "../../model/time.ts";
import { counted, ratingTitle, triggerName } from "../../model/words.ts";
import { headline } from "../../recheck/issue/headline.ts";
import { isKnown, strongestFirst } from "../../recheck/issue/question.ts";
import { stateSentence } from "../sentence.ts";
import { type Status, unanswered } from "../status.ts";

/** Decides what is to be told to whom, from what is stored. Pure. */

/** Items of one section; nobody reads more in a message. */
const maxItems = 12;

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

/** The messages that are due on one channel, given those that it was sent before. In quiet hours none is. */
export function messagesDue(channel: Channel, before: readonly StoredMessage[], news: ReportNews): NewMessage[] {
  if (isQuiet(news.at, channel.quiet)) return [];
  return channel.tell.flatMap((kind) => (kind === "contrary" ? contrary : digestOf(kind))(channel, before, news));
}

/** All that speaks against the report, is not answered, and was not told here yet: one message for all of it. */
function contrary({ id: channel }: Channel, before: readonly StoredMessage[], news: ReportNews): NewMessage[] {
  const told = new Set(before.filter(({ message }) => message.kind === "contrary").flatMap(({ firings }) => firings));
  const fresh = unanswered(news.firings, news.rechecks).filter(
    ({ id, weight, trigger }) => weight === "contrary" && isKnown(trigger, news.config) && !told.has(id),
  );
  const [strongest, ...others] = strongestFirst(fresh);
  if (!strongest) return [];
  const firings = fresh.map(({ id }) => id).sort((a, b) => a - b);
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  const message: Message = {
    ...about(news),
    kind: "contrary",
    title: `${headline(strongest, news.config).sentence}${more}`,
    lead: `Seen ${day(strongest.seen)}${more}. ${stateSentence(news.status)}`,
    sections: [happened(fresh, news)],
  };
  return [{ channel, key: `contrary ${digest(firings).slice(0, 24)}`, planned: news.at, firings, message }];
}

/** One for each week or month, at the first chance in it; it tells of all since the one before, however long ago that was. */
function digestOf(kind: Exclude<MessageKind, "contrary">) {
  return ({ id: channel, quiet }: Channel, before: readonly StoredMessage[], news: ReportNews): NewMessage[] => {
    const key = `${kind} ${periodOf(kind, news.at, quiet?.zone ?? "UTC")}`;
    const earlier = before.filter((one) => one.key.startsWith(`${kind} `));
    if (earlier.some((one) => one.key === key)) return [];
    const since = earlier.at(-1)?.planned ?? news.at - (kind === "weekly" ? 7 : 31) * aDay;
    return [{ channel, key, planned: news.at, firings: [], message: digestSince(since, news) }];
  };
}

/** Tells what happened, what was answered, what is due, and what could not be seen, since a moment. */
export function digestSince(since: Instant, news: ReportNews): Message {
  const { config, status, answers } = news;
  const seen = news.firings.filter(({ fired, trigger }) => fired > since && isKnown(trigger, config));
  const given = answers.filter(({ at }) => at > since);
  const due = status.ratings.filter(({ level }) => level === "due");
  const counts = [counted(seen.length, "event"), counted(given.length, "answer")].join(" and ");
  return {
    ...about(news),
    kind: "digest",
    title: `Since ${day(since)}: ${counts}`,
    lead: stateSentence(status),
    sections: [
      { ...happened(seen, news), heading: "What happened" },
      section("What was answered", given, (answer) => ({
        says: answered(answer, config),
        ...issue(answer.recheck, news),
      })),
      section("What is due for a review", due, ({ rating, at }) => ({
        says: `${ratingTitle(rating, config)}, since ${day(at)}`,
      })),
      section("What could not be seen", status.unseen, ({ source, trouble, gone }) => ({
        says: `${config.sources.get(source)?.title ?? source}: ${gone ? "gone" : trouble.says}, since ${day(trouble.since)}`,
      })),
    ].filter(({ items }) => items.length > 0),
  };
}

function about({ config, repository, status }: ReportNews): Pick<Message, "report" | "link"> {
  const isAsked = status.open.length > 0 && repository !== undefined;
  const link = isAsked ? `${repository}/issues` : config.report.url;
  return { report: config.report.title, ...(link !== undefined && { link }) };
}

function happened(firings: readonly StoredFiring[], news: ReportNews): MessageSection {
  return section(undefined, strongestFirst(firings), (firing) => ({
    says: `${headline(firing, news.config).sentence} (${triggerName(firing.trigger, news.config)}, ${firing.weight}, seen ${day(firing.seen)})`,
    ...issue(firing.recheck, news),
  }));
}

function answered({ rating, verdict, level, because, by }: StoredAnswer, config: Config): string {
  const what = verdict === "keep" ? "kept" : `changed to ${level ?? "another level"}`;
  return `${ratingTitle(rating, config)}: ${what} by ${by}${because === undefined ? "" : `, because ${because}`}`;
}

function issue(recheck: number | undefined, { rechecks, repository }: ReportNews): { link?: string } {
  const number = rechecks.find(({ id }) => id === recheck)?.issue;
  return number === undefined || repository === undefined ? {} : { link: `${repository}/issues/${number}` };
}

function section<T>(
  heading: string | undefined,
  all: readonly T[],
  item: (one: T) => MessageSection["items"][number],
): MessageSection {
  const items = all.slice(0, maxItems).map(item);
  return { ...(heading !== undefined && { heading }), items, more: all.length - items.length };
}

/** The week (ISO 8601: `2026-W47`) or month (`2026-11`) of a moment, by the calendar of a zone. */
export function periodOf(kind: Exclude<MessageKind, "contrary">, at: Instant, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  const [date = ""] = /\d{4}-\d{2}-\d{2}/.exec(parts.format(at)) ?? [];
  if (kind === "monthly") return date.slice(0, 7);
  const midnight = Date.parse(date);
  const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
  // A week belongs to the year that has its Thursday.
  const thursday = new Date(midnight + (3 - weekday) * aDay);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * aDay));
  return `${year}-W${String(week).padStart(2, "0")}`;
}
