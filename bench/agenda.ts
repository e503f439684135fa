import type { Instant } from "../src/model/time.ts";

/** Plans by time; plans for the same time keep their order. */
export class Agenda<T> {
  private readonly heap: { at: Instant; order: number; what: T }[] = [];
  private order = 0;

  plan(at: Instant, what: T): void {
    this.heap.push({ at, order: this.order++, what });
    let child = this.heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.before(child, parent)) break;
      this.swap(child, parent);
      child = parent;
    }
  }

  next(): { at: Instant; what: T } | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (last && this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    return first;
  }

  private sink(): void {
    for (let parent = 0; ; ) {
      const least = [2 * parent + 1, 2 * parent + 2]
        .filter((child) => child < this.heap.length)
        .reduce((best, child) => (this.before(child, best) ? child : best), parent);
      if (least === parent) return;
      this.swap(least, parent);
      parent = least;
    }
  }

  private before(a: number, b: number): boolean {
    const [left, right] = [this.heap[a], this.heap[b]];
    return (
      left !== undefined &&
      right !== undefined &&
      (left.at < right.at || (left.at === right.at && left.order < right.order))
    );
  }

  private swap(a: number, b: number): void {
    const [left, right] = [this.heap[a], this.heap[b]];
    if (left && right) [this.heap[a], this.heap[b]] = [right, left];
  }
}
