import { type Edited, editAll, type Files, type Origin } from "../edit/index.ts";
import type { Config } from "../model.ts";
import type { StoredAnswer } from "../ports.ts";
import { pathIn } from "../repository/config-files.ts";
import type { Asking } from "./asking.ts";

/** The files that a review is written to, as they stand at a commit. @throws GitHubProblem */
export async function filesAt({ github, config, state }: Asking, commit: string): Promise<Files> {
  const path = pathIn(state.config?.folder ?? "", "sources.yaml");
  const { text, log } = config.report;
  const read = (file: string) => github.text(file, commit);
  const report = text === undefined ? undefined : await read(text);
  return {
    sources: { path, text: (await read(path)) ?? "" },
    ...(text !== undefined && report !== undefined && { text: { path: text, text: report } }),
    ...(log !== undefined && { log: { path: log, text: await read(log) } }),
  };
}

/** What is to be added to a branch on which a person has worked: answers that it does not hold. Their work stays. */
export function editOnTop(
  gathered: readonly StoredAnswer[],
  held: readonly StoredAnswer[],
  { config, files, ...origin }: Origin & { readonly config: Config; readonly files: Files },
): Edited {
  const there = withAnswers(config, held);
  const fresh = gathered.filter(({ id }) => !held.some((one) => one.id === id));
  const reviews = fresh.map((answer) => {
    const level = answer.level ?? config.ratings.get(answer.rating)?.level;
    return level === there.ratings.get(answer.rating)?.level ? answer : { ...answer, level };
  });
  return editAll(reviews, there, files, origin);
}

/** Config as a branch has it. */
function withAnswers(config: Config, held: readonly StoredAnswer[]): Config {
  const ratings = new Map(config.ratings);
  for (const { rating, level } of held) {
    const old = ratings.get(rating);
    if (old && level !== undefined) ratings.set(rating, { ...old, level });
  }
  return { ...config, ratings };
}
