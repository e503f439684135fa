import type { Problem } from "../problem.ts";
import type { Instant } from "../time.ts";
import type { Store } from "./store.ts";

/** The status of a repository. Only an *active* one is checked and written to; forks never are. */
export type RepositoryStanding = "active" | "suspended" | "archived" | "fork" | "removed";

/** A file of config, from its folder on: `sources.yaml`, `triggers/mps.yaml`. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

export interface RepositoryConfig {
  readonly commit: string;
  readonly folder: "" | ".github/recheck";
  readonly files: readonly RepositoryFile[];
  /** Why none of its files was read: they are too many, too large, or in other folders. */
  readonly excess?: readonly Problem[];
}

/** An issue of ours that is not a recheck: the overview, or the one about a broken config. */
export interface OwnIssue {
  /** A random word in its hidden line, which identifies it. */
  readonly marker: string;
  readonly number?: number;
  /** When its creation was last sent, if the outcome is unknown. */
  readonly attempted?: Instant;
  /** Digest of the text that was written last. */
  readonly written?: string;
}

/** Pages of a repository that were not searched for a report. */
export interface UnreadPages {
  /** Pages in Markdown and HTML that were listed but not read. */
  readonly pages: number;
  /** GitHub does not list all files, as there are too many. */
  readonly unlisted?: true;
  /** What was left out for another reason, a sentence each. */
  readonly says?: readonly string[];
}

/** The pull request "Set up Recheck". */
export interface SetUp {
  readonly marker: string;
  readonly branch: string;
  /** The commit of the default branch that was last searched for a report. */
  readonly searched: string;
  /** Counts of the findings there; undefined if there was nothing to propose. */
  readonly found?: ReportFindings;
  /** Pages there that were not searched; undefined if all were. */
  readonly unread?: UnreadPages;
  /** The tables that people may choose in its text. */
  readonly tables?: readonly OfferedTable[];
  /** `due`: people chose other tables. `done`: it was drafted again, and its claims are to be found again. */
  readonly redraft?: "due" | "done" | undefined;
  /** How many claims the report makes, once its sources were checked. */
  readonly claims?: ClaimCounts | undefined;
  /** How often its triggers would have asked in the half year before that check. */
  readonly asked?: readonly TriggerCount[] | undefined;
  readonly pull?: number;
  /** When its creation was last sent, if the outcome is unknown. */
  readonly attempted?: Instant;
  /** The commit that we made. Any other head is a person's work. */
  readonly head?: string;
  /** The config of its branch, valid or not. */
  readonly config?: RepositoryConfig;
  /** Digest of the description that was written last. */
  readonly written?: string;
  /** It was merged. Routine firings go into the catch-up until the next scan has ended. */
  readonly catchUp?: boolean;
  /** When it was closed unmerged. Nothing is done until it is reopened, or config is added in another way. */
  readonly optedOut?: Instant;
}

