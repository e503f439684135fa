import type { Instant } from "./time.ts";

/** Channels to people outside GitHub, and the messages sent through them. Pure. */

export const channelKinds = ["webhook", "slack", "discord", "teams", "email"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** *contrary*: as soon as something speaks against the report. *weekly*, *monthly*: one digest for each week or month. */
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
  /** Of the IANA database: `Europe/Berlin`. */
  readonly zone: string;
}

/** The variable with a channel's address: `RECHECK_NOTIFY_TEAM`. */
export function channelVariable(id: string): string {
  return `RECHECK_NOTIFY_${id.toUpperCase().replaceAll("-", "_")}`;
}

/** Whether this moment is within quiet hours. */
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
  readonly kind: "contrary" | "digest";
  /** The report's own title. */
  readonly report: string;
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly MessageSection[];
  /** Where to read all of it. */
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
}
