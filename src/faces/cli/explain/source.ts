import { cutToDifference, withEllipses } from "../../../model/apart.ts";
import type { Change } from "../../../model/change.ts";
import { changeLine } from "../../../model/change-words.ts";
import { sizeLine } from "../../../model/reading-size.ts";
import { claimSigns } from "../../../model/states.ts";
import { aMinute, day, type Instant, span, stamp } from "../../../model/time.ts";
import { firstOf, noiseWords, oneLine, partWords, pluralize, weightWords } from "../../../model/words.ts";
import { refs } from "../../../recheck/issue/question.ts";
import type { EventStory, MatchStory } from "../../../status/explain/events.ts";
import type { Consequence, NearMiss, NoiseStory, WaitingStory } from "../../../status/explain/quiet.ts";
import type { ClaimStory, SourceHealth, SourceStory } from "../../../status/explain/source.ts";
import { table } from "../columns.ts";
import { commandToType } from "../terminal.ts";

export function sourceLines(story: SourceStory, at: Instant): string[] {
  const { source, health, nearest, happenings, waiting, noise, claims } = story;
  return [
    heading(story),
    ...(source.options.browser === true ? ["Opened in a browser. Frames of other origins are not read."] : []),
    ...healthLines(health, at),
    ...(nearest ? [nearestLine(nearest)] : []),
    ...section("Reported changes, newest first", happenings.flatMap(eventLines)),
    ...section("Waiting for confirmation", waiting.flatMap(waitingLines)),
    ...section("Ignored as noise", noise.slice(0, 8).flatMap(noiseLines)),
    ...section("Claims", claimLines(claims)),
    ...section("Triggers that use it", listenerLines(story)),
  ];
}

function nearestLine({ at, what, because }: NearMiss): string {
  const lead = what === "nothing" ? "No change came near an alert" : `Nearest to an alert, ${stamp(at)}: ${what}`;
  return `${lead}: ${because}.`;
}

function heading({ source }: SourceStory): string {
  const cites = source.cites.length > 0 ? ` · ${refs(source.cites)}` : "";
  const stands =
    source.standsFor.length > 0 ? ` · watched instead of ${source.standsFor.join(", ")} (fixed pages)` : "";
  return `${source.id} · ${source.kind} ${source.address}${cites}${stands}`;
}

function healthLines(health: SourceHealth, at: number): string[] {
  const { state, checks, unknown, firstSeen, lastCheck, lastSeen, last, next, gave, baseline } = health;
  if (lastCheck === undefined) return [`Not checked yet: ${commandToType("scan")}`];
  const due = next !== undefined ? ` Next check ${next <= at ? "is due" : `in ${span(next - at)}`}.` : "";
  const since = firstSeen === undefined ? "" : ` since ${day(firstSeen)}`;
  const failures = health.failures.map(({ says, from, to }) => `${says} ${dates(from, to)}`);
  const unknownFacts =
    unknown > 0 ? `, ${unknown} failed${failures.length > 0 ? ` (${firstOf(failures, 3)})` : ""}` : "";
  return [
    `Last check ${stamp(lastCheck)} UTC: ${last === "unknown" ? "failed" : (last ?? "unchanged")}.${due} ${pluralize(checks, "check")}${since}: ${checks - unknown} successful${unknownFacts}.`,
    ...(gave === undefined || lastSeen === undefined ? [] : [`Last content: ${sizeLine(gave, lastSeen)}.`]),
    ...(state === "seen" ? [] : trouble(health)),
    ...(baseline ? [`Baseline: ${baseline.says}.${baseline.copy ? ` ${baseline.copy.url}` : ""}`] : []),
  ];
}

function dates(from: number, to: number): string {
  return day(from) === day(to) ? `on ${day(from)}` : `from ${day(from)} to ${day(to)}`;
}

function trouble({ state, trouble, blindFrom, lastSeen, covered, ratings }: SourceHealth): string[] {
  const why = trouble
    ? `${trouble.says}, ${pluralize(trouble.count, "check")} in a row since ${stamp(trouble.since)}`
    : "";
  const sightText = lastSeen === undefined ? "" : `; last read ${stamp(lastSeen)}`;
  const resting =
    ratings.length > 0 ? `    ratings that rest on it: ${ratings.join(", ")}` : "    no rating rests on it";
  switch (state) {
    case "not read yet":
      return [`○ Not read yet: ${why || "no response that could be read"}.`];
    case "gone":
      return [`✗ Gone: ${why}${sightText}.`, resting];
    case "blind":
      return [`○ Not checkable since ${day(blindFrom ?? 0)}: ${why || "not checked"}${sightText}.`, resting];
    default: {
      const others = covered.length > 0 ? `; its ratings stay checkable through ${covered.join(", ")}` : "";
      const from = blindFrom === undefined || others ? "" : `; not checkable from ${day(blindFrom)} unless read before`;
      return [`○ Could not be read: ${why}${sightText}${others}${from}.`, resting];
    }
  }
}

function eventLines(story: EventStory): string[] {
  const { since, at, changes, left, event, results, silence } = story;
  const later = at - since >= aMinute ? `, confirmed ${span(at - since)} later` : "";
  const announced = event.product ? `  → event ${event.key}` : "";
  const lead = changes.map((change) => changeLine(change));
  const more = lead.length + left - 3;
  return [
    `  ${day(since)}  ${lead[0] ?? event.key}${later}${announced}`,
    ...lead.slice(1, 3).map((what) => `              ${what}`),
    ...(more > 0 ? [`              and ${more} more`] : []),
    ...texts(changes),
    ...matchLines(results),
    ...(silence ? [`              → no alert: ${silence}`] : []),
  ];
}

