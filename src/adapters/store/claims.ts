import type { ClaimState, ClaimStatus } from "../../model.ts";
import type { Scope } from "./tables.ts";

export async function claims({ db, repository }: Scope): Promise<ClaimState[]> {
  const rows = await db
    .selectFrom("claim")
    .select(["claim", "status", "rest"])
    .where("repository", "=", repository)
    .orderBy("claim")
    .execute();
  return rows.map(({ claim, status, rest }) => ({ ...JSON.parse(rest), claim, status: status as ClaimStatus }));
}

export async function saveClaims({ db, repository }: Scope, states: readonly ClaimState[]): Promise<void> {
  for (const { claim, status, ...others } of states) {
    const rest = JSON.stringify(others);
    await db
      .insertInto("claim")
      .values({ repository, claim, status, rest })
      .onConflict((conflict) => conflict.columns(["repository", "claim"]).doUpdateSet({ status, rest }))
      .execute();
  }
}
