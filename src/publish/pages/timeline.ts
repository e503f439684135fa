import { aDay, day, dayNumber, type Instant } from "../../model/time.ts";
import { counted, listed, triggerName, weightWords } from "../../model/words.ts";
import { stripDays } from "../edition.ts";
import {
  type Anchor,
  bar,
  type Chart,
  chartOf,
  everySoManyDays,
  label,
  type Point,
  rule,
  scale,
  type Width,
  words,
} from "./chart.ts";
import type { Drawing } from "./drawing.ts";
import { type Happened, happenedItem, historySinceAudit } from "./happened.ts";
import { html, type Markup } from "./markup.ts";

/** Limits of lanes and list entries that are shown unfolded. */
const mostLanes = 16;
const newest = 8;
const mostListed = 300;

export function timelinePart(drawing: Drawing): Markup | undefined {
  const all = historySinceAudit(drawing);
  const days = checksByDay(drawing);
  if (all.length === 0 && days.length === 0) return undefined;
  const count = (kind: Happened["kind"]) => all.filter((one) => one.kind === kind).length;
  const told = `${listed([`${counted(count("contrary"), "event")} ${weightWords.contrary}`, `${count("routine")} ${weightWords.routine}`, counted(count("verdict"), "answer")])}.`;
  return html`<section aria-labelledby="since">
<h2 id="since">Since the audit</h2>
<p class="lead">${told}</p>
<p class="note" aria-hidden="true"><span class="key doubt">◆</span> ${weightWords.contrary} <span class="key review">○</span> ${weightWords.routine} <span class="key">▲</span> answer · bars: how many sources were seen that day, and in outline how many could not be</p>
${all.length > 0 && chartOf(lanes(all, drawing))}
${days.length > 0 && chartOf(checks(days, drawing))}
${list(all, drawing)}
</section>`;
}

/** Milliseconds from the audit to the day after the last check. */
function domain({ config, status, at }: Drawing): Point {
  const { audited } = config.report;
  return [audited, Math.max(status.lastCheck ?? at, audited + aDay) + aDay];
}

/** Both charts begin at the same day. In pixels. */
const leftEdge = ({ name }: Width) => (name === "wide" ? 248 : 6);
const right = ({ pixels }: Width) => pixels - 14;

function placeOn(width: Width, drawing: Drawing): (at: Instant) => number {
  return scale(domain(drawing), [leftEdge(width), right(width)]);
}

/** How each kind is drawn, around its place: a diamond, a circle, a triangle. */
const shapes: Readonly<
  Record<Happened["kind"], { readonly path: string; readonly fill: string; readonly edge: string }>
> = {
  routine: { path: "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z", fill: "var(--paper)", edge: "var(--review)" },
  contrary: { path: "M0,-9L5.2,0L0,9L-5.2,0Z", fill: "var(--doubt)", edge: "var(--paper)" },
  verdict: { path: "M0,-7.8L6.7,3.9L-6.7,3.9Z", fill: "var(--ink)", edge: "var(--paper)" },
};

function markAt([x, y]: Point, { kind, says }: Happened): Markup {
  const { path, fill, edge } = shapes[kind];
  return html`<path transform="translate(${x.toFixed(1)},${y})" d="${path}" fill="${fill}" stroke="${edge}" stroke-width="1.6"><title>${label(says, 120)}</title></path>`;
}

function lanes(all: readonly Happened[], drawing: Drawing): Chart {
  const order = [...drawing.config.triggers.keys()];
  const newestFirst = [...new Set(all.map(({ trigger }) => trigger))].slice(0, mostLanes);
  const shown = newestFirst.sort((a, b) => place(a, order) - place(b, order));
  const byTrigger = Map.groupBy(all, ({ trigger }) => trigger);
  const name = (id: string) => triggerName(id, drawing.config);
  return {
    title: "What happened since the audit, by trigger",
    says: `${shown.map((id) => `${name(id)}: ${byTrigger.get(id)?.length}`).join("; ")}. The list below tells each.`,
    draw(width) {
      const isWide = width.name === "wide";
      const row = isWide ? 26 : 38;
      const bottom = 4 + shown.length * row;
      const x = placeOn(width, drawing);
      const edges = { from: leftEdge(width), to: width.pixels };
      const lane = (id: string, i: number) => {
        const y = 4 + (i + (isWide ? 0.5 : 0.66)) * row;
        const its = byTrigger.get(id) ?? [];
        const marks = (kind: Happened["kind"]) =>
          its.filter((one) => one.kind === kind).map((one) => markAt([x(one.at), y], one));
        return [
          rule([leftEdge(width), y], [right(width), y], "var(--line)"),
          isWide
            ? words([leftEdge(width) - 10, y], label(name(id), 40), "end")
            : words([leftEdge(width) + 2, y - 16], label(name(id), 48), "start"),
          several(its, x, edges).map(({ at, text, anchor }) => words([at, y], text, anchor, "var(--ink-soft)")),
          ...[marks("routine"), marks("contrary"), marks("verdict")],
        ];
      };
      const calendar = dates(drawing, width, isWide ? 8 : 4);
      return {
        height: bottom + 24,
        marks: [
          ...calendar.map(({ at }) => rule([at, 4], [at, bottom], "var(--line)")),
          ...calendar.map(({ at, text, anchor }) => words([at, bottom + 14], text, anchor)),
          ...shown.flatMap(lane).flat(),
        ],
      };
    },
  };
}

