import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import type { Config } from "../../src/model/config.ts";
import { readers } from "../../src/read/index.ts";

/** A config from YAML as people write it; what does not hold fails the test. */
export function configOf(sources: string, triggers: Readonly<Record<string, string>> = {}): Config {
  const files = [
    { path: "sources.yaml", text: sources },
    ...Object.entries(triggers).map(([id, text]) => ({ path: `triggers/${id}.yaml`, text })),
  ];
  const parsed = parseConfig(files, readers);
  if (!parsed.config) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.config;
}
