import { Failure } from "../../model/failure.ts";

export interface Room {
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

/** Limits the memory of answers that arrive or wait, that wait to be judged, and that are returned at once. */
export class Intake {
  readonly #maxHeld: number;
  readonly #held: Rooms;
  readonly #passing: Rooms;
  #arriving = 0;
  readonly #asking: Pick<Waiting, "begin" | "fail">[] = [];
  #isStopped = false;

  /** `maxHeld`: limit in bytes for complete answers that wait to be judged. Twice as many may arrive or wait for room. */
  constructor(maxHeld = 64_000_000) {
    this.#maxHeld = maxHeld;
    this.#held = new Rooms(maxHeld);
    this.#passing = new Rooms((maxHeld * 5) / 16);
  }

  /** Waits until there is room for a body that is to be judged. @throws Failure *deferred* after `stop` */
  room(bytes: number): Promise<Room> {
    return this.#held.take(bytes);
  }

  /** Waits for room for a body that no check judges. @throws Failure *deferred* after `stop` */
  passage(bytes: number): Promise<Room> {
    return this.#passing.take(bytes);
  }

  coming(): Coming {
    let ownBytes = 0;
    return {
      more: (bytes) => {
        if (this.#arriving + bytes > 2 * this.#maxHeld)
          throw new Failure("deferred", { why: "the responses that arrived together are too large" });
        this.#arriving += bytes;
        ownBytes += bytes;
      },
      over: () => {
        this.#arriving -= ownBytes;
        ownBytes = 0;
        this.#letAsk();
      },
    };
  }

  /** Whether responses wait for room and much of it is used, so that another request might fail. */
  get isCrowded(): boolean {
    return this.#held.isWaitedFor && this.#arriving > this.#maxHeld;
  }

  /** Waits while there is little room. Callers hold no place and no host here. @throws Failure *deferred* */
  async mayAsk(): Promise<void> {
    if (this.#isStopped) throw stopping();
    if (this.isCrowded) await new Promise<void>((begin, fail) => this.#asking.push({ begin, fail }));
  }

  stop(): void {
    this.#isStopped = true;
    this.#held.stop();
    this.#passing.stop();
    for (const { fail } of this.#asking.splice(0)) fail(stopping());
  }

  #letAsk(): void {
    if (this.isCrowded) return;
    for (const { begin } of this.#asking.splice(0)) begin();
  }
}

interface Waiting {
  readonly bytes: number;
  begin(): void;
  fail(failure: Failure): void;
}

/** Room for a number of bytes, first come, first served. A single response always gets it. */
class Rooms {
  readonly #most: number;
  #taken = 0;
  #isStopped = false;
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  async take(bytes: number): Promise<Room> {
    if (this.isWaitedFor || !this.#fits(bytes)) {
      if (this.#isStopped) throw stopping();
      await new Promise<void>((begin, fail) => this.#waiting.push({ bytes, begin, fail }));
    } else this.#taken += bytes;
    let mine = bytes;
    const shrink = (to: number) => {
      this.#taken -= mine - to;
      mine = to;
      this.#beginNext();
    };
    return { shrink: (to) => shrink(Math.min(mine, to)), free: () => shrink(0) };
  }

  stop(): void {
    this.#isStopped = true;
    for (const { fail } of this.#waiting.splice(0)) fail(stopping());
  }

  #fits(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#most;
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#taken += next.bytes;
      next.begin();
    }
  }
}

function stopping(): Failure {
  return new Failure("deferred", { why: "Recheck is stopping" });
}
