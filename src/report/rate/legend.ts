import { anyOf, says } from "../../language/lexicon.ts";
import type { ReportPart, ReportTable, ReportText } from "../parse/report-text.ts";
import { textAt } from "./grid.ts";
import { isBlank, isLevelKey, isMarkKey, levelIn, markAtEnd, signIn, type WrittenLevel } from "./levels.ts";

/** Words or marks with their meaning, in the report's order. */
export type Legend = readonly { readonly key: string; readonly meaning: string }[];

const isLegendTitle = says("tables.legend");
const maxEntries = 12;
const maxLine = 600;

/** The words and marks that legends explain. */
export function legendKeys(legends: readonly Legend[]): Set<string> {
  return new Set(legends.flatMap((one) => one.map(({ key }) => key)));
}

/** Explanations of words or marks. `named`: the report calls it a legend. */
interface Explanation {
  readonly entries: Legend;
  readonly isNamed: boolean;
}

export function legendsOf({ parts, tables }: ReportText): Legend[] {
  const inUse = keysInUse(parts);
  const explanations = [
    ...tables.flatMap(explanationInTable),
    ...explanationsInLists(parts),
    ...parts.flatMap(explanationInLine),
  ];
  return [
    ...explanations.filter((one) => isExplaining(one, inUse)).map(({ entries }) => entries),
    ...parts.flatMap(abbreviations),
  ];
}

/** A word or mark in this many cells, or after this many items, is a level. */
const fewestUses = 3;

/** The words and marks that several cells begin with, or that several items end with. */
function keysInUse(parts: readonly ReportPart[]): Set<string> {
  const uses = parts.flatMap(({ kind, text, cells = [] }) => {
    const ends = kind === "item" ? [markAtEnd(text)] : cells.map((cell) => levelIn(cell.text));
    return ends.flatMap((level) => level?.key ?? []);
  });
  return new Set([...Map.groupBy(uses, (key) => key)].flatMap(([key, all]) => (all.length >= fewestUses ? key : [])));
}

/** A table of two or three columns whose first column is a level, and whose last explains it. */
function explanationInTable({ columns, rows, path }: ReportTable): Explanation[] {
  if (columns.length < 2 || columns.length > 3 || rows.length < 2 || rows.length > maxEntries) return [];
  const entries = rows.flatMap((row) => {
    const level = signIn(textAt(row, 0));
    return level && level.beside === undefined ? [entryOf(level, textAt(row, columns.length - 1))] : [];
  });
  if (entries.length < rows.length || !isDistinct(entries)) return [];
  const prose = entries.filter(({ meaning }) => meaning.length > 12 && !isLevelKey(levelIn(meaning)?.key ?? "")).length;
  const named = isLegendTitle(columns[0] ?? "") || isLegendTitle(path.at(-1) ?? "");
  // Letters that a table explains in few words may be abbreviations.
  const drawn = named ? entries.filter(({ key }) => isMarkKey(key)).length : 0;
  return Math.max(prose, drawn) >= 0.6 * entries.length ? [{ entries, isNamed: named }] : [];
}

function isDistinct(entries: Legend): boolean {
  return new Set(entries.map(({ key }) => key)).size === entries.length;
}

/** Consecutive items or lines that begin with a level and explain it. */
function explanationsInLists(parts: readonly ReportPart[]): Explanation[] {
  const explanations: Explanation[] = [];
  let entries: { key: string; meaning: string }[] = [];
  let before = "";
  let linesBefore = 0;
  let lead = "";
  const end = () => {
    if (isDistinct(entries)) explanations.push({ entries, isNamed: isLegendTitle(lead) });
    entries = [];
  };
  for (const { kind, text, path } of parts) {
    // A paragraph of several lines is a list of its own.
    if (kind === "text" && linesBefore >= 2) end();
    linesBefore = 0;
    const lines = kind === "item" || kind === "text" ? text.split("\n") : [""];
    for (const [i, line] of lines.entries()) {
      // `yes*: with limits` beside `yes: …` has the same level.
      if (entries.length > 0 && footnoted.test(line)) continue;
      const entry = kind === "row" ? undefined : explanationIn(line);
      // The sentence of an item goes on in its next line.
      if (kind === "item" && i > 0 && !isLevelKey(entry?.key ?? "")) continue;
      if (entry && entries.length === 0) lead = `${before.slice(-200)} ${path.at(-1) ?? ""}`;
      if (entry) entries.push(entry);
      else end();
      if (entry) linesBefore++;
      before = line;
    }
  }
  end();
  return explanations;
}

const footnoted = /^[^\s:]{1,30}[*†‡§](?=[\s:])/;

