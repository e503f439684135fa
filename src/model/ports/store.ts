import type { Check, PendingSighting, Trouble } from "../check.ts";
import type { ClaimState, ClaimStatus } from "../claim.ts";
import type { Event, Firing, Happening } from "../firing.ts";
import type { Channel, Message } from "../message.ts";
import type { Holds } from "../reading.ts";
import type { ReadingSize } from "../reading-size.ts";
import type { Duration, Instant } from "../time.ts";
import type { Copy, Response, Validators } from "./fetch.ts";
import type { RecheckChange, RecheckStore, StoredAnswer, StoredComment } from "./rechecks.ts";
import type { RepositoryChange } from "./registry.ts";

/** The stored state of a source, without its texts: enough to schedule it and to make conditional requests. */
export interface Watch {
  readonly source: string;
  /** Digest of kind, address and options. If it changes, the source is parsed again. */
  readonly subject: string;
  /** Digest of kind and address. If it stays, stored responses are parsed with new options; else nothing is kept. */
  readonly address?: string;
  readonly validators?: Validators;
  /** SHA-256 of the body of the last response that was parsed, in hexadecimal digits. */
  readonly hash?: string;
  readonly firstSeen?: Instant;
  readonly lastCheck?: Instant;
  readonly lastSeen?: Instant;
  /** The days of the last 128 on which it was seen, in the form that `daysSeen` in `watch/watch.ts` describes. */
  readonly seenDays?: string;
  readonly next: Instant;
  readonly checks: number;
  readonly unknown: number;
  readonly trouble?: Trouble;
  /** Digest of the response that could not be read, and of its reader, if that is the trouble: it is not parsed again. */
  readonly unread?: string;
  /** Times of consecutive checks with "gone"; emptied by any other outcome. */
  readonly goneAt: readonly Instant[];
  readonly gone: boolean;
  /** Since when it is back, and how often it was gone by then. */
  readonly back?: { readonly at: Instant; readonly times: number };
  /** The target of a permanent redirect at the last check that was judged. */
  readonly moved?: string;
  /** When it was itself again after a check that saw another version of it. */
  readonly flips?: readonly Instant[];
  /** When it was last accepted as something else. */
  readonly turned?: Instant;
  /** A page of its site that is read with the second check, to see whether it made a waiting change too. */
  readonly neighbour?: string;
  /** A change seen at the last check waits for confirmation. */
  readonly pending: boolean;
  /** When a returned value or a held text is to be judged, if it lasts. Then even an identical response is judged. */
  readonly returned?: Instant;
  /** When the source last had news: the date of its newest item, else when a change was seen. */
  readonly lastChange?: Instant;
  /** Digest of the claims that the last reading was proved against. When config changes them, it is parsed again. */
  readonly proved?: string;
  /** The last reading of a page, if none of it waits. A page that reads the same needs no comparison. */
  readonly lastRead?: LastRead;
  /** Its size when it was last seen. */
  readonly gave?: ReadingSize;
  /** Set for a source that announces products but names no version of them, or no longer does. */
  readonly unnamed?: UnnamedEntry;
  /** How long the last reading is valid, if the source says so. */
  readonly holds?: Holds;
  /** When the report is to be audited for it: since its first check, and again since it was first seen. Undefined once done. */
  readonly audit?: Instant;
  /** The archived copy near the audit that its first check is, or was, compared with. */
  readonly past?: Past;
  /** The archived copy that decides, or decided, on claims that a later check does not find. */
  readonly claimsPast?: Past;
}

/** The newest entry of a list without a version, and the last version that the list named, if any. */
export interface UnnamedEntry {
  readonly newest: string;
  readonly last?: string;
  /** The entry has only a title, and no tag. */
  readonly titled?: true;
}

export interface LastRead {
  readonly digest: string;
  readonly fingerprint?: string;
  /** The part of the page with the content. */
  readonly region?: string;
}

/** The past of a source, if an archive has it. */
export interface Past {
  readonly copy?: Copy;
  /** Why there was no comparison, or not yet: a fragment of a sentence, in our own words. */
  readonly says?: string;
  /** How often the archive was asked. */
  readonly tries: number;
  /** When it is asked next; undefined once that is settled. */
  readonly next?: Instant;
}

/** Archived evidence of a change: the copies found, and the requests made or still to be made. */
export interface ArchivedChange {
  readonly source: string;
  /** When the change was first seen, as in its evidence. */
  readonly seen: Instant;
  readonly before?: Copy;
  readonly after?: Copy;
  /** The change is the difference between the earlier copy and the page. Nobody saw it happen. */
  readonly isBaseline?: true;
  /** When the archive was asked to make a copy, which happens once. */
  readonly requested?: Instant;
  /** Why one of them is missing: a fragment of a sentence, in our own words. */
  readonly says?: string;
  /** How often the archive was asked for them. */
  readonly tries: number;
  /** When it is asked again; undefined once that is settled. */
  readonly next?: Instant;
}

