import { code } from "../../../model/markdown.ts";
import type { RepositoryState } from "../../../model/ports/index.ts";
import { aDay, type Duration, day, type Instant } from "../../../model/time.ts";
import { settingsLink } from "../../../recheck/permissions.ts";

/** Tells the people of a repository about the App itself: Markdown of our own making, for its overview. Pure. */
export function noticesOf(state: RepositoryState, now: Instant): string[] {
  return [...refusals(state), ...passed(state, now)];
}

/** How long the overview mentions a pause, a new name or a new branch. */
const noticesLast: Duration = 7 * aDay;

function refusals(state: RepositoryState): string[] {
  return Object.entries(state.refused ?? {}).map(([permission, since]) => {
    const loss = without.get(permission);
    const what = `**GitHub has not granted ${code(permission)} since ${day(since)}**${loss ? `: ${loss}` : ""}.`;
    return `${what} An administrator of the repository's owner can grant it in ${settingsLink(state)}.`;
  });
}

/** The consequence of each missing permission. */
const without: ReadonlyMap<string, string> = new Map([
  ["contents: write", "answers come as a patch in the issue, and not as a pull request"],
  ["pull_requests: write", "answers come as a patch in the issue, and not as a pull request"],
  ["checks: write", "no check run shows mistakes of the config, or figures that the cited pages do not have"],
  ["issues: write", "no issues can be opened"],
  ["contents: read", "config cannot be read"],
]);

function passed({ rested, formerly, branchedFrom, defaultBranch = "" }: RepositoryState, now: Instant): string[] {
  const isNews = (at: Instant | undefined) => at !== undefined && now - at < noticesLast;
  return [
    ...(rested && isNews(rested.to)
      ? [
          `Nothing was checked from ${day(rested.from)} to ${day(rested.to)}: ${wasSays(rested.standing)}. Changes since then are reported as they are found.`,
        ]
      : []),
    ...(formerly && isNews(formerly.until)
      ? [`This repository was ${code(formerly.name)} until ${day(formerly.until)}. Its history was kept.`]
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
