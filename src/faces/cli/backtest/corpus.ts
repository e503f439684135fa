import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { isoInstant } from "../../../language/dates.ts";
import type { Source } from "../../../model/source.ts";
import type { Instant } from "../../../model/time.ts";
import type { Access } from "../../../read/reader.ts";
import type { World } from "../../../watch/check.ts";

export interface DocumentRevision {
  readonly rev: number;
  readonly date: Instant;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface CorpusDocument {
  readonly doc: string;
  readonly url: string;
  readonly revisions: readonly DocumentRevision[];
}

const revision = z.object({
  rev: z.number().int(),
  file: z.string().nullish(),
  date: z.string().refine((date) => !Number.isNaN(isoInstant(date)), "is not a date"),
  headers: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  http_status: z.number().int().nullish(),
});

const timeline = z.object({ doc: z.string(), url: z.url(), revisions: z.array(z.unknown()) });

/**
 * Reads a folder of documents: `docs/<doc>/timeline.json` (doc, url, revisions with rev, file, date, headers and maybe
 * http_status) and the files that it names. Unreadable documents are left out, and reported.
 * @throws Error if there is no such folder
 */
export function readCorpus(folder: string, say: (line: string) => void): CorpusDocument[] {
  const docs = join(folder, "docs");
  return readdirSync(docs, { withFileTypes: true })
    .filter((entry) => !entry.isFile())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => {
      try {
        return readDoc(join(docs, name), (why) => say(`left out: ${name}, ${why}`));
      } catch (error) {
        say(`left out: ${name}: ${reasonOf(error)}`);
        return [];
      }
    });
}

function readDoc(folder: string, say: (why: string) => void): CorpusDocument[] {
  const { doc, url, revisions } = timeline.parse(JSON.parse(readFileSync(join(folder, "timeline.json"), "utf8")));
  const readable = revisions.flatMap((stored, index): DocumentRevision[] => {
    try {
      return [readRevision(folder, revision.parse(stored))];
    } catch (error) {
      say(`revision ${index + 1} of ${revisions.length}: ${reasonOf(error)}`);
      return [];
    }
  });
  if (readable.length === 0) throw new Error("no revision can be read");
  return [{ doc, url, revisions: readable.sort((a, b) => a.date - b.date || a.rev - b.rev) }];
}

/** A revision without an answer may have no file. */
function readRevision(
  folder: string,
  { rev, file, date, headers, http_status }: z.infer<typeof revision>,
): DocumentRevision {
  const status = http_status ?? 200;
  if (!file && status < 300) throw new Error("no file");
  return {
    rev,
    date: isoInstant(date),
    status,
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([key, value]) => [key.toLowerCase(), String(value)]),
    ),
    body: file ? readFileSync(join(folder, file)) : new Uint8Array(),
  };
}

export function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error).replace(/\s+/g, " ");
  return error instanceof Error ? error.message : String(error);
}

/** A document that a source watches. GitHub's releases and commits have a second address, for requests with a token. */
export interface WatchedDocument {
  readonly doc: CorpusDocument;
  readonly source: Source;
  readonly access: Access;
}

/** The sources of a config that watch these documents, with a token if the document needs one. */
export function watchedIn(
  docs: readonly CorpusDocument[],
  { config, readers }: Pick<World, "config" | "readers">,
): WatchedDocument[] {
  const byAddress = new Map(docs.map((doc) => [corpusAddress(doc.url), doc]));
  return [...config.sources.values()].flatMap((source): WatchedDocument[] => {
    for (const access of [{ githubToken: true }, { githubToken: false }]) {
      const asked = readers.get(source.kind)?.request(source, access).url;
      const doc = asked === undefined ? undefined : byAddress.get(corpusAddress(asked));
      if (doc) return [{ doc, source, access }];
    }
    return [];
  });
}

/** GitHub's API is matched by path and the relevant parts of the query, everything else by exact address. */
export function corpusAddress(url: string): string {
  const { host, pathname, searchParams, href, hash } = new URL(url);
  if (host !== "api.github.com") return href.slice(0, href.length - hash.length);
  const path = searchParams.get("path")?.replace(/^\/|\/$/g, "");
  return `https://${host}${pathname.toLowerCase()}${path ? `?path=${path}` : ""}`;
}
