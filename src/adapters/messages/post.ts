import type { Failure } from "../../model/failure.ts";
import { checkUrl } from "../fetch/address.ts";
import { exchange, type Headers } from "../fetch/exchange.ts";
import { createRoutes } from "../fetch/routes.ts";
import type { CourierSettings } from "./courier.ts";

/**
 * Requests an address that anybody may have named, or sends JSON to it. It is guarded like every other address, follows
 * no redirects, and has a short timeout.
 */
export interface Post {
  /** @throws Failure if there was no response */
  send(
    url: URL,
    request: { readonly body?: string; readonly headers: Readonly<Record<string, string>> },
  ): Promise<{ readonly status: number; readonly headers: Headers }>;
  close(): Promise<void>;
}

/** Milliseconds. */
const maxTime = 15_000;
/** Only the status of a receiver's response is used. */
const maxAnswerBytes = 4_096;

/** The outcome of a request, in the words of a check and without its address, which is a secret. */
export function befell({ kind, facts, message }: Failure): string {
  return kind === "refused-address" ? `its address is refused: ${facts.why ?? "not a public one"}` : message;
}

export function createPost(settings: Omit<CourierSettings, "receivers">): Post {
  const { allowAddresses, proxy, lookup, userAgent, timeout = maxTime } = settings;
  const routes = createRoutes({
    connectTimeout: timeout,
    ...(allowAddresses && { allowed: allowAddresses }),
    ...(proxy && { proxy }),
    ...(lookup && { lookup }),
  });
  return {
    async send(url, { body, headers }) {
      checkUrl(url, allowAddresses);
      const type = body !== undefined && { "content-type": "application/json" };
      const own = { host: url.host, "user-agent": userAgent, ...type };
      const request = { path: url.pathname + url.search, headers: { ...own, ...headers }, body };
      const want = { limit: maxAnswerBytes, cut: true, whole: () => false };
      return await exchange(routes.to(url), request, want, { whole: timeout, left: timeout });
    },
    close: () => routes.close(),
  };
}
