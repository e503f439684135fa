import type { Noise } from "../change.ts";
import type { CheckStatus, PendingSighting, Trouble } from "../check.ts";
import type { ClaimState, ClaimStatus } from "../claim.ts";
import type { Event, Happening } from "../event.ts";
import type { Firing } from "../firing.ts";
import type { Gave } from "../gave.ts";
import type { Holds } from "../reading.ts";
import type { Instant } from "../time.ts";
import type { Copy } from "./archive.ts";
import type { Response, Validators } from "./fetch.ts";
import type { MessageStore } from "./messages.ts";
import type { RecheckChange, RecheckStore, StoredAnswer, StoredComment } from "./rechecks.ts";
import type { RepositoryChange } from "./registry.ts";

/** A source as it is remembered, without its texts: enough to schedule it and to ask conditionally. */
export interface Watch {
  readonly source: string;
  /** Digest of kind, address and options: with another one, the source is read anew. */
  readonly subject: string;
  /**
   * Digest of kind and address: with another one, nothing is remembered. Where it stays, kept responses are read with
   * new options.
   */
  readonly address?: string;
  readonly validators?: Validators;
  /** SHA-256 of the body of the last response that was read, in hexadecimal digits. */
  readonly hash?: string;
  readonly firstSeen?: Instant;
  readonly lastLook?: Instant;
  readonly lastSeen?: Instant;
  /** The days on which it was seen, of the last 128, in the form that `daysSeen` in `watch/watch.ts` describes. */
  readonly seenDays?: string;
  readonly next: Instant;
  readonly looks: number;
  readonly unknown: number;
  readonly trouble?: Trouble;
  /** Times of looks in a row that said "gone"; emptied by any other answer. */
  readonly goneAt: readonly Instant[];
  readonly gone: boolean;
  /** Since when it is back, and how many times it was gone by then. */
  readonly back?: { readonly at: Instant; readonly times: number };
  /** Where a permanent redirect led at the last look that was judged. */
  readonly moved?: string;
  /** Something that the last look saw waits for a second one. */
  readonly pending: boolean;
  /** When a value that came back is to be told, if it stays: even the same response is judged then. */
  readonly returned?: Instant;
  /** When the source last told something new: the date of its newest item, else when a change was seen. */
  readonly lastChange?: Instant;
  /** Digest of the claims that the last reading was proved against; when config changes them, it is read again. */
  readonly proved?: string;
  /** The page that was read last, where nothing of it waits: one that reads the same need not be compared. */
  readonly lastRead?: LastRead;
  /** Its size when it was last seen. */
  readonly gave?: Gave;
  /** Set for a source that announces products and names no version of them, or none any more. */
  readonly unnamed?: Unnamed;
  /** How long what was read last holds, where the source said so. */
  readonly holds?: Holds;
  /** Where its first look is, or was, to be compared with a copy near the audit. */
  readonly past?: Past;
  /** Where claims that a later look does not find are, or were, to be judged by such a copy. */
  readonly claimsPast?: Past;
}

/** The newest entry of a list that names no version, and the version that it named last, if it ever did. */
export interface Unnamed {
  readonly newest: string;
  readonly last?: string;
  /** The entry has a title alone, and no tag. */
  readonly titled?: true;
}

/** A reading, by its digest. */
export interface LastRead {
  readonly digest: string;
  /** Of the response that read so last, where its reader tells one. */
  readonly fingerprint?: string;
  /** In what part of the page the content stood. */
  readonly region?: string;
}

/** The past of a source, as far as an archive has it. */
export interface Past {
  /** The copy that was compared with. */
  readonly copy?: Copy;
  /** Why it was not, or is not yet, compared with any: a fragment of a sentence, in our own words. */
  readonly says?: string;
  /** How often the archive was asked. */
  readonly tries: number;
  /** When it is asked; undefined once that is settled. */
  readonly next?: Instant;
}

