import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { type Dispatcher, errors } from "undici";
import { Failure, isNoResponse, stopping } from "../../model/failure.ts";
import type { Duration } from "../../model/time.ts";
import type { Coming } from "./intake.ts";
import type { Route } from "./routes.ts";

/** Lower-case names; repeated headers are joined by commas. */
export type Headers = Readonly<Record<string, string>>;

export interface Raw {
  readonly status: number;
  /** Without cookies. */
  readonly headers: Headers;
  /** Its `Set-Cookie` headers. */
  readonly cookies: readonly string[];
  /** Still compressed. */
  readonly bytes: Buffer;
  /** Whether the body is incomplete. */
  readonly cut: boolean;
}

export interface Want {
  /** Bytes on the wire. */
  readonly limit: number;
  /** Whether a larger body is cut instead of refused. */
  readonly cut?: boolean;
  /** Counts arriving bytes together with those of all other exchanges. The caller ends the count of a complete answer. */
  readonly coming?: Coming;
  /** Whether the whole body must arrive. Otherwise the part until the limit, an error or the timeout is enough. */
  whole(status: number): boolean;
}

/** Milliseconds on the wire for one check with all its redirects, and the rest of them; each exchange uses its share. */
export interface Budget {
  readonly whole: number;
  left: number;
}

/** Bytes of a refusal's body that are read: enough to recognise a bot wall, and to leave the connection usable. */
const maxRefusalBytes = 64 * 1024;

/** Pieces of a body, at most: each costs as much as its frame, however little it holds. */
const maxChunks = 200_000;

/** Sends one request and receives one response, within the rest of `time`. @throws Failure */
export function exchange(
  { dispatcher, origin, proxies }: Route,
  request: { readonly path: string; readonly headers: Record<string, string>; readonly body?: string },
  want: Want,
  time: Budget,
): Promise<Raw> {
  const handler = new Exchange(want, time, proxies);
  try {
    const method = request.body === undefined ? "GET" : "POST";
    dispatcher.dispatch({ ...request, origin, method }, handler);
  } catch (error) {
    handler.fail(error);
  }
  return handler.ended.promise;
}