/** Both texts of the first change around their differences, if its line showed less of them. */
function texts([change]: readonly Change[]): string[] {
  if (change?.kind !== "block" || !change.before || !change.after) return [];
  if (Math.max(change.before.text.length, change.after.text.length) <= 60) return [];
  const [left, right] = cutToDifference(change.before.text, change.after.text, 40, 80).map(withEllipses);
  return [`              - ${oneLine(left ?? "", 180)}`, `              + ${oneLine(right ?? "", 180)}`];
}

const loudestFirst: readonly MatchStory["outcome"][] = ["fired", "evidence", "known", "silent"];

function matchLines(results: readonly MatchStory[]): string[] {
  const width = Math.max(0, ...results.map(({ trigger }) => trigger.length));
  const place = ({ outcome }: MatchStory) => loudestFirst.indexOf(outcome);
  return results
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((match) => {
      const { outcome, excerpt } = match;
      const sign = outcome === "fired" || outcome === "evidence" ? "●" : "·";
      const quote = outcome === "fired" && excerpt ? [`${" ".repeat(width + 18)}"${oneLine(excerpt, 120)}"`] : [];
      return [`              ${sign} ${match.trigger.padEnd(width)}  ${matchWords(match)}`, ...quote];
    });
}

function matchWords(match: MatchStory): string {
  const { outcome, weight = "routine", issue, part, means, because } = match;
  const where = issue === undefined ? "" : `#${issue}`;
  switch (outcome) {
    case "fired": {
      const why = [part && part !== "on" ? partWords({ part }) : "", means].filter(Boolean).join(": ");
      return `fired, ${weightWords[weight]}${where && `, ${where}`}${why && ` (${why})`}`;
    }
    case "evidence":
      return `${because}: evidence added${where && ` to ${where}`}`;
    case "known":
      return `no alert: ${because}`;
    case "silent":
      return `no alert: ${silenceReasons(match)}`;
  }
}

function silenceReasons({ conditions, because }: MatchStory): string {
  const reasons = conditions.map((one) => `${one.means ?? one.words}: ${one.because ?? "not met"}`);
  if (reasons.length === 0) return because ?? "";
  return `${reasons.slice(0, 3).join("; ")}${reasons.length > 3 ? `; and ${reasons.length - 3} more` : ""}`;
}

function waitingLines({ what, since, secondCheck, asks }: WaitingStory): string[] {
  return [
    `  ◌ ${what}`,
    `      seen once, ${stamp(since)}; second check ${stamp(secondCheck)} UTC`,
    ...(asks.length > 0 ? asks : [nothing]).map(
      (one, i) => `      ${i === 0 ? "if it is still there," : "and"} ${consequence(one)}`,
    ),
  ];
}

const nothing: Consequence = { triggers: [], means: [], contrary: [] };

function consequence({ claim, change, triggers, means, contrary }: Consequence): string {
  const names = triggers
    .map((trigger) => `${trigger}${contrary.includes(trigger) ? `, ${weightWords.contrary}` : ""}`)
    .join("; ");
  const why = means.length > 0 ? ` (${means.join("; ")})` : "";
  if (claim === undefined) return names ? `it asks ${names}${why}` : "no trigger asks about it";
  const what = change ? `it ${changeLine(change)}` : `it ends claim "${claim}"`;
  return `${what}: ${names ? `asks ${names}${why}` : "nothing to ask"}`;
}

function noiseLines({ what, count, first, last, ...why }: NoiseStory): string[] {
  const when = count > 1 ? `${count} times, ${day(first)} to ${day(last)}` : stamp(last);
  return [`  ~ ${what}`, `      ${noiseWords(why)}: ${when}`];
}

function listenerLines({ listeners, claims }: SourceStory): string[] {
  if (listeners.length === 0) return [`  no trigger${claims.length > 0 ? ", only its claims" : " and no claim"}`];
  const byTrigger = [...Map.groupBy(listeners, ({ trigger }) => trigger)];
  const rows = byTrigger.map(([trigger, own]) => [
    trigger,
    firstOf([...new Set(own.map(({ words }) => words))], 3, "; "),
  ]);
  return table(rows, "  ");
}

/** Each claim with its state. Claims that were not compared yet share one line. */
export function claimLines(claims: readonly ClaimStory[]): string[] {
  const unsought = claims.filter(({ state }) => state === "not compared yet");
  const lines = claims.filter((claim) => !unsought.includes(claim)).flatMap(claimLine);
  if (unsought.length === 0) return lines;
  const sources = new Set(unsought.map(({ id }) => id.split("/")[0] ?? id));
  return [
    ...lines,
    `  ? ${pluralize(unsought.length, "claim")} not compared yet: no response yet from ${firstOf([...sources], 5)}`,
  ];
}

function claimLine(claim: ClaimStory): string[] {
  const { state, says, since, proof, unseen } = claim;
  const cited = claim.cites.length > 0 ? ` (${refs(claim.cites)})` : "";
  const when = since === undefined ? "" : ` since ${day(since)}`;
  return [
    `  ${claimSigns[state]} ${says}${cited}: ${state}${when}${unseen ? ", as last seen" : ""}`,
    ...(state === "supported" ? [] : detail(claim, proof)),
  ];
}

function detail({ id, before, found, state, ratings }: ClaimStory, proof: string): string[] {
  const resting = ratings.length > 0 ? ` · ${ratings.join(", ")}` : "";
  if (state === "contradicted" && found) return [`      ${id}${resting}: by ${oneLine(found, 120)}`];
  if (state === "altered" && found) {
    return [`      ${id}${resting}`, `      - ${oneLine(before ?? proof, 160)}`, `      + ${oneLine(found, 160)}`];
  }
  return [`      ${id}${resting}: its proof is ${oneLine(proof, 140)}`];
}

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", title, ...lines] : [];
}
