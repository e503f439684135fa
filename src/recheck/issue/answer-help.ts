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

/** Explains a closed issue: the same evidence opens nothing, new evidence opens a new issue. */
const afterwards =
  "The same evidence will not open this again; new evidence opens a new issue. Reopening this issue asks all of it again.";

/** The last paragraphs of our section: why this issue exists, or how it goes on after it is closed. */
export function closingLines(question: Question): string[] {
  const small = question.closed ? afterwards : reasonLines(question).join(" ");
  return [`<sub>${small} ${writtenOverNote}</sub>`, sectionEnd];
}

/** How to answer, with each answer as an edit if people make it themselves; empty if the issue is closed. */
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

/** The ways to answer this issue: commands, or edits of config. */
function answerLines(question: Question, asked: readonly string[]): string[] {
  const lines = question.commands ? commandLines(question, asked) : editLines(question, asked);
  if (question.trigger !== builtIn.catchUp) return lines;
  const audited = `Set \`report.audited\` in ${sourcesIn(question)} to a later date to confirm all ratings up to that date.`;
  return [...lines, audited];
}

function sourcesIn({ folder = "" }: Pick<Question, "folder">): string {
  return code(pathIn(folder, "sources.yaml"));
}

function editLines(question: Question, asked: readonly string[]): string[] {
  const edit = edits(question, asked).join("; ");
  return [
    `Answer by editing ${editedFile(pathIn(question.folder ?? "", "sources.yaml"), question, asked[0])} (${edit}) and closing this issue. No change needed? Just close this issue; it will not come back for the same evidence.`,
  ];
}

/** The parts of config that an answer edits, by the evidence and the ratings. */
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
  const which = isPart ? "all ratings without an answer" : "all ratings";
  const all = asked.length === 1 ? "keep the rating" : `keep ${which}, or those named after it`;
  const keep = asked.length === 0 ? "keep the report as it is" : all;
  const counts = hasFile(question.trigger, question.config);
  const what = question.config.levels.length > 0 ? "level" : "value";
  const joins = question.trigger !== builtIn.catchUp;
  return [
    "As the first line of a comment:",
    "",
    `- \`/recheck keep\`: ${keep}`,
    ...(example === undefined
      ? []
      : [`- ${code(changeOf(example, question.config))}: set another ${what}, and say why`]),
    `- \`/recheck dismiss because …\`: this was not worth asking; it counts against ${counts ? "the" : "no"} trigger`,
    `- \`/recheck snooze 14d\`: ask again in 14 days; or give a date${joins ? ", or `until-next-event`" : ""}`,
    "- `/recheck look`: check the sources again now",
    "- `/recheck help`: explain all commands",
    "",
    "Or tick:",
    "",
    boxLine("keep", asked.length === 0 ? "keep the report as it is" : `keep ${which}`),
    boxLine("look", "check the sources again now"),
    "",
    asked.length === 0
      ? "Closing this issue is an answer too: it will not come back for the same evidence."
      : "Answers are collected in one pull request; merging it closes this issue. Closing this issue yourself dismisses these events but does not mark the ratings as reviewed.",
  ];
}

/** `/recheck change tpu/maturity High because …`, with a level other than the present one. */
function changeOf(rating: string, config: Config): string {
  return `/recheck change ${rating} ${otherLevel(rating, config) ?? "VALUE"} because …`;
}

/** Whether a condition of the trigger's file matched, rather than a claim. */
function isOfFile({ part }: Evidence): boolean {
  return part === "on" || part === "also";
}

/** Most conditions that are named. */
const mostConditions = 3;

/** The conditions of the trigger's file that matched, each once. */
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
    const why = `Opened once: all of this was so at the first check of its source in ${sourcesIn(question)}.`;
    return [`${why} Closing it answers all of it. Later changes open an issue for each trigger.`];
  }
  const why = `Opened because of claims in ${sourcesIn(question)} that no trigger asks about.`;
  return [`${why} Too many of these? Correct or remove the claim's proof, or name its ratings in a trigger.`];
}

/** Most patches in an issue: people do not read more, and the ratings are close together in one file. */
const maxPatches = 24;

/**
 * The edit of each answer, with a link to its line, if people answer by editing config. It is dated with the day of the
 * newest evidence: today's date would change the text every day.
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
    // A patch of cleaned text would not apply, and the original text can hide what it changes.
    if (lines.some((line) => clean(line) !== line.replaceAll("\t", "  "))) return [];
    return [`${what}, at ${place}:\n${fence(lines, "diff")}`];
  });
  return [
    {
      head: [
        `<details><summary>${counted(entries.length, "answer")} as ${entries.length === 1 ? "a patch" : "patches"}</summary>`,
        "",
      ],
      entries,
      tail: [
        "",
        `\`reviewed\` is set to the day of the newest evidence, ${day(reviewed)}. Write the day of your review.`,
        "",
        "</details>",
      ],
      between: "\n\n",
      least: 0,
      one: "patch",
      many: "patches",
    },
  ];
}

function all(count: number): string {
  return count === 2 ? "both" : `all ${count}`;
}

/** `sources.yaml`, linked to a rating's line on GitHub if that is known. */
function editedFile(path: string, { byHand }: Pick<Question, "byHand">, rating: string | undefined): string {
  if (!byHand) return code(path);
  const line = rating === undefined ? undefined : byHand.propose([{ rating, reviewed: 0 }])?.line;
  return placeLink(code(byHand.path), byHand, line ?? 1);
}

