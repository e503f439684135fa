import { apart, elided } from "../../model/apart.ts";
import type { Change } from "../../model/change.ts";
import { changeLine } from "../../model/change-words.ts";
import type { Config, Trigger } from "../../model/config.ts";
import { builtIn, type Evidence } from "../../model/firing.ts";
import { gaveLine } from "../../model/gave.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import { claimSigns, freshnessSigns } from "../../model/states.ts";
import { aMinute, day, type Instant, span, stamp } from "../../model/time.ts";
import {
  asSentence,
  counted,
  firstOf,
  namedBy,
  noiseWords,
  oneLine,
  partWords,
  ratingTitle,
} from "../../model/words.ts";
import { headline } from "../../recheck/issue/headline.ts";
import { refs } from "../../recheck/issue/question.ts";
import { toldTogether } from "../../recheck/issue/together.ts";
import type { EventStory, HearingStory } from "../../status/explain/events.ts";
import type { SourceHealth } from "../../status/explain/health.ts";
import { type Explanation, explain } from "../../status/explain/index.ts";
import type { Consequence, NoiseStory, WaitingStory } from "../../status/explain/quiet.ts";
import type { RatingStory } from "../../status/explain/rating.ts";
import type { ClaimStory, SourceStory } from "../../status/explain/source.ts";
import type { ConditionStory, RecheckStory, TriggerStory } from "../../status/explain/trigger.ts";
import { plainKey } from "../../watch/events.ts";
import { loadConfig } from "../../wire/config.ts";
import type { Settings } from "../../wire/settings.ts";
import { openStored } from "../../wire/stores.ts";
import { storyAnswer } from "./answers/explained.ts";
import { answer } from "./answers/index.ts";
import { table } from "./columns.ts";
import { called, diffColoured, exits, meant, type Terminal, WrongUsage } from "./terminal.ts";

/**
 * `recheck explain <rating | source | trigger | #12>`: why it stands as it does, spoke or kept silent. From what is
 * stored; makes no request.
 */
export async function explainCommand(
  name: string,
  settings: Settings,
  options: { json?: boolean },
  out: Terminal,
): Promise<number> {
  const config = await loadConfig(settings.config);
  // Checked before anything is opened: an unknown name is wrong whether or not anything is stored.
  if (!isName(name, config)) throw new WrongUsage(unknown(name, config));
  const stored = await openStored(settings);
  try {
    const at = settings.clock.now();
    const stories = await explain(name, { config, store: stored.store, at });
    if (!stories) throw new WrongUsage(unknown(name, config));
    if (options.json) answer("explain", { command: "explain", stories: stories.map(storyAnswer) }, out);
    else
      for (const line of stories.flatMap((story, i) => [...(i > 0 ? [""] : []), ...linesOf(story, config, at)]))
        out.line(diffColoured(line, out));
    return exits.done;
  } finally {
    await stored.close();
  }
}

/** Whether this is the name of a rating, a source or a trigger, or of a recheck. */
function isName(name: string, { ratings, sources, triggers }: Config): boolean {
  return (
    ratings.has(name) ||
    sources.has(name) ||
    triggers.has(name) ||
    Object.values<string>(builtIn).includes(name) ||
    /^#\d+$/.test(name)
  );
}

