import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** A piece of work that this process was given, as the queue knows it. */
export interface Claim {
  /** Makes sure that it is this process's until the transaction has ended. @throws LostClaim where it is another's */
  keep(transaction: Kysely<Tables>): Promise<void>;
  /** Has it done once the transaction is committed, and not otherwise. */
  complete(transaction: Kysely<Tables>): Promise<void>;
}

/** The work was given to another process: this one was taken for dead. Nothing more of it is written here. */
export class LostClaim extends Error {
  override readonly name = "LostClaim";
  constructor() {
    super("this piece of work is another process's by now");
  }
}

/** Within a piece of work, its claim: every transaction of the store asks it. */
export const currentClaim = new AsyncLocalStorage<Claim>();
