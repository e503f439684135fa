import type { Memory } from "../compare/index.ts";
import { findQuote } from "../compare/passage/quote.ts";
import { wordsOfBlocks } from "../compare/passage/words.ts";
import { changedTexts } from "../model/change.ts";
import { Failure } from "../model/failure.ts";
import type { Block, Change, Duration, Instant, Source } from "../model/model.ts";
import type { ArchivedChange, Copy, FoundCopy, StoredFiring, WebArchive } from "../model/ports/index.ts";
import { aDay, aMinute, anHour, day, hasCome } from "../model/time.ts";
import { isPublic, isSilence } from "./audit-copy.ts";
import type { World } from "./check.ts";

/**
 * Evidence that lasts: copies in a web archive of a page from before something contrary was seen there, and from after it.
 * Each is opened, and counts only if it shows what its side of the change says. The archive is asked once all looks of a
 * scan are done, one page at a time; what it does not have, Recheck's own evidence still shows.
 */

/** A copy that was made further from the change than this says little of it. */
const farthestFromChange: Duration = 60 * aDay;
/** Changes that were seen longer ago are let be: they may have been there before an archive was asked at all. */
const longestSought: Duration = 14 * aDay;
/** When the archive is asked again for what it did not have yet. */
const pauses: readonly Duration[] = [anHour, aDay, 3 * aDay, 7 * aDay];
/** Changes whose copies are looked for in one scan, and how long that may take. */
const maxInOneScan = 20;
const longest: Duration = 2 * aMinute;

/** All that was first seen at one source at one time. */
interface Sought {
  readonly source: Source;
  readonly known: ArchivedChange;
  readonly changes: readonly Change[];
}

/** Looks for the copies of contrary changes that are due for it, and keeps what is found. */
export async function findCopies(world: World, stopped?: () => boolean): Promise<void> {
  const { archive, config, store } = world;
  if (!archive || config.baseline !== "archive") return;
  const started = performance.now();
  for (const sought of (await soughtIn(world)).slice(0, maxInOneScan)) {
    if (stopped?.() || performance.now() - started > longest) return;
    const { kept, isSilent } = await seek(sought, archive, world);
    await store.commit((tx) => tx.keepArchived(kept));
    if (isSilent) return;
  }
}

/** Changes whose copies are to be looked for now. */
async function soughtIn({ config, store, readers, clock }: World): Promise<Sought[]> {
  const at = clock.now();
  const notes = new Map((await store.archivedChanges()).map((note) => [keyOf(note), note]));
  const found = new Map<string, Sought>();
  for (const { source: id, seen, change } of contrary(await store.firings(), at - longestSought)) {
    const source = config.sources.get(id);
    const reader = source && readers.get(source.kind);
    if (!source || !reader || reader.structured || !isPublic(source.address) || !isShown(change)) continue;
    const key = keyOf({ source: id, seen });
    const known = notes.get(key) ?? { source: id, seen, tries: 0, next: at };
    if (known.next === undefined || !hasCome(known.next, at, Math.max(...pauses))) continue;
    found.set(key, { source, known, changes: [...(found.get(key)?.changes ?? []), change] });
  }
  return [...found.values()];
}

function contrary(firings: readonly StoredFiring[], since: Instant) {
  return firings.filter(({ weight, fired }) => weight === "contrary" && fired >= since).flatMap((one) => one.evidence);
}

function keyOf({ source, seen }: Pick<ArchivedChange, "source" | "seen">): string {
  return `${seen} ${source}`;
}

/** Whether copies can show it: texts that changed, and a page that is gone. */
function isShown(change: Change): boolean {
  if (change.kind === "link") return change.to === "gone";
  return change.kind === "block" || (change.kind === "claim" && change.to !== "not found");
}

