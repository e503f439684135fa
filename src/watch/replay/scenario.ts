import type { Effort } from "../../config/nearest.ts";
import type { Path } from "../../config/path.ts";
import { FileProblems, inQuotes, suggestionEffort } from "../../config/problems.ts";
import type { Readers } from "../../config/schema.ts";
import { type ConfigText, textOf } from "../../config/text.ts";
import { readYaml, type Tree } from "../../config/yaml.ts";
import type { Check } from "../../model/check.ts";
import type { Config } from "../../model/config.ts";
import type { Firing } from "../../model/firing.ts";
import type { Store } from "../../model/ports/index.ts";
import type { Problem } from "../../model/problem.ts";
import { aDay, aMinute, day, type Instant } from "../../model/time.ts";
import { headline } from "../../recheck/issue/title.ts";
import { plainKey } from "../events.ts";
import { play, type ReplaySettings } from "./play.ts";
import {
  type Expected,
  type Scenario,
  type ScenarioFile,
  type SourceRevision,
  scenarioSchema,
  type TapedState,
  tapedAnswer,
} from "./scenario-schema.ts";
import { access, type Frame, type Tape } from "./tape.ts";

/** Opens a store for one scenario: empty, and deleted afterwards. */
export type NewStore = () => Promise<{ readonly store: Store; close(): Promise<void> }>;

export interface ScenariosPlayed {
  /** How many scenarios were played. */
  readonly played: number;
  /** Mistakes in the files, and expectations that were not met. */
  readonly problems: readonly Problem[];
}

