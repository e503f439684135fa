import { sideBySide } from "../../model/concurrency.ts";

/** How long looking may take, and who is told of it. */
export interface LookingTime {
  readonly minutes: number;
  /** Sends away every request that waits, once the time is over. */
  readonly stop: () => Promise<void>;
  /** Told after each look how many there were. */
  readonly seen: (count: number) => void;
  /** Whether no look is to begin any more, whatever time is left. */
  readonly stopped?: () => boolean;
}

/** Looks that are under way at the same time; one host is asked one thing after the other all the same. */
const maxLooksAtOnce = 32;

/** The longest that a request under way may still take; nothing begins later than that before the end. */
const secondsOfARequest = 20;

/**
 * Looks at each once, on many hosts side by side, and tells in their order what came of it. Once the time is over no
 * look begins, and those under way end: what was not looked at has no entry.
 */
export async function lookInTurn<T, R>(
  all: readonly T[],
  hostOf: (one: T) => string,
  look: (one: T) => Promise<R>,
  { minutes, stop, seen, stopped }: LookingTime,
): Promise<Map<T, R>> {
  const found = new Map<T, R>();
  let isOver = false;
  let stopping: Promise<void> | undefined;
  const end = () => {
    isOver = true;
    stopping = stop();
  };
  const timer = setTimeout(end, Math.max(minutes * 60 - secondsOfARequest, minutes * 40) * 1_000);
  try {
    await sideBySide(
      interleaved(all, hostOf),
      maxLooksAtOnce,
      () => isOver || stopped?.() === true,
      async (one) => {
        found.set(one, await look(one));
        seen(found.size);
      },
    );
    await stopping;
  } finally {
    clearTimeout(timer);
  }
  return new Map(all.flatMap((one) => (found.has(one) ? [[one, found.get(one) as R]] : [])));
}

/** One of each host in turn: a host that is named a hundred times holds up no other. */
function interleaved<T>(all: readonly T[], hostOf: (one: T) => string): T[] {
  const turns = [...Map.groupBy(all, hostOf).values()].flatMap((own) => own.map((one, turn) => ({ one, turn })));
  return turns.sort((one, other) => one.turn - other.turn).map(({ one }) => one);
}
