import type { Sighting } from "../model/change.ts";
import type { Config } from "../model/config.ts";
import { type Firing, weightOf } from "../model/firing.ts";
import { code, words } from "../model/markdown.ts";
import type { Source } from "../model/source.ts";
import type { FreshnessLevel } from "../model/states.ts";
import { day, minute } from "../model/time.ts";
import { firstOf, issueName, triggerName } from "../model/words.ts";
import { findingsFirst } from "../recheck/first-check.ts";
import type { Part } from "../recheck/issue/layout.ts";
import { boxLine } from "../recheck/issue/marker.ts";
import { askedRatings, groupReleases, ratingNames, refs, strongestFirst } from "../recheck/issue/question.ts";
import { headline } from "../recheck/issue/title.ts";
import type { OpenRecheck, OverviewDrawing } from "./overview.ts";
import type { OpenQuestion, Status } from "./status.ts";

export function askedParts(drawing: OverviewDrawing): Readonly<Record<"doubt" | "review" | "snoozed", Part>> {
  const { status, rechecks } = drawing;
  const sleeping = rechecks.filter(({ snoozed }) => snoozed !== undefined);
  const awake = status.open.filter((one) => !sleeping.some((recheck) => isAskedIn(recheck, one)));
  const linesOf = (weight: Firing["weight"]) =>
    awake.filter(({ firings }) => weightOf(firings) === weight).map((one) => openQuestionLine(one, drawing));
  const snoozed = sleeping.map((recheck) => snoozedLine(recheck, drawing));
  return {
    doubt: part("### Outdated", linesOf("contrary")),
    review: part("### Changed", linesOf("routine")),
    snoozed: part("### Snoozed", snoozed),
  };
}

/** Whether a recheck asks this question. One recheck may ask for several triggers. */
function isAskedIn({ id, trigger }: OpenRecheck, waiting: OpenQuestion): boolean {
  return waiting.recheck === undefined ? waiting.trigger === trigger : waiting.recheck === id;
}

function part(head: string, entries: readonly string[]): Part {
  return { head: [head, ""], entries, least: 1, one: "recheck" };
}

function openQuestionLine(waiting: OpenQuestion, drawing: OverviewDrawing): string {
  const { config } = drawing;
  const groups = groupReleases(findingsFirst(strongestFirst(waiting.firings), config));
  const [strongest] = groups;
  const what = strongest ? `${headline(strongest, config).markdown}, seen ${day(strongest.seen)}` : "";
  const more = groups.length > 1 ? `, and ${groups.length - 1} more` : "";
  const about = aboutOf(waiting, drawing);
  return [`- ${questionName(waiting, drawing)}: ${what}${more}`, ...(about ? [`  ${about}`] : [])].join("\n");
}

/** `#12 **TPU**`. */
function questionName(
  { trigger, issue }: Pick<OpenQuestion, "trigger" | "issue">,
  { config }: OverviewDrawing,
): string {
  const name = `**${words(triggerName(trigger, config), 100)}**`;
  return issue === undefined ? `${name} (${issueName(issue)})` : `${issueName(issue)} ${name}`;
}

function aboutOf({ firings }: OpenQuestion, { config }: OverviewDrawing): string {
  const all = askedRatings(firings, config);
  const contrary = firings.filter(({ weight }) => weight === "contrary");
  const doubted = askedRatings(contrary, config);
  const others = all.filter((id) => !doubted.includes(id));
  if (doubted.length === 0 || others.length === 0) return ratingNames(all, config);
  return `${ratingNames(doubted, config)}; changed: ${ratingNames(others, config)}`;
}

function snoozedLine({ id, trigger, issue, snoozed }: OpenRecheck, drawing: OverviewDrawing): string {
  const until = typeof snoozed === "number" ? day(snoozed) : "something new is seen";
  const text = `${questionName({ trigger, issue }, drawing)}, until ${until}`;
  return drawing.commands ? boxLine(`unsnooze ${id}`, `ask again now: ${text}`) : `- ${text}`;
}

type Unseen = Status["unseen"][number];

export function blindParts(drawing: OverviewDrawing): Part[] {
  const ratings = blindRatings(drawing);
  const unseen = drawing.status.unseen.filter(hasLasted);
  const lines = groups(unseen, drawing).map((group) => unseenLine(group, drawing));
  const tick = drawing.commands ? "; tick to try again" : "";
  const none = ["### Could not be checked", "", `No rating is affected yet${tick}:`];
  const head = ratings.length > 0 ? [`Could not be checked${tick}:`] : none;
  return [
    { head: ["### Not checkable", ""], entries: ratings, least: 1, one: "rating" },
    { head: [...head, ""], entries: lines, least: 1, one: "source" },
  ];
}

