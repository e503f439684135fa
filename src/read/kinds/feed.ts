import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { blocksOf } from "../html/html.ts";
import { httpAddress, type Known, type Recognised, readerOf } from "../reader.ts";
import { isUnread, pathParts } from "../shared/address.ts";
import { entriesOf, type ParsedEntry } from "../shared/entries.ts";
import { fileOnGitHub, onGitHub, tagOf } from "../shared/github.ts";

/** RSS, Atom, RDF or JSON Feed: its entries as items. */
export const feed = readerOf({
  kind: "feed",
  spec: "https://www.rfc-editor.org/rfc/rfc4287",
  noun: "feed",
  cadence: "6h",
  example: "https://pytorch.org/feed/",
  address: httpAddress,
  recognises: (url) => (isFeed(url) ? { address: url.href } : declaredBy(url)),
  version: 12,
  request: (source) => ({
    url: source.address,
    accept: "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5",
  }),
  read,
});

/** Feeds with the names that common site generators use. */
const byPath: readonly RegExp[] = [
  /\.(?:rss|atom|rdf)(?:\.xml)?$/i,
  /\/(?:feed|rss2?|atom|rdf)(?:\.xml)?$/i,
  /\/(?:feed\.json|index\.xml|feed_(?:rss|json)_(?:created|updated)\.(?:xml|json))$/i,
  // Everything in a folder of feeds, named after a person, a blog or a label.
  /\/(?:feeds?|rss|atom)\/[^/]+\.xml$/i,
  /^\/feed\/[^/]+(?:\/tagged\/[^/]+)?$/i,
  /^\/feeds\/(?:\d+\/)?(?:posts|comments)\/(?:default|full|summary)(?:\/-\/[^/]+)?$/i,
];

/** Whether an address is a feed's, by its form alone. Files in repositories are not published feeds. */
function isFeed(url: URL): boolean {
  if (isUnread(url) || fileOnGitHub(url)) return false;
  const path = url.pathname.replace(/\/$/, "");
  if (byPath.some((form) => form.test(path))) return true;
  if (/^(?:rss|atom|feeds?)\./i.test(url.hostname) && path !== "") return true;
  return ["feed", "format", "alt"].some((key) => /^(?:feed|rss2?|atom|rdf)$/i.test(url.searchParams.get(key) ?? ""));
}

async function read(response: Response, _: Source, { at }: Known = {}): Promise<Reading> {
  const { entries, ...about } = await entriesOf(response, at);
  return { ...about, items: entries.map(itemOf) };
}

/** An entry of GitHub's own feed of releases belongs to a tag. */
function itemOf({ html, ...entry }: ParsedEntry): Item {
  const blocks = blocksOf(html ?? "");
  const version = tagOf(entry.url);
  return { ...entry, ...(version && { version }), ...(blocks.length > 0 && { blocks }) };
}

/**
 * The feed of a list, if the list's address determines it: a wiki or the discussions of a repository, a channel or playlist of
 * YouTube. Spec: https://developers.google.com/youtube/v3/guides/push_notifications
 */
function declaredBy(url: URL): Recognised | undefined {
  const { repo, section = "", rest = [] } = onGitHub(url) ?? {};
  if (repo !== undefined && rest.length === 0 && (section === "wiki" || section === "discussions"))
    return { address: `https://github.com/${repo}/${section}.atom` };
  const { host, parts } = pathParts(url);
  if (host !== "youtube.com") return undefined;
  const [kind, id = ""] =
    parts[0] === "playlist" ? ["playlist_id", url.searchParams.get("list") ?? ""] : ["channel_id", parts[1]];
  const isOne = parts[0] === "playlist" || (parts[0] === "channel" && /^(?:videos|featured)?$/.test(parts[2] ?? ""));
  return isOne && /^[\w-]{10,64}$/.test(id)
    ? { address: `https://www.youtube.com/feeds/videos.xml?${kind}=${id}` }
    : undefined;
}
