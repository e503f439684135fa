import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { commitsOf, commitsRequest } from "../shared/commits.ts";

/**
 * A living standard of the WHATWG: the commits that changed its requirements, as items. It has no versions and always
 * the same status. Commits whose titles say that they are editorial or about maintenance are left out.
 */
export const whatwg = readerOf({
  kind: "whatwg",
  spec: "https://whatwg.org/working-mode#committing",
  noun: "standard",
  cadence: "1d",
  example: "fetch",
  address: z.string().regex(/^[a-z][a-z\d-]{1,40}$/, "needs the name of a standard in its address, e.g. fetch"),
  recognises,
  gives: () => ({ items: true, commits: true }),
  version: 2,
  request: ({ address }, access) => commitsRequest({ repo: `whatwg/${address}` }, access),
  read,
  page: ({ address }) => `https://${address}.spec.whatwg.org/`,
  titleOf: ({ address }) => `${address} standard of the WHATWG`,
});

/** The front page of a standard; for a review draft or the snapshot of a commit, the standard is watched instead. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const address = /^([a-z\d-]+)\.spec\.whatwg\.org$/.exec(host)?.[1];
  if (address === undefined) return undefined;
  const [section, dated, ...more] = parts;
  if (section === "commit-snapshots" || section === "review-drafts")
    return dated === undefined || more.length > 0 ? undefined : { address, instead: true };
  return section === undefined || (section === "multipage" && dated === undefined) ? { address } : undefined;
}

/** If all recent commits are left out, the others are on a later page. Then there are no items. */
async function read(response: Response): Promise<Reading> {
  const { items = [] } = await commitsOf(response);
  const substantive = items.filter(({ title }) => !/^(?:editorial|meta|review draft publication)\b/i.test(title));
  return substantive.length === 0 && items.length > 0 ? {} : { items: substantive };
}
