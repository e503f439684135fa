import { Failure } from "../../failure.ts";
import type { Duration, Instant } from "../../model.ts";
import type { Headers } from "./exchange.ts";

/** A status that is no answer, as a failure. `wait` is what the host asked for and got. */
export function refusal(status: number, headers: Headers, body: Buffer, wait: Duration | undefined): Failure {
  if (isBotWall(status, headers, body)) return new Failure("bot-wall", { status });
  if (wait !== undefined) return new Failure("rate-limited", { status, retryAfter: wait });
  if (status === 429) return new Failure("rate-limited", { status });
  if (status === 404 || status === 410) return new Failure("not-found", { status });
  return new Failure("status", { status });
}

/**
 * How long the host asks to be left alone, in ms: `Retry-After` of a 429 or 503 and, at GitHub, also of a 403 or in
 * its place the time at which its quota is filled up.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 */
export function askedToWait(status: number, headers: Headers, github: boolean, now: Instant): Duration | undefined {
  const limited = status === 429 || (github && status === 403);
  if (!limited && status !== 503) return undefined;
  const asked = retryAfter(headers["retry-after"], now);
  if (asked !== undefined) return asked;
  if (!github || !limited || headers["x-ratelimit-remaining"] !== "0") return undefined;
  const reset = Number(headers["x-ratelimit-reset"]) * 1_000;
  return Number.isFinite(reset) ? Math.max(0, reset - now) : undefined;
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfter(value: string | undefined, now: Instant): Duration | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Headers by which delivery networks say themselves that this is a challenge, whatever the status. */
export function isChallenge(headers: Headers): boolean {
  return (
    headers["cf-mitigated"] === "challenge" ||
    headers["x-vercel-mitigated"] === "challenge" ||
    headers["x-amzn-waf-action"] === "challenge" ||
    headers["x-amzn-waf-action"] === "captcha"
  );
}

/** Whether a refusal is meant for robots and not for this address. Pages that come with 200 are the readers' to judge. */
function isBotWall(status: number, headers: Headers, body: Buffer): boolean {
  if (isChallenge(headers)) return true;
  if (status !== 403 && status !== 429 && status !== 503) return false;
  const server = (headers.server ?? "").toLowerCase();
  if (server === "datadome" || headers["x-datadome"] !== undefined) return true;
  const text = body.toString("latin1", 0, 64 * 1024).toLowerCase();
  const holds = (...words: string[]) => words.some((word) => text.includes(word));
  if (server.startsWith("cloudflare") && holds("just a moment", "challenge-platform", "attention required!", "cf-chl"))
    return true;
  if (holds("<title>access denied") && (server.startsWith("akamai") || holds("reference #", "reference&#32;&#35;")))
    return true;
  return holds(
    "captcha-delivery.com", // DataDome
    "px-captcha", // PerimeterX
    "_pxappid",
    "_incapsula_resource", // Imperva
    "kpsdk", // Kasada
    "sucuri website firewall",
  );
}
