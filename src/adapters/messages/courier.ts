import { createHmac } from "node:crypto";
import { Failure } from "../../model/failure.ts";
import { type Channel, channelVariable, type Message } from "../../model/message.ts";
import type { Clock, Courier, SendOutcome } from "../../model/ports/index.ts";
import { isoTime } from "../../model/time.ts";
import type { FetchSettings } from "../fetch/index.ts";
import { retryAfter } from "../fetch/refusals.ts";
import { discordMessage, slackMessage, teamsMessage } from "./formats.ts";
import { createMailer } from "./mail.ts";
import { createPost, outcomeWords, type Post, type PostRequest } from "./post.ts";

export interface CourierSettings
  extends Pick<FetchSettings, "clock" | "allowAddresses" | "proxy" | "lookup" | "timeout"> {
  readonly userAgent: string;
  readonly receivers: Receivers;
}

/** The addresses of channels, from the environment: the only place with their addresses and secrets. */
export interface Receivers {
  /** `RECHECK_NOTIFY_…`, by the variables' names. */
  readonly places: Readonly<Record<string, string>>;
  /** `smtps://user:password@host`, and the sender. */
  readonly smtpUrl?: string;
  readonly smtpFrom?: string;
}

/** Sends messages by HTTP and SMTP. Addresses are checked like those of sources. */
export function createCourier(settings: CourierSettings): Courier {
  const { places } = settings.receivers;
  const post = createPost(settings);
  const mailer = createMailer(settings);
  const place = ({ id }: Channel) => places[channelVariable(id)] ?? "";
  return {
    unready(channel) {
      const name = channelVariable(channel.id);
      if (place(channel) === "") return `${name} is not set in the environment: nothing is sent`;
      if (channel.by === "email") return mailer.unready(place(channel), name);
      const { protocol = "" } = URL.parse(place(channel)) ?? {};
      if (!/^https?:$/.test(protocol)) return `${name} is not an http or https address: nothing is sent`;
      if (channel.by === "webhook" && !keyOf(places[`${name}_SECRET`])) {
        return `${name}_SECRET is not set to a secret that begins with whsec_: nothing is sent`;
      }
      return undefined;
    },
    async send(channel, message, id) {
      if (channel.by === "email") return await mailer.send(place(channel), message, id);
      const secret = places[`${channelVariable(channel.id)}_SECRET`];
      return await outcomeOfPost(
        post,
        new URL(place(channel)),
        request(channel, message, { id, secret, clock: settings.clock }),
        settings.clock,
      );
    },
    close: () => post.close(),
  };
}

interface Signing {
  readonly id: string;
  readonly secret: string | undefined;
  readonly clock: Clock;
}

function request(channel: Channel, message: Message, signing: Signing): PostRequest {
  if (channel.by === "webhook") return signatureHeaders(message, signing);
  const forms = { slack: slackMessage, discord: discordMessage, teams: teamsMessage };
  const form = forms[channel.by as keyof typeof forms];
  return { body: JSON.stringify(form(message)), headers: {} };
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
function signatureHeaders(message: Message, { id, secret, clock }: Signing): PostRequest {
  const { kind, ...data } = message;
  const at = clock.now();
  const body = JSON.stringify({ type: `recheck.${kind}`, timestamp: isoTime(at), data });
  const seconds = String(Math.floor(at / 1_000));
  const key = keyOf(secret) ?? Buffer.alloc(0);
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    body,
    headers: { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` },
  };
}

/** 24 to 64 random bytes, in base64 behind `whsec_`. */
function keyOf(secret: string | undefined): Buffer | undefined {
  const [, text = ""] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret?.trim() ?? "") ?? [];
  const key = Buffer.from(text, "base64");
  return key.length >= 24 ? key : undefined;
}

/** Failures that prove that nothing was delivered. */
const before: readonly string[] = ["refused-address", "dns", "connect", "tls", "deferred"];

async function outcomeOfPost(post: Post, url: URL, request: PostRequest, clock: Clock): Promise<SendOutcome> {
  try {
    const { status, headers } = await post.send(url, request);
    if (status >= 200 && status < 300) return { kind: "sent" };
    if (status === 410) return { kind: "gone", says: "the receiver answered 410: it accepts no more messages" };
    const redirected = status >= 300 && status < 400 ? "; redirects are not followed" : "";
    const wait = retryAfter(headers["retry-after"], clock.now());
    return { kind: "refused", says: `the receiver answered ${status}${redirected}`, wait };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The address is a secret, so the failure is described without it.
    return { kind: before.includes(error.kind) ? "refused" : "unheard", says: `the receiver: ${outcomeWords(error)}` };
  }
}
