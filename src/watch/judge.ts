import { factsGiven } from "../compare/facts.ts";
import {
  type CompareOptions,
  type Comparison,
  compare,
  compareAgain,
  isSettled,
  type Memory,
  nextJudgement,
} from "../compare/index.ts";
import { type Loss, lossesSince, withoutLost } from "../compare/losses.ts";
import { isFrameKept } from "../compare/other-document.ts";
import type { Noise, Seen, Sighting } from "../model/change.ts";
import type { Check, PendingSighting } from "../model/check.ts";
import type { ClaimState } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import { Failure } from "../model/failure.ts";
import type { Trace } from "../model/heuristics.ts";
import type { CheckResult, Fetched, LastRead, Past, Response, Store, Watch } from "../model/ports/index.ts";
import type { Block, Reading } from "../model/reading.ts";
import { sizeOfReading } from "../model/reading-size.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import type { Reader } from "../read/reader.ts";
import { unnamedIn } from "./announced-version.ts";
import { type Evaluation, evaluate, foresee, type Remembered } from "./evaluate.ts";
import { baselineEvents, type FoundEvents, foundEventsOf, occurrencesOf } from "./events.ts";
import { stateChanges } from "./first-check.ts";
import { firstReading, recall } from "./memory.ts";
import { awaitsPast } from "./past.ts";
import { foreseeClaims, prove } from "./prove.ts";
import { checkRecordOf } from "./record.ts";
import { confirmAfter, nextCheck, soonEnough, soonestConfirmation } from "./schedule.ts";
import { mayBeOfSite, type Neighbour, type Site, separateSiteChanges, siteOf } from "./site.ts";
import { mayFlip, missingSince, mustHold, redirectAfter, watchAfterSeen, withEndedRedirect } from "./watch.ts";

/**
 * Judges a response: parse, compare, prove, evaluate. All work on untrusted content happens here and changes nothing else, so
 * that it can run in a thread with limits. It reads the store only through `CheckStore`.
 */

/** A response to judge, as plain data. */
export interface FetchedCheck {
  readonly source: Source;
  readonly before: Watch | undefined;
  readonly watch: Watch;
  readonly fetched: Fetched;
  /** The response is identical to that of the last check. */
  readonly same: boolean;
  /** The last reading. If the response reads the same, no comparison is needed. */
  readonly lastRead?: LastRead;
  readonly at: Instant;
  /** Digest of the present reader and proofs: `Watch.proved`. */
  readonly proved: string;
  readonly firstPast?: Past;
  /** The archived copy for claims that a later check does not find. */
  readonly laterPast?: Past;
  /** At a first check: the response for the version that the source's address names. */
  readonly atFirst?: Response | undefined;
  /** Another page of the site, if a waiting change may be a change of the whole site. */
  readonly neighbour?: Response | undefined;
}

export interface CheckStore extends Pick<Store, "memory" | "readBy" | "snapshots" | "watches" | "firings"> {
  claims(): Promise<readonly ClaimState[]>;
  remembered(about: FoundEvents): Promise<Remembered>;
}

/** Everything that a check stores. The response stays in the main thread, so that it is not sent between threads. */
export interface CheckToStore extends Omit<CheckResult, "snapshot"> {
  /** The reader's version, if the response is worth keeping. */
  readonly snapshot?: number;
  readonly overturned: readonly ClaimState[];
  /** Pages to check before the confirmation is due. */
  readonly hurried: readonly string[];
}

export interface CheckContext {
  readonly config: Config;
  readonly reader: Reader;
  readonly trace?: Trace;
}

export interface CheckOutcome {
  /** The report for the caller. */
  readonly check: Check;
  readonly kept: CheckToStore;
}

