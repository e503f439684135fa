import { isDeepStrictEqual } from "node:util";
import type { Claim } from "../../../model/claim.ts";
import type { Config } from "../../../model/config.ts";
import type { Firing } from "../../../model/firing.ts";
import { cell, code, words } from "../../../model/markdown.ts";
import { claimKey } from "../../../model/rests.ts";
import { day, type Instant } from "../../../model/time.ts";
import { counted, firstOf, grouped, upTo } from "../../../model/words.ts";
import { ratingName } from "../../../recheck/issue/question.ts";
import { headline } from "../../../recheck/issue/title.ts";
import { pathOf } from "./check-output.ts";

export interface Effect {
  readonly sources: IdChanges;
  /** By `source/claim`. */
  readonly claims: IdChanges;
  readonly triggers: IdChanges;
  readonly ratings: IdChanges;
  readonly audited?: { readonly before: Instant; readonly after: Instant };
  /** Keys of `sources.yaml` under which something else changed. */
  readonly others: readonly string[];
}

export interface IdChanges {
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
}

/** Compares two valid configs; a different order does not count. Pure. */
export function effectOf(before: Config, after: Config): Effect {
  const moved = before.report.audited !== after.report.audited;
  return {
    sources: between(withoutClaims(before), withoutClaims(after)),
    claims: between(claimsOf(before), claimsOf(after)),
    triggers: between(before.triggers, after.triggers),
    ratings: between(before.ratings, after.ratings),
    ...(moved && { audited: { before: before.report.audited, after: after.report.audited } }),
    others: others(before, after),
  };
}

/** Whether the change could have altered past questions. */
export function isReplayed({ sources, claims, triggers, others }: Effect): boolean {
  const moved = [sources, claims, triggers].some(
    ({ added, dropped, changed }) => added.length + dropped.length + changed.length > 0,
  );
  return moved || others.includes("products");
}

export function isNone({ sources, claims, triggers, ratings, audited, others }: Effect): boolean {
  const quiet = [sources, claims, triggers, ratings].every((one) => countOf(one) === 0);
  return quiet && audited === undefined && others.length === 0;
}

function countOf({ added, dropped, changed }: IdChanges): number {
  return added.length + dropped.length + changed.length;
}

function between(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): IdChanges {
  const kept = [...after.keys()].filter((id) => before.has(id));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    dropped: [...before.keys()].filter((id) => !after.has(id)),
    changed: kept.filter((id) => !isDeepStrictEqual(before.get(id), after.get(id))),
  };
}

function withoutClaims({ sources }: Config): Map<string, unknown> {
  return new Map([...sources].map(([id, { claims: _, ...source }]) => [id, source]));
}

function claimsOf({ sources }: Config): Map<string, Claim> {
  const claims = [...sources.values()].flatMap((source) => source.claims);
  return new Map(claims.map((claim) => [claimKey(claim), claim]));
}

function others(before: Config, after: Config): string[] {
  const { audited: _, ...old } = before.report;
  const { audited: __, ...now } = after.report;
  const keys = [
    "documents",
    "levels",
    "volatility",
    "axes",
    "names",
    "rubric",
    "conclusions",
    "products",
    "schedule",
    "unwatchable",
    "baseline",
    "overview",
    "limits",
  ] as const;
  const report = isDeepStrictEqual(old, now) ? [] : ["report"];
  return [...report, ...keys.filter((key) => !isDeepStrictEqual(before[key], after[key]))];
}

/** The firings and rechecks that a change of config would have made different over the stored past. */
export interface ReplayedChange {
  readonly came: readonly Firing[];
  readonly went: readonly Firing[];
  /** Added and removed rechecks; events of one trigger join its open recheck. */
  readonly rechecks: { readonly came: number; readonly went: number };
  /** Sources that are new or have another address, so that they have no stored past. */
  readonly unplayed: readonly string[];
  readonly days: number;
}

/** The result of a replay, or that it was stopped; undefined if nothing is stored. */
export type ReplayOutcome = ReplayedChange | "given up" | undefined;

const maxNames = 30;
const maxFirings = 10;

/** `+2, −9 rechecks in 90 days; 2 sources added`. */
export function effectTitle(effect: Effect, past: ReplayOutcome): string {
  const { sources, claims, triggers, ratings, audited, others } = effect;
  const parts = [
    ...(past && past !== "given up" ? [balance(past)] : []),
    ...changesOf(sources, "source"),
    ...changesOf(triggers, "trigger"),
    ...changesOf(claims, "claim"),
    ...changesOf(ratings, "rating"),
    ...(audited ? ["a new audit"] : []),
    ...(others.length > 0 ? [`${others.slice(0, 3).join(", ")} changed`] : []),
  ];
  return parts.slice(0, 3).join("; ") + (parts.length > 3 ? " …" : "");
}

interface Change {
  readonly before: Config;
  readonly after: Config;
  readonly folder: string;
}

