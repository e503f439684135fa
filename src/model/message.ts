import type { Instant } from "./time.ts";

/** Channels to people outside GitHub, and the messages sent through them. Pure. */

export const channelKinds = ["webhook", "slack", "discord", "teams", "email"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** *contrary*: at once, if something is against the report. *weekly*, *monthly*: one digest for each week or month. */
export const messageKinds = ["contrary", "weekly", "monthly"] as const;
export type MessageKind = (typeof messageKinds)[number];

/** One channel. Its address is only in the environment, in the variable that `channelVariable` names. */
export interface Channel {
  readonly id: string;
  readonly by: ChannelKind;
  readonly tell: readonly MessageKind[];
  readonly quiet?: QuietHours;
}

/** From one minute of the day to another, past midnight if `to` is smaller. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
  /** From the IANA database: `Europe/Berlin`. */
  readonly zone: string;
}

/** The variable with a channel's address: `RECHECK_NOTIFY_TEAM`. */
export function channelVariable(id: string): string {
  return `RECHECK_NOTIFY_${id.toUpperCase().replaceAll("-", "_")}`;
}

export function isQuiet(at: Instant, quiet: QuietHours | undefined): boolean {
  if (!quiet) return false;
  const { from, to, zone } = quiet;
  const now = minuteOfDay(at, zone);
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

function minuteOfDay(at: Instant, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const of = (type: "hour" | "minute") => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return of("hour") * 60 + of("minute");
}

/** A message, before it gets the format of its channel. All texts are plain, and some come from sources. */
export interface Message {
  readonly kind: "contrary" | "digest" | "test";
  readonly report: string;
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly MessageSection[];
  /** The address of the full text. */
  readonly link?: string;
}

export interface MessageSection {
  readonly heading?: string;
  readonly items: readonly MessageItem[];
  /** Items left out for lack of room. */
  readonly more: number;
}

export interface MessageItem {
  readonly says: string;
  readonly link?: string;
  /** The published page about it: its path in the published folder. */
  readonly page?: string;
  readonly event?: EventFields;
}

/** An event in fields: for programs, and for the lines below it. */
export interface EventFields {
  readonly weight: "routine" | "contrary";
  /** RFC 3339. */
  readonly seen: string;
  /** Names of the triggers that it fired. */
  readonly triggers: readonly string[];
  readonly ratings: readonly { readonly id: string; readonly name: string; readonly level: string }[];
  /** The name of its source, the numbers that cite it, and its address, at the passage if there is one. */
  readonly source?: string;
  readonly references?: readonly number[];
  readonly page?: string;
  readonly claim?: string;
  readonly sentence?: string;
  /** The line of the report: `README.md:16`. */
  readonly place?: string;
  readonly before?: string;
  readonly after?: string;
}

/** The fields that people read below an event, each with its label. */
export function eventLines({
  sentence,
  place,
  before,
  after,
  ratings,
  page,
}: EventFields): [label: string, text: string][] {
  const lines: [string, string | undefined][] = [
    ["The report says", sentence],
    ["In the report", place],
    ["Before", before],
    ["Now", after ?? (before === undefined ? undefined : "not there any more")],
    ["Ratings", ratings.map(({ name, level }) => (level === "" ? name : `${name}: ${level}`)).join(", ") || undefined],
    ["Page", page],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}
