import { randomBytes } from "node:crypto";
import type { ByHand } from "../config/edit/proposals.ts";
import type { Folder } from "../config/files.ts";
import { builtIn } from "../model/firing.ts";
import type { ClaimState, Config, Instant } from "../model/model.ts";
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
import { anHour, hasPassed } from "../model/time.ts";
import { type CreationBudget, contentsAnHour, type Wait } from "./create-once.ts";
import type { Link } from "./issue/link.ts";

/** All that bringing GitHub up to date with the store needs. */
export interface Outbox {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Without it nothing is written anywhere: what would be opened is told. */
  readonly github?: GitHub;
  /** Where a person opens a source; addresses alone unless given. */
  readonly link?: Link;
  /** Where config lives in the repository; its root unless told. */
  readonly folder?: Folder;
  /** How people write answers themselves, where no command is carried out. */
  readonly byHand?: ByHand;
  /** Whether commands and ticked boxes are carried out. */
  readonly commands?: boolean;
  /** Nothing was heard of its issues since they were listed: they stand as they are known, and are not listed again. */
  readonly quiet?: boolean;
  /** The watch begins: what is routine and not asked about yet goes into one issue. */
  readonly catchUp?: boolean;
  /** Only so many rechecks are opened an hour as config allows; without it all at once. */
  readonly paced?: boolean;
  /** Issues, comments and pull requests an hour, at most; as config has it unless told. */
  readonly cap?: number;
  /** Asked between writes whether to stop early; the rest stays for the next time. */
  readonly stopped?: () => boolean;
  /** A new random word for a hidden marker. */
  readonly word?: () => string;
  /**
   * Awaited once it is seen what people did: finds again what is not remembered. Undefined where it changed nothing that is
   * stored. Nothing is planned where it throws.
   */
  readonly recover?: () => Promise<Recovered | undefined>;
  /** Awaited once the plan is stored, before the first write to GitHub; nothing is written where it throws. */
  readonly planned?: () => Promise<void>;
}

/** Issues that nobody remembered, by their numbers. */
export interface Recovered {
  /** Open: they go on asking for their trigger. */
  readonly adopted: number[];
  /** Closed: what they told of is not asked again. */
  readonly answered: number[];
}

interface Opened {
  readonly trigger: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly issue?: number;
  readonly url?: string;
}

/** Tells of a run: all that was done, that waits, and that GitHub would not do. */
export interface Synced extends Recovered {
  readonly opened: Opened[];
  /** Issue numbers whose body was brought up to date. */
  readonly updated: number[];
  /** Issue numbers that got a comment. */
  readonly commented: number[];
  /** Issue numbers that a person was seen to have closed. */
  readonly closed: number[];
  /** Numbers of issues that are gone, deleted or moved: taken as answered. */
  readonly gone: number[];
  /** Issue numbers that a person was seen to have opened again. */
  readonly reopened: number[];
  /** Issues that are left as they are, and why. */
  readonly left: { readonly trigger: string; readonly issue: number; readonly because: string }[];
  readonly waiting: ({ readonly trigger: string; readonly what: "issue" | "comment" } & Wait)[];
  /** Without GitHub: what would be opened, and updated. */
  readonly wouldOpen: Opened[];
  readonly wouldUpdate: { readonly trigger: string; readonly issue: number }[];
  /** For people, each once. `resumeAt`: GitHub asks not to try before. */
  readonly problems: { readonly kind: string; readonly says: string; readonly resumeAt?: number }[];
}

/** The stored things that rechecks and their texts rest on. */
export interface State {
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly claims: readonly ClaimState[];
  readonly answers: readonly StoredAnswer[];
  readonly archived: readonly ArchivedChange[];
}

/** Reads all of it from the store. */
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
 * One run on one repository: what is stored, read once. What the run itself changes, it changes in the store first, by the
 * functions below, and then here.
 */
export interface Run extends State {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly synced: Synced;
  firings: readonly StoredFiring[];
  rechecks: readonly StoredRecheck[];
}

/** A recheck that people are asked by its issue. */
export type IssuedRecheck = StoredRecheck & { readonly state: "open" };
export type PlannedRecheck = StoredRecheck & { readonly state: "planned" };

/** Changes a recheck in the store, and then in the run. */
export async function changeRecheck(run: Run, id: number, change: RecheckChange): Promise<void> {
  await run.outbox.store.updateRecheck(id, change);
  run.rechecks = run.rechecks.map((one) => (one.id === id ? changed(one, change) : one));
}

/** A state replaces all that belonged to the one before. */
export function changed(recheck: StoredRecheck, { state, ...change }: RecheckChange): StoredRecheck {
  if (state === undefined) return { ...recheck, ...change } as StoredRecheck;
  const { id, trigger, marker, opened, previous, attempted, titled, written, tells, refused, said, pull } = recheck;
  const record = { id, trigger, marker, opened, previous, attempted, titled, written, tells, refused, said, pull };
  return { ...record, ...change, state } as StoredRecheck;
}

/** Opens a recheck in the store, and then in the run; `firings`: ids of those that feed it. */
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

/** A random word of eighteen hexadecimal digits, for a hidden marker. */
export function newWord({ word }: Pick<Outbox, "word">): string {
  return word ? word() : randomBytes(9).toString("hex");
}

/** How much a run may create within the hour: `cap` where it is given, else as config limits it. */
export function budgetOf({
  store,
  clock,
  cap,
  config,
}: Pick<Outbox, "store" | "clock" | "cap" | "config">): CreationBudget {
  return { store, clock, cap: cap ?? contentsAnHour(config) };
}

/**
 * Why no other recheck than this one may be opened within this hour, however many creations are left; undefined where one
 * may. Those that may have been opened count; the catch-up does not.
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
