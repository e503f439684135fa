import { createPrivateKey } from "node:crypto";
import { App, Octokit } from "octokit";
import { z } from "zod";
import { type Clock, GitHubProblem } from "../../model/ports/index.ts";
import { aMinute, anHour } from "../../model/time.ts";
import type { GitHubOptions } from "./index.ts";

const maxRequestTime = 30_000;

export function client({
  baseUrl,
  log,
  fetch: given,
  patience = true,
  spaced = true,
}: Pick<GitHubOptions, "baseUrl" | "log" | "fetch" | "patience"> & { readonly spaced?: boolean }): typeof Octokit {
  const send = given ?? fetch;
  const timed: typeof fetch = (input, init) => send(input, { ...init, signal: AbortSignal.timeout(maxRequestTime) });
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

export type Auth =
  | { readonly token: string }
  | { readonly appId: number | string; readonly privateKey: string; readonly installationId?: number };

/** Says the token to send now. */
export interface Credentials {
  token(): Promise<string>;
  /** The last token was turned away: ask for another one next time. */
  forget(): void;
}

/** An installation's token lives for an hour; it is not used in its last minutes. */
const margin = 5 * aMinute;

const installed = z.object({ id: z.number() });
const minted = z.object({ token: z.string().min(1), expires_at: z.string() });

export function credentials(auth: Auth, repo: string, Client: typeof Octokit, clock: Clock): Credentials {
  if ("token" in auth) return { token: async () => auth.token, forget: () => {} };
  const privateKey = pemOf(auth.privateKey);
  const app = new App({ appId: auth.appId, privateKey, Octokit: Client });
  let installation = auth.installationId;
  let current: { token: string; until: number } | undefined;
  let pending: Promise<string> | undefined;

  async function mint(): Promise<string> {
    if (!isPrivateKey(privateKey)) throw new GitHubProblem("unauthorized", "the App's private key is no key in PEM");
    const [owner = "", name = ""] = repo.split("/");
    if (installation === undefined) {
      const { data } = await app.octokit.request("GET /repos/{owner}/{repo}/installation", { owner, repo: name });
      installation = installed.parse(data).id;
    }
    // For this repository only: a shared instance must not reach from one into another.
    const { data } = await app.octokit.request("POST /app/installations/{installation_id}/access_tokens", {
      installation_id: installation,
      repositories: [name],
    });
    const { token, expires_at } = minted.parse(data);
    current = { token, until: Math.min(Date.parse(expires_at), clock.now() + anHour) - margin };
    return token;
  }

  return {
    async token() {
      if (current && clock.now() < current.until) return current.token;
      pending ??= mint().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    forget: () => {
      current = undefined;
    },
  };
}

/** A key as environments hold it: its line breaks may be written `\n`. */
export function pemOf(key: string): string {
  return key.replaceAll("\\n", "\n");
}

/** Whether it can sign at all; GitHub alone knows whether it is the App's. */
export function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
