import { setTimeout as sleep } from "node:timers/promises";
import { Failure, mayPass } from "../../model/failure.ts";
import type { Browser, BrowserPage, Fetch, OpenedPage, Response } from "../../model/ports/index.ts";
import { isPicture } from "../../model/published.ts";
import { aSecond, type Duration } from "../../model/time.ts";
import { groupDigits } from "../../model/words.ts";
import { isSameSite } from "../../read/shared/address.ts";
import { isObject } from "../../read/shared/json-path.ts";
import { browserFailure, Connection, withTimeout } from "./connection.ts";
import { type Moment, type WriteOutOptions, writeOut } from "./written-out.ts";

export interface PageLimits extends Allowance, Pick<WriteOutOptions, "most" | "nodes" | "depth"> {
  /** Time from the connection to the HTML, with the pauses between requests. */
  readonly time: Duration;
  /** Time after which a page is read although its HTML still changes, if it has no open requests. */
  readonly restless: Duration;
  /** Limit of memory for its scripts, in bytes. */
  readonly memory: number;
}

const usual: PageLimits = {
  requests: 100,
  bytes: 20_000_000,
  most: 10_000_000,
  nodes: 200_000,
  depth: 400,
  time: 90 * aSecond,
  restless: 5 * aSecond,
  memory: 500_000_000,
};

/** Time between two readings of a page. */
const step: Duration = 250;

/** How many consecutive readings must be equal. */
const equalReadings = 3;

const pictureTime: Duration = 5 * aSecond;

/** The upper left part of a page that is in its picture, in CSS pixels. */
const viewport = { width: 1_200, height: 2_400 };

/** No proxy is here, so unanswered requests fail: https://chromedevtools.github.io/devtools-protocol/tot/Target */
const nowhere = { proxyServer: "http://127.0.0.1:9", proxyBypassList: "<-loopback>" };

/**
 * Sent with every page. No windows, dialogs, downloads, forms, workers or sockets, and no permissions.
 * https://www.w3.org/TR/CSP3, https://www.w3.org/TR/permissions-policy
 */
const policies = [
  {
    name: "content-security-policy",
    value:
      "sandbox allow-scripts allow-same-origin; connect-src http: https: data: blob:; worker-src 'none'; object-src 'none'",
  },
  {
    name: "permissions-policy",
    value: "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), midi=()",
  },
];

/** WebRTC ignores proxies, and no policy disables it. */
const withoutSockets = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;";

/** Targets beside the page, such as frames of other processes, wait to be resumed, and never are. */
const stopped = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

export function createBrowser(address: string, limits: Partial<PageLimits> = {}): Browser {
  return { open: (page, fetch) => openPage(address, page, fetch, { ...usual, ...limits }) };
}

async function openPage(address: string, page: BrowserPage, fetch: Fetch, limits: PageLimits): Promise<OpenedPage> {
  const connection = await Connection.open(address);
  try {
    const late = `the page was not ready after ${limits.time / aSecond} s`;
    return await withTimeout(limits.time, late, readIn(connection, page, fetch, limits));
  } finally {
    // When the connection ends, the browser closes the context and everything that the page has started.
    connection.close();
  }
}

async function readIn(
  connection: Connection,
  { response, waitFor, isNew }: BrowserPage,
  fetch: Fetch,
  limits: PageLimits,
): Promise<OpenedPage> {
  const answers = new Answers(response, fetch, limits);
  const frame = await openTarget(connection);
  const loading = answerRequests(connection, frame, answers);
  await connection.send("Inspector.enable");
  await connection.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
  await connection.send("Fetch.enable", { patterns: [{ urlPattern: "*", requestStage: "Request" }] });
  await connection.send("Target.setAutoAttach", stopped);
  await connection.send("Page.enable");
  await connection.send("Page.addScriptToEvaluateOnNewDocument", { source: withoutSockets });
  await connection.send("Page.navigate", { url: response.url });
  const isolated = { frameId: frame, worldName: "recheck" };
  const { executionContextId } = await connection.send("Page.createIsolatedWorld", isolated);
  const evaluate = async (expression: string): Promise<unknown> => {
    const command = { expression, contextId: executionContextId, returnByValue: true };
    const { result, exceptionDetails } = await connection.send("Runtime.evaluate", command);
    if (exceptionDetails !== undefined || !isObject(result))
      throw browserFailure("the page cannot be read", exceptionDetails);
    return result.value;
  };
  const wanted: WriteOutOptions = { ...limits, waitFor };
  const check = async () => {
    await mustFit(connection, limits);
    return momentOf(await evaluate(`(${writeOut})(${JSON.stringify(wanted)})`), limits);
  };
  await settle(check, answers, loading, limits, waitFor);
  const html = await evaluate("writtenHtml");
  if (typeof html !== "string") throw browserFailure("the browser returned no text");
  if (!isNew(html)) return { html };
  const picture = await withTimeout(pictureTime, "no picture", pictureOf(connection)).catch(() => undefined);
  return { html, picture };
}