function unknown(name: string, config: Config): string {
  if (/^#\d+$/.test(name)) return `no recheck ${name} is known here`;
  return `no rating, source or trigger is called "${name}"${meant(name, [...config.ratings.keys(), ...config.sources.keys(), ...config.triggers.keys()])}`;
}

/** A story in lines for people. */
export function linesOf(story: Explanation, config: Config, at: Instant): string[] {
  switch (story.kind) {
    case "rating":
      return ratingLines(story, config);
    case "source":
      return sourceLines(story, at);
    case "trigger":
      return triggerLines(story, config);
    case "recheck":
      return recheckLines(story, config);
  }
}

// ── A rating: how it stands and why, and what it rests on ────────────────────────────────────

function ratingLines(story: RatingStory, config: Config): string[] {
  const { rating, freshness, checked, due, asking, claims, triggers, sources, conclusions } = story;
  const since = freshness.level === "fresh" || freshness.level === "due" ? "" : ` since ${day(freshness.at)}`;
  const title = ratingTitle(rating.id, config);
  const by = rating.reviewed === undefined ? "Checked at the audit" : "Reviewed";
  const moved = claims.filter(({ status }) => status !== "supported");
  const held = claims.length - moved.length;
  const unseen = sources.filter(({ health }) => health.state !== "seen");
  return [
    `${rating.id}${title === rating.id ? "" : ` · ${title}`} · ${rating.level} ${freshnessSigns[freshness.level]} ${freshness.level}${since}`,
    `${by}, ${day(checked)}; ${due <= story.at ? "due since" : "due on"} ${day(due)}${rating.basis ? "; a judgement: no source can settle it" : ""}.`,
    ...askingLines(asking, config),
    ...section("Claims that it rests on", [
      ...claimLines(moved),
      ...(held > 0 ? [`  ✔ ${counted(held, "claim")} supported`] : []),
    ]),
    ...section("Sources that it rests on", [
      ...unseen.map(({ source, health }) => `  ○ ${source} ${sight(health)}`),
      ...(unseen.length < sources.length ? [`  ✔ ${counted(sources.length - unseen.length, "source")} seen`] : []),
      ...(sources.length === 0 ? ["  none: nothing that happens elsewhere asks about it"] : []),
    ]),
    ...section(
      "Triggers that ask about it",
      table(
        triggers.map(({ trigger, name }) => [trigger, name]),
        "  ",
      ),
    ),
    ...section(
      "Conclusions that rest on it",
      conclusions.map((text) => `  ${oneLine(text, 200)}`),
    ),
  ];
}

// ── A source: what it told, and why the rest was silent ──────────────────────────────────────

function sourceLines(story: SourceStory, at: Instant): string[] {
  const { health, nearest, happenings, waiting, noise, claims } = story;
  return [
    heading(story),
    ...healthLines(health, at),
    ...(nearest ? [`Nearest to being told, ${stamp(nearest.at)}: ${nearest.what}: ${nearest.because}.`] : []),
    ...section("What it told, newest first", happenings.flatMap(eventLines)),
    ...section("To be confirmed by a second look", waiting.flatMap(waitingLines)),
    ...section("Taken for noise", noise.slice(0, 8).flatMap(noiseLines)),
    ...section("Claims", claimLines(claims)),
    ...section("Who listens", listenerLines(story)),
  ];
}

function heading({ source }: SourceStory): string {
  const cites = source.cites.length > 0 ? ` · ${refs(source.cites)}` : "";
  const stands = source.standsFor.length > 0 ? ` · stands for ${source.standsFor.join(", ")} (frozen pages)` : "";
  return `${source.id} · ${source.kind} ${source.address}${cites}${stands}`;
}

function healthLines(health: SourceHealth, at: number): string[] {
  const { state, looks, unknown, firstSeen, lastLook, lastSeen, last, next, gave, baseline } = health;
  if (lastLook === undefined) return [`Not seen yet: ${called("scan")}`];
  const due = next !== undefined ? ` Next look ${next <= at ? "is due" : `in ${span(next - at)}`}.` : "";
  const since = firstSeen === undefined ? "" : ` since ${day(firstSeen)}`;
  const failures = health.failures.map(({ says, from, to }) => `${says} ${dates(from, to)}`);
  const told = unknown > 0 ? `, ${unknown} unknown${failures.length > 0 ? ` (${firstOf(failures, 3)})` : ""}` : "";
  return [
    `Last look ${stamp(lastLook)} UTC: ${last ?? "unchanged"}.${due} ${counted(looks, "look")}${since}: ${looks - unknown} seen${told}.`,
    ...(gave === undefined || lastSeen === undefined ? [] : [`Last gave ${gaveLine(gave, lastSeen)}.`]),
    ...(state === "seen" ? [] : trouble(health)),
    ...(baseline ? [`Baseline: ${baseline.says}.${baseline.copy ? ` ${baseline.copy.url}` : ""}`] : []),
  ];
}

function dates(from: number, to: number): string {
  return day(from) === day(to) ? `on ${day(from)}` : `from ${day(from)} to ${day(to)}`;
}

function trouble({ state, trouble, blindFrom, lastSeen, covered, ratings }: SourceHealth): string[] {
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
      return [`○ Unseen: ${why}${seen}${others}${from}.`, resting];
    }
  }
}

