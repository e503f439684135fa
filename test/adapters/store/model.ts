import fc from "fast-check";
import { expect, test } from "vitest";
import type { Evidence, Firing } from "../../../src/model/firing.ts";
import type {
  EventSighting,
  Store,
  StoredComment,
  StoredFiring,
  StoredRecheck,
  Watch,
} from "../../../src/model/ports/index.ts";
import { isAsking, type RecheckChange, type RecheckRecord, type RecheckState } from "../../../src/model/ports/index.ts";
import { bench, type Place } from "./contract.ts";
import { day, kept, start, watch } from "./samples.ts";

/** What a store should remember, as plain objects and in the plainest way. */
interface Model {
  watches: Watch[];
  /** Of sources that config has no more. */
  forgotten: Watch[];
  memory: Record<string, { subject: string; memory: string }>;
  events: EventSighting[];
  firings: StoredFiring[];
  rechecks: StoredRecheck[];
  comments: StoredComment[];
}

type Step =
  | { do: "keep"; watch: Watch; memory?: string; events: EventSighting[]; firings: Firing[]; fails: boolean }
  | { do: "touch"; watch: Watch }
  | { do: "forget"; source: string }
  | { do: "open"; trigger: string; opened: number; attempted?: number; firings: number[] }
  | { do: "join"; recheck: number; firings: number[]; at: number; comment: boolean }
  | { do: "update"; recheck: number; change: RecheckChange }
  | { do: "comment"; recheck: number }
  | { do: "done"; comment: number; attempted?: number }
  | { do: "reopen" };

const time = fc.integer({ min: 0, max: 30 });
const source = fc.constantFrom("s1", "s2", "s3");
const trigger = fc.constantFrom("t1", "t2");
const key = fc.constantFrom("p 1", "p 2", "\0 ☃ ' --");
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
/** Of the things there are, by position. */
const pick = fc.nat({ max: 5 });

const halfAYear = 180 * day;

const aWatch: fc.Arbitrary<Watch> = fc
  .record({
    source,
    subject: fc.constantFrom("x", "y"),
    next: time,
    checks: time,
    hash: maybe(fc.string()),
    lastCheck: fc.constantFrom(undefined, start - day, start - halfAYear, start - halfAYear - 1),
  })
  .map(({ source, ...change }) => watch(source, change));

const anEvidence: fc.Arbitrary<Evidence> = fc.record({
  source,
  seen: time,
  part: fc.constantFrom("on", "also"),
  excerpt: maybe(fc.string()),
  change: fc.constantFrom<Evidence["change"]>({ kind: "link", to: "gone" }, { kind: "link", to: "back" }),
});

const aFiring: fc.Arbitrary<Firing> = fc.record({
  trigger,
  event: fc.record({ key, at: maybe(time), version: maybe(fc.constantFrom("1", "2")) }),
  weight: fc.constantFrom("routine", "contrary"),
  seen: time,
  fired: time,
  evidence: fc.array(anEvidence, { maxLength: 3 }),
});

const aSighting: fc.Arbitrary<EventSighting> = fc
  .record({ key, source, seen: time, baseline: fc.boolean() })
  .map((one) => ({ ...one, event: { key: one.key } }));

const ended = { closed: time, issue: maybe(time) };
const aVerdict = fc.oneof(
  fc.record({ kind: fc.constant("keep" as const), by: fc.string(), because: maybe(fc.string()) }),
  fc.record({ kind: fc.constant("dismiss" as const), by: fc.string(), because: fc.string() }),
);

const aState: fc.Arbitrary<RecheckState> = fc.oneof(
  fc.record({ state: fc.constant("queued" as const) }),
  fc.record({ state: fc.constant("planned" as const) }),
  fc.record({
    state: fc.constant("open" as const),
    issue: time,
    snoozed: maybe(fc.oneof(time, fc.constant("next-event" as const))),
  }),
  fc.record({ state: fc.constant("closing" as const), ...ended, verdict: maybe(aVerdict) }),
  fc.record({
    state: fc.constant("closed" as const),
    ...ended,
    verdict: maybe(aVerdict),
    gone: maybe(fc.constant(true as const)),
  }),
);

const aChange: fc.Arbitrary<Partial<Omit<RecheckRecord, "id" | "trigger" | "marker">>> = fc.record(
  {
    attempted: maybe(time),
    titled: maybe(fc.string()),
    written: maybe(fc.string()),
    reported: maybe(fc.string()),
    refused: maybe(
      fc.record({ kind: fc.constant("locked" as const), what: fc.constant("text" as const), since: time, next: time }),
    ),
    command: maybe(time),
    pull: maybe(fc.record({ branch: fc.string(), round: time, number: maybe(time) })),
  },
  { requiredKeys: [] },
);

