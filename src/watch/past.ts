import type { Comparison, Memory } from "../compare/index.ts";
import type { Change } from "../model/change.ts";
import type { ClaimState } from "../model/claim.ts";
import { conditionsOf, isMetBy, listensTo } from "../model/condition.ts";
import type { Config } from "../model/config.ts";
import { claimKey } from "../model/dependencies.ts";
import { digest } from "../model/digest.ts";
import { Failure } from "../model/failure.ts";
import type { Firing } from "../model/firing.ts";
import type { Past, Watch, WebArchive } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { aMinute, anHour, type Duration, hasCome, type Instant, pauseAfter } from "../model/time.ts";
import type { Reader } from "../read/reader.ts";
import { isSilence, isText, nearestCopy, withoutPast } from "./audit-copy.ts";
import type { World } from "./check.ts";
import { evaluateIn, sourceOfClaim } from "./check-store.ts";
import { checkRecordOf } from "./record.ts";
import { workersOf } from "./workers.ts";

/**
 * The past of a source: the archived copy nearest to the audit. A first check sees only the present; compared with the
 * copy, it shows the changes since the audit. For a source that is already watched, the copy only decides about claims
 * without a proof. The archive is asked after the checks of a scan, one page at a time: it delays no check, and its
 * failures are not the source's.
 */

/** Limit of tries to get one page from the archive. */
const maxTries = 6;
/** The longest pause between two tries; the first one is an hour. */
const longestPause: Duration = 32 * anHour;
const maxAskedInOneScan = 100;
/** Time limit per scan. The other pages follow in the next one. */
const longest: Duration = 5 * aMinute;

export function pastAtFirstCheck(source: Source, reader: Reader, at: Instant, world: World): Past | undefined {
  const { config, archive } = world;
  if (!archive || config.baseline !== "archive" || !comparesTexts(source, reader, config)) return undefined;
  const says = withoutPast(source, config, at);
  return says === undefined ? { tries: 0, next: at } : { tries: 0, says };
}

/** The past that decides on claims that a later check does not find; undefined if there is no use for it. */
export function pastOfClaims(
  source: Source,
  reader: Reader,
  watch: Pick<Watch, "past" | "claimsPast">,
  at: Instant,
  world: World,
): Past | undefined {
  if (watch.past?.next !== undefined || watch.claimsPast?.next !== undefined) return undefined;
  const past = pastAtFirstCheck(source, reader, at, world);
  return past?.next === undefined ? undefined : past;
}

/** Whether texts of the source are compared: its claims, or passages of a page. */
function comparesTexts(source: Source, reader: Reader, config: Config): boolean {
  if (!isText(source, reader)) return false;
  const block: Change = { kind: "block" };
  const listens = [...config.triggers.values()].some((trigger) =>
    conditionsOf(trigger).some(({ condition }) => listensTo(condition, source) && isMetBy(condition, block)),
  );
  return listens || source.claims.length > 0;
}

/** Whether claims that were not found are not reported yet, because the archive is still to be asked. */
export function awaitsPast({ past, claimsPast }: Pick<Watch, "past" | "claimsPast">): boolean {
  return [past, claimsPast].some((one) => one?.next !== undefined && one.tries === 0);
}

/** Requests the past of the sources that still wait for it, one by one, and stores the outcome. */
export async function requestPasts(
  world: World,
  choice: {
    readonly sources?: readonly string[];
    readonly stopped?: () => boolean;
    readonly onPast?: (source: string) => void;
  },
): Promise<Firing[]> {
  const started = performance.now();
  const firings: Firing[] = [];
  let [requestCount, isSilent] = [0, false];
  for (const waiting of await waitingSources(world, choice.sources)) {
    const { source, past } = waiting;
    if (choice.stopped?.()) break;
    if (isSilent || !world.archive) {
      firings.push(...(await keepPast(waiting, withoutAnswer(past, world), world)));
      continue;
    }
    const isOver = requestCount >= maxAskedInOneScan || performance.now() - started > longest;
    if (!isOver) choice.onPast?.(source.id);
    const postponed = { ...past, tries: Math.max(1, past.tries), says: "its turn at the archive has not come yet" };
    const outcome = isOver ? { past: postponed } : await askForCopy(source, past, world.archive, world);
    firings.push(...(await keepPast(waiting, outcome, world)));
    requestCount++;
    isSilent = outcome.isSilent === true;
  }
  return firings;
}

interface WaitingSource {
  readonly source: Source;
  readonly watch: Watch;
  readonly past: Past;
  /** The field of the watch for it: `claimsPast` is for claims alone. */
  readonly as: "past" | "claimsPast";
}

