import { hash } from "node:crypto";
import type { LookupFunction } from "node:net";
import { makeOnce, RecentlyUsed } from "../../model/cache.ts";
import { createPlace, turns } from "../../model/concurrency.ts";
import { Failure } from "../../model/failure.ts";
import type {
  Clock,
  Fetch,
  Fetched,
  FetchOptions,
  HostMemory,
  Place,
  Request,
  StoredRobots,
  Validators,
} from "../../model/ports/index.ts";
import { aMinute, type Duration, hasPassed, type Instant } from "../../model/time.ts";
import { bytesWithoutSecrets, withoutSecrets } from "../secrets.ts";
import type { Ranges } from "./address.ts";
import { codings, type Headers } from "./exchange.ts";
import { createGitHubAccess, type Pass } from "./github.ts";
import { createIntake } from "./intake.ts";
import { createPace } from "./pace.ts";
import type { ProxySettings } from "./proxy.ts";
import { type Arrival, dateOf, follow, type Means } from "./redirects.ts";
import { createRobots, maxRobotsBytes, type Robots, type RobotsAnswer, type RobotsSource } from "./robots.ts";
import { createRoutes } from "./routes.ts";

export interface FetchSettings {
  readonly clock: Clock;
  /** Names the project and links to it: `Recheck/0.1 (+https://…)`. The part before the slash is looked up in robots.txt. */
  readonly userAgent: string;
  /** Called before each request to GitHub's API, because installation tokens change hourly. */
  readonly githubToken?: () => Promise<string | undefined>;
  /** Identifies the allowance if several share a fetch, so that one token does not use up another's. */
  readonly allowance?: string;
  /** The address for requests to `https://api.github.com`: GitHub Enterprise (`https://HOST/api/v3`), or a test. */
  readonly githubApi?: string;
  /** Address ranges that the operator allows besides public ones. */
  readonly allowAddresses?: Ranges;
  /** The operator's proxy. It resolves names itself, so the guard checks only IP literals and well-known names. */
  readonly proxy?: ProxySettings;
  /** Stored facts about hosts: requested pauses, turns, and robots.txt. */
  readonly hosts?: HostMemory;
  /** The pause between two requests to a host, from the end of one to the start of the next (default: 1 s). */
  readonly pause?: Duration;
  /** The time of one check with all its redirects, not counting the wait for its turn (default: 20 s). */
  readonly timeout?: Duration;
  /** Bytes of a response on the wire, at most (default: 10 MB). */
  readonly maxBytes?: number;
  /** Bytes of a response after decompression, at most (default: 20 MB). */
  readonly maxBodyBytes?: number;
  /** Bytes of all responses that wait to be judged, at most (default: 64 MB). */
  readonly maxHeldBytes?: number;
  readonly lookup?: LookupFunction;
  /** Connects to another address (`http://127.0.0.1:4000`) for a URL, for tests. The guard checks that address. */
  readonly origin?: (url: URL) => string | undefined;
}

const maxPreludes = 64;

export type Asker = Pick<FetchSettings, "userAgent" | "githubToken" | "allowance">;

export interface SharingAsker extends Asker {
  readonly id: string;
  /** The repository that only its own token may see; undefined if all share one token. */
  readonly own?: { readonly name: string; readonly isPublic: boolean };
}

export interface SharedFetch {
  /** The fetch of one user, with its own name, token and allowance at GitHub. Without an id, it shares no answers. */
  for(asker: Asker | SharingAsker): Fetch;
  close(): Promise<void>;
}

/** @throws Error for settings that make no sense; without repeating their values, which may hold a password */
export function createFetch(settings: FetchSettings): Fetch {
  const shared = shareFetch(settings);
  return { ...shared.for(settings), close: shared.close };
}

