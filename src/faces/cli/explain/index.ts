import { changeLine } from "../../../model/change-words.ts";
import { closing } from "../../../model/closing.ts";
import type { Config, Trigger } from "../../../model/config.ts";
import { claimOf } from "../../../model/dependencies.ts";
import { builtIn, type Evidence, type Firing } from "../../../model/firing.ts";
import { readerState, stateSigns } from "../../../model/states.ts";
import { day, type Instant, stamp } from "../../../model/time.ts";
import { asSentence, firstOf, oneLine, originWords, partWords, pluralize, ratingTitle } from "../../../model/words.ts";
import { groupReleases } from "../../../recheck/issue/question.ts";
import { headline } from "../../../recheck/issue/title.ts";
import {
  type ConditionStory,
  type Explanation,
  explain,
  type RatingStory,
  type RecheckStory,
  type TriggerStory,
} from "../../../status/explain/index.ts";
import type { ClaimStory } from "../../../status/explain/source.ts";
import { plainKey } from "../../../watch/events.ts";
import { configOf } from "../../../wire/config.ts";
import type { Settings } from "../../../wire/settings.ts";
import { openStored } from "../../../wire/stores.ts";
import { answer, storyAnswer } from "../answers/index.ts";
import { table, weightColumn } from "../columns.ts";
import { colourDiff, commandToType, exits, knownNames, type Terminal, WrongUsage } from "../terminal.ts";
import { claimLines, section, sourceLines } from "./source.ts";

/** `recheck explain <rating | source | trigger | #12>`: says why it did or did not raise an alert. */
export async function explainCommand(
  name: string,
  settings: Settings,
  options: { json?: boolean },
  out: Terminal,
): Promise<number> {
  const config = await configOf(settings);
  // Checked before anything is opened: an unknown name is wrong whether or not anything is stored.
  if (!isName(name, config)) throw new WrongUsage(unknownName(name, config));
  await using stored = closing(await openStored(settings));
  const at = settings.clock.now();
  const stories = await explain(name, { config, store: stored.store, at });
  if (!stories) throw new WrongUsage(unknownName(name, config));
  if (options.json) answer("explain", { command: "explain", stories: stories.map(storyAnswer) }, out);
  else
    for (const line of stories.flatMap((story, i) => [...(i > 0 ? [""] : []), ...linesOf(story, config, at)]))
      out.line(colourDiff(line, out));
  return exits.done;
}

function isName(name: string, { ratings, sources, triggers }: Config): boolean {
  return (
    ratings.has(name) ||
    sources.has(name) ||
    triggers.has(name) ||
    Object.values<string>(builtIn).includes(name) ||
    /^#\d+$/.test(name)
  );
}

