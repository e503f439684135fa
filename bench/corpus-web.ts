import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { type CorpusDocument, corpusAddress, type DocumentRevision } from "../src/faces/cli/backtest/corpus.ts";
import { Failure } from "../src/model/failure.ts";
import type { Clock, Fetch, Fetched } from "../src/model/ports/index.ts";

/** A web that serves each document as it was at the clock's time; before its first revision, 404. */
export function corpusWeb(docs: readonly CorpusDocument[], clock: Clock, snippets: readonly Snippet[]): Fetch {
  const served = new Map(docs.map((doc) => [corpusAddress(doc.url), doc]));
  return {
    async get(request, { validators, answers }): Promise<Fetched> {
      const revision = revisionAt(served.get(corpusAddress(request.url)), clock.now());
      const status = revision?.status ?? 404;
      if (status >= 400 && !answers?.includes(status)) {
        throw new Failure(status === 404 || status === 410 ? "not-found" : "status", { status });
      }
      const snippet = snippets.find(({ host }) => host === new URL(request.url).host);
      const body = revision ? decorated(revision.body, snippet, clock) : new Uint8Array();
      const etag = revision?.headers.etag;
      if (!snippet && etag !== undefined && validators?.etag === etag) return { kind: "not-modified" };
      const headers = { ...revision?.headers };
      const hash = createHash("sha256").update(body).digest("hex");
      const response = { url: request.url, status, headers, body };
      return { kind: "response", response, validators: { etag, lastModified: headers["last-modified"] }, hash };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}

/** The revision that a document's address serves at a time. */
export function revisionAt(doc: CorpusDocument | undefined, at: number): DocumentRevision | undefined {
  return doc?.revisions.findLast(({ date }) => date <= at);
}

/** The page as the host serves it: with its snippet, and tokens that are new at every request. */
function decorated(body: Uint8Array, snippet: Snippet | undefined, clock: Clock): Uint8Array {
  if (!snippet) return body;
  const html = Buffer.from(body).toString("utf8");
  const at = html.lastIndexOf(snippet.before);
  if (at < 0) return body;
  const time = Buffer.from(String(Math.floor(clock.now() / 1000))).toString("base64");
  const script = snippet.html.replaceAll("{{RAY}}", randomBytes(8).toString("hex")).replaceAll("{{T}}", time);
  return Buffer.from(html.slice(0, at) + script + html.slice(at));
}

/** Script that a delivery network adds to every page of a host, with new tokens at each request. */
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
