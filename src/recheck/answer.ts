import { builtIn } from "../askers.ts";
import type { Config } from "../model.ts";
import { otherLevel } from "../verdict/name.ts";
import { answeredRatings } from "./answered.ts";
import { boxLine } from "./box.ts";
import { code } from "./inert.ts";
import { hasFile, type Question } from "./question.ts";

/** How to answer: only what works here. */
export function answerLines(question: Question, asked: readonly string[]): string[] {
  if (question.commands) return commandLines(question, asked);
  const rating = asked.length > 0 ? [`the level of ${code(asked[0] ?? "")} or its \`reviewed:\` date`] : [];
  const proof = asked.length === 0 || question.trigger === builtIn.notFound ? ["the claim and its proof"] : [];
  const edit = [...proof, ...rating].join("; ");
  return [
    `Answer by editing \`sources.yaml\` (${edit}) and closing this issue. If nothing changes, closing it is the answer.`,
    "The same evidence never opens it again; new evidence opens a new issue.",
  ];
}

function commandLines(question: Question, asked: readonly string[]): string[] {
  const answered = answeredRatings(question);
  const open = asked.filter((id) => !answered.has(id));
  const example = open[0] ?? asked[0];
  const isPart = open.length > 0 && open.length < asked.length;
  const which = isPart ? "the ratings that are still asked about" : "all ratings";
  const all = asked.length === 1 ? "the rating stays" : `${which} stay, or those named behind it`;
  const keep = asked.length === 0 ? "the report stays as it is" : all;
  return [
    "As the first line of a comment:",
    "",
    `- \`/recheck keep\`: ${keep}`,
    ...(example === undefined ? [] : [`- ${code(changeOf(example, question.config))}: another level, and why`]),
    "- `/recheck dismiss because …`: nothing that needed a look; this counts against the trigger",
    "- `/recheck snooze 14d`: ask again later, on a date, or `until-next-event`",
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

/** `/recheck change tpu/maturity High because …`, with a level that it does not have. */
function changeOf(rating: string, config: Config): string {
  return `/recheck change ${rating} ${otherLevel(rating, config) ?? "VALUE"} because …`;
}

/** Why this issue exists, and how to have fewer of them. */
export function reasonLines({
  trigger,
  config,
  commands,
}: Pick<Question, "trigger" | "config" | "commands">): string[] {
  if (hasFile(trigger, config)) {
    const file = code(`triggers/${trigger}.yaml`);
    const fewer = commands
      ? "`/recheck dismiss` counts against the trigger and shows what to tighten"
      : "Narrow or remove the condition named above in that file";
    return [`Opened because of ${file}. Too many of these? ${fewer}.`];
  }
  if (trigger === builtIn.notFound) {
    const why = "Opened because the first look did not find what proves these claims in `sources.yaml`.";
    return [`${why} Too many of these? Correct the proof, or remove the claim.`];
  }
  const why = "Opened because of claims in `sources.yaml` that no trigger asks about.";
  return [`${why} Too many of these? Correct or remove the claim's proof, or name its ratings in a trigger.`];
}
