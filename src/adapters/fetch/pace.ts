import { setTimeout as sleep } from "node:timers/promises";
import { makeOnce } from "../../model/cache.ts";
import { Failure, isNoResponse, stopping } from "../../model/failure.ts";
import type { Clock, HostMemory } from "../../model/ports/index.ts";
import { aMinute, anHour, type Duration, hasCome, type Instant } from "../../model/time.ts";

const maxRest: Duration = 24 * anHour;
/** After this many consecutive requests without a response, a host gets a pause. */
const maxSilences = 2;
const silencePause: Duration = anHour / 6;
/** A turn later than this was stored while the clock was wrong. */
const maxTurn: Duration = aMinute;
/** With more hosts than this, those without a state worth keeping are forgotten. */
const maxLanes = 5_000;

export interface Lane {
  /** With the allowance, if the host counts by allowance: `api.github.com 100`. */
  readonly host: string;
  busy: boolean;
  /** A kept connection may exist, which the host may have closed since. */
  warm: boolean;
  /** On the monotonic clock, so that pauses are right even if the time of day is not. */
  openAt: number;
  rest?: { readonly until: Instant; readonly status: number };
  /** The number of consecutive requests without a response, and the last failure. */
  silence?: { readonly count: number; readonly until: Instant; readonly failure: Failure };
  /** The time, on the monotonic clock, until which this process has the turn among all processes. */
  oursUntil: number;
  /** The last turn is being released to other processes. */
  left?: Promise<void>;
  readonly waiting: (() => void)[];
}

/** This process relies on a shared turn for less time than the store keeps it. */
const ours: Duration = 30_000;
/** The longest wait before asking again for a turn of another process, which may release it early. */
const askAgain: Duration = 1_000;

/**
 * Sends one request at a time per host, with a pause between them. Hosts do not wait for each other. A pause that a
 * host asked for lasts across runs. A host that does not respond is not tried again at once.
 */
