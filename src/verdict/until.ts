import { date, duration } from "../config/words.ts";
import { day } from "../describe.ts";
import type { Instant } from "../model.ts";
import { code } from "../recheck/inert.ts";

export type Until = { readonly until: Instant | "next-event" } | { readonly says: string };

const wants = "`/recheck snooze` wants a date, a length of time or `until-next-event`, such as";

/** `2026-12-24`, `14d`, `until-next-event`; dates are their first instant, UTC. */
export function untilOf(text: string, at: Instant): Until {
  const written = text
    .toLowerCase()
    .replaceAll("`", "")
    .replace(/[‐-―−]/g, "-")
    .trim();
  const example = `${wants} ${code(`/recheck snooze ${day(at + 14 * 86_400_000)}`)} or \`/recheck snooze 14d\`.`;
  if (written === "") return { says: example };
  if (/^(?:until[ -])?(?:the[ -])?next[ -]event$/.test(written)) return { until: "next-event" };
  const word = written
    .replace(/^(?:until|for) /, "")
    .replace(/\.$/, "")
    .trim();
  const length = duration.safeParse(word);
  if (length.success) return { until: at + length.data };
  const named = date.safeParse(word);
  if (named.success) {
    if (named.data > at) return { until: named.data };
    return { says: `${code(word)} is not in the future; today is ${day(at)}. ${example}` };
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return { says: `The calendar has no ${code(word)}. ${example}` };
  const meant = lengthMeant(word);
  const hint = meant === undefined ? "" : `; did you mean ${code(meant)}?`;
  return { says: `${code(word, 60)} is neither a date nor a length of time${hint || "."} ${example}` };
}

/** `2 weeks` is `2w`. */
function lengthMeant(words: string): string | undefined {
  const [, count, unit] = /^(\d{1,4}) ?(hour|day|week|month)s?$/.exec(words) ?? [];
  if (count === undefined || unit === undefined || Number(count) === 0) return undefined;
  return unit === "month" ? `${Number(count) * 30}d` : `${Number(count)}${unit[0]}`;
}
