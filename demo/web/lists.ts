import type { Instant } from "../../src/model/model.ts";
import { aDay } from "../../src/model/time.ts";
import type { Dated } from "./archive.ts";
import { escaped } from "./html.ts";
import type { Noise } from "./noise.ts";

/** Lists as their services send them: GitHub, PyPI, Docker Hub, endoflife.date, feeds. */

const iso = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** https://docs.github.com/rest/releases/releases#list-releases */
export function githubReleases(releases: readonly Dated<"release">[], { views }: Noise): unknown {
  return releases.toReversed().map(({ repo, tag, title, body, pre, at }, index) => ({
    id: 9_000_000 + index,
    tag_name: tag,
    name: title ?? tag,
    draft: false,
    prerelease: pre === true,
    created_at: iso(at),
    published_at: iso(at),
    html_url: `https://github.com/${repo}/releases/tag/${tag}`,
    body: body ?? "",
    // Moves with every download.
    assets: [{ name: `${tag}.tar.gz`, download_count: views }],
  }));
}

/** https://docs.github.com/rest/commits/commits#list-commits */
export function githubCommits(commits: readonly Dated<"commit">[], repo: string): unknown {
  return commits.toReversed().map(({ title, at }, index) => {
    const sha = `${index}${at.toString(16)}`.padEnd(40, "c0ffee");
    const by = { name: "A committer", date: iso(at) };
    return {
      sha,
      html_url: `https://github.com/${repo}/commit/${sha}`,
      commit: { message: title, author: by, committer: by },
    };
  });
}

/** https://docs.pypi.org/api/json/ */
export function pypi(name: string, packages: readonly Dated<"package">[], { views }: Noise): unknown {
  const file = ({ version, at }: Dated<"package">) => ({
    filename: `${name}-${version}-py3-none-any.whl`,
    upload_time_iso_8601: iso(at),
    yanked: false,
    downloads: -1,
  });
  return {
    info: {
      name,
      version: packages.at(-1)?.version ?? "",
      author: "",
      project_urls: { Homepage: `https://example.org/${name}` },
      description: `# ${name}\n\nA stand-in, written for Recheck's demo.`,
      description_content_type: "text/markdown",
    },
    last_serial: views,
    releases: Object.fromEntries(packages.map((one) => [one.version, [file(one)]])),
  };
}

/** https://docs.docker.com/reference/api/hub/latest/ */
export function dockerHub(images: readonly Dated<"image">[], { day }: Noise): unknown {
  const results = images.toReversed().map(({ tag, at }) => ({
    name: tag,
    full_size: 12_000_000_000,
    tag_last_pushed: iso(at),
    last_updated: iso(at),
    // Moves with every pull.
    tag_last_pulled: iso(day * aDay),
  }));
  return { count: results.length, next: null, previous: null, results };
}

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

export function postsOf(posts: readonly Dated<"post">[], host: string): Post[] {
  return posts.toReversed().map(({ title, text, at }) => {
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
