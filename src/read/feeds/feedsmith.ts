import { parseFeed } from "feedsmith";
import { Failure } from "../../failure.ts";
import { escapeHtml } from "../escape.ts";
import type { RawFeed } from "./raw.ts";

/** A feed by feedsmith: the parts that every format has. @throws Failure `malformed` */
export function withFeedsmith(text: string): RawFeed {
  try {
    return raw(parseFeed(text));
  } catch (error) {
    throw new Failure("malformed", { expected: "RSS, Atom or JSON Feed" }, error);
  }
}

function raw({ format, feed }: ReturnType<typeof parseFeed>): RawFeed {
  switch (format) {
    case "atom":
      return {
        title: feed.title?.value,
        language: feed.xml?.lang,
        entries: (feed.entries ?? []).map((entry) => ({
          id: entry.id,
          title: entry.title?.value,
          link: (entry.links?.find(({ rel }) => rel === undefined || rel === "alternate") ?? entry.links?.[0])?.href,
          dates: [entry.published, entry.updated],
          html: [entry.content?.value, entry.summary?.value],
        })),
      };
    case "rdf":
      return {
        title: feed.title,
        entries: (feed.items ?? []).map((item) => ({
          id: item.rdf?.about,
          title: item.title,
          link: item.link,
          dates: item.dc?.dates ?? [],
          html: [item.content?.encoded, item.description],
        })),
      };
    case "rss":
      return {
        title: feed.title,
        language: feed.language,
        entries: (feed.items ?? []).map((item) => ({
          id: item.guid?.value,
          title: item.title,
          link: item.link,
          dates: [item.pubDate, ...(item.dc?.dates ?? [])],
          html: [item.content?.encoded, item.description],
        })),
      };
    case "json":
      return {
        title: feed.title,
        language: feed.language,
        entries: (feed.items ?? []).map((item) => ({
          id: item.id,
          title: item.title,
          link: item.url ?? item.external_url,
          dates: [item.date_published, item.date_modified],
          html: [item.content_html, item.content_text === undefined ? undefined : escapeHtml(item.content_text)],
        })),
      };
  }
}
