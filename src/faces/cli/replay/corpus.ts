import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Instant } from "../../../model.ts";

/** One state of a document, from its date on. */
export interface Revision {
  readonly rev: number;
  readonly date: Instant;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A document with its history, oldest first. */
export interface Doc {
  readonly doc: string;
  readonly url: string;
  readonly revisions: readonly Revision[];
}

const timeline = z.object({
  doc: z.string(),
  url: z.string(),
  revisions: z.array(
    z.object({
      rev: z.number().int(),
      file: z.string(),
      date: z.string(),
      headers: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
      http_status: z.number().int().optional(),
    }),
  ),
});

/**
 * Reads a folder of documents: `docs/<doc>/timeline.json` (doc, url, revisions with rev, file, date, headers and
 * maybe http_status) beside its files.
 */
export function readCorpus(folder: string): Doc[] {
  const docs = join(folder, "docs");
  return readdirSync(docs)
    .sort()
    .map((name) => readDoc(join(docs, name)));
}

function readDoc(folder: string): Doc {
  const { doc, url, revisions } = timeline.parse(JSON.parse(readFileSync(join(folder, "timeline.json"), "utf8")));
  const read = revisions.map(({ rev, file, date, headers, http_status }) => ({
    rev,
    date: Date.parse(date),
    status: http_status ?? 200,
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), String(value)])),
    body: readFileSync(join(folder, file)),
  }));
  return { doc, url, revisions: read.sort((a, b) => a.date - b.date || a.rev - b.rev) };
}

/** What a delivery network adds to every page of a host, with new tokens at each request. */
export interface Snippet {
  readonly host: string;
  readonly html: string;
  readonly before: string;
}

const noise = z.object({
  items: z.array(
    z.object({ host: z.string().optional(), file: z.string().optional(), insert_before: z.string().optional() }),
  ),
});

/** Reads `noise/noise.yaml` of the folder or of the one above, if there is one. */
export function readSnippets(folder: string): Snippet[] {
  const home = [join(folder, "noise"), join(folder, "..", "noise")].find((path) =>
    existsSync(join(path, "noise.yaml")),
  );
  if (home === undefined) return [];
  const { items } = noise.parse(parse(readFileSync(join(home, "noise.yaml"), "utf8")));
  return items.flatMap(({ host, file, insert_before }) =>
    host && file && insert_before
      ? [{ host, html: readFileSync(join(home, file), "utf8"), before: insert_before }]
      : [],
  );
}