/** Judges a response. Undefined if it reads as at the last check. @throws Failure if it cannot be parsed */
export async function judgeCheck(
  check: FetchedCheck,
  store: CheckStore,
  { config, reader, trace }: CheckContext,
): Promise<CheckOutcome | undefined> {
  const { source, before, at, lastRead } = check;
  const rereading = lastRead && (await reparse(check, lastRead, reader));
  if (rereading && digestOf(rereading) === lastRead.digest) return undefined;
  const first = check.atFirst && (await reader.read(check.atFirst, source, { at }));
  const atAudit = first?.facts ?? source.atAudit;
  const options = {
    at,
    trace,
    atAudit,
    structured: reader.structured,
    current: reader.current,
    confirmAfter: soonEnough(confirmAfter(source)),
    audited: config.report.audited,
    last: check.watch.lastSeen,
  };
  const memory = await recall({ source, reader, before, watch: check.watch, store, options });
  const past = check.watch.past ?? (memory === undefined ? check.firstPast : undefined);
  const watch = { ...check.watch, proved: check.proved, past };
  const atFirst = memory?.atFirst ?? first?.atFirst;
  const recalled = { ...check, reader, watch, memory, options, atFirst, rereading };
  const parsed = check.same ? {} : await parse(recalled, store);
  const comparison = comparisonOf({ ...recalled, ...parsed });
  const neighbour = check.neighbour && (await neighbourFrom(check.neighbour, comparison, recalled));
  const site = await siteOf(source, comparison, { at, config, store, neighbour, memory: memory?.page });
  return outcomeOf(await proveAndEvaluate({ ...recalled, ...parsed, comparison, site }, store, config), config);
}

/** A response, with everything needed to parse and compare it. */
interface RecalledCheck extends Omit<FetchedCheck, "atFirst"> {
  /** The text of the version that the source's address names; the reader compares with it. */
  readonly atFirst: string | undefined;
  readonly reader: Reader;
  readonly memory: Memory | undefined;
  readonly options: CompareOptions;
  /** The reading, if it was already made to compare its digest. */
  readonly rereading?: Reading;
}

/** A response with its reading, which is undefined if the response is identical to the last one. */
interface ParsedCheck extends RecalledCheck {
  readonly reading?: Reading;
  readonly replacements?: readonly Replacement[];
}

/** A check compared with the source's memory, and with other pages of its site. */
interface ComparedCheck extends ParsedCheck {
  readonly comparison: Comparison;
  readonly site: Site | undefined;
}

/** A loss that lasted, so that the source's present content is accepted. */
interface Replacement extends Loss {
  readonly since: Instant;
}

async function reparse({ source, fetched, at }: FetchedCheck, { region }: LastRead, reader: Reader) {
  return fetched.kind === "response" ? await reader.read(fetched.response, source, { region, at }) : undefined;
}

/** Minimum characters, without figures, of a text that shows that a page is a different one. */
const leastOfNeighbour = 40;

/** Parses another page of the site. Undefined if it cannot be parsed, or is the same page under another address. */
async function neighbourFrom(
  response: Response,
  { accepted }: Comparison,
  { source, reader, options: { at } }: RecalledCheck,
): Promise<Neighbour | undefined> {
  const { blocks = [] } = (await firstReading([{ response, at }], source, reader)) ?? {};
  const words = ({ text }: Block) => text.replace(/\d+/g, "");
  const texts = new Set(accepted.map(words));
  const isOther = blocks.some((block) => words(block).length >= leastOfNeighbour && !texts.has(words(block)));
  return isOther ? { address: response.url, blocks } : undefined;
}

function digestOf({ title, language, blocks, region }: Reading): string {
  return digest([title, language, region, blocks]);
}

