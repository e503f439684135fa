/** What the core asks of the world. Adapters answer; `wire.ts` picks them. */
import type { ClaimState, Event, Firing, Instant, Noise, Outcome, Seen, Sighting, Trouble } from "./model.ts";
import type { Request, Response } from "./read/reader.ts";

export interface Clock {
  now(): Instant;
}

// ── Fetch ──────────────────────────────────────────────────────────────────────────────────────

/** What makes the next request conditional. An ETag belongs to the token it came with. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
  /** A digest of the token that the ETag came with, never the token. */
  readonly token?: string;
}

export type Fetched =
  | { readonly kind: "not-modified" }
  | {
      readonly kind: "response";
      readonly response: Response;
      readonly validators: Validators;
      /** SHA-256 of the decompressed body, hex. */
      readonly hash: string;
      /** Where a permanent redirect (301, 308) led, if the whole chain was permanent. */
      readonly moved?: string;
    };

export interface FetchOptions {
  readonly validators?: Validators;
  /** Statuses beside 2xx that are answers, not failures. */
  readonly answers?: readonly number[];
  /** Ask robots.txt first. */
  readonly robots?: boolean;
}

/** One polite, guarded, capped request. @throws Failure */
export interface Fetch {
  get(request: Request, options: FetchOptions): Promise<Fetched>;
  /** Requests to GitHub's API that may still be made within this hour; undefined with a token. */
  githubAllowance(): number | undefined;
  close(): Promise<void>;
}

// ── Store ──────────────────────────────────────────────────────────────────────────────────────

/** What is remembered of a source, without its texts: enough to schedule it and to ask conditionally. */
export interface Watch {
  readonly source: string;
  /** Kind and address: when config changes either, the source starts anew. */
  readonly subject: string;
  readonly validators?: Validators;
  /** Of the last response that was read. */
  readonly hash?: string;
  readonly firstSeen?: Instant;
  readonly lastLook?: Instant;
  readonly lastSeen?: Instant;
  readonly next: Instant;
  readonly looks: number;
  readonly unknown: number;
  readonly trouble?: Trouble;
  /** Times of looks in a row that said "gone"; emptied by any other answer. */
  readonly goneAt: readonly Instant[];
  readonly gone: boolean;
  /** A second look confirms what the last one saw. */
  readonly pending: boolean;
  /** When the source last told something new: the date of its newest item, else when a change was seen. */
  readonly lastChange?: Instant;
  /** Digest of the claims that the last reading was proved against; when config changes them, it is read again. */
  readonly proved?: string;
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
  readonly outcome: Outcome;
  readonly failure?: Trouble;
  readonly sightings: readonly Sighting[];
  readonly noise: readonly Noise[];
  /** What counted, whether or not anything listens to it: the first of them, their texts cut. */
  readonly changes?: readonly Seen[];
  /** How many changes, sightings and noise were left out, where there were too many. */
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
}

export interface StoredRecheck {
  readonly id: number;
  readonly trigger: string;
  readonly state: "open" | "closed";
  /** A random word in the issue's hidden marker, by which it is found again. */
  readonly marker: string;
  /** The issue's number once it is known. */
  readonly issue?: number;
  /** When its creation was first sent: from then on the marker is looked for before another try. */
  readonly attempted?: Instant;
  readonly opened: Instant;
  readonly closed?: Instant;
  /** SHA-256 of the body that was written last. */
  readonly written?: string;
  /** The closed recheck of the same trigger before this one. */
  readonly previous?: number;
}

/** A comment that must be written exactly once. */
export interface StoredComment {
  readonly id: number;
  readonly recheck: number;
  readonly marker: string;
  readonly body: string;
  readonly attempted?: Instant;
  readonly done: boolean;
}

/** Everything that one look which saw something leaves behind; kept together or not at all. */
export interface Kept {
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
  /** Statuses of claims, by `source/claim`. */
  claims(): Promise<ClaimState[]>;
  keep(kept: Kept): Promise<void>;
  /** Keeps firings that no look caused: those of time alone. Merged like those of `keep`. */
  fire(firings: readonly Firing[]): Promise<void>;
}

