import MarkdownIt from "markdown-it";
import { z } from "zod";
import { knownName } from "../../config/names.ts";
import { quoted } from "../../config/problems.ts";
import { oneOrMore, text } from "../../config/words.ts";
import { reservedTriggers } from "../../model/firing.ts";
import type { Config, Instant, Source } from "../../model/model.ts";
import { keyed } from "../../model/options.ts";
import type { Response } from "../../model/ports/fetch.ts";
import { escapeHtml } from "../../read/formats/body.ts";

const wantsMoment = "wants a day such as 2026-07-08, or a time of it such as 2026-07-08 14:30 (UTC)";

/** `2026-07-08`, `2026-07-08 14:30`: UTC. */
const moment = z
  .string({ error: wantsMoment })
  .regex(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?$/, { error: wantsMoment, abort: true })
  .refine((written) => isMoment(written), { error: "wants a day that the calendar has" })
  .transform((written): Instant => instantOf(written));

function instantOf(written: string): Instant {
  const [day = "", time = "00:00"] = written.split(" ");
  return Date.parse(`${day}T${time}:00Z`);
}

function isMoment(written: string): boolean {
  const at = instantOf(written);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written.replace(" ", "T"));
}

const entry = z.union([
  text.transform((name) => ({ name })),
  keyed({
    name: text,
    title: text.optional(),
    on: moment.optional(),
    pre: z.boolean().optional(),
    draft: z.boolean().optional(),
    text: text.optional(),
  }),
]);

const always = {
  /** In the kind's own format. */
  body: text.optional(),
  status: z.number().int().min(200).max(599).optional(),
  edits: z.record(z.string().min(1), z.string()).optional(),
};

const adds = {
  adds: z.array(entry).optional(),
  removes: z.array(text).optional(),
};

/** What happened to a source, in the words of its kind. */
export interface Revision {
  readonly adds?: readonly z.output<typeof entry>[];
  readonly removes?: readonly string[];
  readonly facts?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly body?: string;
  /** `{ old words: new words }` within the text or body told before. */
  readonly edits?: Readonly<Record<string, string>>;
  readonly status?: number;
}

function revisionOf({ kind }: Source): z.ZodType<Revision> {
  const { tells = [], facts = [] } = shortForms[kind] ?? {};
  return keyed({
    ...always,
    ...(tells.includes("text") && { text: text.optional() }),
    ...(tells.includes("adds") && adds),
    ...(facts.length > 0 && { facts: factsOf(facts).optional() }),
  }) as z.ZodType<Revision>;
}

function dayOf(revisions: Readonly<Record<string, z.ZodType<Revision | undefined>>>) {
  return keyed({ ...revisions, on: moment }).transform(({ on, ...rest }) => ({
    on: on as Instant,
    revisions: rest as Readonly<Record<string, Revision>>,
  }));
}

function factsOf(names: readonly string[]) {
  return keyed(Object.fromEntries(names.map((name) => [name, z.string().optional()])));
}

/** What is expected to fire, once. */
export interface Expected {
  readonly on: Instant;
  readonly event: string;
  readonly weight: "routine" | "contrary";
  readonly trigger?: string;
  readonly "seen-in"?: readonly string[];
}

/** One scenario: how sources stood, what happened on which days, and what must come of it. */
export interface Scenario {
  readonly name: string;
  readonly before: Readonly<Record<string, Revision>>;
  readonly days: readonly { readonly on: Instant; readonly revisions: Readonly<Record<string, Revision>> }[];
  readonly expect: readonly Expected[];
}

export interface ScenarioFile {
  readonly trigger: readonly string[];
  readonly before: Readonly<Record<string, Revision>>;
  readonly scenarios: readonly Scenario[];
}

/** The schema of `scenarios/*.yaml`, for the sources and triggers that config has. */
export function scenarioSchema(config: Config): z.ZodType<ScenarioFile> {
  const triggers = new Set([...config.triggers.keys(), ...reservedTriggers]);
  const trigger = z.string({ error: "wants the name of a trigger" }).check(({ value, issues }) => {
    if (triggers.has(value)) return;
    const message = `no trigger named ${quoted(value)} in triggers/`;
    issues.push({ code: "custom", message, input: value, params: { word: value, among: triggers } });
  });
  const revisions = Object.fromEntries([...config.sources].map(([id, source]) => [id, revisionOf(source).optional()]));
  const expected = keyed({
    on: moment,
    event: text,
    weight: z.enum(["routine", "contrary"]),
    trigger: trigger.optional(),
    "seen-in": z
      .array(knownName("source", new Set(config.sources.keys())))
      .min(1)
      .optional(),
  });
  const scenario = keyed({
    name: text,
    before: keyed(revisions).default({}),
    days: z.array(dayOf(revisions)).min(1),
    expect: z.array(expected),
  });
  return keyed({
    trigger: oneOrMore(trigger),
    before: keyed(revisions).default({}),
    scenarios: z.array(scenario).min(1).max(200),
  }) as unknown as z.ZodType<ScenarioFile>;
}

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
const shortForms: Readonly<Record<string, ShortForm>> = {
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
