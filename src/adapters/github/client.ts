import { createPrivateKey } from "node:crypto";
import { App, Octokit } from "octokit";
import * as z from "zod";
import { isoInstant } from "../../language/dates.ts";
import { makeOnce } from "../../model/cache.ts";
import { type InTurn, turns } from "../../model/concurrency.ts";
import { Failure } from "../../model/failure.ts";
import { type Clock, GitHubProblem, type Sending } from "../../model/ports/index.ts";
import { aMinute, anHour, aSecond, type Duration } from "../../model/time.ts";
import { failureOfFetch } from "../fetch/exchange.ts";
import { keepSecret } from "../secrets.ts";
import type { GitHubOptions } from "./index.ts";

const maxRequestTime: Duration = 30_000;
/** How long a running write may still take after the order to stop. */
const maxLastWrite: Duration = 5_000;

type ClientOptions = Pick<GitHubOptions, "baseUrl" | "log" | "fetch" | "patience" | "group" | "hangUp" | "onQuota"> & {
  readonly spaced?: boolean;
  /** Returns the token for a request when its turn comes: a waiting request may outlive a token. */
  readonly token?: () => Promise<string>;
};

/** An Octokit that paces its requests, writes to the given log, and limits the time of each request. */
export function client(options: ClientOptions): typeof Octokit {
  const { baseUrl, log, group = "all", patience = true, spaced = true, hangUp, token } = options;
  const paceRequests = ({ hook }: Pick<Octokit, "hook">) =>
    hook.wrap("request", (ask, request) => {
      const send = async () => {
        if (token) request.headers.authorization = `token ${await token()}`;
        await aboutToSend(request.request, hangUp);
        return await ask(request);
      };
      return patience && spaced ? inTurn(group, request, send, hangUp) : send();
    });
  const quiet = () => {};
  return Octokit.plugin(paceRequests).defaults((defaults: object) => ({
    ...defaults,
    userAgent: "recheck",
    ...(baseUrl ? { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, "") } : {}),
    log: log ?? { debug: quiet, info: quiet, warn: quiet, error: quiet },
    request: { fetch: timedFetch(options) },
    // Octokit's own throttling uses the time of day: after the clock was wrong, it would wait until that time.
    throttle: { enabled: false },
    retry: { enabled: patience, doNotRetry },
  })) as typeof Octokit;
}

/** A request was not sent because the step before it failed, which is its cause. */
export class NotSent extends Error {}

/** Runs the step right before a request is sent, unless requests have ended. @throws NotSent */
async function aboutToSend(asked: object, hangUp: AbortSignal | undefined): Promise<void> {
  const { sending }: { readonly sending?: Sending } = asked;
  if (!sending) return;
  hangUp?.throwIfAborted();
  await sending().catch((cause: unknown) => {
    throw new NotSent("it was not sent", { cause });
  });
}

/** A timeout, with the one error name that Octokit does not retry: three more tries would take minutes. */
class TimedOut extends Failure {
  override name = "AbortError";

  constructor(after: Duration) {
    super("timeout", { after });
  }
}

/** Statuses that an immediate retry would not change. 429 asks for a pause. */
const doNotRetry = [400, 401, 403, 404, 410, 422, 429, 451];

/** A `fetch` that ends each request in time, and all of them, with their retries, once `hangUp` is aborted. */
function timedFetch({ fetch: send = fetch, hangUp, onQuota, group = "all" }: ClientOptions): typeof fetch {
  const lastWrite = hangUp && abortLater(hangUp, maxLastWrite);
  return async (input, init) => {
    hangUp?.throwIfAborted();
    const over = (init?.method ?? "GET") === "GET" ? hangUp : lastWrite;
    const deadline = { signal: AbortSignal.timeout(maxRequestTime), after: maxRequestTime };
    const ends = [deadline.signal, ...(over ? [over] : [])];
    const response = await send(input, { ...init, signal: AbortSignal.any(ends) }).catch((error: unknown) => {
      const failed = failureOfFetch(error, [], deadline);
      throw failed instanceof Failure && failed.kind === "timeout" ? new TimedOut(Number(failed.facts.after)) : failed;
    });
    const [left, until] = ["remaining", "reset"].map((name) => response.headers.get(`x-ratelimit-${name}`));
    if (left && until) onQuota?.(Number(left), Number(until) * 1_000, group);
    return response;
  };
}

/** A signal that is aborted `wait` after another one. */
function abortLater(signal: AbortSignal, wait: Duration): AbortSignal {
  const controller = new AbortController();
  const begin = () => setTimeout(() => controller.abort(), wait).unref();
  signal.addEventListener("abort", begin, { once: true });
  return controller.signal;
}

export type Auth =
  | { readonly token: string }
  | {
      readonly appId: number | string;
      readonly privateKey: string;
      readonly installationId?: number;
      readonly repositoryId?: number;
    };

export interface Credentials {
  token(): Promise<string>;
  /** Notes that the last token was rejected, so that a new one is requested next time. */
  forget(): void;
  /** The login under which an App writes, `name[bot]`; unknown for a token. */
  login?(): Promise<string>;
}

