import { type CompareLook, type Comparison, compare, compareAgain, type Memory } from "../compare/index.ts";
import { type Loss, lostSince, withoutLost } from "../compare/lost.ts";
import { digest } from "../model/digest.ts";
import { Failure } from "../model/failure.ts";
import { gaveOf } from "../model/gave.ts";
import type { Config, Instant, Look, Occurrence, Reading, Seen, Source } from "../model/model.ts";
import type { Clock, Fetch, Fetched, Store, Transaction, Validators, Watch, WebArchive } from "../model/ports/index.ts";
import type { Trace } from "../model/trace.ts";
import type { Access, Reader } from "../read/reader.ts";
import { evaluate, foresee, type Remembered } from "./evaluate.ts";
import { baselineEvents, occurrencesOf } from "./events.ts";
import { hasMoved, isReselected, recall } from "./memory.ts";
import { awaitsPast, pastAtFirstLook } from "./past.ts";
import { foreseeClaims, prove } from "./prove.ts";
import { lookRecordOf } from "./record.ts";
import { confirmAfter, nextLook, soonEnough, soonestConfirmation } from "./schedule.ts";
import { type Site, siteOf, withoutSites } from "./site.ts";
import { type After, current, lastedSince, movedness, mustHold, seen, unchanged, unknown } from "./watch.ts";

/** The world, as one look needs it. */
export interface World {
  readonly config: Config;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly store: Store;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly access: Access;
  /** Where copies of pages are looked for, if anywhere. */
  readonly archive?: WebArchive;
  /** Hears how near its thresholds a page was read and compared. */
  readonly trace?: Trace;
}

/** A look, and what is left to record: nothing where it was kept already. */
export type CheckedLook =
  | { readonly look: Look; readonly kept: true }
  | { readonly look: Look; readonly kept: false; readonly watch: Watch; readonly failure?: Failure };

/**
 * Looks at one source: ask, read, compare, prove, evaluate, keep. What was seen is kept in one transaction, after it was
 * read; a look that saw the same response, or failed, leaves its record to the caller.
 */
export async function check(source: Source, before: Watch | undefined, world: World): Promise<CheckedLook> {
  const at = world.clock.now();
  const watch = current(before, source, at);
  try {
    const reader = readerOf(source, world);
    const proved = provedBy(source, reader);
    const anew = isReadAnew(watch, proved);
    const fetched = await ask(source, reader, anew ? {} : watch, world);
    const same = !anew && (fetched.kind === "not-modified" || fetched.hash === watch.hash);
    if (same) mustHold(watch.holds, at);
    if (same && !watch.pending && !(await hasMoved(source, fetched, world.store))) {
      const after = unchanged(source, watch, fetched, at, world.config);
      return watch.trouble ? await keepSeenAgain(after, world) : { ...after, kept: false };
    }
    const look = { ...lookOf(source, reader, at, world.config), last: watch.lastSeen, trace: world.trace };
    const memory = await recall({ source, reader, before, watch, store: world.store, look });
    const past = memory === undefined ? (watch.past ?? pastAtFirstLook(source, reader, at, world)) : watch.past;
    const answered = { source, reader, watch: { ...watch, proved, past }, fetched, memory, look };
    const read = same ? {} : await reading(answered);
    const sight = { ...answered, ...read };
    const comparison = comparisonOf(sight);
    const site = await siteOf(source, comparison, { ...world, at });
    return await world.store.commit((tx) => keep(tx, { ...sight, comparison, site }, world.config));
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure("internal", {}, error);
    // Memory goes by the options that it was read with.
    const as = before && isReselected(before, watch) ? before : watch;
    return { ...unknown(source, as, failure, at, world.config), kept: false, failure };
  }
}

/** The validators by which the next look at a source asks; none where even the same response is to be read anew. */
export function validatorsOf(source: Source, before: Watch | undefined, world: World): Validators {
  const watch = current(before, source, world.clock.now());
  const { validators = {} } = watch;
  return isReadAnew(watch, provedBy(source, readerOf(source, world))) ? {} : validators;
}

/** Names that by which its claims are proved: another reader or proof reads the same response anew. */
function provedBy({ claims }: Source, { version }: Reader): string {
  return digest([version, claims.map(({ id, proof }) => [id, proof])]);
}

function isReadAnew({ proved, gone }: Watch, by: string): boolean {
  return proved !== by || gone;
}

