import { counted } from "../describe.ts";
import type { Config, Source } from "../model.ts";
import type { Unread } from "../ports.ts";
import { words } from "../recheck/inert.ts";
import type { Found } from "./draft.ts";
import { kindOf } from "./find/kind.ts";

/**
 * What only a person can put right: of the branch as it is now, and of what the draft left out. What people mended on the
 * branch is no longer told.
 */
export function goOver({ unplaced, left, others, cut }: Found, config: Config, unread?: Unread): string[] {
  const sources = [...config.sources.values()];
  const frozen = sources.filter(isFrozen).length;
  const unwatchable = config.unwatchable.length;
  const guessed = unplaced.filter((level) => config.levels.includes(level));
  const lines = [
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
    ...(guessed.length > 0
      ? [`The place among the levels is a guess for ${guessed.map((level) => words(level, 30)).join(", ")}.`]
      : []),
    ...(unwatchable > 0 ? [`${counted(unwatchable, "reference")} cannot be watched; \`unwatchable\` says why.`] : []),
    ...(others > 0
      ? [`The draft left out ${counted(others, "address", "addresses")} that the text links to beside its references.`]
      : []),
    ...(left > 0 ? [`The draft had no room for ${counted(left, "reference")}.`] : []),
    ...(unread ? [`${unreadSays(unread)} If the report is there, write its addresses into this branch.`] : []),
    ...(cut ? ["The file is longer than what was read of it."] : []),
  ];
  return lines.length > 0 ? [["To go over:", "", ...lines.map((line) => `- ${line}`)].join("\n")] : [];
}

/** What of the repository was not looked at for a report: people are to know. */
function unreadSays({ pages, unlisted }: Unread): string {
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
function isFrozen({ address, standsFor }: Source): boolean {
  if (standsFor.length > 0 || !/^https?:/.test(address) || !URL.canParse(address)) return false;
  const watched = kindOf(address);
  return "kind" in watched && watched.frozen !== undefined;
}
