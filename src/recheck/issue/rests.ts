import type { Claim, ClaimState } from "../../model/claim.ts";
import type { Conclusion, Config } from "../../model/config.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { cell, link, words } from "../../model/markdown.ts";
import { claimKey, conclusionsOn } from "../../model/rests.ts";
import { claimStanding } from "../../model/states.ts";
import { day } from "../../model/time.ts";
import { counted, firstOf } from "../../model/words.ts";
import { foldedAfter, type Part } from "./layout.ts";
import { cellAddress, type Question, ratingAddress, ratingName, refLinks } from "./question.ts";

/** A row for each rating: its level and the meaning of that level; below, folded, the meanings of all levels. */
export function ratingParts(asked: readonly string[], config: Config): Part[] {
  const hasRubric = asked.some((id) => rubricOf(id, config) !== undefined);
  const entries = asked.map((id) => {
    const level = config.ratings.get(id)?.level ?? "";
    const meaning = hasRubric ? ` ${cell(words(rubricOf(id, config)?.get(level) ?? "", 240))} |` : "";
    return `| ${cell(placesOf(id, config))} | **${cell(words(level, 80))}** |${meaning}`;
  });
  const columns = ["rating", "now", ...(hasRubric ? ["which means"] : [])];
  const header = [`| ${columns.join(" | ")} |`, `|${"---|".repeat(columns.length)}`];
  const table: Part = {
    head: ["### What rests on it", "", ...header],
    entries,
    between: "\n",
    least: 0,
    one: "rating",
    many: "ratings",
  };
  return [...foldedAfter(table, maxUnfoldedRatings, header), rubricPart(asked, config)];
}

/** Rows that are shown; people read the rest of a longer table later, so it is folded. */
const maxUnfoldedRatings = 12;

/** A rating's name, linked to its row in the report, and a link to its own page. */
function placesOf(id: string, config: Config): string {
  const page = ratingAddress(id, config);
  const name = link(ratingName(id, config), cellAddress(id, config));
  return page === undefined ? name : `${name} · ${link("page", page)}`;
}

/** A row for each rating: its present level, and when a person last reviewed it. */
export function standingPart(asked: readonly string[], config: Config): Part {
  const entries = asked.map((id) => {
    const { level = "", reviewed } = config.ratings.get(id) ?? {};
    const since = reviewed === undefined ? `not since the audit of ${day(config.report.audited)}` : day(reviewed);
    return `| ${cell(ratingName(id, config))} | **${cell(words(level, 80))}** | ${since} |`;
  });
  const head = ["### How the ratings stand", "", "| rating | now | last reviewed |", "|---|---|---|"];
  return { head, entries, between: "\n", least: 0, one: "rating", many: "ratings" };
}

/** The meanings of the levels, once for ratings that share a rubric. */
function rubricPart(asked: readonly string[], config: Config): Part {
  const areas = new Map(
    asked.flatMap((id): [string, string][] => {
      const key = config.rubric.has(id) ? id : (id.split("/").at(-1) ?? "");
      const meanings = meaningsOf(config.rubric.get(key), config);
      return meanings === "" ? [] : [[key, `- ${ratingName(key, config)}: ${meanings}`]];
    }),
  );
  return {
    head: ["<details><summary>What the levels mean</summary>", ""],
    entries: [...areas.values()],
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one: "rubric",
    many: "rubrics",
  };
}

function rubricOf(id: string, { rubric }: Config): ReadonlyMap<string, string> | undefined {
  return rubric.get(id) ?? rubric.get(id.split("/").at(-1) ?? "");
}

function meaningsOf(rubric: ReadonlyMap<string, string> | undefined, config: Config): string {
  if (!rubric) return "";
  const highestFirst = [...rubric.keys()].sort((a, b) => config.levels.indexOf(b) - config.levels.indexOf(a));
  const meanings = highestFirst.map((level) => `*${words(level, 40)}:* ${words(rubric.get(level) ?? "", 240)}`);
  return meanings
    .map((one, at) => (at === 0 || endsSentence.test(meanings[at - 1] ?? "") ? one : `· ${one}`))
    .join(" ");
}

const endsSentence = /[.!?…]$/;

/** Shows few claims in one table; of more than that, unaffected ones are folded. */
export function claimParts(question: Question, asked: readonly string[]): Part[] {
  const { inQuestion, others } = claimRows(question, asked, question.firings);
  const head = ["| claim in the report | source | state |", "|---|---|---|"];
  const all = [...inQuestion, ...others];
  if (all.length <= maxUnfoldedClaims) return [table("claim", "claims", head, all)];
  const what =
    inQuestion.length > 0
      ? `${counted(others.length, "more claim", "more claims")}, not affected`
      : `${counted(others.length, "claim")}, not affected`;
  const folded = [`<details><summary>${what}</summary>`, "", ...head];
  return [
    ...foldedAfter(table("claim", "claims", head, inQuestion), maxUnfoldedClaims, head),
    { ...table("claim", "claims", folded, others), tail: ["", "</details>"] },
  ];
}

const maxUnfoldedClaims = 5;

