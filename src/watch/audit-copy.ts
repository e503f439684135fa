import type { CompareOptions, Memory } from "../compare/index.ts";
import type { Config } from "../model/config.ts";
import { Failure } from "../model/failure.ts";
import type { Copy, FoundCopy, WebArchive } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { aDay, type Duration, day, type Instant } from "../model/time.ts";
import { fromAuditWords } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import type { World } from "./check.ts";
import { workersOf } from "./workers.ts";

/** A page at the time of the audit: the nearest copy in a web archive that is the same page, parsed like the page itself. */

/** Copies further from the audit than this do not count. */
const farthestFromAudit: Duration = 30 * aDay;
/** If the first check follows this soon after the audit, no copy is needed. */
const lately: Duration = 2 * aDay;

/** Why no archived copy is sought for a source, as a fragment of a sentence; undefined if one may be. */
export function withoutPast({ address }: Source, { report }: Config, at: Instant): string | undefined {
  if (at - report.audited < lately) return "the audit was just before it";
  return isPublic(address) ? undefined : "its address is not one of the public web";
}

/** Whether an archive can have the page. Names of a private network are never sent to it. */
export function isPublic(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return false;
  return (
    /\.[a-z][a-z\d-]*$/i.test(url.hostname) && !/\.(?:internal|intranet|local|lan|home\.arpa)$/i.test(url.hostname)
  );
}

/** Whether a source is a text, so that its copies can be parsed like the source itself. No browser opens a copy. */
export function isText(source: Source, reader: Reader): boolean {
  const isOpened = reader.request(source, { githubToken: false }).browser !== undefined;
  return !reader.structured && reader.gives(source.options).text === true && !isOpened;
}

/** Whether parsing took too much time or memory. That is the page's fault, not the archive's. */
function isTooMuch({ kind }: Failure): boolean {
  return kind === "processor" || kind === "memory" || kind === "too-large" || kind === "too-deep";
}

/** Whether the whole archive is unavailable. */
export function isSilence(failure: Failure): boolean {
  const { kind } = failure;
  return kind !== "status" && kind !== "truncated" && kind !== "empty" && !isTooMuch(failure);
}

export type ReadCopy =
  | { readonly copy: Copy; readonly reading: Reading }
  | { readonly reading?: undefined; readonly says: string };

/** Finds the copy nearest the audit of the same page. @throws Failure if the archive cannot be asked */
export async function nearestCopy(
  source: Source,
  memory: Memory,
  archive: WebArchive,
  world: Pick<World, "config" | "readers" | "workers">,
): Promise<ReadCopy> {
  const near = { at: world.config.report.audited, within: farthestFromAudit };
  const workers = await workersOf(world);
  const readApart = async (copy: CopyToRead): Promise<ReadCopy> => {
    try {
      return (await workers.run("copy", copy)) as ReadCopy;
    } catch (error) {
      if (!(error instanceof Failure) || !isTooMuch(error)) throw error;
      return { says: `the copy of ${day(copy.found.copy.at)}: ${error.message}` };
    }
  };
  let says: string | undefined;
  for await (const found of archive.copies(source.address, near)) {
    const read = found.kind === "copy" ? await readApart({ source, found, memory }) : reasonNotRead(found, near.at);
    if (read.reading) return read;
    says ??= read.says;
  }
  return { says: says ?? `${archive.name} has no copy of it` };
}

function reasonNotRead(found: Exclude<FoundCopy, { kind: "copy" }>, audited: Instant): ReadCopy {
  return {
    says:
      found.kind === "unusable"
        ? found.says
        : `the nearest copy was made on ${day(found.copy.at)}, ${fromAuditWords(found.copy.at, audited)}: too far from it`,
  };
}

export interface CopyToRead {
  readonly source: Source;
  readonly found: Extract<FoundCopy, { kind: "copy" }>;
  readonly memory: Memory;
}

export interface FirstReading {
  readonly reading: Reading;
  readonly options: CompareOptions;
}

/** Pages that one draft looks up in the archive, at most. */
const maxOfDraft = 100;

/**
 * Reads sources that are about to be watched at the time of the audit, from the copies that their first checks will use. Stops
 * if the archive does not respond. `now`: the sources' present readings; `isOver`: true when no further page may be requested.
 */
export async function* readingsAtAudit(
  sources: readonly Source[],
  now: ReadonlyMap<string, Reading>,
  world: Pick<World, "config" | "readers" | "archive" | "clock" | "workers">,
  isOver: () => boolean,
): AsyncGenerator<readonly [string, Reading]> {
  const { config, archive, readers, clock } = world;
  const at = clock.now();
  if (!archive || config.baseline !== "archive") return;
  const askedSources = sources.filter((source) => {
    const reader = readers.get(source.kind);
    return reader && isText(source, reader) && withoutPast(source, config, at) === undefined;
  });
  const workers = await workersOf(world);
  for (const source of askedSources.slice(0, maxOfDraft)) {
    if (isOver()) return;
    const reading = now.get(source.id);
    if (!reading?.blocks) continue;
    const options = { at, confirmAfter: 0, structured: true, audited: config.report.audited };
    try {
      const first: FirstReading = { reading, options };
      const memory = (await workers.run("memory", first)) as Memory;
      const read = await nearestCopy(source, memory, archive, world);
      if (read.reading) yield [source.id, read.reading];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isSilence(error)) return;
    }
  }
}
