import MarkdownIt from "markdown-it";
import { type SampleEntry, type SampleState, services } from "../../demo/web/samples.ts";
import type { Config } from "../../src/model/config.ts";
import type { Source } from "../../src/model/source.ts";
import { aDay, aMinute, type Instant } from "../../src/model/time.ts";
import { readers } from "../../src/read/index.ts";
import { access, type Frame, type Tape } from "../../src/watch/replay/tape.ts";

/** A change of a source. `edits` replaces words in the text before; `body` is in the format of the kind. */
interface Revision {
  readonly adds?: readonly (string | (Pick<SampleEntry, "name" | "text"> & { readonly on?: string }))[];
  readonly text?: string;
  readonly body?: string;
  readonly edits?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** Sources at the audit, and on each day the sources that change: `{ on: "2026-06-01 10:00", blog: { adds: [News] } }`. */
export interface Story {
  readonly before?: Readonly<Record<string, Revision>>;
  readonly days: readonly ({ readonly on: string } & Readonly<Record<string, Revision | string | undefined>>)[];
}

interface State extends SampleState {
  readonly body?: string;
  readonly status: number;
}

const markdown = new MarkdownIt({ html: true });

/** Kinds that need no service: documents as people write them. */
const documents: Readonly<Record<string, { readonly type: string; write(state: SampleState): string }>> = {
  text: { type: "text/plain; charset=utf-8", write: ({ text = "" }) => text },
  page: {
    type: "text/html; charset=utf-8",
    write: ({ text = "" }) => `<!doctype html><main>${markdown.render(text)}</main>`,
  },
  feed: {
    type: "application/json",
    write: ({ entries }) =>
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "News",
        items: entries
          .toReversed()
          .toSorted((a, b) => b.on - a.on)
          .map(({ name, on, text = "" }) => ({
            id: name,
            title: name,
            date_modified: new Date(on).toISOString(),
            content_html: markdown.render(text),
          })),
      }),
  },
};

/** The answers of every source that a story tells of. */
export function tapesOf({ before = {}, days }: Story, { sources, report }: Config): Tape[] {
  return [...sources.values()].flatMap((source): Tape[] => {
    const later = days.flatMap(({ on, [source.id]: revision }) =>
      typeof revision === "object" ? [{ at: instantOf(on), revision }] : [],
    );
    const first = before[source.id];
    const steps = [...(first ? [{ at: report.audited, revision: first }] : []), ...later];
    if (steps.length === 0) return [];
    let state: State = { entries: [], facts: {}, status: 200 };
    const frames = steps.map(({ at, revision }): Frame => {
      state = revised(state, revision, at, revision === first);
      return { at: at + aMinute, response: answerOf(state, source) };
    });
    return [{ source, frames }];
  });
}

/** Entries from before the audit are each dated a day older than the next. */
function revised(state: State, revision: Revision, at: Instant, isFirst: boolean): State {
  const { adds = [], edits = {}, status = 200, text = state.text, body = state.body } = revision;
  const added = adds.map((entry, i): SampleEntry => {
    const { name, text, on } = typeof entry === "string" ? { name: entry } : entry;
    const date = on === undefined ? at - (isFirst ? (adds.length - i) * aDay : 0) : instantOf(on);
    return { name, on: date, pre: false, draft: false, ...(text && { text }) };
  });
  const stay = state.entries.filter(({ name }) => !added.some((entry) => entry.name === name));
  const edited = Object.entries(edits).reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`${from} is not in the text before`);
    return now.replaceAll(from, () => to);
  }, text ?? "");
  return { ...state, entries: [...stay, ...added], text: edited, ...(body !== undefined && { body }), status };
}

function answerOf(state: State, source: Source) {
  const { type, write } = documents[source.kind] ?? {
    type: "application/json",
    write: () => JSON.stringify(services[source.kind]?.(state, source)),
  };
  const url = readers.get(source.kind)?.request(source, access).url ?? source.address;
  const body = state.body ?? write(state);
  return { url, status: state.status, headers: { "content-type": type }, body: new TextEncoder().encode(body) };
}

/** `2026-07-08`, `2026-07-08 14:30`: UTC. */
function instantOf(written: string): Instant {
  const [day, time = "00:00"] = written.split(" ");
  return Date.parse(`${day}T${time}:00Z`);
}
