import type { Decision, Trace } from "../src/model/heuristics.ts";

/**
 * Decisions that a small change of a threshold would reverse. If they are all in one sequence, the threshold was tuned
 * on it.
 */

/** A decision is near if its value is within this share of the limit. */
const nearness = 0.1;
/** Decisions that are shown of one threshold, the nearest first. */
const maxShown = 12;

/** One decision, in one sequence, at however many of its checks. */
interface Near extends Decision {
  readonly sequence: string;
  checks: number;
}

/** All that was decided by one threshold. */
interface Threshold {
  readonly limit: number;
  decided: number;
  readonly near: Map<string, Near>;
}

/** Collects decisions by sequence, and returns those that were near. */
export class Margins {
  readonly #thresholds = new Map<string, Threshold>();

  traceOf(sequence: string): Trace {
    return (decision) => this.#note(sequence, decision);
  }

  #note(sequence: string, decision: Decision): void {
    const { threshold, value, limit, about = "" } = decision;
    const name = `${threshold}, ${limit}`;
    const known = this.#thresholds.get(name) ?? { limit, decided: 0, near: new Map<string, Near>() };
    this.#thresholds.set(name, known);
    known.decided++;
    if (!(Math.abs(value - limit) <= nearness * limit)) return;
    const key = JSON.stringify([sequence, value.toPrecision(3), about]);
    const before = known.near.get(key);
    if (before) before.checks++;
    else known.near.set(key, { ...decision, sequence, checks: 1 });
  }

  /** As Markdown: a table of the thresholds, then the nearest decisions of each. */
  lines(): string[] {
    const all = [...this.#thresholds].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      `| threshold | decisions | within ${100 * nearness} % | below | above | in sequences |`,
      "| --- | ---: | ---: | ---: | ---: | ---: |",
      ...all.map(([name, one]) => row(name, one)),
      ...all.filter(([, { near }]) => near.size > 0).flatMap(([name, one]) => ["", `## ${name}`, "", ...nearest(one)]),
    ];
  }
}

function row(name: string, { limit, decided, near }: Threshold): string {
  const all = [...near.values()];
  const below = all.filter(({ value }) => value < limit).length;
  const sequences = new Set(all.map(({ sequence }) => sequence)).size;
  return `| ${name} | ${decided} | ${all.length} | ${below} | ${all.length - below} | ${sequences} |`;
}

function nearest({ limit, near }: Threshold): string[] {
  const off = ({ value }: Near) => Math.abs(value - limit);
  const all = [...near.values()].sort((a, b) => off(a) - off(b));
  const shown = all.slice(0, maxShown).map(({ sequence, value, about = "", checks }) => {
    const what = about.replace(/\s+/g, " ").trim();
    return `- ${sequence}: ${Number(value.toPrecision(4))}${what && ` “${what}”`}, ${checks === 1 ? "1 time" : `${checks} times`}`;
  });
  return all.length > maxShown ? [...shown, `- and ${all.length - maxShown} more`] : shown;
}
