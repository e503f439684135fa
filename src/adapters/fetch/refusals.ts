import { instantOf } from "../../language/dates.ts";
import { Failure } from "../../model/failure.ts";
import { anHour, type Duration, type Instant } from "../../model/time.ts";
import type { Headers } from "./exchange.ts";

/** The failure for a status without an answer. `wait`: the pause that is granted to the host. */
export function refusal(status: number, headers: Headers, body: Buffer, wait: Duration | undefined): Failure {
  if (isBotWall(status, headers, body)) return new Failure("bot-wall", { status });
  if (wait !== undefined) return new Failure("rate-limited", { status, retryAfter: wait });
  if (status === 429) return new Failure("rate-limited", { status });
  if (status === 404 || status === 410) return new Failure("not-found", { status });
  return new Failure("status", { status });
}

/**
 * The pause in ms that the host asks for: `Retry-After` of a 429, a 503 or, at GitHub, a 403; else until its quota is renewed.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 */
export function requestedPause(status: number, headers: Headers, github: boolean, now: Instant): Duration | undefined {
  const limited = status === 429 || (github && status === 403);
  if (!limited && status !== 503) return undefined;
  const asked = retryAfter(headers["retry-after"], now) ?? (github && limited ? quotaRest(headers, now) : undefined);
  return asked ?? (status === 429 ? shortRest : undefined);
}

/** The pause for a 429 without a time. No redirect causes a longer one: its site must not silence a host for others. */
export const shortRest: Duration = anHour / 4;

function quotaRest(headers: Headers, now: Instant): Duration | undefined {
  if (headers["x-ratelimit-remaining"] !== "0") return undefined;
  const reset = Number(headers["x-ratelimit-reset"]) * 1_000;
  return Number.isFinite(reset) ? Math.max(0, reset - now) : undefined;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
export function retryAfter(value: string | undefined, now: Instant): Duration | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  const date = instantOf(value);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Headers by which delivery networks mark a challenge, with any status. */
export function isChallenge(headers: Headers): boolean {
  return (
    headers["cf-mitigated"] === "challenge" ||
    headers["x-vercel-mitigated"] === "challenge" ||
    headers["x-amzn-waf-action"] === "challenge" ||
    headers["x-amzn-waf-action"] === "captcha"
  );
}

/** Whether a refusal is meant for robots rather than for this address. Pages with status 200 are judged by the readers. */
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
