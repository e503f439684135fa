import { makeOnce } from "../model/cache.ts";
import type { Change } from "../model/change.ts";
import { changedTexts } from "../model/change-words.ts";
import { Failure, ignoreFailure } from "../model/failure.ts";
import type { ArchivedChange, Copy, Response, WebArchive } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { aDay, aMinute, anHour, type Duration, day, hasCome } from "../model/time.ts";
import { isPublic, isSilence } from "./audit-copy.ts";
import type { World } from "./check.ts";
import { workersOf } from "./workers.ts";

/**
 * Lasting evidence of a contrary change: archived copies of the page from before and after it. Each copy is opened, and
 * counts only if it has the text of its side. The archive is asked after all checks of a scan, one page at a time.
 * Changes without a copy keep Recheck's own evidence.
 */

/** Copies further from the change than this are no evidence of it. */
const farthestFromChange: Duration = 60 * aDay;
/** Changes seen longer ago are not looked up, as the archive may not have been in use then. */
const longestSought: Duration = 14 * aDay;
/** Pauses before the archive is asked again for a missing copy. */
const pauses: readonly Duration[] = [anHour, aDay, 3 * aDay, 7 * aDay];
/** Changes whose copies are sought in one scan, at most, and the longest time for it. */
const maxInOneScan = 20;
const longest: Duration = 2 * aMinute;

interface SoughtChanges {
  readonly source: Source;
  readonly note: ArchivedChange;
  readonly changes: readonly Change[];
}

export async function findCopies(world: World, stopped?: () => boolean): Promise<void> {
  const { archive, config, store } = world;
  if (!archive || config.baseline !== "archive") return;
  const started = performance.now();
  for (const sought of (await soughtChanges(world)).slice(0, maxInOneScan)) {
    if (stopped?.() || performance.now() - started > longest) return;
    const { kept, isSilent } = await seek(sought, archive, world);
    await store.commit((tx) => tx.keepArchived(kept));
    if (isSilent) return;
  }
}

async function soughtChanges({ config, store, readers, clock }: World): Promise<SoughtChanges[]> {
  const at = clock.now();
  const notesByKey = new Map((await store.archivedChanges()).map((note) => [keyOf(note), note]));
  const soughtByKey = new Map<string, SoughtChanges & { readonly changes: Change[] }>();
  const recent = (await store.firings()).filter(({ fired }) => fired >= at - longestSought);
  const contrary = recent.filter(({ weight }) => weight === "contrary").flatMap(({ evidence }) => evidence);
  for (const { source: id, seen, change } of contrary) {
    const source = config.sources.get(id);
    const reader = source && readers.get(source.kind);
    if (!source || !reader || reader.structured || !isPublic(source.address) || !isShown(change)) continue;
    const key = keyOf({ source: id, seen });
    const note = notesByKey.get(key) ?? { source: id, seen, tries: 0, next: at };
    if (note.next === undefined || !hasCome(note.next, at, Math.max(...pauses))) continue;
    makeOnce(soughtByKey, key, () => ({ source, note, changes: [] })).changes.push(change);
  }
  return [...soughtByKey.values()];
}

function keyOf({ source, seen }: Pick<ArchivedChange, "source" | "seen">): string {
  return `${seen} ${source}`;
}

/** Whether copies can show the change: changed texts, or a page that is gone. */
function isShown(change: Change): boolean {
  if (change.kind === "link") return change.to === "gone";
  return change.kind === "block" || (change.kind === "claim" && change.to !== "not found");
}

