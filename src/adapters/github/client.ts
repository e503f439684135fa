import { Octokit } from "octokit";
import type { GitHubOptions } from "./index.ts";

const timeout = 30_000;

export function client({
  baseUrl,
  log,
  fetch: given,
  patience = true,
  spaced = true,
}: Pick<GitHubOptions, "baseUrl" | "log" | "fetch" | "patience"> & { readonly spaced?: boolean }): typeof Octokit {
  const send = given ?? fetch;
  const timed: typeof fetch = (input, init) => send(input, { ...init, signal: AbortSignal.timeout(timeout) });
  // A limit is not waited for: what is left stays in the outbox.
  const giveUp = () => false;
  const quiet = () => {};
  return Octokit.defaults((defaults: object) => ({
    ...defaults,
    userAgent: "recheck",
    ...(baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
    log: log ?? { debug: quiet, info: quiet, warn: quiet, error: quiet },
    request: { fetch: timed },
    throttle: { enabled: patience && spaced, onRateLimit: giveUp, onSecondaryRateLimit: giveUp },
    retry: { enabled: patience },
  })) as typeof Octokit;
}
