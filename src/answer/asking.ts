import type { Config } from "../model.ts";
import type { StoredAnswer, StoredFiring, StoredRecheck, Transaction } from "../ports.ts";
import type { Home } from "../repository/home.ts";
import { type Standing, standing } from "../verdict/answers.ts";

/** A home whose config is known: without it nothing can be asked about. */
export type Asking = Home & { readonly config: Config };

/** What is to be kept of what was heard, in one transaction. */
export type Keeping = (tx: Transaction) => Promise<void>;

export const nothing: Keeping = async () => {};

/** A recheck with all that feeds it and all that was answered. */
export interface Case {
  readonly recheck: StoredRecheck;
  readonly firings: readonly StoredFiring[];
  readonly answers: readonly StoredAnswer[];
  readonly standing: Standing<StoredAnswer>;
}

/** Every recheck, oldest first. */
export async function casesOf({ store, config }: Pick<Asking, "store" | "config">): Promise<Case[]> {
  const [rechecks, all, given] = await Promise.all([store.rechecks(), store.firings(), store.answers()]);
  const fed = Map.groupBy(all, ({ recheck }) => recheck);
  const answered = Map.groupBy(given, ({ recheck }) => recheck);
  return rechecks.map((recheck) => {
    const firings = fed.get(recheck.id) ?? [];
    const answers = answered.get(recheck.id) ?? [];
    return { recheck, firings, answers, standing: standing(firings, answers, config) };
  });
}

export function idsOf(answers: readonly StoredAnswer[]): number[] {
  return answers.map(({ id }) => id);
}
