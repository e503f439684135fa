import { Failure } from "../failure.ts";
import type { Item } from "../model.ts";
import { matchesOf, pattern } from "./pattern.ts";
import type { Source } from "./reader.ts";

/** The option `versions: <pattern>`: what matches in the text is announced as a version. */
export const versionsOption = { versions: pattern.optional() };

/** More versions than any page lists; a pattern that finds more does not look for versions. */
const limit = 2_000;

/**
 * The set of matches of `versions` in the text, each once, as items; undefined without that option.
 *
 * @throws Failure `no-match` where nothing matches, `too-many` over 2,000
 */
export function versionsIn(text: string, source: Source): readonly Item[] | undefined {
  const written = source.options.versions;
  if (typeof written !== "string") return undefined;
  const found = new Set<string>();
  for (const match of matchesOf(written, text)) {
    found.add(match.trim().slice(0, 100));
    if (found.size > limit) throw new Failure("too-many", { limit, found: found.size });
  }
  found.delete("");
  if (found.size === 0) throw new Failure("no-match", { selector: written });
  return [...found].map((version) => ({ id: version, version, title: version }));
}