/** A direct link: links to the repository's own pages notify nobody else. */
function placeLink(text: string, { page }: ByHand, line: number): string {
  return page === undefined ? text : ownLink(text, `${page}#L${line}`);
}

/**
 * The page of a file on GitHub: its editor on a branch, or without a branch the file itself. `blob/HEAD/` is the
 * default branch, but `edit/` needs the name of a branch.
 */
export function pageOfFile(repository: string, path: string, branch: string | undefined): string {
  const place = [...(branch === undefined ? ["blob", "HEAD"] : ["edit", branch]), path];
  return `${repository}/${place.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/")}`;
}

function otherLevels(rating: string, { levels, ratings }: Config): string[] {
  const now = ratings.get(rating)?.level;
  return levels.filter((level) => level !== now);
}

/** The answers so far, and the ratings that have none. */
export function answeredPart(question: Question, asked: readonly string[]): Part {
  const { config, gathered, closed } = question;
  const answered = answeredRatings(question);
  const open = asked.filter((id) => !answered.has(id));
  const still = open.length > 0 ? `Still open: ${ratingNames(open, config)}.` : "Every rating has an answer.";
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
  return `${ratingName(rating, config)}: ${what}, by ${code(by, 60)} on ${day(at)}${reasonText(reason)}`;
}

/** The reason comes last, so that our words do not look like the person's. */
function reasonText(reason: string | undefined): string {
  return reason === undefined ? "" : `, because ${words(reason, 500)}`;
}

/** Where the answers are that are not in config yet. */
function whereabouts({ pull, patch }: NonNullable<Question["gathered"]>): string[] {
  if (pull !== undefined) return [`The answers are in pull request #${pull}.`];
  return patch === undefined ? ["Their pull request is not open yet."] : [];
}

/** The verdict on the whole recheck, if it gives a reason. */
function wholeVerdict({ closed: { at, verdict } = { at: 0 } }: Question): string[] {
  if (verdict?.because === undefined) return [];
  const what = verdict.kind === "keep" ? "The report stays as it is," : "Dismissed";
  return [`- ${what} by ${code(verdict.by, 60)} on ${day(at)}${reasonText(verdict.because)}`];
}

/** What happens to answers that were not in config when the recheck was closed by hand. */
function unwritten(given: readonly Answered[], pull: number | undefined): string[] {
  if (given.every(({ settled }) => settled !== undefined)) return [];
  if (pull === undefined) return ["Answers that are not in the config stay unwritten, because this was closed first."];
  return [`Answers that are not in the config yet are in #${pull}: merge it to write them, close it to withdraw them.`];
}

/** The edit that people have to make themselves; empty if a pull request holds it. */
export function patchPart({ gathered, closed }: Question): Part {
  return {
    head: ["<details><summary>Changes to make in the repository</summary>", ""],
    entries: gathered?.patch === undefined || closed ? [] : [gathered.patch],
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one: "patch",
    many: "patches",
  };
}

/** How a recheck ended, in a sentence; undefined while it is open. */
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
    return `Closed by hand on ${day(closed.at)}: its events count as answered, and ${reviewedSince(question, asked)}.`;
  }
  const people = [...new Set(settled.map((answer) => answer.by))];
  const how = without > 0 && !verdict ? "Closed by hand" : "Closed";
  const rest = without > 0 ? `; ${without} ${without === 1 ? "was" : "were"} not reviewed` : "";
  return `${how} on ${day(closed.at)}: ${verdictCounts(settled, "rating")}, answered by ${codeList(people, "and")}${rest}.`;
}

/** For people who edit config themselves: the ratings reviewed since the newest evidence. */
function reviewedSince({ config, firings }: Question, asked: readonly string[]): string {
  const newest = day(Math.max(0, ...firings.map(({ seen }) => seen)));
  const reviewed = asked.flatMap((id) => config.ratings.get(id)?.reviewed ?? []).filter((at) => day(at) >= newest);
  if (reviewed.length === 0) return "no rating counts as reviewed";
  if (reviewed.length === asked.length)
    return asked.length === 1 ? "its rating was reviewed" : "its ratings were reviewed";
  return `${reviewed.length} of its ${asked.length} ratings ${reviewed.length === 1 ? "was" : "were"} reviewed`;
}
