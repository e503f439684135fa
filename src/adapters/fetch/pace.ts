import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../failure.ts";
import type { Duration, Instant } from "../../model.ts";
import type { Clock } from "../../ports.ts";

const longestRest: Duration = 24 * 3_600_000;
const manyLanes = 5_000;

/** What is known of one host. Whoever has entered it is alone there until `leave`. */
export interface Lane {
  busy: boolean;
  /** A connection may be left from the last answer, and may have been closed by the host since. */
  warm: boolean;
  /** On the monotonic clock of the process: pauses are real time, also when the clock is not. */
  openAt: number;
  rest?: { readonly until: Instant; readonly status: number };
  readonly waiting: (() => void)[];
}

export interface Pace {
  /** Waits for one's turn at a host. @throws Failure rate-limited while the host rests, deferred after `stop` */
  enter(host: string): Promise<Lane>;
  leave(lane: Lane): void;
  /** The host asked to be left alone for so long; at most a day is granted. Returns what was granted. */
  rest(lane: Lane, wait: Duration, status: number): Duration;
  /** Whoever waits is sent away. */
  stop(): void;
}

/** One request at a time per host, and a pause between them. Hosts do not wait for each other. */
export function createPace(clock: Clock, pause: Duration): Pace {
  const lanes = new Map<string, Lane>();
  let stopped = false;

  function laneOf(host: string): Lane {
    let lane = lanes.get(host);
    if (!lane) {
      if (lanes.size >= manyLanes) forgetIdle();
      lane = { busy: false, warm: false, openAt: 0, waiting: [] };
      lanes.set(host, lane);
    }
    return lane;
  }

  function forgetIdle() {
    const now = performance.now();
    for (const [host, lane] of lanes)
      if (!lane.busy && lane.openAt <= now && (lane.rest?.until ?? 0) <= clock.now()) lanes.delete(host);
  }

  function refuse(lane: Lane) {
    if (stopped) throw new Failure("deferred", { why: "Recheck is stopping" });
    if (!lane.rest) return;
    const wait = lane.rest.until - clock.now();
    if (wait > 0) throw new Failure("rate-limited", { status: lane.rest.status, retryAfter: wait });
    lane.rest = undefined;
  }

  function leave(lane: Lane) {
    const next = lane.waiting.shift();
    if (next) next();
    else lane.busy = false;
  }

  return {
    async enter(host) {
      const lane = laneOf(host);
      refuse(lane);
      if (lane.busy) await new Promise<void>((turn) => lane.waiting.push(turn));
      else lane.busy = true;
      try {
        refuse(lane);
        const wait = lane.openAt - performance.now();
        if (wait > 0) {
          await sleep(wait);
          refuse(lane);
        }
      } catch (error) {
        leave(lane);
        throw error;
      }
      return lane;
    },
    leave(lane) {
      if (pause > 0) lane.openAt = performance.now() + pause;
      leave(lane);
    },
    rest(lane, wait, status) {
      const granted = Math.min(wait, longestRest);
      if (granted > 0) lane.rest = { until: clock.now() + granted, status };
      return granted;
    },
    stop() {
      stopped = true;
    },
  };
}
