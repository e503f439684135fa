import type { Claim } from "../model/claim.ts";
import { conditionsOf, listensTo } from "../model/condition.ts";
import type { Config } from "../model/config.ts";
import type { ClaimCounts, OfferedTable, ReportFindings, UnreadPages } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { firstOf, oneLine, pluralize } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import { kindOf } from "../report/cite/sources.ts";
import type { Draft } from "../report/index.ts";

/** Escapes a word of the report for the place that shows it. */
type Shown = (level: string) => string;

/** A summary of a draft: `64 references, 52 distinct addresses; 20 ratings (Low, High); 5 triggers`. */
export function draftSummary(found: ReportFindings, shown: Shown): string {
  const files = found.chapters ? ` in ${pluralize(1 + found.chapters, "file")}` : "";
  const cited = `${pluralize(found.references, found.numbered ? "reference" : "link")}${files}, ${pluralize(found.sources, "distinct address", "distinct addresses")}`;
  const levels = found.ratings > 0 ? ` (${found.levels.map(shown).join(", ")})` : "";
  const stated = found.triggers > 0 && found.stated > 0 ? `, ${found.stated} of them the report's own` : "";
  return `${cited}; ${pluralize(found.ratings, "rating")}${levels}; ${pluralize(found.triggers, "trigger")}${stated}`;
}

/** The points that only a person can correct, without those that people have corrected since. */
export function pointsToReview(
  { unplaced, leftRatings = [], unrated, left, others, cut }: ReportFindings,
  config: Config,
  readers: ReadonlyMap<string, Reader>,
  unread: UnreadPages | undefined,
  layout: Shown,
): string[] {
  const sources = [...config.sources.values()];
  const frozen = sources.filter((source) => isFrozen(source, readers)).length;
  const forDeath = sources.filter((source) => isWatchedForDeath(source, config)).length;
  const unwatchable = config.unwatchable.length;
  const guessed = unplaced.filter((level) => config.levels.includes(level));
  const [verb, them] = forDeath === 1 ? ["is", "it"] : ["are", "them"];
  const levelList = (levels: readonly string[]) => levels.slice(0, maxShownLevels).map(layout).join(", ");
  const points = [
    config.ratings.size > 0 &&
      sources.every(({ claims }) => claims.length === 0) &&
      "The report does not say which source supports which rating. Add claims with their passages (`claims`), so that a change asks only about the ratings that rest on it.",
    frozen > 0 &&
      `${pluralize(frozen, "cited page")} will probably never change (posts, versions, dates). Add sources that do, such as the releases of the project.`,
    forDeath > 0 &&
      `${pluralize(forDeath, "cited source")} ${verb} only checked for being there: no rating or claim rests on ${them}. To hear of other changes, add claims, or a \`change\` condition to a trigger.`,
    guessed.length > 0 && `The place among the levels is a guess for ${guessed.map(layout).join(", ")}.`,
    ...leftRatings.map(
      ({ ratings, levels }) =>
        `The draft left out ${pluralize(ratings, "rating")} by another scale (${levelList(levels)}): one \`sources.yaml\` holds one scale.`,
    ),
    unrated &&
      `${pluralize(unrated.ratings, "cell")} in rated columns ${unrated.ratings === 1 ? "is" : "are"} not rated, because the words are no level of the scale, or the row has others (${levelList(unrated.levels)}).`,
    unwatchable > 0 && `${pluralize(unwatchable, "reference")} cannot be watched; \`unwatchable\` says why.`,
    others > 0 &&
      `The draft left out ${pluralize(others, "address", "addresses")} that the text links to beside its references.`,
    left > 0 && `The draft had no room for ${pluralize(left, "reference")}.`,
    unread && unreadSays(unread),
    ...(unread?.says ?? []).map(layout),
    cut && "The report is too long, or rates too much: only a part of it was drafted.",
  ];
  return points.flatMap((point) => point || []);
}

export function claimsFound(counts: ClaimCounts): string {
  const { considered, stated, proved, atAudit = 0, unproved = 0, left = 0, cut = false } = counts;
  const taken = `${pluralize(considered, "sentence")} ${considered === 1 ? "cites" : "cite"} a source, with ${pluralize(stated, "statement")} that can be checked; ${proved - atAudit} confirmed by the sources today${atAudit > 0 ? `, ${atAudit} more by their state at the audit` : ""}`;
  const more = left > 0 ? `; ${pluralize(left, "more sentence")} found no room` : "";
  const beyond = unproved > 0 ? `; ${pluralize(unproved, "source")} took too much to compare` : "";
  return `${taken}${beyond}${more}${cut ? "; the report is longer than what was read of it" : ""}`;
}

export function strongestClaims(claims: readonly Claim[]): readonly Claim[] {
  return claims.toSorted((a, b) => b.ratings.length - a.ratings.length).slice(0, maxShownClaims);
}

const maxShownClaims = 10;
const maxShownLevels = 5;

/** A summary of the files that were not searched for a report. */
function unreadSays({ pages, unlisted }: UnreadPages): string {
  const first = "the README, names that say *report*, the root and `docs/` come first";
  const some = `${pluralize(pages, "more page")} in Markdown or HTML ${pages === 1 ? "was" : "were"} not checked: ${first}.`;
  const all =
    "GitHub does not list all files of so large a repository: only those at its root and in `docs/` were checked.";
  const then = (pages > 0 || unlisted) && "If the report is there, write its addresses into `sources.yaml`.";
  return [pages > 0 && some, unlisted && all, then].filter(Boolean).join(" ");
}

function isFrozen({ address, standsFor }: Source, readers: ReadonlyMap<string, Reader>): boolean {
  if (standsFor.length > 0 || !/^https?:/.test(address) || !URL.canParse(address)) return false;
  const watched = kindOf(address, readers);
  return "kind" in watched && watched.frozen !== undefined;
}

function isWatchedForDeath(source: Source, { triggers }: Config): boolean {
  const conditions = [...triggers.values()]
    .flatMap(conditionsOf)
    .filter(({ condition }) => listensTo(condition, source));
  return source.claims.length === 0 && conditions.every(({ condition }) => condition.kind === "link");
}

const maxOffered = 8;

/** The tables that people may choose from, best first; none if all tables are certain. */
export function offeredTables(candidates: Draft["candidates"], chosen?: readonly string[]): OfferedTable[] {
  const offered = candidates.slice(0, maxOffered);
  if (offered.every(({ isSure }) => isSure)) return [];
  return offered.map(({ id, file, path, columns, lines, ratings, levels, isSure, reason }) => ({
    id,
    place: oneLine([file, ...path.slice(-1)].join(": "), 120),
    counts: `${pluralize(ratings, "rating")} (${firstOf(levels, 4)})`,
    lines: [columns.join(" | "), ...lines].slice(0, 2).map((line) => oneLine(line, 100)),
    reason,
    isChosen: chosen ? chosen.includes(id) : isSure,
  }));
}

/** The offered tables that were not drafted, in words; empty if there are none. */
export function tablesLeft(offered: readonly OfferedTable[]): string {
  const left = offered.filter(({ isChosen }) => !isChosen);
  if (left.length === 0) return "";
  const named = left.map(({ id, place, reason }) => `${id} (${place}; ${reason})`);
  return `${pluralize(left.length, "table")} may rate, and ${left.length === 1 ? "was" : "were"} not drafted: ${firstOf(named, 5)}.`;
}
