import { counted, day, quoted, some, span, stamp } from "../../../describe.ts";
import type { Happening, Hearing } from "../../../explain/happening.ts";
import type { Health } from "../../../explain/health.ts";
import { changeWords } from "../../../explain/quiet.ts";
import type { SourceStory } from "../../../explain/source.ts";
import type { Change, Noise } from "../../../model.ts";
import { refs } from "../../../recheck/question.ts";
import { claimLines } from "./claims.ts";
import { table } from "./lines.ts";

/** A source's story, line by line. */
export function sourceLines(story: SourceStory, at: number): string[] {
  const { health, happenings, waiting, noise, claims, listeners } = story;
  return [
    heading(story),
    ...healthLines(health, at),
    ...section("What it told, newest first", happenings.flatMap(happeningLines)),
    ...section(
      "Waits for a second look",
      waiting.flatMap(({ what, since, secondLook, asks }) => [
        `  ◌ ${what}`,
        `      seen once, ${stamp(since)}; looked at again ${stamp(secondLook)} UTC`,
        asks.length > 0
          ? `      if it is still there it asks ${asks.map(({ trigger, means }) => (means ? `${trigger} (${means})` : trigger)).join(", ")}`
          : "      if it is still there no trigger asks about it",
      ]),
    ),
    ...section(
      "Taken for noise",
      noise
        .slice(0, 8)
        .flatMap(({ reason, what, count, first, last }) => [
          `  ~ ${what}`,
          `      ${noiseWords[reason]}: ${count > 1 ? `${count} times, ${day(first)} to ${day(last)}` : stamp(last)}`,
        ]),
    ),
    ...section("Claims", claimLines(claims)),
    ...section("Who listens", [
      ...table(
        [...Map.groupBy(listeners, ({ trigger }) => trigger)].map(([trigger, own]) => [
          `  ${trigger}`,
          some([...new Set(own.map(({ words }) => words))], 3, "; "),
        ]),
        "",
      ),
      ...(listeners.length === 0 ? ["  no trigger; what happens here asks only through its claims"] : []),
    ]),
  ];
}

const noiseWords: Readonly<Record<Noise["reason"], string>> = {
  "moves at every look": "moves at every look, so it is not content",
  "one of a few variants": "one of a few variants that rotate here",
  "returned to an earlier text": "a return to what stood here before",
  "too old to be new": "older than all that was listed at the look before, so it is not new",
  "did not last": "was gone again at the second look",
};

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", title, ...lines] : [];
}

function heading({ source }: SourceStory): string {
  const cites = source.cites.length > 0 ? ` · ${refs(source.cites)}` : "";
  const stands = source.standsFor.length > 0 ? ` · stands for ${source.standsFor.join(", ")} (frozen pages)` : "";
  return `${source.id} · ${source.kind} ${source.address}${cites}${stands}`;
}

function healthLines(health: Health, at: number): string[] {
  const { state, looks, unknown, firstSeen, lastLook, last, next } = health;
  if (lastLook === undefined) return ["Never looked at yet: npm run scan"];
  const due = next !== undefined ? ` Next look ${next <= at ? "is due" : `in ${span(next - at)}`}.` : "";
  const since = firstSeen === undefined ? "" : ` since ${day(firstSeen)}`;
  const failures = health.failures.map(({ says, from, to }) => `${says} ${dates(from, to)}`);
  const told = unknown > 0 ? `, ${unknown} unknown${failures.length > 0 ? ` (${some(failures, 3)})` : ""}` : "";
  return [
    `Last look ${stamp(lastLook)} UTC: ${last ?? "unchanged"}.${due} ${counted(looks, "look")}${since}: ${looks - unknown} seen${told}.`,
    ...(state === "seen" ? [] : trouble(health)),
  ];
}

function dates(from: number, to: number): string {
  return day(from) === day(to) ? `on ${day(from)}` : `from ${day(from)} to ${day(to)}`;
}

