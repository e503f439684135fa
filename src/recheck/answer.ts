import { code } from "./inert.ts";
import { hasFile, type Question } from "./question.ts";

/** How to answer: only what works now. */
export function answerLines(asked: readonly string[]): string[] {
  const first = asked[0] ?? "";
  const edit = asked.length > 0 ? `the level of ${code(first)} or its \`reviewed:\` date` : "the claim and its proof";
  return [
    `Answer by editing \`sources.yaml\` (${edit}) and closing this issue. If nothing changes, closing it is the answer.`,
    "The same evidence never opens it again; new evidence opens a new issue.",
  ];
}

/** Why this issue exists, and how to have fewer of them. */
export function reasonLines({ trigger, config }: Pick<Question, "trigger" | "config">): string[] {
  if (hasFile(trigger, config)) {
    const file = code(`triggers/${trigger}.yaml`);
    return [`Opened because of ${file}. Too many of these? Narrow or remove the condition named above in that file.`];
  }
  const why = "Opened because of claims in `sources.yaml` that no trigger asks about.";
  return [`${why} Too many of these? Correct or remove the claim's proof, or name its ratings in a trigger.`];
}