/** A page without a picture can still be compared, so errors here are ignored. */
async function pictureOf(connection: Connection): Promise<string | undefined> {
  const { cssContentSize } = await connection.send("Page.getLayoutMetrics");
  const { width, height } = cssContentSize as { width: number; height: number };
  const clip = {
    x: 0,
    y: 0,
    width: Math.min(width, viewport.width),
    height: Math.min(height, viewport.height),
    scale: 0.5,
  };
  for (const quality of [50, 20, 5]) {
    const command = { format: "webp", quality, clip, captureBeyondViewport: true };
    const { data } = await connection.send("Page.captureScreenshot", command);
    if (isPicture(data)) return data;
  }
  return undefined;
}

/** Opens an empty page in a context of its own, which ends with the connection. Returns its frame. */
async function openTarget(connection: Connection): Promise<string> {
  const context = { disposeOnDetach: true, ...nowhere };
  const { browserContextId } = await connection.send("Target.createBrowserContext", context);
  const { targetId } = await connection.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await connection.send("Target.attachToTarget", { targetId, flatten: true });
  connection.session = String(sessionId);
  return String(targetId);
}

/**
 * Answers the page itself once: reloading it or leaving it is refused. Returns the requests that still wait for an
 * answer. The browser reports them in the order of its answers to commands.
 */
function answerRequests(connection: Connection, frame: string, answers: Answers): ReadonlySet<unknown> {
  let opened = false;
  const loading = new Set<unknown>();
  connection.onEvent = (method, params) => {
    if (method === "Network.requestWillBeSent") loading.add(params.requestId);
    if (method === "Network.loadingFinished" || method === "Network.loadingFailed") loading.delete(params.requestId);
    if (method === "Inspector.targetCrashed") connection.fail(browserFailure("the page crashed"));
    if (method !== "Fetch.requestPaused") return;
    const { requestId, request, frameId, resourceType } = params as unknown as Paused;
    const isPage = resourceType === "Document" && frameId === frame;
    const { Accept: accept, Origin: origin = "*" } = request.headers;
    const { url, method: verb } = request;
    const answer =
      isPage && opened ? Promise.resolve(undefined) : answers.to({ url, method: verb, accept, type: resourceType });
    if (isPage) opened = true;
    answer
      .then((answer) => reply(connection, requestId, answer, origin))
      .catch((error: unknown) =>
        connection.fail(error instanceof Failure ? error : browserFailure("a request failed", error)),
      );
  };
  return loading;
}

interface Paused {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

async function reply(connection: Connection, requestId: string, answer: Answer | undefined, origin: string) {
  if (!answer) return await connection.send("Fetch.failRequest", { requestId, errorReason: "Aborted" }).catch(() => {});
  // Requests have no cookies and reach only public addresses, so a page may read the answers of other hosts.
  const headers = [
    ...policies,
    { name: "content-type", value: answer.type },
    { name: "access-control-allow-origin", value: origin },
    { name: "access-control-allow-credentials", value: "true" },
    { name: "access-control-allow-headers", value: "*, authorization" },
    ...(answer.location === undefined ? [] : [{ name: "location", value: answer.location }]),
  ];
  const body = Buffer.from(answer.body).toString("base64");
  const command = { requestId, responseCode: answer.status, responseHeaders: headers, body };
  await connection.send("Fetch.fulfillRequest", command).catch(() => {});
}

/** Waits until there are no open requests and no changes. @throws Failure if the page cannot be read */
async function settle(
  check: () => Promise<Moment>,
  answers: Answers,
  loading: ReadonlySet<unknown>,
  { restless }: PageLimits,
  waitFor: string | undefined,
): Promise<void> {
  let quietSince: number | undefined;
  let same = 0;
  let requests = 0;
  for (;;) {
    await sleep(step);
    const moment = await check();
    if (answers.failure) throw answers.failure;
    if (!moment.loaded || answers.pending > 0 || answers.asked > requests) {
      requests = answers.asked;
      quietSince = undefined;
      same = 0;
      continue;
    }
    quietSince ??= performance.now();
    same = moment.same && loading.size === 0 ? same + 1 : 0;
    const quiet = performance.now() - quietSince;
    if (moment.here && (same >= equalReadings || quiet > restless)) return;
    if (!moment.here && quiet > 2 * restless) throw new Failure("no-match", { selector: waitFor ?? "" });
  }
}

/** @throws Failure if the scripts of the page use too much memory */
async function mustFit(connection: Connection, { memory }: PageLimits): Promise<void> {
  const { usedSize, backingStorageSize } = await connection.send("Runtime.getHeapUsage");
  if (Number(usedSize) + Number(backingStorageSize ?? 0) > memory) throw new Failure("memory", { limit: memory });
}

/** @throws Failure if the page is too large */
function momentOf(value: unknown, { most, nodes }: PageLimits): Moment {
  if (!isObject(value)) throw browserFailure("the browser returned no content of the page");
  const moment = value as unknown as Moment;
  if (moment.exceeds === "most") throw new Failure("too-large", { limit: most });
  if (moment.exceeds === "depth") throw new Failure("too-deep");
  if (moment.exceeds === "nodes") throw browserFailure(`the page has more than ${groupDigits(nodes)} elements`);
  return moment;
}

/** A request of a page, paused before it leaves the browser: https://chromedevtools.github.io/devtools-protocol/tot/Fetch */
export interface PageRequest {
  readonly url: string;
  readonly method: string;
  readonly accept?: string;
  /** `Document`, `Script`, `XHR` … */
  readonly type: string;
}

/** The answer to a request of a page; undefined if it is refused. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly location?: string;
}

export interface Allowance {
  readonly requests: number;
  /** Bytes of all answers together, decompressed. */
  readonly bytes: number;
}

