import type { ByHand } from "../../config/edit/proposals.ts";
import type { RatingEdit } from "../../config/edit/rating.ts";
import { pathIn } from "../../config/files.ts";
import { conditionPlainly } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { builtIn, type Evidence } from "../../model/firing.ts";
import { clean, code, fence, ownLink, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { counted, listed, verdictCounts } from "../../model/words.ts";
import { codeList, otherLevel } from "../answer/names.ts";
import type { Part } from "./layout.ts";
import { boxLine, sectionEnd, writtenOverNote } from "./marker.ts";
import { type Answered, hasFile, type Question, ratingName, ratingNames } from "./question.ts";

/** Says what happens after the issue is closed: nothing for the same evidence, a new issue for new evidence. */
const afterwards =
  "The same evidence never opens this again; new evidence opens a new issue. Opening this one again asks all of it anew.";

/** The last paragraphs of our section: why this issue exists, or what follows now that it is closed. */
export function closingLines(question: Question): string[] {
  const small = question.closed ? afterwards : reasonLines(question).join(" ");
  return [`<sub>${small} ${writtenOverNote}</sub>`, sectionEnd];
}

/** How to answer, and each answer as an edit where people make it themselves; empty once the issue is closed. */
export function answerParts(question: Question, asked: readonly string[]): Part[] {
  if (question.closed) return [];
  const how: Part = {
    head: ["### Answer", ""],
    entries: [answerLines(question, asked).join("\n")],
    between: "\n",
    least: 1,
    one: "way to answer",
    many: "ways to answer",
  };
  return [how, ...byHandParts(question, asked)];
}

/** The ways to answer that work here. */
function answerLines(question: Question, asked: readonly string[]): string[] {
  const lines = question.commands ? commandLines(question, asked) : editLines(question, asked);
  if (question.trigger !== builtIn.catchUp) return lines;
  const audited = `Raising \`report.audited\` in ${sourcesIn(question)} answers *keep* to all that was seen up to that day.`;
  return [...lines, audited];
}

function sourcesIn({ folder = "" }: Pick<Question, "folder">): string {
  return code(pathIn(folder, "sources.yaml"));
}

function editLines(question: Question, asked: readonly string[]): string[] {
  const edit = edits(question, asked).join("; ");
  return [
    `Answer by editing ${editedFile(pathIn(question.folder ?? "", "sources.yaml"), question, asked[0])} (${edit}) and closing this issue. If nothing changes, closing it is the answer: the same evidence never opens it again.`,
  ];
}

/** The parts of config that are to be edited, by what was seen and what it asks about. */
function edits({ trigger, firings }: Question, asked: readonly string[]): string[] {
  const some = (is: (piece: Evidence) => boolean) => firings.some(({ evidence }) => evidence.some(is));
  const moved = some(({ change }) => change.kind === "link") ? ["the source's address"] : [];
  const isClaim = asked.length === 0 && (moved.length === 0 || some(({ claim }) => claim !== undefined));
  const proof = isClaim || trigger === builtIn.notFound ? ["the claim and its proof"] : [];
  return [...moved, ...proof, ...(asked.length > 0 ? ["a rating's level or its `reviewed:` date"] : [])];
}

function commandLines(question: Question, asked: readonly string[]): string[] {
  const answered = answeredRatings(question);
  const open = asked.filter((id) => !answered.has(id));
  const example = open[0] ?? asked[0];
  const isPart = open.length > 0 && open.length < asked.length;
  const which = isPart ? "the ratings that are still asked about" : "all ratings";
  const all = asked.length === 1 ? "the rating stays" : `${which} stay, or those named behind it`;
  const keep = asked.length === 0 ? "the report stays as it is" : all;
  const counts = hasFile(question.trigger, question.config);
  const what = question.config.levels.length > 0 ? "level" : "value";
  const joins = question.trigger !== builtIn.catchUp;
  return [
    "As the first line of a comment:",
    "",
    `- \`/recheck keep\`: ${keep}`,
    ...(example === undefined ? [] : [`- ${code(changeOf(example, question.config))}: another ${what}, and why`]),
    `- \`/recheck dismiss because …\`: nothing that needed a look; this counts against ${counts ? "the" : "no"} trigger`,
    `- \`/recheck snooze 14d\`: ask again later${joins ? ", on a date, or `until-next-event`" : ", or on a date"}`,
    "- `/recheck look`: look at the sources again now",
    "- `/recheck help`: all of this at length",
    "",
    "Or tick:",
    "",
    boxLine("keep", asked.length === 0 ? "keep the report as it is" : `keep ${which}`),
    boxLine("look", "look again now"),
    "",
    asked.length === 0
      ? "Closing this issue is an answer too: the same evidence never opens it again."
      : "What is kept or changed gathers in one pull request; merging it closes this issue. Closing it by hand answers what was seen, and counts as no review.",
  ];
}

/** `/recheck change tpu/maturity High because …`, with a level other than the present one. */
function changeOf(rating: string, config: Config): string {
  return `/recheck change ${rating} ${otherLevel(rating, config) ?? "VALUE"} because …`;
}

/** Whether a condition of the trigger's file was met, and no claim. */
function isOfFile({ part }: Evidence): boolean {
  return part === "on" || part === "also";
}

/** Conditions that are named, at most. */
const mostConditions = 3;

/** The conditions of the trigger's file that were met, each once. */
function conditionsMet({ firings, config }: Question): string[] {
  const met = firings.flatMap(({ evidence }) => evidence.filter(isOfFile).flatMap(({ condition }) => condition ?? []));
  return [...new Set(met.map((condition) => words(conditionPlainly(condition, config), 160)))];
}

/** Why this issue exists, and how to have fewer of them. */
function reasonLines(question: Question): string[] {
  const { trigger, config, commands, folder = "" } = question;
  if (hasFile(trigger, config)) {
    const file = code(pathIn(folder, `triggers/${trigger}.yaml`));
    const met = conditionsMet(question);
    const listens = met.length > 0 ? ` (${listed(met, mostConditions)})` : "";
    const isAsked = question.firings.some(({ evidence }) => evidence.some(isOfFile));
    const why = isAsked
      ? `Opened because of ${file}${listens}.`
      : `Opened because of claims in ${sourcesIn(question)} whose ratings ${file} asks about.`;
    const byHand = isAsked ? "Narrow what it listens for" : "Correct the proof, or remove the claim";
    const fewer = commands ? "`/recheck dismiss` counts against the trigger and shows what to tighten" : byHand;
    return [`${why} Too many of these? ${fewer}.`];
  }
  if (trigger === builtIn.catchUp) {
    return [
      "Opened once, when the watch began after all of this had happened. What comes later is asked about trigger by trigger.",
    ];
  }
  if (trigger === builtIn.notFound) {
    const why = `Opened because the first look did not find what proves these claims in ${sourcesIn(question)}.`;
    return [`${why} Too many of these? Correct the proof, or remove the claim.`];
  }
  const why = `Opened because of claims in ${sourcesIn(question)} that no trigger asks about.`;
  return [`${why} Too many of these? Correct or remove the claim's proof, or name its ratings in a trigger.`];
}

/** Patches beyond this are not read; the ratings stand in one file, near each other. */
const maxPatches = 24;

/**
 * The edit of each answer, with a link to its line, where people answer by editing config. Its day is that of the
 * newest evidence, which a review has seen: today's date would change the text every day.
 */
function byHandParts({ byHand, config, firings }: Question, asked: readonly string[]): Part[] {
  if (!byHand || asked.length === 0) return [];
  const reviewed = Math.max(...firings.map(({ fired }) => fired));
  const keep = asked.map((rating): RatingEdit => ({ rating, reviewed }));
  const answers = [
    { what: asked.length === 1 ? "Keep the rating" : `Keep ${all(asked.length)} ratings`, edits: keep },
    ...asked.flatMap((rating) =>
      otherLevels(rating, config).map((level) => ({
        what: `${ratingName(rating, config)} becomes **${words(level, 80)}**`,
        edits: [{ rating, level, reviewed }],
      })),
    ),
  ];
  const entries = answers.slice(0, maxPatches).flatMap(({ what, edits }) => {
    const proposal = byHand.propose(edits);
    if (!proposal || proposal.patch === "") return [];
    const place = placeLink(`line ${proposal.line}`, byHand, proposal.line);
    const lines = proposal.patch.trimEnd().split(/\r?\n/);
    // Cleaned text would not apply, and the original may look different from what it does.
    if (lines.some((line) => clean(line) !== line.replaceAll("\t", "  "))) return [];
    return [`${what}, at ${place}:\n${fence(lines, "diff")}`];
  });
  return [
    {
      head: [`<details><summary>${counted(entries.length, "answer")}, ready to be written</summary>`, ""],
      entries,
      tail: ["", `\`reviewed\` is the day of the newest evidence, ${day(reviewed)}: write your own.`, "", "</details>"],
      between: "\n\n",
      least: 0,
      one: "ready answer",
      many: "ready answers",
    },
  ];
}

function all(count: number): string {
  return count === 2 ? "both" : `all ${count}`;
}

/** `sources.yaml`, with the way to a rating's line on GitHub where that is known. */
function editedFile(path: string, { byHand }: Pick<Question, "byHand">, rating: string | undefined): string {
  if (!byHand) return code(path);
  const line = rating === undefined ? undefined : byHand.propose([{ rating, reviewed: 0 }])?.line;
  return placeLink(code(byHand.path), byHand, line ?? 1);
}

/** Links to the repository's own pages directly: such links notify nobody else. */
function placeLink(text: string, { page }: ByHand, line: number): string {
  return page === undefined ? text : ownLink(text, `${page}#L${line}`);
}

/**
 * The page of a file on GitHub: its editor on a branch, or without a branch the file itself. `blob/HEAD/` leads to the
 * default branch, while `edit/` needs a branch's name.
 */
export function pageOfFile(repository: string, path: string, branch: string | undefined): string {
  const place = [...(branch === undefined ? ["blob", "HEAD"] : ["edit", branch]), path];
  return `${repository}/${place.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/")}`;
}

function otherLevels(rating: string, { levels, ratings }: Config): string[] {
  const now = ratings.get(rating)?.level;
  return levels.filter((level) => level !== now);
}

/** The answers so far, and what is still asked. */
export function answeredPart(question: Question, asked: readonly string[]): Part {
  const { config, gathered, closed } = question;
  const answered = answeredRatings(question);
  const open = asked.filter((id) => !answered.has(id));
  const still = open.length > 0 ? `Still asked: ${ratingNames(open, config)}.` : "Nothing is asked any more.";
  const where = gathered === undefined ? [] : whereabouts(gathered);
  const verdict = closed ? wholeVerdict(question) : [];
  const tail = closed ? unwritten([...answered.values()], gathered?.pull) : [[...where, still].join(" ")];
  return {
    head: ["### Answered", ""],
    entries: [...verdict, ...[...answered.values()].map((answer) => `- ${answerLine(answer, config)}`)],
    ...(tail.length > 0 && { tail: ["", ...tail] }),
    between: "\n",
    least: 0,
    one: "answer",
    many: "answers",
  };
}

/** The latest answer for each rating that has one. */
function answeredRatings({ answers = [] }: Pick<Question, "answers">): ReadonlyMap<string, Answered> {
  return new Map([...answers].sort((a, b) => a.at - b.at).map((answer) => [answer.rating, answer]));
}

/**
 * `TPU · Maturity: Medium → **High**, by `somebody` on 2026-11-20, because it runs now`. The code span keeps the name
 * from notifying the person.
 */
export function answerLine({ rating, verdict, level = "", because: reason, by, at }: Answered, config: Config): string {
  const now = config.ratings.get(rating)?.level ?? "";
  const changed = now === level ? "changed to" : `${words(now, 80)} →`;
  const what = verdict === "keep" ? `${words(now, 80)} kept` : `${changed} **${words(level, 80)}**`;
  return `${ratingName(rating, config)}: ${what}, by ${code(by, 60)} on ${day(at)}${because(reason)}`;
}

/** The reason comes last, so that our words are not taken for the person's. */
function because(reason: string | undefined): string {
  return reason === undefined ? "" : `, because ${words(reason, 500)}`;
}

/** Says where answers wait that are not in config yet. */
function whereabouts({ pull, patch }: NonNullable<Question["gathered"]>): string[] {
  if (pull !== undefined) return [`The answers wait in #${pull}.`];
  return patch === undefined ? ["Their pull request is still to come."] : [];
}

/** The verdict on the whole recheck, where it gives a reason. */
function wholeVerdict({ closed: { at, verdict } = { at: 0 } }: Question): string[] {
  if (verdict?.because === undefined) return [];
  const what = verdict.kind === "keep" ? "The report stays as it is," : "Dismissed";
  return [`- ${what} by ${code(verdict.by, 60)} on ${day(at)}${because(verdict.because)}`];
}

/** Says what happens to answers that are not in config although the recheck was closed by hand. */
function unwritten(given: readonly Answered[], pull: number | undefined): string[] {
  if (given.every(({ settled }) => settled !== undefined)) return [];
  if (pull === undefined) return ["What is not in the config stays unwritten: this was closed before."];
  return [`What is not in the config yet waits in #${pull}: merging that writes it down, closing it withdraws it.`];
}

/** The edit that people have to make themselves; nothing where a pull request holds it. */
export function patchPart({ gathered, closed }: Question): Part {
  return {
    head: ["<details><summary>What to write into the repository</summary>", ""],
    entries: gathered?.patch === undefined || closed ? [] : [gathered.patch],
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one: "patch",
    many: "patches",
  };
}

/** How a recheck ended, in a sentence; nothing while it is open. */
export function endingOf(question: Question, asked: readonly string[]): string | undefined {
  const { closed } = question;
  if (!closed) return undefined;
  const { verdict } = closed;
  const by = verdict && ` by ${code(verdict.by, 60)}`;
  if (verdict?.kind === "dismiss") return `Dismissed${by} on ${day(closed.at)}: no rating changes.`;
  const given = [...answeredRatings(question).values()];
  const settled = given.filter((answer) => answer.settled !== undefined);
  const without = asked.length - settled.length;
  if (settled.length === 0) {
    if (verdict) return `Closed${by} on ${day(closed.at)}: the report stays as it is.`;
    return `Closed by hand on ${day(closed.at)}: what was seen is answered, and ${reviewedSince(question, asked)}.`;
  }
  const people = [...new Set(settled.map((answer) => answer.by))];
  const how = without > 0 && !verdict ? "Closed by hand" : "Closed";
  const rest = without > 0 ? `; ${without} ${without === 1 ? "was" : "were"} not reviewed` : "";
  return `${how} on ${day(closed.at)}: ${verdictCounts(settled, "rating")}, answered by ${codeList(people, "and")}${rest}.`;
}

/** Where people edit config themselves: the ratings reviewed since the newest evidence was seen. */
function reviewedSince({ config, firings }: Question, asked: readonly string[]): string {
  const newest = day(Math.max(0, ...firings.map(({ seen }) => seen)));
  const reviewed = asked.flatMap((id) => config.ratings.get(id)?.reviewed ?? []).filter((at) => day(at) >= newest);
  if (reviewed.length === 0) return "no rating counts as reviewed";
  if (reviewed.length === asked.length)
    return asked.length === 1 ? "its rating was reviewed" : "its ratings were reviewed";
  return `${reviewed.length} of its ${asked.length} ratings ${reviewed.length === 1 ? "was" : "were"} reviewed`;
}