function eventLines(story: EventStory): string[] {
  const { since, at, changes, left, event, hearings, silence } = story;
  const later = at - since >= aMinute ? `, confirmed ${span(at - since)} later` : "";
  const announced = event.product ? `  → event ${event.key}` : "";
  const lead = changes.map((change) => changeLine(change));
  const more = lead.length + left - 3;
  return [
    `  ${day(since)}  ${lead[0] ?? event.key}${later}${announced}`,
    ...lead.slice(1, 3).map((what) => `              ${what}`),
    ...(more > 0 ? [`              and ${more} more`] : []),
    ...texts(changes),
    ...hearingLines(hearings),
    ...(silence ? [`              → silent: ${silence}`] : []),
  ];
}

/** Both texts of the first change around their differences, if its line showed less of them. */
function texts([change]: readonly Change[]): string[] {
  if (change?.kind !== "block" || !change.before || !change.after) return [];
  if (Math.max(change.before.text.length, change.after.text.length) <= 60) return [];
  const [left, right] = apart(change.before.text, change.after.text, 40, 80).map(elided);
  return [`              - ${oneLine(left ?? "", 180)}`, `              + ${oneLine(right ?? "", 180)}`];
}

const loudestFirst: readonly HearingStory["outcome"][] = ["fired", "evidence", "known", "silent"];

/** How each trigger responded, those that fired first. */
function hearingLines(hearings: readonly HearingStory[]): string[] {
  const width = Math.max(0, ...hearings.map(({ trigger }) => trigger.length));
  const place = ({ outcome }: HearingStory) => loudestFirst.indexOf(outcome);
  return hearings
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((hearing) => {
      const { outcome, excerpt } = hearing;
      const sign = outcome === "fired" || outcome === "evidence" ? "●" : "·";
      const quote = outcome === "fired" && excerpt ? [`${" ".repeat(width + 18)}"${oneLine(excerpt, 120)}"`] : [];
      return [`              ${sign} ${hearing.trigger.padEnd(width)}  ${hearingWords(hearing)}`, ...quote];
    });
}

function hearingWords(hearing: HearingStory): string {
  const { outcome, weight = "routine", issue, part, means, because } = hearing;
  const where = issue === undefined ? "" : `#${issue}`;
  switch (outcome) {
    case "fired": {
      const why = [briefly(part), means].filter(Boolean).join(": ");
      return `fired, ${weight}${where && `, ${where}`}${why && ` (${why})`}`;
    }
    case "evidence":
      return `${because}: evidence added${where && ` to ${where}`}`;
    case "known":
      return `silent: ${because}`;
    case "silent":
      return `silent: ${silent(hearing)}`;
  }
}

function briefly(part: HearingStory["part"]): string {
  return part === "also" ? "also" : part === "until" ? "ends a claim" : part === "claim" ? "its claim" : "";
}

function silent({ conditions, because }: HearingStory): string {
  const reasons = conditions.map((one) => `${one.means ?? one.words}: ${one.because ?? "not met"}`);
  if (reasons.length === 0) return because ?? "";
  return `${reasons.slice(0, 3).join("; ")}${reasons.length > 3 ? `; and ${reasons.length - 3} more` : ""}`;
}

function waitingLines({ what, since, secondLook, consequences }: WaitingStory): string[] {
  return [
    `  ◌ ${what}`,
    `      seen once, ${stamp(since)}; looked at again ${stamp(secondLook)} UTC`,
    ...(consequences.length > 0 ? consequences : [nothing]).map(
      (one, i) => `      ${i === 0 ? "if it is still there" : "and"} ${consequence(one)}`,
    ),
  ];
}

const nothing: Consequence = { askers: [], means: [] };

function consequence({ claim, change, askers, means }: Consequence): string {
  const names = askers
    .map(({ trigger, weight }) => `${trigger}${weight === "contrary" ? ", contrary" : ""}`)
    .join("; ");
  const why = means.length > 0 ? ` (${means.join("; ")})` : "";
  if (claim === undefined) return names ? `it asks ${names}${why}` : "no trigger asks about it";
  const what = change ? changeLine(change) : `it ends claim "${claim}"`;
  return `${what}: ${names ? `asks ${names}${why}` : "nothing to ask"}`;
}

function noiseLines({ what, count, first, last, ...why }: NoiseStory): string[] {
  const when = count > 1 ? `${count} times, ${day(first)} to ${day(last)}` : stamp(last);
  return [`  ~ ${what}`, `      ${noiseWords(why)}: ${when}`];
}

