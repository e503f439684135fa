import { randomBytes } from "node:crypto";
import type { ByHand } from "../config/edit/proposals.ts";
import type { Folder } from "../config/files.ts";
import type { ClaimState } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import { builtIn } from "../model/firing.ts";
import type {
  ArchivedChange,
  Clock,
  GitHub,
  NewRecheck,
  RecheckChange,
  Store,
  StoredAnswer,
  StoredComment,
  StoredFiring,
  StoredRecheck,
} from "../model/ports/index.ts";
import { anHour, hasPassed, type Instant } from "../model/time.ts";
import { type CreationBudget, contentsAnHour, type Wait } from "./create-once.ts";
import type { Link } from "./issue/question.ts";

/** All that is needed to bring GitHub up to date with the store. */
export interface Outbox {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Without it nothing is written: the result tells what would be opened. */
  readonly github?: GitHub;
  /** Where a person opens a source; the bare address unless given. */
  readonly link?: Link;
  /** Where config lives in the repository; its root unless told. */
  readonly folder?: Folder;
  /** How people write answers into config themselves, where no commands are carried out. */
  readonly byHand?: ByHand;
  /** Whether commands and ticked boxes are carried out. */
  readonly commands?: boolean;
  /** No issue has changed since the last listing, so issues are not listed again. */
  readonly quiet?: boolean;
  /** The watch begins: routine firings that nobody was asked about go into one issue. */
  readonly catchUp?: boolean;
  /** Limits the rechecks opened within an hour as config says; without it all are opened at once. */
  readonly paced?: boolean;
  /** Issues, comments and pull requests an hour, at most; config's limit unless given. */
  readonly cap?: number;
  /** Asked between writes: true stops early, and the rest waits for the next run. */
  readonly stopped?: () => boolean;
  /** Makes a random word for a hidden marker. */
  readonly word?: () => string;
  /**
   * Awaited after people's actions were seen: finds lost rechecks again. Undefined where it changed nothing in the
   * store. If it throws, nothing is planned.
   */
  readonly recover?: () => Promise<Recovered | undefined>;
  /** Awaited after the plan is stored, before the first write to GitHub. If it throws, nothing is written. */
  readonly planned?: () => Promise<void>;
}

/** Issues that were found again, by their numbers. */
export interface Recovered {
  /** Open ones: they go on asking for their triggers. */
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

/** The result of a run: what was done, what waits, and what GitHub refused. */
export interface Synced extends Recovered {
  readonly opened: Opened[];
  /** Issues whose body was brought up to date. */
  readonly updated: number[];
  /** Issues that got a comment. */
  readonly commented: number[];
  /** Issues that a person was found to have closed. */
  readonly closed: number[];
  /** Issues that are gone, deleted or moved: taken as answered. */
  readonly gone: number[];
  /** Issues that a person was found to have reopened. */
  readonly reopened: number[];
  /** Issues that are left as they are, and why. */
  readonly left: { readonly trigger: string; readonly issue: number; readonly because: string }[];
  readonly waiting: ({ readonly trigger: string; readonly what: "issue" | "comment" } & Wait)[];
  /** Without GitHub: what would be opened and updated. */
  readonly wouldOpen: Opened[];
  readonly wouldUpdate: { readonly trigger: string; readonly issue: number }[];
  /** Problems for people, each once. `resumeAt`: GitHub asks not to try again before. */
  readonly problems: { readonly kind: string; readonly says: string; readonly resumeAt?: number }[];
}

/** The stored rows that rechecks and their texts are made from. */
export interface State {
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly claims: readonly ClaimState[];
  readonly answers: readonly StoredAnswer[];
  readonly archived: readonly ArchivedChange[];
}

/** Reads the state from the store. */
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

/**
 * One run on one repository: the stored state, read once. The functions below change the store first, and then this
 * copy.
 */
export interface Run extends State {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly synced: Synced;
  firings: readonly StoredFiring[];
  rechecks: readonly StoredRecheck[];
}

/** A recheck whose issue is open. */
export type IssuedRecheck = StoredRecheck & { readonly state: "open" };
export type PlannedRecheck = StoredRecheck & { readonly state: "planned" };

/** Changes a recheck in the store, and then in the run. */
export async function changeRecheck(run: Run, id: number, change: RecheckChange): Promise<void> {
  await run.outbox.store.updateRecheck(id, change);
  run.rechecks = run.rechecks.map((one) => (one.id === id ? changed(one, change) : one));
}

/** Applies a change; a new state replaces everything that belonged to the old one. */
export function changed(recheck: StoredRecheck, { state, ...change }: RecheckChange): StoredRecheck {
  if (state === undefined) return { ...recheck, ...change } as StoredRecheck;
  const { id, trigger, marker, opened, previous, attempted, titled, written, tells, refused, said, pull } = recheck;
  const record = { id, trigger, marker, opened, previous, attempted, titled, written, tells, refused, said, pull };
  return { ...record, ...change, state } as StoredRecheck;
}

/** Opens a recheck in the store, and then in the run. `firings`: ids of those that feed it. */
export async function addRecheck(run: Run, recheck: NewRecheck, firings: readonly number[]): Promise<void> {
  const id = await run.outbox.store.openRecheck(recheck, firings);
  run.rechecks = [...run.rechecks, { ...recheck, id }];
  feed(run, id, firings, recheck.opened);
}

/** Adds firings to a recheck, with the comment that tells of them. */
export async function feedRecheck(
  run: Run,
  id: number,
  firings: readonly number[],
  comment?: Omit<StoredComment, "id" | "recheck">,
): Promise<void> {
  const now = run.outbox.clock.now();
  await run.outbox.store.joinRecheck(id, firings, now, comment);
  feed(run, id, firings, now);
}

function feed(run: Run, recheck: number, ids: readonly number[], joined: Instant): void {
  const fed = new Set(ids);
  run.firings = run.firings.map((one) => (fed.has(one.id) ? { ...one, recheck, told: one.weight, joined } : one));
}

/** Makes a random word of 18 hexadecimal digits for a hidden marker. */
export function newWord({ word }: Pick<Outbox, "word">): string {
  return word ? word() : randomBytes(9).toString("hex");
}

/** How much a run may create within the hour: `cap` where it is given, else config's limit. */
export function budgetOf({
  store,
  clock,
  cap,
  config,
}: Pick<Outbox, "store" | "clock" | "cap" | "config">): CreationBudget {
  return { store, clock, cap: cap ?? contentsAnHour(config) };
}

/**
 * Why no other recheck may be opened within this hour, however many creations are left; undefined where one may.
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
