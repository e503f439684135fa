import type { Logger } from "pino";
import { GitHubProblem, type Installations, type RepositoryState } from "../../model/ports/index.ts";
import { aDay, type Duration, hasPassed, type Instant } from "../../model/time.ts";
import type { Instance } from "../../wire/instance.ts";
import type { Repositories } from "./repositories.ts";
import { createBackoff } from "./turns.ts";
import { afterSweep, type InstallationListing, isExpired } from "./webhooks/lifecycle.ts";

/** How long finished deliveries are stored: GitHub may send one again within three days. */
const deliveriesKnownFor: Duration = 7 * aDay;

/** GitHub's list of the repositories that the App can access. It makes up for lost webhooks. */
export function createGitHubList(
  { registry, hosts, installations: app, clock, keep }: Instance,
  { learn }: Pick<Repositories, "learn">,
  log: Logger,
) {
  const backoff = createBackoff<"list" | "hurry">(clock);
  let compared: Instant | undefined;
  let refusal: string | undefined;
  let isBusy = false;

  async function compare(): Promise<number[]> {
    const begun = clock.now();
    const { all, problem } = await listInstallation(app);
    const now = clock.now();
    const changed = await learn((known, only) => afterSweep(all, known, { begun, now, only }));
    if (changed.length > 0) backoff.succeeded("hurry");
    const isOver = (one: RepositoryState) => isExpired(one, now, keep.removed);
    for await (const one of registry.repositories()) if (isOver(one)) await registry.erase(one.id, isOver);
    await registry.forgetDeliveries(now - deliveriesKnownFor);
    if (keep.names !== undefined) await registry.forgetPeople({ before: now - keep.names });
    await hosts.forget(now);
    if (problem) failed(problem);
    else {
      compared = now;
      backoff.succeeded("list");
      refusal = undefined;
    }
    return changed;
  }

  function failed(problem: GitHubProblem): void {
    backoff.failed("list", problem.resumeAt);
    if (refusal !== problem.message) log.warn(`GitHub's list of repositories was not read: ${problem.message}`);
    refusal = problem.message;
  }

  /** Compares it now, unless GitHub asked to wait. `again`: when to compare it again, if it was read only in part. */
  async function compareNow(): Promise<{ readonly changed: number[]; readonly again?: Instant }> {
    const wait = backoff.until("list");
    if (isBusy || clock.now() < wait) return { changed: [], ...(wait > 0 && { again: wait }) };
    isBusy = true;
    let changed: number[] = [];
    try {
      changed = await compare();
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      failed(error);
    } finally {
      isBusy = false;
    }
    return { changed, ...(refusal !== undefined && { again: backoff.until("list") }) };
  }

  return {
    says: () => refusal,
    /** Requests a comparison in the next round. The pauses grow while nothing is found. */
    hurry() {
      if (clock.now() < backoff.until("hurry")) return;
      backoff.failed("hurry");
      compared = undefined;
    },
    /** Compares GitHub's list with the stored repositories once a day. Returns the repositories that changed. */
    async compareIfDue() {
      const isDue = compared === undefined || hasPassed(aDay, compared, clock.now());
      return isDue ? (await compareNow()).changed : [];
    },
    compareNow,
  };
}

/** If GitHub does not answer for one installation, the others are not affected. */
async function listInstallation(
  app: Installations,
): Promise<{ readonly all: InstallationListing[]; readonly problem?: GitHubProblem }> {
  const all: InstallationListing[] = [];
  let problem: GitHubProblem | undefined;
  for (const { id, suspended } of await app.installations()) {
    try {
      all.push(suspended ? { id, says: "suspended" } : { id, says: await app.repositories(id) });
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      problem = error;
      all.push({ id, says: "nothing" });
    }
  }
  return { all, problem };
}
