import type { Dispatcher } from "undici";
import { Failure } from "../../failure.ts";
import type { Road } from "./roads.ts";
import { failureOf } from "./trouble.ts";

/** Lower-case names; what was sent several times is joined by commas. */
export type Headers = Readonly<Record<string, string>>;

/** One answer, as it came over the wire. */
export interface Raw {
  readonly status: number;
  readonly headers: Headers;
  /** Still compressed. */
  readonly bytes: Buffer;
  /** More was to come. */
  readonly cut: boolean;
}

/** How much of an answer is wanted. */
export interface Want {
  /** Bytes on the wire. */
  readonly limit: number;
  /** What is beyond the limit is left out, not refused. */
  readonly cut?: boolean;
  /** Whether the whole body must arrive; otherwise what came until the limit, an error or the end of time is enough. */
  whole(status: number): boolean;
}

/** Time on the wire in ms: what a look may take with all its redirects, and what is left of that. */
export interface Budget {
  readonly whole: number;
  left: number;
}

/** Of a body that is no answer: enough to recognise a bot wall, and to leave the connection fit for use. */
const partLimit = 64 * 1024;

/** One request, one answer, in what is left of `time` from here to the last byte. @throws Failure */
export function exchange(
  { dispatcher, origin, proxied }: Road,
  request: { path: string; headers: Record<string, string> },
  want: Want,
  time: Budget,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const handler = new Exchange(want, time, proxied, resolve, reject);
    try {
      dispatcher.dispatch({ origin, path: request.path, method: "GET", headers: request.headers }, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

/** undici's own `request` makes a stream and an abort signal for each body; at thousands of 304s they dominate. */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #status = 0;
  #headers: Headers = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #limit = 0;
  #whole = true;
  readonly #want: Want;
  readonly #timeout: number;
  readonly #proxied: boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #resolve: (raw: Raw) => void;
  readonly #reject: (failure: Failure) => void;

  constructor(
    want: Want,
    time: Budget,
    proxied: boolean,
    resolve: (raw: Raw) => void,
    reject: (failure: Failure) => void,
  ) {
    this.#want = want;
    this.#timeout = time.whole;
    this.#proxied = proxied;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#stop(this.#late()), time.left);
  }

  /** An answer that began and did not end in time is an answer all the same: no outage of ours. */
  #late(): Failure {
    return new Failure(this.#status === 0 ? "timeout" : "truncated", { after: this.#timeout });
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error("too late"));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ) {
    if (status < 200 || this.#over) return;
    this.#status = status;
    this.#headers = flat(headers);
    this.#whole = this.#want.whole(status);
    this.#limit = this.#whole ? this.#want.limit : Math.min(this.#want.limit, partLimit);
    if (this.#whole && !this.#want.cut && Number(this.#headers["content-length"]) > this.#limit)
      this.#stop(new Failure("too-large", { limit: this.#limit }));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.#over) return;
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size <= this.#limit) return;
    if (this.#want.cut) this.#finish(true);
    this.#stop(new Failure("too-large", { limit: this.#limit }));
  }

  onResponseEnd() {
    this.#finish(false);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error) {
    this.fail(error);
  }

  fail(error: unknown) {
    if (this.#over) return;
    if (this.#status !== 0 && !this.#whole) return this.#finish(true);
    this.#close();
    this.#reject(failureOf(error, { begun: this.#status !== 0, proxied: this.#proxied, timeout: this.#timeout }));
  }

  /** Ends it from our side. */
  #stop(failure: Failure) {
    this.fail(failure);
    this.#controller?.abort(failure);
  }

  #finish(cut: boolean) {
    if (this.#over) return;
    this.#close();
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      bytes: cut ? bytes.subarray(0, this.#limit) : bytes,
      cut,
    });
  }

  #close() {
    this.#over = true;
    clearTimeout(this.#timer);
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Headers {
  const result: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) result[name] = typeof value === "string" ? value : value.join(", ");
  }
  return result;
}
