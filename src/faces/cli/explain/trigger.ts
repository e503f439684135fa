import { counted, day, quoted, some, stamp } from "../../../describe.ts";
import { changeWords } from "../../../explain/quiet.ts";
import type { RecheckStory } from "../../../explain/recheck.ts";
import type { ConditionStory, TriggerStory } from "../../../explain/trigger.ts";
import type { Config, Evidence } from "../../../model.ts";
import type { StoredFiring } from "../../../ports.ts";
import { headline } from "../../../recheck/headline.ts";
import { claimLines } from "./claims.ts";
import { section } from "./source.ts";

/** A trigger's story, line by line: what it asks about now, then condition by condition. */
export function triggerLines(story: TriggerStory, config: Config): string[] {
  const { trigger, name, wording, ratings, conditions, claims, open } = story;
  const [moved, held] = [
    claims.filter(({ status }) => status !== "supported"),
    claims.filter(({ status }) => status === "supported"),
  ];
  return [
    `${trigger} · ${name}${ratings.length > 0 ? ` · asks about ${ratings.join(", ")}` : ""}`,
    ...(wording ? [`The report's words: "${quoted(wording, 200)}"`] : []),
    ...(open
      ? [...openLine(open), ...firingLines(open.firings, config)]
      : ["Nothing to ask now: no event is unanswered."]),
    ...section(
      "What the report says to watch",
      conditions.filter(({ part }) => part === "on").flatMap((one) => conditionLines(one, config)),
    ),
    ...section(
      "What it forgot",
      conditions.filter(({ part }) => part === "also").flatMap((one) => conditionLines(one, config)),
    ),
    ...section("Claims that ask it", [
      ...claimLines(moved),
      ...(held.length > 0 ? [`  ✔ ${counted(held.length, "claim")} supported`] : []),
    ]),
  ];
}

function openLine({ state, issue, opened, firings }: RecheckStory): string[] {
  const where = issue === undefined ? "" : ` #${issue}`;
  const since = opened === undefined ? "" : ` since ${day(opened)}`;
  const what = state === "not planned yet" ? "To be asked" : `Recheck${where} is ${state}${since}`;
  return ["", `${what}, with ${counted(firings.length, "event")}:`];
}

/** A recheck's story: every event that feeds it, with its evidence. */
export function recheckLines(story: RecheckStory, config: Config): string[] {
  const { trigger, name, state, issue, opened, closed, verdict, ratings, firings } = story;
  const where = issue === undefined ? "" : `#${issue} · `;
  const since = opened === undefined ? "" : `, opened ${day(opened)}`;
  const until = closed === undefined ? "" : `, closed ${day(closed)}`;
  return [
    `${where}${name} (${trigger}) · ${state}${since}${until}`,
    ...(ratings.length > 0 ? [`Asks about ${ratings.join(", ")}`] : []),
    ...(verdict ? [verdictLine(verdict)] : []),
    ...firingLines(firings, config),
    "",
    `Condition by condition: npm run explain -- ${trigger}`,
  ];
}

function verdictLine({ kind, by, because }: NonNullable<RecheckStory["verdict"]>): string {
  const what = kind === "keep" ? "The report stays as it is" : "Dismissed";
  return `${what}${by === undefined ? "" : `, by ${by}`}: "${quoted(because, 200)}"`;
}

function firingLines(firings: readonly StoredFiring[], config: Config): string[] {
  return firings.flatMap((firing) => [
    `  ● ${firing.weight.padEnd(8)}  ${day(firing.event.at ?? firing.seen)}  ${headline(firing, config).text}  · event ${firing.event.key.replace(/ [0-9a-f]{16}$/, "")}`,
    ...firing.evidence.flatMap((piece) => evidenceLines(piece)),
  ]);
}

function evidenceLines({ source, seen, change, part, condition, excerpt, claim }: Evidence): string[] {
  const why = {
    on: "asked for by the report",
    also: "what the report forgot",
    until: "ends a claim",
    claim: "its claim",
  };
  const means =
    condition?.means && part !== "claim" ? `: ${condition.means}` : claim && part !== "on" ? `: ${claim}` : "";
  return [
    `      ${source || "time"}  ${stamp(seen)}  ${changeWords(change)}  (${why[part]}${means})`,
    ...(excerpt ? [`        "${quoted(excerpt, 140)}"`] : []),
  ];
}

function conditionLines(story: ConditionStory, config: Config): string[] {
  const { words, means, awaited, sources, fired, unmet, waiting, noise, due } = story;
  const names = sources.map(({ source }) => source);
  const blind = sources.filter(({ health }) => health.state !== "seen");
  const last = fired[0];
  const sign = last ? "●" : waiting.length > 0 ? "◌" : blind.length > 0 && blind.length === sources.length ? "○" : "·";
  return [
    `  ${sign} ${names.length > 0 ? `${some(names, 3)}: ` : ""}${words}${awaited ? " · awaited" : ""}${means ? ` · "${means}"` : ""}`,
    ...fired.slice(0, 3).map((firing) => `      fired ${day(firing.fired)}: ${headline(firing, config).text}`),
    ...(fired.length > 3 ? [`      and ${counted(fired.length - 3, "time")} before`] : []),
    ...waiting.map(({ what, secondLook }) => `      seen once: ${what}; looked at again ${stamp(secondLook)} UTC`),
    ...unmet.map(
      ({ happening, because }) =>
        `      not met ${day(happening.since)}: ${changeWords(happening.changes[0] ?? { kind: "link", to: "back" })}: ${because}`,
    ),
    ...blind.map(({ source, health }) => `      ${source} ${sight(health)}`),
    ...(due === undefined ? [] : [`      fires ${day(due)} if nothing happens before`]),
    ...(fired.length + unmet.length + waiting.length + blind.length === 0 && due === undefined
      ? [`      nothing of this sort was seen${noise > 0 ? `; ${counted(noise, "difference")} taken for noise` : ""}`]
      : []),
  ];
}

function sight({ state, trouble, blindFrom }: ConditionStory["sources"][number]["health"]): string {
  const why = trouble ? `: ${trouble.says}, since ${day(trouble.since)}` : "";
  if (state === "blind") return `is blind since ${day(blindFrom ?? 0)}${why}`;
  if (state === "gone") return `is gone${why}`;
  return state === "not seen yet" ? `is not seen yet${why}` : `could not be seen${why}`;
}
