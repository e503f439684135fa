import type { Instant } from "../model.ts";
import type { Problem } from "../problem.ts";
import type { Store } from "./store.ts";

/** Where an installation's repository stands. Only an *active* one is looked at and written to; forks never are. */
export type RepositoryStanding = "active" | "suspended" | "archived" | "fork" | "removed";

/** A file of config, from its folder on: `sources.yaml`, `triggers/mps.yaml`. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

/** Config as it stood at one commit. */
export interface RepositoryConfig {
  readonly commit: string;
  /** Where it lives in the repository. */
  readonly folder: "" | ".github/recheck";
  readonly files: readonly RepositoryFile[];
  /** Why none of its files was read: they are too many, too large, or elsewhere. */
  readonly excess?: readonly Problem[];
}

/** An issue of ours that is not a recheck: the overview, or the one that tells of a broken config. */
export interface OwnIssue {
  /** A random word in its hidden line, by which it is found again. */
  readonly marker: string;
  readonly number?: number;
  /** When its creation was last sent, where that was not heard to fail or succeed. */
  readonly attempted?: Instant;
  /** Digest of what was written last. */
  readonly written?: string;
}

/** Pages of a repository that were not looked at for a report. */
export interface UnreadPages {
  /** Pages in Markdown and HTML that were listed and not read. */
  readonly pages: number;
  /** GitHub does not list all files: there are too many. */
  readonly unlisted?: true;
}

/** The pull request "Set up Recheck". */
export interface SetUp {
  readonly marker: string;
  readonly branch: string;
  /** The commit of the default branch that was last searched for a report. */
  readonly searched: string;
  /** Counts of what was found there; undefined where there was nothing to propose. */
  readonly found?: ReportFindings;
  /** Pages that were not looked at there; undefined where all were. */
  readonly unread?: UnreadPages;
  /** How much the report's sentences say, once its sources were looked at for it. */
  readonly claims?: ClaimCounts;
  /** How often its triggers would have asked in the half year before that look. */
  readonly asked?: readonly Asked[];
  readonly pull?: number;
  /** When its creation was last sent, where nobody heard whether that was carried out. */
  readonly attempted?: Instant;
  /** The commit that we made: a head that is another one is a person's work. */
  readonly head?: string;
  /** The config of its branch, valid or not. */
  readonly config?: RepositoryConfig;
  /** Digest of the description that was written last. */
  readonly written?: string;
  /** It was merged: what is routine and fired until the next scan has ended is to be caught up with. */
  readonly catchUp?: boolean;
  /** When it was closed unmerged: nothing is done until it is reopened, or config comes another way. */
  readonly optedOut?: Instant;
}

/** One repository of an installation, and how far we are with it. */
export interface RepositoryState {
  /** GitHub's own number: it outlives names. */
  readonly id: number;
  /** `owner/name`. */
  readonly name: string;
  readonly installation: number;
  readonly standing: RepositoryStanding;
  readonly since: Instant;
  readonly defaultBranch?: string;
  /** It does not have a commit yet: its default branch is only a name. */
  readonly empty?: boolean;
  /** Something may have changed config: it is to be read again. */
  readonly stale: boolean;
  /** The last config of the default branch that was valid. */
  readonly config?: RepositoryConfig;
  /** The commit whose config is broken. */
  readonly broken?: string;
  readonly problem?: OwnIssue;
  readonly overview?: OwnIssue;
  readonly setUp?: SetUp;
  /** Its address for people, and whether an organisation owns it; known once its config was read. */
  readonly web?: string;
  readonly organization?: boolean;
  /** Everybody may see it. Undefined until GitHub told: then nothing is shown of it. */
  readonly public?: boolean;
  /** It had issues switched off when its config was read last. */
  readonly withoutIssues?: boolean;
  /** Permissions that GitHub was found not to grant, `contents: write`, and since when. */
  readonly refused?: Readonly<Record<string, Instant>>;
  /** When the installation was last allowed more than before. */
  readonly granted?: Instant;
  /** When the news came that told its name, owner and visibility as they stand: older ones say nothing of them any more. */
  readonly described?: Instant;
  /** Its name until then. */
  readonly formerly?: { readonly name: string; readonly until: Instant };
  /** Its default branch until then. */
  readonly branchedFrom?: { readonly branch: string; readonly until: Instant };
  /** When it was last not active, and what it was then. */
  readonly rested?: { readonly standing: RepositoryStanding; readonly from: Instant; readonly to: Instant };
  /** A check run tells that nobody can be asked: why, and at which commit. */
  readonly mute?: { readonly because: string; readonly commit: string };
  /** There is no config, in use or proposed, that could be looked at: nothing is due, whatever is remembered. */
  readonly unwatched?: true;
  /** When people last asked to look at sources now; undefined once the overview has told of it. */
  readonly asked?: Instant;
  /** When webhooks were last made up for. */
  readonly swept?: Instant;
  /** The thing that GitHub does not let us do, in a sentence for the person who can mend it. */
  readonly says?: string;
}

export type RepositoryChange = Partial<Omit<RepositoryState, "id" | "name">>;

/** One webhook delivery that waits for its work. */
export interface Delivery {
  /** GitHub's GUID: a redelivery keeps it. */
  readonly id: string;
  /** GitHub's number of the repository that it is about; undefined for those about an installation. */
  readonly repository?: number;
  readonly installation: number;
  /** Its news, as JSON. */
  readonly news: string;
  readonly received: Instant;
}

