import { cutLine } from "../../model/markdown.ts";
import { isOver, type StoredRecheck } from "../../model/ports/index.ts";
import { aDay, day, dayNumber, type Instant } from "../../model/time.ts";
import { asSentence, enumerate, pluralize, triggerName, verdictCounts, weightWords } from "../../model/words.ts";
import { groupReleases } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { type Edition, stripDays } from "../edition.ts";
import { answerWords, type Drawing, issueLink } from "./drawing.ts";
import { dayOf, html, internalLink, type Markup } from "./markup.ts";

const maxLanes = 16;
const newest = 8;
const maxListed = 300;

export function timelinePart(drawing: Drawing): Markup | undefined {
  const happenings = historySinceAudit(drawing);
  const days = checksByDay(drawing);
  if (happenings.length === 0 && days.length === 0) return undefined;
  const count = (kind: TimelineEntry["kind"]) => happenings.filter((one) => one.kind === kind).length;
  const summary = `${enumerate([`${pluralize(count("contrary"), "event")} ${weightWords.contrary}`, `${count("routine")} ${weightWords.routine}`, pluralize(count("verdict"), "answer")])}.`;
  return html`<section aria-labelledby="since">
<h2 id="since">Since the audit</h2>
<p class="lead">${summary}</p>
<p class="note" aria-hidden="true"><span class="key doubt">${signs.contrary}</span> ${weightWords.contrary} <span class="key review">${signs.routine}</span> ${weightWords.routine} <span class="key">${signs.verdict}</span> answer · bars: the sources that were read that day, and in outline those that could not be read</p>
<div class="chart">${[...lanes(happenings, drawing), ...bars(days, drawing)]}</div>
${happenedList(happenings, newest, drawing)}
</section>`;
}

/**
 * The position of a time, in percent of the width: so the drawing fits any screen, without a script or a style of its own. The
 * last day is the one after the last check.
 */
function placeOf(at: Instant, { config: { report }, status, at: now }: Drawing): number {
  const end = Math.max(status.lastCheck ?? now, report.audited + aDay) + aDay;
  const share = (at - report.audited) / (end - report.audited);
  return Number.isNaN(share) ? 0 : Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10;
}

/** A row for each trigger, in the order of config, built-in ones last: its name, and a mark for each event and answer. */
function lanes(all: readonly TimelineEntry[], drawing: Drawing): Markup[] {
  const ids = [...drawing.config.triggers.keys()];
  const order = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  const shown = [...new Set(all.map(({ trigger }) => trigger))].slice(0, maxLanes).sort((a, b) => order(a) - order(b));
  const byTrigger = Map.groupBy(all, ({ trigger }) => trigger);
  return shown.map((id) => {
    const ofTrigger = byTrigger.get(id) ?? [];
    const name = triggerName(id, drawing.config);
    const marks = (kind: TimelineEntry["kind"]) =>
      ofTrigger.filter((one) => one.kind === kind).map((one) => mark(one, placeOf(one.at, drawing)));
    const piles = [...Map.groupBy(ofTrigger, ({ at }) => dayNumber(at)).values()].map(([first, ...more]) => {
      return more.length > 0 && html`<text x="${placeOf(first?.at ?? 0, drawing)}%" y="5">×${more.length + 1}</text>`;
    });
    return html`<span class="name" aria-hidden="true">${cutLine(name, 48)}</span>
<svg class="lane" role="img" aria-label="${name}: ${ofTrigger.length} since the audit"><line x1="0" x2="100%" y1="18" y2="18"/>${piles}${[...marks("routine"), ...marks("contrary"), ...marks("verdict")]}</svg>`;
  });
}

function mark({ kind, says }: TimelineEntry, place: number): Markup {
  return html`<text class="${kind}" x="${place}%" y="18">${signs[kind]}<title>${cutLine(says, 120)}</title></text>`;
}

interface DayOfAll {
  readonly from: Instant;
  readonly seen: number;
  readonly unknown: number;
}

function checksByDay({ histories, config, at }: Drawing): DayOfAll[] {
  const all = [...histories.values()].map(({ days }) => days);
  const today = dayNumber(at);
  return Array.from({ length: stripDays }, (_, i) => {
    const states = all.map((own) => own[i]);
    const seen = states.filter((state) => state === "seen" || state === "changed").length;
    const unknown = states.filter((state) => state === "unknown").length;
    return { from: (today - stripDays + 1 + i) * aDay, seen, unknown };
  }).filter(({ seen, unknown, from }) => seen + unknown > 0 && from + aDay > config.report.audited);
}

/** In pixels. */
const barHeight = 60;