function unknownName(name: string, config: Config): string {
  if (/^#\d+$/.test(name)) return `no recheck ${name} is known here`;
  if (claimOf(name, config))
    return `"${name}" is a claim: ${commandToType("explain", name.split("/")[0] ?? "")} explains it`;
  return `no rating, source or trigger is called "${name}"${knownNames(name, [...config.ratings.keys(), ...config.sources.keys(), ...config.triggers.keys()])}`;
}

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

function ratingLines(story: RatingStory, config: Config): string[] {
  const { rating, checked, due, asking, claims, triggers, sources, conclusions } = story;
  const state = readerState(rating.freshness);
  const reason = state === "up to date" ? "" : ` (${rating.freshness} since ${day(rating.at)})`;
  const title = ratingTitle(rating.id, config);
  const by = rating.reviewed === undefined ? "Checked at the audit" : "Reviewed";
  const unseen = sources.filter(({ state }) => state !== "seen");
  return [
    `${rating.id}${title === rating.id.replaceAll("/", " · ") ? "" : ` · ${title}`} · ${rating.level} ${stateSigns[state]} ${state}${reason}`,
    `${by}, ${day(checked)}; ${due <= story.at ? "due since" : "due on"} ${day(due)}${rating.basis ? "; a judgement: no source can settle it" : ""}.`,
    ...askingLines(asking, config),
    ...section("Claims that it rests on", countedClaimLines(claims)),
    ...section("Sources that it rests on", [
      ...unseen.map((health) => `  ○ ${health.id} ${healthWords(health)}`),
      ...(unseen.length < sources.length ? [`  ✔ ${pluralize(sources.length - unseen.length, "source")} read`] : []),
      ...(sources.length === 0 ? ["  none: no event can raise a question about it"] : []),
    ]),
    ...section(
      "Triggers that ask about it",
      table(
        triggers.map(({ id, name }) => [id, name]),
        "  ",
      ),
    ),
    ...section(
      "Conclusions that rest on it",
      conclusions.map((text) => `  ${oneLine(text, 200)}`),
    ),
  ];
}

function triggerLines(story: TriggerStory, config: Config): string[] {
  const { id, name, wording, ratings, conditions, claims, asking } = story;
  const linesOf = (wanted: ConditionStory["part"]) =>
    conditions.filter(({ part }) => part === wanted).flatMap((one) => conditionLines(one, config));
  return [
    `${id} · ${name}${ratings.length > 0 ? ` · asks about ${ratings.join(", ")}` : ""}`,
    ...(wording ? [`The report's words: "${oneLine(wording, 200)}"`] : []),
    ...askingLines(asking, config),
    ...section(asSentence(originWords(story)), linesOf("on")),
    ...section("Not named by the report", linesOf("also")),
    ...section("Claims that ask it", countedClaimLines(claims)),
  ];
}

/** Claims in question; those that are supported are only counted. */
function countedClaimLines(claims: readonly ClaimStory[]): string[] {
  const others = claims.filter(({ state }) => state !== "supported");
  const count = claims.length - others.length;
  return [...claimLines(others), ...(count > 0 ? [`  ✔ ${pluralize(count, "claim")} supported`] : [])];
}

function askingLines(asking: readonly RecheckStory[], config: Config): string[] {
  if (asking.length === 0) return ["No event is waiting for an answer."];
  return asking.flatMap((one) => [...openLine(one), ...firingLines(one.firings, config)]);
}

function openLine({ trigger, state, issue, opened, firings }: RecheckStory): string[] {
  const where = issue === undefined ? "" : ` #${issue}`;
  const since = opened === undefined ? "" : ` since ${day(opened)}`;
  const what =
    state === "not planned yet" ? `Not asked yet, because of ${trigger}` : `Recheck${where} is ${state}${since}`;
  return ["", `${what}, with ${pluralize(firings.length, "event")}:`];
}

function conditionLines(story: ConditionStory, config: Config): string[] {
  const { words, means, awaited, sources, fired, unmet, waiting, noise, due } = story;
  const names = sources.map(({ id }) => id);
  const blind = sources.filter(({ state }) => state !== "seen");
  const last = fired[0];
  const sign = last ? "●" : waiting.length > 0 ? "◌" : blind.length > 0 && blind.length === sources.length ? "○" : "·";
  return [
    `  ${sign} ${names.length > 0 ? `${firstOf(names, 3)}: ` : ""}${words}${awaited ? " · awaited" : ""}${means ? ` · "${means}"` : ""}`,
    ...fired.slice(0, 3).map((firing) => `      fired ${day(firing.fired)}: ${headline(firing, config).text}`),
    ...(fired.length > 3 ? [`      and ${pluralize(fired.length - 3, "time")} before`] : []),
    ...waiting.map(({ what, secondCheck }) => `      seen once: ${what}; checked again ${stamp(secondCheck)} UTC`),
    ...unmet.map(
      ({ happening, because }) =>
        `      not met ${day(happening.since)}: ${changeLine(happening.changes[0] ?? { kind: "link", to: "back" })}: ${because}`,
    ),
    ...blind.map((health) => `      ${health.id} ${healthWords(health)}`),
    ...(due === undefined ? [] : [`      fires ${day(due)} if nothing happens before`]),
    ...(fired.length + unmet.length + waiting.length + blind.length === 0 && due === undefined
      ? [`      no such change was seen${noise > 0 ? `; ${pluralize(noise, "difference")} ignored as noise` : ""}`]
      : []),
  ];
}

function healthWords({ state, trouble, blindFrom, goneSince }: ConditionStory["sources"][number]): string {
  const why = trouble ? `: ${trouble.says}, since ${day(goneSince ?? trouble.since)}` : "";
  if (state === "blind") return `has not been checkable since ${day(blindFrom ?? 0)}${why || ": not checked"}`;
  return state === "gone" ? `is gone${why}` : trouble ? `could not be read${why}` : "is not read yet";
}

function recheckLines(story: RecheckStory, config: Config): string[] {
  const { trigger, name, state, issue, opened, closed, verdict, ratings, firings } = story;
  const where = issue === undefined ? "" : `#${issue} · `;
  const since = opened === undefined ? "" : `, opened ${day(opened)}`;
  const until = closed === undefined ? "" : `, closed ${day(closed)}`;
  const fed = new Set(firings.map((firing) => firing.trigger));
  const explained = [...fed].filter((id) => isName(id, config)).map((id) => commandToType("explain", id));
  return [
    `${where}${name} (${trigger}) · ${state}${since}${until}`,
    ...(ratings.length > 0 ? [`Asks about ${ratings.join(", ")}`] : []),
    ...(verdict ? [verdictLine(verdict)] : []),
    ...firingLines(firings, config),
    ...(explained.length > 0 ? ["", `Condition by condition: ${firstOf(explained, 3, "; ")}`] : []),
  ];
}

function verdictLine({ kind, by, because }: NonNullable<RecheckStory["verdict"]>): string {
  const what = kind === "keep" ? "The report stays unchanged" : "Dismissed";
  return `${what}${by === undefined ? "" : `, by ${by}`}: "${oneLine(because, 200)}"`;
}

function firingLines(firings: readonly Firing[], config: Config): string[] {
  return groupReleases(firings).flatMap((firing) => [
    `  ● ${weightColumn(firing.weight)}  ${day(firing.event.at ?? firing.seen)}  ${headline(firing, config).text}  · event ${(firing.releases ?? [firing]).map(({ event }) => plainKey(event)).join(", ")}`,
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
    `      ${source || "time"}  ${stamp(seen)}  ${changeLine(change)}  (${partWords({ part, condition, change }, trigger)}${means})`,
    ...(excerpt ? [`        "${oneLine(excerpt, 140)}"`] : []),
  ];
}
