import { Failure } from "../../model/failure.ts";
import type { CourierSettings } from "./courier.ts";
import { befell, createPost } from "./post.ts";

/**
 * Reports to a monitoring service that all goes well. The service raises an alarm if it gets no report for too long (a dead
 * man's switch).
 */
export interface Heartbeat {
  /** Requests the monitor's address once. Never throws; returns a short reason if that failed, else undefined. */
  beat(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Timeout in milliseconds. It is short, because other work waits for it. */
const maxTime = 5_000;

/** `address`: http or https. It is checked like those of sources, and is a secret. */
export function createHeartbeat(settings: Omit<CourierSettings, "receivers">, address: URL): Heartbeat {
  const post = createPost({ timeout: maxTime, ...settings });
  return {
    async beat() {
      try {
        const { status } = await post.send(address, { headers: {} });
        return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
      } catch (error) {
        return error instanceof Failure ? befell(error) : "it could not be asked";
      }
    },
    close: () => post.close(),
  };
}
