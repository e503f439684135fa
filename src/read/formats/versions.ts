import { Failure } from "../../model/failure.ts";
import type { Item, Source } from "../../model/model.ts";
import { matchesOf, pattern } from "../../model/options.ts";

/** Whether a version is a pre-release by its spelling. Spec: https://semver.org/#spec-item-9 */
export function isSemverPre(version: string): boolean {
  return version.split("+", 1)[0]?.includes("-") === true;
}

/** The option `versions: <pattern>`: what matches in the text is announced as a version. */
export const versionsOption = {
  versions: pattern
    .optional()
    .describe("What this pattern (RE2) finds is announced as a version: its first group, where it has one."),
};

/** More versions than any page lists; a pattern that finds more does not look for versions. */
const limit = 2_000;

/**
 * The set of matches of `versions` in the text, each once, as items; undefined without that option. Where a match is
 * only the beginning of a pre-release or a post-release, as `2.9.0` in `2.9.0.dev20250423`, the whole of that is meant. A
 * heading that calls itself a draft announces nothing. No match is an empty list: the version may be still to come.
 *
 * @throws Failure `too-many` over 2,000
 */
export function versionsIn(text: string, source: Source): readonly Item[] | undefined {
  const written = source.options.versions;
  if (typeof written !== "string") return undefined;
  const found = new Set<string>();
  for (const match of matchesOf(written, text)) {
    if (isDraft(text, match.end)) continue;
    const rest = ending.exec(text.slice(match.end, match.end + 60))?.[0] ?? "";
    found.add(`${match.text}${rest}`.trim().slice(0, 100));
    if (found.size > limit) throw new Failure("too-many", { limit, found: found.size });
  }
  found.delete("");
  return [...found].map((version) => ({ id: version, version, title: version }));
}

/** Endings directly behind a number that make it a version still to come, a build of a commit, or a post-release. */
const ending =
  /^(?:\.\d{1,9}){0,4}(?:[._-]?dev\w{0,40}|\+git\w{0,40}|\.post\d{1,4}(?!\w)|(?:[._-]?(?:pre|[abc](?=\d))|[._-](?:m|cr)(?=\d)|[._-](?:milestone|eap|snapshot|canary)|[._ -]?(?:nightly|alpha|beta|rc|(?:developer |technology )?preview|pre-release|release candidate))[.-]?\d{0,12}(?![a-z]))/i;

/** A longer line is prose, and may speak of drafts. */
const headingLength = 160;
const draft = /\b(?:draft|mock-?up|template|placeholder|unreleased|upcoming|coming soon|work in progress|wip|tbd)\b/i;

/** Whether the line in which a match ends is a short one that calls itself a draft. */
function isDraft(text: string, end: number): boolean {
  const near = text.slice(Math.max(0, end - headingLength), end + headingLength);
  const at = Math.min(end, headingLength);
  const start = near.lastIndexOf("\n", at - 1) + 1;
  const stop = near.indexOf("\n", at);
  const line = near.slice(start, stop < 0 ? undefined : stop);
  return line.length <= headingLength && draft.test(line);
}
