import { cell, words } from "../../model/markdown.ts";
import type { Part } from "./clip.ts";
import { splitAtSection } from "./marker.ts";

/**
 * The reproducibility record: a table with empty values that people fill in; undefined where the report asks for none.
 * It is written once, when the issue is created, below our section, so that people's entries stay. `isKept`: the
 * entries go along with the answers.
 */
export function recordTable(fields: readonly string[], isKept = false): string | undefined {
  if (fields.length === 0) return undefined;
  return [
    recordBegin,
    "<details><summary>Reproducibility record: fill in what you ran</summary>",
    "",
    "| field | value |",
    "|---|---|",
    ...fields.map((field) => `| ${nameOf(field)} | |`),
    "",
    `Edit this issue's description to fill it in. ${isKept ? kept : "It stays here."}`,
    "",
    "</details>",
  ].join("\n");
}

const recordBegin = "<!-- recheck:record -->";

const kept =
  "It is kept with the answers, in their pull request. What is filled in once that is merged stays here alone.";

/** Characters of an entry that are taken from the table, at most. */
const maxValueCharacters = 1_000;

/** People's entries by field, in the order of `fields`: their words in one line each, cut to 1,000 characters. */
export function filledInRecord(body: string, fields: readonly string[]): ReadonlyMap<string, string> {
  const { before, after } = splitAtSection(body);
  const filled = new Map<string, string>();
  for (const line of `${before}\n${after}`.split(/\r?\n/)) {
    const [, name, ...values] = cellsOf(line);
    const value = (values.at(-1) === "" ? values.slice(0, -1) : values).join(" | ").slice(0, maxValueCharacters);
    if (name !== undefined && value !== "" && !filled.has(name)) filled.set(name, value);
  }
  return new Map(
    fields.flatMap((field): [string, string][] => {
      const value = filled.get(nameOf(field)) ?? filled.get(field);
      return value === undefined ? [] : [[field, value.replaceAll("\\|", "|")]];
    }),
  );
}

/** People's entries as a part of the pull request that holds their answers; edits of it there have no effect. */
export function recordPart(record: ReadonlyMap<string, string>): Part {
  return {
    head: ["### What was run", "", "| field | value |", "|---|---|"],
    entries: [...record].map(([field, value]) => `| ${nameOf(field)} | ${cell(words(value, maxValueCharacters))} |`),
    between: "\n",
    least: 0,
    one: "field of the record",
    many: "fields of the record",
  };
}

function nameOf(field: string): string {
  return cell(words(field, 80));
}

/** The cells of a table's row as written; a bar after a backslash separates none. Empty where the line is not a row. */
function cellsOf(line: string): string[] {
  const row = line.trim().slice(0, 10_000);
  if (!row.startsWith("|")) return [];
  const cells = [""];
  for (let at = 0; at < row.length; at++) {
    const character = row[at] ?? "";
    const last = cells.length - 1;
    if (character === "|") cells.push("");
    else if (character === "\\" && at + 1 < row.length) cells[last] += character + row[++at];
    else cells[last] += character;
  }
  return cells.map((text) => text.trim());
}