interface Label {
  readonly at: number;
  readonly text: string;
  readonly anchor: Anchor;
}

/** The day of the audit and days at equal distances: `2026-05-16`, then `05-23` within the same year. */
function dates(drawing: Drawing, width: Width, most: number): Label[] {
  const x = placeOn(width, drawing);
  const [from, to] = domain(drawing);
  const year = (at: Instant) => day(at).slice(0, 4);
  const all = everySoManyDays((to - from) / aDay, most).map((days) => from + days * aDay);
  return all.map((at, i) => ({
    at: x(at),
    text: year(at) === year(all[i - 1] ?? Number.NaN) ? day(at).slice(5) : day(at),
    anchor: i === 0 ? "start" : x(at) > right(width) - 10 ? "end" : "middle",
  }));
}

/** Space in pixels for a count beside its mark, plus half a mark. */
const countRoom = 30;

/** Overlapping marks: their count, on the side that is free of other marks of the lane. */
function several(
  lane: readonly Happened[],
  placeOf: (at: Instant) => number,
  edges: { from: number; to: number },
): Label[] {
  const piles = [...Map.groupBy(lane, ({ at }) => dayNumber(at)).values()]
    .flatMap(([first, ...rest]) => (first ? [{ at: placeOf(first.at), count: rest.length + 1 }] : []))
    .sort((a, b) => a.at - b.at);
  return piles.flatMap(({ at, count }, i) => {
    const after = (piles[i + 1]?.at ?? edges.to) - at;
    // The pile before this one has its own count on this side.
    const before = at - (piles[i - 1]?.at ?? edges.from - countRoom);
    if (count === 1 || (after < countRoom && before < 2 * countRoom)) return [];
    const [way, anchor] = after < countRoom ? [-8, "end" as const] : [8, "start" as const];
    return [{ at: at + way, text: `×${count}`, anchor }];
  });
}

/** Built-in triggers come after those of config. */
function place(id: string, order: readonly string[]): number {
  const found = order.indexOf(id);
  return found < 0 ? order.length : found;
}

interface DayOfAll {
  readonly from: Instant;
  readonly seen: number;
  readonly unknown: number;
}

function checksByDay({ sights, config, at }: Drawing): DayOfAll[] {
  const all = [...sights.values()].map(({ days }) => days);
  const today = dayNumber(at);
  return Array.from({ length: stripDays }, (_, i) => {
    const states = all.map((own) => own[i]);
    const seen = states.filter((state) => state === "seen" || state === "changed").length;
    const unknown = states.filter((state) => state === "unknown").length;
    return { from: (today - stripDays + 1 + i) * aDay, seen, unknown };
  }).filter(({ seen, unknown, from }) => seen + unknown > 0 && from + aDay > config.report.audited);
}

function checks(days: readonly DayOfAll[], drawing: Drawing): Chart {
  const most = Math.max(...days.map(({ seen, unknown }) => seen + unknown));
  const blind = days.filter(({ unknown }) => unknown > 0);
  const [top, bottom] = [18, 78];
  const y = scale([0, most], [bottom, top]);
  return {
    title: "Sources seen each day",
    says: `On ${counted(days.length, "day")} of the last ${stripDays} sources were checked, at most ${counted(most, "source")}; on ${counted(blind.length, "day")} some checks failed.`,
    draw(width) {
      const x = placeOn(width, drawing);
      const of = ({ from }: DayOfAll, low: number, high: number, ...colours: [fill: string, stroke?: string]) =>
        bar([x(from) + 0.5, y(high)], [x(from + aDay) - x(from) - 1, y(low) - y(high)], ...colours);
      return {
        height: 84,
        marks: [
          ...days.map((one) => of(one, 0, one.seen, "var(--hold)")),
          ...blind.map((one) => of(one, one.seen, one.seen + one.unknown, "none", "var(--blind)")),
          rule([leftEdge(width), bottom], [right(width), bottom], "var(--ink-soft)"),
          words([leftEdge(width), top - 12], `up to ${counted(most, "source")} a day`, "start", "var(--ink-soft)"),
        ],
      };
    },
  };
}

function list(all: readonly Happened[], drawing: Drawing): Markup {
  const older = all.slice(newest, mostListed);
  const hidden = all.length - newest - older.length;
  return html`<ol class="happened">${all.slice(0, newest).map((one) => happenedItem(one, drawing))}</ol>
${older.length > 0 && html`<details><summary>${counted(older.length, "earlier entry", "earlier entries")}</summary><ol class="happened">${older.map((one) => happenedItem(one, drawing))}</ol>${hidden > 0 && html`<p class="note">And ${hidden} before them.</p>`}</details>`}`;
}
