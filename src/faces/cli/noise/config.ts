import { parseConfig } from "../../../config/index.ts";
import { formatProblem } from "../../../config/problem.ts";
import type { Config } from "../../../model.ts";
import { readers } from "../../../read/index.ts";

/** A report that watches one page, with nothing told but its address, and asks whenever it changes. */
export function configOfOne(url: string): Config {
  const sources = { report: { title: "One page", audited: "2000-01-01" }, sources: { page: { page: url } } };
  const trigger = { name: "The page changes", ratings: [], on: [{ change: "page" }] };
  const files = [
    { path: "sources.yaml", text: JSON.stringify(sources) },
    { path: "triggers/change.yaml", text: JSON.stringify(trigger) },
  ];
  const parsed = parseConfig(files, readers);
  if (!parsed.config) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.config;
}