/** Parses a response. @throws Failure if it cannot be parsed, has expired, or lacks what the source had before */
async function parse(check: RecalledCheck, store: CheckStore) {
  const { source, reader, watch, fetched, memory, rereading } = check;
  const { at, trace, confirmAfter } = check.options;
  if (fetched.kind === "not-modified") throw new Failure("status", { status: 304 });
  const reading =
    rereading ??
    (await reader.read(fetched.response, source, { region: memory?.page?.region, atFirst: check.atFirst, trace, at }));
  mustHold(reading.holds, at);
  const { versions } = source.options;
  if (typeof versions === "string" && reading.items?.length === 0 && (memory?.items?.window.length ?? 0) > 0) {
    // As with a selector without a match, a person has to say what should match instead.
    throw new Failure("no-match", { selector: versions });
  }
  const isElsewhere = memory !== undefined && fetched.moved !== memory.moved?.address;
  const elsewhere = isElsewhere ? (fetched.moved === undefined ? "left" : "led") : undefined;
  const { mayBeHalf, structured } = reader;
  const losses = lossesSince(memory, reading, { mayBeHalf, structured, elsewhere, trace });
  const isRewritten =
    losses[0] !== undefined && !mayFlip(watch, at) && (await isByItsMakers(losses[0], reading, check, store));
  const patience = isRewritten ? confirmAfter : undefined;
  const since = losses.map((lost) => missingSince(lost, watch, at, patience)).find((since) => since !== undefined);
  if (losses[0] && since === undefined) throw losses[0].failure;
  // Once one loss has lasted, the source is accepted as it reads now, even if it lacks more.
  return { reading, replacements: losses.map((lost): Replacement => ({ ...lost, since: since ?? at })) };
}

/** Whether a page was rewritten, rather than replaced by another version of it. */
async function isByItsMakers(
  { rewritten }: Loss,
  { blocks = [] }: Reading,
  { source, reader, fetched, memory }: RecalledCheck,
  store: CheckStore,
): Promise<boolean> {
  if (rewritten !== "around") return rewritten === "here";
  const [last] = await store.snapshots(source.id, 1);
  if (!last || !reader.whole || !memory?.page || fetched.kind !== "response") return false;
  const before = { whole: reader.whole(last.response), content: memory.page.latest ?? memory.page.accepted };
  return isFrameKept(before, { whole: reader.whole(fetched.response), content: blocks });
}

/** A check whose claims are proved and whose changes were matched with every trigger. */
interface EvaluatedCheck extends ComparedCheck, Evaluation {
  readonly proof: ReturnType<typeof prove>;
  /** Whether every claim is in the same state as before. */
  readonly isProvedAsBefore: boolean;
  readonly moved: ReturnType<typeof redirectOf>;
  readonly changes: readonly Seen[];
  /** Changes, and a redirect, that wait for confirmation. */
  readonly sightings: readonly Sighting[];
  readonly noise: readonly Noise[];
  /** Whether changes of the whole site are among the ignored ones. */
  readonly isOfSite: boolean;
  readonly foreseen: readonly PendingSighting[];
}

async function proveAndEvaluate(check: ComparedCheck, store: CheckStore, config: Config): Promise<EvaluatedCheck> {
  const { source, watch, memory, reading, options, comparison, site } = check;
  const { at } = options;
  const states = new Map((await store.claims()).map((state) => [state.claim, state]));
  const earlier = memory?.page?.accepted ?? [];
  const held = awaitsPast(watch) || claimsPastOf(check) !== undefined;
  const proof = prove(source, { comparison, reading, states, at, earlier, held });
  const redirect = redirectOf(check);
  const { reported, passed } = separateSiteChanges(comparison.changes, proof.changes, site, { source, config, at });
  const sourceChanges =
    memory === undefined && reading ? stateChanges(source, check.reader, reading, { config, at }) : [];
  const changes = [
    ...replacementChanges(check),
    ...reported,
    ...sourceChanges,
    ...proof.changes,
    ...linkChanges(check, redirect),
  ];
  const sightings = [...comparison.sightings, ...redirectSightings(redirect)];
  const happened = occurrencesOf(changes, source, config);
  const remembered = await store.remembered(
    foundEventsOf([...happened, ...occurrencesOf(sightings, source, config)], source),
  );
  const context = { source, config, remembered, at };
  const evaluation = evaluate(happened, context);
  const proved = new Map([
    ...states,
    ...[...proof.states, ...evaluation.overturned].map((state) => [state.claim, state] as const),
  ]);
  const moving = foreseeClaims(source, { comparison, reading, states: proved }, options);
  return {
    ...check,
    ...evaluation,
    proof,
    moved: redirect,
    changes,
    sightings,
    isProvedAsBefore: proof.states.every((state) => digest(state) === digest(states.get(state.claim) ?? {})),
    noise: [...passed, ...comparison.noise],
    isOfSite: passed.length > 0,
    foreseen: foresee(sightings, moving, context),
  };
}

