import { type GitHub, GitHubProblem } from "../ports.ts";
import { capOf, type Outbox, type State, type Synced } from "./outbox.ts";

/** What writing to one GitHub needs. */
export interface Writing {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly state: State;
  readonly told: Synced;
}

/** Sends once. Where the answer got lost, looks whether it arrived; if not, the next time tries again. */
export async function once<T>(send: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !error.uncertain) throw error;
    const found = await find().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/** Why it waits. */
export function capSays(outbox: Outbox): string {
  return `at most ${capOf(outbox)} issues, comments and pull requests are written an hour`;
}
