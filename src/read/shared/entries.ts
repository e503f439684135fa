import type { parseFeed } from "feedsmith";
import { instantOf } from "../../language/dates.ts";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { blocksOf } from "../html/html.ts";
import { decode, escapeHtml, isHtml, limitItems } from "./body.ts";
import { withEntities } from "./xml.ts";

export interface ParsedEntry {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly at?: Instant;
  /** Its content, or else its summary. */
  readonly html?: string;
}

export interface Entries {
  readonly title?: string;
  readonly language?: string;
  readonly entries: readonly ParsedEntry[];
}

/** Entries that are kept: the newest. */
const maxEntries = 2_000;

/**
 * The entries of a feed: plain RSS by rss-parser; Atom, RDF, JSON Feed, RSS with other vocabularies, and RSS that
 * rss-parser rejects, by feedsmith. Spec: https://www.rssboard.org/rss-specification,
 * https://www.rfc-editor.org/rfc/rfc4287, https://www.jsonfeed.org/version/1.1/
 *
 * @throws Failure `wrong-type` for HTML or text, `truncated`, `malformed`, `too-many` over 20,000, `empty`, `charset`
 */
export async function entriesOf(response: Response, now?: Instant): Promise<Entries> {
  const text = decode(response);
  if (isHtml(text)) throw new Failure("wrong-type", { expected: "a feed", found: "HTML" });
  const feed = /^\s*\{/.test(text) ? await withFeedsmith(text) : await fromXml(text);
  return {
    title: titleText(feed.title) || undefined,
    language: string(feed.language),
    entries: newestEntries(distinctEntries(limitItems(feed.entries), response.url, now)),
  };
}

async function fromXml(written: string): Promise<RawFeed> {
  if (!/^\s*</.test(written)) throw new Failure("wrong-type", { expected: "a feed", found: "text" });
  const xml = withEntities(written);
  if (!/<\/(?:[\w-]{1,40}:)?(?:rss|feed|rdf)\s*>/i.test(xml.slice(-2_000))) {
    if (/<(?:[\w-]{1,40}:)?(?:rss|feed|rdf)[\s>]/i.test(xml.slice(0, 20_000))) throw new Failure("truncated");
    throw new Failure("malformed", { expected: "RSS or Atom" });
  }
  return (isPlainRss(xml) ? await withRssParser(xml) : undefined) ?? (await withFeedsmith(xml));
}

/** Elements of other vocabularies, but for the usual one of content. */
const foreign = /<(?!(?:content:encoded|\?xml)[\s>])[\w-]{1,40}:/;

/** Content whose markup is not escaped: rss-parser sorts its elements by name. */
const markup = /<(?:description|content:encoded|title)(?:\s[^<>]*)?>[^<]*<(?!!\[CDATA\[|\/)/;

/** A declaration (`<!ELEMENT …>`), for which rss-parser takes quadratic time. */
const declaration = /<!(?!--|\[CDATA\[)/;

function isPlainRss(xml: string): boolean {
  return /<rss[\s>]/i.test(xml.slice(0, 20_000)) && ![foreign, markup, declaration].some((form) => form.test(xml));
}

/** Whether a response is XML by its first byte: an address or a content type may have changed on the way. */
export function isXml({ body }: Response): boolean {
  return body.find((byte) => byte > 32 && byte < 128) === "<".charCodeAt(0);
}

/** Each entry once. In a broken feed, entries with one id get their addresses or titles added to it. */
function distinctEntries(raw: readonly RawEntry[], base: string, now: Instant | undefined): ParsedEntry[] {
  const read = raw.map((entry) => entryOf(entry, base, now)).filter(({ id }) => id.trim() !== "");
  const names = new Map<string, Naming>();
  for (const [id, alike] of Map.groupBy(read, ({ id }) => id)) names.set(id, namingOf(id, alike, read.length));
  const entries = new Map<string, ParsedEntry>();
  for (const entry of read) {
    const id = names.get(entry.id)?.(entry) ?? entry.id;
    if (!entries.has(id)) entries.set(id, { ...entry, id });
  }
  return [...entries.values()];
}

type Naming = (entry: ParsedEntry) => string;

/** `alike`: the entries with one id; `all`: the number of all. One that is there twice with one address counts once. */
function namingOf(id: string, alike: readonly ParsedEntry[], all: number): Naming {
  const addresses = new Set(alike.map(({ url }) => url));
  const apart = new Set(alike.map(({ url, title }) => `${url} ${title}`)).size;
  const isTwice = apart === 2 && addresses.size === 1 && !addresses.has(id) && all > 2;
  if (apart === 1 || isTwice) return () => id;
  if (addresses.size === apart) return ({ url }) => `${id} ${url}`;
  return ({ url, title }) => `${id} ${url ?? ""} ${title}`;
}

/** Characters of a description that are used as a title. */
const maxTitle = 200;

function entryOf(raw: RawEntry, base: string, now: Instant | undefined): ParsedEntry {
  const within = (outer: string, written: unknown) => absoluteLink(string(written), outer) ?? outer;
  const own = absoluteLink(string(raw.link), (raw.bases ?? []).reduce(within, base));
  const url = own ?? absoluteLink(string(raw.permalink));
  const html = raw.html.map(string).find((text) => text !== undefined);
  const written = raw.dates.map(string).map((date) => date && (machineDate.exec(date)?.[1] ?? date));
  // RSS and JSON Feed allow entries that only have a text.
  const title = titleText(raw.title) || (own ? "" : titleText(html).slice(0, maxTitle));
  const at = written.map((date) => instantOf(date, now)).find((date) => date !== undefined);
  return {
    id: (string(raw.id) ?? url ?? title).slice(0, 1_000),
    title: title || (url ?? ""),
    ...(url && { url }),
    at,
    ...(html && { html: markupOnly(html) }),
  };
}

/** A date in HTML: https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-time-element */
const machineDate = /<time\s[^<>]*?\bdatetime="([^"<>]{1,60})"/i;

const elements = (
  "a abbr article aside audio b big blockquote body br caption center cite code dd del details dfn div dl " +
  "dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li main " +
  "mark nav ol p picture pre q s samp script section small span strike strong style sub summary sup table " +
  "tbody td tfoot th thead time tr tt u ul var video wbr"
).split(" ");
const element = new RegExp(`</?(?:${elements.join("|")})(?:\\s[^<>]*)?/?>`, "i");

/** Escapes a text without HTML elements, even if it has other words in angle brackets: `Vec<int>`. */
function markupOnly(html: string): string {
  return element.test(html) ? html : html.replaceAll("<", "&lt;");
}

function newestEntries(entries: readonly ParsedEntry[]): readonly ParsedEntry[] {
  if (entries.length <= maxEntries) return entries;
  return entries.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, maxEntries);
}

function string(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.trim() || undefined;
}

const inlineMarkup = /<\/?(?:a|b|i|em|strong|code|span|sub|sup|br|p|wbr|u|s)(?:\s[^<>]*)?\/?>|&#?\w{1,30};/i;

/** A title as text: some are HTML, and `List<T>` is not. */
function titleText(value: unknown): string {
  const text = string(value) ?? "";
  const parts = inlineMarkup.test(text) ? blocksOf(text).map((block) => block.text) : [text];
  return parts.join(" ").replace(/\s+/g, " ").trim().slice(0, 1_000);
}

function absoluteLink(link: string | undefined, base?: string): string | undefined {
  const url = link === undefined ? null : URL.parse(link, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** A feed by feedsmith, loaded once a feed is read: the parts of every format. @throws Failure `malformed` */
async function withFeedsmith(text: string): Promise<RawFeed> {
  const { parseFeed } = await import("feedsmith");
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
          link: (entry.links?.find(isAlternate) ?? entry.links?.[0])?.href,
          bases: [feed.xml?.base, entry.xml?.base],
          dates: [entry.published, entry.updated],
          html: [entry.content?.value, entry.summary?.value, ofMedia(entry.media)],
        })),
      };
    case "rdf":
      return {
        title: feed.title,
        entries: (feed.items ?? []).map((item) => ({
          id: item.rdf?.about,
          title: item.title,
          link: item.link,
          dates: [...(item.dc?.dates ?? []), ...termDates.flatMap((name) => item.dcterms?.[name] ?? [])],
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
          link: item.link ?? item.atom?.links?.find(isAlternate)?.href,
          permalink: item.guid?.isPermaLink === false ? undefined : item.guid?.value,
          dates: [
            ...[item.pubDate, ...(item.dc?.dates ?? []), item.atom?.published, item.atom?.updated],
            ...termDates.flatMap((name) => item.dcterms?.[name] ?? []),
          ],
          html: [item.content?.encoded, item.description, ofMedia(item.media)],
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
          html: [item.content_html, ...[item.content_text, item.summary].map((text) => text && escapeHtml(text))],
        })),
      };
  }
}

