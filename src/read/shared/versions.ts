import { anyOf, says } from "../../language/lexicon.ts";
import { Failure } from "../../model/failure.ts";
import { matchesOf, pattern } from "../../model/options.ts";
import type { Item } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";

/** Whether a version is a pre-release by its spelling. Spec: https://semver.org/#spec-item-9 */
export function isSemverPre(version: string): boolean {
  return version.split("+", 1)[0]?.includes("-") === true;
}

/** The option `versions: <pattern>`: matches in the text are announced as versions. */
export const versionsOption = {
  versions: pattern
    .optional()
    .describe("What this pattern (RE2) finds is announced as a version: its first group, if it has one."),
};

/** More versions than any page lists. A pattern that matches more does not match versions. */
const limit = 2_000;

/**
 * The distinct matches of `versions` in the text, as items; undefined without that option. If a match is the beginning
 * of a pre- or post-release, as `2.9.0` in `2.9.0.dev20250423`, the whole version counts. Headings of drafts, or with
 * words for a future version in or below them, do not count. Without a match the list is empty, as the version may come
 * later.
 *
 * @throws Failure `too-many` over 2,000
 */
export function versionsIn(text: string, source: Source): readonly Item[] | undefined {
  const written = source.options.versions;
  if (typeof written !== "string") return undefined;
  const versions = new Set<string>();
  for (const match of matchesOf(written, text)) {
    const rest = ending.exec(text.slice(match.end, match.end + 60))?.[0] ?? "";
    if (isToCome(text, match.end, rest.length)) continue;
    versions.add(`${match.text}${rest}`.trim().slice(0, 100));
    if (versions.size > limit) throw new Failure("too-many", { limit, found: versions.size });
  }
  versions.delete("");
  return [...versions].map((version) => ({ id: version, version, title: version }));
}

/** Endings right after a number: of a future version, a build of a commit, or a post-release. */
const stage = [
  "[._-]?(?:pre|[abc](?=\\d))",
  "[._-](?:m|cr)(?=\\d)",
  "[._-](?:milestone|eap|snapshot|canary)",
  "[._ -]?(?:nightly|alpha|beta|rc|(?:developer |technology )?preview|pre-release|release candidate)",
].join("|");
const ending = new RegExp(
  `^(?:\\.\\d{1,9}){0,4}(?:[._-]?dev\\w{0,40}|\\+git\\w{0,40}|\\.post\\d{1,4}(?!\\w)|(?:${stage})[.-]?\\d{0,12}(?![a-z]))`,
  "i",
);

/** A longer line is prose, which may mention drafts. */
const headingLength = 160;
const isDraft = says("status.draft");

/** Letters in place of a date's figures: `YYYY-MM-DD`, `2026-02-??`. */
const blankDate = [
  "xxx{1,2}",
  "(?:[yx?]{4}|\\d{4})[-./](?:[mx?]{2}|\\d{1,2})[-./][dx?]{1,2}",
  "[dmx?]{2}[-./ ][dmx?]{2}[-./, ]{1,2}[yx?]{4}",
].join("|");
/**
 * Words, or letters in place of a date's figures, that mark a future version if they are the rest of its line, or the
 * next line: `(in development)`, `Released: not yet`, `[YYYY-MM-DD]`, `2026-02-??`.
 */
const toCome = new RegExp(
  `^[^\\p{L}\\d?]{0,20}(?:(?:released?(?: on| date)?|date|status)[^\\p{L}\\d?]{1,8})?(?:${anyOf("releases.unreleased")}|${blankDate})(?:\\][([]\\S{0,100})?[^\\p{L}\\d]{0,20}$`,
  "iu",
);
/**
 * The next line is another heading, a list entry or a quotation. On a page it is a heading without its signs: below "Stable:
 * 6.2" is "Development version", followed by its own text.
 */
const another = new RegExp(`^ {0,3}(?:#|[-*+>|] |${anyOf("releases.unreleased-heading")}\\b)`, "i");

/** Whether a match is in a short line on a draft, or before words for a future version. `rest`: its ending's length. */
function isToCome(text: string, end: number, rest: number): boolean {
  const near = text.slice(Math.max(0, end - headingLength), end + 2 * headingLength);
  const at = Math.min(end, headingLength);
  const start = near.lastIndexOf("\n", at - 1) + 1;
  const [behind = "", ...below] = near.slice(at + rest).split("\n");
  const line = near.slice(start, at + rest) + behind;
  if (line.length > headingLength) return false;
  const next = below.find((one) => /[\p{L}\d?]/u.test(one)) ?? "";
  return isDraft(line) || toCome.test(behind) || (!another.test(next) && toCome.test(next));
}
