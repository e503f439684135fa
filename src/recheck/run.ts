import type { ReviewFiles } from "../config/edit/index.ts";
import type { Folder } from "../config/files.ts";
import type { ClaimState } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import { builtIn } from "../model/firing.ts";
import {
  type ArchivedChange,
  type Clock,
  fieldsOfState,
  type GitHub,
  type NewRecheck,
  type RecheckChange,
  type Store,
  type StoredAnswer,
  type StoredComment,
  type StoredFiring,
  type StoredRecheck,
} from "../model/ports/index.ts";
import { anHour, hasPassed, type Instant } from "../model/time.ts";
import { type CreationBudget, contentsAnHour, type Wait } from "./create-once.ts";
import { newMarker } from "./issue/marker.ts";
import type { Link, PageOf } from "./issue/question.ts";

/** Everything that a run needs to bring GitHub up to date with the store. */
export interface Outbox {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Without it nothing is written: the result lists the issues that would be opened. */
  readonly github?: GitHub;
  /** Address at which a person opens a source (default: the source's own). */
  readonly link?: Link;
  /** Folder of config in the repository (default: its root). */
  readonly folder?: Folder;
  /** Reads the files that answers are written to. */
  readonly files?: () => Promise<ReviewFiles | undefined>;
  /** The page on GitHub of a file of the repository, for people who edit it themselves. */
  readonly page?: PageOf;
  /** Whether commands and ticked boxes are carried out. */
  readonly commands?: boolean;
  /** No issue has changed since the last listing, so issues are not listed again. */
  readonly quiet?: boolean;
  /** This is the first run: its routine firings without a recheck share one issue. */
  readonly catchUp?: boolean;
  /** Applies config's limit of rechecks an hour; without it all are opened at once. */
  readonly paced?: boolean;
  /** At most this many issues, comments and pull requests an hour (default: config's limit). */
  readonly cap?: number;
  /** Called between writes: true stops early, and the rest waits for the next run. */
  readonly stopped?: () => boolean;
  /** Makes a random word for a hidden marker. */
  readonly word?: () => string;
  /**
   * Restores lost rechecks, after the actions of people were read. Undefined if it changed nothing in the store. If it
   * throws, nothing is planned.
   */
  readonly recover?: () => Promise<RestoredIssues | undefined>;
  /** Runs after the plan is stored and before the first write to GitHub. If it throws, nothing is written. */
  readonly planned?: () => Promise<void>;
}

/** Numbers of restored issues. */
export interface RestoredIssues {
  /** Open ones: they are the rechecks of their triggers again. */
  readonly adopted: number[];
  /** Closed ones: their events are not asked about again. */
  readonly answered: number[];
}

interface Opened {
  readonly trigger: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly issue?: number;
  readonly url?: string;
}

/** The result of a run: done, waiting and refused. */
export interface SyncResult extends RestoredIssues {
  readonly opened: Opened[];
  /** Issues whose body was updated. */
  readonly updated: number[];
  /** Issues that got a comment. */
  readonly commented: number[];
  /** Issues that a person has closed. */
  readonly closed: number[];
  /** Issues that were deleted or moved: they count as answered. */
  readonly gone: number[];
  /** Issues that a person has reopened. */
  readonly reopened: number[];
  /** Issues that are not updated, and why. */
  readonly left: { readonly trigger: string; readonly issue: number; readonly because: string }[];
  readonly waiting: ({ readonly trigger: string; readonly what: "issue" | "comment" } & Wait)[];
  /** Without GitHub: issues that would be opened and updated. */
  readonly wouldOpen: Opened[];
  readonly wouldUpdate: { readonly trigger: string; readonly issue: number }[];
  /** Problems to report, each once. `resumeAt`: GitHub asks to wait until then. */
  readonly problems: { readonly kind: string; readonly says: string; readonly resumeAt?: Instant }[];
}

