import type { ClaimState } from "../../model/claim.ts";
import type { Conclusion, Config } from "../../model/config.ts";
import { builtIn } from "../../model/firing.ts";
import { cell, link, words } from "../../model/markdown.ts";
import { claimKey, conclusionsOn } from "../../model/rests.ts";
import { day } from "../../model/time.ts";
import { firstOf, withoutStop } from "../../model/words.ts";
import { entriesWithin, type Part } from "./layout.ts";
import { cellAddress, type Question, ratingAddress, ratingName, refLinks } from "./question.ts";

const most = { ratings: 4, claims: 2, conclusions: 2 } as const;

/**
 * What depends on the answer: the meaning of each rating's level, the conclusions, and other unsupported sentences
 * under these ratings. `room`: limit of words.
 */
export function dependingPart(question: Question, asked: readonly string[], room: number): Part {
  const { config } = question;
  const entries = [
    ...asked.slice(0, most.ratings).flatMap((id) => meaningOf(id, config)),
    ...conclusionLines(asked, config),
    ...(question.trigger === builtIn.notFound ? [] : otherClaimLines(question, asked)),
  ];
  const fit = entries.slice(0, Math.max(1, entriesWithin(entries, room)));
  return list("### What depends on it", fit, "dependent");
}

function list(heading: string, lines: readonly string[], one: string): Part {
  return { head: [heading, ""], entries: lines.map((line) => `- ${line}`), one };
}

/** A rating's name and level, linked to its row in the report and to its own page, with the meaning of the level. */
function meaningOf(id: string, config: Config): string[] {
  const level = config.ratings.get(id)?.level ?? "";
  const rubric = config.rubric.get(id) ?? config.rubric.get(id.split("/").at(-1) ?? "");
  const meaning = rubric?.get(level);
  const page = ratingAddress(id, config);
  if (meaning === undefined && page === undefined) return [];
  const pages = page === undefined ? "" : ` · ${link("page", page)}`;
  const means = meaning === undefined ? "" : `: ${words(meaning, 240)}`;
  return [`${link(ratingName(id, config), cellAddress(id, config))}, **${words(level, 80)}**${means}${pages}`];
}

function conclusionLines(asked: readonly string[], config: Config): string[] {
  const all = conclusionsOn(asked, config);
  if (all.length === 0) return [];
  const texts = all.map(({ text }: Conclusion) => `*${words(text, 70)}*`);
  return [`${all.length === 1 ? "A conclusion" : "Conclusions"}: ${firstOf(texts, most.conclusions, "; ")}`];
}

/** Sentences under these ratings that lost their support in another recheck. */
function otherClaimLines({ config, claims, firings }: Question, asked: readonly string[]): string[] {
  const states = new Map<string, ClaimState>(claims.map((state) => [state.claim, state]));
  const asking = new Set(firings.flatMap(({ evidence }) => evidence.map(({ claim }) => claim)));
  const lines = [...config.sources.values()].flatMap((source) =>
    source.claims.flatMap((claim) => {
      const state = states.get(claimKey(claim));
      const isOther = !asking.has(claimKey(claim)) && claim.ratings.some((rating) => asked.includes(rating));
      if (!isOther || state === undefined || state.status === "supported") return [];
      const numbers = claim.cites.length > 0 ? claim.cites : source.cites;
      const cited = numbers.length > 0 ? `, ${refLinks(numbers, config, 3)}` : "";
      const says = state.status === "not found" ? "its proof was not found" : state.status;
      return [`“${words(withoutStop(claim.says), 120)}”${cited}: **${says}**, since ${day(state.since)}`];
    }),
  );
  return [...new Set(lines)].slice(0, most.claims);
}

/** A row for each rating without an answer: its present level, and when a person last reviewed it. */
export function standingPart(unanswered: readonly string[], config: Config): Part {
  const entries = unanswered.map((id) => {
    const { level = "", reviewed } = config.ratings.get(id) ?? {};
    const since = reviewed === undefined ? `${day(config.report.audited)} (audit)` : day(reviewed);
    return `| ${cell(ratingName(id, config))} | **${cell(words(level, 80))}** | ${since} |`;
  });
  const head = ["### The ratings now", "", "| rating | now | last reviewed |", "|---|---|---|"];
  return { head, entries, one: "rating" };
}
