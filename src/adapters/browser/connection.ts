import { lookup } from "node:dns/promises";
import { isIPv6, type Socket } from "node:net";
import { Agent, buildConnector } from "undici";
import { inTime } from "../../model/concurrency.ts";
import { Failure } from "../../model/failure.ts";
import { aSecond, type Duration } from "../../model/time.ts";
import { isObject, jsonIn } from "../../read/shared/json-path.ts";

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message?: string };
}

const answersWithin: Duration = 10 * aSecond;

/** Characters of one message, at most: a page of the largest size, in Base64. */
const maxMessage = 64_000_000;

/**
 * A connection for one page, by the Chrome DevTools Protocol 1.3: https://chromedevtools.github.io/devtools-protocol/
 * A library such as Playwright would replace only this file and the sending in `page.ts`. It also starts windows, workers and
 * frames of other origins, which must stay closed here. It takes 14 MB, and 0.3 s of processor time to load.
 */
export class Connection {
  readonly #socket: WebSocket;
  /** Below the WebSocket, which would wait for the other side to close. */
  #pipe: Socket | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<Params>>();
  #last = 0;
  #failure: Failure | undefined;
  /** If undefined, commands are sent in the browser's own. */
  session: string | undefined;
  onEvent: (method: string, params: Params) => void = () => {};

  private constructor(endpoint: string) {
    const connect = buildConnector({ timeout: answersWithin });
    const dispatcher = new Agent({
      connect: (options, callback) =>
        connect(options, (...made) => {
          this.#pipe = made[1] ?? undefined;
          callback(...made);
        }),
    });
    // Its types are those of Node's own undici.
    const socket = new WebSocket(endpoint, { dispatcher } as object);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = () => this.fail(browserFailure("the browser ended the connection"));
    socket.onerror = () => this.fail(browserFailure("the connection to the browser failed"));
  }

  /** @throws Failure if there is no browser at the address, or it does not answer */
  static async open(address: string): Promise<Connection> {
    const endpoint = await endpointOf(address);
    const connection = new Connection(endpoint);
    const opened = Promise.withResolvers<Params>();
    connection.#socket.onopen = () => opened.resolve({});
    connection.#waiting.set(0, opened);
    await withTimeout(answersWithin, "it does not answer", opened.promise).catch((error: unknown) => {
      connection.close();
      throw error;
    });
    connection.#waiting.delete(0);
    return connection;
  }

  /** @throws Failure if the browser refuses the command, does not answer, or is gone */
  async send(method: string, params: Params = {}): Promise<Params> {
    if (this.#failure) throw this.#failure;
    const id = ++this.#last;
    const answer = Promise.withResolvers<Params>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params, ...(this.session && { sessionId: this.session }) }));
    return await withTimeout(answersWithin, "the page does not answer", answer.promise);
  }

  close(): void {
    this.fail(browserFailure("the page was left"));
    this.#pipe?.destroy();
  }

  #take(data: unknown): void {
    const message = typeof data === "string" && data.length <= maxMessage ? jsonIn(data) : undefined;
    if (!isObject(message)) {
      this.fail(browserFailure("the browser sent something that is not part of its protocol"));
      return;
    }
    const { id, method, params = {}, result, error }: Message = message;
    if (id === undefined) {
      if (method !== undefined) this.onEvent(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(browserFailure("the browser refused a command", error.message));
    else waiting?.resolve(result ?? {});
  }

  fail(failure: Failure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

/** @throws Failure */
export async function withTimeout<T>(time: Duration, why: string, work: Promise<T>): Promise<T> {
  return await inTime(work, time, () => {
    throw browserFailure(why);
  });
}

/** The failure of a check because of the browser. `cause` is for operators only: a page may have written it. */
export function browserFailure(why: string, cause?: unknown): Failure {
  return new Failure("browser", { why }, cause);
}

/**
 * The WebSocket of a browser. With `http:` the browser itself names it, but by an address on its own machine. It
 * answers only requests that use its IP address: https://chromedevtools.github.io/devtools-protocol/#endpoints
 */
async function endpointOf(address: string): Promise<string> {
  const url = new URL(address);
  if (url.protocol === "ws:" || url.protocol === "wss:") return address;
  try {
    if (url.protocol === "http:") {
      const { address: number } = await lookup(url.hostname.replace(/^\[|\]$/g, ""));
      url.hostname = isIPv6(number) ? `[${number}]` : number;
    }
    const signal = AbortSignal.timeout(answersWithin);
    const answer = await fetch(new URL("/json/version", url), { signal, redirect: "error" });
    const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
    const { pathname, search } = new URL(webSocketDebuggerUrl);
    return `${url.protocol === "https:" ? "wss" : "ws"}://${url.host}${pathname}${search}`;
  } catch (error) {
    throw new Failure("browser", { why: "no browser answers at RECHECK_BROWSER" }, error);
  }
}
