import { type ParsedConfig, parseConfig } from "../../../config/index.ts";
import type { RepositoryConfig, Store } from "../../../model/ports/index.ts";
import type { Problem } from "../../../model/problem.ts";
import type { Instant } from "../../../model/time.ts";
import type { Reader } from "../../../read/reader.ts";
import { replayBoth } from "../../../watch/replay/both.ts";
import { type CheckOutput, checkConfig } from "./effect.ts";

export interface Trial {
  /** The id of the repository whose stored past is used. */
  readonly repository: number;
  readonly config: RepositoryConfig;
  readonly inUse?: RepositoryConfig;
  /** The config at the start of its branch, if that is not the one in use. */
  readonly began?: RepositoryConfig | "none";
  readonly at: Instant;
}

type Readers = ReadonlyMap<string, Reader>;

/** The config of a commit, or everything that is wrong with it; with `now`, days in the future are problems. */
export function parse({ files, excess = [] }: RepositoryConfig, readers: Readers, now?: Instant): ParsedConfig {
  return excess.length > 0 ? { problems: [...excess] } : parseConfig(files, readers, now);
}

export const noParseProblem: Problem = {
  file: "sources.yaml",
  line: 1,
  column: 1,
  message: "reading the config was stopped: it takes too long, or too much memory",
};

/** Parses a config in the sandbox; adds a problem for people if that did not end. */
export function parsedOrProblem(parsed: ParsedConfig | undefined): ParsedConfig {
  return parsed ?? { problems: [noParseProblem] };
}

/** The config in use could not be parsed in time. Earlier it could, so work that needs it waits for a retry. */
export class ConfigNotRead extends Error {
  constructor(commit: string) {
    super(`the config of commit ${commit} could not be read in time`);
    this.name = "ConfigNotRead";
  }
}

interface TrialWorld {
  readonly readers: Readers;
  readonly store: Store | undefined;
  readonly scratch: () => Promise<{ readonly store: Store; close(): Promise<void> }>;
}

/** Checks a commit's config and the effect of the change. `soFar`: receives results, in case the check is stopped. */
export async function tryOut(
  { config, inUse, began, at }: Trial,
  { readers, store, scratch }: TrialWorld,
  soFar: (output: CheckOutput) => void = () => {},
): Promise<CheckOutput> {
  const own = began === undefined || began === "none" ? undefined : parse(began, readers).config;
  const before = inUse && (own ?? parse(inUse, readers).config);
  const instead = began !== undefined && !own;
  const checked = { parsed: parse(config, readers, at), folder: config.folder, ...(before && { before, instead }) };
  return await checkConfig(checked, async (one, other) => {
    soFar(await checkConfig(checked, async () => "given up"));
    return store && (await replayBoth(one, other, { store, readers, scratch, clock: { now: () => at } }));
  });
}
