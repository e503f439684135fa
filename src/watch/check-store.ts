import type { Seen } from "../model/change.ts";
import type { ClaimState } from "../model/claim.ts";
import { digest } from "../model/digest.ts";
import type { Store, Transaction } from "../model/ports/index.ts";
import { type Context, type Evaluation, evaluate, type Remembered } from "./evaluate.ts";
import { type FoundEvents, foundEventsOf, occurrencesOf } from "./events.ts";
import type { CheckStore, CheckToStore, FetchedCheck } from "./judge.ts";

export interface LocalCheckStore extends CheckStore {
  /** Reads in advance what most checks need. */
  preloaded(): Promise<Preloaded>;
  /** Stores the outcome. Returns false, and stores nothing, if claims or events have changed since they were read. */
  keep(kept: CheckToStore): Promise<boolean>;
}

export interface Preloaded {
  /** Left out if the page may read as before, as neither is needed then. */
  readonly kept?: { readonly memory: string | undefined; readonly readBy: number | undefined };
  readonly claims: readonly ClaimState[];
}

/** The store's side of one check: the outcome is stored if its basis is unchanged. No transaction waits for a page. */
export function checkStoreFor(
  { source, fetched, lastRead, at }: FetchedCheck,
  { store }: { readonly store: Store },
): LocalCheckStore {
  const base = { claims: "", about: aboutNothing, remembered: digest(nothingRemembered) };
  const checkStore: LocalCheckStore = {
    async preloaded() {
      const claims = await checkStore.claims();
      if (lastRead) return { claims };
      return { claims, kept: { memory: await store.memory(source.id), readBy: await store.readBy(source.id) } };
    },
    memory: (of) => store.memory(of),
    readBy: (of) => store.readBy(of),
    snapshots: (of, limit) => store.snapshots(of, limit),
    watches: (of) => store.watches(of),
    firings: () => store.firings(),
    async claims() {
      const claims = await store.claims([source.id]);
      base.claims = digest(claims);
      return claims;
    },
    async remembered(about) {
      if (about.keys.length + about.products.length === 0) return nothingRemembered;
      const stored = await store.commit((tx) => readRemembered(tx, about));
      base.about = about;
      base.remembered = digest(stored);
      return stored;
    },
    keep: ({ snapshot, overturned, hurried, ...entry }: CheckToStore) =>
      store.commit(async (tx) => {
        if (digest(await tx.claims([source.id])) !== base.claims) return false;
        if (digest(await readRemembered(tx, base.about)) !== base.remembered) return false;
        const others = await tx.claims(overturned.map(({ claim }) => sourceOfClaim(claim)));
        const ended = new Set(others.flatMap(({ claim, status }) => (status === "contradicted" ? [claim] : [])));
        if (hurried.length > 0) await tx.hurry(hurried, at);
        await tx.keep({
          ...entry,
          claims: [...entry.claims, ...overturned.filter(({ claim }) => !ended.has(claim))],
          ...(snapshot !== undefined &&
            fetched.kind === "response" && {
              snapshot: {
                source: source.id,
                at,
                hash: fetched.hash,
                readerVersion: snapshot,
                response: fetched.response,
              },
            }),
        });
        return true;
      }, "soon"),
  };
  return checkStore;
}

const aboutNothing: FoundEvents = { keys: [], products: [] };
const nothingRemembered: Remembered = { sightings: [], firings: [] };

const storeMethods = [
  "memory",
  "readBy",
  "snapshots",
  "watches",
  "firings",
  "claims",
  "remembered",
] as const satisfies (keyof CheckStore)[];

/** @throws Error if another thread may not call this method */
export async function callStore(checkStore: CheckStore, question: string, args: readonly unknown[]): Promise<unknown> {
  const method = storeMethods.find((name) => name === question);
  if (method === undefined) throw new Error(`no question ${question}`);
  return await (checkStore[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

/** The store as the other thread sees it. Preloaded values are not requested again. */
export function remoteCheckStore(
  { source, preloaded }: Pick<FetchedCheck, "source"> & { readonly preloaded: Preloaded },
  ask: (question: string, args: readonly unknown[]) => Promise<unknown>,
): CheckStore {
  const remote = Object.fromEntries(
    storeMethods.map((name) => [name, (...args: readonly unknown[]) => ask(name, args)]),
  ) as unknown as CheckStore;
  return {
    ...remote,
    memory: async (of) => (of === source.id && preloaded.kept ? preloaded.kept.memory : await remote.memory(of)),
    readBy: async (of) => (of === source.id && preloaded.kept ? preloaded.kept.readBy : await remote.readBy(of)),
    claims: async () => preloaded.claims,
    remembered: async (about) =>
      about.keys.length + about.products.length === 0 ? nothingRemembered : await remote.remembered(about),
  };
}

export function sourceOfClaim(claim: string): string {
  return claim.slice(0, claim.lastIndexOf("/"));
}

/** Matches changes with every trigger, in the transaction that stores the outcome. */
export async function evaluateIn(
  tx: Transaction,
  changes: readonly Seen[],
  { source, config, at }: Omit<Context, "remembered">,
): Promise<Evaluation> {
  const happened = occurrencesOf(changes, source, config);
  const remembered = await readRemembered(tx, foundEventsOf(happened, source));
  return evaluate(happened, { source, config, remembered, at });
}

async function readRemembered(tx: Transaction, { keys, products }: FoundEvents): Promise<Remembered> {
  const sightings = [...(await tx.sightings(keys))];
  for (const product of products) for (const sighting of await tx.sightingsOf(product)) sightings.push(sighting);
  return { sightings, firings: await tx.firingsOf(keys) };
}
