import type { Instant } from "../../src/model/time.ts";
import type { Dated } from "./archive.ts";
import { escaped } from "./html.ts";
import type { Noise } from "./noise.ts";
import type { SampleEntry } from "./samples.ts";

/** Lists as sites send them: endoflife.date, feeds. */

const iso = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** https://endoflife.date/docs/api/v1/ */
export function endOfLife(product: string, versions: readonly Dated<"version">[]): unknown {
  const releases = versions.toReversed().map(({ version, at }) => ({
    name: version.split(".")[0],
    isLts: false,
    latest: { name: version, date: iso(at).slice(0, 10) },
  }));
  return { schema_version: "1.2.0", result: { name: product, releases } };
}

interface Post {
  readonly title: string;
  readonly url: string;
  readonly at: Instant;
  readonly html: string;
}

export function postsOf(posts: readonly SampleEntry[], host: string): Post[] {
  return posts.toReversed().map(({ name: title, text, on: at }) => {
    const path = title.toLowerCase().replace(/[^a-z\d]+/g, "-");
    return { title, url: `https://${host}/${path}/`, at, html: `<p>${escaped(text ?? "A stand-in for a post.")}</p>` };
  });
}

/** https://www.rssboard.org/rss-specification */
export function rss(title: string, host: string, posts: readonly Post[], { now }: Noise): string {
  const items = posts.map(
    ({ title, url, at, html }) =>
      `<item><title>${escaped(title)}</title><link>${url}</link><guid isPermaLink="true">${url}</guid><pubDate>${new Date(at).toUTCString()}</pubDate><description>${escaped(html)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${escaped(title)}</title><link>https://${host}/</link><description>${escaped(title)}</description><lastBuildDate>${new Date(now).toUTCString()}</lastBuildDate>\n${items.join("\n")}\n</channel></rss>\n`;
}

/** https://www.rfc-editor.org/rfc/rfc4287 */
export function atom(title: string, host: string, posts: readonly Post[], { now }: Noise): string {
  const entries = posts.map(
    ({ title, url, at, html }) =>
      `<entry><id>${url}</id><title>${escaped(title)}</title><link href="${url}"/><updated>${iso(at)}</updated><published>${iso(at)}</published><content type="html">${escaped(html)}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>https://${host}/</id><title>${escaped(title)}</title><updated>${iso(now)}</updated>\n${entries.join("\n")}\n</feed>\n`;
}