/** One repository of an installation, and what was done for it. */
export interface RepositoryState {
  /** GitHub's own number, which stays the same after renames. */
  readonly id: number;
  /** `owner/name`. */
  readonly name: string;
  readonly installation: number;
  readonly standing: RepositoryStanding;
  readonly since: Instant;
  readonly defaultBranch?: string;
  /** It has no commit yet, so its default branch is only a name. */
  readonly empty?: boolean;
  /** Config may have changed and must be read again. */
  readonly stale: boolean;
  /** The last valid config of the default branch. */
  readonly config?: RepositoryConfig;
  /** The commit whose config is broken. */
  readonly broken?: string;
  readonly problem?: OwnIssue;
  readonly overview?: OwnIssue;
  readonly setUp?: SetUp;
  /** Its web address, and whether an organisation owns it; known once its config was read. */
  readonly web?: string;
  readonly organization?: boolean;
  /** Whether it is public. Undefined until GitHub says so; until then nothing of it is shown. */
  readonly public?: boolean;
  /** Issues were switched off when its config was last read. */
  readonly withoutIssues?: boolean;
  /** Permissions that GitHub does not grant, such as `contents: write`, and since when. */
  readonly refused?: Readonly<Record<string, Instant>>;
  /** When the installation was last granted more permissions. */
  readonly granted?: Instant;
  /** When the webhook with its present name, owner and visibility arrived. Older ones are ignored. */
  readonly described?: Instant;
  readonly formerly?: { readonly name: string; readonly until: Instant };
  /** Its earlier default branch. */
  readonly branchedFrom?: { readonly branch: string; readonly until: Instant };
  /** When it was last not active, and its status then. */
  readonly rested?: { readonly standing: RepositoryStanding; readonly from: Instant; readonly to: Instant };
  /** A check run says that nobody can be asked: why, and at which commit. */
  readonly mute?: { readonly because: string; readonly commit: string };
  /** There is no config, in use or proposed, that can be checked. So nothing is due, even with stored watches. */
  readonly unwatched?: true;
  /** When people last asked for checks; undefined once the overview has reported them. */
  readonly asked?: Instant;
  /** When lost webhooks were last caught up. */
  readonly swept?: Instant;
  /** A sentence for the person who can fix it: which permission GitHub does not give us. */
  readonly says?: string;
}

export type RepositoryChange = Partial<Omit<RepositoryState, "id" | "name">>;

/** One webhook delivery that waits to be processed. */
export interface Delivery {
  /** GitHub's GUID: a redelivery keeps it. */
  readonly id: string;
  /** GitHub's number of its repository; undefined for deliveries about an installation. */
  readonly repository?: number;
  readonly installation: number;
  readonly news: string;
  readonly received: Instant;
}

export type WaitingDelivery = Omit<Delivery, "news">;

/** One person by their login on GitHub, or everybody whose answer is older than `before`. */
export type People = { readonly login: string } | { readonly before: Instant };

/** A repository as it is read before work on it. */
export interface Visit {
  readonly state: RepositoryState;
  /** When it is to be compared with GitHub: 0 if there is news that nothing began to compare. */
  readonly attend: Instant;
  /** Whether a delivery waits for it, or for its installation. */
  readonly hasNews: boolean;
}

/** The known repositories, and the webhooks that wait to be processed. */
export interface Registry {
  /** Each known repository, by number. They are read in portions, as they are many with large texts. */
  repositories(): AsyncIterable<RepositoryState>;
  repository(id: number): Promise<RepositoryState | undefined>;
  visit(id: number): Promise<Visit | undefined>;
  /** Notes that a repository is compared with GitHub now. If that is interrupted, it is still due. */
  attend(id: number): Promise<RepositoryState | undefined>;
  /** The one that has this name now, ignoring case. */
  named(name: string): Promise<RepositoryState | undefined>;
  /**
   * Changes a repository, new or known, in one transaction. `work` gets its state and returns the next one, or undefined to
   * leave it. It may run several times; the last run counts. Another repository that had its name counts as removed.
   */
  revise(id: number, work: (known: RepositoryState | undefined) => RepositoryState | undefined): Promise<void>;
  /** Resolves if the database accepts writes: it may respond and yet be read-only. @throws StoreProblem */
  mayWrite(): Promise<void>;
  /** Erases everything about a repository, if `isOver` is still true, as it may have come back. */
  erase(id: number, isOver: (known: RepositoryState) => boolean): Promise<void>;
  /** Adds a delivery to the queue. Returns false if it is already waiting, or was done recently enough to be remembered. */
  receive(delivery: Delivery): Promise<boolean>;
  /**
   * The repositories that are due, longest due first. If processes share their work, requests that work, and the work of
   * waiting deliveries.
   */
  plan(now: Instant, most: number): Promise<readonly number[]>;
  /** Lets a repository rest until a source is due, or until `by` for GitHub: at least a minute, at most an hour. */
  rest(id: number, now: Instant, by?: Instant): Promise<void>;
  /** The waiting deliveries, oldest first. `of`: only of these repositories, or else of installations themselves. */
  deliveries(...of: readonly Pick<Delivery, "repository" | "installation">[]): Promise<WaitingDelivery[]>;
  /** The news of a delivery that waits; undefined once it is done. */
  news(delivery: string): Promise<string | undefined>;
  /** Marks a delivery without a repository as done. */
  finish(delivery: string): Promise<void>;
  forgetDeliveries(before: Instant): Promise<void>;
  /** Erases names and reasons of people from stored answers, comments and messages. Returns the number of changed rows. */
  forgetPeople(people: People): Promise<number>;
  /** Counts the work that waits at a time. */
  backlog(at: Instant): Promise<Backlog>;
}

