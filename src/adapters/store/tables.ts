import type { Generated, Kysely, RawBuilder } from "kysely";
import type { JobLane } from "../../model/ports/index.ts";
import type { Begun } from "./attempts.ts";

/** The schema as it stands after the last migration; see `migrations.ts` for what the columns mean. */
export interface Tables {
  watch: {
    repository: string;
    source: string;
    subject: string;
    next: number;
    forgotten: number;
    looked: number;
    hurried: Generated<number>;
    past: Generated<number | null>;
    rest: string;
  };
  roster: { repository: string; digest: string };
  memory: { repository: string; source: string; subject: string; memory: string };
  snapshot: {
    id: Generated<number>;
    repository: string;
    source: string;
    at: number;
    hash: string;
    reader: number;
    url: string;
    status: number;
    headers: string;
    body: Uint8Array;
  };
  look: { id: Generated<number>; repository: string; source: string; at: number; outcome: string; rest: string };
  claim: { repository: string; claim: string; status: string; rest: string };
  event_sighting: {
    repository: string;
    key: string;
    source: string;
    product: string | null;
    seen: number;
    baseline: number;
    event: string;
  };
  firing: {
    id: Generated<number>;
    repository: string;
    trigger: string;
    key: string;
    weight: string;
    seen: number;
    fired: number;
    event: string;
    recheck: number | null;
    told: string | null;
    joined: number | null;
  };
  evidence: {
    id: Generated<number>;
    repository: string;
    firing: number;
    source: string;
    digest: string;
    seen: number;
    rest: string;
  };
  archived_change: { repository: string; source: string; seen: number; rest: string };
  message: {
    id: Generated<number>;
    repository: string;
    channel: string;
    key: string;
    state: string;
    next: number;
    attempted: number | null;
    rest: string;
  };
  recheck: {
    id: Generated<number>;
    repository: string;
    trigger: string;
    state: string;
    marker: string;
    issue: number | null;
    attempted: number | null;
    titled: string | null;
    opened: number;
    closed: number | null;
    written: string | null;
    tells: string | null;
    refused: string | null;
    previous: number | null;
    snoozed: string | null;
    verdict: string | null;
    said: number | null;
    gone: number | null;
    pull: string | null;
  };
  answer: {
    id: Generated<number>;
    repository: string;
    recheck: number;
    rating: string;
    verdict: string;
    level: string | null;
    because: string | null;
    by: string;
    at: number;
    settled: number | null;
    comment: number | null;
    pull: number | null;
  };
  comment: {
    id: Generated<number>;
    repository: string;
    recheck: number | null;
    issue: number | null;
    marker: string;
    body: string;
    planned: Generated<number | null>;
    attempted: number | null;
    done: number;
  };
  creation: { id: Generated<number>; repository: string; at: number };
  repository: { id: number; name: string; config: string | null; rest: string; next: Generated<number> };
  delivery: {
    number: Generated<number>;
    id: string;
    repository: number | null;
    installation: Generated<number>;
    news: string;
    received: number;
    done: number;
  };
  attempt: { repository: string; source: string; began: number; died: number };
  host_rest: { host: string; until: number; status: number };
  host_turn: { host: string; at: number };
  robots: {
    product: string;
    origin: string;
    rules: string;
    read: number;
    etag: string | null;
    modified: string | null;
  };
}

/** Does what each kind of database does in a way of its own. */
export interface Engine {
  /**
   * Has a transaction wait for every other one that holds any of these names, until that has ended. A name is the key
   * of a repository, or of what all share.
   */
  hold(transaction: Kysely<Tables>, ...names: readonly string[]): Promise<void>;
  /** Asks for work in the transaction that gives rise to it, where processes share it by a queue. */
  ask?(transaction: Kysely<Tables>, lane: JobLane): Promise<void>;
  /** Completes, with the transaction, the job that it is part of. */
  complete?(transaction: Kysely<Tables>): Promise<void>;
  /** Notes what is under way in a repository, together with what others note; else each by itself. */
  note?(repository: string, begun: Begun): Promise<void>;
  /** A field of a column that holds JSON. */
  field<T>(column: string, name: string): RawBuilder<T>;
  /** Runs a transaction: its work may be done again from the beginning, where another one was in the way. */
  together<T>(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs a transaction whose work outlives this program, and need not outlive the machine. */
  unsynced(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>;
}

/** Where a query runs (the database, or a transaction on it) and whose rows it may see. */
export interface Scope {
  readonly db: Kysely<Tables>;
  /** The number of one that an App serves, as text, or the name of any other. */
  readonly repository: string;
}

/** How many values go into one statement; SQLite allows 32,766 parameters. */
const chunkSize = 500;

export function chunks<T>(values: readonly T[]): T[][] {
  const pieces: T[][] = [];
  for (let at = 0; at < values.length; at += chunkSize) pieces.push(values.slice(at, at + chunkSize));
  return pieces;
}

type Value = string | number | boolean | undefined;

/** A partial change as columns: what it names is set, and what it names as undefined is emptied. */
export function columns(change: Readonly<Record<string, Value>>): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : (value ?? null)]),
  );
}
