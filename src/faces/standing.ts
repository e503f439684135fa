import type { RepositoryState } from "../model/ports/index.ts";
import { type Duration, day } from "../model/time.ts";

/** The state of a repository, for the operator. `keptFor`: how long its data is kept after the App was removed. */
export function standingSays({ standing, since, says, mute, ...state }: RepositoryState, keptFor: Duration): string {
  const trouble = mute?.because ?? says ?? unwatched(state);
  switch (standing) {
    case "active":
      return trouble === undefined ? "is served" : `is served, but ${trouble}`;
    case "suspended":
      return `is paused since ${day(since)}: the App is suspended in the installation's settings`;
    case "archived":
      return `is paused since ${day(since)}: it is archived, and continues once it is unarchived`;
    case "fork":
      return "is a fork, and is not served";
    case "removed":
      return `was uninstalled on ${day(since)}: its data is erased on ${day(since + keptFor)}, unless the App is installed again before`;
  }
}

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
  const where = setUp.unread ? " among the searched files" : "";
  return `has no config, and no report that cites or rates anything to draft one from${where}`;
}