/** An installation's token lives for an hour; it is not used in its last minutes. */
const margin = 5 * aMinute;

const installed = z.object({ id: z.number() });
const described = z.object({ slug: z.string().min(1) });
const minted = z.object({ token: z.string().min(1), expires_at: z.string() });

/** `repo`: the one repository that a token reaches; without one, a token reaches all of the installation. */
export function credentials(
  auth: Auth,
  repo: string | undefined,
  options: ClientOptions & { readonly clock: Clock },
): Credentials {
  if ("token" in auth) return { token: async () => auth.token, forget: () => {} };
  const { clock } = options;
  const { repositoryId } = auth;
  const privateKey = pemOf(auth.privateKey);
  /** Made for each of the few requests that need it, as it takes much memory. They have a turn already. */
  const app = () => new App({ appId: auth.appId, privateKey, Octokit: client({ ...options, spaced: false }) }).octokit;
  let installation = auth.installationId;
  let current: { token: string; until: number } | undefined;
  let pending: Promise<string> | undefined;
  let login: string | undefined;

  async function mint(): Promise<string> {
    if (!isPrivateKey(privateKey)) throw new GitHubProblem("unauthorized", "the App's private key is no key in PEM");
    const [owner = "", name = ""] = repo?.split("/") ?? [];
    if (installation === undefined) {
      const { data } = await app().request("GET /repos/{owner}/{repo}/installation", { owner, repo: name });
      installation = installed.parse(data).id;
    }
    const { data } = await app().request("POST /app/installations/{installation_id}/access_tokens", {
      installation_id: installation,
      ...(repo !== undefined &&
        (repositoryId === undefined ? { repositories: [name] } : { repository_ids: [repositoryId] })),
    });
    const { token, expires_at } = minted.parse(data);
    keepSecret(token, true);
    current = { token, until: Math.min(isoInstant(expires_at), clock.now() + anHour) - margin };
    return token;
  }

  return {
    async token() {
      if (current && clock.now() < current.until) return current.token;
      pending ??= mint().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    forget: () => {
      current = undefined;
    },
    async login() {
      login ??= `${described.parse((await app().request("GET /app")).data).slug}[bot]`;
      return login;
    },
  };
}

export function writerOf(auth: Auth): string {
  return "appId" in auth ? `App ${auth.appId}` : "token";
}

/** A key from an environment variable, in which line breaks may be written as `\n`. */
export function pemOf(key: string): string {
  return key.replaceAll("\\n", "\n");
}

/** Whether the key can sign. Only GitHub knows whether it belongs to the App. */
export function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/**
 * Paces the requests of a group as GitHub asks: few at once, a pause between writes, and a longer one between those that notify
 * people. Pauses use the monotonic clock, so that a corrected time of day prolongs none.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */

const maxAtOnce = 10;
const betweenWrites: Duration = aSecond;
const betweenNotices: Duration = 3 * aSecond;
/** The longest time until a waiting write learns that the program stops, as its turn may be minutes away. */
const maxUnheard: Duration = aSecond;

const isNotice = /\/(?:issues|pulls|comments)$/;

interface Lane {
  readonly turn: InTurn;
  /** When the next request of this kind may begin, on the monotonic clock. */
  readonly opens: { writes: number; notices: number };
}

const lanes = new Map<string, Lane>();

/** Sends a request, named by its route, when it is its turn; not if `hangUp` is aborted before. */
export async function inTurn<T>(
  group: string,
  { method, url }: { readonly method: string; readonly url: string },
  ask: () => T | Promise<T>,
  hangUp?: AbortSignal,
): Promise<T> {
  const lane = makeOnce(lanes, group, () => ({ turn: turns(maxAtOnce), opens: { writes: 0, notices: 0 } }));
  if (method !== "GET" && method !== "HEAD") {
    await waitForLane(lane, "writes", betweenWrites, hangUp);
    if (method === "POST" && isNotice.test(url)) await waitForLane(lane, "notices", betweenNotices, hangUp);
  }
  using _turn = await lane.turn();
  return await ask();
}

/**
 * Waits until the next request of this kind may begin. @throws Error if the program was suspended meanwhile, or its
 * machine slept, which also stops the monotonic clock: another process that took it for dead may have written the same
 */
async function waitForLane(
  { opens }: Lane,
  of: keyof Lane["opens"],
  pause: Duration,
  hangUp: AbortSignal | undefined,
): Promise<void> {
  const [now, day] = [performance.now(), Date.now()];
  const at = Math.max(now, opens[of]);
  opens[of] = at + pause;
  for (let left = at - now; left > 0; left = at - performance.now()) {
    hangUp?.throwIfAborted();
    await new Promise<void>((open) => setTimeout(open, Math.min(left, maxUnheard)));
  }
  const passed = Math.max(performance.now() - now, Date.now() - day);
  if (passed > at - now + aMinute) throw new Error("the program was suspended before it wrote to GitHub");
}
