import { code } from "../../../model/markdown.ts";
import type { Duration, Instant } from "../../../model/model.ts";
import { GitHubProblem, type RepositoryState } from "../../../model/ports/index.ts";
import { aDay, day } from "../../../model/time.ts";
import type { ServedRepository } from "../../../recheck/answer/repository.ts";
import { settingsLink } from "../../../recheck/permissions.ts";
import { keptAfterRemoval } from "../webhooks/lifecycle.ts";

/** For so long the overview tells of what has passed. */
const noticesLast: Duration = 7 * aDay;

/** Tells the people of a repository about the App itself: Markdown of our own making, for its overview. Pure. */
export function noticesOf(state: RepositoryState, now: Instant): string[] {
  return [...refusals(state), ...passed(state, now)];
}

/** The loss that goes with each permission that is missing. */
const without: ReadonlyMap<string, string> = new Map([
  ["contents: write", "answers come as a patch in the issue, and not as a pull request"],
  ["pull_requests: write", "answers come as a patch in the issue, and not as a pull request"],
  ["checks: write", "no check run tells the mistakes of config on their lines"],
  ["issues: write", "nobody can be asked"],
  ["contents: read", "config cannot be read"],
]);

function refusals(state: RepositoryState): string[] {
  return Object.entries(state.refused ?? {}).map(([permission, since]) => {
    const loss = without.get(permission);
    const what = `**GitHub has not granted ${code(permission)} since ${day(since)}**${loss ? `: ${loss}` : ""}.`;
    return `${what} Whoever administers the repository's owner accepts it in ${settingsLink(state)}.`;
  });
}

function passed({ rested, formerly, branchedFrom, defaultBranch = "" }: RepositoryState, now: Instant): string[] {
  const isNews = (at: Instant | undefined) => at !== undefined && now - at < noticesLast;
  return [
    ...(rested && isNews(rested.to)
      ? [
          `Nothing was looked at from ${day(rested.from)} to ${day(rested.to)}: ${wasSays(rested.standing)}. What moved meanwhile is asked about as it is found.`,
        ]
      : []),
    ...(formerly && isNews(formerly.until)
      ? [`This repository was ${code(formerly.name)} until ${day(formerly.until)}. All that is remembered came along.`]
      : []),
    ...(branchedFrom && isNews(branchedFrom.until)
      ? [
          `The default branch is ${code(defaultBranch)}, and was ${code(branchedFrom.branch)} until ${day(branchedFrom.until)}. Config is read from there now, and open pull requests of Recheck go there.`,
        ]
      : []),
  ];
}

function wasSays(standing: RepositoryState["standing"]): string {
  if (standing === "suspended") return "the App was suspended";
  if (standing === "archived") return "the repository was archived";
  return "the App was not installed here";
}

/** Where a repository stands, for the operator, in plain words. Pure. */
export function standingSays({ standing, since, says, mute, ...state }: RepositoryState): string {
  const trouble = mute?.because ?? says ?? unwatched(state);
  switch (standing) {
    case "active":
      return trouble === undefined ? "is served" : `is served, but ${trouble}`;
    case "suspended":
      return `rests since ${day(since)}: the App is suspended, until somebody ends that in the installation's settings`;
    case "archived":
      return `rests since ${day(since)}: it is archived, and goes on where it was once it is not any more`;
    case "fork":
      return "is a fork, and is not served";
    case "removed":
      return `was left on ${day(since)}: what is remembered is erased on ${day(since + keptAfterRemoval)}, and goes on where it was if the App is installed before`;
  }
}

/** Why nothing is watched, where there is no config. */
function unwatched({
  empty,
  config,
  setUp,
  broken,
}: Pick<RepositoryState, "empty" | "config" | "setUp" | "broken">): string | undefined {
  if (empty) return "has no commit yet: the first push sets it up";
  if (config || broken !== undefined || !setUp) return undefined;
  if (setUp.optedOut !== undefined) return `has no config since ${day(setUp.optedOut)}, and is not watched`;
  if (setUp.found) return "waits for its set-up pull request to be merged";
  const where = setUp.unread ? " among the files that were looked at" : "";
  return `has no config, and no report that cites or rates anything to draft one from${where}`;
}

/** Why no issue can be written, and what people can do about it. */
interface Silence {
  readonly because: string;
  readonly title: string;
  readonly summary: string;
}

/**
 * Where no issue can be written, a check run of the default branch says so: the last place that people look at. Once
 * issues can be written again, so does it. `problems`: what GitHub would not do. @throws GitHubProblem
 */
export async function tellSilence(
  repository: ServedRepository,
  problems: readonly { readonly kind: string }[],
): Promise<void> {
  const { state, github } = repository;
  const { mute } = state;
  const silence = silenceOf(problems, state);
  // Other problems say nothing about whether people can be asked.
  if (!silence && (!mute || problems.length > 0)) return;
  const head = state.defaultBranch === undefined ? undefined : await github.commit(state.defaultBranch);
  if (!head || (mute?.because === silence?.because && mute?.commit === head.sha)) return;
  if (silence) {
    const { because, title, summary } = silence;
    await announce(repository, { commit: head.sha, conclusion: "action_required", title, summary });
    return await keep(repository, { because, commit: head.sha });
  }
  const summary = "Issues can be written again: what waited is asked now.";
  if (mute)
    await announce(repository, { commit: mute.commit, conclusion: "success", title: "Recheck can ask again", summary });
  await keep(repository, undefined);
}

function silenceOf(problems: readonly { readonly kind: string }[], state: RepositoryState): Silence | undefined {
  const kept = "Its sources are looked at all the same: nothing is lost, and what waits is asked then.";
  for (const { kind } of problems) {
    if (kind === "disabled") {
      const where = state.web ? `[the repository's settings](${state.web}/settings)` : "the repository's settings";
      return {
        because: "issues are switched off",
        title: "Issues are switched off: nobody can be asked",
        summary: `Recheck asks by issues, and this repository has none. Switch them on in ${where}, under *Features*. ${kept}`,
      };
    }
    if (kind === "forbidden") {
      return {
        because: 'GitHub does not grant "issues: write"',
        title: "Recheck may not write issues: nobody can be asked",
        summary: `GitHub does not grant \`issues: write\`. Whoever administers the repository's owner accepts it in ${settingsLink(state)}. ${kept}`,
      };
    }
  }
  return undefined;
}

/** Where that is not granted either, the operator alone is told. */
async function announce(
  { github }: ServedRepository,
  run: Parameters<ServedRepository["github"]["announce"]>[0],
): Promise<void> {
  try {
    await github.announce(run);
  } catch (error) {
    if (!(error instanceof GitHubProblem) || error.kind !== "forbidden") throw error;
  }
}

function keep({ store }: ServedRepository, mute: RepositoryState["mute"]): Promise<void> {
  return store.commit((tx) => tx.updateRepository({ mute }));
}
