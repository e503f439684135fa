import { digestOf } from "../../model/digest.ts";
import { Failure } from "../../model/failure.ts";
import type { Clock, Place, Validators } from "../../model/ports/index.ts";
import { aSecond, type Duration } from "../../model/time.ts";
import { refreshOf } from "../../read/html/refresh.ts";
import { checkUrl, type Ranges } from "./address.ts";
import { Cookies } from "./cookies.ts";
import { type Budget, bodyOf, exchange, type Headers, type Raw } from "./exchange.ts";
import type { GitHubAccess, Pass } from "./github.ts";
import type { Coming, Intake } from "./intake.ts";
import type { Lane, Pace } from "./pace.ts";
import { isChallenge, refusal, requestedPause, shortRest } from "./refusals.ts";
import type { Routes } from "./routes.ts";

interface Target {
  readonly start: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly validators?: Validators;
  readonly pass?: Pass;
  readonly pause?: Duration;
  /** Statuses besides 2xx that are answers. */
  readonly answers?: readonly number[];
  readonly limits: { readonly wire: number; readonly body: number; readonly cut?: boolean };
  /** Asked before each hop; returns the pause that its site asks for. */
  readonly before?: (url: URL) => Promise<Duration>;
  /** A request that another one needs and that follows at once. */
  readonly prelude?: true;
  /** The place that it takes while it is sent and answered. */
  readonly place?: Place;
}

/** The address at which the redirects ended, and its answer. */
export type Arrival = { readonly url: URL; readonly headers: Headers; readonly digest?: string } & (
  | { readonly kind: "not-modified"; readonly moved: boolean }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: Buffer;
      readonly cut: boolean;
      /** Whether there were redirects, and all were permanent. */
      readonly moved: boolean;
    }
);

export interface Means {
  readonly clock: Clock;
  readonly allowed?: Ranges;
  readonly routes: Routes;
  readonly pace: Pace;
  readonly intake: Intake;
  readonly github: GitHubAccess;
  /** Milliseconds on the wire, for all hops together. */
  readonly timeout: Duration;
}

/** The answer of one hop. `asked`: with validators; `wait`: the pause granted to the host. */
type Hop = Raw & { readonly asked: boolean; readonly wait?: Duration };

interface Onward {
  readonly next: URL;
  readonly permanent: boolean;
  readonly part: boolean;
}

const maxRedirects = 10;

/** Follows redirects, each guarded, paced and counted. @throws Failure, also if they lead from a page to a home page */
export async function follow(means: Means, target: Target): Promise<Arrival> {
  let url = target.start;
  let pass = target.pass;
  let way = { permanent: true, part: false };
  const cookies = new Cookies();
  const budget = { whole: means.timeout, left: means.timeout };
  for (let hops = 0; ; hops++) {
    checkUrl(url, means.allowed);
    const pause = Math.max(target.pause ?? 0, (await target.before?.(url)) ?? 0);
    const coming = means.intake.coming();
    try {
      const hop = await visit(means, { ...target, pause }, { url, pass, coming, cookies }, budget);
      const moved = hops > 0 && way.permanent && url.href !== target.start.href;
      const onward = redirect(hop, url, target.answers);
      const arrival = onward ?? (await arrivalOf(hop, target, { url, pass, moved }, means.intake));
      const came = "kind" in arrival ? (redirectInPage(arrival, target) ?? arrival) : arrival;
      if ("kind" in came) {
        if (hops > 0 && !target.prelude && !way.part && leadsHome(target.start, url)) throw new Failure("home-page");
        return came;
      }
      const { next, permanent, part } = came;
      const isAnother = cookies.take(url, hop.cookies) || next.href !== url.href;
      if (!isAnother) throw new Failure("redirects");
      if (hops >= maxRedirects) throw new Failure("redirects", { limit: maxRedirects });
      way = { permanent: way.permanent && permanent, part };
      url = (pass && means.github.rebase(next)) ?? next;
      // After a redirect to another origin the token is not sent again, even if a redirect leads back.
      if (url.origin !== pass?.origin) pass = undefined;
    } finally {
      coming.over();
    }
  }
}

interface Visit {
  readonly url: URL;
  readonly pass: Pass | undefined;
  readonly coming: Coming;
  readonly cookies: Cookies;
}

