import { pathIn } from "../../config/files.ts";
import { correctedKey, isKeyOfClaim } from "../../model/claim.ts";
import { readableCondition } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { claimOf } from "../../model/dependencies.ts";
import { builtIn, isOfTrigger } from "../../model/firing.ts";
import { code, paragraph, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { enumerate, pluralize, verdictCounts, withoutStop } from "../../model/words.ts";
import type { GivenAnswer } from "../answer/answers.ts";
import { codeList, correctionCounts } from "../answer/names.ts";
import { countWords, entriesWithin, foldPart, type Part } from "./layout.ts";
import { boxLine, sectionEnd, writtenOverNote } from "./marker.ts";
import { hasFile, type Question, ratingName, ratingNames, shownPatch, triggerOf } from "./question.ts";

/** Explains a closed issue: the same evidence opens nothing, new evidence opens a new issue. */
const afterwards =
  "The same evidence will not open this again; new evidence opens a new issue. Reopening this issue asks all of it again.";

export function closingLines({ closed }: Question): string[] {
  return [`<sub>${closed ? `${afterwards} ` : ""}${writtenOverNote}</sub>`, sectionEnd];
}

/** The folded part: other answers, more questions of the trigger, and why this issue exists. Empty if it is closed. */
export function foldedPart(
  question: Question,
  askedRatings: readonly string[],
  { questions, words: most }: { readonly questions: readonly string[]; readonly words: number } = noQuestions,
): Part {
  const { commands, closed } = question;
  const { wording } = triggerOf(question);
  const quoted = wording ? [`The report says when to check again: “${words(wording, 300)}”`] : [];
  const ways = commands ? commandLines(question) : handLines(question, askedRatings);
  const reasons = [...reasonLines(question), ...quoted].join(" ");
  const lines = questions.map((line) => `- [ ] ${paragraph(line)}`);
  const fit = lines.slice(0, entriesWithin(lines, most - countWords([...ways, reasons].join("\n")) - wordsOfMore));
  const more = lines.length - fit.length;
  const rest = [...fit, ...(more > 0 ? [`and ${pluralize(more, "more question")}`] : [])];
  const entries = [...ways, ...(rest.length > 0 ? [rest.join("\n")] : []), reasons];
  const part = { entries: closed ? [] : entries, between: "\n\n", one: "way to answer", many: "ways to answer" };
  return foldPart("Other answers, and why you got this", part);
}

const noQuestions = { questions: [], words: 0 } as const;

/** Words reserved for the line about omitted questions, and for the first folded event. */
const wordsOfMore = 40;

function commandLines({ config, trigger }: Question): string[] {
  const counts = hasFile(trigger, config) ? "the" : "no";
  const until = trigger === builtIn.catchUp ? "" : ", or `until-next-event`";
  const lines = [
    `- \`/recheck dismiss because …\`: not worth asking; it counts against ${counts} trigger`,
    `- \`/recheck snooze 14d\`: ask again in 14 days; or a date${until}`,
    boxLine("check", "check the sources again now: `/recheck check`"),
    "- `/recheck help`: explain all commands",
  ];
  const pull =
    "Answers are collected in one pull request; merging it closes this issue once every rating has an answer.";
  return [lines.join("\n"), pull];
}

/** For people who edit config themselves: the edit that keeps all ratings. In the catch-up, `report.audited` does that. */
function handLines(question: Question, asked: readonly string[]): string[] {
  const patch = shownPatch(question.kept ?? []);
  if (patch === undefined || question.trigger === builtIn.catchUp) return [];
  const what = asked.length === 1 ? "Keep the rating" : `Keep all ${asked.length} ratings`;
  return [`${what}, dated with the newest evidence; for another level, write it there:\n${patch}`];
}

function sourcesPath({ folder = "" }: Pick<Question, "folder">): string {
  return code(pathIn(folder, "sources.yaml"));
}

const maxConditions = 3;

/** The conditions of the trigger's file that matched, each once. */
function conditionsMet({ firings, config }: Question): string[] {
  const met = firings.flatMap(({ evidence }) =>
    evidence.filter(isOfTrigger).flatMap(({ condition }) => condition ?? []),
  );
  return [...new Set(met.map((condition) => words(readableCondition(condition, config), 160)))];
}

/** Why this issue exists, and how to have fewer of them. */
function reasonLines(question: Question): string[] {
  const { trigger, config, commands, folder = "" } = question;
  if (hasFile(trigger, config)) {
    const file = code(pathIn(folder, `triggers/${trigger}.yaml`));
    const met = conditionsMet(question);
    const listens = met.length > 0 ? ` (${enumerate(met, maxConditions)})` : "";
    const isAsked = question.firings.some(({ evidence }) => evidence.some(isOfTrigger));
    const why = isAsked
      ? `Opened because of ${file}${listens}.`
      : `Opened because of claims in ${sourcesPath(question)} whose ratings ${file} asks about.`;
    const byHand = isAsked ? "Narrow its conditions" : "Correct the proof, or remove the claim";
    const fewer = commands
      ? "`/recheck dismiss` counts against the trigger and can suggest a narrower condition"
      : byHand;
    return [`${why} Too many of these? ${fewer}.`];
  }
  if (trigger === builtIn.catchUp) {
    return ["Opened once: all of this happened before the first check. Later events open an issue for each trigger."];
  }
  if (trigger === builtIn.notFound) {
    return ["Opened once: all of this was so at the first check. Later changes open an issue for each trigger."];
  }
  const why = `Opened because of claims in ${sourcesPath(question)} that no trigger asks about.`;
  return [`${why} Too many of these? Correct or remove the claim's proof, or name its ratings in a trigger.`];
}

/**
 * The page of a file on GitHub: its editor on a branch, or without a branch the file itself. `blob/HEAD/` is the
 * default branch, but `edit/` needs the name of a branch.
 */
export function pageOfFile(repository: string, path: string, branch: string | undefined): string {
  const place = [...(branch === undefined ? ["blob", "HEAD"] : ["edit", branch]), path];
  return `${repository}/${place.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/")}`;
}

export function answeredPart(question: Question, asked: readonly string[]): Part {
  const { config, pending, closed } = question;
  const answered = answeredRatings(question);
  const open = unansweredRatings(question, asked);
  const all = asked.length > 0 ? ["Every rating has an answer."] : [];
  const still = open.length > 0 ? [`Still open: ${ratingNames(open, config)}.`] : all;
  const where = pending === undefined ? [] : placesOfAnswers(pending);
  const tail = closed ? unwrittenAnswers([...answered.values()], pending?.pull) : [[...where, ...still].join(" ")];
  return {
    head: ["### Answered", ""],
    entries: [...answered.values()].map((answer) => `- ${answerLine(answer, config)}`),
    ...(tail.length > 0 && { tail: ["", ...tail] }),
    one: "answer",
  };
}

export function unansweredRatings({ answers = [] }: Pick<Question, "answers">, asked: readonly string[]): string[] {
  const answered = new Set(answers.map(({ rating }) => rating));
  return asked.filter((id) => !answered.has(id));
}

function answeredRatings({ answers = [] }: Pick<Question, "answers">): ReadonlyMap<string, GivenAnswer> {
  return new Map([...answers].sort((a, b) => a.at - b.at).map((answer) => [answer.rating, answer]));
}

/**
 * `TPU · Maturity: Medium → **High**, by `somebody` on 2026-11-20, because it runs now`. The code span keeps the name
 * from notifying the person.
 */
export function answerLine(
  { rating, verdict, level = "", because: reason, by, at }: GivenAnswer,
  config: Config,
): string {
  const key = correctedKey(rating);
  const who = `by ${code(by, 60)} on ${day(at)}${reasonText(reason)}`;
  if (key !== undefined) {
    const name = words(withoutStop(claimOf(key, config)?.says ?? config.sources.get(key)?.title ?? key), 200);
    if (!isKeyOfClaim(key)) return `${name}: cited at its new address, ${who}`;
    return `“${name}”: corrected to **${words(level, 40)}**, ${who}`;
  }
  const now = config.ratings.get(rating)?.level ?? "";
  const changed = now === level ? "changed to" : `${words(now, 80)} →`;
  const what = verdict === "keep" ? `${words(now, 80)} kept` : `${changed} **${words(level, 80)}**`;
  return `${ratingName(rating, config)}: ${what}, ${who}`;
}

/** The reason comes last, so that our words do not look like the person's. */
function reasonText(reason: string | undefined): string {
  return reason === undefined ? "" : `, because ${words(reason, 500)}`;
}

/** Where to find the answers that are not in config yet. */
function placesOfAnswers({ pull, patch }: NonNullable<Question["pending"]>): string[] {
  if (pull !== undefined) return [`The answers are in pull request #${pull}.`];
  return patch === undefined ? ["Their pull request is not open yet."] : [];
}

/** What happens to answers that were not in config when the recheck was closed by hand. */
function unwrittenAnswers(given: readonly GivenAnswer[], pull: number | undefined): string[] {
  if (given.every(({ settled }) => settled !== undefined)) return [];
  if (pull === undefined) return ["Answers that are not in the config stay unwritten, because this was closed first."];
  return [`Answers that are not in the config yet are in #${pull}: merge it to write them, close it to withdraw them.`];
}

/** The edits that people have to make themselves: corrections, and answers that no pull request holds. */
export function patchPart({ pending, closed, commands, offer }: Question): Part {
  const corrections = commands ? undefined : shownPatch(offer?.changes ?? []);
  const entries = closed ? [] : [pending?.patch, corrections].filter((patch) => patch !== undefined);
  return foldPart("Changes to make in the repository", { entries, between: "\n\n", one: "patch", many: "patches" });
}

/** How a recheck ended, in a sentence; undefined while it is open. */
export function endingOf(question: Question, askedRatings: readonly string[]): string | undefined {
  const { closed } = question;
  if (!closed) return undefined;
  const { verdict } = closed;
  const by = verdict && ` by ${code(verdict.by, 60)}`;
  const why = reasonText(verdict?.because && withoutStop(verdict.because));
  if (verdict?.kind === "dismiss") return `No rating changes: dismissed${by} on ${day(closed.at)}${why}.`;
  const given = [...answeredRatings(question).values()];
  const settledAnswers = given.filter((answer) => answer.settled !== undefined);
  const ratings = settledAnswers.filter(({ rating }) => correctedKey(rating) === undefined);
  const without = askedRatings.length - ratings.length;
  if (settledAnswers.length === 0) {
    if (verdict) return `The report stays as it is: closed${by} on ${day(closed.at)}${why}.`;
    return `Closed by hand on ${day(closed.at)}: ${reviewedSince(question, askedRatings)}.`;
  }
  const outcome = [...correctionCounts(settledAnswers), verdictCounts(ratings, "rating")]
    .filter((text) => text !== "")
    .join(", ");
  const people = [...new Set(settledAnswers.map((answer) => answer.by))];
  const how = without > 0 && !verdict ? "Closed by hand" : "Closed";
  const rest = without > 0 ? `; ${without} ${without === 1 ? "was" : "were"} not reviewed` : "";
  return `${how} on ${day(closed.at)}: ${outcome}, answered by ${codeList(people, "and")}${rest}${why}.`;
}

function reviewedSince({ config, firings }: Question, askedRatings: readonly string[]): string {
  const newest = day(Math.max(0, ...firings.map(({ seen }) => seen)));
  const reviewed = askedRatings
    .flatMap((id) => config.ratings.get(id)?.reviewed ?? [])
    .filter((at) => day(at) >= newest);
  if (reviewed.length === 0) return "no rating counts as reviewed";
  if (reviewed.length === askedRatings.length)
    return askedRatings.length === 1 ? "its rating was reviewed" : "its ratings were reviewed";
  return `${reviewed.length} of its ${askedRatings.length} ratings ${reviewed.length === 1 ? "was" : "were"} reviewed`;
}
