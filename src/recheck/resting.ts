import { builtIn } from "../askers.ts";
import { day } from "../describe.ts";
import type { Claim, ClaimState, Conclusion, Config, Firing } from "../model.ts";
import type { Part } from "./clip.ts";
import { cell, words } from "./inert.ts";
import { keyOf, type Question, refs } from "./question.ts";

/** `Google TPU · Maturity`. */
export function ratingName(id: string, config: Config): string {
  return id
    .split("/")
    .map((part) => words(config.names.get(part) ?? part, 80))
    .join(" · ");
}

/** A row for each rating: what it is now, and what the levels mean. */
export function ratingPart(asked: readonly string[], config: Config): Part {
  const entries = asked.map((id) => {
    const level = config.ratings.get(id)?.level ?? "";
    return `| ${cell(ratingName(id, config))} | **${cell(words(level, 80))}** | ${cell(rubricOf(id, config))} |`;
  });
  const head = ["### What rests on it", "", "| rating | now | rubric |", "|---|---|---|"];
  return { head, entries, between: "\n", least: 0, one: "rating", many: "ratings" };
}

function rubricOf(id: string, config: Config): string {
  const rubric = config.rubric.get(id) ?? config.rubric.get(id.split("/").at(-1) ?? "");
  if (!rubric) return "";
  const levels = [...rubric.keys()];
  const highestFirst = levels.sort((a, b) => config.levels.indexOf(b) - config.levels.indexOf(a));
  const meanings = highestFirst.map((level) => `*${words(level, 40)}:* ${words(rubric.get(level) ?? "", 240)}`);
  return meanings
    .map((one, at) => (at === 0 || endsSentence.test(meanings[at - 1] ?? "") ? one : `· ${one}`))
    .join(" ");
}

const endsSentence = /[.!?…]$/;

/** A row for each claim under the ratings asked about, those in question apart from the others. */
export function claimRows(
  question: Question,
  asked: readonly string[],
  inOrder: readonly Firing[],
): { readonly inQuestion: string[]; readonly others: string[] } {
  const { config, claims } = question;
  const states = new Map(claims.map((state) => [state.claim, state]));
  const fired = new Set(inOrder.flatMap(({ evidence }) => evidence.map(({ claim }) => claim)));
  // Proofs never found say nothing of the claims beside them: what becomes of those is no news here.
  const alone = question.trigger === builtIn.notFound;
  const rows = { inQuestion: [] as string[], others: [] as string[] };
  for (const claim of [...config.sources.values()].flatMap((source) => source.claims)) {
    const key = keyOf(claim);
    if (!fired.has(key) && (alone || !claim.ratings.some((rating) => asked.includes(rating)))) continue;
    const state = states.get(key);
    const stands = stateOf(state, endedBy(claim, inOrder));
    const row = `| ${cell(words(claim.says, 200))} | ${cell(citation(claim, config))} | ${stands} |`;
    (fired.has(key) || !isSupported(state) ? rows.inQuestion : rows.others).push(row);
  }
  return rows;
}

function isSupported(state: ClaimState | undefined): boolean {
  return state === undefined || state.status === "supported";
}

function citation(claim: Claim, config: Config): string {
  const source = config.sources.get(claim.source);
  const numbers = claim.cites.length > 0 ? claim.cites : (source?.cites ?? []);
  return numbers.length > 0 ? refs(numbers) : words(source?.title ?? claim.source, 80);
}

/** The number of the evidence that ended a claim, as the issue counts it. */
function endedBy(claim: Claim, inOrder: readonly Firing[]): number | undefined {
  const index = inOrder.findIndex(({ evidence }) =>
    evidence.some((piece) => piece.part === "until" && piece.claim === keyOf(claim)),
  );
  return index < 0 ? undefined : index + 1;
}

function stateOf(state: ClaimState | undefined, endedBy: number | undefined): string {
  const moved = state?.status === "altered" || state?.status === "gone";
  if (endedBy !== undefined && !moved) return `**contradicted** by ${endedBy}`;
  if (!state) return "not looked at yet";
  if (state.status === "supported") return `supported, since ${day(state.since)}`;
  if (state.status === "unverified") return "**not found** at first look";
  return `**${state.status}**, since ${day(state.since)}`;
}

/** Conclusions that rest on these ratings, or on conclusions that do. */
export function conclusionsOn(asked: readonly string[], config: Config): Conclusion[] {
  const moved = new Set(asked);
  const above = new Set<string>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const { id, restsOn } of config.conclusions.values()) {
      if (above.has(id) || !restsOn.some((below) => moved.has(below))) continue;
      above.add(id);
      moved.add(id);
      grew = true;
    }
  }
  return [...config.conclusions.values()].filter(({ id }) => above.has(id));
}
