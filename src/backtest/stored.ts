import { builtIn } from "../askers.ts";
import { Failure, type FailureKind, failureKinds } from "../failure.ts";
import type { Config, Instant, Source, Trouble } from "../model.ts";
import type { LookRecord, Snapshot, Store } from "../ports.ts";
import type { Stage } from "./play.ts";
import type { Frame, Tape } from "./tape.ts";

/** What is stored, as tapes, and when people answered. */
export interface Stored {
  readonly tapes: readonly Tape[];
  readonly answers: Stage["answers"];
}

/** More looks and snapshots than a source keeps. */
const all = 10_000;

/** The looks and snapshots of every source that config still has, from the oldest snapshot on that is of its address. */
export async function storedTapes(config: Config, store: Store): Promise<Stored> {
  const seenUntil = new Map((await store.watches()).map(({ source, lastSeen }) => [source, lastSeen]));
  const tapes: Tape[] = [];
  for (const source of config.sources.values()) {
    const looks = await store.looks(source.id, all);
    const tape = tapeOf(source, looks, await store.snapshots(source.id, all));
    const until = seenUntil.get(source.id);
    if (tape.frames.length > 0) tapes.push({ ...tape, ...(until !== undefined && { seenUntil: until }) });
  }
  const fed = Map.groupBy(await store.firings(), ({ recheck }) => recheck);
  const answers = (await store.rechecks()).flatMap(({ id, trigger, closed }) => {
    if (closed === undefined) return [];
    // *Catch up* asks for many triggers at once.
    const asks = trigger === builtIn.catchUp ? (fed.get(id) ?? []).map((firing) => firing.trigger) : [trigger];
    return [...new Set(asks)].map((one) => ({ trigger: one, at: closed }));
  });
  return { tapes, answers };
}

/** Both newest first. A look without a snapshot saw what the one before it saw. */
function tapeOf(source: Source, looks: readonly LookRecord[], snapshots: readonly Snapshot[]): Tape {
  // Where config gave the source another address, it began anew with a first look.
  const anew = looks.find(({ outcome }) => outcome === "first")?.at ?? 0;
  const gone = looks.some(({ changes = [] }) =>
    changes.some(({ change }) => change.kind === "link" && change.to === "gone"),
  );
  const frames = new Map<Instant, Frame>();
  for (const { at, failure, moved } of looks) {
    frames.set(at, { at, ...(failure && { failure: failureOf(failure, gone) }), ...(moved && { moved }) });
  }
  for (const { at, response } of snapshots) frames.set(at, { ...(frames.get(at) ?? { at }), response });
  const inOrder = [...frames.values()].filter(({ at }) => at >= anew).sort((a, b) => a.at - b.at);
  const first = inOrder.findIndex(({ response }) => response !== undefined);
  return { source, frames: first < 0 ? [] : inOrder.slice(first) };
}

/** A name that did not resolve counts towards *gone* only where that is what was found. */
function failureOf({ kind, says }: Trouble, gone: boolean): Failure {
  const known = failureKinds.find((one): one is FailureKind => one === kind) ?? "internal";
  return new Failure(known, known === "dns" && !gone ? { code: "EAI_AGAIN" } : { status: says });
}
