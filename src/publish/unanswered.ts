import { touches } from "../freshness.ts";
import type { StoredFiring } from "../ports.ts";
import { isKnown } from "../recheck/question.ts";
import { isNews, unanswered } from "../status.ts";
import { isAnswered } from "../verdict/answers.ts";
import type { Edition } from "./edition.ts";

/** The firings that nobody has answered: of one that touches several ratings, until all of them are. */
export function openFirings({
  config,
  firings,
  rechecks,
  answers,
}: Pick<Edition, "config" | "firings" | "rechecks" | "answers">): StoredFiring[] {
  const given = Map.groupBy(answers, ({ recheck }) => recheck);
  return unanswered(firings, rechecks).filter((firing) => {
    if (!isKnown(firing.trigger, config)) return false;
    const its = isNews(firing) ? [] : (given.get(firing.recheck ?? 0) ?? []);
    const asked = [...touches(firing, config)];
    return asked.length === 0 || asked.some((rating) => !isAnswered(firing, rating, its));
  });
}