/** How many sources were seen each day, above the days themselves. */
function bars(days: readonly DayOfAll[], drawing: Drawing): Markup[] {
  const most = Math.max(1, ...days.map(({ seen, unknown }) => seen + unknown));
  const failing = days.filter(({ unknown }) => unknown > 0).length;
  const bar = ({ from }: DayOfAll, low: number, high: number, kind: string) => {
    const [left, right] = [from, from + aDay].map((at) => placeOf(at, drawing));
    const [top, height] = [most - high, high - low].map((count) => Math.round((count / most) * barHeight * 10) / 10);
    return html`<rect class="${kind}" x="${left ?? 0}%" y="${top ?? 0}" width="${((right ?? 0) - (left ?? 0)).toFixed(1)}%" height="${height ?? 0}"/>`;
  };
  const says = `Sources seen each day: on ${pluralize(days.length, "day")} of the last ${stripDays} sources were checked, at most ${pluralize(most, "source")}; on ${pluralize(failing, "day")} some checks failed.`;
  const drawn = days.flatMap((one) => [
    bar(one, 0, one.seen, "seen"),
    ...(one.unknown > 0 ? [bar(one, one.seen, one.seen + one.unknown, "unknown")] : []),
  ]);
  return [
    ...(days.length > 0
      ? [
          html`<span class="name" aria-hidden="true">up to ${pluralize(most, "source")} a day</span>
<svg class="bars" role="img" aria-label="${says}">${drawn}<line x1="0" x2="100%" y1="${barHeight}" y2="${barHeight}"/></svg>`,
        ]
      : []),
    html`<span class="name"></span><svg class="days" aria-hidden="true">${dates(drawing)}</svg>`,
  ];
}

const maxDates = 3;

/** The day of the audit, and days at equal distances. */
function dates(drawing: Drawing): Markup[] {
  const { audited } = drawing.config.report;
  const days = Math.max(1, ((drawing.status.lastCheck ?? drawing.at) - audited) / aDay);
  const step = Math.ceil(days / maxDates);
  return Array.from({ length: Math.floor(days / step) + 1 }, (_, i) => {
    const at = audited + i * step * aDay;
    const place = placeOf(at, drawing);
    const anchor = i === 0 ? "start" : place > 90 ? "end" : "middle";
    return html`<text x="${place}%" y="10" text-anchor="${anchor}">${day(at)}</text>`;
  });
}

/** The newest entries, `most` of them; older ones are folded. `on`: the trigger of the list, which is not named again. */
export function happenedList(all: readonly TimelineEntry[], most: number, drawing: Drawing, on?: string): Markup {
  const [newest, older] = [all.slice(0, most), all.slice(most, maxListed)];
  const hidden = all.length - newest.length - older.length;
  const list = (some: readonly TimelineEntry[]) =>
    html`<ol class="happened">${some.map((one) => happenedItem(one, drawing, on))}</ol>`;
  return html`${list(newest)}
${older.length > 0 && html`<details><summary>${pluralize(older.length, "earlier entry", "earlier entries")}</summary>${list(older)}${hidden > 0 && html`<p class="note">And ${hidden} before them.</p>`}</details>`}`;
}

export interface TimelineEntry {
  readonly at: Instant;
  readonly trigger: string;
  readonly kind: "contrary" | "routine" | "verdict";
  readonly says: string;
  readonly recheck?: number;
}

export function historySinceAudit({ firings, rechecks, answers, config }: Edition): TimelineEntry[] {
  const releases = groupReleases(firings).map((firing): TimelineEntry => {
    const { trigger, weight: kind, seen: at, recheck } = firing;
    return { at, trigger, kind, says: headline(firing, config).sentence, recheck };
  });
  const verdicts = rechecks.flatMap((recheck): TimelineEntry[] => {
    const { id, trigger } = recheck;
    const days = Map.groupBy(
      answers.filter((answer) => answer.recheck === id),
      ({ at }) => dayNumber(at),
    );
    const given = [...days.values()].map((its) => {
      return { at: Math.max(...its.map(({ at }) => at)), says: asSentence(verdictCounts(its)) };
    });
    const ended = isOver(recheck) ? wholeVerdict(recheck) : [];
    return [...given, ...ended].map((one) => ({ ...one, trigger, kind: "verdict", recheck: id }));
  });
  return [...releases, ...verdicts].sort((a, b) => b.at - a.at);
}

function wholeVerdict({ closed, verdict }: Extract<StoredRecheck, { state: "closing" | "closed" }>) {
  if (verdict?.because === undefined) return [];
  return [{ at: closed, says: `${verdict.kind === "keep" ? "Kept" : "Dismissed"}: ${verdict.because}` }];
}

const kindWords: Readonly<Record<TimelineEntry["kind"], string>> = { ...weightWords, verdict: "answer" };
const signs: Readonly<Record<TimelineEntry["kind"], string>> = { contrary: "◆", routine: "○", verdict: "▲" };

function happenedItem({ at, kind, says, trigger, recheck }: TimelineEntry, drawing: Drawing, on?: string): Markup {
  const asked = drawing.recheck.get(recheck);
  const name =
    trigger !== on && html`${internalLink(triggerName(trigger, drawing.config), drawing.places.trigger(trigger))} · `;
  return html`<li class="${kind}">${dayOf(at)} <span class="sign" aria-hidden="true">${signs[kind]}</span> <span class="what"><span class="weight">${kindWords[kind]}</span> ${says} <span class="about">${name}${kind === "verdict" ? asked?.issue !== undefined && html`in ${issueLink(asked.issue, drawing)}` : answerWords(asked, drawing)}</span></span></li>`;
}
