import type { Source } from "../../model.ts";
import { time } from "../plain.ts";
import type { DayOfLooks } from "../strip.ts";
import { type Drawing, stripDays } from "./drawing.ts";
import { html, type Markup } from "./markup.ts";
import { counted, listed } from "./words.ts";

const day = 86_400_000;
/** In pixels: a day, and the strip. */
const wide = 2;
const high = 14;

/** The last days of a source, by shape alone: a low stroke where it was seen, a high one where it changed, a ring of a stroke where it could not be seen. */
export function stripOf(source: Source, drawing: Drawing): Markup {
  const days = drawing.days.get(source.id) ?? [];
  const path = (state: DayOfLooks, from: number) =>
    days
      .flatMap((one, i) => (one === state ? [`M${i * wide} ${from}h${wide - 0.5}V${high}h-${wide - 0.5}z`] : []))
      .join("");
  const lost = days
    .flatMap((one, i) =>
      one === "unknown" ? [`M${i * wide} 1.5h${wide - 0.5}M${i * wide} ${high - 0.75}h${wide - 0.5}`] : [],
    )
    .join("");
  return html`<svg class="strip" role="img" viewBox="0 0 ${stripDays * wide} ${high + 1}" preserveAspectRatio="none" aria-label="${saysOf(days, drawing)}"><path class="base" d="M0 ${high + 0.5}H${stripDays * wide}"/><path class="seen" d="${path("seen", high / 2)}"/><path class="changed" d="${path("changed", 0)}"/><path class="unknown" d="${lost}"/></svg>`;
}

/** The same in words: `In 120 days seen on 14, changed on 2 (2026-06-01, 2026-09-21), not looked at on 106`. */
export function saysOf(days: readonly DayOfLooks[], { at }: Drawing): string {
  const datesOf = (state: DayOfLooks) =>
    days.flatMap((one, i) =>
      one === state ? [time((Math.floor(at / day) - days.length + 1 + i) * day).slice(0, 10)] : [],
    );
  const told = (state: DayOfLooks, words: string, withDates: boolean) => {
    const dates = datesOf(state);
    return dates.length === 0 ? [] : [`${words} ${dates.length}${withDates ? ` (${listed(dates, 6)})` : ""}`];
  };
  const all = [
    ...told("seen", "seen unchanged on", false),
    ...told("changed", "changed on", true),
    ...told("unknown", "could not be seen on", true),
    ...told("none", "not looked at on", false),
  ];
  return `Of the last ${counted(days.length, "day")}: ${all.join(", ")}.`;
}
