import { problemText } from "../../../config/problems.ts";
import { clean, cut } from "../../../model/markdown.ts";
import type { Problem } from "../../../model/problem.ts";

/** A note on a line of a file, as GitHub's API takes it: https://docs.github.com/en/rest/checks/runs */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Columns are allowed only if the annotation starts and ends on the same line. */
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: "failure" | "warning";
  /** At most 64 KB. */
  readonly message: string;
  readonly title: string;
}

const maxAnnotationsPerRequest = 50;

/** Limit of annotations: people do not read more, and every fifty take another request. */
export const maxAnnotations = 500;

/** Limit of characters of a message: none takes more than four bytes. */
const maxMessageCharacters = 64_000 / 4;

type Level = Annotation["annotation_level"];

const titles: Readonly<Record<Level, string>> = {
  failure: "Recheck cannot read this",
  warning: "Is this what you mean?",
};

/** The annotation for a problem. `folder`: the folder of config in the repository, "" for the root. */
export function annotationOf(problem: Problem, folder: string, level: Level = "failure"): Annotation {
  const line = Math.max(1, problem.line);
  const column = Math.max(1, problem.column);
  return {
    path: pathOf(problem.file, folder),
    start_line: line,
    end_line: line,
    start_column: column,
    end_column: column,
    annotation_level: level,
    message: cut(clean(problemText(problem)), maxMessageCharacters) || "is not valid here",
    title: titles[level],
  };
}

/** The file of a problem, from the root of the repository. */
export function pathOf(file: string, folder: string): string {
  return folder === "" || file.startsWith(`${folder}/`) ? file : `${folder}/${file}`;
}

/** Batches of one request each; one empty batch if there are none, because the output is sent in any case. */
export function batches(annotations: readonly Annotation[]): Annotation[][] {
  const parts: Annotation[][] = [];
  for (let at = 0; at < annotations.length || parts.length === 0; at += maxAnnotationsPerRequest)
    parts.push(annotations.slice(at, at + maxAnnotationsPerRequest));
  return parts;
}
