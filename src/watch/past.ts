import { type Comparison, compare, type Memory } from "../compare/index.ts";
import { lostSince } from "../compare/lost.ts";
import { conditionsOf, hears, isMetBy } from "../model/condition.ts";
import { Failure } from "../model/failure.ts";
import type { Change, Config, Duration, Firing, Instant, Reading, Source } from "../model/model.ts";
import type { Copy, FoundCopy, Past, Transaction, Watch, WebArchive } from "../model/ports/index.ts";
import { aDay, aMinute, anHour, day } from "../model/time.ts";
import { fromAudit } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import type { World } from "./check.ts";
import { remember } from "./desk.ts";
import { evaluate } from "./evaluate.ts";
import { occurrencesOf } from "./events.ts";
import { prove } from "./prove.ts";
import { lookRecordOf } from "./record.ts";

/**
 * The past of a source: what it said at the audit, by the copy nearest to it in a web archive. A first look alone knows
 * only how things stand now; compared with that copy it tells what has changed since the audit. The archive is asked
 * after the looks of a scan, one page at a time: whatever it does holds up no look and counts against no source.
 */

/** A copy that was made further from the audit says too little of it. */
const farthestFromAudit: Duration = 30 * aDay;
/** Where the audit was so lately, nothing lies between. */
const lately: Duration = 2 * aDay;

/** Times at which an archive is asked for one page, where it does not answer; then it is let be. */
const maxTries = 6;
/** Pages whose past is asked for in one scan. */
const maxAskedInOneScan = 100;
/** … and how long that may take: the rest is asked for at the next scan. */
const longest: Duration = 5 * aMinute;

/** The past that a first look is to be compared with; undefined where config, the archive or the source have no use for it. */
export function pastAtFirstLook(source: Source, reader: Reader, at: Instant, world: World): Past | undefined {
  const { config, archive } = world;
  if (!archive || config.baseline !== "archive" || !comparesTexts(source, reader, config)) return undefined;
  if (at - config.report.audited < lately) return { tries: 0, says: "the audit was just before it" };
  if (!isPublic(source.address)) return { tries: 0, says: "its address is not one of the public web" };
  return { tries: 0, next: at };
}

/** Whether claims or passages of a page or text are compared. */
function comparesTexts(source: Source, reader: Reader, config: Config): boolean {
  if (reader.structured || reader.gives(source.options).text !== true) return false;
  const block: Change = { kind: "block" };
  const listens = [...config.triggers.values()].some((trigger) =>
    conditionsOf(trigger).some(({ condition }) => hears(condition, source) && isMetBy(condition, block)),
  );
  return listens || source.claims.length > 0;
}

/** Whether an archive can have it: the names of a network of one's own are not told to anybody. */
export function isPublic(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return false;
  return (
    /\.[a-z][a-z\d-]*$/i.test(url.hostname) && !/\.(?:internal|intranet|local|lan|home\.arpa)$/i.test(url.hostname)
  );
}

/** Whether claims that were not found are not told yet: the archive, which was not asked so far, may know better. */
export function awaitsPast({ past }: Pick<Watch, "past">): boolean {
  return past?.next !== undefined && past.tries === 0;
}

/** Asks for the past of the sources that still await it, one by one, and keeps what it tells. */
export async function lookBack(
  world: World,
  choice: { readonly sources?: readonly string[]; readonly stopped?: () => boolean },
): Promise<Firing[]> {
  const started = performance.now();
  const firings: Firing[] = [];
  let [asked, isSilent] = [0, false];
  for (const { source, watch, past } of await awaiting(world, choice.sources)) {
    if (choice.stopped?.()) break;
    if (isSilent || !world.archive) {
      firings.push(...(await keepPast(source, watch, unanswered(past, world), world)));
      continue;
    }
    const isOver = asked >= maxAskedInOneScan || performance.now() - started > longest;
    const came = isOver ? notYet(past) : await askFor(source, past, world.archive, world);
    firings.push(...(await keepPast(source, watch, came, world)));
    asked++;
    isSilent = came.isSilent === true;
  }
  return firings;
}

