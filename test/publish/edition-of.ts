import fc from "fast-check";
import type { Config, Rating, Trigger } from "../../src/model/config.ts";
import type {
  CheckRecord,
  RecheckState,
  Store,
  StoredAnswer,
  StoredFiring,
  StoredRecheck,
  Watch,
  WholeVerdict,
} from "../../src/model/ports/index.ts";
import type { Source } from "../../src/model/source.ts";
import type { Instant } from "../../src/model/time.ts";
import { type Edition, editionOf } from "../../src/publish/edition.ts";
import { addressOf } from "../../src/recheck/issue/question.ts";
import { hostile } from "../recheck/issue/hostile.ts";
import { anyAddress } from "../support/any-address.ts";
import { anySign } from "../support/any-sign.ts";

/** What is stored, as far as an edition reads it. */
export interface Remembered {
  readonly watches: readonly Watch[];
  readonly checks: readonly CheckRecord[];
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly answers: readonly StoredAnswer[];
  readonly claims: Awaited<ReturnType<Store["claims"]>>;
}

/** A store that only remembers. */
function storeWith(remembered: Partial<Remembered>): Store {
  const { watches = [], checks = [], firings = [], rechecks = [], answers = [], claims = [] } = remembered;
  const known: Partial<Store> = {
    watches: async () => [...watches],
    checks: async (source, limit) => checks.filter((check) => check.source === source).slice(0, limit),
    firings: async () => [...firings],
    rechecks: async () => [...rechecks],
    answers: async () => [...answers],
    claims: async () => [...claims],
    events: async () => [],
    messages: async () => [],
    snapshots: async () => [],
  };
  return known as Store;
}

export async function editionWith(
  config: Config,
  remembered: Partial<Remembered>,
  at: Instant,
  repository = "https://github.com/tester/report",
): Promise<Edition> {
  return await editionOf({ config, store: storeWith(remembered), at, link: addressOf, repository });
}

/** Markup of every sort, halves of characters, what XML forbids, and far too much. */
const text: fc.Arbitrary<string> = fc.oneof(
  hostile(),
  fc.string({ unit: anySign, maxLength: 60 }),
  fc.constantFrom(
    "x".repeat(3_000),
    "]]>",
    `"'><svg onload="alert(1)">`,
    "\ufffe\uffff\u0008",
    "🦀".repeat(400),
    "&#x0;",
  ),
);
const id = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,4}){0,2}$/),
  fc.constantFrom("one", "two", "three", `long-${"y".repeat(210)}`),
);
const ratingId = fc.array(id, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/"));
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
  fc.constantFrom(0, -1, 9e15, Number.POSITIVE_INFINITY, Number.NaN),
);
const numbers = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });
const address = fc.oneof(
  anyAddress,
  hostile().map((odd) => `https://example.org/${odd}`),
  hostile().map((odd) => `https://${odd}/`),
  fc.constant("pytorch/pytorch"),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const mapOf = <T extends { readonly id: string }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));

const firing = (sources: readonly string[], triggers: readonly string[], claims: readonly string[]) =>
  fc
    .record({
      id: fc.integer({ min: 1, max: 1_000 }),
      trigger: fc.constantFrom(...triggers, "claims", "not-found", "gone"),
      event: fc.record({ key: text }),
      weight: fc.constantFrom("routine" as const, "contrary" as const),
      seen: instant,
      fired: instant,
      recheck: maybe(fc.integer({ min: 1, max: 3 })),
      told: maybe(fc.constant("routine" as const)),
      source: fc.constantFrom(...sources),
      claim: maybe(fc.constantFrom(...claims, "none/such")),
      part: fc.constantFrom("on" as const, "also" as const, "until" as const, "claim" as const),
      title: text,
      again: fc.boolean(),
    })
    .map(({ source, claim, part, title, again, ...rest }): StoredFiring => {
      const change = again
        ? ({ kind: "item-added", item: { id: title, title, url: title, version: title } } as const)
        : ({ kind: "fact", name: title, before: title, after: title } as const);
      return { ...rest, evidence: [{ source, seen: rest.seen, change, part, ...(claim && { claim }) }] };
    });

