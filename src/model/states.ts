import type { Config } from "./config.ts";
import type { RepositoryState } from "./ports/index.ts";
import { type Duration, day, type Instant } from "./time.ts";
import { enumerate, pluralize, triggerName } from "./words.ts";

/** The states of ratings, claims, sources and references: one name for each, used everywhere. Pure. */

/** The four states that readers see, most pressing first. Each has finer states as its reasons. */
export const readerStates = ["outdated", "changed", "not checkable", "up to date"] as const;
export type ReaderState = (typeof readerStates)[number];

/** A sign for each, so that they do not depend on colour. */
export const stateSigns: Readonly<Record<ReaderState, string>> = {
  outdated: "✗",
  changed: "⟳",
  "not checkable": "○",
  "up to date": "·",
};

/** States of ratings, most pressing first. *not corrected*: a sentence is not true any more, and nobody reviewed it. */
export const freshnessLevels = ["in doubt", "not corrected", "blind", "to review", "due", "fresh"] as const;

export type FreshnessLevel = (typeof freshnessLevels)[number];

/** How fresh a rating is: the first level that applies, and why. */
export interface Freshness {
  readonly rating: string;
  readonly level: FreshnessLevel;
  /** Since when; for *fresh*, when it will be due. */
  readonly at: Instant;
  /** The triggers or sources that make it so. */
  readonly because: readonly string[];
}

/**
 * States of references; the first that applies. As for ratings, but a reference may be unseen before ratings turn blind, or
 * unwatched.
 */
export const referenceReasons = [
  "in doubt",
  "not corrected",
  "gone",
  "to review",
  "unwatched",
  "unseen",
  "fresh",
] as const;
export type ReferenceReason = (typeof referenceReasons)[number];

/** States of sources, most pressing first. *unseen*: the last check failed; *blind*: for too long to rely on it. */
export const sourceStates = ["gone", "blind", "unseen", "not read yet", "seen"] as const;
export type SourceState = (typeof sourceStates)[number];

/**
 * States of claims by the last check of their proof; *not compared yet*: their source was never seen. A claim that was
 * supported until its source was gone or turned blind is *source gone*, *source not readable* or *source not checked*.
 */
export const claimStates = [
  "supported",
  "altered",
  "gone",
  "contradicted",
  "source gone",
  "source not readable",
  "source not checked",
  "not found",
  "not compared yet",
] as const;
export type ClaimReason = (typeof claimStates)[number];

export const claimSigns: Readonly<Record<ClaimReason, string>> = {
  supported: "✔",
  altered: "✗",
  gone: "✗",
  contradicted: "✗",
  "source gone": "✗",
  "source not readable": "○",
  "source not checked": "○",
  "not found": "?",
  "not compared yet": "?",
};

/** The state for readers, for a finer state. A rating that is due was not contradicted. */
export function readerState(reason: FreshnessLevel | ReferenceReason | SourceState | ClaimReason): ReaderState {
  return states[reason];
}

const states: Readonly<Record<Parameters<typeof readerState>[0], ReaderState>> = {
  "in doubt": "outdated",
  "not corrected": "outdated",
  altered: "outdated",
  contradicted: "outdated",
  gone: "outdated",
  "source gone": "outdated",
  "to review": "changed",
  blind: "not checkable",
  unseen: "not checkable",
  unwatched: "not checkable",
  "not read yet": "not checkable",
  "source not readable": "not checkable",
  "source not checked": "not checkable",
  "not found": "not checkable",
  "not compared yet": "not checkable",
  due: "up to date",
  fresh: "up to date",
  seen: "up to date",
  supported: "up to date",
};

/** Whether its source says otherwise; a source that is gone says nothing. */
export function isRefuted(state: ClaimReason): boolean {
  return state !== "source gone" && readerState(state) === "outdated";
}

/** The count of each state that occurs, most pressing first. */
export function countStates(all: readonly ReaderState[]): { readonly state: ReaderState; readonly count: number }[] {
  const counts = readerStates.map((state) => ({ state, count: all.filter((one) => one === state).length }));
  return counts.filter(({ count }) => count > 0);
}

/** `4 of 20 ratings are outdated, 11 changed and 5 up to date.` */
export function countsSentence(all: readonly ReaderState[], noun: string): string {
  const [first, ...others] = countStates(all);
  if (!first) return "";
  if (others.length === 0)
    return all.length === 1 ? `Its one ${noun} is ${first.state}.` : `All ${all.length} ${noun}s are ${first.state}.`;
  const rest = enumerate(others.map(({ state, count }) => `${count} ${state}`));
  return `${first.count} of ${pluralize(all.length, noun)} ${first.count === 1 ? "is" : "are"} ${first.state}, ${rest}.`;
}

/** The state of a claim. `isEnded`: the event that ends it has happened, even if its own source still says it. */
export function claimReason(proved: ClaimReason | undefined, isEnded: boolean): ClaimReason {
  if (isEnded && proved !== "altered" && proved !== "gone") return "contradicted";
  return proved ?? "not compared yet";
}

/** The state of a repository, for the operator. `keptFor`: how long its data is kept after the App was removed. */
export function standingSays({ standing, since, says, mute, ...state }: RepositoryState, keptFor: Duration): string {
  const trouble = mute?.because ?? says ?? whyUnwatched(state);
  switch (standing) {
    case "active":
      return trouble === undefined ? "is served" : `is served, but ${trouble}`;
    case "suspended":
      return `has been paused since ${day(since)}: the App is suspended in the installation's settings`;
    case "archived":
      return `has been paused since ${day(since)}: it is archived, and continues once it is unarchived`;
    case "fork":
      return "is a fork, and is not served";
    case "removed":
      return `was uninstalled on ${day(since)}: its data is erased on ${day(since + keptFor)}, unless the App is installed again before`;
  }
}

function whyUnwatched({
  empty,
  config,
  setUp,
  broken,
}: Pick<RepositoryState, "empty" | "config" | "setUp" | "broken">): string | undefined {
  if (empty) return "has no commit yet: the first push sets it up";
  if (config || broken !== undefined || !setUp) return undefined;
  if (setUp.optedOut !== undefined) return `has had no config since ${day(setUp.optedOut)}, and is not watched`;
  if (setUp.found) return "waits for its set-up pull request to be merged";
  const where = setUp.unread ? " among the searched files" : "";
  return `has no config, and no report that cites or rates anything to draft one from${where}`;
}

/** What a rating's level comes from: a source that could not be read, or else a trigger. */
export function causeName(id: string, level: FreshnessLevel, config: Config): string {
  return level === "blind" ? (config.sources.get(id)?.title ?? id) : triggerName(id, config);
}
