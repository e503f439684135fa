import { createHash } from "node:crypto";
import type { Source } from "../../src/model/source.ts";
import type { Instant } from "../../src/model/time.ts";
import type { Archive } from "./archive.ts";
import { htmlPage } from "./html.ts";
import { atom, endOfLife, postsOf, rss } from "./lists.ts";
import { type Noise, noiseAt, turned } from "./noise.ts";
import { pdfOf } from "./pdf.ts";
import { markdown, textFile } from "./plain.ts";
import { services } from "./samples.ts";
import { versionSection } from "./versions.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The answer of a source's address at a time. */
export function answerFor(source: Source, url: URL, archive: Archive, now: Instant): Answer {
  const noise = noiseAt(now, archive.weather(now));
  const wanted = { source, url, archive, now, noise };
  return documents[source.kind]?.(wanted) ?? listed(wanted);
}

interface Wanted {
  readonly source: Source;
  readonly url: URL;
  readonly archive: Archive;
  readonly now: Instant;
  readonly noise: Noise;
}

/** Documents that sites write each in a way of their own, and the demo with them. */
const documents: Readonly<Record<string, (wanted: Wanted) => Answer>> = {
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
    const posts = postsOf(archive.entries(source.id, now), url.host);
    const write = /atom/.test(source.address) ? atom : rss;
    return made("application/xml; charset=utf-8", write(source.title ?? source.id, url.host, posts, noise));
  },
};

/** The answer of a service, with counts that move at every request. */
function listed({ source, archive, now, noise }: Wanted): Answer {
  if (archive.isHidden(source, now)) return missing();
  const { labels = "", ...facts } = archive.facts(source.id, now);
  const state = {
    entries: archive.entries(source.id, now),
    // They have no order.
    facts: { ...facts, labels: turned(labels.split(", "), noise.day).join(", ") },
    text: archive.sections(source.id, now).map(markdown).join("\n"),
  };
  const value = services[source.kind]?.(state, source);
  return value === undefined ? missing() : json(withViews(value, noise));
}

/** Counts of views, stars, downloads, in every object that an answer is or lists. */
function withViews(value: unknown, { views }: Noise): unknown {
  const one = (it: unknown) => (typeof it === "object" && it !== null ? { ...it, views } : it);
  return Array.isArray(value) ? value.map(one) : one(value);
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

function missing(): Answer {
  const body = Buffer.from(JSON.stringify({ message: "Not Found", status: "404" }));
  return { status: 404, headers: { "content-type": "application/json" }, body };
}
