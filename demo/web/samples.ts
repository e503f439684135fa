import type { Source } from "../../src/model/source.ts";
import { type Instant, isoTime } from "../../src/model/time.ts";

/** A source in short: the content of its service's answer. */
export interface SampleState {
  /** Oldest first, in the order in which they were given. */
  readonly entries: readonly SampleEntry[];
  readonly facts: Readonly<Record<string, string>>;
  /** Markdown. */
  readonly text?: string;
}

/** One entry of a list, in short. */
export interface SampleEntry {
  /** A tag, a version or a title, whichever names the kind's entries. */
  readonly name: string;
  readonly title?: string;
  readonly on: Instant;
  readonly pre: boolean;
  readonly draft: boolean;
  /** Markdown. */
  readonly text?: string;
}

/** Writes the JSON of a service; undefined if the service has no such thing. */
type Writer = (state: SampleState, source: Source) => unknown;

/** The services that the demo plays, each in the words of its own interface. */
export const services: Readonly<Record<string, Writer>> = {
  "github-releases": ({ entries }, { address }) =>
    newestFirst(entries).map(({ name, title, on, pre, draft, text }) => ({
      tag_name: name,
      html_url: `https://github.com/${address}/releases/tag/${name}`,
      name: title ?? name,
      published_at: isoTime(on),
      prerelease: pre,
      draft,
      body: text ?? "",
    })),
  "github-commits": ({ entries }, { address }) =>
    newestFirst(entries).map(({ name, on, text }) => ({
      sha: hashOf(name),
      html_url: `https://github.com/${address}/commit/${hashOf(name)}`,
      commit: { message: text ? `${name}\n\n${text}` : name, committer: { date: isoTime(on) } },
    })),
  "github-issue": issue,
  "github-pull": issue,
  "github-repo": ({ facts }, { address }) =>
    facts.public === "no"
      ? undefined
      : {
          full_name: facts.name ?? address,
          private: false,
          archived: facts.archived === "yes",
          description: facts.description ?? null,
        },
  pypi: ({ entries, facts, text }, { address }) => ({
    info: {
      name: address,
      home_page: facts.home,
      author: facts.author,
      ...(text && { description: text, description_content_type: "text/markdown" }),
    },
    releases: Object.fromEntries(entries.map(({ name, on }) => [name, [{ upload_time_iso_8601: isoTime(on) }]])),
  }),
  "container-tags": ({ entries }) => ({
    results: newestFirst(entries).map(({ name, on }) => ({ name, tag_last_pushed: isoTime(on) })),
  }),
};

function issue({ facts, text }: SampleState, { title, id }: Source) {
  return {
    state: facts.state ?? (facts.merged === "yes" ? "closed" : "open"),
    title: facts.title ?? title ?? id,
    labels: (facts.labels ?? "").split(",").flatMap((one) => one.trim() || []),
    merged_at: facts.merged === "yes" ? "2000-01-01T00:00:00Z" : null,
    body: text ?? "",
  };
}

/** Entries in the order of lists; those of the same time in reverse order. */
function newestFirst(entries: readonly SampleEntry[]): SampleEntry[] {
  return entries.toReversed().toSorted((a, b) => b.on - a.on);
}

/** A made-up commit hash, the same for the same name. */
function hashOf(name: string): string {
  return Buffer.from(name, "utf8").toString("hex").padEnd(40, "0").slice(-40);
}
