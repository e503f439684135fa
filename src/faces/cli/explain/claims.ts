import { claimSigns } from "../../../model/states.ts";
import { day } from "../../../model/time.ts";
import { counted, firstOf, oneLine } from "../../../model/words.ts";
import { refs } from "../../../recheck/issue/question.ts";
import type { ClaimStory } from "../../../status/explain/source.ts";

/** Each claim with its state. Claims that were not looked for yet share one line. */
export function claimLines(claims: readonly ClaimStory[]): string[] {
  const unsought = claims.filter(({ status }) => status === "not looked for yet");
  const told = claims.filter((claim) => !unsought.includes(claim)).flatMap(claimLine);
  if (unsought.length === 0) return told;
  return [
    ...told,
    `  ? ${counted(unsought.length, "claim")} not looked for yet: no response yet from ${firstOf(sourcesOf(unsought), 5)}`,
  ];
}

function sourcesOf(claims: readonly ClaimStory[]): string[] {
  return [...new Set(claims.map(({ claim }) => claim.split("/")[0] ?? claim))];
}

function claimLine(claim: ClaimStory): string[] {
  const { status, says, since, unseen, proof } = claim;
  const cited = claim.cites.length > 0 ? ` (${refs(claim.cites)})` : "";
  const last = unseen ? ", as last seen" : "";
  const when = since === undefined ? "" : ` since ${day(since)}`;
  return [
    `  ${claimSigns[status]} ${says}${cited}: ${status}${when}${last}`,
    ...(status === "supported" ? [] : detail(claim, proof)),
  ];
}

function detail({ claim, before, found, status, ratings }: ClaimStory, proof: string): string[] {
  const resting = ratings.length > 0 ? ` · ${ratings.join(", ")}` : "";
  if (status === "contradicted" && found) return [`      ${claim}${resting}: by ${oneLine(found, 120)}`];
  if (status === "altered" && found) {
    return [`      ${claim}${resting}`, `      - ${oneLine(before ?? proof, 160)}`, `      + ${oneLine(found, 160)}`];
  }
  return [`      ${claim}${resting}: its proof is ${oneLine(proof, 140)}`];
}

/** Lines below a title; empty if there are no lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", title, ...lines] : [];
}
