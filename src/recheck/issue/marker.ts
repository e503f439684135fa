import { digest } from "../../model/digest.ts";
import type { Firing } from "../../model/firing.ts";
import { cell, lengthOnGitHub, words } from "../../model/markdown.ts";
import { maxBodyCharacters, type Part } from "./layout.ts";

/** The hidden first line of the bot's section. */
export interface Mark {
  readonly marker: string;
  readonly trigger: string;
  /** Keys of the events that the section mentions. */
  readonly events: readonly string[];
  /** How many of these, from the first on, it called contrary; undefined where the line does not say. */
  readonly contrary?: number;
  /** The number of events that did not fit into `events`. */
  readonly more: number;
  /** Labels that were given with it: labels that people remove are not put back. */
  readonly labels?: readonly string[];
  /** Fingerprint of the evidence. */
  readonly evidence: string;
}

/**
 * The line that begins our section; contrary firings come first. No text in it can end the comment, or become a mention
 * or a link.
 */
export function beginLine(
  marker: string,
  trigger: string,
  firings: readonly Firing[],
  labels: readonly string[],
): string {
  const events = keysOf(firings);
  const mark: Mark = {
    marker,
    trigger,
    events,
    contrary: firings.slice(0, events.length).filter(({ weight }) => weight === "contrary").length,
    more: firings.length - events.length,
    labels,
    evidence: evidenceHash(firings),
  };
  return `${sectionBegin}${encoded(mark)} -->`;
}

/** Keys of the events of firings, as many as fit into a hidden line. */
function keysOf(firings: readonly Firing[]): string[] {
  const keys: string[] = [];
  let left = maxEventKeyCharacters;
  for (const { event } of firings) {
    left -= encoded(event.key).length + 1;
    if (left < 0) break;
    keys.push(event.key);
  }
  return keys;
}

/** The hidden line of a comment, which names the events that it tells of. */
export function tellsLine(firings: readonly Firing[]): string {
  return `<!-- recheck:tells ${encoded(keysOf(firings))} -->`;
}

const sectionBegin = "<!-- recheck:begin ";

export const sectionEnd = "<!-- recheck:end -->";

/**
 * Marks an issue of ours that we closed because it is no longer needed, so that the closing is not taken for people's
 * answer.
 */
export const endedMark = "<!-- recheck:ended -->";

/** Ends every section: tells people that whatever they write into it is lost. */
export const writtenOverNote = "What people write into this part is written over; above and below it, it stays.";

/** Characters of event keys in a hidden line, encoded; of further events only the number is given. */
const maxEventKeyCharacters = 3_000;

