import { createHash, randomBytes } from "node:crypto";
import { Failure } from "../../../failure.ts";
import type { Clock, Fetch, Fetched } from "../../../ports.ts";
import type { Doc, Revision, Snippet } from "./corpus.ts";

/** A web that serves each document at its address as it stood at the clock's time; before its first revision, 404. */
export function corpusWeb(docs: readonly Doc[], clock: Clock, snippets: readonly Snippet[]): Fetch {
  const served = new Map(docs.map((doc) => [addressOf(doc.url), doc]));
  return {
    async get(request, { validators, answers }): Promise<Fetched> {
      const revision = revisionAt(served.get(addressOf(request.url)), clock.now());
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
export function revisionAt(doc: Doc | undefined, at: number): Revision | undefined {
  return doc?.revisions.findLast(({ date }) => date <= at);
}

/** GitHub's API is answered by path and what matters of the query, everything else by exact address. */
export function addressOf(url: string): string {
  const { host, pathname, searchParams, href, hash } = new URL(url);
  if (host !== "api.github.com") return href.slice(0, href.length - hash.length);
  const path = searchParams.get("path")?.replace(/^\/|\/$/g, "");
  return `https://${host}${pathname.toLowerCase()}${path ? `?path=${path}` : ""}`;
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