/** All that is remembered of one repository. Every row carries the repository's name. */
export interface Store {
  watches(): Promise<Watch[]>;
  /** Compare's memory of a source, as JSON. */
  memory(source: string): Promise<string | undefined>;
  /** Newest first. */
  snapshots(source: string, limit: number): Promise<Snapshot[]>;
  /** Newest first. */
  looks(source: string, limit: number): Promise<LookRecord[]>;
  claims(): Promise<ClaimState[]>;
  /** Newest last. */
  firings(): Promise<StoredFiring[]>;
  events(source: string): Promise<EventSighting[]>;
  /** One transaction, durable when it returns; serialised with every other. */
  commit<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Looks that changed nothing: counters and due times only, in one write. */
  touch(watches: readonly Watch[]): Promise<void>;
  /** Sources that config no longer has. Their rows stay; they are not among `watches` until they are saved again. */
  forget(sources: readonly string[]): Promise<void>;

  rechecks(state?: "open" | "closed"): Promise<StoredRecheck[]>;
  /** Opens a recheck for firings, in one transaction. @throws Error when the trigger has an open one already */
  openRecheck(recheck: Omit<StoredRecheck, "id">, firings: readonly number[]): Promise<number>;
  /** Adds firings to a recheck, with the comment that tells of them, in one transaction. */
  joinRecheck(
    recheck: number,
    firings: readonly number[],
    comment?: Omit<StoredComment, "id" | "recheck">,
  ): Promise<void>;
  /** What the change names is set; what it names as undefined is emptied. */
  updateRecheck(id: number, change: Partial<Omit<StoredRecheck, "id" | "trigger" | "marker">>): Promise<void>;
  comments(done: boolean): Promise<StoredComment[]>;
  addComment(comment: Omit<StoredComment, "id">): Promise<number>;
  updateComment(id: number, change: Partial<Pick<StoredComment, "attempted" | "done">>): Promise<void>;
  /** Creations of content on GitHub since then, for the hourly cap. */
  creations(since: Instant): Promise<number>;
  countCreation(at: Instant): Promise<void>;
}

// ── GitHub ─────────────────────────────────────────────────────────────────────────────────────

export interface Issue {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly url: string;
}

export type GitHubProblemKind =
  | "unauthorized" // 401: the token or key is not, or no longer, valid
  | "forbidden" // 403: a permission is missing
  | "slow-down" // 403 or 429: a rate limit, primary or secondary; see `resumeAt`
  | "not-found" // 404: the repository, or the App is not installed there; or one issue
  | "deleted" // 410 for one issue, or it lives in another repository now
  | "disabled" // 410: the repository has issues switched off
  | "invalid" // 422: this text or label is refused; others may pass
  | "unavailable" // 5xx: a write may have happened all the same
  | "lost"; // no answer, or half of one: a write may have happened all the same

/** Why GitHub did not do what was asked: a sentence for people, the cause for operators. */
export class GitHubProblem extends Error {
  readonly kind: GitHubProblemKind;
  /** For *slow-down*: not before. */
  readonly resumeAt?: Instant;

  constructor(kind: GitHubProblemKind, says: string, options: { resumeAt?: Instant; cause?: unknown } = {}) {
    super(says, { cause: options.cause });
    this.name = "GitHubProblem";
    this.kind = kind;
    this.resumeAt = options.resumeAt;
  }

  /** Whether what was to be written may have been written. */
  get uncertain(): boolean {
    return this.kind === "unavailable" || this.kind === "lost";
  }
}

/** The few calls that we make, on one repository. @throws GitHubProblem */
export interface GitHub {
  readonly repo: string;
  /** All open issues that carry the label `recheck`, by one request where there are at most 100. */
  openIssues(): Promise<Issue[]>;
  /** The open or closed issue whose body holds this marker, if there is one. */
  findIssue(marker: string): Promise<Issue | undefined>;
  /** *deleted* where it was moved to another repository. */
  issue(number: number): Promise<Issue>;
  /** Never retried by itself. */
  createIssue(issue: { title: string; body: string; labels: readonly string[] }): Promise<Issue>;
  updateIssue(number: number, change: { title?: string; body?: string; state?: "open" | "closed" }): Promise<void>;
  addLabels(number: number, labels: readonly string[]): Promise<void>;
  ensureLabels(labels: readonly { name: string; color: string; description: string }[]): Promise<void>;
  findComment(number: number, marker: string): Promise<boolean>;
  createComment(number: number, body: string): Promise<void>;
}
