import type { Duration } from "../../model/time.ts";

/** Milliseconds between two readings of the clock. */
const step: Duration = 500;
/** The delay of timers on a busy machine. If a timer is later, the program was suspended, or the machine slept. */
const tolerance: Duration = 250;
/** After a suspension, responses that arrived meanwhile are read first, at most this many times. */
const maxGraces = 5;
/** After a suspension longer than this, a missing response says nothing about the other side. */
const tooLong: Duration = 5_000;

/** A timeout that counts only the time in which this program ran, so that no host is blamed for a suspension. */
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

  /** The rest of the given time. */
  get left(): Duration {
    return Math.max(0, this.#left - Math.min(this.#passed(), step + tolerance));
  }

  /** Whether the suspension was so long that a broken connection says nothing about the other side. */
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

  /** The larger of two clocks' time: one stops while a machine sleeps, the other does not. */
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