/** How many things wait, and since when the oldest, if that is known. */
export interface Waiting {
  readonly count: number;
  readonly since?: Instant;
}

/** The work that waits in a database, for all repositories that are not at rest. */
export interface Backlog {
  /** Sources whose check is due, since the first of them was. `last`: when the last check of any source began. */
  readonly checks: Waiting & { readonly last?: Instant };
  /** Texts to be written or sent, since they were planned, except comments that wait for a snooze to end. */
  readonly outbox: Readonly<Record<"issue" | "comment" | "message", Waiting>>;
  /** Webhooks, by arrival. */
  readonly deliveries: Waiting;
  /** How many repositories an App serves, by status. */
  readonly repositories: Readonly<Partial<Record<RepositoryStanding, number>>>;
}

/** All repositories of one database. */
export interface Stores {
  readonly registry: Registry;
  /** By number if an App serves it, else by name; created at the first write. */
  repository(key: number | string): Store;
}

export interface ReportFindings {
  readonly path: string;
  /** Other files of the same report. */
  readonly chapters?: number;
  /** Those whose numbers refer to the report's references. Their sentences are claims, too. */
  readonly citing?: readonly string[];
  readonly references: number;
  readonly numbered: boolean;
  /** Distinct addresses that are watched. */
  readonly sources: number;
  /** Those that look as if they never change. */
  readonly frozen: number;
  readonly unwatchable: number;
  /** References left out because there were too many. */
  readonly left: number;
  /** Addresses in the text besides its references. */
  readonly others: number;
  readonly ratings: number;
  readonly levels: readonly string[];
  /** Levels whose place in the scale is a guess. */
  readonly unplaced: readonly string[];
  /** Ratings left out, by scale, as a config has one scale. */
  readonly leftRatings?: readonly LeftRatings[];
  /** Cells in the rated columns whose words are no level. */
  readonly unrated?: LeftRatings;
  readonly rubric: number;
  readonly triggers: number;
  /** Those that the report itself states. */
  readonly stated: number;
  readonly audited: Instant;
  /** The evidence for that day. */
  readonly because: string;
  /** Whether the file was longer than the limit for parsing. */
  readonly cut: boolean;
}

export interface LeftRatings {
  readonly ratings: number;
  readonly levels: readonly string[];
}

/** A table that may rate: people decide. */
export interface OfferedTable {
  readonly id: string;
  /** Its file and the heading above it. */
  readonly place: string;
  readonly counts: string;
  /** Its head and its first row. */
  readonly lines: readonly string[];
  /** Why it may rate. */
  readonly reason: string;
  /** Whether its ratings are drafted. */
  readonly isChosen: boolean;
}

export interface TriggerCount {
  readonly trigger: string;
  readonly times: number;
}

/** How many claims a report makes, and how many of them its sources prove. */
export interface ClaimCounts {
  /** Sentences and cells that cite a source of the config. */
  readonly considered: number;
  /** Figures, versions, passages and facts in them that a source could prove. */
  readonly stated: number;
  /** Those that a source proves; several proved in one place count once. */
  readonly proved: number;
  /** Those that a source proved at the audit but no longer proves. */
  readonly atAudit?: number;
  /** Sources that took too much to search. */
  readonly unproved?: number;
  /** Sentences left out because there were too many. */
  readonly left?: number;
  /** Whether the report is longer than the limit for parsing. */
  readonly cut?: boolean;
}
