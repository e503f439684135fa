import { Failure } from "../../model/failure.ts";

/** Bytes of whole answers that are held at once, until they are judged. */
const maxHeld = 64_000_000;
/** Bytes of whole answers at once that nobody judges in a place: held only until they are told. */
const maxPassing = 20_000_000;
/** Bytes of all answers that are under way, or came and wait for room. */
const maxArriving = 128_000_000;
/** While answers wait for room, no look asks for more unless so much may come. */
const leftForMore = maxArriving / 2;

/** Room for the body of one answer. */
export interface Room {
  /** Gives back the room beyond so many bytes. */
  shrink(bytes: number): void;
  free(): void;
}

/** The bytes of one answer, from the first that comes until there is room for it or it is let go. */
export interface Coming {
  /** Counts bytes that have come. @throws Failure *deferred* where all answers together are too much */
  more(bytes: number): void;
  /** Ends the count: what came is held as a body by now, or was dropped. The answer may begin anew. */
  over(): void;
}

/**
 * Bounds the memory that answers take, however many are under way: what comes and waits, what is held until it is judged, and
 * what passes are counted each by itself, and no byte by none of them.
 */
export class Intake {
  readonly #held = new Rooms(maxHeld);
  readonly #passing = new Rooms(maxPassing);
  #arriving = 0;
  readonly #asking: Pick<Waiting, "begin" | "fail">[] = [];
  #isStopped = false;

  /** Waits until there is room for a body until it is judged. @throws Failure *deferred* after `stop` */
  room(bytes: number): Promise<Room> {
    return this.#held.take(bytes);
  }

  /**
   * Waits until there is room for a body that is soon told: a robots.txt, or what is asked for by no look, as of an archive.
   * It waits for no judge. @throws Failure *deferred* after `stop`
   */
  passage(bytes: number): Promise<Room> {
    return this.#passing.take(bytes);
  }

  coming(): Coming {
    let mine = 0;
    return {
      more: (bytes) => {
        if (this.#arriving + bytes > maxArriving)
          throw new Failure("deferred", { why: "more came at once than there is room for" });
        this.#arriving += bytes;
        mine += bytes;
      },
      over: () => {
        this.#arriving -= mine;
        mine = 0;
        this.#letAsk();
      },
    };
  }

  /** Answers wait for room, and much of what may come is taken: who asks then might be told that it is too much. */
  get isCrowded(): boolean {
    return this.#held.isWaitedFor && this.#arriving > maxArriving - leftForMore;
  }

  /**
   * Waits while it is crowded. What waits gets its room from judges; who waits here holds no place and no host
   * meanwhile. @throws Failure *deferred* after `stop`
   */
  async mayAsk(): Promise<void> {
    if (this.#isStopped) throw stopping();
    if (this.isCrowded) await new Promise<void>((begin, fail) => this.#asking.push({ begin, fail }));
  }

  /** Ends all waiting. */
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

/** Room for a number of bytes, first come, first served. An answer that is alone gets it, whatever its size. */
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