function listenerLines({ listeners }: SourceStory): string[] {
  if (listeners.length === 0) return ["  no trigger; what happens here asks only through its claims"];
  const byTrigger = [...Map.groupBy(listeners, ({ trigger }) => trigger)];
  const rows = byTrigger.map(([trigger, own]) => [
    trigger,
    firstOf([...new Set(own.map(({ words }) => words))], 3, "; "),
  ]);
  return table(rows, "  ");
}

// ── A trigger: what it asks about now, then condition by condition ───────────────────────────

function triggerLines(story: TriggerStory, config: Config): string[] {
  const { trigger, name, wording, ratings, conditions, claims, asking } = story;
  const [moved, held] = [
    claims.filter(({ status }) => status !== "supported"),
    claims.filter(({ status }) => status === "supported"),
  ];
  return [
    `${trigger} · ${name}${ratings.length > 0 ? ` · asks about ${ratings.join(", ")}` : ""}`,
    ...(wording ? [`The report's words: "${oneLine(wording, 200)}"`] : []),
    ...askingLines(asking, config),
    ...section(
      asSentence(namedBy(story)),
      conditions.filter(({ part }) => part === "on").flatMap((one) => conditionLines(one, config)),
    ),
    ...section(
      "Not named by the report",
      conditions.filter(({ part }) => part === "also").flatMap((one) => conditionLines(one, config)),
    ),
    ...section("Claims that ask it", [
      ...claimLines(moved),
      ...(held.length > 0 ? [`  ✔ ${counted(held.length, "claim")} supported`] : []),
    ]),
  ];
}

/** The events that are asked about now, by recheck. */
function askingLines(asking: readonly RecheckStory[], config: Config): string[] {
  if (asking.length === 0) return ["Nothing to ask now: no event is unanswered."];
  return asking.flatMap((one) => [...openLine(one), ...firingLines(one.firings, config)]);
}

function openLine({ trigger, state, issue, opened, firings }: RecheckStory): string[] {
  const where = issue === undefined ? "" : ` #${issue}`;
  const since = opened === undefined ? "" : ` since ${day(opened)}`;
  const what = state === "not planned yet" ? `To be asked by ${trigger}` : `Recheck${where} is ${state}${since}`;
  return ["", `${what}, with ${counted(firings.length, "event")}:`];
}

function conditionLines(story: ConditionStory, config: Config): string[] {
  const { words, means, awaited, sources, fired, unmet, waiting, noise, due } = story;
  const names = sources.map(({ source }) => source);
  const blind = sources.filter(({ health }) => health.state !== "seen");
  const last = fired[0];
  const sign = last ? "●" : waiting.length > 0 ? "◌" : blind.length > 0 && blind.length === sources.length ? "○" : "·";
  return [
    `  ${sign} ${names.length > 0 ? `${firstOf(names, 3)}: ` : ""}${words}${awaited ? " · awaited" : ""}${means ? ` · "${means}"` : ""}`,
    ...fired.slice(0, 3).map((firing) => `      fired ${day(firing.fired)}: ${headline(firing, config).text}`),
    ...(fired.length > 3 ? [`      and ${counted(fired.length - 3, "time")} before`] : []),
    ...waiting.map(({ what, secondLook }) => `      seen once: ${what}; looked at again ${stamp(secondLook)} UTC`),
    ...unmet.map(
      ({ happening, because }) =>
        `      not met ${day(happening.since)}: ${changeLine(happening.changes[0] ?? { kind: "link", to: "back" })}: ${because}`,
    ),
    ...blind.map(({ source, health }) => `      ${source} ${sight(health)}`),
    ...(due === undefined ? [] : [`      fires ${day(due)} if nothing happens before`]),
    ...(fired.length + unmet.length + waiting.length + blind.length === 0 && due === undefined
      ? [`      nothing of this sort was seen${noise > 0 ? `; ${counted(noise, "difference")} taken for noise` : ""}`]
      : []),
  ];
}

function sight({ state, trouble, blindFrom, goneSince }: ConditionStory["sources"][number]["health"]): string {
  const why = trouble ? `: ${trouble.says}, since ${day(goneSince ?? trouble.since)}` : "";
  if (state === "blind") return `is blind since ${day(blindFrom ?? 0)}${why || ": nobody looked"}`;
  return `is ${state}${why}`;
}