/** JSON in which every character but letters, digits, spaces, `._` and JSON's own signs is escaped. */
function encoded(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^A-Za-z0-9 ._{}[\]":,\\]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Fingerprint of firings and their evidence: it changes when either joins. */
export function evidenceHash(firings: readonly Firing[]): string {
  return digest(
    firings.map(({ event, weight, evidence }) => [
      event.key,
      weight,
      evidence.map(({ source, part, seen }) => [source, part, seen]),
    ]),
  );
}

/** The mark of an issue's body, if its first line is still there. */
export function markOf(body: string): Mark | undefined {
  const at = lineStart(body, sectionBegin, 0);
  if (at < 0) return undefined;
  const [line = ""] = body.slice(at + sectionBegin.length).split(/\r?\n/, 1);
  try {
    const mark = JSON.parse(line.replace(/(?<! ) *--> *$/, "")) as Partial<Mark>;
    const { marker = "", trigger = "", events = [], contrary, more = 0, labels, evidence = "" } = mark;
    if (![marker, trigger, ...events].every((one) => typeof one === "string")) return undefined;
    if (!Array.isArray(events) || !(labels === undefined || Array.isArray(labels))) return undefined;
    return { marker, trigger, events, contrary, more, labels, evidence };
  } catch {
    return undefined;
  }
}

/** Tells whether an issue was created with this marker. */
export function hasMarker(marker: string): (issue: { readonly body: string }) => boolean {
  return ({ body }) => body.includes(marker);
}

/** The line that begins the section of a pull request, which is found by the recheck's marker. */
export function answersMark(marker: string): string {
  return `${beginAnswers}${marker.replace(/[^A-Za-z0-9]/g, "")} -->`;
}

/** Begins the section of a pull request that holds answers. */
const beginAnswers = "<!-- recheck:answer ";

const sectionStarts = [sectionBegin, beginAnswers];

/**
 * Replaces the old section in an issue or a pull request. People's text around it stays, and so do their ticks in it.
 * `render` is told how many characters the section may have.
 */
export function withSection(body: string, render: (room: number) => string): string {
  const { before, section: old, after } = splitAtSection(body);
  const section = render(maxBodyCharacters - lengthOnGitHub(before) - lengthOnGitHub(after));
  return `${before}${withTicks(section, old)}${after}`;
}

/** Splits a body into people's own words and our section between them. Stray markers are ours, and are dropped. */
export function splitAtSection(body: string): {
  readonly before: string;
  readonly section: string;
  readonly after: string;
} {
  const from = sectionStarts.map((start) => lineStart(body, start, 0)).find((at) => at >= 0) ?? -1;
  const to = from < 0 ? -1 : lineStart(body, sectionEnd, from);
  if (from >= 0 && to >= 0) {
    return {
      before: body.slice(0, from),
      section: body.slice(from, to + sectionEnd.length),
      after: body.slice(to + sectionEnd.length),
    };
  }
  // Without both ends it is unknown which part is ours: all of it stays, below the new section.
  const kept = body
    .split("\n")
    .filter((line) => !sectionStarts.some((start) => line.startsWith(start)) && line.trim() !== sectionEnd)
    .join("\n");
  return { before: "", section: "", after: kept.trim() === "" ? "" : `\n\n${kept.trimStart()}` };
}

/** The hidden line of a section, which names the events that it tells of. */
export function firstLine(section: string): string {
  return section.split(/\r?\n/, 1)[0] ?? "";
}

/** The index of the first line that begins with this text, or -1. GitHub's editor ends lines with CR LF. */
function lineStart(body: string, text: string, from: number): number {
  for (let at = body.indexOf(text, from); at >= 0; at = body.indexOf(text, at + 1)) {
    if (at === 0 || body[at - 1] === "\n") return at;
  }
  return -1;
}

/** Carries over the questions that a person ticked off. A ticked order was carried out, and is emptied. */
function withTicks(section: string, old: string): string {
  const ticks = new Set(
    belowListHeading(old)
      .split(/\r?\n/)
      .filter((line) => /^- \[[xX]\] /.test(line) && !line.startsWith(order, 6))
      .map((line) => line.slice(6)),
  );
  const below = belowListHeading(section);
  const lines = below
    .split("\n")
    .map((line) => (line.startsWith("- [ ] ") && ticks.has(line.slice(6)) ? `- [x] ${line.slice(6)}` : line));
  return section.slice(0, section.length - below.length) + lines.join("\n");
}

/** Only below this heading do ticks count: above it is text of sources, which must not tick anything. */
const questions = "\n### To decide";

/** Lists of a pull request that people tick off. */
const leftToPeople = /\n### To (?:edit by hand|read again)\r?\n/;

function belowListHeading(section: string): string {
  const asked = section.lastIndexOf(questions);
  const at = asked >= 0 ? asked : section.search(leftToPeople);
  return at < 0 ? "" : section.slice(at);
}

/**
 * `- [ ] keep all ratings`. `id`: lower-case letters, digits, hyphens and spaces; `words`: Markdown of our own making.
 */
export function boxLine(id: string, words: string): string {
  return `- [ ] ${order}${id} -->${words}`;
}

/** Begins the hidden id of a box that orders something. */
const order = "<!-- recheck:do ";

/** The ids of the ticked boxes in our section. Text of sources is in fences and does not count. */
export function tickedBoxes(body: string): string[] {
  const ticked: string[] = [];
  let fence = "";
  for (const line of splitAtSection(body).section.split(/\r?\n/)) {
    const [marks = ""] = /^`{3,}/.exec(line) ?? [];
    if (fence) {
      if (marks.length >= fence.length && marks === line.trimEnd()) fence = "";
    } else if (marks) fence = marks;
    else {
      const [, tick = " ", id = ""] = shape.exec(line) ?? [];
      if (tick !== " ") ticked.push(id);
    }
  }
  return [...new Set(ticked)];
}

/** A box that a person ticks to have something done, identified by its hidden id rather than its words. */

const shape = /^[-*+] \[([ xX])\] <!-- recheck:do ([a-z0-9][a-z0-9 -]{0,4000}) -->/;

/** The ids of the boxes that are ticked after an edit, and were not before. */
export function newTicks(before: string, after: string): string[] {
  const old = new Set(tickedBoxes(before));
  return tickedBoxes(after).filter((id) => !old.has(id));
}

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
