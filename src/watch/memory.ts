import { type CompareOptions, type Memory, rebase, reselect, waitingSince } from "../compare/index.ts";
import { Failure } from "../model/failure.ts";
import type { Snapshot, Store, Watch } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Reader } from "../read/reader.ts";
import { isReselected } from "./watch.ts";

interface Recalling {
  readonly source: Source;
  readonly reader: Reader;
  readonly before: Watch | undefined;
  /** The watch at the beginning of this check. */
  readonly watch: Watch;
  readonly store: Pick<Store, "memory" | "snapshots" | "readBy">;
  readonly options: CompareOptions;
}

/** The memory that a check begins with, rebuilt if the reader has changed; undefined at a first check. */
export async function recall(recalling: Recalling): Promise<Memory | undefined> {
  const { source, reader, before, watch, store, options } = recalling;
  const stored = watch.firstSeen === undefined ? undefined : await store.memory(source.id);
  if (stored === undefined) return undefined;
  const memory: Memory = JSON.parse(stored);
  if (isReselected(before, watch)) return await recallReselected(memory, recalling);
  const version = await store.readBy(source.id);
  if (version === undefined || version === reader.version) return memory;
  // Changes that wait for confirmation start again, parsed by the present reader.
  const since = watch.pending ? waitingSince(memory) : Infinity;
  const earlierSnapshots = async (most: number) =>
    (await store.snapshots(source.id, most)).filter(({ at }) => at < since);
  const [newest] = await earlierSnapshots(watch.pending ? maxSnapshots : 1);
  if (!newest) return memory;
  const parseFirst = async (snapshots: readonly Snapshot[]) => await firstReading(snapshots, source, reader, memory);
  // A response that only an earlier reader could parse is skipped.
  const reading = (await parseFirst([newest])) ?? (await parseFirst((await earlierSnapshots(maxSnapshots)).slice(1)));
  return reading && rebase(memory, reading, options);
}

/** A number above the snapshots of any source. */
const maxSnapshots = 20;

/** Parses the first response that can be parsed; undefined if none can. */
export async function firstReading(
  snapshots: readonly Pick<Snapshot, "response" | "at">[],
  source: Source,
  reader: Reader,
  { page, atFirst }: Memory = {},
): Promise<Reading | undefined> {
  for (const { response, at } of snapshots) {
    try {
      return await reader.read(response, source, { region: page?.region, atFirst, at });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return undefined;
}

/** Rebuilds the text from before all waiting changes, parsed with the present options; undefined if it was not kept. */
async function recallReselected(
  memory: Memory,
  { source, reader, store, options }: Recalling,
): Promise<Memory | undefined> {
  const since = waitingSince(memory);
  const snapshot = (await store.snapshots(source.id, maxSnapshots)).find(({ at }) => at < since);
  const reading = snapshot && (await firstReading([snapshot], source, reader));
  return reading && reselect(memory, reading, options);
}
