import { hash } from "node:crypto";
import type { Selectable } from "kysely";
import type { Evidence, Firing } from "../../model/firing.ts";
import type { EventSighting, StoredFiring } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";
import { chunks, rowsIn, type Scope, withoutNulls } from "./tables.ts";

/** All firings, oldest first, with their evidence. Evidence is read second, so that each firing has all of it. */
export async function firings(scope: Scope): Promise<StoredFiring[]> {
  return withEvidence(await all(scope).execute(), await evidence(scope).execute());
}

/** Newest last. */
export async function firingsOf(scope: Scope, keys: readonly string[]): Promise<StoredFiring[]> {
  const firings: StoredFiring[] = [];
  for (const chunk of chunks([...new Set(keys)])) {
    const rows = await all(scope).where("key", "in", chunk).execute();
    if (rows.length === 0) continue;
    for (const few of chunks(rows)) {
      const ids = few.map((row) => row.id);
      firings.push(...withEvidence(few, await evidence(scope).where("firing", "in", ids).execute()));
    }
  }
  return firings.sort((a, b) => a.fired - b.fired || a.id - b.id);
}

/** One firing for each trigger and event. Later ones add evidence, weight and missing facts; nothing is taken back. */
export async function addFirings(scope: Scope, firings: readonly Firing[]): Promise<void> {
  for (const firing of firings) {
    const known = await all(scope)
      .where("trigger", "=", firing.trigger)
      .where("key", "=", firing.event.key)
      .executeTakeFirst();
    const id = known ? await update(scope, known, firing) : await insert(scope, firing);
    await addEvidence(scope, id, firing.evidence);
  }
}