/** Handles an exchange without undici's `request`, whose stream and abort signal are most of the cost of a 304. */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #status = 0;
  #headers: Headers = {};
  #cookies: readonly string[] = [];
  /** The bytes so far, in a buffer of our own: a chunk of one byte would keep its whole source buffer alive. */
  #bytes = Buffer.alloc(0);
  #size = 0;
  #chunks = 0;
  #limit = 0;
  #whole = true;
  readonly #want: Want;
  readonly #time: Budget;
  readonly #proxies: readonly URL[];
  readonly #patience: Patience;
  readonly ended = Promise.withResolvers<Raw>();

  constructor(want: Want, time: Budget, proxies: readonly URL[]) {
    this.#want = want;
    this.#time = time;
    this.#proxies = proxies;
    this.#patience = new Patience(time.left, () => this.#stop(this.#late()));
  }

  /** An answer that began but was too slow is still an answer, so the network works. */
  #late(): Failure {
    return new Failure(this.#status === 0 ? "timeout" : "truncated", { after: this.#time.whole });
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
    const { "set-cookie": cookies = [], ...others } = headers;
    this.#headers = flattenHeaders(others);
    this.#cookies = [cookies].flat();
    this.#whole = this.#want.whole(status);
    this.#limit = this.#whole ? this.#want.limit : Math.min(this.#want.limit, maxRefusalBytes);
    if (this.#whole && !this.#want.cut && Number(this.#headers["content-length"]) > this.#limit)
      this.#stop(new Failure("too-large", { limit: this.#limit }));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.#over) return;
    try {
      this.#want.coming?.more(chunk.length);
    } catch (error) {
      return this.#stop(error as Failure);
    }
    this.#keep(chunk);
    if (this.#size <= this.#limit && ++this.#chunks <= maxChunks) return;
    if (this.#want.cut) this.#finish(true);
    this.#stop(new Failure("too-large", { limit: this.#limit }));
  }

  #keep(chunk: Buffer) {
    const size = this.#size + chunk.length;
    if (size > this.#bytes.length) {
      const more = Buffer.allocUnsafeSlow(
        Math.max(size, this.#size === 0 ? this.#announcedSize() : 2 * this.#bytes.length),
      );
      this.#bytes.copy(more, 0, 0, this.#size);
      this.#bytes = more;
    }
    chunk.copy(this.#bytes, this.#size);
    this.#size = size;
  }

  /** The announced size, within the limit. Most answers have exactly that size. */
  #announcedSize(): number {
    const announced = Number(this.#headers["content-length"] ?? 0);
    return Number.isInteger(announced) && announced > 0 ? Math.min(announced, this.#limit) : 0;
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
    this.#want.coming?.over();
    const { whole } = this.#time;
    const failure = failureOf(error, { begun: this.#status !== 0, proxies: this.#proxies, timeout: whole });
    const isOurs = this.#patience.isBlind && (isNoResponse(failure.kind) || failure.kind === "truncated");
    this.ended.reject(isOurs ? new Failure("deferred", { why: "Recheck was suspended meanwhile" }, failure) : failure);
  }

  #stop(failure: Failure) {
    this.fail(failure);
    this.#controller?.abort(failure);
  }

  #finish(cut: boolean) {
    if (this.#over) return;
    this.#close();
    const bytes = this.#bytes.subarray(0, this.#size);
    this.ended.resolve({
      status: this.#status,
      headers: this.#headers,
      cookies: this.#cookies,
      bytes: cut ? bytes.subarray(0, this.#limit) : bytes,
      cut,
    });
  }

  #close() {
    this.#over = true;
    this.#time.left = Math.max(1, this.#patience.left);
    this.#patience.end();
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const result: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) result[name] = typeof value === "string" ? value : value.join(", ");
  }
  return result;
}

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** The requested content codings; deflate is understood, too: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
export const codings = "gzip, br";
const maxCodings = 3;

/** The decompressed body, at most `limit` bytes. @throws Failure too-large, wrong-type, truncated (also if garbled) */
export async function bodyOf({ headers, bytes, cut }: Raw, limit: number): Promise<Buffer> {
  const coding = headers["content-encoding"];
  if (coding === undefined || bytes.length === 0) return bytes;
  const names = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && name !== "identity");
  if (names.length > maxCodings) throw unknownCoding();
  let body = bytes;
  for (const name of names.reverse()) body = await decode(name, body, limit, cut);
  return body;
}

async function decode(name: string, bytes: Buffer, limit: number, cut: boolean): Promise<Buffer> {
  const flush = cut ? zlib.constants.Z_SYNC_FLUSH : zlib.constants.Z_FINISH;
  const operation = cut ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.BROTLI_OPERATION_FINISH;
  const options = { maxOutputLength: limit, finishFlush: flush };
  try {
    if (name === "gzip" || name === "x-gzip")
      return await gunzip(bytes, options).catch((error: unknown) => beforeJunk(bytes, options, error));
    if (name === "br") return await brotli(bytes, { maxOutputLength: limit, finishFlush: operation });
    // Some send raw deflate under this name. The low half of a zlib stream's first byte is 8.
    if (name === "deflate") return await (((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, options);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ERR_BUFFER_TOO_LARGE") throw new Failure("too-large", { limit });
    throw new Failure("truncated", { code: code ?? "" }, error);
  }
  throw unknownCoding();
}

/** The content of a gzip body with other bytes behind its end, which browsers ignore, too. @throws if it is damaged */
async function beforeJunk(bytes: Buffer, options: zlib.ZlibOptions, error: unknown): Promise<Buffer> {
  const header = 10;
  if (bytes[3] !== 0) throw error;
  const inflated: unknown = await inflateRaw(bytes.subarray(header), { ...options, info: true });
  const { buffer, engine } = inflated as { readonly buffer: Buffer; readonly engine: zlib.InflateRaw };
  const end = header + engine.bytesWritten;
  const isAnotherPart = bytes[end + 8] === bytes[0];
  if (isAnotherPart || bytes.readUInt32LE(end) !== zlib.crc32(buffer)) throw error;
  return buffer;
}

function unknownCoding(): Failure {
  return new Failure("wrong-type", { expected: "gzip or br", found: "an unknown content coding" });
}

const dns = /^(EAI_\w+|ENOTFOUND|ENODATA|ENONAME|ESERVFAIL|EREFUSED)$/;
const connect = new Set(
  "ECONNREFUSED EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EADDRNOTAVAIL EACCES EPERM EINVAL EMFILE".split(" "),
);
const tls = /^(?:ERR_TLS|ERR_SSL|CERT|CRL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERROR_IN)_/;
const otherTls = new Set(
  "INVALID_CA INVALID_PURPOSE HOSTNAME_MISMATCH PATH_LENGTH_EXCEEDED EPROTO UND_ERR_PRX_TLS".split(" "),
);

/** A tunnel that the proxy refuses or cannot open; a 407, which undici calls an invalid argument. */
const refusedByProxy = /^UND_ERR_(ABORTED|PRX_CONN|INVALID_ARG)$/;

/** Faults of the answer: headers, lengths, a broken body or coding, and failed assertions of undici. */
const unreadable = /^(UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)|ERR_ASSERTION)$/;

interface Progress {
  readonly begun: boolean;
  readonly proxies: readonly URL[];
  readonly timeout: number;
}

/** The failure for an error of Node or undici; *truncated* after the start of an answer, as our network works. */
export function failureOf(error: unknown, { begun, proxies, timeout }: Progress): Failure {
  if (error instanceof Failure) return error;
  const first = firstOf(error);
  const code = typeof first.code === "string" ? first.code : "";
  const facts: Record<string, string> = code === "" ? {} : { code };
  const cause = withoutExchange(error, code);
  const because = (why: string | undefined) => (why === undefined ? facts : { ...facts, why });
  if (code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED") return stopping(cause);
  if (begun) return new Failure("truncated", facts, cause);
  const proxyFault = proxyFaultOf(first, proxies);
  if (dns.test(code) && proxyFault === undefined)
    return new Failure("dns", because(code === "EAI_AGAIN" ? "no resolver answered" : undefined), cause);
  if (dns.test(code) || connect.has(code))
    return new Failure("connect", because(proxyFault ?? (code === "ECONNREFUSED" ? "refused" : undefined)), cause);
  if (tls.test(code) || otherTls.has(code)) return new Failure("tls", because(tlsFault(code)), cause);
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
    return new Failure("timeout", { ...facts, after: timeout }, cause);
  if (proxies.length > 0 && refusedByProxy.test(code))
    return new Failure("connect", because(whyRefused(code, cause.message)), cause);
  if (code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET" || code === "ECONNABORTED")
    return new Failure("reset", facts, cause);
  if (error instanceof errors.HTTPParserError || unreadable.test(code))
    return new Failure("malformed", { ...facts, expected: "HTTP" }, cause);
  return new Failure("internal", facts, cause);
}

/** Milliseconds that `fetch` of Node and of undici waits for a connection: https://undici.nodejs.org/#/docs/api/Client */
const fetchConnects = 10_000;

/**
 * The failure for an error of `fetch`: the passed deadline, or a cause of the error. Others are returned unchanged.
 * `deadline`: its signal is aborted for no other reason.
 */
export function failureOfFetch(
  error: unknown,
  proxies: readonly URL[],
  deadline?: { readonly signal: AbortSignal; readonly after: number },
): unknown {
  if (deadline?.signal.aborted) return new Failure("timeout", { after: deadline.after });
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const { cause } = error.cause;
  const befell = cause instanceof Error ? cause : error.cause;
  return failureOf(befell, { begun: false, proxies, timeout: fetchConnects });
}

/** Node names the host that has no address, or the port of the connection. A proxy's: the source's host was never reached. */
function proxyFaultOf(error: NodeError, proxies: readonly URL[]): string | undefined {
  if (proxies.some(({ hostname }) => hostname === error.hostname)) return "the name of the proxy did not resolve";
  const ports = proxies.map(({ port, protocol }) => Number(port || (protocol === "https:" ? 443 : 80)));
  return ports.some((port) => port === error.port) ? "the proxy cannot be reached" : undefined;
}

/** The error of `routes.ts` for a tunnel that ended before the proxy answered. */
export const noAnswer = "no answer";

function whyRefused(code: string, message: string): string {
  const status = code === "UND_ERR_INVALID_ARG" ? "407" : /\b[1-5]\d\d\b/.exec(message)?.[0];
  if (status === "407") return "the proxy needs a name and password (407)";
  if (message.includes(noAnswer)) return "the proxy closes the connection without an answer";
  return status === undefined ? "the proxy refuses" : `the proxy refuses (${status})`;
}

/** https://docs.openssl.org/master/man3/X509_STORE_CTX_get_error/#error-codes, and OpenSSL's reasons after `ERR_SSL_`. */
const whyUntrusted: readonly (readonly [code: RegExp, why: string])[] = [
  [/^DEPTH_ZERO_/, "the certificate is signed by itself"],
  [/^(?:UNABLE_TO|SELF_SIGNED)_/, "the certificate is of an authority that is not known"],
  [/^CERT_HAS_EXPIRED$/, "the certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "the certificate is not valid yet"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "the certificate is for another name"],
  [/_WRONG_VERSION_NUMBER$/, "the port answers without TLS"],
  [/_(?:ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/, "it offers only old versions of TLS"],
];

function tlsFault(code: string): string | undefined {
  const [, known] = whyUntrusted.find(([codes]) => codes.test(code)) ?? [];
  return known ?? (code.startsWith("ERR_SSL_") ? code.slice(8).toLowerCase().replaceAll("_", " ") : undefined);
}

interface NodeError {
  readonly code?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
}

/** The error itself, or that of the first attempt if several addresses were tried. */
function firstOf(error: unknown): NodeError {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return firstOf(errors[0]);
  return typeof code === "string" ? (error as NodeError) : {};
}

/** Only the message and code: undici's errors contain the exchange, which may contain a secret. */
function withoutExchange(error: unknown, code: string): Error {
  const message = error instanceof Error ? error.message : "not an error";
  return Object.assign(new Error(message), code === "" ? {} : { code });
}

/** Milliseconds between two readings of the clock. */
const step: Duration = 500;
/** The delay of timers on a busy machine. If a timer is later, the program was suspended, or the machine slept. */
const tolerance: Duration = 250;
/** After a suspension, responses that arrived meanwhile are read first, at most this many times. */
const maxGraces = 5;
/** After a suspension longer than this, a missing response says nothing about the other side. */
const tooLong: Duration = 5_000;

/** A timeout that counts only the time in which this program ran, so that no host is blamed for a suspension. */
export class Patience {
  #left: Duration;
  #stood = 0;
  #graces = 0;
  #timer: NodeJS.Timeout;
  #since = performance.now();
  #day = Date.now();
  readonly #over: () => void;

  constructor(time: Duration, over: () => void) {
    this.#left = time;
    this.#over = over;
    this.#timer = this.#wait();
  }

  get left(): Duration {
    return Math.max(0, this.#left - Math.min(this.#passed(), step + tolerance));
  }

  /** Whether the suspension was so long that a broken connection says nothing about the other side. */
  get isBlind(): boolean {
    return this.#stood + this.#late() > tooLong;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(): NodeJS.Timeout {
    this.#since = performance.now();
    this.#day = Date.now();
    return setTimeout(() => this.#tick(), Math.min(step, this.#left));
  }

  /** The larger of two clocks' time: one stops while a machine sleeps, the other does not. */
  #passed(): Duration {
    return Math.max(performance.now() - this.#since, Date.now() - this.#day);
  }

  #late(): Duration {
    const late = this.#passed() - Math.min(step, this.#left);
    return late > tolerance ? late : 0;
  }

  #tick(): void {
    const late = this.#late();
    this.#stood += late;
    this.#left -= late > 0 ? step : this.#passed();
    if (late > 0 && this.#left <= 0 && this.#graces++ < maxGraces) this.#left = step;
    if (this.#left <= 0) this.#over();
    else this.#timer = this.#wait();
  }
}
