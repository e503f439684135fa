import { type Channel, isQuiet } from "../../model/message.ts";
import type { Courier, MessageChange, SendOutcome, StoredMessage } from "../../model/ports/index.ts";
import { aDay, aMinute, anHour, type Duration, hasCome, type Instant } from "../../model/time.ts";
import { type PlaceInReport, placesIn } from "../../recheck/correct.ts";
import type { Outbox } from "../../recheck/run.ts";
import { readStored, status } from "../status.ts";
import { messagesDue, needlessDigests } from "./plan.ts";

/** Sends the messages that are due, each once: a message is stored before its first try, and a try before its request. */

export interface MessageRun extends Pick<Outbox, "config" | "store" | "clock" | "link" | "files" | "stopped"> {
  readonly courier: Courier;
  readonly repository?: string | undefined;
}

export interface SendReport {
  readonly sent: readonly { readonly channel: string; readonly title: string }[];
  readonly problems: readonly { readonly channel: string; readonly says: string; readonly next?: Instant }[];
}

/** Pauses after failed tries: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const pauses: readonly Duration[] = [
  ...[5_000, 5 * aMinute, 30 * aMinute, 2 * anHour, 5 * anHour, 10 * anHour, 14 * anHour, 20 * anHour],
  ...[aDay, aDay],
];
const longestPause: Duration = 3 * aDay;

/** Plans the messages that are due, and sends all waiting ones, each channel in order. A failing receiver never throws. */
export async function sendMessages(sending: MessageRun): Promise<SendReport> {
  const { config, courier } = sending;
  const result = { sent: [] as SendReport["sent"][number][], problems: [] as SendReport["problems"][number][] };
  if (config.channels.size === 0) return result;
  const ready = [...config.channels.values()].filter((channel) => {
    const says = courier.unready(channel);
    if (says !== undefined) result.problems.push({ channel: channel.id, says });
    return says === undefined;
  });
  await plan(ready, sending);
  const waiting = (await sending.store.messages()).filter(({ state }) => state === "waiting");
  for (const channel of ready) {
    // In order: a message that cannot be sent yet holds back the later ones.
    for (const message of waiting.filter((one) => one.channel === channel.id)) {
      const now = sending.clock.now();
      if (sending.stopped?.() || isQuiet(now, channel.quiet) || !hasCome(message.next, now, longestPause)) break;
      const change = await tryOnce(message, channel, sending);
      if (change.state === "sent") result.sent.push({ channel: channel.id, title: message.message.title });
      else
        result.problems.push({
          channel: channel.id,
          says: change.says ?? "not sent",
          ...(change.state === "waiting" && { next: change.next }),
        });
      if (change.state === "waiting") break;
    }
  }
  return result;
}

async function plan(channels: readonly Channel[], sending: MessageRun): Promise<void> {
  const { config, store, clock, repository, link, files } = sending;
  const at = clock.now();
  const before = await store.messages();
  const stored = await readStored(store);
  const news = { ...stored, at, config, status: await status(config, store, at, stored), repository, link };
  const dueWith = (inReport?: PlaceInReport) =>
    channels.flatMap((channel) => {
      const channelMessages = before.filter((message) => message.channel === channel.id);
      return messagesDue(channel, channelMessages, { ...news, inReport });
    });
  // The report is read only if there is a message about it.
  const isDue = dueWith().length > 0;
  if (isDue) await store.addMessages(dueWith(placesIn((await files?.())?.text, link)));
  // Includes messages from an interrupted run.
  for (const { id } of needlessDigests(await store.messages())) {
    await store.updateMessage(id, { state: "dead", attempted: undefined, says: undefined });
  }
}

/** Stores the try, sends, and stores the outcome; without a stored outcome, the message counts as unheard. */
async function tryOnce(
  { id, attempted, tries, planned, message }: StoredMessage,
  channel: Channel,
  { store, clock, courier }: MessageRun,
): Promise<MessageChange> {
  let result: SendOutcome = { kind: "unheard", says: "Recheck ended while it was being sent" };
  // A webhook receiver recognises a message by its id, and accepts it once.
  if (attempted === undefined || channel.by === "webhook") {
    await store.updateMessage(id, { attempted: clock.now() });
    result = await courier.send(channel, message, `msg_${channel.id}_${id}_${planned}`);
  }
  const change = outcomeOf(result, { tries, isKnownById: channel.by === "webhook" }, clock.now());
  await store.updateMessage(id, change);
  return change;
}

function outcomeOf(
  result: SendOutcome,
  { tries, isKnownById }: { tries: number; isKnownById: boolean },
  now: Instant,
): MessageChange {
  const ended = { attempted: undefined, tries: tries + 1 };
  if (result.kind === "sent") return { ...ended, state: "sent", says: result.says };
  const { says } = result;
  if (result.kind === "gone") return { ...ended, state: "dead", says };
  if (result.kind === "unheard" && !isKnownById) return { ...ended, state: "unheard", says };
  const pause = pauses[tries];
  if (pause === undefined) return { ...ended, state: "dead", says: `${says}; given up after ${tries + 1} tries` };
  const asked = result.kind === "refused" ? (result.wait ?? 0) : 0;
  return { ...ended, state: "waiting", says, next: now + Math.max(pause, Math.min(asked, longestPause)) };
}