/** @throws Error for settings that make no sense; without repeating their values, which may hold a password */
export function shareFetch(settings: Omit<FetchSettings, keyof Asker>): SharedFetch {
  const shared = partsOf(settings);
  const { routes, pace, intake } = shared.means;
  return {
    for: (asker) => fetchFor(asker, shared),
    async close() {
      pace.stop();
      intake.stop();
      await Promise.allSettled(shared.running);
      await pace.keepTurns();
      await routes.close();
    },
  };
}

type Shared = ReturnType<typeof partsOf>;

/** What all askers share. */
function partsOf(settings: Omit<FetchSettings, keyof Asker>) {
  const { clock, allowAddresses, githubApi, hosts, timeout = 20_000 } = settings;
  const routes = createRoutes({ ...settings, allowed: allowAddresses, connectTimeout: timeout });
  const pace = createPace(clock, settings.pause ?? 1_000, hosts);
  const intake = createIntake(settings.maxHeldBytes);
  return {
    githubApi,
    hosts,
    means: { clock, allowed: allowAddresses, routes, pace, intake, timeout },
    limits: { wire: settings.maxBytes ?? 10_000_000, body: settings.maxBodyBytes ?? 20_000_000 },
    answers: createSharedAnswers(clock),
    preludes: turns(maxPreludes),
    /** The robots.txt rules by product name, read once for all askers of the same name. */
    robotsOf: new Map<string, Robots>(),
    running: new Set<Promise<Fetched>>(),
  };
}

interface Way {
  readonly asker: Asker | SharingAsker;
  readonly means: Means;
  readonly robots: Robots;
}

function fetchFor(asker: Asker | SharingAsker, shared: Shared): Fetch {
  const { running, githubApi } = shared;
  const github = createGitHubAccess(shared.means.clock, githubApi, asker.githubToken, asker.allowance);
  const means: Means = { ...shared.means, github };
  const way: Way = { asker, means, robots: robotsFor(asker, means, shared) };
  return {
    get(request, options) {
      const one = get(request, options, way, shared);
      running.add(one);
      const over = () => running.delete(one);
      one.then(over, over);
      return one;
    },
    githubAllowance: () => github.left(),
    close: async () => {},
  };
}

function robotsFor({ userAgent }: Asker, means: Means, { robotsOf, preludes, hosts }: Shared): Robots {
  const product = productOf(userAgent);
  const read: RobotsSource["read"] = async (address, validators) => {
    const place = createPlace(preludes);
    try {
      return await readRobots(means, { start: address, validators, place }, commonHeaders(userAgent));
    } finally {
      place.leave();
    }
  };
  return makeOnce(robotsOf, product, () => createRobots({ clock: means.clock, product, memory: hosts, read }));
}

/** Fetches an address, or returns the response that another user with the same access has just got. @throws Failure */
async function get(
  request: Request,
  options: FetchOptions,
  { asker, means, robots }: Way,
  { limits, answers }: Shared,
): Promise<Fetched> {
  const { userAgent } = asker;
  const requested = URL.parse(request.url);
  if (!requested) throw new Failure("refused-address", { address: "an invalid address" });
  requested.hash = "";
  const api = request.githubApi ? means.github.rebase(requested) : undefined;
  const pass = api ? await means.github.pass() : passOf(request, requested);
  const start = api ?? requested;
  const requester = "own" in asker ? asker.own : undefined;
  const ask = async (): Promise<Came> => {
    const arrival = await follow(means, {
      start,
      headers: headersOf(request, commonHeaders(userAgent)),
      validators: options.validators,
      pass,
      answers: options.answers,
      pause: request.pause,
      limits,
      before: options.robots ? robots.ask : undefined,
      place: options.place,
    });
    // An answer to a private repository's token, or after redirects, may contain data of that repository.
    const isSafe = requester?.isPublic !== false && arrival.url.href === start.href;
    const isPublic = pass?.authorization === undefined || requester === undefined || isSafe;
    return { fetched: fetchedFrom(arrival, start), isPublic };
  };
  const scope = "id" in asker ? scopeOf(asker, requested, api !== undefined, pass) : undefined;
  if (!("id" in asker) || scope === undefined) return (await ask()).fetched;
  const { accept, headers } = request;
  const same = [scope, start.href, accept, headers, options.answers, options.robots, productOf(userAgent)];
  const { validators, newerThan } = options;
  return await answers.get({ request: JSON.stringify(same), validators, newerThan, asker: asker.id, ask });
}