const config = fc
  .record({
    report: fc.record({
      title: text,
      url: maybe(address),
      version: maybe(text),
      audited: fc.integer({ min: -1e12, max: 4e12 }),
    }),
    levels: fc.uniqueArray(text, { maxLength: 3 }),
    axes: fc.constant([]),
    ratings: fc.uniqueArray(
      fc.record({
        id: ratingId,
        level: text,
        volatility: maybe(text),
        reviewed: maybe(instant),
        owners: fc.constant([]),
      }),
      { selector: (one) => one.id, maxLength: 5 },
    ),
    sources: fc.uniqueArray(
      fc.record({
        id,
        kind: fc.constantFrom("page", "pypi"),
        address,
        title: maybe(text),
        cites: numbers,
        standsFor: numbers,
      }),
      { selector: (one) => one.id, minLength: 1, maxLength: 5 },
    ),
    triggers: fc.uniqueArray(fc.record({ id, name: text }), { selector: (one) => one.id, maxLength: 3 }),
    unwatchable: fc.array(
      fc.record({ title: text, url: maybe(address), cites: numbers, citedBy: fc.constant([]), because: text }),
      { maxLength: 2 },
    ),
    says: text,
  })
  .map(({ report, levels, axes, ratings, sources, triggers, unwatchable, says }): Config => {
    const ids = ratings.map((one) => one.id);
    const claim = (source: string, cites: readonly number[]) => {
      const proof = { quote: says };
      return [{ id: "claim", source, says, proof, ratings: ids, cites, until: [] }];
    };
    const whole = sources.map((one): Source => {
      const none = { options: {}, citedBy: [], announces: [] };
      return { ...one, ...none, claims: claim(one.id, one.standsFor.slice(0, 1)) };
    });
    const asking = triggers.map((one): Trigger => ({ ...one, ratings: ids, on: [], also: [], ask: [], wording: says }));
    return {
      report,
      ...{ levels, axes, unwatchable },
      names: new Map(ids.flatMap((name) => name.split("/").map((part): [string, string] => [part, says]))),
      volatility: new Map(),
      documents: new Map(),
      channels: new Map(),
      rubric: new Map(),
      ratings: mapOf<Rating>(ratings),
      conclusions: new Map(),
      products: new Map(),
      sources: mapOf(whole),
      triggers: mapOf(asking),
      schedule: new Map(),
      baseline: "first-check",
      overview: true,
      limits: { contentsAnHour: 1, rechecksAnHour: 1 },
    };
  });

const number = fc.integer({ min: 1, max: 9 });

const verdict: fc.Arbitrary<WholeVerdict> = fc.oneof(
  fc.record({ kind: fc.constant("keep" as const), by: text, because: maybe(text) }),
  fc.record({ kind: fc.constant("dismiss" as const), by: text, because: text }),
);

const recheckState: fc.Arbitrary<RecheckState> = fc.oneof(
  fc.constantFrom<RecheckState>({ state: "planned" }, { state: "queued" }),
  fc.record({ state: fc.constant("open" as const), issue: number }),
  fc.record({
    state: fc.constantFrom("closing" as const, "closed" as const),
    ...{ issue: maybe(number), closed: instant, verdict: maybe(verdict) },
  }),
);

/** Whatever may be stored of whatever config, hostile text in every field. */
export const anyEdition: fc.Arbitrary<{ config: Config; remembered: Remembered; at: Instant }> = config.chain(
  (made) => {
    const sources = [...made.sources.keys()];
    const keys = sources.map((source) => `${source}/claim`);
    const watch = fc.record({
      source: fc.constantFrom(...sources),
      subject: fc.constant("subject"),
      next: instant,
      firstSeen: maybe(instant),
      lastSeen: maybe(instant),
      lastCheck: maybe(instant),
      checks: fc.nat(1_000),
      unknown: fc.nat(10),
      trouble: maybe(fc.record({ kind: fc.constant("status"), says: text, since: instant, count: fc.nat(4) })),
      goneAt: fc.constant([]),
      gone: fc.boolean(),
      pending: fc.boolean(),
    });
    const statuses = ["supported", "altered", "gone", "contradicted", "not found"] as const;
    return fc.record({
      config: fc.constant(made),
      at: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
      remembered: fc.record({
        watches: fc.uniqueArray(watch, { selector: (one) => one.source, maxLength: 5 }),
        checks: fc.array(
          fc.record({
            source: fc.constantFrom(...sources),
            at: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
            outcome: fc.constantFrom("first" as const, "changed" as const, "unknown" as const),
            sightings: fc.constant([]),
            noise: fc.constant([]),
          }),
          { maxLength: 5 },
        ),
        firings: fc.array(firing(sources, [...made.triggers.keys()], keys), { maxLength: 6 }),
        rechecks: fc.uniqueArray(
          fc
            .record({
              id: fc.integer({ min: 1, max: 3 }),
              trigger: fc.constantFrom(...made.triggers.keys(), "claims"),
              marker: fc.uuid(),
              opened: instant,
              state: recheckState,
            })
            .map(({ state, ...record }) => ({ ...record, ...state })),
          { selector: (one) => one.id, maxLength: 3 },
        ),
        answers: fc.array(
          fc.record({
            id: fc.nat(9),
            recheck: fc.integer({ min: 1, max: 3 }),
            rating: fc.constantFrom(...made.ratings.keys(), "none"),
            verdict: fc.constantFrom("keep" as const, "change" as const),
            level: maybe(text),
            because: maybe(text),
            by: text,
            at: instant,
            settled: maybe(instant),
          }),
          { maxLength: 3 },
        ),
        claims: fc.array(
          fc.record({
            claim: fc.constantFrom(...keys),
            status: fc.constantFrom(...statuses),
            since: instant,
            found: maybe(text),
            before: maybe(text),
          }),
          { maxLength: 3 },
        ),
      }),
    });
  },
);