/** All of a delivery but its text. */
export type WaitingDelivery = Omit<Delivery, "news">;

/** The repositories that there are, and the webhooks that are not worked off yet. */
export interface Registry {
  /** Each known repository, by number. Only some of them are read at a time: their texts are large, and they are many. */
  repositories(): AsyncIterable<RepositoryState>;
  repository(id: number): Promise<RepositoryState | undefined>;
  /** The one that has this name now, in whatever capitals. */
  named(name: string): Promise<RepositoryState | undefined>;
  /**
   * Changes a repository, new or known, in one transaction: `work` gets its state and returns the next one, or undefined
   * to leave it. Another repository that was known by its name counts as removed from then on.
   */
  revise(id: number, work: (known: RepositoryState | undefined) => RepositoryState | undefined): Promise<void>;
  /** Resolves where something can be kept: a database may answer, and be read-only. @throws StoreProblem */
  mayWrite(): Promise<void>;
  /** Erases all that is remembered of a repository, if it is over by how it stands then: it may have come back. */
  erase(id: number, isOver: (known: RepositoryState) => boolean): Promise<void>;
  /** Puts a delivery into the queue. False for one that is there, or was done within the time it is remembered. */
  receive(delivery: Delivery): Promise<boolean>;
  /**
   * The repositories whose time has come, the longest due first. Where processes share their work it is asked for, with that
   * of deliveries that wait.
   */
  plan(now: Instant, most: number): Promise<readonly number[]>;
  /**
   * Lets a repository rest until one of its sources is due, or until `by`: a minute at least, an hour at most. Ends the work
   * that this is part of.
   */
  rest(id: number, now: Instant, by?: Instant): Promise<void>;
  /** Lists the deliveries that wait, oldest first. `of`: those of a repository, or, without one, of an installation itself. */
  deliveries(of?: Pick<Delivery, "repository" | "installation">): Promise<WaitingDelivery[]>;
  /** The news of a delivery that waits; undefined once it is done. */
  news(delivery: string): Promise<string | undefined>;
  /** Marks a delivery as done that does not concern a repository. */
  finish(delivery: string): Promise<void>;
  /** Forgets the deliveries that are done, of those received before then. */
  forgetDeliveries(before: Instant): Promise<void>;
  /** Counts what waits at a time. */
  backlog(at: Instant): Promise<Backlog>;
}

/** Things that wait: how many, and since when the oldest does, where that is known. */
export interface Waiting {
  readonly count: number;
  readonly since?: Instant;
}

/** The work that waits in a database, of all its repositories that are not at rest. */
export interface Backlog {
  /** Sources whose look is due, by when the first of them was. `last`: when the last look began, of any source. */
  readonly looks: Waiting & { readonly last?: Instant };
  /** Words to be written or sent, by when they were planned; without comments that wait until a snooze ends. */
  readonly outbox: Readonly<Record<"issue" | "comment" | "message", Waiting>>;
  /** Webhooks, by when they came. */
  readonly deliveries: Waiting;
  /** How many repositories an App serves, by where they stand. */
  readonly repositories: Readonly<Partial<Record<RepositoryStanding, number>>>;
}

/** All repositories of one database. */
export interface Stores {
  readonly registry: Registry;
  /** By the number of one that an App serves, or else by name; made when first written to. */
  repository(key: number | string): Store;
}

/** Counts of what was found in a report. */
export interface ReportFindings {
  /** The file that it was found in. */
  readonly path: string;
  /** Other files of the same report. */
  readonly chapters?: number;
  /** Of them, by path, those whose numbers name the references of the report: their sentences are claims, too. */
  readonly citing?: readonly string[];
  readonly references: number;
  /** They are counted in the report. */
  readonly numbered: boolean;
  /** Distinct addresses that are watched. */
  readonly sources: number;
  /** Of them, those that look as if they never change. */
  readonly frozen: number;
  readonly unwatchable: number;
  /** References that were left out, because there were too many. */
  readonly left: number;
  /** Addresses that the text links to beside its references. */
  readonly others: number;
  readonly ratings: number;
  readonly levels: readonly string[];
  /** Levels of which it is a guess where they stand. */
  readonly unplaced: readonly string[];
  /** Ratings that were left out, a scale each: a config has one. */
  readonly leftRatings?: readonly LeftRatings[];
  readonly rubric: number;
  readonly triggers: number;
  /** Of them, those that the report itself states. */
  readonly stated: number;
  readonly audited: Instant;
  /** Where that day comes from. */
  readonly because: string;
  /** The file was longer than what is read of it. */
  readonly cut: boolean;
}

/** Ratings of a scale that were left out. */
export interface LeftRatings {
  readonly ratings: number;
  readonly levels: readonly string[];
}

/** How often one trigger would have asked. */
export interface Asked {
  readonly trigger: string;
  readonly times: number;
}

/** How much a report's sentences say, and how much of that their sources prove. */
export interface ClaimCounts {
  /** Sentences and cells that cite a source of the config. */
  readonly considered: number;
  /** Figures, versions, passages and facts in them that a source could prove. */
  readonly stated: number;
  /** Of those, the ones that a source proves; several that it proves at one place are one. */
  readonly proved: number;
  /** Of those that are proved, the ones that a source proves as it was at the audit, and not as it is now. */
  readonly atAudit?: number;
  /** Sources that took too much to be looked through. */
  readonly unproved?: number;
  /** Sentences that were left out, because there were too many. */
  readonly left?: number;
  /** The report is longer than what is read of it. */
  readonly cut?: boolean;
}