function trouble({ state, trouble, blindFrom, lastSeen, covered, ratings }: Health): string[] {
  const why = trouble
    ? `${trouble.says}, ${counted(trouble.count, "look")} in a row since ${stamp(trouble.since)}`
    : "";
  const seen = lastSeen === undefined ? "" : `; last seen ${stamp(lastSeen)}`;
  const resting =
    ratings.length > 0 ? `    ratings that rest on it: ${ratings.join(", ")}` : "    no rating rests on it";
  switch (state) {
    case "not seen yet":
      return [`○ Not seen yet: ${why || "no answer that could be read"}.`];
    case "gone":
      return [`✗ Gone: ${why}${seen}.`, resting];
    case "blind":
      return [`○ Blind since ${day(blindFrom ?? 0)}: ${why || "nobody looked"}${seen}.`, resting];
    default: {
      const others = covered.length > 0 ? `; not blind, for ${covered.join(", ")} announces the same` : "";
      const from = blindFrom === undefined || others ? "" : `; blind from ${day(blindFrom)} unless it is seen before`;
      return [`○ Could not be seen: ${why}${seen}${others}${from}.`, resting];
    }
  }
}

function happeningLines(happening: Happening): string[] {
  const { since, at, changes, event, hearings, silence } = happening;
  const later = at - since >= 60_000 ? `, confirmed ${span(at - since)} later` : "";
  const announced = event.product ? `  → event ${event.key}` : "";
  const lead = changes.map((change) => changeWords(change));
  return [
    `  ${day(since)}  ${lead[0] ?? event.key}${later}${announced}`,
    ...lead.slice(1, 3).map((what) => `              ${what}`),
    ...(lead.length > 3 ? [`              and ${lead.length - 3} more`] : []),
    ...texts(changes),
    ...hearingLines(hearings),
    ...(silence ? [`              → silent: ${silence}`] : []),
  ];
}

/** The text of the first change, where it is longer than its line told. */
function texts([change]: readonly Change[]): string[] {
  if (change?.kind !== "block" || !change.before || !change.after) return [];
  if (Math.max(change.before.text.length, change.after.text.length) <= 60) return [];
  return [`              - ${quoted(change.before.text, 160)}`, `              + ${quoted(change.after.text, 160)}`];
}

function hearingLines(hearings: readonly Hearing[]): string[] {
  const width = Math.max(0, ...hearings.map(({ trigger }) => trigger.length));
  const order = ["fired", "evidence", "known", "silent"];
  return hearings
    .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
    .flatMap((hearing) => {
      const name = hearing.trigger.padEnd(width);
      const { outcome, weight, issue, part, means, because, excerpt } = hearing;
      const where = issue === undefined ? "" : `, #${issue}`;
      const why = [
        part === "also" ? "also" : part === "until" ? "ends a claim" : part === "claim" ? "its claim" : "",
        means,
      ]
        .filter(Boolean)
        .join(": ");
      const quote = excerpt ? [`                ${" ".repeat(width)}  "${quoted(excerpt, 120)}"`] : [];
      if (outcome === "fired")
        return [`              ● ${name}  fired, ${weight}${where}${why ? ` (${why})` : ""}`, ...quote];
      if (outcome === "evidence") {
        return [`              ● ${name}  ${because}: evidence added${issue === undefined ? "" : ` to #${issue}`}`];
      }
      if (outcome === "known") return [`              · ${name}  silent: ${because}`];
      return [`              · ${name}  silent: ${silent(hearing)}`];
    });
}

function silent({ conditions, because }: Hearing): string {
  const reasons = conditions.map((one) => `${one.means ?? one.words}: ${one.because ?? "not met"}`);
  if (reasons.length === 0) return because ?? "";
  return `${reasons.slice(0, 3).join("; ")}${reasons.length > 3 ? `; and ${reasons.length - 3} more` : ""}`;
}