/** A look whose source has answered. */
interface Answered {
  readonly source: Source;
  readonly reader: Reader;
  readonly watch: Watch;
  readonly fetched: Fetched;
  readonly memory: Memory | undefined;
  readonly look: CompareLook;
}

/** `reading` is undefined where the response is the same as at the last look. */
interface Sight extends Answered {
  readonly reading?: Reading;
  readonly turns?: readonly Turn[];
}

/** A look that was compared with what is remembered of its source, beside what is of its site. */
interface Compared extends Sight {
  readonly comparison: Comparison;
  readonly site: Site | undefined;
}

/** A loss that lasted: what the source gives now is what it is. */
interface Turn extends Loss {
  readonly since: Instant;
}

/** The end of a trouble is recorded, like its beginning. */
async function keepSeenAgain({ look, watch }: After, { store }: World): Promise<CheckedLook> {
  const { source, at, outcome } = look;
  const record = lookRecordOf({ source, at, outcome, sightings: [], noise: [] });
  await store.commit((tx) => tx.keep({ watch, look: record, claims: [], events: [], firings: [] }));
  return { look, kept: true };
}

function readerOf(source: Source, { readers }: World): Reader {
  const reader = readers.get(source.kind);
  if (!reader) throw new Error(`no reader of kind ${source.kind}`);
  return reader;
}

function ask(
  source: Source,
  reader: Reader,
  { validators }: Pick<Watch, "validators">,
  world: World,
): Promise<Fetched> {
  const { answers, robots } = reader;
  return world.fetch.get(reader.request(source, world.access), { validators, answers, robots });
}

/** @throws Failure where the response cannot be read, holds no longer, or lacks what the source gave before */
async function reading({ source, reader, watch, fetched, memory, look: { at, trace } }: Answered) {
  if (fetched.kind === "not-modified") throw new Failure("status", { status: 304 });
  const reading = await reader.read(fetched.response, source, { region: memory?.page?.region, trace });
  mustHold(reading.holds, at);
  const { versions } = source.options;
  if (typeof versions === "string" && reading.items?.length === 0 && (memory?.items?.window.length ?? 0) > 0) {
    // As with a selector, it is for people to say what is to be found in its place.
    throw new Failure("no-match", { selector: versions });
  }
  const elsewhere = memory !== undefined && fetched.moved !== memory.moved?.address;
  const losses = lostSince(memory, reading, { mayBeHalf: reader.mayBeHalf, elsewhere, trace });
  const since = losses.map((lost) => lastedSince(lost, watch, at)).find((since) => since !== undefined);
  if (losses[0] && since === undefined) throw losses[0].failure;
  // One that lasted is the source as it is now, whatever else it lacks.
  return { reading, turns: losses.map((lost): Turn => ({ ...lost, since: since ?? at })) };
}

function lookOf(source: Source, { structured }: Reader, at: Instant, { report }: Config): CompareLook {
  return {
    at,
    confirmAfter: soonEnough(confirmAfter(source)),
    structured,
    audited: report.audited,
    atAudit: source.atAudit,
  };
}