function productOf(userAgent: string): string {
  return userAgent.split("/", 1)[0] ?? "";
}

const anybody = "anybody";

/** Identifies the users who get the same response from an address; undefined if it may be for this user alone. */
function scopeOf({ own }: SharingAsker, { pathname, username, password }: URL, api: boolean, pass: Pass | undefined) {
  if (username !== "" || password !== "") return undefined;
  if (pass?.authorization === undefined) return anybody;
  if (!api) return undefined;
  if (own === undefined) return pass.digest;
  const [, repository] = /^\/repos\/([^/]+\/[^/]+)(?:\/|$)/.exec(pathname) ?? [];
  return repository !== undefined && repository.toLowerCase() !== own.name.toLowerCase() ? anybody : undefined;
}

/** A request's secret is sent to its own origin only, and never unencrypted. */
function passOf({ authorization }: Request, { origin, protocol }: URL): Pass | undefined {
  return authorization !== undefined && protocol === "https:" ? { origin, authorization } : undefined;
}

function commonHeaders(userAgent: string): Record<string, string> {
  return { "user-agent": userAgent, accept: "*/*", "accept-encoding": codings, "accept-language": "en" };
}

function headersOf({ accept, headers }: Request, common: Record<string, string>): Record<string, string> {
  const own: Record<string, string> = { ...common };
  for (const name in headers) own[name.toLowerCase()] = headers[name] ?? "";
  if (accept !== undefined) own.accept = accept;
  return own;
}

function fetchedFrom(arrival: Arrival, start: URL): Fetched {
  const address = withoutSecrets(arrival.url.href);
  const redirect = arrival.moved ? { moved: address } : {};
  if (arrival.kind === "not-modified") return { kind: "not-modified", ...redirect };
  const { url, status, digest } = arrival;
  const [headers, body] = [headersWithoutSecrets(arrival.headers), bytesWithoutSecrets(arrival.body)];
  if (body.length === 0 && status < 300) throw new Failure("empty", { status });
  return {
    kind: "response",
    response: { url: address, status, headers, body },
    validators: validatorsOf(headers, digest, dateOf(url, start)),
    hash: hash("sha256", body, "hex"),
    ...redirect,
  };
}

/** Headers without our secrets, because a service may echo its request. */
function headersWithoutSecrets(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value && withoutSecrets(value)]));
}

function validatorsOf(headers: Headers, token: string | undefined, of: string | undefined): Validators {
  const { etag, "last-modified": lastModified } = headers;
  return {
    etag,
    lastModified,
    ...(etag !== undefined && token !== undefined && { token }),
    ...(lastModified !== undefined && of !== undefined && { of }),
  };
}

/** Asks for a robots.txt: https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1 */
async function readRobots(
  means: Means,
  query: { readonly start: URL; readonly validators: StoredRobots["validators"]; readonly place: Place },
  headers: Record<string, string>,
): Promise<RobotsAnswer> {
  const limits = { wire: maxRobotsBytes, body: 2 * maxRobotsBytes, cut: true };
  const plain = { ...headers, "accept-encoding": "identity" };
  try {
    const arrival = await follow(means, { ...query, headers: plain, limits, prelude: true });
    if (arrival.kind === "not-modified") return { kind: "not-modified" };
    const text = arrival.body.toString("utf8", 0, maxRobotsBytes);
    const whole = arrival.cut ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
    const { etag, lastModified, of } = validatorsOf(arrival.headers, undefined, dateOf(arrival.url, query.start));
    return {
      kind: "text",
      text: whole,
      validators: { etag, lastModified: of === undefined ? lastModified : undefined },
    };
  } catch (error) {
    if (error instanceof Failure && isAbsent(error)) return { kind: "text", text: undefined, validators: {} };
    throw error;
  }
}