/** The sources whose past is to be asked for now, longest due first. */
async function awaiting({ store, config, clock }: World, only: readonly string[] | undefined) {
  const at = clock.now();
  return (await store.watches())
    .flatMap((watch) => {
      const source = config.sources.get(watch.source);
      const { past, firstSeen } = watch;
      if (!source || past?.next === undefined || past.next > at || firstSeen === undefined) return [];
      return only === undefined || only.includes(source.id) ? [{ source, watch, past }] : [];
    })
    .sort((a, b) => (a.past.next ?? 0) - (b.past.next ?? 0));
}

/** The outcome of asking. */
interface Came {
  readonly past: Past;
  /** Of the copy. */
  readonly reading?: Reading;
  /** The archive does not answer, or asks to be left alone: nothing more is asked in this scan. */
  readonly isSilent?: boolean;
}

async function askFor(source: Source, past: Past, archive: WebArchive, world: World): Promise<Came> {
  const tries = past.tries + 1;
  try {
    const memory: Memory = JSON.parse((await world.store.memory(source.id)) ?? "{}");
    const read = await nearestCopy(source, memory, archive, world);
    return read.reading
      ? { past: { tries, copy: read.copy }, reading: read.reading }
      : { past: { tries, says: read.says } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const came = unanswered({ tries, says: `${archive.name}: ${error.message}` }, world);
    return { ...came, isSilent: isSilence(error) };
  }
}

/** Of the copies nearest the audit, the first that looks like the same page. @throws Failure where it cannot be asked for */
async function nearestCopy(
  source: Source,
  memory: Memory,
  archive: WebArchive,
  { config, readers }: Pick<World, "config" | "readers">,
): Promise<ReadCopy> {
  const near = { at: config.report.audited, within: farthestFromAudit };
  let says: string | undefined;
  for await (const found of archive.copies(source.address, near)) {
    const read =
      found.kind === "copy" ? await readCopy(source, found, memory, readers.get(source.kind)) : notRead(found, near.at);
    if (read.reading) return read;
    says ??= read.says;
  }
  return { says: says ?? `${archive.name} has no copy of it` };
}

/**
 * How these sources were at the audit, before anything is remembered of them: by how they are now, and by the same
 * copies as later their first looks. Those that the archive does not give within this time are left out.
 */
export async function readingsAtAudit(
  sources: readonly Source[],
  now: ReadonlyMap<string, Reading>,
  world: Pick<World, "config" | "readers" | "archive" | "clock">,
  within: Duration,
): Promise<Map<string, Reading>> {
  const { config, archive, readers, clock } = world;
  const found = new Map<string, Reading>();
  const { audited } = config.report;
  const at = clock.now();
  if (!archive || config.baseline !== "archive" || at - audited < lately) return found;
  const started = performance.now();
  const asked = sources.filter(({ kind, options, address }) => {
    const reader = readers.get(kind);
    return reader && !reader.structured && reader.gives(options).text === true && isPublic(address);
  });
  for (const source of asked.slice(0, maxAskedInOneScan)) {
    const reading = now.get(source.id);
    if (performance.now() - started > within) break;
    if (!reading?.blocks) continue;
    const { memory } = compare(undefined, reading, { at, confirmAfter: 0, structured: true, audited });
    try {
      const read = await nearestCopy(source, memory, archive, world);
      if (read.reading) found.set(source.id, read.reading);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isSilence(error)) break;
    }
  }
  return found;
}

/** Whether the archive as a whole does not answer, and not for one page. */
export function isSilence({ kind }: Failure): boolean {
  return kind !== "status" && kind !== "too-large" && kind !== "truncated" && kind !== "empty";
}

/** Not answered this time: again after 1, 2, 4 … hours, until it was asked often enough. */
function unanswered({ tries, says = "the archive does not answer" }: Past, { clock }: World): Came {
  const past = { tries: Math.max(1, tries), says };
  if (tries >= maxTries) return { past };
  return { past: { ...past, next: clock.now() + anHour * 2 ** (past.tries - 1) } };
}