// ── A recheck: every event that feeds it, with its evidence ──────────────────────────────────

function recheckLines(story: RecheckStory, config: Config): string[] {
  const { trigger, name, state, issue, opened, closed, verdict, ratings, firings } = story;
  const where = issue === undefined ? "" : `#${issue} · `;
  const since = opened === undefined ? "" : `, opened ${day(opened)}`;
  const until = closed === undefined ? "" : `, closed ${day(closed)}`;
  const fed = new Set(firings.map((firing) => firing.trigger));
  const explained = [...fed].filter((id) => isName(id, config)).map((id) => called("explain", id));
  return [
    `${where}${name} (${trigger}) · ${state}${since}${until}`,
    ...(ratings.length > 0 ? [`Asks about ${ratings.join(", ")}`] : []),
    ...(verdict ? [verdictLine(verdict)] : []),
    ...firingLines(firings, config),
    ...(explained.length > 0 ? ["", `Condition by condition: ${firstOf(explained, 3, "; ")}`] : []),
  ];
}

function verdictLine({ kind, by, because }: NonNullable<RecheckStory["verdict"]>): string {
  const what = kind === "keep" ? "The report stays as it is" : "Dismissed";
  return `${what}${by === undefined ? "" : `, by ${by}`}: "${oneLine(because, 200)}"`;
}

function firingLines(firings: readonly StoredFiring[], config: Config): string[] {
  return toldTogether(firings).flatMap((firing) => [
    `  ● ${firing.weight.padEnd(8)}  ${day(firing.event.at ?? firing.seen)}  ${headline(firing, config).text}  · event ${(firing.releases ?? [firing]).map(({ event }) => plainKey(event)).join(", ")}`,
    ...firing.evidence.flatMap((piece) => evidenceLines(piece, config.triggers.get(firing.trigger))),
  ]);
}

function evidenceLines(
  { source, seen, change, part, condition, excerpt, claim }: Evidence,
  trigger: Trigger | undefined,
): string[] {
  const means =
    condition?.means && part !== "claim" ? `: ${condition.means}` : claim && part !== "on" ? `: ${claim}` : "";
  return [
    `      ${source || "time"}  ${stamp(seen)}  ${changeLine(change)}  (${partWords({ part, ...(condition && { condition }) }, trigger)}${means})`,
    ...(excerpt ? [`        "${oneLine(excerpt, 140)}"`] : []),
  ];
}

// ── Claims, wherever they are told ───────────────────────────────────────────────────────────

/** Each claim with its state; those that hold in one line. */
function claimLines(claims: readonly ClaimStory[]): string[] {
  const unsought = claims.filter(({ status }) => status === "not looked for yet");
  const told = claims.filter((claim) => !unsought.includes(claim)).flatMap(claimLine);
  if (unsought.length === 0) return told;
  return [
    ...told,
    `  ? ${counted(unsought.length, "claim")} not looked for yet: not seen is ${firstOf(sourcesOf(unsought), 5)}`,
  ];
}

function sourcesOf(claims: readonly ClaimStory[]): string[] {
  return [...new Set(claims.map(({ claim }) => claim.split("/")[0] ?? claim))];
}

function claimLine(claim: ClaimStory): string[] {
  const { status, says, since, unseen, proof } = claim;
  const cited = claim.cites.length > 0 ? ` (${refs(claim.cites)})` : "";
  const last = unseen ? ", as last seen" : "";
  const when = since === undefined ? "" : ` since ${day(since)}`;
  return [
    `  ${claimSigns[status]} ${says}${cited}: ${status}${when}${last}`,
    ...(status === "supported" ? [] : detail(claim, proof)),
  ];
}

function detail({ claim, before, found, status, ratings }: ClaimStory, proof: string): string[] {
  const resting = ratings.length > 0 ? ` · ${ratings.join(", ")}` : "";
  if (status === "contradicted" && found) return [`      ${claim}${resting}: by ${oneLine(found, 120)}`];
  if (status === "altered" && found) {
    return [`      ${claim}${resting}`, `      - ${oneLine(before ?? proof, 160)}`, `      + ${oneLine(found, 160)}`];
  }
  return [`      ${claim}${resting}: its proof is ${oneLine(proof, 140)}`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", title, ...lines] : [];
}
