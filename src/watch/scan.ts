import type { Check } from "../model/check.ts";
import { type InTurn, turns } from "../model/concurrency.ts";
import { Failure, isNoResponse } from "../model/failure.ts";
import { type Firing, mergeFirings } from "../model/firing.ts";
import { isSilence, outageOf } from "../model/outage.ts";
import type { Watch } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import { findCopies } from "./archived-changes.ts";
import { check, type FailedCheck, validatorsOf, type World } from "./check.ts";
import { evaluateIn } from "./check-store.ts";
import { sourcesThatMayBeSilent } from "./conditions.ts";
import { evaluateTime } from "./evaluate.ts";
import { firstGoneChange } from "./first-check.ts";
import { byRequest, withOneRequestEach } from "./one-request.ts";
import { requestPasts } from "./past.ts";
import { checkRecordOf } from "./record.ts";
import { candidatesAt, recallWatches } from "./roster.ts";
import { dueSources, type SourceSelection } from "./schedule.ts";
import { eachHost, hostOf, type UnderWay } from "./under-way.ts";
import { currentWatch, failedAfter, goneChange, goneSince, type Update } from "./watch.ts";

/** One scan: all checks that were due, and their outcomes. */
export interface Scan {
  readonly started: Instant;
  readonly ended: Instant;
  readonly checks: readonly Check[];
  /** Most hosts gave no response, so that our own network has failed. It is reported once, and no source is blamed. */
  readonly outage: boolean;
  /** Everything that fired through checks or time, each once, with all its evidence. */
  readonly firings: readonly Firing[];
  /** Something was stored besides unchanged checks. */
  readonly hasNews: boolean;
}

export interface ScanOptions extends SourceSelection {
  /** Checks under way at once, without those that wait for their turn at a host. A host gets one request at a time. */
  readonly atOnce?: number;
  readonly onCheck?: (check: Check, done: number, all: number) => void;
  /** Called for each source just before the archive is asked for its copy, which happens after all checks. */
  readonly onPast?: (source: string) => void;
  /** Receives unexpected errors. The failed check itself only says that there was one. */
  readonly onDefect?: (source: string, thrown: unknown) => void;
  /** For callers that scan whenever something is due: no source is checked early. */
  readonly prompt?: boolean;
  /** Also does work that depends on time alone, such as asking an archive, if no check brings news (default: true). */
  readonly isTime?: boolean;
  /** Called between checks. True stops the scan early; finished checks are kept. */
  readonly stopped?: () => boolean;
  /** Limits the checks under way if several scans share their machine. */
  readonly turn?: InTurn;
  /** Runs each check, for a caller that wraps it, for example to set an id in its log. */
  readonly during?: <T>(work: () => Promise<T>, source: Source) => Promise<T>;
}

const maxUnderWay = 128;

const maxChecksInOneWrite = 500;

/** Checks everything that is due, settles failures, and fires the conditions that time alone has met. */
export async function scan(world: World, options: ScanOptions = {}): Promise<Scan> {
  const started = world.clock.now();
  const time = { at: started, lastCheck: options.prompt ? started : await world.store.lastCheck(started) };
  const candidates = await candidatesAt(time, world, options);
  const { watches } = candidates;
  const { died, suspects } = await recordDied(watches, world);
  const groups = byRequest(dueSources(candidates, world.config, time, options), world, options);
  const sources = groups.flat();
  const chosen = new Set(sources.map(({ id }) => id));
  await recallWatches(watches, [...chosen], world);

  const { checks, failed, kept } = await checkAll(groups, { watches, suspects }, world, options);
  const hasNews = died.length + kept > 0 || failed.some(({ checked }) => checked.failure.kind !== "deferred");
  const outage = isOutage(checks, world);
  // Storing a check ends its note.
  if (outage || checks.length < sources.length) await world.store.attempt([], started);

  const firings: Firing[] = checks.flatMap((check) => check.firings);
  for (const { source, checked } of failed) {
    if (outage && isNoResponse(checked.failure.kind)) continue;
    firings.push(...(await settle(source, watches.get(source.id), checked, world)));
  }
  if (!outage && (options.isTime !== false || hasNews)) {
    firings.push(...(await requestPasts(world, options)), ...(await passTime(world)));
    await findCopies(world, options.stopped);
  }
  return {
    started,
    ended: world.clock.now(),
    checks: [...died.filter(({ source }) => !chosen.has(source)), ...checks],
    outage,
    firings: mergeFirings(firings),
    hasNews: hasNews || firings.length > 0,
  };
}

/** The checks of one scan. Those that saw their source are stored already; the failed ones must still be settled. */
interface ChecksTaken {
  readonly checks: Check[];
  readonly failed: Failed[];
  /** How many stored something besides unchanged checks. */
  kept: number;
}

interface Failed {
  readonly source: Source;
  readonly checked: FailedCheck;
}

