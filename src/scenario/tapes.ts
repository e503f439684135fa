import type { Frame, Tape } from "../backtest/tape.ts";
import { access } from "../backtest/tape.ts";
import type { Readers } from "../config/schema.ts";
import type { Config, Instant } from "../model.ts";
import { answerOf, type Told } from "./answer.ts";
import type { Revision, Scenario, ScenarioFile } from "./schema.ts";

/** An edit of words that are not there: where it stands in the file. */
export interface Lost {
  readonly path: readonly PropertyKey[];
  readonly words: string;
}

const minute = 60_000;
const day = 86_400_000;
const untold: Told = { entries: [], facts: {}, status: 200 };

/** A scenario as tapes: how each source stood at the audit, and each of its revisions on its day. */
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
    const url = readers.get(source.kind)?.request(source, access).url ?? source.address;
    let told = untold;
    const frames = steps.map(({ at, revision, path, before }): Frame => {
      told = after(told, revision, at, before);
      for (const words of lostIn(revision, told)) lost.push({ path: [...path, "edits", words], words });
      told = edited(told, revision);
      return { at: at + minute, response: answerOf(told, source, url) };
    });
    return [{ source, frames }];
  });
  return { tapes, lost };
}

interface Step {
  readonly at: Instant;
  readonly revision: Revision;
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

function after(told: Told, revision: Revision, at: Instant, before: boolean): Told {
  const { adds = [], removes = [], facts = {}, status = 200 } = revision;
  const stay = told.entries.filter(({ name }) => !removes.includes(name) && !adds.some((entry) => entry.name === name));
  // What was there before is older than the audit, each entry a day older than the next.
  const dated = (i: number) => (before ? at - (adds.length - i) * day : at);
  const entries = adds.map((entry, i) => ({ pre: false, draft: false, on: dated(i), ...entry }));
  const text = revision.text ?? told.text;
  const body = revision.body ?? (revision.text === undefined ? told.body : undefined);
  return {
    entries: [...stay, ...entries],
    facts: { ...told.facts, ...facts },
    ...(text !== undefined && { text }),
    ...(body !== undefined && { body }),
    status,
  };
}

function lostIn({ edits = {} }: Revision, { text = "", body = "" }: Told): string[] {
  return Object.keys(edits).filter((words) => !text.includes(words) && !body.includes(words));
}

function edited({ text, body, ...told }: Told, { edits = {} }: Revision): Told {
  const edit = (written: string) =>
    Object.entries(edits).reduce((changed, [from, to]) => changed.replaceAll(from, () => to), written);
  return {
    ...told,
    ...(text !== undefined && { text: edit(text) }),
    ...(body !== undefined && { body: edit(body) }),
  };
}