const firings = fc.uniqueArray(pick, { maxLength: 3 });

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("keep" as const),
    watch: aWatch,
    memory: maybe(fc.string()),
    events: fc.array(aSighting, { maxLength: 3 }),
    firings: fc.array(aFiring, { maxLength: 3 }),
    fails: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  }),
  fc.record({ do: fc.constant("touch" as const), watch: aWatch }),
  fc.record({ do: fc.constant("forget" as const), source }),
  fc.record({ do: fc.constant("open" as const), trigger, opened: time, attempted: maybe(time), firings }),
  fc.record({ do: fc.constant("join" as const), recheck: pick, firings, at: time, comment: fc.boolean() }),
  fc.record({
    do: fc.constant("update" as const),
    recheck: pick,
    change: fc.tuple(aChange, maybe(aState)).map(([change, state]) => ({ ...change, ...state })),
  }),
  fc.record({ do: fc.constant("comment" as const), recheck: pick }),
  fc.record({ do: fc.constant("done" as const), comment: pick, attempted: maybe(time) }),
  fc.constant({ do: "reopen" as const }),
);

/** Both sides of the comparison, for one repository. */
interface Side {
  store: Store;
  readonly model: Model;
}

function newModel(): Model {
  return { watches: [], forgotten: [], memory: {}, events: [], firings: [], rechecks: [], comments: [] };
}

let markers = 0;
const newMarker = () => `marker ${++markers}`;

async function take(step: Exclude<Step, { do: "reopen" }>, { store, model }: Side): Promise<void> {
  switch (step.do) {
    case "keep":
      return keep(step, store, model);
    case "touch":
      await store.touch([step.watch]);
      return save(model, step.watch);
    case "forget":
      await store.forget([step.source]);
      model.forgotten.push(...model.watches.filter((one) => one.source === step.source));
      model.watches = model.watches.filter((one) => one.source !== step.source);
      return;
    case "update": {
      const recheck = model.rechecks[step.recheck];
      if (!recheck) return expect(store.updateRecheck(10_000 + step.recheck, step.change)).rejects.toThrow();
      await store.updateRecheck(recheck.id, step.change);
      model.rechecks[step.recheck] = changed(recheck, step.change);
      return;
    }
    case "done": {
      const comment = model.comments[step.comment];
      if (!comment) return;
      const change = { done: true, attempted: step.attempted };
      await store.updateComment(comment.id, change);
      model.comments[step.comment] = { ...comment, ...change };
      return;
    }
    default:
      return ask(step, store, model);
  }
}

/** What a recheck keeps if its state changes. */
const lastingFields = "id trigger marker opened previous attempted titled written reported refused command pull".split(
  " ",
);

/** A state replaces all that belonged to the one before. */
function changed(recheck: StoredRecheck, change: RecheckChange): StoredRecheck {
  const fields = Object.entries(recheck).filter(
    ([field]) => change.state === undefined || lastingFields.includes(field),
  );
  return { ...Object.fromEntries(fields), ...change } as StoredRecheck;
}

async function keep(step: Extract<Step, { do: "keep" }>, store: Store, model: Model): Promise<void> {
  const work = store.commit(async (tx) => {
    await tx.keep(kept(step.watch.source, { ...step }));
    if (step.fails) throw new Error("on purpose");
  });
  if (step.fails) return expect(work).rejects.toThrow("on purpose");
  await work;
  save(model, step.watch);
  const { source, subject } = step.watch;
  if (step.memory !== undefined) model.memory[source] = { subject, memory: step.memory };
  for (const { source, lastCheck = 0 } of model.forgotten)
    if (lastCheck < start - halfAYear) delete model.memory[source];
  for (const event of step.events) {
    if (!model.events.some((one) => one.key === event.key && one.source === event.source)) model.events.push(event);
  }
  for (const firing of step.firings) merge(model, firing);
  const stored = await store.firings();
  model.firings = model.firings.map((one) => ({ ...one, id: stored.find((other) => same(one, other))?.id ?? one.id }));
}

