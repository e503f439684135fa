import type { Claim } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import type { ClaimCounts, ReportFindings, UnreadPages } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { counted } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import { kindOf } from "../report/cite/watched.ts";

/** Escapes a word of the report for the place where it is shown. */
type Shown = (level: string) => string;

/** Counts what a draft was made from: `64 references, 52 distinct addresses; 20 ratings (Low, High); 5 triggers`. */
export function foundIn(found: ReportFindings, shown: Shown): string {
  const files = found.chapters ? ` in ${counted(1 + found.chapters, "file")}` : "";
  const cited = `${counted(found.references, found.numbered ? "reference" : "link")}${files}, ${counted(found.sources, "distinct address", "distinct addresses")}`;
  const levels = found.ratings > 0 ? ` (${found.levels.map(shown).join(", ")})` : "";
  const stated = found.triggers > 0 && found.stated > 0 ? `, ${found.stated} of them the report's own` : "";
  return `${cited}; ${counted(found.ratings, "rating")}${levels}; ${counted(found.triggers, "trigger")}${stated}`;
}

/**
 * Tells what only a person can correct, in the config as it is now and in what the draft left out. What people have
 * corrected since is left out.
 */
export function goOver(
  { unplaced, leftRatings = [], left, others, cut }: ReportFindings,
  config: Config,
  readers: ReadonlyMap<string, Reader>,
  unread: UnreadPages | undefined,
  shown: Shown,
): string[] {
  const sources = [...config.sources.values()];
  const frozen = sources.filter((source) => isFrozen(source, readers)).length;
  const unwatchable = config.unwatchable.length;
  const guessed = unplaced.filter((level) => config.levels.includes(level));
  return [
    ...(config.ratings.size > 0 && sources.every(({ claims }) => claims.length === 0)
      ? [
          "Nothing in a text links its ratings to its sources: the triggers are starters. A claim with its passage (`claims`) asks far more exactly.",
        ]
      : []),
    ...(frozen > 0
      ? [
          `${counted(frozen, "address", "addresses")} ${frozen === 1 ? "looks" : "look"} frozen (posts, versions, dates): such a page can only be retracted. What moves in its place has to be named.`,
        ]
      : []),
    ...(guessed.length > 0 ? [`The place among the levels is a guess for ${guessed.map(shown).join(", ")}.`] : []),
    ...leftRatings.map(
      ({ ratings, levels }) =>
        `The draft left out ${counted(ratings, "rating")} by another scale (${levels.slice(0, maxShownLevels).map(shown).join(", ")}): one \`sources.yaml\` holds one scale.`,
    ),
    ...(unwatchable > 0 ? [`${counted(unwatchable, "reference")} cannot be watched; \`unwatchable\` says why.`] : []),
    ...(others > 0
      ? [`The draft left out ${counted(others, "address", "addresses")} that the text links to beside its references.`]
      : []),
    ...(left > 0 ? [`The draft had no room for ${counted(left, "reference")}.`] : []),
    ...(unread ? [`${unreadSays(unread)} If the report is there, write its addresses into \`sources.yaml\`.`] : []),
    ...(cut ? ["The file is longer than what was read of it."] : []),
  ];
}

/** Counts the claims of a report, and those that its sources prove. */
export function claimsFound(counts: ClaimCounts): string {
  const { considered, stated, proved, atAudit = 0, unproved = 0, left = 0, cut = false } = counts;
  const taken = `${counted(considered, "sentence")} ${considered === 1 ? "cites" : "cite"} a source, with ${counted(stated, "figure, version, passage or fact", "figures, versions, passages and facts")} in ${considered === 1 ? "it" : "them"}; the sources, as they are now, prove ${proved - atAudit}${atAudit > 0 ? `, and as they were at the audit ${atAudit} more` : ""}`;
  const more = left > 0 ? `; ${counted(left, "more sentence")} found no room` : "";
  const beyond = unproved > 0 ? `; ${counted(unproved, "source")} took too much to be looked through` : "";
  return `${taken}${beyond}${more}${cut ? "; the report is longer than what was read of it" : ""}`;
}

/** The claims on which most ratings rest. */
export function strongestClaims(claims: readonly Claim[]): readonly Claim[] {
  return claims.toSorted((a, b) => b.ratings.length - a.ratings.length).slice(0, maxShownClaims);
}

const maxShownClaims = 10;
const maxShownLevels = 5;

/** Says what was not searched for a report. */
function unreadSays({ pages, unlisted }: UnreadPages): string {
  const first = "the README, names that say *report*, the root and `docs/` come first";
  const some =
    pages > 0
      ? [`${counted(pages, "more page")} in Markdown or HTML ${pages === 1 ? "was" : "were"} not looked at: ${first}.`]
      : [];
  const all = unlisted
    ? [
        "GitHub does not list all files of so large a repository: only those at its root and in `docs/` were looked through.",
      ]
    : [];
  return [...some, ...all].join(" ");
}

/** Whether a cited page looks as if it never changes. */
function isFrozen({ address, standsFor }: Source, readers: ReadonlyMap<string, Reader>): boolean {
  if (standsFor.length > 0 || !/^https?:/.test(address) || !URL.canParse(address)) return false;
  const watched = kindOf(address, readers);
  return "kind" in watched && watched.frozen !== undefined;
}
