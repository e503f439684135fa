import type { ReportPart, ReportTable, ReportText } from "../parse/report-text.ts";
import { textAt } from "./grid.ts";
import { isBlank, isLevelKey, levelIn, type WrittenLevel } from "./levels.ts";

/** Words or marks with their meaning, in the report's order. */
export type Legend = readonly { readonly key: string; readonly meaning: string }[];

const legendTitle =
  /\b(?:legend|key|symbols?|meanings?|rating|ratings|scale|levels?|status(?:es)?|stages?|icons?|colou?rs?|explanation)\b/i;
const maxEntries = 12;

/** The legends of a report, from tables, lists and lines. */
export function legendsOf({ parts, tables }: ReportText): Legend[] {
  const found = [
    ...tables.flatMap((table) => legendInTable(table) ?? []),
    ...legendsInLists(parts),
    ...parts.flatMap(legendInLine),
  ];
  return found.filter((legend) => legend.length >= 2 && legend.length <= maxEntries);
}

/** A table of two or three columns whose first column is a level, and whose last explains it. */
function legendInTable({ columns, rows, path }: ReportTable): [Legend] | undefined {
  if (columns.length < 2 || columns.length > 3 || rows.length < 2 || rows.length > maxEntries) return undefined;
  const entries = rows.flatMap((row) => {
    const level = levelIn(textAt(row, 0));
    return level && level.beside === undefined ? [entryOf(level, textAt(row, columns.length - 1))] : [];
  });
  if (entries.length < rows.length || new Set(entries.map(({ key }) => key)).size < entries.length) return undefined;
  const prose = entries.filter(({ meaning }) => meaning.length > 12 && !isLevelKey(levelIn(meaning)?.key ?? "")).length;
  const named = legendTitle.test(columns[0] ?? "") || legendTitle.test(path.at(-1) ?? "");
  return prose >= 0.6 * entries.length && isLegend(entries, named) ? [entries] : undefined;
}

/** Consecutive items or lines that begin with a level and explain it. */
function legendsInLists(parts: readonly ReportPart[]): Legend[] {
  const legends: Legend[] = [];
  let entries: { key: string; meaning: string }[] = [];
  let before = "";
  let linesBefore = 0;
  let lead = "";
  const end = () => {
    const distinct = new Set(entries.map(({ key }) => key)).size === entries.length;
    if (distinct && isLegend(entries, legendTitle.test(lead))) legends.push(entries);
    entries = [];
  };
  for (const { kind, text, path } of parts) {
    // A paragraph of several lines is a list by itself.
    if (kind === "text" && linesBefore >= 2) end();
    linesBefore = 0;
    const lines = kind === "item" || kind === "text" ? text.split("\n") : [""];
    for (const line of lines) {
      const entry = kind === "row" ? undefined : explanationIn(line);
      if (entry && entries.length === 0) lead = `${before.slice(-200)} ${path.at(-1) ?? ""}`;
      if (entry) entries.push(entry);
      else end();
      if (entry) linesBefore++;
      before = line;
    }
  }
  end();
  return legends;
}

/** `✅ works`, `Partial: some of it works`, `GAP - nothing does`. */
function explanationIn(line: string): { key: string; meaning: string } | undefined {
  const level = line.length > 400 ? undefined : levelIn(line);
  const [, meant = "", short = ""] = /^(\p{L}{3,30})(?: \p{L}{2,30})? \((\p{Lu}{1,2})\)\s\S/u.exec(line) ?? [];
  const letter = meant.toUpperCase().startsWith(short) ? levelIn(short) : undefined;
  if (letter && short !== "") return entryOf(letter, meant);
  if (!level) return undefined;
  const rest = line.slice(0, 400);
  const isMark = !/[\p{L}\p{N}]/u.test(level.key);
  const [, meaning] = isMark
    ? (/^\S+\s*(?:[:=–—-]+\s*)?(\S.*)$/u.exec(rest) ?? [])
    : (/^.{1,32}?\s*(?::|=|\s[–—-]+)\s+(\S.*)$/u.exec(rest) ?? []);
  return meaning === undefined || (!isMark && level.beside !== undefined) ? undefined : entryOf(level, meaning);
}

/** `Legend: ✅ yes, ⚠ partly, ❌ no` */
function legendInLine({ kind, text }: ReportPart): Legend[] {
  if (kind === "row" || kind === "heading" || text.length > 600) return [];
  const short = abbreviations(text);
  if (short) return [short];
  const marks = [...text.matchAll(/(?:(?![©®™ℹ])\p{Extended_Pictographic}|[✓✔✗✘✕☒☑●○◐◑])\ufe0f?/gu)];
  if (marks.length < 2 || marks.length > maxEntries) return [];
  const entries = marks.flatMap((mark, i) => {
    const until = marks[i + 1]?.index ?? text.length;
    const meaning = text.slice(mark.index + mark[0].length, until).replace(/^[\s:=–—-]+|[\s,;|/·•(]+$/g, "");
    const level = levelIn(mark[0]);
    return level && meaning !== "" ? [entryOf(level, meaning)] : [];
  });
  const distinct = new Set(entries.map(({ key }) => key)).size === entries.length;
  return distinct && entries.length === marks.length && isLegend(entries, legendTitle.test(text.slice(0, 40)))
    ? [entries]
    : [];
}

/** Abbreviations: `H = high, M: medium, L – low`, `Y stands for yes`. */
function abbreviations(text: string): Legend | undefined {
  const matches = [
    ...text.matchAll(
      /(?<![\p{L}\p{N}])([\p{L}+-]{1,3}(?=\s?[=:–])|\p{Lu}(?= [sm]))(\s?[=:–]\s?|\s(?:stands for|means)\s)([\p{L}][\p{L} -]{1,30})(?=\s?[,;.)(|]|$)/gu,
    ),
  ];
  const entries = matches.flatMap(([, key = "", joint = "", meaning = ""]) => {
    const level = levelIn(key);
    const isSaid = /\p{L}/u.test(joint);
    return level && (isSaid || isBlank(meaning) || isLevelKey(levelIn(meaning)?.key ?? ""))
      ? [entryOf(level, meaning)]
      : [];
  });
  const levels = entries.filter(({ meaning }) => isLevelKey(levelIn(meaning)?.key ?? ""));
  return levels.length >= 2 && entries.length === matches.length ? entries : undefined;
}

function entryOf({ key }: WrittenLevel, meaning: string): { key: string; meaning: string } {
  return { key, meaning: meaning.replace(/\n/g, " ").slice(0, 300) };
}

/** Is this list a legend? It is if it is called so, or if two of its words are levels. */
function isLegend(entries: Legend, named: boolean): boolean {
  const known = entries.filter(({ key }) => isLevelKey(key)).length;
  const marks = entries.filter(({ key }) => !/[\p{L}\p{N}]/u.test(key)).length;
  const isOfMarks = marks === entries.length && (named || (known >= 1 && entries.length >= 3));
  return entries.length >= 2 && (known >= 2 || (named && known >= 1) || isOfMarks);
}