/** Whether a failure means that there is no robots.txt: any 4xx except 429, or a redirect loop. */
function isAbsent({ kind, facts }: Failure): boolean {
  const status = Number(facts.status);
  return kind === "redirects" || (kind !== "rate-limited" && status >= 400 && status < 500);
}

/** How long a response is shared. Sources that are due together are fetched within minutes. */
const keptFor: Duration = 10 * aMinute;
/** Limit of cached bytes, and the rough size of an answer besides its body. Most have no body. */
const maxBytes = 32_000_000;
const bytesOfAnswer = 1_600;

export interface Came {
  readonly fetched: Fetched;
  readonly isPublic: boolean;
}

export interface Question {
  /** Everything that the answer depends on, except the validators. */
  readonly request: string;
  readonly validators: Validators | undefined;
  /** Identifies the asker: one that asks again needs a newer answer than it had. */
  readonly asker: string;
  readonly newerThan: Instant | undefined;
  ask(): Promise<Came>;
}

interface Answer {
  readonly at: Instant;
  /** The validators of the request as text: a 304 is of use only to askers with the same ones. */
  readonly validators: string;
  readonly outcome: { readonly fetched: Fetched } | { readonly failure: Failure };
  readonly had: Set<string>;
}

/** Sends a request once for all who ask within minutes. Answers that only some may see are marked by the asker. */
function createSharedAnswers(clock: Clock) {
  const underWay = new Map<string, Promise<unknown>>();
  const answers = new RecentlyUsed<string, Answer>(maxBytes);

  async function send(question: Question): Promise<Fetched> {
    const { request } = question;
    const asking = question.ask();
    const settled = asking.then(
      ({ fetched, isPublic }) => isPublic && keep(question, { fetched }),
      (error: unknown) => isOfHost(error) && keep(question, { failure: error }),
    );
    underWay.set(request, settled);
    try {
      return (await asking).fetched;
    } finally {
      await settled;
      if (underWay.get(request) === settled) underWay.delete(request);
    }
  }

  function find({ request, validators, asker, newerThan = 0 }: Question): Answer | undefined {
    const answer = answers.get(request);
    if (!answer || answer.had.has(asker) || answer.at <= newerThan) return undefined;
    if (hasPassed(keptFor, answer.at, clock.now())) return undefined;
    const isBare = "fetched" in answer.outcome && answer.outcome.fetched.kind === "not-modified";
    return isBare && answer.validators !== textOf(validators) ? undefined : answer;
  }

  function keep({ request, validators, asker }: Question, outcome: Answer["outcome"]): void {
    const body = "fetched" in outcome && outcome.fetched.kind === "response" ? outcome.fetched.response.body : "";
    const answer = { at: clock.now(), validators: textOf(validators), outcome, had: new Set([asker]) };
    answers.set(request, answer, bytesOfAnswer + body.length);
  }

  return {
    /** @throws Failure of the host, also for those who share the request */
    async get(question: Question): Promise<Fetched> {
      const { request, asker } = question;
      for (let turn = 0; ; turn++) {
        const answer = find(question);
        if (answer) {
          answer.had.add(asker);
          if ("failure" in answer.outcome) throw answer.outcome.failure;
          return { ...answer.outcome.fetched, at: answer.at };
        }
        const other = underWay.get(request);
        // If the first answer cannot be shared, or is of no use here, a second wait would not help.
        if (!other || turn > 0) return await send(question);
        await other;
      }
    },
  };
}

/** Whether every asker would get this answer. */
function isOfHost(error: unknown): error is Failure {
  return error instanceof Failure && error.kind !== "rate-limited" && error.facts.status !== undefined;
}

function textOf({ etag, lastModified, token, of }: Validators = {}): string {
  return JSON.stringify([etag, lastModified, token, of]);
}