async function insert({ db, repository }: Scope, firing: Firing): Promise<number> {
  const { trigger, weight, seen, fired, event } = firing;
  const row = await db
    .insertInto("firing")
    .values({ repository, trigger, key: event.key, weight, seen, fired, event: JSON.stringify(event) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

async function update({ db }: Scope, row: FiringRow, firing: Firing): Promise<number> {
  const change = {
    weight: firing.weight === "contrary" ? "contrary" : row.weight,
    seen: Math.min(row.seen, firing.seen),
    event: JSON.stringify({ ...firing.event, ...JSON.parse(row.event) }),
  };
  await db.updateTable("firing").set(change).where("id", "=", row.id).execute();
  return row.id;
}

/**
 * Moves evidence seen in a source, or about its claims, to the source's new id. Evidence that is already there, of an earlier
 * source with this id, is kept: the same change is one piece of evidence.
 */
export async function renameInEvidence(scope: Scope, from: string, to: string): Promise<void> {
  const renameClaim = (claim: string) => (claim.startsWith(`${from}/`) ? `${to}${claim.slice(from.length)}` : claim);
  const own = rowsIn(scope, "evidence");
  const knownKeys = new Set((await own.select(["firing", "source", "digest"]).execute()).map(keyOf));
  // Ids have only letters, digits and signs that JSON does not escape.
  const speaking = await own
    .selectAll()
    .where((row) => row.or([row("source", "=", from), row("rest", "like", `%"${from}%`)]))
    .orderBy("seen")
    .orderBy("id")
    .execute();
  for (const row of speaking) {
    const { claim, change, condition, ...rest }: Omit<Evidence, "source" | "seen"> = JSON.parse(row.rest);
    const renamed = {
      ...rest,
      change: change.kind === "claim" ? { ...change, claim: renameClaim(change.claim) } : change,
      ...(claim !== undefined && { claim: renameClaim(claim) }),
      ...(condition && {
        condition: "source" in condition && condition.source === from ? { ...condition, source: to } : condition,
      }),
    };
    const source = row.source === from ? to : row.source;
    if (source === row.source && canonicalJson(renamed) === canonicalJson(JSON.parse(row.rest))) continue;
    const digest = digestOf(renamed);
    const key = keyOf({ firing: row.firing, source, digest });
    if (key !== keyOf(row) && knownKeys.has(key)) {
      await scope.db.deleteFrom("evidence").where("id", "=", row.id).execute();
      continue;
    }
    knownKeys.add(key);
    await scope.db
      .updateTable("evidence")
      .set({ source, rest: JSON.stringify(renamed), digest })
      .where("id", "=", row.id)
      .execute();
  }
}

function keyOf({ firing, source, digest }: Pick<EvidenceRow, "firing" | "source" | "digest">): string {
  return `${firing} ${source} ${digest}`;
}

async function addEvidence({ db, repository }: Scope, firing: number, evidence: readonly Evidence[]): Promise<void> {
  for (const { source, seen, ...rest } of evidence) {
    await db
      .insertInto("evidence")
      .values({ repository, firing, source, digest: digestOf(rest), seen, rest: JSON.stringify(rest) })
      .onConflict((conflict) => conflict.columns(["firing", "source", "digest"]).doNothing())
      .execute();
  }
}

/** Identifies a change, so that a second sighting in the same source is the same evidence. */
function digestOf({ change, part }: Pick<Evidence, "change" | "part">): string {
  return hash("sha256", canonicalJson([change, part]));
}

/** JSON in which the order of an object's keys does not matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

type FiringRow = Selectable<Tables["firing"]>;
type EvidenceRow = Selectable<Tables["evidence"]>;

function all(scope: Scope) {
  return rowsIn(scope, "firing").selectAll().orderBy("fired").orderBy("id");
}

function evidence(scope: Scope) {
  return rowsIn(scope, "evidence").selectAll().orderBy("seen").orderBy("id");
}

function withEvidence(firings: readonly FiringRow[], evidence: readonly EvidenceRow[]): StoredFiring[] {
  const byFiring = Map.groupBy(evidence, (row) => row.firing);
  return firings.map(({ id, trigger, event, weight, seen, fired, recheck, reported, joined }) => ({
    ...{ id, trigger, event: JSON.parse(event), weight: weight as Firing["weight"], seen, fired },
    ...withoutNulls({ recheck, reported: reported as Firing["weight"] | null, joined }),
    evidence: (byFiring.get(id) ?? []).map(({ source, seen, rest }) => ({ ...JSON.parse(rest), source, seen })),
  }));
}

export async function sightings(scope: Scope, keys: readonly string[]): Promise<EventSighting[]> {
  const found: EventSighting[] = [];
  for (const chunk of chunks(keys)) {
    const rows = await eventsAll(scope).where("key", "in", chunk).execute();
    found.push(...rows.map(toSighting));
  }
  return found.sort((a, b) => a.seen - b.seen);
}

export async function sightingsOf(scope: Scope, product: string): Promise<EventSighting[]> {
  return (await eventsAll(scope).where("product", "=", product).execute()).map(toSighting);
}

export async function eventsIn(scope: Scope, source: string): Promise<EventSighting[]> {
  return (await eventsAll(scope).where("source", "=", source).execute()).map(toSighting);
}

/** The first sighting of an event in a source is never changed. */
export async function addSightings({ db, repository }: Scope, sightings: readonly EventSighting[]): Promise<void> {
  for (const chunk of chunks(sightings)) {
    const rows = chunk.map(({ key, source, seen, baseline, event }) => ({
      repository,
      key,
      source,
      product: event.product ?? null,
      seen,
      baseline: Number(baseline),
      event: JSON.stringify(event),
    }));
    await db
      .insertInto("event_sighting")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["repository", "key", "source"]).doNothing())
      .execute();
  }
}

/** Oldest first. */
function eventsAll(scope: Scope) {
  return rowsIn(scope, "event_sighting").selectAll().orderBy("seen").orderBy("key").orderBy("source");
}

function toSighting(row: Selectable<Tables["event_sighting"]>): EventSighting {
  const { key, source, seen, baseline, event } = row;
  return { key, source, seen, baseline: baseline === 1, event: JSON.parse(event) };
}