const nothing = new Uint8Array();

/** A transparent image of one pixel. */
const picture = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");

/** Answers the requests of one page, each address once. Images and styles get an empty answer. */
export class Answers {
  readonly #page: string;
  readonly #fetch: Fetch;
  readonly #known = new Map<string, Promise<Answer | undefined>>();
  #left: Allowance;
  pending = 0;
  /** The reason why the page cannot be read as visitors see it. */
  failure: Failure | undefined;

  /** `response`: the page itself. */
  constructor(response: Response, fetch: Fetch, allowance: Allowance) {
    this.#page = response.url;
    this.#fetch = fetch;
    this.#left = allowance;
    this.#known.set(response.url, Promise.resolve(answerOf(response)));
  }

  get asked(): number {
    return this.#known.size;
  }

  async to({ url, method, accept, type }: PageRequest): Promise<Answer | undefined> {
    if (type === "Preflight") return { status: 204, type: "text/plain", body: nothing };
    if (method !== "GET") return undefined;
    if (type === "Stylesheet") return { status: 200, type: "text/css", body: nothing };
    if (type === "Image") return { status: 200, type: "image/gif", body: picture };
    const isFrame = type === "Document" && URL.parse(url)?.origin === new URL(this.#page).origin;
    if (!isFrame && !["Script", "XHR", "Fetch"].includes(type)) return undefined;
    const answer = await this.#get(url.replace(/#.*/s, ""), accept);
    return isFrame && !/html|^text\/plain/.test(answer?.type ?? "") ? undefined : answer;
  }

  #get(url: string, accept: string | undefined): Promise<Answer | undefined> {
    const sharedAnswer = this.#known.get(url);
    if (sharedAnswer) return sharedAnswer;
    const { requests, bytes } = this.#left;
    if (requests <= 0 || bytes <= 0) {
      this.failure ??= browserFailure("the page asks for too much");
      return Promise.resolve(undefined);
    }
    this.#left = { requests: requests - 1, bytes };
    this.pending++;
    const answer = this.#fetched(url, accept).finally(() => void this.pending--);
    this.#known.set(url, answer);
    return answer;
  }

  async #fetched(url: string, accept: string | undefined): Promise<Answer | undefined> {
    try {
      const fetched = await this.#fetch.get({ url, accept }, { robots: true });
      if (fetched.kind !== "response") return undefined;
      const { response } = fetched;
      this.#left = { ...this.#left, bytes: this.#left.bytes - response.body.length };
      if (response.url === url) return answerOf(response);
      this.#known.set(response.url, Promise.resolve(answerOf(response)));
      return { status: 302, type: "text/plain", body: nothing, location: response.url };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const status = Number(error.facts.status ?? 0);
      if (error.kind === "deferred") this.failure ??= error;
      else if ((mayPass(error) || error.kind === "too-large") && isSameSite(url, this.#page))
        this.failure ??= browserFailure(`a part of the page could not be fetched (${error.message})`, error);
      return status >= 200 ? { status, type: "text/plain", body: nothing } : undefined;
    }
  }
}

function answerOf({ status, headers, body }: Response): Answer {
  return { status, type: headers["content-type"] ?? "text/html", body };
}
