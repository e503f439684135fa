import { counted } from "../../describe.ts";
import type { Instant } from "../../model.ts";
import { date } from "../plain.ts";
import type { DayOfLooks } from "../strip.ts";
import { html, type Markup } from "./markup.ts";
import { listed } from "./words.ts";

/** The looks of a source, a day a stroke: as a picture, and in words. */
export interface Strip {
  readonly picture: Markup;
  readonly says: string;
}

const day = 86_400_000;
/** In pixels: a day, what of it is drawn, and the strip. */
const wide = 2;
const drawn = 1.5;
const high = 14;

/**
 * Told apart by shape alone: a low stroke where it was seen, a high one where it changed, only the ends of a high one
 * where it could not be seen. `days`: the oldest first; the last one is the day of `at`.
 */
export function stripOf(days: readonly DayOfLooks[], at: Instant): Strip {
  const says = saysOf(days, at);
  const strokes = (state: DayOfLooks, stroke: (x: number) => string) =>
    days.map((one, i) => (one === state ? stroke(i * wide) : "")).join("");
  const bar = (top: number) => (x: number) => `M${x} ${top}h${drawn}V${high}h-${drawn}z`;
  const ends = (x: number) => `M${x} 1.5h${drawn}M${x} ${high - 0.75}h${drawn}`;
  const picture = html`<svg class="strip" role="img" viewBox="0 0 ${days.length * wide} ${high + 1}" preserveAspectRatio="none" aria-label="${says}"><path class="base" d="M0 ${high + 0.5}H${days.length * wide}"/><path class="seen" d="${strokes("seen", bar(high / 2))}"/><path class="changed" d="${strokes("changed", bar(0))}"/><path class="unknown" d="${strokes("unknown", ends)}"/></svg>`;
  return { picture, says };
}

/** `Of the last 120 days: seen unchanged on 14, changed on 2 (2026-06-01 and 2026-09-21), not looked at on 104.` */
function saysOf(days: readonly DayOfLooks[], at: Instant): string {
  const first = Math.floor(at / day) - days.length + 1;
  const told = (state: DayOfLooks, words: string, isDated: boolean): string[] => {
    const indexes = days.flatMap((one, i) => (one === state ? [i] : []));
    if (indexes.length === 0) return [];
    const dates = isDated
      ? ` (${listed(
          ranges(indexes).map(([from, to]) => range(first + from, first + to)),
          6,
        )})`
      : "";
    return [`${words} ${indexes.length}${dates}`];
  };
  const all = [
    ...told("seen", "seen unchanged on", false),
    ...told("changed", "changed on", true),
    ...told("unknown", "could not be seen on", true),
    ...told("none", "not looked at on", false),
  ];
  return `Of the last ${counted(days.length, "day")}: ${all.join(", ")}.`;
}

/** Numbers that follow each other, by the first and the last of them. */
function ranges(numbers: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

function range(from: number, to: number): string {
  return from === to ? date(from * day) : `${date(from * day)} to ${date(to * day)}`;
}
