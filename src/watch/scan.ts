import { Failure, isNoResponse } from "../model/failure.ts";
import { merged } from "../model/firing.ts";
import type { Firing, Instant, Look, Source } from "../model/model.ts";
import { type InTurn, turns } from "../model/places.ts";
import type { Watch } from "../model/ports/index.ts";
import { findCopies } from "./archived-changes.ts";
import { type CheckedLook, check, validatorsOf, type World } from "./check.ts";
import { sourcesThatMayBeSilent } from "./conditions.ts";
import { evaluate, evaluateTime } from "./evaluate.ts";
import { occurrencesOf } from "./events.ts";
import { askingOnce, byRequest } from "./one-request.ts";
import { lookBack } from "./past.ts";
import { lookRecordOf } from "./record.ts";
import { candidatesAt, recallWatches } from "./roster.ts";
import { due, type SourceSelection } from "./schedule.ts";
import { eachHost, hostOf, type UnderWay } from "./under-way.ts";
import { current, goneChange, unknown } from "./watch.ts";

/** One scan: every look at what was due, and what came of it. */
export interface Scan {
  readonly started: Instant;
  readonly ended: Instant;
  readonly looks: readonly Look[];
  /** Most hosts gave no response: ours, said once, held against no source. */
  readonly outage: boolean;
  /** Everything that fired, of looks and of time: each once, with all its evidence. */
  readonly firings: readonly Firing[];
}

export interface ScanOptions extends SourceSelection {
  /** Looks under way at once: what waits for its turn at a host is not. Each is asked one thing at a time whatever this says. */
  readonly atOnce?: number;
  readonly onLook?: (look: Look, done: number, all: number) => void;
  /** Hears of each source whose copy a web archive is asked for, after the looks, before it is. */
  readonly onPast?: (source: string) => void;
  /** Hears what was thrown where a look failed by a defect of ours, whose failure says no more than that. */
  readonly onDefect?: (source: string, thrown: unknown) => void;
  /** Scans come whenever something is due: nothing is looked at before its time. */
  readonly prompt?: boolean;
  /** Asked between looks: stop early, keeping what was seen. */
  readonly stopped?: () => boolean;
  /** Gives places to looks under way, where others share what they are done with. */
  readonly turn?: InTurn;
  /** Does each look, as whoever asked for it wants that done. */
  readonly during?: <T>(work: () => Promise<T>, source: Source) => Promise<T>;
}

/** A look that kept nothing. */
export type FailedLook = Extract<CheckedLook, { kept: false }>;

/** Looks under way at once: enough for a machine that is far from its hosts, whose answers it waits for. */
const maxUnderWay = 128;

/** Unchanged looks that are recorded in one write. */
const maxLooksInOneWrite = 500;

/** Looks at everything that is due, then settles failures, then asks what time alone has brought about. */
export async function scan(world: World, options: ScanOptions = {}): Promise<Scan> {
  const started = world.clock.now();
  const time = { at: started, lastLook: options.prompt ? started : await world.store.lastLook(started) };
  const { watches: before, sources: candidates } = await candidatesAt(time, world, options);
  const died = await settleDied(before, world);
  const chosen = due(candidates, before, world.config, time, options);
  const groups = byRequest(chosen, world, options);
  const sources = groups.flat();
  await recallWatches(
    before,
    sources.map(({ id }) => id),
    world,
  );
  const looks = died.filter(({ source }) => !sources.some(({ id }) => id === source));
  const failed: { source: Source; unseen: FailedLook }[] = [];
  let unchanged: Watch[] = [];

  const isSuspect = (group: readonly Source[]) => group.some(({ id }) => before.get(id)?.trouble?.kind === "died");

  const look = async (source: Source, way: World, under: UnderWay) => {
    const checked = await check(source, before.get(source.id), way);
    if (under.isTooLate()) return;
    looks.push(checked.look);
    if (!checked.kept && checked.failure?.kind === "internal") options.onDefect?.(source.id, checked.failure.cause);
    if (!checked.kept && checked.failure) failed.push({ source, unseen: checked });
    else if (!checked.kept) unchanged.push(checked.watch);
    if (unchanged.length >= maxLooksInOneWrite) await world.store.touch(unchanged.splice(0));
    options.onLook?.(checked.look, looks.length, sources.length);
  };
  const { stopped, atOnce = maxUnderWay, during = (work) => work() } = options;
  const lookAt = async (group: readonly Source[], under: UnderWay) => {
    const alone = under.fetching(world.fetch);
    const asked = (source: Source) => validatorsOf(source, before.get(source.id), world);
    const way = { ...world, fetch: group.length > 1 ? askingOnce(alone, group.map(asked)) : alone };
    for (const source of group) if (!stopped?.()) await during(() => look(source, way, under), source);
  };
  const { turn = turns(atOnce) } = options;
  // Of those that were under way together when the program ended, only one that is looked at alone can be told to have done it.
  const [suspects, others] = [groups.filter(isSuspect), groups.filter((group) => !isSuspect(group))];
  const at = { world, stopped, atOnce, turn };
  await eachHost(others, at, lookAt);
  await eachHost(suspects, { ...at, atOnce: 1, turn: turns(1) }, lookAt);
  if (unchanged.length > 0) await world.store.touch(unchanged);
  unchanged = [];
  if (sources.length > 0) await world.store.attempt([], started);

  const outage = isOutage(sources, looks, failed, world);
  const firings: Firing[] = looks.flatMap((look) => look.firings);
  for (const { source, unseen } of failed) {
    if (outage && unseen.failure && isNoResponse(unseen.failure.kind)) continue;
    firings.push(...(await settle(source, before.get(source.id), unseen, world)));
  }
  if (!outage) {
    firings.push(...(await lookBack(world, options)), ...(await passTime(world)));
    await findCopies(world, options.stopped);
  }
  return { started, ended: world.clock.now(), looks, outage, firings: merged(firings) };
}

