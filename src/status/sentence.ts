import { freshnessLevels } from "../model/states.ts";
import { counted, listed } from "../model/words.ts";
import type { Status } from "./status.ts";

/** `4 of 20 ratings are in doubt, 11 to review and 5 fresh.` */
export function stateSentence({ ratings, lastLook }: Pick<Status, "ratings" | "lastLook">): string {
  if (lastLook === undefined) return "Nobody has looked yet: nothing is known of what the report rests on.";
  if (ratings.length === 0) return "This report has no ratings; its claims are watched.";
  const counts = freshnessLevels
    .map((level) => ({ level, count: ratings.filter((one) => one.level === level).length }))
    .filter(({ count }) => count > 0);
  const [first, ...others] = counts;
  if (!first) return "";
  if (others.length === 0) {
    return ratings.length === 1
      ? `Its one rating is ${first.level}.`
      : `All ${ratings.length} ratings are ${first.level}.`;
  }
  const is = first.count === 1 ? "is" : "are";
  const rest = listed(others.map(({ level, count }) => `${count} ${level}`));
  return `${first.count} of ${counted(ratings.length, "rating")} ${is} ${first.level}, ${rest}.`;
}
