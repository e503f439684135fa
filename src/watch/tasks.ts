import type { Config, Look, Reading, Source } from "../model/model.ts";
import type { Response, TaskGiver, Workers } from "../model/ports/index.ts";
import type { Reader } from "../read/reader.ts";
import { deskBy } from "./desk.ts";
import { type AnsweredLook, judgeLook } from "./judge.ts";

/**
 * The tasks of workers: all that touches what strangers served. A task is sent by its name and its input as plain data, and
 * stands here beside the one who sends it.
 */
export function tasksBy(readers: ReadonlyMap<string, Reader>) {
  const readerOf = (kind: string): Reader => {
    const reader = readers.get(kind);
    if (!reader) throw new Error(`no reader of kind ${kind}`);
    return reader;
  };
  return {
    look(sight: AnsweredLook, { shared, answer }: Required<TaskGiver>): Promise<Look> {
      const bench = { config: shared as Config, reader: readerOf(sight.source.kind) };
      return judgeLook(sight, deskBy(answer), bench);
    },
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

/** The same readers, which read in workers. */
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
