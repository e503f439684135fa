import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duration } from "../../model/time.ts";
import { refuse } from "./http.ts";

/** Limits for request bodies from senders that are not verified yet. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxBytesTogether: number;
  /** Time limit for one body, in milliseconds. */
  readonly maxTime: Duration;
}

const megabyte = 1_048_576;
/** GitHub sends no payload above 25 MB, and waits 10 s for an answer: https://docs.github.com/en/webhooks */
const usualLimits: BodyLimits = { maxBytes: 25 * megabyte, maxBytesTogether: 50 * megabyte, maxTime: 15_000 };

type Read = IncomingMessage & { body: object; rawBody: Uint8Array };

/** Answers a request if its body is refused. Returns false if the body was accepted; it is in the request then. */
export type Gate = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

interface HeldBody {
  bytes: Buffer;
  /** Refuses the request; undefined once its body is complete. */
  giveWay?: () => void;
}

/**
 * Accepts bodies at one path only, and of whole bodies those that `verify` accepts. A body that is too large or too slow is
 * refused, and its connection ended. If all bodies together are too large, the largest is refused, so that floods do not delay
 * ordinary webhooks.
 */
export function createGate(
  path: string,
  verify: (request: IncomingMessage, body: Uint8Array) => boolean,
  limits: BodyLimits = usualLimits,
): Gate {
  const heldBodies = new Set<HeldBody>();

  function makeRoom(): void {
    while (sum([...heldBodies]) > limits.maxBytesTogether) {
      const open = [...heldBodies].filter(({ giveWay }) => giveWay);
      const largest = open.reduce<HeldBody | undefined>(
        (a, b) => (a && a.bytes.length >= b.bytes.length ? a : b),
        undefined,
      );
      if (!largest) return;
      largest.giveWay?.();
    }
  }

  function readBody(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      const body: HeldBody = { bytes: Buffer.alloc(0) };
      let length = 0;
      const end = (isRefused: boolean): void => {
        clearTimeout(timer);
        request.off("data", take).off("end", finish).off("close", lost);
        body.giveWay = undefined;
        if (isRefused) heldBodies.delete(body);
        resolve(isRefused);
      };
      const refuseBody = (status: 400 | 408 | 413 | 503, says: string): void => {
        end(true);
        hangUp(request, response);
        refuse(request, response, status, says);
      };
      const take = (chunk: Buffer): void => {
        if (length + chunk.length > limits.maxBytes) refuseBody(413, tooLarge(limits));
        else {
          body.bytes = growBuffer(body.bytes, length, length + chunk.length, limits.maxBytes);
          length += chunk.copy(body.bytes, length);
          makeRoom();
        }
      };
      const finish = (): void => {
        const whole = { body: {}, rawBody: body.bytes.subarray(0, length) } satisfies Partial<Read>;
        Object.assign(request, whole);
        // The body takes memory until the request is answered.
        response.once("close", () => heldBodies.delete(body));
        if (verify(request, whole.rawBody)) end(false);
        else refuseBody(400, "The signature does not match.");
      };
      const lost = (): void => end(true);
      const timer = setTimeout(() => refuseBody(408, "This took too long."), limits.maxTime);
      body.giveWay = () => refuseBody(503, "Too many requests at the moment. Try again later.");
      heldBodies.add(body);
      request.on("data", take).on("end", finish).on("close", lost);
    });
  }

  return async (request, response) => {
    const { headers, method } = request;
    const isHere = method === "POST" && isAt(path, request.url ?? "");
    const announced = Number(headers["content-length"] ?? 0);
    if (!isHere && announced === 0 && headers["transfer-encoding"] === undefined) return false;
    const says = isHere ? announced > limits.maxBytes && tooLarge(limits) : "Nothing can be sent to this address.";
    if (!says) return await readBody(request, response);
    hangUp(request, response);
    refuse(request, response, 413, says);
    return true;
  };
}

/** Whether an address has a path, followed by any slashes and a query. Linear, because anybody may send 16 KB of address. */
function isAt(path: string, url: string): boolean {
  return url.startsWith(path) && /^\/*(\?|$)/.test(url.slice(path.length));
}

function tooLarge({ maxBytes }: BodyLimits): string {
  return `This is larger than ${Math.floor(maxBytes / megabyte)} MB.`;
}

function sum(all: readonly HeldBody[]): number {
  return all.reduce((total, { bytes }) => total + bytes.length, 0);
}

/** Appends bytes to one buffer: many small pieces would take more memory than their content. */
function growBuffer(bytes: Buffer, length: number, needed: number, most: number): Buffer {
  if (needed <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, 2 * length)));
  bytes.copy(larger, 0, 0, length);
  return larger;
}

/** Ends the connection after the answer: the rest of a body is not read. */
function hangUp(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("connection", "close").once("finish", () => request.socket.destroy());
}

export interface WebhookSecrets {
  readonly secret: string;
  readonly previous?: string;
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const header = "x-hub-signature-256";

/** Whether a webhook is signed with one of the secrets. It leaves with the present one, as Probot supports one secret. */
export function isSigned(request: IncomingMessage, body: Uint8Array, { secret, previous }: WebhookSecrets): boolean {
  const given = Buffer.from(String(request.headers[header]));
  const isBy = (key: string) => {
    const expected = Buffer.from(sign(body, key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (isBy(secret)) return true;
  if (previous === undefined || !isBy(previous)) return false;
  request.headers[header] = sign(body, secret);
  return true;
}

function sign(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