/** Puts a heading above the first part that has entries. */
export function withHeading(parts: readonly Part[], heading: readonly string[]): Part[] {
  const first = parts.find(({ entries }) => entries.length > 0);
  return parts.map((part) => (part === first ? { ...part, head: [...heading, ...part.head] } : part));
}

function table(one: string, many: string, head: readonly string[], rows: readonly string[]): Part {
  return { head, entries: rows, between: "\n", least: 0, one, many };
}

/** A row for each claim under the ratings asked about, those in question apart from the others. */
function claimRows(
  question: Question,
  asked: readonly string[],
  inOrder: readonly Firing[],
): { readonly inQuestion: string[]; readonly others: string[] } {
  const { config, claims } = question;
  const states = new Map(claims.map((state) => [state.claim, state]));
  const fired = new Set(inOrder.flatMap(({ evidence }) => evidence.map(({ claim }) => claim)));
  // A proof that was never found says nothing about other claims, so those are left out.
  const alone = question.trigger === builtIn.notFound;
  // One sentence may have several proofs: equal rows are shown once.
  const rows = { inQuestion: new Set<string>(), others: new Set<string>() };
  for (const claim of [...config.sources.values()].flatMap((source) => source.claims)) {
    const key = claimKey(claim);
    if (!fired.has(key) && (alone || !claim.ratings.some((rating) => asked.includes(rating)))) continue;
    const state = states.get(key);
    // The evidence already says that it was not found; a row is needed only for a later state.
    if (alone && state?.status === "not found") continue;
    const isAgainst = question.contradictedAtFirst?.has(key) === true;
    const stands = claimState(state, endedBy(claim, inOrder), isAgainst);
    const row = `| ${cell(words(claim.says, 200))} | ${cell(citation(claim, config))} | ${stands} |`;
    (fired.has(key) || !isSupported(state) ? rows.inQuestion : rows.others).add(row);
  }
  return { inQuestion: [...rows.inQuestion], others: [...rows.others] };
}

function claimState(state: ClaimState | undefined, endedBy: number | undefined, isAgainst: boolean): string {
  const stands = claimStanding(state?.status, endedBy !== undefined);
  if (stands === "contradicted" && endedBy !== undefined) return `**contradicted** by ${endedBy}`;
  if (state === undefined) return stands;
  if (stands === "supported") return `supported, since ${day(state.since)}`;
  if (stands === "not found")
    return isAgainst ? "**contradicted** at the first check" : "**not found** at the first check";
  return `**${stands}**, since ${day(state.since)}`;
}

/** The number of the entry that ended a claim. */
function endedBy(claim: Claim, inOrder: readonly Firing[]): number | undefined {
  const index = inOrder.findIndex(({ evidence }) =>
    evidence.some((piece) => piece.part === "until" && piece.claim === claimKey(claim)),
  );
  return index < 0 ? undefined : index + 1;
}

function isSupported(state: ClaimState | undefined): boolean {
  return state === undefined || state.status === "supported";
}

function citation(claim: Claim, config: Config): string {
  const source = config.sources.get(claim.source);
  const numbers = claim.cites.length > 0 ? claim.cites : (source?.cites ?? []);
  return numbers.length > 0 ? refLinks(numbers, config) : words(source?.title ?? claim.source, 80);
}

/**
 * The conclusions that rest on these ratings, each once; its ratings are named unless it rests on all of them.
 */
export function conclusionPart(asked: readonly string[], config: Config): Part {
  const all = conclusionsOn(asked, config);
  const by = (one: Conclusion) => asked.filter((rating) => one.restsOn.includes(rating));
  const direct = all.filter((one) => by(one).length > 0);
  const through = all.filter((one) => by(one).length === 0);
  const entries = [
    ...direct.map(
      (one) =>
        `- ${conclusionText(one)}${by(one).length < asked.length ? `: ${shortNames(by(one), asked, config)}` : ""}`,
    ),
    ...through.map((one) => `- ${conclusionText(one)}, through those above`),
  ];
  const name = asked.length === 1 ? ratingName(asked[0] ?? "", config) : "these ratings";
  const folded = [`<details><summary>${all.length} conclusions rest on ${name}</summary>`, ""];
  return {
    head: all.length > maxUnfoldedConclusions ? folded : [`Rests on ${name}:`, ""],
    entries,
    ...(all.length > maxUnfoldedConclusions && { tail: ["", "</details>"] }),
    between: "\n",
    least: 0,
    one: "conclusion",
    many: "conclusions",
  };
}

/** If there are more, all are folded: they matter only after a rating has changed. */
const maxUnfoldedConclusions = 3;

function conclusionText({ text }: Conclusion): string {
  return `*${words(text, 200)}*`;
}

/** Names of ratings, without their first part if all ratings in question share it. */
function shortNames(ids: readonly string[], asked: readonly string[], config: Config): string {
  const rows = new Set(asked.map((id) => id.slice(0, id.indexOf("/") + 1)));
  const [row = ""] = rows.size === 1 ? rows : [];
  return firstOf(
    ids.map((id) => ratingName(id.slice(row.length), config)),
    6,
  );
}