/** Asks for copies near the change; for what has come since, where those from before it are known. */
async function seek(
  { source, known, changes }: Sought,
  archive: WebArchive,
  world: World,
): Promise<{ kept: ArchivedChange; isSilent: boolean }> {
  const at = world.clock.now();
  const isGone = changes.some(({ kind }) => kind === "link");
  const tries = known.tries + 1;
  const pause = pauses[tries - 1];
  let [before, after, says] = [
    known.before,
    known.after,
    `${archive.name} has none ${pause ? "yet " : ""}that shows it`,
  ];
  let isSilent = false;
  try {
    const near = { at: before ? at : known.seen, within: farthestFromChange };
    const memory: Memory = JSON.parse((await world.store.memory(source.id)) ?? "{}");
    const isPage = likeness(memory.page?.accepted ?? []);
    const isAfter = ({ blocks }: { blocks: readonly Block[] }) =>
      shows(blocks, changes, "after") && (changes.every(hasText) || isPage(blocks));
    for await (const found of archive.copies(source.address, near)) {
      const copy = await read(source, found, world);
      if (!copy) continue;
      if (copy.at <= known.seen && shows(copy.blocks, changes, "before")) before ??= asCopy(copy);
      else if (!isGone && isSince(copy, before, known) && isAfter(copy)) after ??= asCopy(copy);
      if (before && (after || isGone)) break;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    says = `${archive.name}: ${error.message}`;
    isSilent = isSilence(error);
  }
  const { says: _, next: __, ...rest } = known;
  const note: ArchivedChange = { ...rest, tries, ...(before && { before }), ...(after && { after }) };
  if (after || (isGone && before)) return { kept: before ? note : { ...note, says }, isSilent };
  const open = { ...note, says, ...(pause !== undefined && { next: at + pause }) };
  return { kept: isGone || isSilent ? open : await request(source, open, archive, world), isSilent };
}

/** Whether the side since then has a text of its own, by which a copy is known to show it. */
function hasText(change: Change): boolean {
  return changedTexts(change)?.[1] !== undefined;
}

/** Tells a copy of the page from one of something else that happens not to hold a passage: half of it stands on the page now. */
function likeness(now: readonly Block[]): (blocks: readonly Block[]) => boolean {
  const texts = new Set(now.map(({ text }) => text));
  return (blocks) => blocks.filter(({ text }) => texts.has(text)).length >= blocks.length / 2;
}

function asCopy({ url, at }: Copy): Copy {
  return { url, at };
}

/** A copy from after the change may be older than our first sight of it, but not than the one from before. */
function isSince({ at }: Copy, before: Copy | undefined, { seen }: ArchivedChange): boolean {
  return at >= (before?.at ?? seen - aDay);
}

async function read(source: Source, found: FoundCopy, { readers }: World) {
  if (found.kind !== "copy") return undefined;
  try {
    const reading = await readers.get(source.kind)?.read(found.response, source);
    return reading?.blocks && { ...found.copy, blocks: reading.blocks };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Whether a copy says what the page said on that side of every change; of what only came or went, the other text is not there. */
function shows(blocks: readonly Block[], changes: readonly Change[], side: "before" | "after"): boolean {
  const words = wordsOfBlocks(blocks);
  const holds = (text: string) => findQuote(words, { exact: text }).status === "exact";
  return changes.every((change) => {
    const [before, after] = changedTexts(change) ?? [];
    const [own, other] = side === "before" ? [before, after] : [after, before];
    if (own !== undefined) return holds(own);
    return other === undefined || !holds(other);
  });
}

/** Asks the archive to keep the page as it is now, where the operator wants that: once, which is noted before it is sent. */
async function request(
  source: Source,
  note: ArchivedChange,
  archive: WebArchive,
  world: World,
): Promise<ArchivedChange> {
  if (!archive.save) return note;
  if (note.requested !== undefined) {
    return { ...note, says: `${archive.name} was asked on ${day(note.requested)} to keep one` };
  }
  const requested = world.clock.now();
  const asked = { ...note, requested, says: `${archive.name} was asked on ${day(requested)} to keep one` };
  await world.store.commit((tx) => tx.keepArchived(asked));
  try {
    await archive.save(source.address);
    return asked;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...asked, says: `${archive.name} did not take the wish to keep one: ${error.message}` };
  }
}
