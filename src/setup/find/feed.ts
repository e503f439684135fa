/** Feeds as the usual generators of sites call them. */
const byPath: readonly RegExp[] = [
  /\.(?:rss|atom|rdf)(?:\.xml)?$/i,
  /\/(?:feed|rss2?|atom|rdf)(?:\.xml)?$/i,
  /\/(?:feed\.json|index\.xml|feed_(?:rss|json)_(?:created|updated)\.(?:xml|json))$/i,
  // All that stands in a folder of feeds, and what some name behind it: a person, a blog, a label.
  /\/(?:feeds?|rss|atom)\/[^/]+\.xml$/i,
  /^\/feed\/[^/]+(?:\/tagged\/[^/]+)?$/i,
  /^\/feeds\/(?:\d+\/)?(?:posts|comments)\/(?:default|full|summary)(?:\/-\/[^/]+)?$/i,
];

/** Whether an address is that of a feed, by its form alone. */
export function isFeed({ hostname, pathname, searchParams }: URL): boolean {
  const path = pathname.replace(/\/$/, "");
  if (byPath.some((form) => form.test(path))) return true;
  if (/^(?:rss|atom|feeds?)\./i.test(hostname) && path !== "") return true;
  return ["feed", "format", "alt"].some((key) => /^(?:feed|rss2?|atom|rdf)$/i.test(searchParams.get(key) ?? ""));
}
