import { wordsOf } from "../language/lexicon.ts";
import { cutLine } from "../model/markdown.ts";
import type { ReportTable } from "./parse/report-text.ts";
import { textAt } from "./rate/grid.ts";

/** A row of such a table. A cell that is missing is empty. */
export interface Topic {
  readonly name: string;
  readonly confidence: string;
  readonly volatility: string;
  readonly wording: string;
}

const maxTopics = 60;

export function topicsOf(tables: readonly ReportTable[]): Topic[] {
  const topics = tables
    .filter(({ columns }) => isRecheckHeader(columns))
    .flatMap(({ columns, rows }) => {
      const roles = columns.map((heading, i) => (i === 0 ? undefined : roleOf(heading)));
      return rows.flatMap((row): Topic[] => {
        const cell = (role: Role) => cutLine(roles.includes(role) ? textAt(row, roles.indexOf(role)) : "", 300);
        const name = cutLine(textAt(row, 0), 120);
        const cells = { confidence: cell("confidence"), volatility: cell("volatility"), wording: cell("wording") };
        return name === "" ? [] : [{ name, ...cells }];
      });
    });
  return [...new Map(topics.map((topic) => [topic.name, topic])).values()].slice(0, maxTopics);
}

/** The content of a column in such a table. */
type Role = "confidence" | "volatility" | "wording";

const roles: readonly [Role, RegExp][] = [
  ["wording", new RegExp(wordsOf("tables.recheck"), "iu")],
  ["confidence", new RegExp(wordsOf("tables.confidence"), "iu")],
  ["volatility", new RegExp(wordsOf("tables.volatility"), "iu")],
];

export function roleOf(heading: string): Role | undefined {
  return roles.find(([, pattern]) => pattern.test(heading))?.[0];
}

export function isRecheckHeader(header: readonly string[]): boolean {
  const found = header.slice(1).map(roleOf);
  return found.includes("wording") || (found.includes("confidence") && found.includes("volatility"));
}

/**
 * The columns of an extracted header line: `Topic Confidence Volatility Recheck trigger`. The first and the last may
 * have several words.
 */
export function topicColumns(line: string): string[] | undefined {
  const words = line.split(" ");
  const first = words.findIndex((word, i) => i > 0 && roleOf(word) !== undefined);
  if (first < 1) return undefined;
  const middle: string[] = [];
  let at = first;
  while (at < words.length && ["confidence", "volatility"].includes(roleOf(words[at] ?? "") ?? ""))
    middle.push(words[at++] ?? "");
  const last = words.slice(at).join(" ");
  if (middle.length === 0 || roleOf(last) !== "wording") return undefined;
  return [words.slice(0, first).join(" "), ...middle, last];
}
