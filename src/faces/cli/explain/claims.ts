import { counted, day, quoted, some } from "../../../describe.ts";
import type { ClaimStory } from "../../../explain/claims.ts";
import { refs } from "../../../recheck/question.ts";

const signs: Readonly<Record<ClaimStory["status"], string>> = {
  supported: "✔",
  altered: "✗",
  gone: "✗",
  contradicted: "✗",
  unverified: "?",
  "not looked for yet": "?",
};

/** Each claim with its state; those that hold in one line. */
export function claimLines(claims: readonly ClaimStory[]): string[] {
  const unsought = claims.filter(({ status }) => status === "not looked for yet");
  const told = claims.filter((claim) => !unsought.includes(claim)).flatMap(claimLine);
  if (unsought.length === 0) return told;
  return [
    ...told,
    `  ? ${counted(unsought.length, "claim")} not looked for yet: not seen is ${some(sourcesOf(unsought), 5)}`,
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
    `  ${signs[status]} ${says}${cited}: ${words(status)}${when}${last}`,
    ...(status === "supported" ? [] : detail(claim, proof)),
  ];
}

function words(status: ClaimStory["status"]): string {
  return status === "unverified" ? "never found" : status;
}

function detail({ claim, before, found, status, ratings }: ClaimStory, proof: string): string[] {
  const resting = ratings.length > 0 ? ` · ${ratings.join(", ")}` : "";
  if (status === "contradicted" && found) return [`      ${claim}${resting}: by ${quoted(found, 120)}`];
  if (status === "altered" && found) {
    return [`      ${claim}${resting}`, `      - ${quoted(before ?? proof, 160)}`, `      + ${quoted(found, 160)}`];
  }
  return [`      ${claim}${resting}: its proof is ${quoted(proof, 140)}`];
}