/** Left for the next scan. */
function notYet(past: Past): Came {
  return { past: { ...past, tries: Math.max(1, past.tries), says: "its turn at the archive has not come yet" } };
}

type ReadCopy =
  | { readonly copy: Copy; readonly reading: Reading }
  | { readonly reading?: undefined; readonly says: string };

function notRead(found: Exclude<FoundCopy, { kind: "copy" }>, audited: Instant): ReadCopy {
  return {
    says:
      found.kind === "unusable"
        ? found.says
        : `the nearest copy was made on ${day(found.copy.at)}, ${fromAudit(found.copy.at, audited)}: too far from it`,
  };
}

/** Reads a copy as the page itself is read. It must look like the same page: not a part of it, nor another language. */
async function readCopy(
  source: Source,
  { copy, response }: Extract<FoundCopy, { kind: "copy" }>,
  memory: Memory,
  reader: Reader | undefined,
): Promise<ReadCopy> {
  const of = `the copy of ${day(copy.at)}`;
  try {
    const reading = await reader?.read(response, source);
    if (!reading?.blocks || !memory.page) return { says: `${of} holds no text` };
    const now: Reading = { blocks: memory.page.accepted, language: memory.language };
    const then: Memory = { page: { ...memory.page, accepted: reading.blocks }, language: reading.language };
    const text = { mayBeHalf: true };
    const [apart] = [
      ...lostSince({ page: memory.page, language: memory.language }, reading, text),
      ...lostSince(then, now, text),
    ];
    return apart ? { says: `${of} and the page cannot be compared: ${apart.failure.message}` } : { copy, reading };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { says: `${of}: ${error.message}` };
  }
}

/**
 * Compares what was accepted of a page with its copy, and keeps what fires. Both are whole readings of their day, so that
 * no second look is waited for. Claims whose proof was nowhere are told as not found from now on.
 */
async function keepPast(
  source: Source,
  before: Watch,
  { past, reading }: Came,
  world: World,
): Promise<readonly Firing[]> {
  const { config, clock, store } = world;
  const at = clock.now();
  const memory: Memory = JSON.parse((await store.memory(source.id)) ?? "{}");
  const comparison = compared(memory, reading, source, config, at);
  // The newest record is the one by which people are told what waits for a second look.
  const [{ sightings } = { sightings: [] }] = await store.looks(source.id, 1);
  return await store.commit(async (tx) => {
    const states = await statesOf(tx, reading !== undefined);
    const earlier = reading?.blocks ?? comparison.accepted;
    const proof = prove(source, { comparison, reading: undefined, states, at, earlier });
    const changes = [...comparison.changes, ...proof.changes];
    const happened = occurrencesOf(changes, source, config);
    const remembered = await remember(tx, happened);
    const { happenings, firings, events } = evaluate(happened, { source, config, remembered, at });
    await tx.keep({
      watch: { ...before, past },
      look: lookRecordOf({
        source: source.id,
        at,
        outcome: "first",
        sightings,
        noise: comparison.noise,
        happenings,
      }),
      claims: proof.states,
      events,
      firings,
    });
    if (past.copy && firings.length > 0) {
      await tx.keepArchived({ source: source.id, seen: at, before: past.copy, isBaseline: true, tries: 0, next: at });
    }
    return firings;
  });
}

/** … without those that were never found: the copy may have held them. */
async function statesOf(tx: Transaction, hasCopy: boolean) {
  const known = (await tx.claims()).filter(({ status }) => !hasCopy || status !== "not found");
  return new Map(known.map((state) => [state.claim, state]));
}

/** Compares the page as it was with the page as it is. */
function compared(memory: Memory, then: Reading | undefined, source: Source, config: Config, at: Instant): Comparison {
  const look = { at, confirmAfter: 0, structured: true, audited: config.report.audited, atAudit: source.atAudit };
  const { page, language } = memory;
  const now = { blocks: page?.accepted ?? [], region: page?.region, language };
  const baseline = { blocks: then?.blocks ?? now.blocks, region: then ? then.region : now.region, language };
  return compare(compare(undefined, baseline, look).memory, now, look);
}
