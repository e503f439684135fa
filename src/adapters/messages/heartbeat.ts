import { Failure } from "../../model/failure.ts";
import type { CourierSettings } from "./courier.ts";
import { befell, createPost } from "./post.ts";

/** Tells a watchman elsewhere that all goes well, at an address of his: he speaks up where he hears nothing for too long. */
export interface Heartbeat {
  /** Asks for that address once. Never throws; says in a few words why it was not heard. */
  beat(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Milliseconds: nobody waits long for a watchman. */
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
