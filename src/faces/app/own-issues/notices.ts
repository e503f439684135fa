import { code } from "../../../model/markdown.ts";
import type { Duration, Instant } from "../../../model/model.ts";
import type { RepositoryState } from "../../../model/ports/index.ts";
import { aDay, day } from "../../../model/time.ts";
import { settingsLink } from "../../../recheck/permissions.ts";
import { keptAfterRemoval } from "../webhooks/lifecycle.ts";

/** Tells the people of a repository about the App itself: Markdown of our own making, for its overview. Pure. */
export function noticesOf(state: RepositoryState, now: Instant): string[] {
  return [...refusals(state), ...passed(state, now)];
}

/** For so long the overview tells of a rest, a new name or a new branch. */
const noticesLast: Duration = 7 * aDay;

function refusals(state: RepositoryState): string[] {
  return Object.entries(state.refused ?? {}).map(([permission, since]) => {
    const loss = without.get(permission);
    const what = `**GitHub has not granted ${code(permission)} since ${day(since)}**${loss ? `: ${loss}` : ""}.`;
    return `${what} Whoever administers the repository's owner accepts it in ${settingsLink(state)}.`;
  });
}

/** The loss that goes with each permission that is missing. */
const without: ReadonlyMap<string, string> = new Map([
  ["contents: write", "answers come as a patch in the issue, and not as a pull request"],
  ["pull_requests: write", "answers come as a patch in the issue, and not as a pull request"],
  [
    "checks: write",
    "no check run tells the mistakes of config, and figures that their pages do not have, on their lines",
  ],
  ["issues: write", "nobody can be asked"],
  ["contents: read", "config cannot be read"],
]);

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
