import { breathe, gather } from "../explain/known.ts";
import { type SourceStory, sourceStory } from "../explain/source.ts";
import { type TriggerStory, triggerStory } from "../explain/trigger.ts";
import type { Config, Instant } from "../model.ts";
import type { LookRecord, Store, StoredAnswer, StoredFiring, StoredRecheck, Watch } from "../ports.ts";
import type { Reader } from "../read/reader.ts";
import type { Link } from "../recheck/question.ts";
import { stoppedAfter } from "../schedule.ts";
import { type Status, status } from "../status.ts";
import { type Figures, figures, historyOf } from "../verdict/figures.ts";

/** All that is published of a report at one moment: what every file for readers is made of. */
export interface Edition {
  readonly at: Instant;
  readonly config: Config;
  readonly status: Status;
  readonly watches: ReadonlyMap<string, Watch>;
  /** By source, newest first; unchanged looks are only counted. */
  readonly looks: ReadonlyMap<string, readonly LookRecord[]>;
  /** In the order of config. */
  readonly sources: readonly SourceStory[];
  readonly triggers: readonly TriggerStory[];
  readonly rechecks: readonly StoredRecheck[];
  readonly firings: readonly StoredFiring[];
  readonly answers: readonly StoredAnswer[];
  /** How useful each trigger's questions were, by its id. */
  readonly figures: ReadonlyMap<string, Figures>;
  readonly link: Link;
  /** The repository's address for people: `https://github.com/owner/name`. */
  readonly repository?: string;
  /** From then on the monitor must be taken for stopped. */
  readonly staleAfter: Instant;
}

export interface Publishing {
  readonly config: Config;
  readonly store: Store;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly at: Instant;
  readonly link: Link;
  readonly repository?: string | undefined;
}

/** Reads all that is stored. Makes no request. */
export async function editionOf(publishing: Publishing): Promise<Edition> {
  const { config, store, readers, at, link, repository } = publishing;
  const known = await gather(config, store, readers, at, [...config.sources.values()]);
  const now = await status(config, store, at);
  const answers = await store.answers();
  const sources: SourceStory[] = [];
  for (const source of config.sources.values()) {
    sources.push(await sourceStory(source, known));
    await breathe(sources.length);
  }
  const triggers: TriggerStory[] = [];
  for (const id of config.triggers.keys()) {
    triggers.push(await triggerStory(id, known));
    await breathe(0);
  }
  const figuresOf = (id: string) => figures(historyOf(id, known.rechecks, known.firings, answers));
  return {
    ...{ at, config, status: now, watches: known.watches, looks: known.looks, sources, triggers, answers, link },
    rechecks: known.rechecks,
    firings: known.firings,
    figures: new Map([...config.triggers.keys()].map((id) => [id, figuresOf(id)])),
    staleAfter: (now.lastLook ?? at) + stoppedAfter(config),
    ...(repository !== undefined && { repository }),
  };
}
