import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Instant } from "../../model/model.ts";

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

const revision = z.object({
  rev: z.number().int(),
  file: z.string().nullish(),
  date: z.string().refine((date) => !Number.isNaN(Date.parse(date)), "is no date"),
  headers: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  http_status: z.number().int().nullish(),
});

const timeline = z.object({ doc: z.string(), url: z.url(), revisions: z.array(z.unknown()) });

/**
 * Reads a folder of documents: `docs/<doc>/timeline.json` (doc, url, revisions with rev, file, date, headers and
 * maybe http_status) beside its files. What cannot be read is left out, and said.
 *
 * @throws Error where there is no such folder
 */
export function readCorpus(folder: string, say: (line: string) => void): Doc[] {
  const docs = join(folder, "docs");
  return readdirSync(docs, { withFileTypes: true })
    .filter((entry) => !entry.isFile())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => {
      try {
        return readDoc(join(docs, name), (why) => say(`left out: ${name}, ${why}`));
      } catch (error) {
        say(`left out: ${name}: ${because(error)}`);
        return [];
      }
    });
}

function readDoc(folder: string, say: (why: string) => void): Doc[] {
  const { doc, url, revisions } = timeline.parse(JSON.parse(readFileSync(join(folder, "timeline.json"), "utf8")));
  const read = revisions.flatMap((told, index): Revision[] => {
    try {
      return [readRevision(folder, revision.parse(told))];
    } catch (error) {
      say(`revision ${index + 1} of ${revisions.length}: ${because(error)}`);
      return [];
    }
  });
  if (read.length === 0) throw new Error("no revision can be read");
  return [{ doc, url, revisions: read.sort((a, b) => a.date - b.date || a.rev - b.rev) }];
}

/** A revision that is no answer may be without a file. */
function readRevision(folder: string, { rev, file, date, headers, http_status }: z.infer<typeof revision>): Revision {
  const status = http_status ?? 200;
  if (!file && status < 300) throw new Error("no file");
  return {
    rev,
    date: Date.parse(date),
    status,
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([key, value]) => [key.toLowerCase(), String(value)]),
    ),
    body: file ? readFileSync(join(folder, file)) : new Uint8Array(),
  };
}

function because(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error).replace(/\s+/g, " ");
  return error instanceof Error ? error.message : String(error);
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
