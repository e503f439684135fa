import { createPlace, type InTurn, sideBySide } from "../model/concurrency.ts";
import { Failure } from "../model/failure.ts";
import type { Source } from "../model/model.ts";
import type { Fetch, Place } from "../model/ports/index.ts";
import type { World } from "./check.ts";

/**
 * Looks side by side, each host's one after the other. One that waits for its turn at a host holds nothing: it takes its place
 * among those under way when it asks, and leaves it when what came is kept. What is under way is noted before it is asked for:
 * whatever ends the program, it is known what it was doing.
 */

/** Sources that one request answers. */
type Group = readonly Source[];

/** Hosts between whose looks time passes, all at once: what is remembered of each is small. */
const maxHosts = 4_000;

/** The place of a group among those that are under way. */
export interface UnderWay {
  /** The same way into the web, which takes the place when it is its turn to ask. */
  fetching(fetch: Fetch): Fetch;
  /** It was its turn when there was no time left: nothing was asked. */
  isTooLate(): boolean;
}

export interface Circumstances {
  readonly world: Pick<World, "store" | "clock" | "readers" | "access">;
  readonly stopped?: () => boolean;
  /** Looks under way at once. */
  readonly atOnce: number;
  readonly turn: InTurn;
}

/** Works through groups: the hosts side by side, in the order in which each comes first, and the groups of one in their order. */
export async function eachHost(
  groups: readonly Group[],
  { world, stopped, atOnce, turn }: Circumstances,
  work: (group: Group, under: UnderWay) => Promise<void>,
): Promise<void> {
  const notes = createNotes(atOnce, world);
  const inTurn = async (group: Group, line: Line) => {
    let tooLate = false;
    const place = createPlace(turn, async () => {
      tooLate = stopped?.() ?? false;
      if (tooLate) throw new Failure("deferred", { why: "Recheck is stopping" });
      await notes.begin(group, line);
    });
    try {
      await work(group, { fetching: (fetch) => fetchingIn(place, fetch), isTooLate: () => tooLate });
    } finally {
      notes.end(group);
      place.leave();
    }
  };
  await sideBySide([...byHost(groups, world).values()], maxHosts, stopped, async (queue) => {
    const line: Line = { queue, noted: 0 };
    for (const [position, group] of queue.entries()) {
      if (stopped?.()) return;
      // A group that was never asked for, because of its robots.txt, was not noted either.
      line.noted = Math.max(line.noted, position);
      await inTurn(group, line);
    }
    notes.leave(line);
  });
}

/** A look that is answered without asking a host takes its place with the answer. */
function fetchingIn(place: Place, fetch: Fetch): Fetch {
  return {
    ...fetch,
    async get(request, options) {
      const fetched = await fetch.get(request, { ...options, place });
      await place.take();
      return fetched;
    },
  };
}

function byHost(groups: readonly Group[], world: Circumstances["world"]): Map<string, Group[]> {
  const hosts = new Map<string, Group[]>();
  for (const group of groups) {
    const [first] = group;
    const host = first ? hostOf(first, world) : "";
    const known = hosts.get(host);
    if (known) known.push(group);
    else hosts.set(host, [group]);
  }
  return hosts;
}

export function hostOf(source: Source, { readers, access }: Pick<World, "readers" | "access">): string {
  const url = readers.get(source.kind)?.request(source, access).url ?? "";
  return URL.parse(url)?.host ?? url;
}

/** The groups of one host, in their order, and how many of them were noted. */
interface Line {
  readonly queue: readonly Group[];
  noted: number;
}

/** The note of what is under way. */
interface Notes {
  /** Resolves once it is noted; with it the next ones of all lines in which something was under way, some in the same write. */
  begin(group: Group, line: Line): Promise<void>;
  /** Notes with the next write that a group is no longer under way. */
  end(group: Group): void;
  /** Nothing more of this line is noted ahead. */
  leave(line: Line): void;
}

/** Whoever begins while a note is written is in the next one, which says what began and what ended since the one before. */
function createNotes(ahead: number, { store, clock }: Circumstances["world"]): Notes {
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
    let left = ahead;
    for (let found = true; found && left > 0; ) {
      found = false;
      for (const line of lines) {
        if (left <= 0 || !note(line)) continue;
        line.noted++;
        left--;
        found = true;
      }
    }
    // The first note is in place of whatever was noted before.
    const gone = isFirst ? undefined : idsOf(ended);
    const now = idsOf(begun);
    isFirst = false;
    begun.length = 0;
    ended.length = 0;
    await store.attempt(now, clock.now(), gone);
  }

  return {
    begin(group, line) {
      const known = noted.get(group);
      if (known) return known;
      if (!isBeginning) writing = writing.then(write);
      isBeginning = true;
      lines.add(line);
      note(line);
      line.noted++;
      return writing;
    },
    end(group) {
      if (noted.delete(group)) ended.push(group);
    },
    leave: (line) => void lines.delete(line),
  };
}

function idsOf(groups: readonly Group[]): string[] {
  return groups.flatMap((group) => group.map(({ id }) => id));
}
