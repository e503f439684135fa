import { type ConfigProblems, formatProblem } from "../../config/problem.ts";
import type { Terminal } from "./terminal.ts";

/** Every problem of a config, one to a line. */
export function printProblems({ problems }: ConfigProblems, out: Pick<Terminal, "line">): void {
  for (const problem of problems) out.line(formatProblem(problem));
  out.line();
  out.line(`${problems.length} ${problems.length === 1 ? "problem" : "problems"}; nothing was fetched.`);
}
