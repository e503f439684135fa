import { createPlace, type InTurn, sideBySide } from "../model/concurrency.ts";
import { Failure } from "../model/failure.ts";
import type { Fetch, Place } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { World } from "./check.ts";

/**
 * Runs checks in parallel, but those of one host one after the other. A check takes a place when it fetches, and
 * releases it when its outcome is stored. Every check is noted before it fetches, so that the next run knows which
 * checks were running if the program dies.
 */

type Group = readonly Source[];

/** Limit of hosts at once. Most only wait for a pause, and each takes little memory. */
const maxHosts = 4_000;

export interface UnderWay {
  /** The fetch for this check, which takes the place when its turn comes. */
  fetching(fetch: Fetch): Fetch;
  /** Whether the scan was stopped when its turn came, so that nothing was fetched. */
  isTooLate(): boolean;
}

export interface UnderWayOptions {
  readonly world: Pick<World, "store" | "clock" | "readers" | "access">;
  readonly stopped?: () => boolean;
  readonly atOnce: number;
  readonly turn: InTurn;
}

/** Runs hosts in parallel and the groups of one host in order, until an error. @throws the first error of `work` */
export async function eachHost(
  groups: readonly Group[],
  { world, stopped, atOnce, turn }: UnderWayOptions,
  work: (group: Group, under: UnderWay) => Promise<void>,
): Promise<void> {
  // A check that is to run alone is noted alone: if the program dies, only that one is to blame.
  const notes = createNotes(atOnce === 1 ? 0 : atOnce, world);
  let isBroken = false;
  const isStopped = () => isBroken || (stopped?.() ?? false);
  const inTurn = async (group: Group, line: Line) => {
    let tooLate = false;
    const place = createPlace(turn, async () => {
      tooLate = isStopped();
      if (tooLate) throw new Failure("deferred", { why: "Recheck is stopping" });
      await notes.begin(group, line);
    });
    try {
      await work(group, { fetching: (fetch) => fetchIn(place, fetch), isTooLate: () => tooLate });
    } catch (error) {
      isBroken = true;
      throw error;
    } finally {
      notes.end(group);
      place.leave();
    }
  };
  const byHost = Map.groupBy(groups, ([first]) => (first ? hostOf(first, world) : ""));
  await sideBySide([...byHost.values()], maxHosts, isStopped, async (queue) => {
    const line: Line = { queue, noted: 0 };
    for (const [position, group] of queue.entries()) {
      if (isStopped()) return;
      // A group that made no request, because of robots.txt, was not noted either.
      line.noted = Math.max(line.noted, position);
      await inTurn(group, line);
    }
    notes.leave(line);
  });
}

/** Also takes the place for a response that needed no request. */
function fetchIn(place: Place, fetch: Fetch): Fetch {
  return {
    ...fetch,
    async get(request, options) {
      const fetched = await fetch.get(request, { ...options, place });
      await place.take();
      return fetched;
    },
  };
}

export function hostOf(source: Source, { readers, access }: Pick<World, "readers" | "access">): string {
  const url = readers.get(source.kind)?.request(source, access).url ?? "";
  return URL.parse(url)?.host ?? url;
}

/** The groups of one host in order, and how many of them were noted. */
interface Line {
  readonly queue: readonly Group[];
  noted: number;
}

/**
 * Writes the notes, each with up to `ahead` groups that have not begun. Groups that begin during a write go into the next
 * one, together with those that have ended.
 */
function createNotes(ahead: number, { store, clock }: UnderWayOptions["world"]) {
  const noted = new Map<Group, Promise<void>>();
  const begun: Group[] = [];
  const ended: Group[] = [];
  let isFirst = true;
  const lines = new Set<Line>();
  let isBeginning = false;
  let writing: Promise<void> = Promise.resolve();

  function note({ queue, noted: position }: Line): boolean {
    const next = queue[position];
    if (next) {
      noted.set(next, writing);
      begun.push(next);
    }
    return next !== undefined;
  }

  async function write(): Promise<void> {
    isBeginning = false;
    let places = ahead;
    for (let isNoted = true; isNoted && places > 0; ) {
      isNoted = false;
      for (const line of lines) {
        if (places <= 0 || !note(line)) continue;
        line.noted++;
        places--;
        isNoted = true;
      }
    }
    // The first note replaces all earlier ones.
    const gone = isFirst ? undefined : idsOf(ended);
    const begunIds = idsOf(begun);
    isFirst = false;
    begun.length = 0;
    ended.length = 0;
    await store.attempt(begunIds, clock.now(), gone);
  }

  return {
    /** Resolves once the group is noted. One write notes it together with the next groups of all active lines. */
    begin(group: Group, line: Line): Promise<void> {
      const noting = noted.get(group);
      if (noting) return noting;
      if (!isBeginning) writing = writing.then(write);
      isBeginning = true;
      lines.add(line);
      note(line);
      line.noted++;
      return writing;
    },
    end(group: Group): void {
      if (noted.delete(group)) ended.push(group);
    },
    /** Stops noting groups of this line in advance. */
    leave: (line: Line) => void lines.delete(line),
  };
}

function idsOf(groups: readonly Group[]): string[] {
  return groups.flatMap((group) => group.map(({ id }) => id));
}
