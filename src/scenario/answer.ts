import MarkdownIt from "markdown-it";
import type { Instant, Source } from "../model.ts";
import { escapeHtml } from "../read/escape.ts";
import type { Response } from "../read/reader.ts";

/** One entry of a list, in short. */
export interface Entry {
  /** A tag, a version, a title: by what the kind calls its entries. */
  readonly name: string;
  readonly title?: string;
  readonly on: Instant;
  readonly pre: boolean;
  readonly draft: boolean;
  /** Markdown. */
  readonly text?: string;
}

/** A source as a scenario has told of it so far. */
export interface Told {
  readonly entries: readonly Entry[];
  readonly facts: Readonly<Record<string, string>>;
  readonly text?: string;
  /** In the kind's own format, instead of the short form. */
  readonly body?: string;
  readonly status: number;
}

/** What of a kind may be told in short, and how that is spelt as the source itself would. */
export interface ShortForm {
  readonly tells: readonly ("adds" | "text")[];
  readonly facts: readonly string[];
  body(told: Told, source: Source): string;
}

const markdown = new MarkdownIt({ html: true });
const html = (text = "") => markdown.render(text);
const iso = (at: Instant) => new Date(at).toISOString();
const newestFirst = (entries: readonly Entry[]) => entries.toReversed().toSorted((a, b) => b.on - a.on);

/** A stand-in for the hash of a commit: the same name, the same hash. */
function hashOf(name: string): string {
  return Buffer.from(name, "utf8").toString("hex").padEnd(40, "0").slice(-40);
}

/** Spec: those that the readers name. */
export const shortForms: Readonly<Record<string, ShortForm>> = {
  page: { tells: ["text"], facts: [], body: ({ text }, source) => page(source, html(text)) },
  text: { tells: ["text"], facts: [], body: ({ text = "" }) => text },
  feed: { tells: ["adds"], facts: [], body: ({ entries }, source) => atom(source, newestFirst(entries)) },
  "github-releases": {
    tells: ["adds"],
    facts: [],
    body: ({ entries }) =>
      JSON.stringify(
        newestFirst(entries).map(({ name, title, on, pre, draft, text }) => ({
          ...{ tag_name: name, name: title ?? name, published_at: iso(on), prerelease: pre, draft, body: text ?? "" },
        })),
      ),
  },
  "github-commits": {
    tells: ["adds"],
    facts: [],
    body: ({ entries }) =>
      JSON.stringify(
        newestFirst(entries).map(({ name, on, text }) => ({
          sha: hashOf(name),
          commit: { message: text ? `${name}\n\n${text}` : name, committer: { date: iso(on) } },
        })),
      ),
  },
  pypi: {
    tells: ["adds"],
    facts: [],
    body: ({ entries }, source) =>
      JSON.stringify({
        info: { name: source.address },
        releases: Object.fromEntries(entries.map(({ name, on }) => [name, [{ upload_time_iso_8601: iso(on) }]])),
      }),
  },
  "container-tags": {
    tells: ["adds"],
    facts: [],
    body: ({ entries }) =>
      JSON.stringify({ results: newestFirst(entries).map(({ name, on }) => ({ name, tag_last_pushed: iso(on) })) }),
  },
  "github-repo": {
    tells: [],
    facts: ["public", "archived", "name", "description"],
    body: ({ facts }, source) =>
      JSON.stringify({
        private: facts.public === "no",
        archived: facts.archived === "yes",
        full_name: facts.name ?? source.address,
        description: facts.description ?? null,
      }),
  },
  "github-issue": { tells: ["text"], facts: ["state", "title", "labels"], body: (told, source) => issue(told, source) },
  "github-pull": {
    tells: [],
    facts: ["state", "title", "merged", "labels"],
    body: (told, source) => issue(told, source),
  },
};

function page({ title, id }: Source, content: string): string {
  const head = `<head><title>${escapeHtml(title ?? id)}</title></head>`;
  return `<!doctype html><html lang="en">${head}<body><main>${content}</main></body></html>`;
}

function atom({ title, id }: Source, entries: readonly Entry[]): string {
  const each = entries.map(({ name, title, on, text }) => {
    const content = text ? `<content type="html">${escapeHtml(html(text))}</content>` : "";
    return `<entry><id>${escapeHtml(name)}</id><title>${escapeHtml(title ?? name)}</title><updated>${iso(on)}</updated>${content}</entry>`;
  });
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>${escapeHtml(title ?? id)}</title>${each.join("")}</feed>`;
}

function issue({ facts, text }: Told, { title, id }: Source): string {
  return JSON.stringify({
    state: facts.state ?? (facts.merged === "yes" ? "closed" : "open"),
    title: facts.title ?? title ?? id,
    labels: (facts.labels ?? "").split(",").flatMap((label) => label.trim() || []),
    merged_at: facts.merged === "yes" ? "2000-01-01T00:00:00Z" : null,
    body: text ?? "",
  });
}

const types: Readonly<Record<string, string>> = {
  page: "text/html; charset=utf-8",
  feed: "application/atom+xml",
  text: "text/plain; charset=utf-8",
};

/** The answer of a source as it is told of. */
export function answerOf(told: Told, source: Source, url: string): Response {
  const hidden = source.kind === "github-repo" && told.facts.public === "no" && told.body === undefined;
  const status = hidden && told.status === 200 ? 404 : told.status;
  const body = told.body ?? shortForms[source.kind]?.body(told, source) ?? "";
  const headers = { "content-type": types[source.kind] ?? "application/json" };
  return { url, status, headers, body: hidden ? new Uint8Array() : new TextEncoder().encode(body) };
}
