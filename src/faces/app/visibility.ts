import { type Clock, GitHubProblem, type RepositoryFacts } from "../../model/ports/index.ts";
import { aMinute, type Duration, hasPassed, type Instant } from "../../model/time.ts";

type Told = Pick<RepositoryFacts, "public" | "web">;

/** A public repository, or the reason why it is not shown: *unknown* if GitHub does not answer. */
export type Visibility = Told | "hidden" | "unknown";

/** How long GitHub's last answer counts if there is no new one. */
const lastWordCounts: Duration = 15 * aMinute;

interface Known {
  readonly asked: Instant;
  /** No new request before this time. */
  readonly next: Instant;
  readonly says: Promise<Visibility>;
  /** Why there was no answer. */
  readonly problem?: GitHubProblem;
  /** GitHub's last answer that it is public, and the time of that answer. */
  readonly seen?: { readonly at: Instant; readonly told: Told };
}

/**
 * Whether a repository is public, by its number. GitHub is asked when a page is requested, at most once a minute. A
 * repository that was made private is hidden even if the webhook is missing.
 */
export function createVisibility(clock: Clock): (id: number, ask: () => Promise<Told>) => Promise<Visibility> {
  const answers = new Map<number, Known>();

  async function seenAnew(id: number, ask: () => Promise<Told>, seen: Known["seen"]): Promise<Visibility> {
    const now = clock.now();
    const times = { asked: now, next: now + aMinute };
    try {
      const facts = await ask();
      if (!facts.public) {
        answers.set(id, { ...times, says: Promise.resolve("hidden" as const) });
        return "hidden";
      }
      answers.set(id, { ...times, says: Promise.resolve(facts), seen: { at: now, told: facts } });
      return facts;
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      const says = withoutAnswer(error, seen, now);
      const next = Math.max(times.next, error.resumeAt ?? 0);
      answers.set(id, { ...times, next, says: Promise.resolve(says), problem: error, ...(seen && { seen }) });
      return says;
    }
  }

  return async (id, ask) => {
    const now = clock.now();
    const last = answers.get(id);
    if (last && now >= last.asked && now < last.next)
      return last.problem ? withoutAnswer(last.problem, last.seen, now) : await last.says;
    const says = seenAnew(id, ask, last?.seen);
    // Requests at the same time share the answer.
    answers.set(id, { asked: now, next: now + aMinute, says, ...(last?.seen && { seen: last.seen }) });
    says.catch(() => answers.delete(id));
    return await says;
  };
}

/** A refusal counts as an answer. Without any answer, the last one counts for a while. */
function withoutAnswer(problem: GitHubProblem, seen: Known["seen"], now: Instant): Visibility {
  const isSilent = problem.uncertain || problem.kind === "slow-down" || problem.kind === "blocked";
  if (!isSilent) return "hidden";
  return seen && !hasPassed(lastWordCounts, seen.at, now) ? seen.told : "unknown";
}