/** Dublin Core's dates, the best first: https://www.dublincore.org/specifications/dublin-core/dcmi-terms/ */
const termDates = ["issued", "available", "created", "modified"] as const;

/** The description of a video or a picture: https://www.rssboard.org/media-rss#media-description */
interface Media {
  readonly description?: { readonly value?: string; readonly type?: string };
  readonly groups?: readonly Media[];
}

function ofMedia(media: Media | undefined): string | undefined {
  const { value, type } = media?.description ?? media?.groups?.[0]?.description ?? {};
  return type === "html" ? value : value && escapeHtml(value);
}

/** Replaces `<` while rss-parser handles the texts: a private use character. */
const hidden = "\uE000";

/** A plain feed by rss-parser; undefined if rejected. Tags are hidden: its snippets of them take quadratic time. */
async function withRssParser(xml: string): Promise<RawFeed | undefined> {
  const { default: Parser } = await import("rss-parser");
  const parser = new Parser<{ language?: unknown }>({
    defaultRSS: 2,
    xml2js: { ignoreAttrs: true, valueProcessors: [(value: string) => value.replaceAll("<", hidden)] },
  });
  const restore = (text: string | undefined) => text?.replaceAll(hidden, "<");
  try {
    const { title, language, items } = await parser.parseString(xml);
    return {
      title: restore(title),
      language,
      entries: items.map(({ guid, title, link, pubDate, content, ...more }) => ({
        id: restore(guid),
        title: restore(title),
        link,
        permalink: restore(guid),
        dates: [restore(pubDate)],
        html: [(more as { "content:encoded"?: string })["content:encoded"], content].map(restore),
      })),
    };
  } catch {
    return undefined;
  }
}

/** Whether an Atom link is to the entry itself: https://www.rfc-editor.org/rfc/rfc4287#section-4.2.7.2 */
function isAlternate({ rel }: { readonly rel?: string | undefined }): boolean {
  return rel === undefined || rel === "alternate";
}

/** The parts of an entry from a library: any of them may be missing or nonsense. */
interface RawEntry {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly link?: unknown;
  /** Replaces a link if an id may be an address: https://www.rssboard.org/rss-specification#ltguidgtSubelementOfLtitemgt */
  readonly permalink?: unknown;
  /** The bases of `link`, the outermost first. */
  readonly bases?: readonly unknown[];
  readonly dates: readonly unknown[];
  readonly html: readonly unknown[];
}

interface RawFeed {
  readonly title?: unknown;
  readonly language?: unknown;
  readonly entries: readonly RawEntry[];
}
