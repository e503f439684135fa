import { createHash } from "node:crypto";
import type { Instant, Source } from "../../src/model/model.ts";
import type { Archive } from "./archive.ts";
import { htmlPage } from "./html.ts";
import { atom, dockerHub, endOfLife, githubCommits, githubReleases, postsOf, pypi, rss } from "./lists.ts";
import { type Noise, noiseAt, turned } from "./noise.ts";
import { pdfOf } from "./pdf.ts";
import { markdown, textFile } from "./plain.ts";
import { versionSection } from "./versions.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a source's address answers at a time. */
export function answerFor(source: Source, url: URL, archive: Archive, now: Instant): Answer {
  const noise = noiseAt(now, archive.weather(now));
  const wanted = { source, url, archive, now, noise };
  const made = byKind[source.kind]?.(wanted);
  return made ?? missing(source);
}

interface Wanted {
  readonly source: Source;
  readonly url: URL;
  readonly archive: Archive;
  readonly now: Instant;
  readonly noise: Noise;
}

const byKind: Readonly<Record<string, (wanted: Wanted) => Answer | undefined>> = {
  page: ({ source, url, archive, now, noise }) => {
    const sections = [
      ...versionSection(source.id, archive.versions(source.id, now)),
      ...archive.sections(source.id, now),
    ];
    // A page with tokens in it has no validators.
    return made(
      "text/html; charset=utf-8",
      htmlPage(sections, { host: url.host, address: source.address }, noise),
      false,
    );
  },
  text: ({ source, archive, now }) =>
    made(
      "text/plain; charset=utf-8",
      textFile(source, archive.sections(source.id, now), archive.versions(source.id, now)),
    ),
  pdf: ({ source, archive, now }) => {
    const lines = archive.sections(source.id, now).flatMap(({ heading, paragraphs = [] }) => [heading, ...paragraphs]);
    return conditional("application/pdf", pdfOf(lines));
  },
  json: ({ source, archive, now }) => {
    const versions = archive.published("version", now, (one) => one.source === source.id);
    if (source.options.items) return json(endOfLife("macos", versions));
    return json({ latest_stable: versions.at(-1)?.version ?? "", versions: {} });
  },
  feed: ({ source, url, archive, now, noise }) => {
    const posts = postsOf(
      archive.published("post", now, (one) => one.source === source.id),
      url.host,
    );
    const write = /atom/.test(source.address) ? atom : rss;
    return made("application/xml; charset=utf-8", write(source.title ?? source.id, url.host, posts, noise));
  },
  pypi: ({ source, archive, now, noise }) => {
    const packages = archive.published("package", now, ({ name }) => name === source.address);
    return packages.length > 0 ? json(pypi(source.address, packages, noise)) : undefined;
  },
  "container-tags": ({ source, archive, now, noise }) =>
    json(
      dockerHub(
        archive.published("image", now, ({ image }) => image === source.address),
        noise,
      ),
    ),
  "github-releases": ({ source, archive, now, noise }) =>
    isPublic(source.address, archive, now)
      ? json(
          githubReleases(
            archive.published("release", now, ({ repo }) => repo === source.address),
            noise,
          ),
        )
      : undefined,
  "github-commits": ({ source, archive, now }) =>
    json(
      githubCommits(
        archive.published("commit", now, (one) => one.source === source.id),
        source.address,
      ),
    ),
  "github-repo": ({ source, archive, now, noise }) => {
    const { public: seen = "yes", archived, description } = archive.facts(source.id, now);
    if (seen !== "yes") return undefined;
    const about = description ?? source.title ?? "";
    return json({
      full_name: source.address,
      private: false,
      archived: archived === "yes",
      description: about,
      // Moves all the time.
      stargazers_count: noise.views,
      pushed_at: new Date(now).toISOString(),
    });
  },
  "github-issue": ({ source, archive, now, noise }) => json(issue(source, archive, now, noise)),
  "github-pull": ({ source, archive, now, noise }) => json({ ...issue(source, archive, now, noise), merged_at: null }),
};

function issue(source: Source, archive: Archive, now: Instant, { day }: Noise) {
  const { state = "open", labels = "" } = archive.facts(source.id, now);
  return {
    number: Number(source.address.split("#")[1]),
    state,
    title: source.title ?? source.id,
    labels: turned(labels ? labels.split(", ") : [], day).map((name) => ({ name })),
    body: archive.sections(source.id, now).map(markdown).join("\n"),
    // Both move with every comment.
    comments: 40 + (day % 100),
    updated_at: new Date(now).toISOString(),
  };
}

/** A repository that is not public has no releases to show. */
function isPublic(repo: string, archive: Archive, now: Instant): boolean {
  return archive.repositories(repo).every((source) => archive.facts(source, now).public !== "no");
}

function json(value: unknown): Answer {
  return conditional("application/json; charset=utf-8", Buffer.from(JSON.stringify(value)));
}

function made(type: string, text: string, validators = true): Answer {
  const body = Buffer.from(text);
  return validators ? conditional(type, body) : { status: 200, headers: { "content-type": type }, body };
}

function conditional(type: string, body: Buffer): Answer {
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 24)}"`;
  return { status: 200, headers: { "content-type": type, etag }, body };
}

function missing(source: Source): Answer {
  const isApi = source.kind.startsWith("github-");
  const body = Buffer.from(isApi ? JSON.stringify({ message: "Not Found", status: "404" }) : "<h1>Not found</h1>");
  return { status: 404, headers: { "content-type": isApi ? "application/json" : "text/html" }, body };
}
