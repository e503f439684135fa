import type { Duration } from "../../model/model.ts";

/** Between two looks at the clock. */
const step: Duration = 500;
/** A timer may be so late on a busy machine; later, and this program stood still, or the machine slept. */
const tolerance: Duration = 250;
/** After it stood still, what came meanwhile is heard first: so often, for a machine that is always late. */
const maxGraces = 5;
/** Having stood still for longer than this, one cannot tell whether the other side gave no response. */
const tooLong: Duration = 5_000;

/**
 * A time-out that counts the time in which this program ran, and calls `over` after it. Of time in which it stood still, or the
 * machine slept, it knows nothing: a timer that comes late for that judges nobody.
 */
export class Patience {
  #left: Duration;
  #stood = 0;
  #graces = 0;
  #timer: NodeJS.Timeout;
  #since = performance.now();
  #day = Date.now();
  readonly #over: () => void;

  constructor(time: Duration, over: () => void) {
    this.#left = time;
    this.#over = over;
    this.#timer = this.#wait();
  }

  /** Of the time that was given. */
  get left(): Duration {
    return Math.max(0, this.#left - Math.min(this.#passed(), step + tolerance));
  }

  /** Whether it stood still for so long that a connection that broke says nothing of the other side. */
  get isBlind(): boolean {
    return this.#stood + this.#late() > tooLong;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(): NodeJS.Timeout {
    this.#since = performance.now();
    this.#day = Date.now();
    return setTimeout(() => this.#tick(), Math.min(step, this.#left));
  }

  /** By the clock that stops while a machine sleeps, and by the one that does not: by whichever more. */
  #passed(): Duration {
    return Math.max(performance.now() - this.#since, Date.now() - this.#day);
  }

  #late(): Duration {
    const late = this.#passed() - Math.min(step, this.#left);
    return late > tolerance ? late : 0;
  }

  #tick(): void {
    const late = this.#late();
    this.#stood += late;
    this.#left -= late > 0 ? step : this.#passed();
    if (late > 0 && this.#left <= 0 && this.#graces++ < maxGraces) this.#left = step;
    if (this.#left <= 0) this.#over();
    else this.#timer = this.#wait();
  }
}
