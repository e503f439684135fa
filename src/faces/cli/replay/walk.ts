import { check, type World } from "../../../check.ts";
import { evaluateTime } from "../../../evaluate/time.ts";
import type { Firing, Instant, Look, Source } from "../../../model.ts";
import type { Watch } from "../../../ports.ts";
import type { Doc, Revision } from "./corpus.ts";
import { addressOf, revisionAt } from "./web.ts";

/** A firing that a document caused, in the revision in which its evidence was first seen. */
export interface ReplayedFiring {
  readonly doc: string;
  readonly rev: number;
  readonly at: string;
  readonly trigger: string;
  readonly event: string;
  /** False where it only adds evidence to a firing that was there. */
  readonly new: boolean;
}

export interface Replayed {
  readonly firings: readonly ReplayedFiring[];
  /** Firings of time alone: age and silence. */
  readonly ofTime: readonly Firing[];
  readonly looks: number;
  readonly unknown: ReadonlyMap<string, string>;
  /** Looks that saw other bytes than the last one: what a monitor of raw changes would have told. */
  readonly rawChanges: readonly { readonly doc: string; readonly rev: number; readonly at: Instant }[];
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** When a document is looked at: a minute after each revision, and otherwise once a day until the end. */
function* lookTimes({ revisions }: Doc, end: Instant): Generator<Instant> {
  for (const [index, { date }] of revisions.entries()) {
    const until = revisions[index + 1]?.date ?? end;
    for (let at = date + minute; at < until + minute; at += day) yield at;
  }
}

/** Walks simulated time: every document looked at when it is due, and again where a second look is wanted. */
export async function walk(
  docs: readonly Doc[],
  sources: ReadonlyMap<string, Source>,
  world: World & { clock: { set(at: Instant): void } },
): Promise<Replayed> {
  const end = Math.max(...docs.flatMap(({ revisions }) => revisions.map(({ date }) => date))) + 2 * day;
  const queue = docs
    .filter(({ doc }) => sources.has(doc))
    .map((doc) => ({ doc, times: lookTimes(doc, end), watch: undefined as Watch | undefined }));
  const agenda = new Agenda<(typeof queue)[number]>();
  for (const one of queue) agenda.plan(one.times.next().value, one);
  const known = new Set<string>();
  const firings: ReplayedFiring[] = [];
  const ofTime = new Map<string, Firing>();
  const unknown = new Map<string, string>();
  const rawChanges: { doc: string; rev: number; at: Instant }[] = [];
  let looks = 0;
  let today = 0;

  for (let next = agenda.next(); next; next = agenda.next()) {
    const { at, one, regular } = next;
    const source = sources.get(one.doc.doc);
    if (!source) continue;
    world.clock.set(at);
    looks++;
    const before = one.watch;
    const checked = await check(source, before, world);
    one.watch = checked.kept ? await watchOf(source, world) : checked.watch;
    if (checked.look.failure) unknown.set(one.doc.doc, checked.look.failure.says);
    if (before?.hash !== undefined && one.watch?.hash !== before.hash) {
      rawChanges.push({ doc: one.doc.doc, rev: revisionAt(one.doc, at)?.rev ?? 0, at });
    }
    firings.push(...told(checked.look, one.doc, source, known));
    if (regular) agenda.plan(one.times.next().value, one);
    agenda.plan(checked.look.secondLook, one, false);
    if (Math.floor(at / day) > today) {
      today = Math.floor(at / day);
      const watches = new Map(queue.flatMap(({ watch }) => (watch ? [[watch.source, watch] as const] : [])));
      for (const firing of evaluateTime(world.config, watches, at))
        ofTime.set(JSON.stringify([firing.trigger, firing.event.key]), firing);
    }
  }
  return { firings, ofTime: [...ofTime.values()], looks, unknown, rawChanges };
}

async function watchOf(source: Source, { store }: World): Promise<Watch | undefined> {
  return (await store.watches()).find((watch) => watch.source === source.id);
}

function told(look: Look, doc: Doc, source: Source, known: Set<string>): ReplayedFiring[] {
  return look.firings.map((firing) => {
    const key = JSON.stringify([firing.trigger, firing.event.key]);
    const isNew = !known.has(key);
    known.add(key);
    const seen = Math.min(...firing.evidence.filter((piece) => piece.source === source.id).map((piece) => piece.seen));
    const revision: Revision | undefined = revisionAt(doc, Number.isFinite(seen) ? seen : look.at);
    const at = new Date(look.at).toISOString();
    return { doc: doc.doc, rev: revision?.rev ?? 0, at, trigger: firing.trigger, event: firing.event.key, new: isNew };
  });
}

/** The sources of a config that watch these documents, by document. */
export function sourcesOf(
  docs: readonly Doc[],
  { config, readers, access }: Pick<World, "config" | "readers" | "access">,
): Map<string, Source> {
  const byAddress = new Map(
    [...config.sources.values()].map((source) => [
      addressOf(readers.get(source.kind)?.request(source, access).url ?? ""),
      source,
    ]),
  );
  return new Map(
    docs.flatMap((doc): [string, Source][] => {
      const source = byAddress.get(addressOf(doc.url));
      return source ? [[doc.doc, source]] : [];
    }),
  );
}

/** A queue by time; what was planned first goes first. */
class Agenda<T> {
  private readonly heap: { at: Instant; order: number; one: T; regular: boolean }[] = [];
  private order = 0;

  plan(at: Instant | undefined, one: T, regular = true): void {
    if (at === undefined) return;
    this.heap.push({ at, order: this.order++, one, regular });
    let child = this.heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.before(child, parent)) break;
      this.swap(child, parent);
      child = parent;
    }
  }

  next(): { at: Instant; one: T; regular: boolean } | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (!first || !last) return undefined;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    return first;
  }

  private sink(): void {
    for (let parent = 0; ; ) {
      const least = [2 * parent + 1, 2 * parent + 2]
        .filter((child) => child < this.heap.length)
        .reduce((best, child) => (this.before(child, best) ? child : best), parent);
      if (least === parent) return;
      this.swap(least, parent);
      parent = least;
    }
  }

  private before(a: number, b: number): boolean {
    const [left, right] = [this.heap[a], this.heap[b]];
    return (
      left !== undefined &&
      right !== undefined &&
      (left.at < right.at || (left.at === right.at && left.order < right.order))
    );
  }

  private swap(a: number, b: number): void {
    const [left, right] = [this.heap[a], this.heap[b]];
    if (left && right) [this.heap[a], this.heap[b]] = [right, left];
  }
}