async function visit(
  means: Means,
  target: Target,
  { url, pass, coming, cookies }: Visit,
  budget: Budget,
): Promise<Hop> {
  const { headers, asked } = headersFor(target, url, pass, cookies);
  const lane = await turnAt(url.host, pass, means, target);
  // A timeout at the end of many hops says little about the last host.
  const isFresh = budget.left > budget.whole / 2;
  try {
    const counted = pass !== undefined && pass.authorization === undefined;
    if (counted) means.github.spend();
    const raw = await send(means, target, { url, headers, lane, coming }, budget);
    means.pace.answered(lane);
    if (counted) means.github.note(raw.headers);
    const wait = requestedPause(raw.status, raw.headers, pass !== undefined, means.clock.now());
    if (wait === undefined) return { ...raw, asked };
    const most = url.host === target.start.host ? undefined : shortRest;
    return { ...raw, asked, wait: await means.pace.rest(lane, { wait, most }, raw.status) };
  } catch (error) {
    if (error instanceof Failure && (isFresh || error.kind !== "timeout")) means.pace.failed(lane, error);
    throw error;
  } finally {
    means.pace.leave(lane, target);
  }
}

/** Waits for the turn at a host, and then for a place: requests with a place never wait for a host. */
async function turnAt(host: string, pass: Pass | undefined, { pace, intake }: Means, target: Target): Promise<Lane> {
  const { place } = target;
  const isHeld = isJudgedInPlace(target);
  for (;;) {
    place?.leave();
    if (isHeld && intake.isCrowded()) await intake.mayAsk();
    const lane = await pace.enter(host, pass?.allowance);
    try {
      await place?.take();
      if (!isHeld || !intake.isCrowded()) return lane;
    } catch (error) {
      pace.leave(lane, { prelude: true });
      throw error;
    }
    pace.leave(lane, { prelude: true });
  }
}

interface Sending {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly lane: Lane;
  readonly coming: Coming;
}

/** Sends a request. The host may have closed a kept connection meanwhile: then a new one is tried, once. */
async function send(
  means: Means,
  target: Target,
  { url, headers, lane, coming }: Sending,
  budget: Budget,
): Promise<Raw> {
  const route = means.routes.to(url);
  const request = { path: url.pathname + url.search, headers };
  const want = {
    limit: target.limits.wire,
    cut: target.limits.cut,
    coming,
    whole: (status: number) => isAnswer(status, target),
  };
  const warm = lane.warm;
  lane.warm = false;
  let raw: Raw;
  try {
    raw = await exchange(route, request, want, budget);
  } catch (error) {
    if (!warm || !(error instanceof Failure) || error.kind !== "reset") throw error;
    raw = await exchange(route, request, want, budget);
  }
  lane.warm = !raw.cut;
  return raw;
}

function headersFor(target: Target, url: URL, pass: Pass | undefined, cookies: Cookies) {
  const headers: Record<string, string> = { host: url.host, ...target.headers };
  const cookie = cookies.of(url.host);
  if (cookie !== undefined) headers.cookie = cookie;
  if (pass?.authorization !== undefined) headers.authorization = pass.authorization;
  const { etag, lastModified, token, of } = target.validators ?? {};
  if (etag !== undefined && token === pass?.digest) headers["if-none-match"] = etag;
  // Another page may be older than the date and still differ from the one that was seen.
  if (lastModified !== undefined && of === dateOf(url, target.start)) headers["if-modified-since"] = lastModified;
  return { headers, asked: "if-none-match" in headers || "if-modified-since" in headers };
}

/** The page that a date belongs to (`Validators.of`): a digest of `url`; undefined without a redirect. */
export function dateOf(url: URL, start: URL): string | undefined {
  return url.href === start.href ? undefined : digestOf(url.href);
}

function isAnswer(status: number, { answers }: Target): boolean {
  return (status >= 200 && status < 300) || (answers?.includes(status) ?? false);
}

export const redirects: readonly number[] = [301, 302, 303, 307, 308];

function redirect({ status, headers }: Raw, url: URL, answers: readonly number[] = []): Onward | undefined {
  if (!redirects.includes(status) || answers.includes(status)) return undefined;
  if (headers.location === undefined) return undefined;
  // Header bytes come as Latin-1; addresses outside ASCII are sent as UTF-8.
  const next = URL.parse(Buffer.from(headers.location, "latin1").toString("utf8"), url);
  return next ? onwardTo(next, status === 301 || status === 308) : undefined;
}

