import type { Around, Draft, ReportFile } from "../../../config/draft/index.ts";
import { type Parsed, parseConfig } from "../../../config/index.ts";
import type { Instant } from "../../../model/model.ts";
import type { RepositoryConfig, Store } from "../../../model/ports/index.ts";
import type { Problem } from "../../../model/problem.ts";
import type { Reader } from "../../../read/reader.ts";
import type { Home } from "../../../recheck/answer/case.ts";
import { replayBoth } from "../../../watch/replay/both.ts";
import { type CheckOutput, checkConfig } from "./check-text.ts";

/** The config of a commit that is to be checked. */
export interface Trial {
  /** Whose memory it is tried on. */
  readonly repository: string;
  readonly config: RepositoryConfig;
  readonly inUse?: RepositoryConfig;
  /** Where its branch began with another one than is in use. */
  readonly began?: RepositoryConfig | "none";
  readonly at: Instant;
}

/** What is known of the repository around a report, beside what every one has. */
export type AroundReport = Omit<Around, "readers">;

/** Work on what anybody may have written: nothing else waits for it, and it is given up where it does not end. */
export interface Aside {
  /** What is in use, or was merged to be. Undefined where it did not end. */
  parse(config: RepositoryConfig): Promise<Parsed | undefined>;
  /** What nobody merged: no reading of what is in use waits for it. Undefined where it did not end. */
  parseProposed(config: RepositoryConfig): Promise<Parsed | undefined>;
  /** What had come of it until then, where it did not end. */
  check(trial: Trial): Promise<CheckOutput | undefined>;
  /** Undefined too where the file is no report. */
  draft(report: ReportFile, around: AroundReport): Promise<Draft | undefined>;
}

type Readers = ReadonlyMap<string, Reader>;

/** One repository that is served, and where work on what anybody may have written is done. */
export interface ServedHome extends Home {
  readonly aside: Aside;
}

/** The config of a commit, or all that is wrong with it. */
export function parse({ files, excess = [] }: RepositoryConfig, readers: Readers): Parsed {
  return excess.length > 0 ? { problems: [...excess] } : parseConfig(files, readers);
}

/** What reading a config that does not end is told as. */
export const unended: Problem = {
  file: "sources.yaml",
  line: 1,
  column: 1,
  message: "reading config was given up: it takes too long, or too much memory",
};

/** Reads a config that was merged. */
export async function parseAside(aside: Aside, config: RepositoryConfig): Promise<Parsed> {
  return (await aside.parse(config)) ?? { problems: [unended] };
}

/** Reads a config that nobody merged. */
export async function parseProposed(aside: Aside, config: RepositoryConfig): Promise<Parsed> {
  return (await aside.parseProposed(config)) ?? { problems: [unended] };
}

/** The config in use could not be read in time. It could once, so that it can be again: what needs it waits. */
export class Unread extends Error {
  constructor(commit: string) {
    super(`the config of commit ${commit} could not be read in time`);
    this.name = "Unread";
  }
}

/** What a trial needs. */
interface Bench {
  readonly readers: Readers;
  /** What is stored; undefined where nothing is. */
  readonly store: Store | undefined;
  /** A store that is nowhere but in memory. */
  readonly scratch: () => Promise<{ readonly store: Store; close(): Promise<void> }>;
}

/** Checks a commit's config, and tells what a change would have asked. `soFar` is given what holds should that not end. */
export async function tryOut(
  { config, inUse, began, at }: Trial,
  { readers, store, scratch }: Bench,
  soFar: (output: CheckOutput) => void = () => {},
): Promise<CheckOutput> {
  const own = began === undefined || began === "none" ? undefined : parse(began, readers).config;
  const before = inUse && (own ?? parse(inUse, readers).config);
  const instead = began !== undefined && !own;
  const checked = { parsed: parse(config, readers), folder: config.folder, ...(before && { before, instead }) };
  return await checkConfig(checked, async (one, other) => {
    soFar(await checkConfig(checked, async () => "unended"));
    return store && (await replayBoth(one, other, { store, readers, scratch, clock: { now: () => at } }));
  });
}
