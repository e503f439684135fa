import { type Stored, storedTapes } from "../../../backtest/stored.ts";
import type { Tape } from "../../../backtest/tape.ts";
import type { Config, Instant } from "../../../model.ts";
import { readers } from "../../../read/index.ts";
import { openStored, type Settings } from "../../../wire.ts";
import { readCorpus } from "../replay/corpus.ts";
import { watchedIn } from "../replay/walk.ts";
import { historyTapes } from "./history.ts";

/** Where the answers of the past come from. */
export interface Origin {
  readonly corpus?: string;
  readonly git?: string;
}

/** What is to be replayed. */
export interface Past extends Stored {
  /** In words: `what is stored`. */
  readonly from: string;
  /** The tapes hold every look that there was. */
  readonly whole: boolean;
  readonly until: Instant;
}

/** @throws StoreProblem | NoHistory */
export async function past(
  { corpus, git }: Origin,
  config: Config,
  since: Instant,
  settings: Pick<Settings, "data" | "repo" | "clock">,
): Promise<Past> {
  if (corpus === undefined && git === undefined) {
    const { store, close } = await openStored(settings);
    try {
      const stored = await storedTapes(config, store);
      return { ...stored, from: "what is stored", whole: true, until: settings.clock.now() };
    } finally {
      await close();
    }
  }
  const tapes =
    corpus === undefined ? await historyTapes(git ?? ".", config, since) : corpusTapes(corpus, config, since);
  const last = Math.max(since, ...tapes.flatMap(({ frames }) => frames.map(({ at }) => at)));
  return { tapes, answers: [], from: corpus ?? `the history of ${git}`, whole: false, until: last };
}

const minute = 60_000;

/** The documents of a folder that config watches, each from the revision on that stood at `since`. */
function corpusTapes(folder: string, config: Config, since: Instant): Tape[] {
  const docs = readCorpus(folder, (line) => process.stderr.write(`${line}\n`));
  return watchedIn(docs, { config, readers }).flatMap(({ doc: { url, revisions }, source }): Tape[] => {
    const start = Math.max(
      0,
      revisions.findLastIndex(({ date }) => date <= since),
    );
    const frames = revisions.slice(start).map(({ date, status, headers, body }) => ({
      at: Math.max(date, since) + minute,
      response: { url, status, headers, body },
    }));
    return [{ source, frames }];
  });
}