/** Checks all sources, grouped by request. `watches` holds each source's watch from before the scan. */
async function checkAll(
  groups: readonly (readonly Source[])[],
  { watches, suspects }: { readonly watches: ReadonlyMap<string, Watch>; readonly suspects: readonly string[] },
  world: World,
  { stopped, atOnce = maxUnderWay, turn = turns(atOnce), during = (work) => work(), onCheck, onDefect }: ScanOptions,
): Promise<ChecksTaken> {
  const result: ChecksTaken = { checks: [], failed: [], kept: 0 };
  const unchanged: Watch[] = [];
  const sourceCount = groups.reduce((sum, { length }) => sum + length, 0);

  const checkOne = async (source: Source, way: World, under: UnderWay) => {
    const checked = await check(source, watches.get(source.id), way);
    if (under.isTooLate()) return;
    result.checks.push(checked.check);
    if (checked.outcome === "failed") {
      if (checked.failure.kind === "internal") onDefect?.(source.id, checked.failure.cause);
      result.failed.push({ source, checked });
    } else if (checked.outcome === "kept") {
      result.kept++;
    } else {
      unchanged.push(checked.watch);
      if (unchanged.length >= maxChecksInOneWrite) await world.store.touch(unchanged.splice(0));
    }
    onCheck?.(checked.check, result.checks.length, sourceCount);
  };
  const checkGroup = async (group: readonly Source[], under: UnderWay) => {
    const alone = under.fetching(world.fetch);
    const validatorsFor = (source: Source) => validatorsOf(source, watches.get(source.id), world);
    const way = { ...world, fetch: group.length > 1 ? withOneRequestEach(alone, group.map(validatorsFor)) : alone };
    for (const source of group) if (!stopped?.()) await during(() => checkOne(source, way, under), source);
  };

  const isSuspect = (group: readonly Source[]) =>
    group.some(({ id }) => suspects.includes(id) || watches.get(id)?.trouble?.kind === "died");
  const [alone, others] = [groups.filter(isSuspect), groups.filter((group) => !isSuspect(group))];
  await eachHost(others, { world, stopped, atOnce, turn }, checkGroup);
  await eachHost(alone, { world, stopped, atOnce: 1, turn: turns(1) }, checkGroup);
  if (unchanged.length > 0) await world.store.touch(unchanged);
  return result;
}

/**
 * A request that was alone under way when the program died is to blame. Several are suspects: each is repeated alone, so that
 * the next death blames the right one. A full disk or a lost machine blames none.
 */
async function recordDied(watches: Map<string, Watch>, world: World): Promise<{ died: Check[]; suspects: string[] }> {
  const at = world.clock.now();
  const suspects = (await world.store.died()).map(({ source }) => source);
  const sources = suspects.flatMap((id) => world.config.sources.get(id) ?? []);
  const blamed = byRequest(sources, world, { sources: suspects }).length > 1 ? [] : sources;
  await recallWatches(
    watches,
    blamed.map(({ id }) => id),
    world,
  );
  const died: Check[] = [];
  for (const source of blamed) {
    const failure = new Failure("died");
    const outcome = failedAfter(source, currentWatch(watches.get(source.id), source, at), failure, at, world.config);
    await settle(source, watches.get(source.id), outcome, world);
    watches.set(source.id, outcome.watch);
    died.push(outcome.check);
  }
  if (suspects.length > 0) await world.store.attempt([], at);
  return { died, suspects };
}

/** Whether so many hosts gave no response that our own network has failed. Deferred checks do not count. */
function isOutage(checks: readonly Check[], world: World): boolean {
  if (!checks.some(({ failure }) => isSilence(failure))) return false;
  const asked = checks.flatMap(({ source: id, failure }) => {
    const source = failure?.kind === "deferred" ? undefined : world.config.sources.get(id);
    return source ? [{ host: hostOf(source, world), failure }] : [];
  });
  return outageOf(asked) !== undefined;
}

/** Records a failed check. If the source is gone, that is a change, dated from the first failure in the row. */
export async function settle(
  source: Source,
  before: Watch | undefined,
  { check, watch, failure: failed }: Update & { readonly failure?: Failure },
  world: World,
): Promise<readonly Firing[]> {
  if (check.failure?.kind === "deferred") {
    await world.store.touch([watch]);
    return [];
  }
  return await world.store.commit(async (tx) => {
    const since = goneSince(watch) ?? check.at;
    const changes =
      watch.gone && !before?.gone
        ? [{ change: goneChange(watch), since }]
        : firstGoneChange(source, before, failed, check.at);
    const { at, outcome, failure } = check;
    const { happenings, firings, events } = await evaluateIn(tx, changes, { source, config: world.config, at });
    await tx.keep({
      watch,
      check: checkRecordOf({ source: source.id, at, outcome, failure, happenings }),
      claims: [],
      events,
      firings,
    });
    return firings;
  }, "soon");
}

/** Fires each condition that time alone has met, once. */
async function passTime(world: World): Promise<readonly Firing[]> {
  const at = world.clock.now();
  const silent = sourcesThatMayBeSilent(world.config);
  const silentWatches = silent.length > 0 ? await world.store.watches(silent) : [];
  const watches = new Map(silentWatches.map((watch) => [watch.source, watch]));
  const met = evaluateTime({ config: world.config, watches, at });
  if (met.length === 0) return [];
  return await world.store.commit(async (tx) => {
    const fired = await tx.firingsOf(met.map(({ event }) => event.key));
    const newFirings = met.filter(
      ({ trigger, event }) => !fired.some((old) => old.trigger === trigger && old.event.key === event.key),
    );
    await tx.fire(newFirings);
    return newFirings;
  });
}