/** `✅ works`, `Partial: some of it works`, `GAP - nothing does`. */
function explanationIn(line: string): { key: string; meaning: string } | undefined {
  const mark = levelIn(line.split(" ", 1)[0] ?? "");
  const level = line.length > 400 ? undefined : mark && isMarkKey(mark.key) ? mark : levelIn(line);
  const [, meant = "", short = ""] = /^(\p{L}{3,30})(?: \p{L}{2,30})? \((\p{Lu}{1,2})\)\s\S/u.exec(line) ?? [];
  const letter = meant.toUpperCase().startsWith(short) ? levelIn(short) : undefined;
  if (letter && short !== "") return entryOf(letter, meant);
  if (!level) return undefined;
  const rest = line.slice(0, 400);
  const isMark = isMarkKey(level.key);
  const meaning = isMark
    ? rest.replace(/^(?::[\w+-]{1,40}:|[^\s\p{L}\p{N}]+)/u, "").replace(/^[\s:=–—-]+/, "")
    : (/^.{1,32}?\s*(?::|=|\s[–—-]+)\s+(\S.*)$/u.exec(rest)?.[1] ?? "");
  return meaning === "" || (!isMark && level.beside !== undefined) ? undefined : entryOf(level, meaning);
}

/** `Legend: ✅ yes, ⚠ partly, ❌ no` */
function explanationInLine({ kind, text }: ReportPart): Explanation[] {
  if (kind === "row" || kind === "heading" || text.length > maxLine) return [];
  const marks = [...text.matchAll(markAnywhere)];
  if (marks.length < 2 || marks.length > maxEntries) return [];
  const entries = marks.flatMap((mark, i) => {
    const until = marks[i + 1]?.index ?? text.length;
    const meaning = text
      .slice(mark.index + mark[0].length, until)
      .replace(/^[\s:=–—-]+|(?<![\s,;|/·•(])[\s,;|/·•(]+$/g, "");
    const level = levelIn(mark[0]);
    return level && meaning !== "" ? [entryOf(level, meaning)] : [];
  });
  return isDistinct(entries) && entries.length === marks.length
    ? [{ entries, isNamed: isLegendTitle(text.slice(0, 40)) }]
    : [];
}

const markAnywhere = /(?:(?![©®™ℹ])\p{Extended_Pictographic}|[✓✔✗✘✕☒☑●○◐◑]|:[a-z][a-z0-9_+-]{1,39}:)\ufe0f?/gu;

const meaning = "(\\p{L}[\\p{L} -]{1,30})(?=\\s?[,;.)(|]|$)";
const equation = new RegExp(`(?<![\\p{L}\\p{N}])([\\p{L}+-]{1,3})\\s?[=:–]\\s?${meaning}`, "gu");
const explanation = new RegExp(`(?<![\\p{L}\\p{N}])(\\p{Lu})\\s${anyOf("tables.means")}\\s${meaning}`, "gu");

/** Abbreviations: `H = high, M: medium, L – low`, `Y stands for yes`. */
function abbreviations({ kind, text }: ReportPart): Legend[] {
  if (kind === "row" || kind === "heading" || text.length > maxLine) return [];
  const signed = [...text.matchAll(equation)];
  const matches = [...signed, ...text.matchAll(explanation)];
  const entries = matches.flatMap((match, i) => {
    const [, key = "", meaning = ""] = match;
    const level = levelIn(key);
    return level && (i >= signed.length || isBlank(meaning) || isLevelKey(levelIn(meaning)?.key ?? ""))
      ? [entryOf(level, meaning)]
      : [];
  });
  const levels = entries.filter(({ meaning }) => isLevelKey(levelIn(meaning)?.key ?? ""));
  return levels.length >= 2 && entries.length === matches.length ? [entries] : [];
}

function entryOf({ key }: WrittenLevel, meaning: string): { key: string; meaning: string } {
  return { key, meaning: meaning.replace(/\n/g, " ").slice(0, 300) };
}

/**
 * Whether a list is a legend: two of its words are levels, it is called a legend, two of its marks are used, or all of
 * its words are.
 */
function isExplaining({ entries, isNamed }: Explanation, used: ReadonlySet<string>): boolean {
  if (entries.length < 2 || entries.length > maxEntries) return false;
  const count = entries.filter(({ key }) => isLevelKey(key)).length;
  const isOfMarks = entries.every(({ key }) => isMarkKey(key));
  const uses = entries.filter(({ key }) => used.has(key)).length;
  const isUsed = isOfMarks ? uses >= 2 : count >= 1 && uses === entries.length;
  return (
    count >= 2 || isUsed || (isNamed && count >= 1) || (isOfMarks && (isNamed || (count >= 1 && entries.length >= 3)))
  );
}
