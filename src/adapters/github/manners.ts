import { type InTurn, turns } from "../../model/concurrency.ts";
import { makeOnce } from "../../model/make-once.ts";
import { aMinute, aSecond, type Duration } from "../../model/time.ts";

/**
 * Paces the requests of a group as GitHub asks: few at once, a pause between writes, and a longer one between those that notify
 * people. Pauses use the monotonic clock, so that a corrected time of day prolongs none.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */

const mostAtOnce = 10;
const betweenWrites: Duration = aSecond;
const betweenNotices: Duration = 3 * aSecond;
/** The longest time until a waiting write learns that the program stops, as its turn may be minutes away. */
const mostUnheard: Duration = aSecond;

/** Creates an issue, a pull request or a comment. */
const isNotice = /\/(?:issues|pulls|comments)$/;

/** A request, named by its route: `/repos/{owner}/{repo}/issues`. */
interface Asked {
  readonly method: string;
  readonly url: string;
}

interface Lane {
  readonly turn: InTurn;
  /** When the next request of this kind may begin, on the monotonic clock. */
  readonly opens: { writes: number; notices: number };
}

const lanes = new Map<string, Lane>();

/** Sends a request once it is time; requests that still wait when `hangUp` is aborted are not sent. */
export async function inTurn<T>(
  group: string,
  { method, url }: Asked,
  ask: () => T | Promise<T>,
  hangUp?: AbortSignal,
): Promise<T> {
  const lane = makeOnce(lanes, group, () => ({ turn: turns(mostAtOnce), opens: { writes: 0, notices: 0 } }));
  if (method !== "GET" && method !== "HEAD") {
    await opened(lane, "writes", betweenWrites, hangUp);
    if (method === "POST" && isNotice.test(url)) await opened(lane, "notices", betweenNotices, hangUp);
  }
  return await lane.turn(async () => ask());
}

/**
 * Waits until the next request of this kind may begin. @throws Error if the program was suspended meanwhile, or its
 * machine slept, which also stops the monotonic clock: another process that took it for dead may have written the same
 */
async function opened(
  { opens }: Lane,
  of: keyof Lane["opens"],
  pause: Duration,
  hangUp: AbortSignal | undefined,
): Promise<void> {
  const [now, day] = [performance.now(), Date.now()];
  const at = Math.max(now, opens[of]);
  opens[of] = at + pause;
  for (let left = at - now; left > 0; left = at - performance.now()) {
    hangUp?.throwIfAborted();
    await new Promise<void>((open) => setTimeout(open, Math.min(left, mostUnheard)));
  }
  const passed = Math.max(performance.now() - now, Date.now() - day);
  if (passed > at - now + aMinute) throw new Error("the program stood still before it wrote to GitHub");
}
