import { counted } from "../../describe.ts";
import type { Duration, FreshnessLevel, Source } from "../../model.ts";
import type { Status } from "../../status.ts";
import { freshnessLevels } from "../../status-file.ts";

/** The words that several pages use. */

/** What each level of freshness means, for those who never read a manual. */
export const meaningOf: Readonly<Record<FreshnessLevel, string>> = {
  "in doubt": "something was seen that speaks against it, and nobody has answered yet",
  blind: "a source it rests on has not been seen for a week, and nothing else says the same",
  "to review": "something happened that the report asked to look at, and nobody has answered yet",
  due: "nobody has reviewed it for longer than its subject stays still",
  fresh: "nothing speaks against it",
};

export function calledSource({ title, address }: Source): string {
  return title ?? address;
}

/** Begins as a sentence does. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const day: Duration = 86_400_000;

export function daysOf(length: Duration): number {
  return Math.round(length / day);
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], most = 12): string {
  const shown = words.slice(0, most);
  const more = words.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

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
