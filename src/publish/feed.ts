import { generateAtomFeed } from "feedsmith";
import { digest } from "../model/digest.ts";
import { cutLine } from "../model/markdown.ts";
import { version } from "../model/own-version.ts";
import { slugOf } from "../model/published.ts";
import { day, isoTime } from "../model/time.ts";
import { ratingTitle } from "../model/words.ts";
import { escapeHtml } from "../read/shared/body.ts";
import { weeksOfNews } from "./digests.ts";
import { type Edition, memoize, type Sheets } from "./edition.ts";
import { blindEntries, type FeedEntry, recheckEntries } from "./feed-rechecks.ts";
import { safeAddress } from "./plain.ts";

/** https://www.rfc-editor.org/rfc/rfc4287 */

/** Entries of one feed, at most: the newest. */
const maxEntries = 50;

/** The report's feed, one of its digests, and one for each rating. */
export function feeds(edition: Edition): Sheets {
  const all = memoize(() =>
    [...recheckEntries(edition), ...blindEntries(edition)].sort(
      (a, b) => b.updated - a.updated || (a.key < b.key ? -1 : 1),
    ),
  );
  const { title, url } = edition.config.report;
  const whole = { key: "feed", file: "feed.xml", title: `${title}: evidence`, about: safeAddress(url) };
  const digests = { key: "digests", file: "digests.xml", title: `${title}: week by week`, about: "digests.html" };
  return new Map([
    ["feed.xml", () => feed(whole, all(), edition)],
    ["digests.xml", () => feed(digests, digestEntries(edition), edition)],
    ...[...edition.config.ratings.keys()].map((id): [string, () => string] => {
      const slug = slugOf(id);
      const its = () => all().filter(({ ratings }) => ratings.has(id));
      const name = `${ratingTitle(id, edition.config)}: evidence, ${title}`;
      const one = { key: `rating/${slug}`, file: `${slug}.xml`, title: name, about: `${slug}.html` };
      return [`ratings/${slug}.xml`, () => feed(one, its(), edition)];
    }),
  ]);
}

const maxItems = 12;

/** One entry for each week that is over: its text no longer changes. */
function digestEntries(edition: Edition): FeedEntry[] {
  const over = weeksOfNews(edition, { isAnonymous: true, most: maxItems }).filter(({ isRunning }) => !isRunning);
  return over.map(({ name, until, digest: { title, sections } }): FeedEntry => {
    const list = sections.flatMap(({ heading, items, more }) => [
      ...items.map(({ says }) => `${heading}: ${says}`),
      ...(more > 0 ? [`${heading}: and ${more} more`] : []),
    ]);
    const ended = until + 1;
    const entry = { key: `digest/${name}`, kind: "digest" as const, link: `digests.html#${name}` };
    return { ...entry, title, published: ended, updated: ended, says: `Week ${name}.`, list, ratings: new Set() };
  });
}

interface Head {
  readonly key: string;
  /** The feed's name within its folder. */
  readonly file: string;
  readonly title: string;
  readonly about: string | undefined;
}

function feed({ key, file, title, about }: Head, entries: readonly FeedEntry[], edition: Edition): string {
  const newest = entries.slice(0, maxEntries);
  const { audited } = edition.config.report;
  return generateAtomFeed({
    id: tag(key, edition),
    title: { value: words(title, 300), type: "text" },
    subtitle: { value: asOf(edition), type: "text" },
    // Changes only when an entry changes, not with time.
    updated: isoTime(newest.reduce((latest, { updated }) => Math.max(latest, updated), audited)),
    authors: [{ name: "Recheck" }],
    generator: { text: "Recheck", version },
    links: [{ href: file, rel: "self", type: "application/atom+xml" }, ...(about ? [{ href: about }] : [])],
    entries: newest.map((entry) => ({
      id: tag(entry.key, edition),
      title: { value: words(entry.title, 200), type: "text" },
      published: isoTime(entry.published),
      updated: isoTime(entry.updated),
      categories: [{ term: entry.kind.replace(" ", "-"), label: entry.kind }],
      links: entry.link ? [{ href: entry.link, rel: "alternate" }] : [],
      content: { value: html(entry), type: "html" },
    })),
  });
}

/** A file cannot show its age, so the text gives the date. */
function asOf({ status: { lastCheck }, staleAfter }: Edition): string {
  if (lastCheck === undefined) return "No source was checked yet.";
  return `As of ${day(lastCheck)}, the last check. If you read this after ${day(staleAfter)}, monitoring has stopped.`;
}

/** Our own markup has only paragraphs and lists. */
function html({ says, list }: FeedEntry): string {
  const items = list.map((one) => `<li>${escapeHtml(words(one, 300))}</li>`).join("");
  return `<p>${escapeHtml(words(says, 1_000))}</p>${items === "" ? "" : `<ul>${items}</ul>`}`;
}

/** A title must not be empty. */
function words(text: string, most: number): string {
  return cutLine(text, most) || "without a name";
}

/**
 * A distinct id for each of several reports on one host, and for one report in several places.
 * https://www.rfc-editor.org/rfc/rfc4151
 */
function tag(key: string, { config, repository }: Edition): string {
  const { url, title } = config.report;
  const authority = [url, repository].map((one) => URL.parse(one ?? "")?.hostname).find(isName) ?? "recheck.invalid";
  const specific = key.replace(/[^A-Za-z0-9\-._~/:]/g, (character) => encodeURIComponent(character));
  return `tag:${authority},2026:recheck/${digest(url ?? repository ?? title)}/${specific}`;
}

function isName(host: string | undefined): boolean {
  return host !== undefined && /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.[a-z][a-z0-9-]*$/.test(host);
}
