import { isoInstant } from "../../language/dates.ts";
import { digest } from "../../model/digest.ts";
import { outOfDateWords } from "../../model/finding.ts";
import { builtIn } from "../../model/firing.ts";
import type { Channel, Message, MessageKind } from "../../model/message.ts";
import { isQuiet } from "../../model/message.ts";
import type { NewMessage, StoredMessage } from "../../model/ports/index.ts";
import { aDay, day, type Instant, startOfDay } from "../../model/time.ts";
import { findingsFirst } from "../../recheck/first-check.ts";
import { isKnown, strongestFirst } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { stateSentence, unansweredFirings } from "../status.ts";
import { digestIn, eventItems, messageSection, type ReportNews, unseenHeading } from "./digest.ts";

/** Decides which messages each channel gets, from the store. Pure. */

type DigestKind = Exclude<MessageKind, "contrary">;

/** Most items in one section: people do not read more in a message. */
const maxItems = 12;

/** The messages that are due on a channel; empty in quiet hours. `before`: its earlier messages. */
export function messagesDue(channel: Channel, before: readonly StoredMessage[], news: ReportNews): NewMessage[] {
  if (isQuiet(news.at, channel.quiet)) return [];
  const contrary = channel.tell.includes("contrary") ? contraryMessage(channel, before, news) : [];
  const digests = channel.tell.filter((kind) => kind !== "contrary");
  return [...contrary, ...digests.flatMap((kind) => digestOf(kind, channel, before, news, contrary.length > 0))];
}

/** One message about all unanswered contrary firings and first-check findings that this channel has not got yet. */
function contraryMessage({ id: channel }: Channel, before: readonly StoredMessage[], news: ReportNews): NewMessage[] {
  const sentFirings = mailedIn(before);
  const fresh = unansweredFirings(news.firings, news.rechecks).filter(
    ({ id, weight, trigger }) =>
      (weight === "contrary" || trigger === builtIn.notFound) && isKnown(trigger, news.config) && !sentFirings.has(id),
  );
  const [strongest] = findingsFirst(strongestFirst(fresh), news.config);
  if (!strongest) return [];
  const firings = fresh.map(({ id }) => id).sort((a, b) => a - b);
  const items = eventItems(fresh, news);
  const isOfFirstCheck = items.length > 1 && fresh.every(({ trigger }) => trigger === builtIn.notFound);
  const more = items.length > 1 && !isOfFirstCheck ? `, and ${items.length - 1} more` : "";
  const what = isOfFirstCheck ? outOfDateWords(items.length) : headline(strongest, news.config).sentence;
  const message: Message = {
    ...reportLink(news),
    kind: "contrary",
    title: `${what}${more}`,
    lead: `Seen ${day(strongest.seen)}. ${stateSentence(news.status)}`,
    sections: [messageSection(undefined, items, maxItems)],
  };
  return [{ channel, key: `contrary ${digest(firings).slice(0, 24)}`, planned: news.at, firings, message }];
}

function mailedIn(before: readonly StoredMessage[]): ReadonlySet<number> {
  return new Set(before.filter(({ message }) => message.kind === "contrary").flatMap(({ firings }) => firings));
}

/**
 * Plans a digest for each week or month, as early as possible in it. It covers everything since the last digest that was
 * sent. The first one of a channel is empty if a message of the same moment says the same.
 */
function digestOf(
  kind: DigestKind,
  { id: channel, quiet }: Channel,
  before: readonly StoredMessage[],
  news: ReportNews,
  isNew: boolean,
): NewMessage[] {
  const key = `${kind} ${periodOf(kind, news.at, quiet?.zone ?? "UTC")}`;
  // A digest planned for the future came from a wrong clock.
  const earlier = before.filter((one) => one.key.startsWith(`${kind} `) && one.planned <= news.at);
  if (earlier.some((one) => one.key === key)) return [];
  const sent = earlier.findLast((one) => one.state === "sent" || one.state === "unheard" || isEmpty(one));
  const since = sent?.planned ?? (earlier[0]?.planned ?? news.at) - (kind === "weekly" ? 7 : 31) * aDay;
  const message = digestSince(since, mailedIn(before), news);
  const planned = isNew && earlier.length === 0 ? { ...message, sections: [] } : message;
  return [{ channel, key, planned: news.at, firings: [], message: planned }];
}

function isEmpty({ message }: StoredMessage): boolean {
  return message.kind === "digest" && message.sections?.length === 0;
}

/** Digests that are not sent: they are empty, or a later one of their kind covers the same events. `messages`: oldest first. */
export function needlessDigests(messages: readonly StoredMessage[]): StoredMessage[] {
  const isDigest = ({ message }: StoredMessage) => message.kind === "digest";
  const kindOf = ({ key }: StoredMessage) => key.split(" ")[0];
  return messages.filter(
    (message, i) =>
      isDigest(message) &&
      message.state === "waiting" &&
      (isEmpty(message) ||
        messages
          .slice(i + 1)
          .some((later) => isDigest(later) && later.channel === message.channel && kindOf(later) === kindOf(message))),
  );
}

function digestSince(since: Instant, mailed: ReadonlySet<number>, news: ReportNews): Message {
  const digest = digestIn({ after: since, until: news.at }, news, { most: maxItems, mailed });
  const isFailing = news.status.unseen.some(({ trouble }) => trouble.since > since);
  const isNews = digest.sections.some(({ heading }) => heading !== unseenHeading) || isFailing;
  // Sources that failed before are in the digest of that time.
  return {
    ...reportLink(news),
    kind: "digest",
    ...digest,
    ...(!isNews && { sections: [] }),
    lead: stateSentence(news.status),
  };
}

function reportLink({ config, repository, status }: ReportNews): Pick<Message, "report" | "link"> {
  const isAsked = status.open.length > 0 && repository !== undefined;
  const link = isAsked ? `${repository}/issues` : config.report.url;
  return { report: config.report.title, link };
}

/** The week (ISO 8601: `2026-W47`) or month (`2026-11`) of a time, in a time zone. */
export function periodOf(kind: DigestKind, at: Instant, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  const [date = ""] = /\d{4}-\d{2}-\d{2}/.exec(parts.format(at)) ?? [];
  return kind === "monthly" ? date.slice(0, 7) : weekName(mondayOf(isoInstant(date)));
}

export function mondayOf(at: Instant): Instant {
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return startOfDay(at) - weekday * aDay;
}

/** `2026-W47`: a week belongs to the year of its Thursday. */
export function weekName(monday: Instant): string {
  const thursday = monday + 3 * aDay;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * aDay));
  return `${year}-W${String(week).padStart(2, "0")}`;
}
