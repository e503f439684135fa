import { randomBytes } from "node:crypto";
import { digest } from "../digest.ts";
import type { ClaimState, Config } from "../model.ts";
import type { Clock, GitHub, Store, StoredFiring, StoredRecheck } from "../ports.ts";
import { addressOf } from "./link.ts";
import type { Link, Question } from "./question.ts";

/** What bringing GitHub up to date needs. */
export interface Outbox {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Without it nothing is written anywhere: what would be opened is told. */
  readonly github?: GitHub;
  /** Where a person opens a source; addresses alone unless given. */
  readonly link?: Link;
  /** Issues and comments an hour, at most; 20 unless told. */
  readonly cap?: number;
  /** Asked between writes: stop early, the rest stays for the next time. */
  readonly stopped?: () => boolean;
  /** A new random word for a hidden marker. */
  readonly word?: () => string;
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
  /** Left for the next time, and why. */
  readonly waiting: { readonly trigger: string; readonly what: "issue" | "comment"; readonly because: string }[];
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
}

export async function stateOf(store: Store): Promise<State> {
  const [firings, rechecks, claims] = await Promise.all([store.firings(), store.rechecks(), store.claims()]);
  return { firings, rechecks, claims };
}

/** Eighteen hexadecimal digits. */
export function newWord({ word }: Outbox): string {
  return word ? word() : randomBytes(9).toString("hex");
}

/** What a recheck asks, with the firings that feed it. */
export function questionOf(
  recheck: Pick<StoredRecheck, "trigger" | "marker" | "previous">,
  firings: readonly StoredFiring[],
  { rechecks, claims }: State,
  { config, link = addressOf }: Outbox,
): Question {
  const before = rechecks.find(({ id }) => id === recheck.previous);
  const previous = before?.issue === undefined ? undefined : { issue: before.issue, closed: before.closed };
  const { trigger, marker } = recheck;
  return { config, trigger, marker, firings, claims, previous, link };
}

/** Fingerprint of a section: it is written again only when this changes. */
export function sectionHash(section: string): string {
  return digest(section);
}
