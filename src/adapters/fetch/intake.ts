import { Failure } from "../../model/failure.ts";

/** Bytes of whole answers that are held at once, until they are judged. */
const maxHeld = 64_000_000;
/** Bytes of all answers that are under way. */
const maxArriving = 128_000_000;

/** Room for the body of one answer. */
export interface Room {
  /** It takes so much, and no more. */
  shrink(bytes: number): void;
  free(): void;
}

/** Bounds the memory that answers take, however many are under way. */
export class Intake {
  #held = 0;
  #arriving = 0;
  readonly #waiting: { readonly bytes: number; begin(): void }[] = [];

  /** Waits until there is room for a body; one that is alone has it, whatever its size. */
  async room(bytes: number): Promise<Room> {
    if (this.#waiting.length > 0 || !this.#fits(bytes))
      await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }));
    else this.#held += bytes;
    let mine = bytes;
    const shrink = (to: number) => {
      this.#held -= mine - to;
      mine = to;
      this.#beginNext();
    };
    return { shrink: (to) => shrink(Math.min(mine, to)), free: () => shrink(0) };
  }

  /** More of an answer has come. @throws Failure *deferred* where all of them together are too much */
  arrive(bytes: number): void {
    if (this.#arriving + bytes > maxArriving)
      throw new Failure("deferred", { why: "more came at once than there is room for" });
    this.#arriving += bytes;
  }

  /** An answer has come, or comes no more. */
  arrived(bytes: number): void {
    this.#arriving -= bytes;
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= maxHeld;
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#held += next.bytes;
      next.begin();
    }
  }
}
