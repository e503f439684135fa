import type { Response, Workers } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Reader } from "../read/reader.ts";
import type { World } from "./check.ts";

/** The world's workers; or this thread, without limits, as in replays, which loads the tasks' modules. */
export async function workersOf(world: Pick<World, "workers" | "readers" | "trace">): Promise<Workers> {
  return world.workers ?? (await import("./tasks.ts")).tasksHere(world.readers, world.trace);
}

/** A response to parse, as plain data. */
export interface ResponseToRead {
  readonly source: Source;
  readonly response: Response;
  readonly region?: string;
}

export function readersIn(workers: Workers, readers: ReadonlyMap<string, Reader>): ReadonlyMap<string, Reader> {
  const inWorker = (reader: Reader): Reader => ({
    ...reader,
    read: async (response, source, known) => {
      const toRead: ResponseToRead = { source: { ...source, kind: reader.kind }, response, region: known?.region };
      return (await workers.run("read", toRead)) as Reading;
    },
  });
  return new Map([...readers].map(([kind, reader]) => [kind, inWorker(reader)]));
}

export function readerOf(kind: string, readers: ReadonlyMap<string, Reader>): Reader {
  const reader = readers.get(kind);
  if (!reader) throw new Error(`no reader of kind ${kind}`);
  return reader;
}
