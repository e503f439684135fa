import type { Duration, Instant } from "../model.ts";
import { type GitHub, GitHubProblem } from "../ports.ts";
import { capOf, type Outbox, type State, type Synced } from "./outbox.ts";

/** What writing to one GitHub needs. */
export interface Writing {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly state: State;
  readonly told: Synced;
}

/** What was sent, and whose answer got lost, may still be carried out for so long. */
const underWay: Duration = 120_000;

/**
 * Why it is not to be sent again yet, though it was looked for and is not there; undefined where it may be. A time that
 * is still to come was a wrong clock's.
 */
export function mayArrive({ attempted }: { readonly attempted?: Instant }, at: Instant): string | undefined {
  if (attempted === undefined || at < attempted || at >= attempted + underWay) return undefined;
  return "GitHub may still carry out what was sent before";
}

/**
 * Sends once. Where the answer got lost, looks whether it arrived; if not, a later time tries again. `refused`: it was
 * not carried out, nor will it be.
 */
export async function once<T>(
  refused: () => Promise<void>,
  send: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
    if (!error.uncertain) {
      await refused();
      throw error;
    }
    const found = await find().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/** Why it waits. */
export function capSays(outbox: Outbox): string {
  return `at most ${capOf(outbox)} issues, comments and pull requests are written an hour`;
}