async function seek(
  { source, note: sought, changes }: SoughtChanges,
  archive: WebArchive,
  world: World,
): Promise<{ kept: ArchivedChange; isSilent: boolean }> {
  const now = world.clock.now();
  const isGone = changes.some(({ kind }) => kind === "link");
  const tries = sought.tries + 1;
  const pause = pauses[tries - 1];
  let { before, after } = sought;
  let says = `${archive.name} has no copy ${pause ? "yet " : ""}that shows it`;
  let isSilent = false;
  try {
    const near = { at: before ? now : sought.seen, within: farthestFromChange };
    const [textsBefore, textsAfter] = [textsOn("before", changes), textsOn("after", changes)];
    const haveTexts = changes.every((change) => changedTexts(change)?.[1] !== undefined);
    const memory = haveTexts ? undefined : ((await world.store.memory(source.id)) ?? "{}");
    for await (const found of archive.copies(source.address, near)) {
      if (found.kind !== "copy") continue;
      const { copy, response } = found;
      // A copy from after the change may be older than our sighting, but not than the copy from before.
      const isAfter = !isGone && copy.at >= (before?.at ?? sought.seen - aDay);
      const sides = {
        ...(copy.at <= sought.seen && { before: textsBefore }),
        ...(isAfter && { after: textsAfter }),
      };
      const side = await shownSideApart({ source, response, sides, memory }, world);
      if (side === "before") before ??= copy;
      else if (side === "after") after ??= copy;
      if (before && (after || isGone)) break;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    says = `${archive.name}: ${error.message}`;
    isSilent = isSilence(error);
  }
  if (isGone) before ??= await newestKnownCopy(source, world);
  const { says: _, next: __, ...rest } = sought;
  const note: ArchivedChange = { ...rest, tries, ...(before && { before }), ...(after && { after }) };
  if (after || (isGone && before)) return { kept: before ? note : { ...note, says }, isSilent };
  const open = { ...note, says, ...(pause !== undefined && { next: now + pause }) };
  return { kept: isGone || isSilent ? open : await request(source, open, archive, world), isSilent };
}

/** The newest copy that was found for an earlier question about the source, such as its past. */
async function newestKnownCopy({ id }: Source, { store }: World): Promise<Copy | undefined> {
  const pasts = (await store.watches([id])).flatMap(({ past, claimsPast }) => [past?.copy, claimsPast?.copy]);
  const notes = (await store.archivedChanges()).filter(({ source }) => source === id);
  const copies = [...pasts, ...notes.flatMap(({ before, after }) => [before, after])];
  return copies.flatMap((copy) => copy ?? []).sort((a, b) => b.at - a.at)[0];
}

/** Asks the archive to save the present page, if the operator allows it. Sent once, so it is noted before sending. */
async function request(
  source: Source,
  note: ArchivedChange,
  archive: WebArchive,
  world: World,
): Promise<ArchivedChange> {
  if (!archive.save) return note;
  const requested = note.requested ?? world.clock.now();
  const requestedNote = { ...note, requested, says: `${archive.name} was asked on ${day(requested)} to save a copy` };
  if (note.requested !== undefined) return requestedNote;
  await world.store.commit((tx) => tx.keepArchived(requestedNote));
  try {
    await archive.save(source.address);
    return requestedNote;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...requestedNote, says: `${archive.name} refused to save a copy: ${error.message}` };
  }
}

export type Side = "before" | "after";

/** Texts that a page has on one side of the changes, and texts that it lacks there. */
export interface SideTexts {
  readonly says: readonly string[];
  readonly lacks: readonly string[];
}

function textsOn(side: Side, changes: readonly Change[]): SideTexts {
  const says = new Set<string>();
  const lacks = new Set<string>();
  for (const change of changes) {
    const [before, after] = changedTexts(change) ?? [];
    const [onSide, onOther] = side === "before" ? [before, after] : [after, before];
    if (onSide !== undefined) says.add(onSide);
    else if (onOther !== undefined) lacks.add(onOther);
  }
  return { says: [...says], lacks: [...lacks] };
}

export interface CopyToMatch {
  readonly source: Source;
  readonly response: Response;
  readonly sides: { readonly [side in Side]?: SideTexts };
  /** The memory of its source, as stored, if the newer texts alone do not show that the copy is of this page. */
  readonly memory?: string;
}

/** Finds the side that a copy shows; undefined if it shows neither, cannot be parsed or takes too much. */
async function shownSideApart(copy: CopyToMatch, world: Pick<World, "readers" | "workers">): Promise<Side | undefined> {
  if (!copy.sides.before && !copy.sides.after) return undefined;
  const workers = await workersOf(world);
  return (await workers.run("shows", copy).catch(ignoreFailure)) as Side | undefined;
}