/** Where an archive shows a change: the note of what was found there, asked of it, and is still to be asked. */
export interface ArchivedChange {
  readonly source: string;
  /** When the change was first seen, as its evidence has it. */
  readonly seen: Instant;
  /** Copies that show the page as it was before, and as it is since. */
  readonly before?: Copy;
  readonly after?: Copy;
  /** The change is what differs between the copy before and the page: nobody saw it happen. */
  readonly isBaseline?: true;
  /** When the archive was asked to make a copy, which it is once. */
  readonly requested?: Instant;
  /** Why one of both is missing: a fragment of a sentence, in our own words. */
  readonly says?: string;
  /** How often the archive was asked for them. */
  readonly tries: number;
  /** When it is asked again; undefined once that is settled. */
  readonly next?: Instant;
}

/** A look that was begun. */
export interface BegunLook {
  readonly source: string;
  readonly began: Instant;
}

/** A response that was kept, so that a better reader can be run over it. */
export interface Snapshot {
  readonly source: string;
  readonly at: Instant;
  readonly hash: string;
  readonly readerVersion: number;
  readonly response: Response;
}

/** A look as it is kept for `explain`. Unchanged looks are only counted. */
export interface LookRecord {
  readonly source: string;
  readonly at: Instant;
  /** When its answer came, where that was for another one who asked for the same. */
  readonly fetched?: Instant;
  readonly outcome: CheckStatus;
  readonly failure?: Trouble;
  readonly sightings: readonly PendingSighting[];
  readonly noise: readonly Noise[];
  /** Every event that counted, whether or not anything listens to it: the first of them, their texts cut. */
  readonly happenings?: readonly Happening[];
  /** How many events, sightings and pieces of noise were left out, where there were too many to keep. */
  readonly left?: number;
  /** Where a permanent redirect led. */
  readonly moved?: string;
}

/** An event seen in a source. `baseline`: it was there at the first look and dated before the audit, or undated. */
export interface EventSighting {
  readonly key: string;
  readonly source: string;
  readonly seen: Instant;
  readonly baseline: boolean;
  readonly event: Event;
}

export interface StoredFiring extends Firing {
  readonly id: number;
  /** The recheck it feeds, once planned. */
  readonly recheck?: number;
  /** The weight it had when it last joined a recheck: one that turned contrary since is news. */
  readonly told?: Firing["weight"];
  /** When it last joined a recheck: answers before that were given without it. */
  readonly joined?: Instant;
}

/** Everything that one look which saw something leaves behind; kept together or not at all. */
export interface LookResult {
  readonly watch: Watch;
  readonly look: LookRecord;
  /** Compare's memory, as JSON. Undefined leaves it as it was. */
  readonly memory?: string;
  readonly snapshot?: Snapshot;
  readonly claims: readonly ClaimState[];
  readonly events: readonly EventSighting[];
  /** New firings, and firings that got evidence: merged by trigger and event key. */
  readonly firings: readonly Firing[];
}

/** Reads and writes of one transaction. */
export interface Transaction {
  /** Where these events were seen before. */
  sightings(keys: readonly string[]): Promise<EventSighting[]>;
  /** Every event of a product that was seen: the set its versions are compared with. */
  sightingsOf(product: string): Promise<EventSighting[]>;
  /** The firings of these event keys, of any trigger. */
  firingsOf(keys: readonly string[]): Promise<StoredFiring[]>;
  /** Statuses of the claims of these sources, by `source/claim`. */
  claims(of: readonly string[]): Promise<ClaimState[]>;
  keep(kept: LookResult): Promise<void>;
  /** Keeps firings that time alone caused, without a look; merged like those of `keep`. */
  fire(firings: readonly Firing[]): Promise<void>;
  /** Keeps the note of a change, in place of an earlier note of the same one. */
  keepArchived(change: ArchivedChange): Promise<void>;
  /** Sets what the change names; empties what it names as undefined. */
  updateRecheck(id: number, change: RecheckChange): Promise<void>;
  addAnswers(answers: readonly Omit<StoredAnswer, "id">[]): Promise<void>;
  settleAnswers(ids: readonly number[], at: Instant): Promise<void>;
  /** Deletes answers for good. */
  withdrawAnswers(ids: readonly number[]): Promise<void>;
  /** Suspends answers while the pull request that was closed with them stays closed; without one they count again. */
  suspend(ids: readonly number[], pull: number | undefined): Promise<void>;
  /** A marker that is there already is the same comment again, and is left as it is. */
  say(comment: Omit<StoredComment, "id">): Promise<void>;
  /** Makes these sources due at once, also those that are being looked at, if that look began before `at`. */
  hurry(sources: readonly string[], at: Instant): Promise<void>;
  /** Changes the repository's own state, if it is known; empties what the change names as undefined. */
  updateRepository(change: RepositoryChange): Promise<void>;
  /** A delivery is done: it leaves the queue, and is known should it come again. */
  finish(delivery: string): Promise<void>;
}