/** Whether two checks in a row failed: a single failure is not reported. */
export function hasLasted({ trouble, gone }: Pick<Unseen, "trouble" | "gone">): boolean {
  return gone || trouble.count > 1;
}

function blindRatings({ status, config }: OverviewDrawing): string[] {
  const blind = status.ratings.filter(({ level }) => level === "blind");
  const because = Map.groupBy(blind, (one) => [day(one.at), ...one.because].join(" "));
  return [...because.values()].map((its) => {
    const [first] = its;
    const names = (first?.because ?? []).map((id) => nameOf(id, config));
    const ratings = ratingNames(
      its.map(({ rating }) => rating),
      config,
    );
    return `- ${ratings}, since ${day(first?.at ?? 0)}: ${firstOf(names, 6)} could not be read`;
  });
}

function groups(unseen: readonly Unseen[], { config }: OverviewDrawing): Unseen[][] {
  return [
    ...Map.groupBy(unseen, ({ source, trouble, gone }) =>
      JSON.stringify([hostOf(config.sources.get(source)), trouble.says, gone]),
    ).values(),
  ];
}

/** Limit of ids in one box: a tick retries all of them, and GitHub accepts a line of this length. */
const maxInBox = 40;

function unseenLine(group: readonly Unseen[], { config, commands, status }: OverviewDrawing): string {
  const [first] = group;
  const ids = group.map(({ source }) => source);
  const host = code(hostOf(config.sources.get(first?.source ?? "")), 80);
  const names = ids.map((id) => nameOf(id, config));
  const what = ids.length === 1 ? names[0] : `${host}, ${ids.length} sources`;
  const since = Math.min(...group.map(({ trouble, goneSince }) => goneSince ?? trouble.since));
  const blindFrom = Math.min(...group.flatMap((one) => one.blindFrom ?? []));
  const facts = [
    `${what}: ${first?.gone ? "gone, " : ""}${words(first?.trouble.says ?? "", 160)}, since ${day(since)}`,
    ...(Number.isFinite(blindFrom)
      ? [`not checkable ${blindFrom <= status.at ? "since" : "from"} ${day(blindFrom)}`]
      : []),
    ...(ids.length > 1 ? [firstOf(names, 8)] : []),
  ].join(" · ");
  return commands ? boxLine(`retry ${ids.slice(0, maxInBox).join(" ")}`, facts) : `- ${facts}`;
}

/** The title of a source, else its id, with its reference numbers. */
function nameOf(id: string, { sources }: Config): string {
  const { title, cites = [] } = sources.get(id) ?? {};
  const name = title === undefined ? code(id) : words(title, 100);
  return cites.length > 0 ? `${name} (${refs(cites)})` : name;
}

function hostOf(source: Source | undefined): string {
  if (!source) return "";
  return URL.parse(source.address)?.host || source.kind;
}

/** Ratings with sentences that are no longer true, although no question about them is open. */
export function uncorrectedPart(drawing: OverviewDrawing): Part {
  const why = "A sentence below these ratings is no longer true. Correct it, or set `reviewed` of the rating.";
  return byDayPart("not corrected", ["### Not corrected", "", why, ""], drawing);
}

export function duePart(drawing: OverviewDrawing): Part {
  return byDayPart("due", ["### Due for a review", ""], drawing);
}

function byDayPart(reason: FreshnessLevel, head: string[], { status, config }: OverviewDrawing): Part {
  const all = status.ratings.filter(({ level }) => level === reason);
  const days = [...Map.groupBy(all, ({ at }) => day(at))].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = days.map(([since, its]) => {
    const ratings = its.map(({ rating }) => rating);
    return `- since ${since}: ${ratingNames(ratings, config)}`;
  });
  return { head, entries, least: 1, one: "day" };
}

export function unnamedPart({ status, config }: OverviewDrawing): Part {
  const entries = status.unnamed.map(({ source, says }) => {
    return `- ${nameOf(source, config)} ${words(says, 300)}`;
  });
  return { head: ["### No version is named", ""], entries, least: 1, one: "source" };
}

export function confirmPart({ status, config }: OverviewDrawing): Part {
  const entries = status.waiting.map(({ source, sightings, secondCheck }) => {
    const what = headline(asFiring(source, sightings), config).markdown;
    return `- ${what}, second check ${minute(secondCheck)}`;
  });
  return { head: ["### To be confirmed", ""], entries, least: 1, one: "sighting" };
}

function asFiring(source: string, sightings: readonly Sighting[]): Firing {
  const seen = Math.min(...sightings.map(({ since }) => since));
  const evidence = sightings.map(({ change, since }) => {
    const claim = change.kind === "claim" ? { claim: change.claim, part: "claim" as const } : { part: "on" as const };
    return { source, seen: since, change, ...claim };
  });
  return { trigger: "", event: { key: source }, weight: "routine", seen, fired: seen, evidence };
}