export interface BegunCheck {
  readonly source: string;
  readonly began: Instant;
}

/** A stored response, so that a better reader can parse it again. */
export interface Snapshot {
  readonly source: string;
  readonly at: Instant;
  readonly hash: string;
  readonly readerVersion: number;
  readonly response: Response;
}

/** A check as stored for `explain`. Unchanged checks are only counted. */
export interface CheckRecord extends Pick<Check, "source" | "at" | "outcome" | "failure" | "noise"> {
  readonly sightings: readonly PendingSighting[];
  /** Every event that counted, even if no trigger listens to it: the first ones, with shortened texts. */
  readonly happenings?: readonly Happening[];
  /** How many events, sightings and pieces of noise were left out because there were too many. */
  readonly left?: number;
  /** The target of a permanent redirect. */
  readonly moved?: string;
}

/** An event seen in a source. `baseline`: it was there at the first check and dated before the audit, or undated. */
export interface EventSighting {
  readonly key: string;
  readonly source: string;
  readonly seen: Instant;
  readonly baseline: boolean;
  readonly event: Event;
}

export interface StoredFiring extends Firing {
  readonly id: number;
  /** The recheck that it feeds, once planned. */
  readonly recheck?: number;
  /** Its weight when it last joined a recheck. If it turned contrary since, that is news. */
  readonly reported?: Firing["weight"];
  /** When it last joined a recheck. Earlier answers did not consider it. */
  readonly joined?: Instant;
}

/** Everything that one successful check stores, in one transaction. */
export interface CheckResult {
  readonly watch: Watch;
  readonly check: CheckRecord;
  /** The memory for comparisons, as JSON. Undefined leaves it unchanged. */
  readonly memory?: string;
  readonly snapshot?: Snapshot;
  readonly claims: readonly ClaimState[];
  readonly events: readonly EventSighting[];
  /** New firings, and firings with new evidence: merged by trigger and event key. */
  readonly firings: readonly Firing[];
}

export interface Transaction {
  /** Where these events were seen before. */
  sightings(keys: readonly string[]): Promise<EventSighting[]>;
  /** Every event of a product that was seen: the set that its versions are compared with. */
  sightingsOf(product: string): Promise<EventSighting[]>;
  firingsOf(keys: readonly string[]): Promise<StoredFiring[]>;
  /** Statuses of the claims of these sources, by `source/claim`. */
  claims(of: readonly string[]): Promise<ClaimState[]>;
  keep(kept: CheckResult): Promise<void>;
  /** Stores firings that time alone caused, without a check; merged like those of `keep`. */
  fire(firings: readonly Firing[]): Promise<void>;
  /** Notes when the first audit of these sources is due; undefined if it is done. */
  noteAudit(sources: readonly string[], due: Instant | undefined): Promise<void>;
  /** Stores the note of a change, replacing an earlier one. */
  keepArchived(change: ArchivedChange): Promise<void>;
  /** Sets the fields of the change; undefined empties a field. */
  updateRecheck(id: number, change: RecheckChange): Promise<void>;
  addAnswers(answers: readonly Omit<StoredAnswer, "id">[]): Promise<void>;
  settleAnswers(ids: readonly number[], at: Instant): Promise<void>;
  /** Deletes answers permanently. */
  withdrawAnswers(ids: readonly number[]): Promise<void>;
  /** Suspends answers while the pull request that was closed with them stays closed; without one they count again. */
  suspend(ids: readonly number[], pull: number | undefined): Promise<void>;
  /** A marker that already exists means the same comment, which is left unchanged. */
  say(comment: Omit<StoredComment, "id">): Promise<void>;
  /** Makes these sources due at once, also those that are being checked, if that check began before `at`. */
  hurry(sources: readonly string[], at: Instant): Promise<void>;
  /** Changes the repository's own state, if it is known; undefined empties a field. */
  updateRepository(change: RepositoryChange): Promise<void>;
  /** Removes a finished delivery from the queue, and remembers it in case it is sent again. */
  finish(delivery: string): Promise<void>;
}

/** Everything stored about one repository. Every row has the repository's key. */
export interface Store extends SourceStore, RecheckStore, MessageStore {
  /**
   * Runs one transaction; transactions of a repository run one after the other. `work` may run several times, if the database
   * rolls back, so it may change nothing except through `tx`. *at once*: durable on return. *soon*: survives the end of this
   * program, but a crash of the machine only after a later durable commit. It is for data that can be learned again.
   */
  commit<T>(work: (tx: Transaction) => Promise<T>, durable?: "at once" | "soon"): Promise<T>;
}

