import type { Config } from "../model/config.ts";
import type { Response, TaskGiver, Workers } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Reader } from "../read/reader.ts";
import { type CopyToRead, type FirstReading, firstMemory, type ReadCopy, readCopy } from "./audit-copy.ts";
import { deskBy, type Given } from "./desk.ts";
import { type AnsweredLook, type Judged, judgeLook } from "./judge.ts";
import { type JudgedPast, judgePast, type PastToJudge } from "./past.ts";
import { ReadOnce } from "./read-once.ts";
import { type CopyToMatch, type Side, shownSide } from "./shown-side.ts";

/**
 * The tasks of workers: all work on what strangers served. A task is sent by its name with its input as plain data, and
 * is defined here beside the code that sends it.
 */
export function tasksBy(readers: ReadonlyMap<string, Reader>) {
  const readerOf = (kind: string): Reader => {
    const reader = readers.get(kind);
    if (!reader) throw new Error(`no reader of kind ${kind}`);
    return reader;
  };
  const once = new ReadOnce();
  return {
    look(
      { given, ...sight }: AnsweredLook & { readonly given: Given },
      { shared, answer }: Required<TaskGiver>,
    ): Promise<Judged | undefined> {
      const { source, fetched } = sight;
      const known = readerOf(source.kind);
      const reader = fetched.kind === "response" ? once.of(known, fetched) : known;
      return judgeLook(sight, deskBy({ source, given }, answer), { config: shared as Config, reader });
    },
    copy: async (toRead: CopyToRead): Promise<ReadCopy> => await readCopy(toRead, readerOf(toRead.source.kind)),
    memory: (first: FirstReading) => firstMemory(first),
    past: (toJudge: PastToJudge, { shared }: Required<TaskGiver>): JudgedPast => judgePast(toJudge, shared as Config),
    shows: async (toMatch: CopyToMatch): Promise<Side | undefined> =>
      await shownSide(toMatch, readerOf(toMatch.source.kind)),
    async read({ source, response, region }: ToRead): Promise<Reading> {
      return await readerOf(source.kind).read(response, source, { region });
    },
  };
}

interface ToRead {
  readonly source: Source;
  readonly response: Response;
  readonly region?: string;
}

/** The same readers, each reading in a worker. */
export function readersIn(workers: Workers, readers: ReadonlyMap<string, Reader>): ReadonlyMap<string, Reader> {
  const apart = (reader: Reader): Reader => ({
    ...reader,
    read: async (response, source, known) => {
      const toRead: ToRead = { source: { ...source, kind: reader.kind }, response, region: known?.region };
      return (await workers.run("read", toRead)) as Reading;
    },
  });
  return new Map([...readers].map(([kind, reader]) => [kind, apart(reader)]));
}
