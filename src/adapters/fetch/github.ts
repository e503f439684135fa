import { digestOf } from "../../model/digest.ts";
import { Failure } from "../../model/failure.ts";
import type { Clock } from "../../model/ports/index.ts";
import { anHour, type Instant } from "../../model/time.ts";
import type { Headers } from "./exchange.ts";

const api = "https://api.github.com";
/** Without a token: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const maxRequestsAnHour = 60;

/** The headers and origin of a request to GitHub's API, while its redirects stay there. */
export interface Pass {
  readonly origin: string;
  readonly authorization?: string;
  /** A digest of the token, stored with an ETag. */
  readonly digest?: string;
  /** The group whose requests are counted together (default: all). */
  readonly allowance?: string;
}

export type GitHubAccess = ReturnType<typeof createGitHubAccess>;

export function createGitHubAccess(
  clock: Clock,
  base: string = api,
  token?: () => Promise<string | undefined>,
  allowance?: string,
) {
  const home = new URL(base);
  const prefix = home.pathname.replace(/\/$/, "");
  let tokenless = token === undefined;
  let lastToken: { token: string; pass: Pass } | undefined;
  let quota = maxRequestsAnHour;
  let refill: Instant | undefined;

  function roll() {
    if (refill === undefined || clock.now() < refill) return;
    quota = maxRequestsAnHour;
    refill = undefined;
  }

  return {
    /** Rewrites an address on api.github.com for the API in use; undefined for any other address. */
    rebase(url: URL): URL | undefined {
      if (url.origin === api && home.origin !== api) return new URL(home.origin + prefix + url.pathname + url.search);
      return url.origin === home.origin ? url : undefined;
    },
    async pass(): Promise<Pass> {
      const current = await ask(token);
      tokenless = current === undefined;
      if (current === undefined) return { origin: home.origin };
      if (lastToken?.token !== current) {
        const digest = digestOf(current);
        lastToken = {
          token: current,
          pass: { origin: home.origin, authorization: `Bearer ${current}`, digest, allowance },
        };
      }
      return lastToken.pass;
    },
    /** Counts one request without a token. @throws Failure *deferred* when the allowance is used up */
    spend() {
      roll();
      if (quota <= 0) throw new Failure("deferred", { why: "GitHub's hourly allowance without a token is used up" });
      quota -= 1;
      refill ??= clock.now() + anHour;
    },
    note(headers: Headers) {
      const remaining = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
      if (!Number.isInteger(remaining) || remaining < 0) return;
      if ((headers["x-ratelimit-resource"] ?? "core") !== "core") return;
      const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN) * 1_000;
      quota = remaining;
      if (reset > clock.now() && reset <= clock.now() + anHour) refill = reset;
    },
    left() {
      if (!tokenless) return undefined;
      roll();
      return quota;
    },
  };
}

/** A missing token is neither our defect nor the source's. The error may contain secrets. */
async function ask(token: (() => Promise<string | undefined>) | undefined): Promise<string | undefined> {
  try {
    return (await token?.())?.trim() || undefined;
  } catch {
    throw new Failure("deferred", { why: "no token for GitHub could be obtained" });
  }
}
