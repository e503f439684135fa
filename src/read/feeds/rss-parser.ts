import Parser from "rss-parser";
import type { RawFeed } from "./raw.ts";

/** Stands for `<` while rss-parser looks at the texts: a character of the private use area. */
const hidden = "\uE000";

/**
 * A feed by rss-parser; undefined where it rejects it. rss-parser makes a snippet of each content, in time quadratic
 * in its tags where `>` and line ends meet, so it is shown none.
 */
export async function withRssParser(xml: string): Promise<RawFeed | undefined> {
  const parser = new Parser<{ language?: unknown }, Record<string, unknown>>({
    customFields: { item: ["published", "updated"] },
    xml2js: { valueProcessors: [(value: string) => value.replaceAll("<", hidden)] },
  });
  try {
    const feed = await parser.parseString(xml);
    return {
      title: shown(feed.title),
      language: feed.language,
      entries: feed.items.map((item) => ({
        id: shown(item.guid) ?? shown(item.id),
        title: shown(item.title),
        link: item.link,
        dates: [item.published, item.updated, item.pubDate, item.date],
        html: [item["content:encoded"], item.content, item.summary].map(shown),
      })),
    };
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string | undefined {
  return typeof value === "string" ? value.replaceAll(hidden, "<") : undefined;
}
