import { play, type Stage } from "../backtest/play.ts";
import { type Problem, quoted } from "../config/problem.ts";
import type { Path, Tree } from "../config/tree.ts";
import { day } from "../describe.ts";
import type { Config, Firing, Instant, Look } from "../model.ts";
import { headline } from "../recheck/headline.ts";
import type { Expected, Scenario, ScenarioFile } from "./schema.ts";
import { tapesOf } from "./tapes.ts";

/** Plays one scenario and tells what came otherwise than expected, each at its place in the file. */
export async function runScenario(
  file: ScenarioFile,
  index: number,
  tree: Tree,
  stage: Omit<Stage, "comesBack">,
): Promise<Problem[]> {
  const scenario = file.scenarios[index];
  if (!scenario) return [];
  const { config, readers } = stage;
  const problems: Problem[] = [];
  const tell = (path: Path, part: "key" | "value", message: string) =>
    problems.push({ ...tree.place(path, part), message: `${quoted(scenario.name)}: ${message}` });
  const { tapes, lost } = tapesOf(file, index, config, readers);
  for (const { path, words } of lost) tell(path, "key", `${quoted(words)} is not in what was there before`);
  if (lost.length > 0) return problems;

  const { firings, looks } = await play(tapes, { ...stage, comesBack: true });
  const here: Path = ["scenarios", index];
  for (const look of unread(looks, scenario)) {
    tell([...here, ...placeOf(look.at, scenario)], "key", `${look.source} could not be read: ${look.failure?.says}`);
  }
  const left = firings.filter(({ trigger }) => file.trigger.includes(trigger));
  scenario.expect.forEach((expected, i) => {
    const said = meet(expected, left, config);
    if (said !== undefined) tell([...here, "expect", i], "value", said);
  });
  for (const firing of left) {
    tell([...here, ...placeOf(firing.fired, scenario)], "key", `not expected: ${told(firing, config)}`);
  }
  return problems;
}

/** Takes the firing that was expected from those that came; says what is wrong with it. */
function meet(expected: Expected, left: Firing[], config: Config): string | undefined {
  const isMeant = (firing: Firing) =>
    (expected.trigger === undefined || firing.trigger === expected.trigger) &&
    namesOf(firing).has(expected.event.toLowerCase());
  const same = left.filter(isMeant);
  const found = same.find(({ fired }) => day(fired) === day(expected.on)) ?? same[0];
  const wanted = `expected ${expected.weight} ${quoted(expected.event)} on ${day(expected.on)}`;
  if (!found) return `${wanted}; it did not fire`;
  left.splice(left.indexOf(found), 1);
  const sources = [...new Set(found.evidence.map(({ source }) => source))];
  const missing = expected["seen-in"]?.filter((source) => !sources.includes(source)) ?? [];
  const right = found.weight === expected.weight && day(found.fired) === day(expected.on) && missing.length === 0;
  if (right) return undefined;
  const seenIn = expected["seen-in"] ? ` in ${expected["seen-in"].join(", ")}` : "";
  return `${wanted}${seenIn}; got ${told(found, config)}, seen in ${sources.join(", ")}`;
}

/** What people may call an event: its key, the key without its fingerprint, or the source and the entry's title. */
function namesOf({ event, evidence }: Firing): Set<string> {
  const items = evidence.flatMap(({ change, source }) => ("item" in change ? [`${source} ${change.item.title}`] : []));
  return new Set([event.key, bare(event.key), ...items].map((name) => name.toLowerCase()));
}

/** Without the fingerprint of what changed, or how often a value came. */
function bare(key: string): string {
  return key.replace(/ (?:[0-9a-f]{16}|\(\d+\))$/, "");
}

function told(firing: Firing, config: Config): string {
  const key = bare(firing.event.key);
  return `${firing.weight} ${quoted(key)} of ${firing.trigger} on ${day(firing.fired)} (${headline(firing, config).text})`;
}

/** Looks that failed where the scenario does not say that they do. */
function unread(looks: readonly Look[], { days, before }: Scenario): Look[] {
  return looks.filter(({ outcome, source, at }) => {
    if (outcome !== "unknown") return false;
    const last = days.findLast(({ on, revisions }) => on <= at && revisions[source] !== undefined);
    return ((last?.revisions[source] ?? before[source])?.status ?? 200) < 300;
  });
}

/** The day of the scenario in which something happened. */
function placeOf(at: Instant, { days }: Scenario): Path {
  const i = days.findLastIndex(({ on }) => on <= at);
  return i < 0 ? ["name"] : ["days", i, "on"];
}