/** The sources whose past is to be requested now, longest due first. */
async function waitingSources(world: World, only: readonly string[] | undefined): Promise<WaitingSource[]> {
  const { store, config, clock } = world;
  const at = clock.now();
  const isAsked = world.archive !== undefined && config.baseline === "archive";
  const unfound = new Set(isAsked ? (await store.claimsThatAre("not found")).map(({ claim }) => claim) : []);
  const due = await store.pastWatches(at);
  const dueIds = new Set(due.map(({ source }) => source));
  const silent = [...new Set([...unfound].map(sourceOfClaim))].filter((id) => !dueIds.has(id));
  return [...due, ...(silent.length > 0 ? await store.watches(silent) : [])]
    .flatMap((watch): WaitingSource[] => {
      const source = config.sources.get(watch.source);
      if (!source || watch.firstSeen === undefined || only?.includes(source.id) === false) return [];
      const { past, claimsPast = pastNeverAsked(source, watch, unfound, world) } = watch;
      const isDue = (one: Past | undefined) => one?.next !== undefined && hasCome(one.next, at, longestPause);
      if (past && isDue(past)) return [{ source, watch, past, as: "past" }];
      return claimsPast && isDue(claimsPast) ? [{ source, watch, past: claimsPast, as: "claimsPast" }] : [];
    })
    .sort((a, b) => (a.past.next ?? 0) - (b.past.next ?? 0));
}

/** The past for claims that were not found before config turned the archive on. */
function pastNeverAsked(source: Source, watch: Watch, unfound: ReadonlySet<string>, world: World): Past | undefined {
  const reader = world.readers.get(source.kind);
  const isOpen = watch.past === undefined && source.claims.some((claim) => unfound.has(claimKey(claim)));
  return reader && isOpen ? pastOfClaims(source, reader, watch, world.clock.now(), world) : undefined;
}

interface PastOutcome {
  readonly past: Past;
  readonly reading?: Reading;
  /** The archive does not respond, or asks us to stop: nothing more is requested in this scan. */
  readonly isSilent?: boolean;
}

async function askForCopy(source: Source, past: Past, archive: WebArchive, world: World): Promise<PastOutcome> {
  const tries = past.tries + 1;
  try {
    const memory: Memory = JSON.parse((await world.store.memory(source.id)) ?? "{}");
    const read = await nearestCopy(source, memory, archive, world);
    return read.reading
      ? { past: { tries, copy: read.copy }, reading: read.reading }
      : { past: { tries, says: read.says } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const outcome = withoutAnswer({ tries, says: `${archive.name}: ${error.message}` }, world);
    return { ...outcome, isSilent: isSilence(error) };
  }
}

/** The outcome if the archive did not respond: asked again later, up to `maxTries`. */
function withoutAnswer({ tries, says = "the archive does not answer" }: Past, { clock }: World): PastOutcome {
  const past = { tries: Math.max(1, tries), says };
  if (tries >= maxTries) return { past };
  return { past: { ...past, next: clock.now() + pauseAfter(past.tries, anHour, longestPause) } };
}

/** A copy to compare with the memory of its page, as plain data. */
export interface PastToJudge {
  readonly source: Source;
  /** The page's memory, as stored. */
  readonly memory: string | undefined;
  readonly reading: Reading | undefined;
  readonly claimStates: readonly ClaimState[];
  readonly as: WaitingSource["as"];
  readonly at: Instant;
}

/** The changes since the audit, and the states of claims that follow from them. */
export interface JudgedPast extends Pick<Comparison, "changes" | "noise"> {
  readonly states: readonly ClaimState[];
}

/**
 * Compares the accepted content of a page with its copy, and stores the firings. Both are complete readings of their day, so
 * that no confirmation is needed. Claims that neither proves are reported as not found. Judged outside any transaction, and
 * stored in one if everything that it is based on is unchanged.
 */
async function keepPast(waiting: WaitingSource, outcome: PastOutcome, world: World): Promise<readonly Firing[]> {
  const { source, as } = waiting;
  const { clock, store } = world;
  const at = clock.now();
  for (;;) {
    const [memory, claimStates] = [await store.memory(source.id), await store.claims([source.id])];
    const toJudge = { source, memory, reading: outcome.reading, claimStates, as, at };
    const workers = await workersOf(world);
    const judged = (await workers.run("past", toJudge, { shared: world.config })) as JudgedPast;
    const kept = await keepJudged(waiting, outcome, { ...judged, claimStates, at }, world);
    if (kept) return kept;
  }
}

/** Stores the outcome. Returns undefined, and stores nothing, if claims changed since it was judged. */
async function keepJudged(
  { source, watch, as }: WaitingSource,
  { past }: PastOutcome,
  { changes, states, noise, claimStates, at }: JudgedPast & Pick<PastToJudge, "claimStates" | "at">,
  { config, store }: World,
): Promise<readonly Firing[] | undefined> {
  const isFirst = as === "past";
  // Waiting changes are shown from the newest record that saw the source, so they are carried over.
  const [{ sightings } = { sightings: [] }] = await store.checks(source.id, 1, "seen");
  return await store.commit(async (tx) => {
    if (digest(await tx.claims([source.id])) !== digest(claimStates)) return undefined;
    const { happenings, firings, events } = await evaluateIn(tx, changes, { source, config, at });
    await tx.keep({
      watch: { ...watch, [as]: past },
      check: checkRecordOf({
        source: source.id,
        at,
        outcome: isFirst ? "first" : changes.length > 0 ? "changed" : "unchanged",
        sightings,
        noise,
        happenings,
      }),
      claims: states,
      events,
      firings,
    });
    if (past.copy && firings.length > 0) {
      await tx.keepArchived({ source: source.id, seen: at, before: past.copy, isBaseline: true, tries: 0, next: at });
    }
    return firings;
  });
}