/** The archived copy that decides on claims. A first check has none: it uses the copy of its own past. */
function claimsPastOf({ memory, laterPast }: ComparedCheck): Past | undefined {
  return memory === undefined ? undefined : laterPast;
}

/** The change of a source that permanently serves something else. */
function replacementChanges({ replacements = [] }: ComparedCheck): Seen[] {
  return replacements.flatMap(({ now, since }): Seen[] =>
    now === undefined ? [] : [{ change: { kind: "turned", now, since }, since }],
  );
}

function linkChanges({ watch, options: { at } }: ComparedCheck, { change, moved }: EvaluatedCheck["moved"]): Seen[] {
  const back: Seen[] = watch.gone ? [{ change: { kind: "link", to: "back" }, since: at }] : [];
  return change ? [{ change, since: moved?.since ?? at }, ...back] : back;
}

function redirectSightings({ waits, moved }: EvaluatedCheck["moved"]): Sighting[] {
  if (!waits || !moved) return [];
  const { address, page = address, since } = moved;
  return [{ change: { kind: "link", to: "moved", address: page }, since }];
}

function outcomeOf(check: EvaluatedCheck, config: Config): CheckOutcome {
  const { source, watch, fetched, memory, reading, reader, comparison, moved, changes, noise, proof, firings } = check;
  const { at } = check.options;
  const { sightings } = check;
  const first = memory === undefined;
  const outcome = first ? "first" : changes.length > 0 ? "changed" : "unchanged";
  const pending = sightings.length > 0;
  const news = first || changes.length > 0 || pending;
  const worthKeeping = news || watch.pending || check.isOfSite || changesMemory(memory, comparison);
  const secondCheck = pending ? confirmationDue(check) : undefined;
  const next = Math.min(nextCheck(source, config, at, watch.next), secondCheck ?? Infinity);
  const claimsPast = claimsPastOf(check);
  const stored: CheckToStore = {
    watch: {
      ...watchAfterSeen(watch, fetched, at, (check.replacements ?? []).length > 0),
      ...(proof.holds && claimsPast && { claimsPast }),
      next,
      pending,
      neighbour: neighbourAfter(check, config),
      moved: moved.address,
      returned: nextJudgement(comparison.memory),
      lastRead: reading ? lastReadOf(check, reading, pending) : watch.lastRead,
      holds: reading ? reading.holds : watch.holds,
      gave: reading ? sizeOfReading(reading) : watch.gave,
      unnamed: unnamedIn(comparison.memory.items, source, config),
      lastChange: newestDate(comparison.memory) ?? (news ? at : watch.lastChange),
    },
    check: checkRecordOf({
      source: source.id,
      at,
      outcome,
      noise,
      happenings: check.happenings,
      sightings: check.foreseen,
      ...(moved.address && { moved: moved.address }),
    }),
    memory: JSON.stringify({ ...comparison.memory, moved: moved.moved, movedBefore: moved.over }),
    ...(worthKeeping && reading && { snapshot: reader.version }),
    claims: proof.states,
    overturned: check.overturned,
    hurried: check.site?.wanted ?? [],
    events: [...baselineEvents(comparison.baseline, source, config, at), ...check.events],
    firings,
  };
  return { check: { source: source.id, at, outcome, sightings, secondCheck, noise, firings, next }, kept: stored };
}

