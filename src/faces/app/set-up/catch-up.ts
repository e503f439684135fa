import type { Change } from "../../../model/change.ts";
import type { Config } from "../../../model/config.ts";
import { type Firing, mergeFirings } from "../../../model/firing.ts";
import type { CheckRecord } from "../../../model/ports/index.ts";
import type { Item } from "../../../model/reading.ts";
import type { Instant } from "../../../model/time.ts";
import type { Reader } from "../../../read/reader.ts";
import type { PlaceInReport } from "../../../recheck/correct.ts";
import { type FirstFinding, firstFindings } from "../../../recheck/first-check.ts";
import { type FiringGroup, groupTriggers } from "../../../recheck/issue/question.ts";

export type FirstCheckRecord = Pick<CheckRecord, "source" | "at" | "outcome" | "failure" | "happenings" | "left">;

/** Everything that happened between the audit and the first check, as far as sources have a history. */
export interface CatchUp {
  /** Findings of the first check, worst first. */
  readonly first: readonly FirstFinding[];
  readonly contrary: readonly FiringGroup[];
  readonly routine: readonly FiringGroup[];
  /** Entries dated after the audit without a trigger that asks about them, newest first. */
  readonly quiet: readonly QuietEntry[];
  readonly more: boolean;
  readonly seen: readonly string[];
  readonly unseen: readonly UnseenSource[];
  /** Deferred because an hourly allowance was used up. */
  readonly later: readonly string[];
  readonly waiting: readonly string[];
  /** Successfully read sources without a history: pages, texts, repositories. */
  readonly withoutPast: readonly string[];
}

export interface QuietEntry {
  readonly source: string;
  readonly title: string;
  readonly at: Instant;
}

export interface UnseenSource {
  readonly source: string;
  /** `403`, `timed out after 20 s`. */
  readonly says: string;
}

/** Sums up the first checks. `checks`: the newest of each source; `firings`: all unanswered ones. Pure. */
export function catchUp(
  config: Config,
  checks: readonly FirstCheckRecord[],
  firings: readonly Firing[],
  readers: ReadonlyMap<string, Reader>,
  places?: PlaceInReport,
): CatchUp {
  const ownChecks = checks.filter(({ source }) => config.sources.has(source));
  const checked = new Set(ownChecks.map(({ source }) => source));
  const successes = ownChecks.filter(({ outcome }) => outcome !== "unknown");
  const missed = ownChecks.filter(({ outcome }) => outcome === "unknown");
  const together = mergeFirings(firings);
  const { findings: first, others: all } = firstFindings(together, config, places);
  return {
    first,
    contrary: newestFirst(all.filter(({ weight }) => weight === "contrary")),
    routine: newestFirst(all.filter(({ weight }) => weight === "routine")),
    quiet: quietOf(successes, all, config.report.audited),
    more: ownChecks.some(({ left = 0 }) => left > 0),
    seen: successes.map(({ source }) => source),
    unseen: missed.filter(isOpen).map(({ source, failure }) => ({ source, says: failure?.says ?? "unknown" })),
    later: missed.filter((check) => !isOpen(check)).map(({ source }) => source),
    waiting: [...config.sources.keys()].filter((id) => !checked.has(id)),
    withoutPast: successes.map(({ source }) => source).filter((id) => !hasPast(id, config, readers)),
  };
}

function isOpen({ failure }: FirstCheckRecord): boolean {
  return failure?.kind !== "deferred";
}

function hasPast(id: string, config: Config, readers: ReadonlyMap<string, Reader>): boolean {
  const source = config.sources.get(id);
  const gives = source && readers.get(source.kind)?.gives(source.options);
  return gives?.items === true;
}

function newestFirst(firings: readonly Firing[]): FiringGroup[] {
  const at = ({ event, seen }: Firing) => event.at ?? seen;
  return groupTriggers([...firings].sort((a, b) => at(b) - at(a)));
}

function quietOf(checks: readonly FirstCheckRecord[], firings: readonly Firing[], audited: Instant): QuietEntry[] {
  const reportedKeys = new Set(
    firings.flatMap(({ evidence }) => evidence.flatMap(({ source, change }) => keyOf(source, change))),
  );
  const entries = checks.flatMap(({ source, happenings = [] }) =>
    happenings
      .flatMap(({ changes }) => changes)
      .flatMap(({ change }): QuietEntry[] => {
        const item = entryOf(change);
        if (item?.at === undefined || item.at <= audited || keyOf(source, change).some((key) => reportedKeys.has(key)))
          return [];
        return [{ source, title: item.title, at: item.at }];
      }),
  );
  return entries.sort((a, b) => b.at - a.at);
}

function entryOf(change: Change): Item | undefined {
  return change.kind === "item-added" ? change.item : undefined;
}

function keyOf(source: string, change: Change): string[] {
  const item = entryOf(change);
  return item ? [JSON.stringify([source, item.id])] : [];
}