export function createPace(clock: Clock, usualPause: Duration, memory?: HostMemory) {
  const lanes = new Map<string, Lane>();
  let recalled: Promise<void> | undefined;
  /** Whether the last run stored turns to keep. */
  let hadTurns = false;
  let isStopped = false;

  /** Waits for the turn before other processes. A request that was made for another one keeps it for that. */
  async function takeTurn(lane: Lane): Promise<void> {
    if (usualPause === 0 || !memory?.take || performance.now() < lane.oursUntil) return;
    await lane.left;
    for (;;) {
      const { wait, rest } = await memory.take(lane.host, clock.now());
      if (wait <= 0) break;
      if (rest) lane.rest = rest;
      mayEnter(lane);
      await sleep(Math.min(wait, askAgain));
      mayEnter(lane);
    }
    lane.oursUntil = performance.now() + ours;
  }

  async function recall(): Promise<void> {
    const now = clock.now();
    for (const { host, at } of (await memory?.turns()) ?? []) {
      hadTurns = true;
      const wait = at - now;
      if (usualPause > 0 && wait > 0 && wait <= maxTurn) laneOf(host).openAt = performance.now() + wait;
    }
    for (const { host, until, status } of (await memory?.rests(now)) ?? []) {
      // A pause longer than any granted one was stored while the clock was wrong.
      if (until > now && until <= now + maxRest) laneOf(host).rest = { until, status };
    }
  }

  function mayEnter(lane: Lane): void {
    if (isStopped) throw stopping();
    const now = clock.now();
    if (lane.rest && !hasCome(lane.rest.until, now, maxRest)) {
      const { status, until } = lane.rest;
      throw new Failure("rate-limited", { status, retryAfter: until - now, unasked: "yes" });
    }
    lane.rest = undefined;
    if (lane.silence && lane.silence.count >= maxSilences && !hasCome(lane.silence.until, now, silencePause)) {
      const { kind, facts } = lane.silence.failure;
      throw new Failure(kind, { ...facts, unasked: "yes" }, lane.silence.failure);
    }
  }

  function laneOf(host: string): Lane {
    return makeOnce(lanes, host, () => {
      if (lanes.size >= maxLanes) forgetIdle();
      return { host, busy: false, warm: false, openAt: 0, oursUntil: 0, waiting: [] };
    });
  }

  function forgetIdle(): void {
    const now = clock.now();
    for (const [host, { busy, openAt, rest, silence }] of lanes) {
      const isOver = Math.max(rest?.until ?? 0, silence?.until ?? 0) <= now;
      if (!busy && isOver && openAt <= performance.now()) lanes.delete(host);
    }
  }

  return {
    /**
     * Waits for the turn at a host. `allowance`: whose limit the request counts against, at a host with several limits. @throws
     * Failure *rate-limited* while the host rests, *deferred* after `stop`; the last request's failure while the host is silent
     */
    async enter(host: string, allowance?: string): Promise<Lane> {
      recalled ??= recall().catch((error: unknown) => {
        recalled = undefined;
        throw error;
      });
      await recalled;
      const lane = laneOf(allowance === undefined ? host : `${host} ${allowance}`);
      mayEnter(lane);
      if (lane.busy) await new Promise<void>((turn) => lane.waiting.push(turn));
      else lane.busy = true;
      try {
        mayEnter(lane);
        const wait = lane.openAt - performance.now();
        if (wait > 0) {
          await sleep(wait);
          mayEnter(lane);
        }
        await takeTurn(lane);
      } catch (error) {
        startNext(lane);
        throw error;
      }
      return lane;
    },
    /**
     * Leaves the lane to the next request. `pause`: the least pause in milliseconds that the service asks for; ignored if hosts
     * are not paced. `prelude`: the request prepared another one, which follows at once.
     */
    leave(lane: Lane, { pause = 0, prelude = false }: { pause?: Duration; prelude?: boolean } = {}): void {
      if (usualPause > 0 && !prelude) {
        lane.openAt = performance.now() + Math.max(usualPause, pause);
        lane.oursUntil = 0;
        // If the store does not answer, other processes wait until the turn expires.
        lane.left = memory?.leave?.(lane.host, Math.max(usualPause, pause)).catch(() => {});
      }
      startNext(lane);
    },
    /** A pause that the host asked for: at most a day is granted and returned. `most`: caps it for all others. */
    async rest(
      lane: Lane,
      { wait, most = maxRest }: { wait: Duration; most?: Duration | undefined },
      status: number,
    ): Promise<Duration> {
      const granted = Math.min(wait, maxRest);
      if (granted <= 0) return granted;
      const now = clock.now();
      lane.rest = { until: now + Math.min(granted, most), status };
      await memory?.saveRest({ host: lane.host, ...lane.rest }, now);
      return granted;
    },
    answered(lane: Lane): void {
      lane.silence = undefined;
    },
    failed(lane: Lane, failure: Failure): void {
      if (!isNoResponse(failure.kind)) return;
      const count = (lane.silence?.count ?? 0) + 1;
      lane.silence = { count, until: clock.now() + silencePause, failure };
    },
    /** Ends the wait of all requests: they fail as *deferred*. */
    stop(): void {
      isStopped = true;
    },
    /** Stores which hosts got a request just now, so that the next run waits for its turn there. */
    async keepTurns(): Promise<void> {
      const [now, here] = [clock.now(), performance.now()];
      const turns = [...lanes.values()].flatMap(({ host, openAt }) =>
        openAt > here ? [{ host, at: Math.ceil(now + openAt - here) }] : [],
      );
      if (turns.length === 0 && !hadTurns) return;
      await memory?.saveTurns(turns);
      await memory?.forget(now);
    },
  };
}

export type Pace = ReturnType<typeof createPace>;

function startNext(lane: Lane): void {
  const turn = lane.waiting.shift();
  if (turn) turn();
  else lane.busy = false;
}
