import { randomBytes } from "node:crypto";
import type { Folder } from "../config/files.ts";
import { digest } from "../model/digest.ts";
import { builtIn } from "../model/firing.ts";
import type { ClaimState, Config, Instant } from "../model/model.ts";
import {
  type Clock,
  type GitHub,
  isOver,
  type NewRecheck,
  type Store,
  type StoredAnswer,
  type StoredFiring,
  type StoredRecheck,
} from "../model/ports/index.ts";
import { anHour } from "../model/time.ts";
import { standing } from "./answer/answers.ts";
import { addressOf, type Link, type Question } from "./issue/question.ts";
import { relatedTo } from "./issue/rests.ts";

/** What bringing GitHub up to date needs. */
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
  /** Whether commands and ticked boxes are carried out. */
  readonly commands?: boolean;
  /** The watch begins: what is routine and not asked about yet goes into one issue. */
  readonly catchUp?: boolean;
  /** Only so many rechecks are opened an hour as config allows; without it all at once. */
  readonly paced?: boolean;
  /** Issues, comments and pull requests an hour, at most; as config has it unless told. */
  readonly cap?: number;
  /** Asked between writes: stop early, the rest stays for the next time. */
  readonly stopped?: () => boolean;
  /** A new random word for a hidden marker. */
  readonly word?: () => string;
  /** Awaited once it is seen what people did: finds again what is not remembered. Nothing is planned where it throws. */
  readonly recover?: () => Promise<void>;
  /** Awaited once the plan is stored, before the first write to GitHub; nothing is written where it throws. */
  readonly planned?: () => Promise<void>;
}

interface Opened {
  readonly trigger: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly issue?: number;
  readonly url?: string;
}

/** What was done, what waits, and what GitHub would not do. */
export interface Synced {
  readonly opened: Opened[];
  /** Issue numbers whose body was brought up to date. */
  readonly updated: number[];
  /** Issue numbers that got a comment. */
  readonly commented: number[];
  /** Issue numbers that a person was seen to have closed. */
  readonly closed: number[];
  /** Issue numbers that are no more, deleted or moved: taken as answered. */
  readonly gone: number[];
  /** Issue numbers that a person was seen to have opened again. */
  readonly reopened: number[];
  /** Issues that are left as they are, and why. */
  readonly left: { readonly trigger: string; readonly issue: number; readonly because: string }[];
  /** Left for the next time, and why. `until`: not tried before, as long as it stays what it is. */
  readonly waiting: {
    readonly trigger: string;
    readonly what: "issue" | "comment";
    readonly because: string;
    readonly until?: Instant;
  }[];
  /** Without GitHub: what would be opened, and updated. */
  readonly wouldOpen: Opened[];
  readonly wouldUpdate: { readonly trigger: string; readonly issue: number }[];
  /** For people, each once. `resumeAt`: GitHub asks not to try before. */
  readonly problems: { readonly kind: string; readonly says: string; readonly resumeAt?: number }[];
}

/** The outbox as it is now. */
export interface State {
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly claims: readonly ClaimState[];
  readonly answers: readonly StoredAnswer[];
}

export async function stateOf(store: Store): Promise<State> {
  const [firings, rechecks, claims, answers] = await Promise.all([
    store.firings(),
    store.rechecks(),
    store.claims(),
    store.answers(),
  ]);
  return { firings, rechecks, claims, answers };
}

/** Eighteen hexadecimal digits. */
export function newWord({ word }: Outbox): string {
  return word ? word() : randomBytes(9).toString("hex");
}

/** A recheck, or one that would be opened. */
type Asked = StoredRecheck | (Omit<NewRecheck, "state"> & { readonly id?: undefined; readonly state: "planned" });

/** What a recheck asks, with the firings that feed it. */
export function questionOf(
  recheck: Asked,
  firings: readonly StoredFiring[],
  state: State,
  { config, link = addressOf, folder, commands }: Outbox,
): Question {
  const { id, trigger, marker, pull } = recheck;
  const given = state.answers.filter((answer) => answer.recheck === id);
  return {
    config,
    trigger,
    marker,
    firings,
    claims: state.claims,
    previous: previousOf(recheck, state),
    link,
    folder,
    commands,
    answers: [...standing(firings, given, config).answered.values()],
    ...(pull && pull.ended === undefined && { gathered: { pull: pull.number, patch: pull.patch } }),
    ...(recheck.state === "open" && { snoozed: recheck.snoozed }),
    ...(isOver(recheck) && { closed: { at: recheck.closed, verdict: recheck.verdict } }),
    related: relatedTo(firings, others(id, state)),
  };
}

/** The one before it that people were asked. */
function previousOf({ previous }: Pick<StoredRecheck, "previous">, state: State): Question["previous"] {
  const before = state.rechecks.find(({ id }) => id === previous);
  if (!before) return undefined;
  const { issue } = before;
  if (issue === undefined) return previousOf(before, state);
  if (!isOver(before)) return { issue };
  return { issue, closed: before.closed, ...(before.state === "closed" && before.gone && { gone: true }) };
}

/** The other rechecks that people are asked, with what feeds them. */
function others(id: number | undefined, { rechecks, firings }: State): { issue: number; firings: StoredFiring[] }[] {
  return rechecks.flatMap((other) => {
    const { issue, state } = other;
    if (other.id === id || issue === undefined || state !== "open") return [];
    return [{ issue, firings: firings.filter(({ recheck }) => recheck === other.id) }];
  });
}

/** Whether no more may be created within this hour. */
export async function isCapped(outbox: Pick<Outbox, "store" | "clock" | "cap"> & Limited): Promise<boolean> {
  return (await outbox.store.creations(outbox.clock.now() - anHour)) >= capOf(outbox);
}

interface Limited {
  readonly config: Pick<Config, "limits">;
}

export function capOf({ cap, config }: Pick<Outbox, "cap"> & Limited): number {
  return cap ?? config.limits.contentsAnHour;
}

/**
 * Whether no other recheck than these may be opened within this hour, however many creations are left. Those that may
 * have been opened count; the catch-up is none.
 */
export async function isFull(recheck: number, { store, clock, config, paced }: Outbox): Promise<boolean> {
  if (!paced) return false;
  const since = clock.now() - anHour;
  const opened = (await store.rechecks()).filter(
    ({ id, attempted = 0, trigger }) => attempted > since && id !== recheck && trigger !== builtIn.catchUp,
  );
  return opened.length >= config.limits.rechecksAnHour;
}

/** Fingerprint of a section: it is written again only when this changes. */
export function sectionHash(section: string): string {
  return digest(section);
}
