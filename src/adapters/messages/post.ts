import { Failure } from "../../model/failure.ts";
import type { Duration } from "../../model/time.ts";
import { checkUrl } from "../fetch/address.ts";
import { exchange } from "../fetch/exchange.ts";
import { createRoutes } from "../fetch/routes.ts";
import type { CourierSettings } from "./courier.ts";

export type Post = ReturnType<typeof createPost>;

/** A request of an address that anybody may have named. */
export interface PostRequest {
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const maxTime: Duration = 15_000;
/** Only the status of a receiver's response is used. */
const maxAnswerBytes = 4_096;

/** The outcome of a request, in the words of a check and without its address, which is a secret. */
export function outcomeWords({ kind, facts, message }: Failure): string {
  return kind === "refused-address" ? `its address is refused: ${facts.why ?? "not a public one"}` : message;
}

/** Requests an address that anybody may have named, or sends JSON to it: guarded, without redirects, with a timeout. */
export function createPost(settings: Omit<CourierSettings, "receivers">) {
  const { allowAddresses, proxy, lookup, userAgent, timeout = maxTime } = settings;
  const routes = createRoutes({ connectTimeout: timeout, allowed: allowAddresses, proxy, lookup });
  return {
    /** @throws Failure if there was no response */
    async send(url: URL, { body, headers }: PostRequest) {
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

export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** It is short, because other work waits for it. */
const maxBeatTime: Duration = 5_000;

/**
 * A dead man's switch: reports that all goes well to a service that raises an alarm if it hears nothing. `address`: http or
 * https. It is checked like those of sources, and is a secret.
 */
export function createHeartbeat(settings: Omit<CourierSettings, "receivers">, address: URL) {
  const post = createPost({ timeout: maxBeatTime, ...settings });
  return {
    /** Requests the monitor's address once. Never throws; returns a short reason if that failed, else undefined. */
    async beat(): Promise<string | undefined> {
      try {
        const { status } = await post.send(address, { headers: {} });
        return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
      } catch (error) {
        return error instanceof Failure ? outcomeWords(error) : "it could not be asked";
      }
    },
    close: () => post.close(),
  };
}
