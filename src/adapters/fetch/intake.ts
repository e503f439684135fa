import { Failure, stopping } from "../../model/failure.ts";

interface Room {
  /** Returns the room beyond this many bytes. */
  shrink(bytes: number): void;
  free(): void;
}

/** Counts the bytes of one answer, from the first one until there is room for it or it is dropped. */
export interface Coming {
  /** Counts bytes that have arrived. @throws Failure *deferred* if all responses together are too large */
  more(bytes: number): void;
  /** Ends the count: the bytes are stored as a body now, or were dropped. The response may start again. */
  over(): void;
}

/**
 * Limits the memory of answers that arrive or wait, that wait to be judged, and that are returned at once. `maxHeld`: limit in
 * bytes for complete answers that wait to be judged. Twice as many may arrive or wait for room.
 */
export function createIntake(maxHeld = 64_000_000) {
  const judging = createRooms(maxHeld);
  const passing = createRooms((maxHeld * 5) / 16);
  const asking: Pick<Waiting, "begin" | "fail">[] = [];
  let arriving = 0;
  let isStopped = false;
  const isCrowded = () => judging.isWaitedFor() && arriving > maxHeld;

  return {
    /** Waits until there is room for a body that is to be judged. @throws Failure *deferred* after `stop` */
    room: judging.take,
    /** Waits for room for a body that no check judges. @throws Failure *deferred* after `stop` */
    passage: passing.take,
    coming(): Coming {
      let ownBytes = 0;
      return {
        more(bytes) {
          if (arriving + bytes > 2 * maxHeld)
            throw new Failure("deferred", { why: "the responses that arrived together are too large" });
          arriving += bytes;
          ownBytes += bytes;
        },
        over() {
          arriving -= ownBytes;
          ownBytes = 0;
          if (!isCrowded()) for (const { begin } of asking.splice(0)) begin();
        },
      };
    },
    /** Whether responses wait for room and much of it is used, so that another request might fail. */
    isCrowded,
    /** Waits while there is little room. Callers hold no place and no host here. @throws Failure *deferred* */
    async mayAsk(): Promise<void> {
      if (isStopped) throw stopping();
      if (isCrowded()) await new Promise<void>((begin, fail) => asking.push({ begin, fail }));
    },
    stop(): void {
      isStopped = true;
      judging.stop();
      passing.stop();
      for (const { fail } of asking.splice(0)) fail(stopping());
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;

interface Waiting {
  readonly bytes: number;
  begin(): void;
  fail(failure: Failure): void;
}

/** Room for a number of bytes, first come, first served. A single response always gets it. */
function createRooms(most: number) {
  const waiting: Waiting[] = [];
  let takenBytes = 0;
  let isStopped = false;
  const fits = (bytes: number) => takenBytes === 0 || takenBytes + bytes <= most;

  function beginNext(): void {
    for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
      waiting.shift();
      takenBytes += next.bytes;
      next.begin();
    }
  }

  return {
    isWaitedFor: () => waiting.length > 0,
    async take(bytes: number): Promise<Room> {
      if (waiting.length > 0 || !fits(bytes)) {
        if (isStopped) throw stopping();
        await new Promise<void>((begin, fail) => waiting.push({ bytes, begin, fail }));
      } else takenBytes += bytes;
      let mine = bytes;
      const shrink = (to: number) => {
        takenBytes -= mine - to;
        mine = to;
        beginNext();
      };
      return { shrink: (to) => shrink(Math.min(mine, to)), free: () => shrink(0) };
    },
    stop(): void {
      isStopped = true;
      for (const { fail } of waiting.splice(0)) fail(stopping());
    },
  };
}
