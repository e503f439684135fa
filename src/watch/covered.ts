import type { ClaimChange } from "../claims/prove.ts";
import { withEdits } from "../model/apart.ts";
import type { Change } from "../model/change.ts";
import type { Config } from "../model/config.ts";
import { claimOf } from "../model/rests.ts";

/** Whether the changes of the source's claims already show all of a change: one edit is reported once. Pure. */
export function isCovered(change: Change, claims: readonly ClaimChange[], config: Config): boolean {
  if (change.kind === "fact") {
    return claims.some((claim) => {
      const proof = claimOf(claim.claim, config)?.proof;
      if (proof === undefined || !("fact" in proof) || proof.fact !== change.name) return false;
      // A claim that names its value is reported with the fact's name.
      return claim.after === change.after || claim.after === `${change.name}: ${change.after}`;
    });
  }
  if (change.kind !== "block" || change.before === undefined) return false;
  const { before } = change;
  const after = change.after?.text ?? "";
  const within = claims.filter((claim) => claim.before && before.text.includes(claim.before));
  if (within.length === 0) return false;
  const edited = withEdits(before.text, within);
  // A missing passage is shown with the whole text that replaced it.
  return bare(edited) === bare(after) || within.some((claim) => claim.to === "gone" && claim.after === after);
}

/** The text without spaces and punctuation at its ends. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{Sc}]/gu, "");
}
