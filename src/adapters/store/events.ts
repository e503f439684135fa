import type { Selectable } from "kysely";
import type { EventSighting } from "../../ports.ts";
import { chunks, type Scope, type Tables } from "./tables.ts";

export async function sightings(scope: Scope, keys: readonly string[]): Promise<EventSighting[]> {
  const found: EventSighting[] = [];
  for (const chunk of chunks(keys)) {
    const rows = await all(scope).where("key", "in", chunk).execute();
    found.push(...rows.map(toSighting));
  }
  return found.sort((a, b) => a.seen - b.seen);
}

export async function sightingsOf(scope: Scope, product: string): Promise<EventSighting[]> {
  return (await all(scope).where("product", "=", product).execute()).map(toSighting);
}

export async function eventsIn(scope: Scope, source: string): Promise<EventSighting[]> {
  return (await all(scope).where("source", "=", source).execute()).map(toSighting);
}

/** The first sighting of an event in a source stays as it is. */
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
function all({ db, repository }: Scope) {
  return db
    .selectFrom("event_sighting")
    .selectAll()
    .where("repository", "=", repository)
    .orderBy("seen")
    .orderBy("key")
    .orderBy("source");
}

function toSighting(row: Selectable<Tables["event_sighting"]>): EventSighting {
  const { key, source, seen, baseline, event } = row;
  return { key, source, seen, baseline: baseline === 1, event: JSON.parse(event) };
}