/** Records the looks during which a program ended: they failed, and rest as such; `before` is brought up to date. */
async function settleDied(before: Map<string, Watch>, world: World): Promise<Look[]> {
  const at = world.clock.now();
  const looks: Look[] = [];
  const died = await world.store.died();
  await recallWatches(
    before,
    died.map(({ source }) => source),
    world,
  );
  for (const { source: id } of died) {
    const source = world.config.sources.get(id);
    if (!source) continue;
    const failure = new Failure("died");
    const unseen = { ...unknown(source, current(before.get(id), source, at), failure, at, world.config), failure };
    await settle(source, before.get(id), { ...unseen, kept: false }, world);
    before.set(id, unseen.watch);
    looks.push(unseen.look);
  }
  if (died.length > 0) await world.store.attempt([], at);
  return looks;
}

/** At least three hosts were tried, and more than half of them gave no response at all. */
function isOutage(
  sources: readonly Source[],
  looks: readonly Look[],
  failed: readonly { source: Source; unseen: FailedLook }[],
  world: World,
): boolean {
  const silent = new Set(
    failed.filter(({ unseen }) => unseen.failure && isNoResponse(unseen.failure.kind)).map(({ source }) => source.id),
  );
  if (silent.size < 2) return false;
  const looked = new Set(looks.filter((look) => look.failure?.kind !== "deferred").map((look) => look.source));
  const hosts = new Map<string, boolean>();
  for (const source of sources) {
    if (!looked.has(source.id)) continue;
    const host = hostOf(source, world);
    hosts.set(host, hosts.get(host) === true || !silent.has(source.id));
  }
  const mute = [...hosts.values()].filter((answered) => !answered).length;
  return hosts.size >= 3 && mute > hosts.size / 2;
}

/** Records a failed look; the third "gone" in a row is a change of its own. */
export async function settle(
  source: Source,
  before: Watch | undefined,
  { look, watch }: FailedLook,
  world: World,
): Promise<readonly Firing[]> {
  if (look.failure?.kind === "deferred") {
    await world.store.touch([watch]);
    return [];
  }
  return await world.store.commit(async (tx) => {
    const changes = watch.gone && !before?.gone ? [{ change: goneChange(watch), since: look.at }] : [];
    const { at, outcome, failure } = look;
    const happened = occurrencesOf(changes, source, world.config);
    const keys = happened.map(({ event }) => event.key);
    const remembered = { sightings: await tx.sightings(keys), firings: await tx.firingsOf(keys) };
    const { happenings, firings, events } = evaluate(happened, { source, config: world.config, remembered, at });
    await tx.keep({
      watch,
      look: lookRecordOf({ source: source.id, at, outcome, failure, sightings: [], noise: [], happenings }),
      claims: [],
      events,
      firings,
    });
    return firings;
  }, "soon");
}

/** Fires what only time can meet, once. */
async function passTime(world: World): Promise<readonly Firing[]> {
  const at = world.clock.now();
  const silent = sourcesThatMayBeSilent(world.config);
  const found = silent.length > 0 ? await world.store.watches(silent) : [];
  const watches = new Map(found.map((watch) => [watch.source, watch]));
  const met = evaluateTime({ config: world.config, watches, at });
  if (met.length === 0) return [];
  return await world.store.commit(async (tx) => {
    const fired = await tx.firingsOf(met.map(({ event }) => event.key));
    const anew = met.filter(
      ({ trigger, event }) => !fired.some((old) => old.trigger === trigger && old.event.key === event.key),
    );
    await tx.fire(anew);
    return anew;
  });
}