/** Compares, proves, evaluates, and keeps all of it together. */
async function keep(tx: Transaction, sight: Compared, config: Config): Promise<CheckedLook> {
  const { source, reader, watch, fetched, memory, reading, turns = [], look, comparison, site } = sight;
  const { at } = look;
  const states = new Map((await tx.claims()).map((state) => [state.claim, state]));
  const earlier = memory?.page?.accepted ?? [];
  const proof = prove(source, { comparison, reading, states, at, earlier, held: awaitsPast(watch) });
  const { address, ...moved } = whereTo(sight);
  const back: Seen[] = watch.gone ? [{ change: { kind: "link", to: "back" }, since: at }] : [];
  const links = moved.change ? [{ change: moved.change, since: at }, ...back] : back;
  const turned = turns.flatMap(({ now, since }): Seen[] =>
    now === undefined ? [] : [{ change: { kind: "turned", now, since }, since }],
  );
  const { told, passed } = withoutSites(comparison.changes, proof.changes, site, { source, config, at });
  const changes = [...turned, ...told, ...proof.changes, ...links];
  const { sightings, baseline } = comparison;
  const noise = [...passed, ...comparison.noise];
  const happened = occurrencesOf(changes, source, config);
  const remembered = await remember(tx, [...happened, ...occurrencesOf(sightings, source, config)]);
  const context = { source, config, remembered, at };
  const { happenings, firings, events, overturned } = evaluate(happened, context);
  const proved = new Map([
    ...states,
    ...[...proof.states, ...overturned].map((state) => [state.claim, state] as const),
  ]);
  const moving = foreseeClaims(source, { comparison, reading, states: proved }, look);

  const first = memory === undefined;
  const outcome = first ? "first" : changes.length > 0 ? "changed" : "unchanged";
  if (site) await tx.hurry(site.wanted, at);
  const pending = sightings.length > 0 || moved.waits;
  const news = first || changes.length > 0 || pending;
  const worthKeeping = news || watch.pending || passed.length > 0 || teaches(memory, comparison);
  const secondLook = pending ? secondLookAt(sightings, source, at) : undefined;
  const next = Math.min(nextLook(source, config, at), secondLook ?? Infinity);
  await tx.keep({
    watch: {
      ...seen(watch, fetched, at),
      next,
      pending,
      holds: reading ? reading.holds : watch.holds,
      gave: reading ? gaveOf(reading) : watch.gave,
      lastChange: newest(comparison.memory) ?? (news ? at : watch.lastChange),
    },
    look: lookRecordOf({
      ...{ source: source.id, at, outcome, noise, happenings },
      sightings: foresee(sightings, moving, context),
      ...(address && { moved: address }),
    }),
    memory: JSON.stringify({ ...comparison.memory, moved: moved.moved }),
    snapshot:
      worthKeeping && reading && fetched.kind === "response"
        ? { source: source.id, at, hash: fetched.hash, readerVersion: reader.version, response: fetched.response }
        : undefined,
    claims: [...proof.states, ...overturned.filter(({ claim }) => states.get(claim)?.status !== "contradicted")],
    events: [...baselineEvents(baseline, source, config, at), ...events],
    firings,
  });
  return { look: { source: source.id, at, outcome, sightings, secondLook, noise, firings, next }, kept: true };
}

/** Compares with what is remembered; a part that the source gives in another form now begins anew, since it was last seen. */
function comparisonOf({ memory, reading, turns = [], watch, look }: Sight): Comparison {
  if (!reading) return compareAgain(memory ?? {}, look);
  if (!memory || turns.length === 0) return compare(memory, reading, look);
  const since = turns.some(({ foreign }) => foreign) ? look.at : (watch.lastSeen ?? look.audited);
  return compare(withoutLost(memory, turns), reading, { ...look, audited: since });
}

/** Where a permanent redirect leads; a source that did not change still stands where it stood. */
function whereTo({ fetched, memory, look: { at, confirmAfter } }: Sight) {
  const address = fetched.moved ?? (fetched.kind === "not-modified" ? memory?.moved?.address : undefined);
  return { address, ...movedness(memory?.moved, address, at, confirmAfter) };
}

/** While a page is being edited something waits on though its time has come: that is not a reason to come back every minute. */
function secondLookAt(sightings: Comparison["sightings"], source: Source, at: Instant): Instant {
  const since = sightings.reduce((first, sighting) => Math.min(first, sighting.since), at);
  return Math.max(since + confirmAfter(source), at + soonestConfirmation);
}

/** Whether a look without news taught us something all the same; its response is kept, so that a replay learns it too. */
function teaches(memory: Memory | undefined, { memory: after, noise }: Comparison): boolean {
  const told = (of: Memory | undefined) => JSON.stringify([of?.items, of?.facts]);
  return told(memory) !== told(after) || noise.some(({ reason }) => reason === "returned to an earlier text");
}

/** All that is known of these events, before what comes of them is judged. */
export async function remember(tx: Transaction, happened: readonly Occurrence[]): Promise<Remembered> {
  const keys = happened.map(({ event }) => event.key);
  const products = new Set(happened.flatMap(({ event }) => event.product ?? []));
  const sightings = [...(await tx.sightings(keys))];
  for (const product of products) for (const sighting of await tx.sightingsOf(product)) sightings.push(sighting);
  return { sightings, firings: await tx.firingsOf(keys) };
}

/** The date of the newest entry of a list. */
function newest({ items }: Memory): Instant | undefined {
  const dates = (items?.window ?? []).flatMap((id) => items?.known[id]?.at ?? []);
  return dates.length > 0 ? dates.reduce((a, b) => Math.max(a, b)) : undefined;
}
