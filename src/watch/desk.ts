import { digest } from "../model/digest.ts";
import type { ClaimState, Occurrence, Source } from "../model/model.ts";
import type { Store, Transaction } from "../model/ports/index.ts";
import type { Remembered } from "./evaluate.ts";
import { type AnsweredLook, type Desk, type FoundEvents, foundEventsOf, type Kept } from "./judge.ts";

/**
 * The desk of one look, on this side of the line: whoever judges an answer finds there what is remembered, and leaves what he
 * made of it. It is judged outside any transaction, so that none waits for a page; kept in one, if all that it was judged by
 * still holds.
 */
export function deskFor({ source, fetched, at }: AnsweredLook, { store }: { readonly store: Store }): Desk {
  const given = { claims: "", about: aboutNothing, remembered: "" };
  return {
    memory: (of) => store.memory(of),
    snapshots: (of, limit) => store.snapshots(of, limit),
    watches: () => store.watches(),
    firings: () => store.firings(),
    async claims() {
      const claims = ownClaims(source, await store.claims());
      given.claims = digest(claims);
      return claims;
    },
    async remembered(about) {
      const found = await store.commit((tx) => remembered(tx, about));
      given.about = about;
      given.remembered = digest(found);
      return found;
    },
    keep: ({ snapshot, overturned, hurried, ...kept }: Kept) =>
      store.commit(async (tx) => {
        const claims = await tx.claims();
        if (digest(ownClaims(source, claims)) !== given.claims) return false;
        if (digest(await remembered(tx, given.about)) !== given.remembered) return false;
        const ended = new Set(claims.flatMap(({ claim, status }) => (status === "contradicted" ? [claim] : [])));
        if (hurried.length > 0) await tx.hurry(hurried, at);
        await tx.keep({
          ...kept,
          claims: [...kept.claims, ...overturned.filter(({ claim }) => !ended.has(claim))],
          ...(snapshot !== undefined &&
            fetched.kind === "response" && {
              snapshot: {
                ...{ source: source.id, at, hash: fetched.hash, readerVersion: snapshot },
                response: fetched.response,
              },
            }),
        });
        return true;
      }),
  };
}

const aboutNothing: FoundEvents = { keys: [], products: [] };

/** The questions of a desk that is reached from another thread. */
const questions = [
  "memory",
  "snapshots",
  "watches",
  "firings",
  "claims",
  "remembered",
  "keep",
] as const satisfies (keyof Desk)[];

/** @throws Error for what is no question */
export async function answerAt(desk: Desk, question: string, args: readonly unknown[]): Promise<unknown> {
  const one = questions.find((name) => name === question);
  if (one === undefined) throw new Error(`no question ${question}`);
  return await (desk[one] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

/** The same desk, seen from there. */
export function deskBy(ask: (question: string, args: readonly unknown[]) => Promise<unknown>): Desk {
  return Object.fromEntries(
    questions.map((name) => [name, (...args: readonly unknown[]) => ask(name, args)]),
  ) as unknown as Desk;
}

function ownClaims({ id }: Source, states: readonly ClaimState[]): ClaimState[] {
  return states.filter(({ claim }) => claim.startsWith(`${id}/`));
}

/** All that is known of these events, before what comes of them is judged. */
export function remember(tx: Transaction, happened: readonly Occurrence[]): Promise<Remembered> {
  return remembered(tx, foundEventsOf(happened));
}

async function remembered(tx: Transaction, { keys, products }: FoundEvents): Promise<Remembered> {
  const sightings = [...(await tx.sightings(keys))];
  for (const product of products) for (const sighting of await tx.sightingsOf(product)) sightings.push(sighting);
  return { sightings, firings: await tx.firingsOf(keys) };
}