/** What is asked of people: opening, joining, commenting. */
async function ask(
  step: Extract<Step, { do: "open" | "join" | "comment" }>,
  store: Store,
  model: Model,
): Promise<void> {
  const comment = { marker: newMarker(), body: "It moved.", done: false };
  const link = (positions: number[], recheck: number, joined: number) => {
    model.firings = model.firings.map((one, index) =>
      positions.includes(index) ? { ...one, recheck, reported: one.weight, joined } : one,
    );
  };
  const ids = (positions: number[]) =>
    model.firings.filter((_, index) => positions.includes(index)).map(({ id }) => id);
  if (step.do === "open") {
    const { trigger, opened, attempted } = step;
    const recheck = { trigger, opened, attempted, state: "planned", marker: newMarker() } as const;
    const opening = store.openRecheck(recheck, ids(step.firings));
    const taken = model.rechecks.some((one) => isAsking(one) && one.trigger === trigger);
    if (taken) return expect(opening).rejects.toThrow("open recheck already");
    const id = await opening;
    model.rechecks.push({ ...recheck, id });
    return link(step.firings, id, opened);
  }
  const recheck = model.rechecks[step.recheck];
  if (!recheck) return;
  if (step.do === "comment") {
    const whole = { ...comment, recheck: recheck.id };
    model.comments.push({ ...whole, id: await store.addComment(whole) });
    return;
  }
  await store.joinRecheck(recheck.id, ids(step.firings), step.at, step.comment ? comment : undefined);
  link(step.firings, recheck.id, step.at);
  const added = (await store.comments(false)).find((one) => one.marker === comment.marker);
  expect(added !== undefined).toBe(step.comment);
  if (added) model.comments.push({ ...comment, recheck: recheck.id, id: added.id });
}

function merge(model: Model, firing: Firing): void {
  let at = model.firings.findIndex((one) => same(one, firing));
  if (at < 0) at = model.firings.push({ ...firing, id: Number.NaN, evidence: [] }) - 1;
  const known = model.firings[at] as StoredFiring;
  const evidence = [...known.evidence];
  const identity = (one: Evidence) => JSON.stringify([one.source, one.change, one.part]);
  for (const one of firing.evidence) {
    if (!evidence.some((other) => identity(other) === identity(one))) evidence.push(one);
  }
  model.firings[at] = {
    ...known,
    event: {
      key: known.event.key,
      at: known.event.at ?? firing.event.at,
      version: known.event.version ?? firing.event.version,
    },
    weight: [known.weight, firing.weight].includes("contrary") ? "contrary" : "routine",
    seen: Math.min(known.seen, firing.seen),
    evidence: evidence.sort((a, b) => a.seen - b.seen),
  };
}

function same(one: Firing, other: Firing): boolean {
  return one.trigger === other.trigger && one.event.key === other.event.key;
}

function save(model: Model, watch: Watch): void {
  const others = (all: readonly Watch[]) => all.filter((one) => one.source !== watch.source);
  model.forgotten = others(model.forgotten);
  model.watches = [...others(model.watches), watch];
}

async function compare({ store, model }: Side): Promise<void> {
  const byName = (a: Watch, b: Watch) => a.next - b.next || (a.source < b.source ? -1 : 1);
  expect(await store.watches()).toEqual(model.watches.toSorted(byName));
  expect(await store.firings()).toEqual(model.firings.toSorted((a, b) => a.fired - b.fired));
  expect(await store.rechecks()).toEqual(model.rechecks);
  for (const done of [true, false]) {
    expect(await store.comments(done)).toEqual(model.comments.filter((one) => one.done === done));
  }
  for (const source of ["s1", "s2", "s3"]) {
    const events = await store.events(source);
    expect(events).toHaveLength(model.events.filter((one) => one.source === source).length);
    expect(model.events).toEqual(expect.arrayContaining(events));
    const memory = model.memory[source];
    const watch = model.watches.find((one) => one.source === source);
    if (watch) expect(await store.memory(source)).toBe(memory?.subject === watch.subject ? memory?.memory : undefined);
  }
}

/** Whatever is done in whatever order, in two repositories, the store remembers what the model does. */
export function modelContract(lasts: boolean, newPlace: () => Promise<Place>, runs: number): void {
  test("remembers what a plain object would", async () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 1 }), aStep), { maxLength: 40, size: "max" });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const place = await newPlace();
        let { database, store, other } = await bench(place);
        const sides = [store, other].map((store) => ({ store, model: newModel() }));
        try {
          for (const [at, step] of steps) {
            const side = sides[at] as Side;
            if (step.do !== "reopen") await take(step, side);
            else if (lasts) {
              await database.close();
              ({ database, store, other } = await bench(place));
              for (const [index, fresh] of [store, other].entries()) (sides[index] as Side).store = fresh;
            }
            await compare(side);
          }
          for (const side of sides) await compare(side);
        } finally {
          await database.close();
          await place.remove();
        }
      }),
      { numRuns: runs },
    );
  });
}