/** Reads `scenarios/*.yaml` and plays every scenario in them. Never throws because of a file's contents. */
export async function tryScenarios(
  files: readonly ConfigText[],
  config: Config,
  readers: Readers,
  newStore: NewStore,
): Promise<ScenariosPlayed> {
  const schema = scenarioSchema(config, readers);
  const effort = suggestionEffort();
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

function parse(file: ConfigText, schema: ReturnType<typeof scenarioSchema>, readers: Readers, effort: Effort): Parsed {
  const text = textOf(file);
  if (typeof text !== "string") return { problems: [text] };
  const read = readYaml(file.path, text);
  if (!("tree" in read)) return { problems: read.problems };
  const result = schema.safeParse(read.tree.value);
  if (result.success) return { file: result.data, tree: read.tree, problems: [] };
  const fileProblems = new FileProblems(read.tree, "scenarios", readers, effort);
  fileProblems.addIssues(result.error.issues);
  return { problems: fileProblems.problems };
}

/** Plays one scenario, and reports every difference from its expectations, with the place in the file. */
async function runScenario(
  file: ScenarioFile,
  index: number,
  tree: Tree,
  settings: Omit<ReplaySettings, "comesBack">,
): Promise<Problem[]> {
  const scenario = file.scenarios[index];
  if (!scenario) return [];
  const { config, readers } = settings;
  const problems: Problem[] = [];
  const addProblem = (path: Path, part: "key" | "value", message: string) =>
    problems.push({ ...tree.place(path, part), message: `${inQuotes(scenario.name)}: ${message}` });
  const { tapes, lost } = tapesOf(file, index, config, readers);
  for (const { path, words } of lost) addProblem(path, "key", `${inQuotes(words)} is not in what was there before`);
  if (lost.length > 0) return problems;

  const { firings, looks } = await play(tapes, { ...settings, comesBack: true });
  const here: Path = ["scenarios", index];
  for (const look of failedChecks(looks, scenario)) {
    addProblem(
      [...here, ...placeOf(look.at, scenario)],
      "key",
      `${look.source} could not be read: ${look.failure?.says}`,
    );
  }
  const left = firings.filter(({ trigger }) => file.trigger.includes(trigger));
  scenario.expect.forEach((expected, i) => {
    const said = mismatch(expected, left, config);
    if (said !== undefined) addProblem([...here, "expect", i], "value", said);
  });
  for (const firing of left) {
    addProblem([...here, ...placeOf(firing.fired, scenario)], "key", `not expected: ${firingWords(firing, config)}`);
  }
  return problems;
}

/** Removes the expected firing from the rest, and returns what is wrong with it, if anything. */
function mismatch(expected: Expected, left: Firing[], config: Config): string | undefined {
  const isMeant = (firing: Firing) =>
    (expected.trigger === undefined || firing.trigger === expected.trigger) &&
    namesOf(firing).has(expected.event.toLowerCase());
  const same = left.filter(isMeant);
  const match = same.find(({ fired }) => day(fired) === day(expected.on)) ?? same[0];
  const wanted = `expected ${expected.weight} ${inQuotes(expected.event)} on ${day(expected.on)}`;
  if (!match) return `${wanted}; it did not fire`;
  left.splice(left.indexOf(match), 1);
  const sources = [...new Set(match.evidence.map(({ source }) => source))];
  const missing = expected["seen-in"]?.filter((source) => !sources.includes(source)) ?? [];
  const right = match.weight === expected.weight && day(match.fired) === day(expected.on) && missing.length === 0;
  if (right) return undefined;
  const seenIn = expected["seen-in"] ? ` in ${expected["seen-in"].join(", ")}` : "";
  return `${wanted}${seenIn}; got ${firingWords(match, config)}, seen in ${sources.join(", ")}`;
}

/**
 * The names that a scenario may use for an event: its key, the key without its digest, or the source and the entry's
 * title.
 */
function namesOf({ event, evidence }: Firing): Set<string> {
  const items = evidence.flatMap(({ change, source }) => ("item" in change ? [`${source} ${change.item.title}`] : []));
  return new Set([event.key, plainKey(event), ...items].map((name) => name.toLowerCase()));
}

function firingWords(firing: Firing, config: Config): string {
  const key = plainKey(firing.event);
  return `${firing.weight} ${inQuotes(key)} of ${firing.trigger} on ${day(firing.fired)} (${headline(firing, config).text})`;
}

/** Checks that failed although the scenario does not say so. */
function failedChecks(looks: readonly Check[], { days, before }: Scenario): Check[] {
  return looks.filter(({ outcome, source, at }) => {
    if (outcome !== "unknown") return false;
    const last = days.findLast(({ on, revisions }) => on <= at && revisions[source] !== undefined);
    return ((last?.revisions[source] ?? before[source])?.status ?? 200) < 300;
  });
}

/** The day of the scenario on which something happened. */
function placeOf(at: Instant, { days }: Scenario): Path {
  const i = days.findLastIndex(({ on }) => on <= at);
  return i < 0 ? ["name"] : ["days", i, "on"];
}

/** An edit of words that are missing, and its place in the file. */
export interface Lost {
  readonly path: readonly PropertyKey[];
  readonly words: string;
}

const emptyState: TapedState = { entries: [], facts: {}, status: 200 };

/** The tapes of a scenario: each source at the audit, and each of its revisions on its day. */
export function tapesOf(
  file: ScenarioFile,
  index: number,
  config: Config,
  readers: Readers,
): { readonly tapes: readonly Tape[]; readonly lost: readonly Lost[] } {
  const scenario = file.scenarios[index];
  if (!scenario) return { tapes: [], lost: [] };
  const lost: Lost[] = [];
  const tapes = [...config.sources.values()].flatMap((source): Tape[] => {
    const steps = stepsOf(source.id, file, scenario, index, config.report.audited);
    if (steps.length === 0) return [];
    const reader = readers.get(source.kind);
    const url = reader?.request(source, access).url ?? source.address;
    let state = emptyState;
    const frames = steps.map(({ at, revision, path, before }): Frame => {
      state = revised(state, revision, at, before);
      for (const words of missingWords(revision, state)) lost.push({ path: [...path, "edits", words], words });
      state = withEdits(state, revision);
      return { at: at + aMinute, response: tapedAnswer(state, source, reader?.sample, url) };
    });
    return [{ source, frames }];
  });
  return { tapes, lost };
}

interface Step {
  readonly at: Instant;
  readonly revision: SourceRevision;
  readonly path: readonly PropertyKey[];
  readonly before: boolean;
}

function stepsOf(id: string, file: ScenarioFile, scenario: Scenario, index: number, audited: Instant): Step[] {
  const before = scenario.before[id] ?? file.before[id];
  const home = scenario.before[id] ? ["scenarios", index, "before", id] : ["before", id];
  const used = before !== undefined && (scenario.before[id] || scenario.days.some(({ revisions }) => revisions[id]));
  return [
    ...(used ? [{ at: audited, revision: before, path: home, before: true }] : []),
    ...scenario.days.flatMap(({ on, revisions }, i): Step[] => {
      const revision = revisions[id];
      return revision ? [{ at: on, revision, path: ["scenarios", index, "days", i, id], before: false }] : [];
    }),
  ];
}

function revised(state: TapedState, revision: SourceRevision, at: Instant, before: boolean): TapedState {
  const { adds = [], removes = [], facts = {}, status = 200 } = revision;
  const stay = state.entries.filter(
    ({ name }) => !removes.includes(name) && !adds.some((entry) => entry.name === name),
  );
  // Entries from before the audit are each dated a day older than the next.
  const dated = (i: number) => (before ? at - (adds.length - i) * aDay : at);
  const entries = adds.map((entry, i) => ({ pre: false, draft: false, on: dated(i), ...entry }));
  const text = revision.text ?? state.text;
  const body = revision.body ?? (revision.text === undefined ? state.body : undefined);
  return {
    entries: [...stay, ...entries],
    facts: { ...state.facts, ...facts },
    ...(text !== undefined && { text }),
    ...(body !== undefined && { body }),
    status,
  };
}

function missingWords({ edits = {} }: SourceRevision, { text = "", body = "" }: TapedState): string[] {
  return Object.keys(edits).filter((words) => !text.includes(words) && !body.includes(words));
}

function withEdits({ text, body, ...rest }: TapedState, { edits = {} }: SourceRevision): TapedState {
  const edit = (written: string) =>
    Object.entries(edits).reduce((changed, [from, to]) => changed.replaceAll(from, () => to), written);
  return {
    ...rest,
    ...(text !== undefined && { text: edit(text) }),
    ...(body !== undefined && { body: edit(body) }),
  };
}
