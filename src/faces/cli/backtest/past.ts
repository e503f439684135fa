import { refusedBecause } from "../../../adapters/files/refused.ts";
import type { Config } from "../../../model/config.ts";
import { aMinute, type Instant } from "../../../model/time.ts";
import { readers } from "../../../read/index.ts";
import { type Stored, storedTapes, type Tape } from "../../../watch/replay/tape.ts";
import type { Settings } from "../../../wire/settings.ts";
import { openStored } from "../../../wire/stores.ts";
import { print } from "../print.ts";
import { WrongUsage } from "../terminal.ts";
import { type CorpusDocument, readCorpus, watchedIn } from "./corpus.ts";
import { historyTapes, NoHistory } from "./git-history.ts";

export interface PastOptions {
  readonly corpus?: string;
  readonly git?: string;
}

export interface PastAnswers extends Stored {
  /** The origin in words: `what is stored`. */
  readonly from: string;
  /** Whether the tapes hold every check. */
  readonly whole: boolean;
  readonly until: Instant;
}

/** @throws StoreProblem | WrongUsage if there is no history */
export async function readPast(
  { corpus, git }: PastOptions,
  config: Config,
  since: Instant,
  settings: Pick<Settings, "data" | "repo" | "clock">,
): Promise<PastAnswers> {
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
    corpus === undefined
      ? await historyTapes(git ?? ".", config, since).catch(usage)
      : corpusTapes(corpus, config, since);
  const last = Math.max(since, ...tapes.flatMap(({ frames }) => frames.map(({ at }) => at)));
  return { tapes, answers: [], from: corpus ?? `the history of ${git}`, whole: false, until: last };
}

function usage(error: unknown): never {
  if (error instanceof NoHistory) throw new WrongUsage(error.message);
  throw error;
}

/** The documents of a folder that config watches, from the revision that was current at `since`. @throws WrongUsage */
function corpusTapes(folder: string, config: Config, since: Instant): Tape[] {
  const docs = documentsIn(folder);
  return watchedIn(docs, { config, readers }).flatMap(({ doc: { url, revisions }, source }): Tape[] => {
    const start = Math.max(
      0,
      revisions.findLastIndex(({ date }) => date <= since),
    );
    const frames = revisions.slice(start).map(({ date, status, headers, body }) => ({
      at: Math.max(date, since) + aMinute,
      response: { url, status, headers, body },
    }));
    return [{ source, frames }];
  });
}

/** @throws WrongUsage */
function documentsIn(folder: string): CorpusDocument[] {
  try {
    return readCorpus(folder, (line) => print("err", `${line}\n`));
  } catch (error) {
    const why = refusedBecause(error, "its folder docs does not exist");
    throw why === undefined ? error : new WrongUsage(`--corpus: ${folder} cannot be read: ${why}`);
  }
}
