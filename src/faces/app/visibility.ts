import { type Clock, GitHubProblem, type RepositoryFacts } from "../../model/ports/index.ts";
import { aMinute, type Duration, hasPassed, type Instant } from "../../model/time.ts";

type Told = Pick<RepositoryFacts, "public" | "web">;

/** A repository that everybody may see; else why nothing of it is shown: *unknown* where GitHub does not tell. */
export type Visibility = Told | "hidden" | "unknown";

/** How long GitHub's last answer counts where it gives none. */
const lastWordCounts: Duration = 15 * aMinute;

interface Known {
  readonly asked: Instant;
  /** Not asked again before. */
  readonly next: Instant;
  readonly says: Promise<Visibility>;
  /** Why there was no answer. */
  readonly problem?: GitHubProblem;
  /** The last time that it was said to be public, and what was told then. */
  readonly seen?: { readonly at: Instant; readonly told: Told };
}

/**
 * Whether everybody may see a repository, by its number: GitHub is asked while somebody looks, at most once a minute.
 * One that was made private is not shown from then on, though no webhook told.
 */
export function createVisibility(clock: Clock): (id: number, ask: () => Promise<Told>) => Promise<Visibility> {
  const known = new Map<number, Known>();

  async function seenAnew(id: number, ask: () => Promise<Told>, seen: Known["seen"]): Promise<Visibility> {
    const now = clock.now();
    const one = { asked: now, next: now + aMinute };
    try {
      const told = await ask();
      if (!told.public) {
        known.set(id, { ...one, says: Promise.resolve("hidden" as const) });
        return "hidden";
      }
      known.set(id, { ...one, says: Promise.resolve(told), seen: { at: now, told } });
      return told;
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      const says = withoutAnswer(error, seen, now);
      const next = Math.max(one.next, error.resumeAt ?? 0);
      known.set(id, { ...one, next, says: Promise.resolve(says), problem: error, ...(seen && { seen }) });
      return says;
    }
  }

  return async (id, ask) => {
    const now = clock.now();
    const last = known.get(id);
    if (last && now >= last.asked && now < last.next)
      return last.problem ? withoutAnswer(last.problem, last.seen, now) : await last.says;
    const says = seenAnew(id, ask, last?.seen);
    // Whoever asks meanwhile waits for the same answer.
    known.set(id, { asked: now, next: now + aMinute, says, ...(last?.seen && { seen: last.seen }) });
    says.catch(() => known.delete(id));
    return await says;
  };
}

/** A refusal is an answer; without any, the last one counts for a while. */
function withoutAnswer(problem: GitHubProblem, seen: Known["seen"], now: Instant): Visibility {
  const isSilent = problem.uncertain || problem.kind === "slow-down" || problem.kind === "blocked";
  if (!isSilent) return "hidden";
  return seen && !hasPassed(lastWordCounts, seen.at, now) ? seen.told : "unknown";
}