/** The page to read with the second check: only for a change that it can settle, and if config has no other page of the site. */
function neighbourAfter(
  { source, fetched, reader, foreseen, watch }: EvaluatedCheck,
  config: Config,
): string | undefined {
  if (!foreseen.some((sighting) => mayBeOfSite(sighting, source, config))) return undefined;
  return fetched.kind === "response" ? reader.neighbour?.(fetched.response) : watch.neighbour;
}

/** The reading with which the next check can skip the comparison, if there is nothing left to learn from comparing. */
function lastReadOf(
  { source, reader, fetched, comparison: { memory }, noise, isProvedAsBefore }: EvaluatedCheck,
  reading: Reading,
  pending: boolean,
): LastRead | undefined {
  const isQuiet = !pending && noise.length === 0 && isProvedAsBefore && isSettled(memory);
  if (!isQuiet || fetched.kind !== "response") return undefined;
  return {
    digest: digestOf(reading),
    region: memory.page?.region,
    fingerprint: reader.fingerprint?.(fetched.response, source),
  };
}

/** Compares a reading with the memory. A part in another form is compared from the time it was last seen. */
function comparisonOf({ memory, reading, replacements = [], watch, options }: ParsedCheck): Comparison {
  if (!reading) return compareAgain(memory ?? {}, options);
  if (!memory || replacements.length === 0) return compare(memory, reading, options);
  const since = replacements.some(({ foreign }) => foreign) ? options.at : (watch.lastSeen ?? options.audited);
  // It has already been seen often enough.
  return compare(withoutLost(memory, replacements), reading, { ...options, audited: since, confirmAfter: 0 });
}

/** Finds the target of a permanent redirect, and the redirects that have ended. */
function redirectOf({ source, fetched, memory, comparison, reader, options: { at, confirmAfter } }: ComparedCheck) {
  const address = fetched.moved;
  const over = withEndedRedirect(memory?.moved, address, at, memory?.movedBefore);
  const { moved, change, waits } = redirectAfter(memory?.moved, address, at, confirmAfter, over);
  const response = fetched.kind === "response" ? fetched.response : undefined;
  const target = address === undefined ? undefined : { url: response?.url ?? address, response };
  const { place = source.address } = comparison.memory.facts ? factsGiven(comparison.memory.facts) : {};
  const page = (target && reader.leadsTo?.(target, { address: place })) ?? (response ? undefined : memory?.moved?.page);
  const reported: Memory["moved"] = moved && page !== undefined ? { ...moved, page } : moved;
  return {
    address,
    moved: reported,
    change: change && page !== undefined ? { ...change, address: page } : change,
    waits,
    over: Object.keys(over).length > 0 ? over : undefined,
  };
}

/** When the confirmation is due. A page that is being edited may wait longer, without a check every minute. */
function confirmationDue({ source, sightings, at }: EvaluatedCheck): Instant {
  const since = sightings.reduce((first, sighting) => Math.min(first, sighting.since), at);
  return Math.max(since + confirmAfter(source), at + soonestConfirmation);
}

/** Whether a check without news changed the memory. Then its response is stored, so that a replay gets the same memory. */
function changesMemory(memory: Memory | undefined, { memory: after, noise }: Comparison): boolean {
  const entriesOf = (of: Memory | undefined) => JSON.stringify([of?.items, of?.facts]);
  const hasReturn = noise.some(({ reason }) => reason === "returned to an earlier text");
  return entriesOf(memory) !== entriesOf(after) || hasReturn;
}

function newestDate({ items }: Memory): Instant | undefined {
  const dates = (items?.window ?? []).flatMap((id) => items?.known[id]?.at ?? []);
  return dates.length > 0 ? dates.reduce((a, b) => Math.max(a, b)) : undefined;
}
