import type { Instant } from "../time.ts";

/** A question to people, put in one issue. */
export type StoredRecheck = RecheckRecord & RecheckState;

/** The fields of a recheck in any state. */
export interface RecheckRecord {
  readonly id: number;
  readonly trigger: string;
  /** A random word in the issue's hidden marker, used to find the issue again. */
  readonly marker: string;
  readonly opened: Instant;
  /** The closed recheck of the same trigger before this one. */
  readonly previous?: number;
  /** When the issue's creation was first sent. From then on the marker is searched for before another try. */
  readonly attempted?: Instant;
  /** The title that was sent last. If the issue has another one, a person changed it. */
  readonly titled?: string;
  /** SHA-256 of the section that was written last. */
  readonly written?: string;
  /** The hidden line of the section that was written last, with the events that it reported. */
  readonly reported?: string;
  /** GitHub does not let us write to its issue. */
  readonly refused?: Refusal;
  /** GitHub's number of the last comment that answered or snoozed it. Earlier comments do not undo that. */
  readonly command?: number;
  /** The latest pull request with its answers. */
  readonly pull?: StoredPull;
}

export type RecheckState =
  /** Waits until its trigger's open recheck is closed, and while the trigger is missing from config. */
  | { readonly state: "queued"; readonly issue?: undefined }
  /** Its issue is still to be created. */
  | { readonly state: "planned"; readonly issue?: undefined }
  /** Asked. `snoozed`: comments wait until then, or until something new joins it. */
  | { readonly state: "open"; readonly issue: number; readonly snoozed?: Instant | "next-event" }
  /** Closed in the store. Its issue, if there is one, is still to be closed by us. */
  | RecheckEnd<"closing">
  /** `gone`: its issue was deleted, or moved to another repository. */
  | (RecheckEnd<"closed"> & { readonly gone?: true });

interface RecheckEnd<S extends string> {
  readonly state: S;
  readonly issue?: number;
  readonly closed: Instant;
  /** One person's answer to the recheck as a whole; undefined if answers closed it, or people closed its issue. */
  readonly verdict?: WholeVerdict;
}

/** The fields of a recheck that belong to its state: a new state begins without those of the one before. */
export const fieldsOfState: readonly string[] = ["issue", "snoozed", "closed", "verdict", "gone"];

/** Keeps a report without ratings, or dismisses everything. */
export type WholeVerdict =
  | { readonly kind: "keep"; readonly by: string; readonly because?: string }
  | { readonly kind: "dismiss"; readonly by: string; readonly because: string };

/** Whether it is still open: its issue is open, or to be created. */
export function isAsking<R extends { readonly state: RecheckState["state"] }>(
  recheck: R,
): recheck is Extract<R, { readonly state: "planned" | "open" }> {
  return recheck.state === "planned" || recheck.state === "open";
}

/** Whether it was closed, here or on GitHub. */
export function isOver<R extends { readonly state: RecheckState["state"] }>(
  recheck: R,
): recheck is Extract<R, { readonly state: "closing" | "closed" }> {
  return recheck.state === "closing" || recheck.state === "closed";
}

/** A write that GitHub refuses for one issue. Other issues are still written. */
export interface Refusal {
  /** *locked*: its conversation is locked. *invalid*: GitHub does not accept the text. *missing*: GitHub does not find it. */
  readonly kind: "locked" | "invalid" | "missing";
  readonly what: "text" | "comment";
  readonly since: Instant;
  /** The earliest next try. */
  readonly next: Instant;
  /** Digest of a text that GitHub does not accept. A different one is tried at once. */
  readonly tried?: string;
}

export interface StoredPull {
  /** Chosen before the pull request is created, so that an interrupted creation can be found. */
  readonly branch: string;
  /** Counts from 1. Each pull request of a recheck has a branch of its own. */
  readonly round: number;
  /** When its creation was last sent, if the outcome is unknown. */
  readonly attempted?: Instant;
  readonly number?: number;
  /** The last commit that we made. Any other head is a person's work. */
  readonly head?: string;
  /** A commit of ours that the branch may have been moved to, with unknown outcome. */
  readonly moving?: string;
  /** There are commits of people on its branch too. */
  readonly shared?: true;
  /** Ids of the answers in it. */
  readonly holds?: readonly number[];
  /** Digest of the files that were committed last. */
  readonly edit?: string;
  /** Digest of the text that was written last. */
  readonly written?: string;
  /** The same as part of the issue, in Markdown, if GitHub does not let us open pull requests. */
  readonly patch?: string;
  /** When it was merged or closed. */
  readonly ended?: Instant;
}

/** A person's answer about one rating, or about the correction of a sentence or an address. */
export interface StoredAnswer {
  readonly id: number;
  readonly recheck: number;
  /** Its id; for a correction, the subject that `correctionOf` makes from its key. */
  readonly rating: string;
  readonly verdict: "keep" | "change";
  /** For *change*: the new level; for a correction the new figure or address. */
  readonly level?: string;
  readonly because?: string;
  /** A login. */
  readonly by: string;
  readonly at: Instant;
  /** GitHub's number of the comment with it. Later comments have higher numbers. */
  readonly comment?: number;
  /** When the edit reached the config of the default branch. */
  readonly settled?: Instant;
  /** Number of the pull request that was closed unmerged with it. The answer does not count, unless that is reopened. */
  readonly suspendedBy?: number;
}

/** A comment that must be written exactly once. */
export interface StoredComment {
  readonly id: number;
  readonly recheck?: number;
  /** Or one of our issues or pull requests that is not a recheck. */
  readonly issue?: number;
  readonly marker: string;
  readonly body: string;
  /** When it was planned; undefined in rows from before this was noted. */
  readonly planned?: Instant;
  readonly attempted?: Instant;
  readonly done: boolean;
}

export type NewRecheck = Omit<RecheckRecord, "id"> & RecheckState;

/** A change with a state includes all fields of that state. */
export type RecheckChange = Partial<Omit<RecheckRecord, "id" | "trigger" | "marker">> &
  (RecheckState | { readonly state?: undefined });

/** Stores the questions to people: rechecks, their answers and comments, and how much was written to GitHub. */
export interface RecheckStore {
  /** All rechecks, oldest first. */
  rechecks(): Promise<StoredRecheck[]>;
  /** The answers that count, oldest first. */
  answers(): Promise<StoredAnswer[]>;
  /** The suspended answers: their pull request was closed unmerged. */
  suspendedAnswers(): Promise<StoredAnswer[]>;
  /** Stores a recheck for firings, in one transaction. @throws Error if another one of its trigger is still open */
  openRecheck(recheck: NewRecheck, firings: readonly number[]): Promise<number>;
  /** Adds firings to a recheck, with the comment that reports them, in one transaction. */
  joinRecheck(
    recheck: number,
    firings: readonly number[],
    at: Instant,
    comment?: Omit<StoredComment, "id" | "recheck">,
  ): Promise<void>;
  /** Sets the fields of the change; undefined empties a field. */
  updateRecheck(id: number, change: RecheckChange): Promise<void>;
  comments(done: boolean): Promise<StoredComment[]>;
  isSaid(marker: string): Promise<boolean>;
  addComment(comment: Omit<StoredComment, "id">): Promise<number>;
  updateComment(id: number, change: Partial<Pick<StoredComment, "attempted" | "done">>): Promise<void>;
  /** Creations of content on GitHub since then, for the hourly limit. */
  creations(since: Instant, until?: Instant): Promise<number>;
  countCreation(at: Instant): Promise<void>;
}