export function effectLines(effect: Effect, change: Change, past: ReplayOutcome): string[] {
  const { before, after, folder } = change;
  const parts = [
    ...(past === "given up" ? [[notReplayed]] : past ? [pastLines(past, before, after)] : []),
    ...audit(effect),
    named("Sources", effect.sources, (id) => source(id, after.sources.has(id) ? after : before)),
    named("Claims", effect.claims, (id) => code(id)),
    named("Triggers", effect.triggers, (id) => code(pathOf(`triggers/${id}.yaml`, folder))),
    ratings(effect.ratings, before, after),
    effect.others.length > 0 ? [`Also changed: ${effect.others.map((key) => code(key)).join(", ")}.`] : [],
  ];
  return parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

const notReplayed =
  "Its effect on past events is unknown: the replay of the stored responses took too long or too much memory.";

function pastLines(past: ReplayedChange, before: Config, after: Config): string[] {
  const { came, went, unplayed } = past;
  return [
    `**${balance(past)}**, if this had been in use (replayed from stored responses, nothing was fetched). ${joining}`,
    ...(unplayed.length > 0 ? ["", `Not included, because they are new or moved: ${someOf(unplayed, code)}.`] : []),
    ...fired("would have been added", came, after),
    ...fired("would have been left out", went, before),
  ];
}

const joining = "Events that join the open recheck of their trigger count as one.";

function balance({ rechecks: { came, went }, days, unplayed }: ReplayedChange): string {
  const noun = came + went === 1 ? "recheck" : "rechecks";
  const without = unplayed.length > 0 ? ", without what is new or moved" : "";
  return `+${came}, −${went} ${noun} in ${counted(days, "day")}${without}`;
}

function fired(what: string, firings: readonly Firing[], config: Config): string[] {
  if (firings.length === 0) return [];
  const lines = firings.map((one) => `${day(one.seen)} ${code(one.trigger)}: ${headline(one, config).markdown}`);
  const shown = upTo(maxFirings, lines).map((line) => `- ${line}`);
  return ["", `${counted(firings.length, "event")} ${what}:`, "", ...shown];
}

function audit({ audited }: Effect): string[][] {
  if (!audited) return [];
  const { before, after } = audited;
  const answered = after > before ? ` Everything seen before ${day(after)} is answered with *keep*.` : "";
  return [[`**Audit**: ${day(before)} → ${day(after)}.${answered}`]];
}

function named(what: string, difference: IdChanges, nameOf: (id: string) => string): string[] {
  if (countOf(difference) === 0) return [];
  const { added, dropped, changed } = difference;
  const line = (verb: string, ids: readonly string[]): string[] => {
    if (ids.length === 0) return [];
    return [`- ${ids.length} ${verb}: ${someOf(ids, nameOf)}`];
  };
  return [`**${what}**`, "", ...line("added", added), ...line("dropped", dropped), ...line("changed", changed)];
}

function someOf(ids: readonly string[], nameOf: (id: string) => string): string {
  const names = ids.map((id) => nameOf(id));
  return firstOf(names, maxNames);
}

function source(id: string, config: Config): string {
  const title = config.sources.get(id)?.title;
  return title === undefined ? code(id) : `${code(id)} (${words(title, 80)})`;
}

function ratings({ added, dropped, changed }: IdChanges, before: Config, after: Config): string[] {
  const ids = [...added, ...dropped, ...changed];
  if (ids.length === 0) return [];
  const nameOf = (id: string) => ratingName(id, after.ratings.has(id) ? after : before);
  const named = Map.groupBy(ids, nameOf);
  const rows = ids.slice(0, maxNames).map((id) => {
    const name = nameOf(id);
    const [then, now] = [standing(id, before, "new"), standing(id, after, "dropped")];
    const alike = then === now;
    const which = alike || (named.get(name) ?? []).length > 1 ? ` (${code(id)})` : "";
    return `| ${cell(name + which)} | ${then} | ${alike ? otherwise(id, before, after) : now} |`;
  });
  const more = ids.length - rows.length;
  const rest = more > 0 ? ["", `And ${counted(more, "rating")} more.`] : [];
  return ["**Ratings**", "", "| rating | before | after |", "|---|---|---|", ...rows, ...rest];
}

function standing(id: string, config: Config, without: string): string {
  const rating = config.ratings.get(id);
  if (!rating) return `*${without}*`;
  const reviewed = rating.reviewed === undefined ? "" : `, reviewed ${day(rating.reviewed)}`;
  return `${cell(words(rating.level, 80))}${reviewed}`;
}

function otherwise(id: string, before: Config, after: Config): string {
  const [then, now] = [before.ratings.get(id), after.ratings.get(id)];
  const keys = (["level", "reviewed", "volatility", "basis", "owners"] as const).filter(
    (key) => `${then?.[key]}` !== `${now?.[key]}`,
  );
  return `other ${keys.map((key) => code(key)).join(", ")}`;
}

function changesOf({ added, dropped, changed }: IdChanges, noun: string): string[] {
  const each = [
    [added.length, "added"],
    [dropped.length, "dropped"],
    [changed.length, "changed"],
  ] as const;
  const told = each.filter(([count]) => count > 0);
  if (told.length === 0) return [];
  return [
    told.map(([count, verb], index) => `${index === 0 ? counted(count, noun) : grouped(count)} ${verb}`).join(", "),
  ];
}
