import type { Effort } from "../config/nearest.ts";
import type { Problem } from "../config/problem.ts";
import { suggesting, Teller } from "../config/say.ts";
import type { Readers } from "../config/schema.ts";
import { type File, textOf } from "../config/text.ts";
import type { Tree } from "../config/tree.ts";
import { readYaml } from "../config/yaml.ts";
import type { Config } from "../model.ts";
import type { Store } from "../ports.ts";
import { runScenario } from "./run.ts";
import { type ScenarioFile, scenarioSchema } from "./schema.ts";

/** What a scenario needs: a store of its own, empty, that is thrown away afterwards. */
export type NewStore = () => Promise<{ readonly store: Store; close(): Promise<void> }>;

export interface Tried {
  /** How many scenarios were played. */
  readonly played: number;
  /** Mistakes of the files, and expectations that were not met. */
  readonly problems: readonly Problem[];
}

/** Reads `scenarios/*.yaml` and plays every scenario of them. Never throws for what a file says. */
export async function tryScenarios(
  files: readonly File[],
  config: Config,
  readers: Readers,
  newStore: NewStore,
): Promise<Tried> {
  const schema = scenarioSchema(config);
  const effort = suggesting();
  const problems: Problem[] = [];
  let played = 0;
  for (const file of files) {
    const parsed = parse(file, schema, readers, effort);
    problems.push(...parsed.problems);
    if (!parsed.file) continue;
    for (const [i] of parsed.file.scenarios.entries()) {
      const { store, close } = await newStore();
      try {
        problems.push(...(await runScenario(parsed.file, i, parsed.tree, { config, readers, store })));
        played++;
      } finally {
        await close();
      }
    }
  }
  return { played, problems };
}

type Parsed =
  | { readonly file: ScenarioFile; readonly tree: Tree; readonly problems: readonly Problem[] }
  | { readonly file?: undefined; readonly problems: readonly Problem[] };

function parse(file: File, schema: ReturnType<typeof scenarioSchema>, readers: Readers, effort: Effort): Parsed {
  const text = textOf(file);
  if (typeof text !== "string") return { problems: [text] };
  const read = readYaml(file.path, text);
  if (!("tree" in read)) return { problems: read.problems };
  const result = schema.safeParse(read.tree.value);
  if (result.success) return { file: result.data, tree: read.tree, problems: [] };
  const teller = new Teller(read.tree, "scenarios", readers, effort);
  teller.tell(result.error.issues);
  return { problems: teller.problems };
}