export function nothingSynced(): SyncResult {
  return {
    adopted: [],
    answered: [],
    opened: [],
    updated: [],
    commented: [],
    closed: [],
    gone: [],
    reopened: [],
    left: [],
    waiting: [],
    wouldOpen: [],
    wouldUpdate: [],
    problems: [],
  };
}

/** The stored rows from which rechecks and their texts are made. */
export interface State {
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly claims: readonly ClaimState[];
  readonly answers: readonly StoredAnswer[];
  readonly archived: readonly ArchivedChange[];
  /** The files that answers are written to, if the texts of issues need them. */
  readonly files?: ReviewFiles;
}

export async function readRunState(store: Store): Promise<State> {
  const [firings, rechecks, claims, answers, archived] = await Promise.all([
    store.firings(),
    store.rechecks(),
    store.claims(),
    store.answers(),
    store.archivedChanges(),
  ]);
  return { firings, rechecks, claims, answers, archived };
}

/** One run on one repository, with a copy of the stored state. The functions below change the store first, then this copy. */
export interface Run extends State {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly synced: SyncResult;
  firings: readonly StoredFiring[];
  rechecks: readonly StoredRecheck[];
  files?: ReviewFiles;
}

export type IssuedRecheck = StoredRecheck & { readonly state: "open" };
export type PlannedRecheck = StoredRecheck & { readonly state: "planned" };

export async function changeRecheck(run: Run, id: number, change: RecheckChange): Promise<void> {
  await run.outbox.store.updateRecheck(id, change);
  run.rechecks = run.rechecks.map((one) => (one.id === id ? applyChange(one, change) : one));
}

export function applyChange(recheck: StoredRecheck, { state, ...change }: RecheckChange): StoredRecheck {
  const fields = Object.entries(recheck).filter(([field]) => state === undefined || !fieldsOfState.includes(field));
  return { ...Object.fromEntries(fields), ...change, ...(state && { state }) } as StoredRecheck;
}

export async function addRecheck(run: Run, recheck: NewRecheck, firings: readonly number[]): Promise<void> {
  const id = await run.outbox.store.openRecheck(recheck, firings);
  run.rechecks = [...run.rechecks, { ...recheck, id }];
  joinFirings(run, id, firings, recheck.opened);
}

export async function feedRecheck(
  run: Run,
  id: number,
  firings: readonly number[],
  comment?: Omit<StoredComment, "id" | "recheck">,
): Promise<void> {
  const now = run.outbox.clock.now();
  await run.outbox.store.joinRecheck(id, firings, now, comment);
  joinFirings(run, id, firings, now);
}

function joinFirings(run: Run, recheck: number, ids: readonly number[], joined: Instant): void {
  const fed = new Set(ids);
  run.firings = run.firings.map((one) => (fed.has(one.id) ? { ...one, recheck, reported: one.weight, joined } : one));
}

export function newWord({ word }: Pick<Outbox, "word">): string {
  return word ? word() : newMarker();
}

/** How much a run may create within the hour: `cap`, else config's limit. */
export function budgetOf({ store, clock, cap, config }: Outbox): CreationBudget {
  return { store, clock, cap: cap ?? contentsAnHour(config) };
}

/**
 * Why no further recheck may be opened within this hour; undefined if one may. Independent of the cap on creations.
 * Rechecks that may have been opened count; the catch-up does not.
 */
export function paceOf(
  { outbox: { clock, config, paced }, rechecks }: Run,
  { id, trigger }: StoredRecheck,
): Wait | undefined {
  if (!paced || trigger === builtIn.catchUp) return undefined;
  const now = clock.now();
  const opened = rechecks.filter(
    (one) => !hasPassed(anHour, one.attempted ?? 0, now) && one.id !== id && one.trigger !== builtIn.catchUp,
  );
  const { rechecksAnHour } = config.limits;
  return opened.length < rechecksAnHour
    ? undefined
    : { because: `at most ${rechecksAnHour} rechecks are opened an hour` };
}