function onwardTo(to: URL, permanent: boolean): Onward {
  const next = new URL(to);
  next.hash = "";
  return { next, permanent, part: to.hash.length > 1 };
}

/** The longest delay of a `refresh` that counts as a redirect. */
const soon: Duration = 10 * aSecond;
/** Bytes at the beginning of a page that are searched for such a redirect. */
const startBytes = 64 * 1024;

/**
 * The target of a page that only redirects its visitors; undefined for other responses, and for callers that follow redirects
 * themselves. Static sites have no other permanent redirect. One to an address below its own is an entrance, which stays.
 */
function redirectInPage(arrival: Arrival, { answers, prelude }: Target): Onward | undefined {
  if (arrival.kind !== "answer" || prelude || answers?.some((status) => redirects.includes(status))) return undefined;
  const { url, status, headers, body } = arrival;
  if (status !== 200 || !/^(?:text\/html|application\/xhtml\+xml|$)/i.test(headers["content-type"] ?? ""))
    return undefined;
  const to = refreshOf(body.toString("utf8", 0, startBytes), url, headers.refresh);
  if (!to || to.after * aSecond > soon) return undefined;
  return onwardTo(to.address, !isBelow(to.address, url));
}

function isBelow(to: URL, { origin, pathname }: URL): boolean {
  return to.origin === origin && to.pathname.startsWith(`${pathname.replace(/\/(?:index\.\w{1,5})?$/, "")}/`);
}

/** The end of the redirects, and the access that was used there. */
interface End extends Pick<Visit, "url" | "pass"> {
  readonly moved: boolean;
}

/** Takes the last hop as the response. @throws Failure if it is none */
async function arrivalOf(hop: Hop, target: Target, { url, pass, moved }: End, intake: Intake): Promise<Arrival> {
  const { status, headers } = hop;
  const place = { url, headers, digest: pass?.digest };
  if (status === 304 && hop.asked) return { kind: "not-modified", ...place, moved };
  if (!isAnswer(status, target)) {
    const text = status === 403 || status === 429 || status === 503 ? await part(hop) : hop.bytes.subarray(0, 0);
    throw refusal(status, headers, text, hop.wait);
  }
  if (isChallenge(headers)) throw new Failure("bot-wall", { status });
  // The request was for the whole page.
  if (status === 206) throw new Failure("truncated", { status });
  const body = await bodyInRoom(hop, target, intake);
  return { kind: "answer", ...place, status, body, cut: hop.cut, moved };
}

/** Whether the response is held until a check has judged it and released its place. */
function isJudgedInPlace({ place, prelude }: Target): boolean {
  return place !== undefined && !prelude;
}

/** The body, once there is room for it. The room is freed with the place; without one, when the body is returned. */
async function bodyInRoom(hop: Hop, target: Target, intake: Intake): Promise<Buffer> {
  const { limits, place } = target;
  const size = "content-encoding" in hop.headers ? limits.body : hop.bytes.length;
  const room = await (isJudgedInPlace(target) ? intake.room(size) : intake.passage(size));
  try {
    const body = await bodyOf(hop, limits.body);
    room.shrink(body.length);
    place?.onLeave(room.free);
    return body;
  } catch (error) {
    room.free();
    throw error;
  } finally {
    if (!place) room.free();
  }
}

/** The available part of a body, to tell a bot wall from another refusal. */
async function part(hop: Raw): Promise<Buffer> {
  try {
    return await bodyOf(hop, 1_000_000);
  } catch {
    return hop.bytes.subarray(0, 0);
  }
}

/** Paths of a home page: `/`, `/index.html`, `/home`, or `/en/` for one language. */
const homePath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?)?(?:(?:index|default|home)(?:\.\w{1,5})?\/?)?$/i;
const rootPath = /^\/(?:(?:index|default|home)(?:\.\w{1,5})?\/?)?$/i;

/** Whether a redirect leads from a page to the home page of its site, or of its language: then the page is gone. */
function leadsHome(from: URL, to: URL): boolean {
  if (to.search !== "" || hostOf(from) !== hostOf(to) || homePath.test(from.pathname)) return false;
  const isOfLanguage = homePath.test(to.pathname) && from.pathname.startsWith(to.pathname.replace(/\/?$/, "/"));
  return rootPath.test(to.pathname) || isOfLanguage;
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, "");
}