/** Stores sources: watches, snapshots, checks, claims, and the firings that checks caused. */
export interface SourceStore {
  /** Soonest due first. `of`: only those of these sources. */
  watches(of?: readonly string[]): Promise<Watch[]>;
  /** The watches whose next check is due by then, or whose last one began after `checkedAfter`; soonest due first. */
  dueWatches(by: Instant, checkedAfter: Instant): Promise<Watch[]>;
  /** The watches for which an archive is to be asked by then. */
  pastWatches(by: Instant): Promise<Watch[]>;
  auditsDue(by: Instant): Promise<string[]>;
  /** When the last check before `until` began; undefined if there was none. */
  lastCheck(until: Instant): Promise<Instant | undefined>;
  /** A digest of a config's sources, if the stored watches are exactly theirs; empty if that is not known. */
  roster(): Promise<string | undefined>;
  saveRoster(digest: string): Promise<void>;
  /** The memory for comparisons of a source, as JSON. */
  memory(source: string): Promise<string | undefined>;
  /** The newest snapshots of a source, newest first. */
  snapshots(source: string, limit: number): Promise<Snapshot[]>;
  /** The reader's version of the newest snapshot of a source, if there is one. */
  readBy(source: string): Promise<number | undefined>;
  /** The newest checks of a source, newest first. `seen`: only successful ones. */
  checks(source: string, limit: number, which?: "seen"): Promise<CheckRecord[]>;
  /** Statuses of claims, by `source/claim`. `of`: only those of these sources. */
  claims(of?: readonly string[]): Promise<ClaimState[]>;
  claimsThatAre(status: ClaimStatus): Promise<ClaimState[]>;
  /** All firings, oldest first. */
  firings(): Promise<StoredFiring[]>;
  events(source: string): Promise<EventSighting[]>;
  /** Oldest first. */
  archivedChanges(): Promise<ArchivedChange[]>;
  /** Notes that checks of these sources run, and that all others, or those named, ended. Saving a watch ends one. */
  attempt(sources: readonly string[], at: Instant, ended?: readonly string[]): Promise<void>;
  /** The checks that were running when a program died, by source. */
  died(): Promise<BegunCheck[]>;
  /** Checks that changed nothing: only counters and due times, in one write that is durable *soon*. */
  touch(watches: readonly Watch[]): Promise<void>;
  /** Forgets sources that left config until they are saved again. Their rows are kept for half a year. */
  forget(sources: readonly string[]): Promise<void>;
  /** Moves everything stored about a source and its claims to another id. */
  rename(from: string, to: string): Promise<void>;
}

/** An answer of a registry of works. */
export interface RememberedAnswer {
  readonly question: string;
  readonly read: Instant;
  /** JSON, as `works/remembered.ts` writes it. */
  readonly answer: string;
}

/** Remembers the answers of registries beyond one run, for all reports. */
export interface AnswerMemory {
  answers(questions: readonly string[]): Promise<readonly RememberedAnswer[]>;
  saveAnswers(answers: readonly RememberedAnswer[]): Promise<void>;
}

/** Carries messages to people. */
export interface Courier {
  /** Why a channel cannot be used: its variable is not set, or has no valid address. */
  unready(channel: Channel): string | undefined;
  /** Tries once. `id` is the same at each try. Never throws. */
  send(channel: Channel, message: Message, id: string): Promise<SendOutcome>;
  close(): Promise<void>;
}

/** The outcome of a try. *refused*: not delivered. *unheard*: unknown. *gone*: the receiver wants no more messages. */
export type SendOutcome =
  | { readonly kind: "sent"; readonly says?: string }
  | { readonly kind: "refused"; readonly says: string; readonly wait?: Duration }
  | { readonly kind: "unheard" | "gone"; readonly says: string };

export interface StoredMessage {
  readonly id: number;
  readonly channel: string;
  /** Unique within its channel, so that nothing is sent twice. */
  readonly key: string;
  readonly planned: Instant;
  readonly next: Instant;
  readonly state: MessageState;
  /** When a try began whose outcome was not noted. */
  readonly attempted?: Instant;
  readonly tries: number;
  /** Why it is not delivered yet, or never will be. */
  readonly says?: string;
  readonly firings: readonly number[];
  readonly message: Message;
}

/** *dead*: given up. *unheard*: perhaps delivered, and not sent again. */
export const messageStates = ["waiting", "sent", "dead", "unheard"] as const;
export type MessageState = (typeof messageStates)[number];

export type NewMessage = Pick<StoredMessage, "channel" | "key" | "planned" | "firings" | "message">;
export type MessageChange = Partial<Pick<StoredMessage, "next" | "state" | "attempted" | "tries" | "says">>;

/** The outbox of messages to people outside GitHub. */
export interface MessageStore {
  /** Messages to people, oldest first. */
  messages(): Promise<StoredMessage[]>;
  /** Stores messages to send. A message whose key its channel already has is left out. */
  addMessages(messages: readonly NewMessage[]): Promise<void>;
  /** Sets the fields of the change; undefined empties a field. */
  updateMessage(id: number, change: MessageChange): Promise<void>;
}