/** All that is remembered of one repository. Every row carries the repository's key. */
export interface Store extends LookStore, RecheckStore, MessageStore {
  /**
   * Runs one transaction; transactions of a repository come one after the other. `work` may be run several times, where
   * the database undoes what it did: it changes nothing but by `tx`. *at once*: it is durable when this returns. *soon*:
   * it survives the end of this program, and a crash of the machine only after a later commit that is durable; meant for
   * what can be learned again, before anybody was told of it.
   */
  commit<T>(work: (tx: Transaction) => Promise<T>, durable?: "at once" | "soon"): Promise<T>;
}

/** Remembers sources: watches, snapshots, looks, claims, and the firings that looks caused. */
export interface LookStore {
  /** Soonest due first. `of`: those of these sources alone. */
  watches(of?: readonly string[]): Promise<Watch[]>;
  /** The watches whose next look is due by then, or whose last one began after `lookedAfter`; soonest due first. */
  dueWatches(by: Instant, lookedAfter: Instant): Promise<Watch[]>;
  /** The watches whose past an archive is to be asked for by then. */
  pastWatches(by: Instant): Promise<Watch[]>;
  /** When the last look until then began; undefined where none has. */
  lastLook(until: Instant): Promise<Instant | undefined>;
  /**
   * A digest of the sources of a config, of each of which there is a watch, and of no other; empty where that is not
   * known.
   */
  roster(): Promise<string | undefined>;
  saveRoster(digest: string): Promise<void>;
  /** Compare's memory of a source, as JSON. */
  memory(source: string): Promise<string | undefined>;
  /** The newest snapshots of a source, newest first. */
  snapshots(source: string, limit: number): Promise<Snapshot[]>;
  /** The version of the reader of the newest snapshot of a source, where there is one. */
  readBy(source: string): Promise<number | undefined>;
  /** The newest looks at a source, newest first. `seen`: of those that saw it. */
  looks(source: string, limit: number, which?: "seen"): Promise<LookRecord[]>;
  /** Statuses of claims, by `source/claim`. `of`: those of these sources alone. */
  claims(of?: readonly string[]): Promise<ClaimState[]>;
  /** The claims that have this status. */
  claimsThatAre(status: ClaimStatus): Promise<ClaimState[]>;
  /** All firings, newest last. */
  firings(): Promise<StoredFiring[]>;
  events(source: string): Promise<EventSighting[]>;
  /** Oldest first. */
  archivedChanges(): Promise<ArchivedChange[]>;
  /**
   * Notes that looks at these sources are under way, and those at others have ended: at all others, or at the ones that
   * are named. Saving its watch ends one as well.
   */
  attempt(sources: readonly string[], at: Instant, ended?: readonly string[]): Promise<void>;
  /** The looks that a program began and did not live to end, by source. */
  died(): Promise<BegunLook[]>;
  /** Looks that changed nothing: counters and due times only, in one write, kept as by a commit that is *soon*. */
  touch(watches: readonly Watch[]): Promise<void>;
  /**
   * Forgets sources that are not in config any more. They are not among `watches` until saved again; their rows stay
   * for half a year after their last look.
   */
  forget(sources: readonly string[]): Promise<void>;
  /** All that is remembered of a source and of its claims is from now on remembered of it under another id. */
  rename(from: string, to: string): Promise<void>;
}
