import { randomBytes } from "node:crypto";
import type { Firing } from "../../model/firing.ts";
import { lengthOnGitHub } from "../../model/markdown.ts";
import type { StoredComment } from "../../model/ports/index.ts";
import { maxBodyCharacters } from "./layout.ts";

/** The hidden first line of the bot's section. */
export interface Mark {
  readonly marker: string;
  readonly trigger: string;
  /** Keys of the events that the section mentions. */
  readonly events: readonly string[];
  /** The number of first events that it called contrary; undefined if the line has no such number. */
  readonly contrary?: number;
  /** The number of events that did not fit into `events`. */
  readonly more: number;
  /** Labels that were set with it: labels that people remove are not set again. */
  readonly labels?: readonly string[];
}

/** A word that nobody can guess. */
export function newMarker(): string {
  return randomBytes(9).toString("hex");
}

/**
 * The line that begins our section; `firings` have the contrary ones first. Its text is escaped: it cannot end the
 * comment, or become a mention or a link.
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
  };
  return `${sectionBegin}${encodeJson(mark)} -->`;
}

/** The first event keys of the firings that fit into a hidden line. */
function keysOf(firings: readonly Firing[]): string[] {
  const keys: string[] = [];
  let left = maxEventKeyCharacters;
  for (const { event } of firings) {
    left -= encodeJson(event.key).length + 1;
    if (left < 0) break;
    keys.push(event.key);
  }
  return keys;
}

/** The hidden line of a comment, with the keys of its events; empty if they do not all fit. */
export function reportedLine(firings: readonly Firing[]): string {
  const keys = keysOf(firings);
  return keys.length < firings.length ? "" : `${reportBegin}${encodeJson(keys)} -->`;
}

/** A test for this comment, or for the last of the comments that report its events: another program may have written them. */
export function isReportedBy({ marker, body }: Pick<StoredComment, "marker" | "body">): (other: string) => boolean {
  const unreported = new Set(reportedIn(body));
  const hasEvents = unreported.size > 0;
  return (other) => {
    for (const key of reportedIn(other)) unreported.delete(key);
    return other.includes(marker) || (hasEvents && unreported.size === 0);
  };
}

/** The keys in the hidden line of a comment. */
function reportedIn(comment: string): readonly string[] {
  const keys = jsonAfter(comment, reportBegin);
  return Array.isArray(keys) ? keys : [];
}

const reportBegin = "<!-- recheck:tells ";

const sectionBegin = "<!-- recheck:begin ";

export const sectionEnd = "<!-- recheck:end -->";

/** Marks an issue that we closed because it is no longer needed, so that its closing does not count as an answer. */
export const endedMark = "<!-- recheck:ended -->";

/** Ends every section: text that people write into it is lost. */
export const writtenOverNote = "Recheck rewrites this section. Write above or below it.";

/** Most characters of encoded event keys in a hidden line; further events are counted. */
const maxEventKeyCharacters = 3_000;

/** JSON in which all characters except letters, digits, spaces, `._` and JSON's own signs are escaped. */
function encodeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^A-Za-z0-9 ._{}[\]":,\\]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The hidden first line of an issue's section, parsed; undefined if it is missing or damaged. */
export function markOf(body: string): Mark | undefined {
  const mark = jsonAfter(body, sectionBegin) as Partial<Mark> | null | undefined;
  const { marker = "", trigger = "", events = [], contrary, more = 0, labels } = mark ?? {};
  if (!mark || !Array.isArray(events) || !(labels === undefined || Array.isArray(labels))) return undefined;
  if (![marker, trigger, ...events].every((one) => typeof one === "string")) return undefined;
  return { marker, trigger, events, contrary, more, labels };
}

/** The JSON in the first hidden line that begins with this text; undefined if there is none, or if it is damaged. */
function jsonAfter(body: string, begin: string): unknown {
  const at = lineStart(body, begin, 0);
  if (at < 0) return undefined;
  const [line = ""] = body.slice(at + begin.length).split(/\r?\n/, 1);
  try {
    return JSON.parse(line.replace(/(?<! ) *--> *$/, ""));
  } catch {
    return undefined;
  }
}

/** A test whether a hidden line mentions a firing, and as contrary if it is. */
export function mentionsOf({ events, contrary = events.length }: Mark): (firing: Firing) => boolean {
  const places = new Map(events.map((key, place) => [key, place]));
  return ({ event, weight }) => {
    const place = places.get(event.key);
    return place !== undefined && (weight === "routine" || place < contrary);
  };
}

/** A test whether an issue was created with this marker. */
export function hasMarker(marker: string): (issue: { readonly body: string }) => boolean {
  return ({ body }) => body.includes(marker);
}

/** The line that begins the section of a pull request, with the recheck's marker. */
export function answersMark(marker: string): string {
  return `${beginAnswers}${marker.replace(/[^A-Za-z0-9]/g, "")} -->`;
}

/** Beginning of the section of a pull request with answers. */
const beginAnswers = "<!-- recheck:answer ";

const sectionStarts = [sectionBegin, beginAnswers];

/**
 * Replaces the old section in an issue or a pull request. People's text around it and their ticks in it are kept.
 * `render` gets the number of characters that the section may have.
 */
export function withSection(body: string, render: (room: number) => string): string {
  const { before, section: old, after } = splitAtSection(body);
  const section = render(maxBodyCharacters - lengthOnGitHub(before) - lengthOnGitHub(after));
  return `${before}${withTicks(section, old)}${after}`;
}

/** Splits a body into our section and the text around it. Stray markers of ours are dropped. */
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
  // Without both ends it is unknown which part is ours: everything is kept, below the new section.
  const kept = body
    .split("\n")
    .filter((line) => !sectionStarts.some((start) => line.startsWith(start)) && line.trim() !== sectionEnd)
    .join("\n");
  return { before: "", section: "", after: kept.trim() === "" ? "" : `\n\n${kept.trimStart()}` };
}

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

/** Keeps the ticks of questions. Boxes with a command were carried out, so their ticks are removed. */
function withTicks(section: string, old: string): string {
  const ticks = new Set(
    linesOutsideFences(old).flatMap(({ line }) =>
      /^- \[[xX]\] /.test(line) && !line.startsWith(order, 6) ? [line.slice(6)] : [],
    ),
  );
  if (ticks.size === 0) return section;
  const lines = section.split("\n");
  for (const { line, index } of linesOutsideFences(section)) {
    if (line.startsWith("- [ ] ") && ticks.has(line.slice(6))) lines[index] = `- [x] ${line.slice(6)}`;
  }
  return lines.join("\n");
}

function linesOutsideFences(section: string): { readonly line: string; readonly index: number }[] {
  let fence = "";
  return section.split(/\r?\n/).flatMap((line, index) => {
    const [marks = ""] = /^`{3,}/.exec(line) ?? [];
    const isOutside = fence === "" && marks === "";
    if (fence === "") fence = marks;
    else if (marks.length >= fence.length && marks === line.trimEnd()) fence = "";
    return isOutside ? [{ line, index }] : [];
  });
}

/** `- [ ] keep all ratings`. `id`: lower-case letters, digits, hyphens and spaces; `words`: Markdown of our own making. */
export function boxLine(id: string, words: string): string {
  return `- [ ] ${order}${id} -->${words}`;
}

/** Beginning of the hidden id of a box that gives a command. */
const order = "<!-- recheck:do ";

export function tickedBoxes(body: string): string[] {
  const ticked = linesOutsideFences(splitAtSection(body).section).flatMap(({ line }) => {
    const [, tick = " ", id = ""] = orderBox.exec(line) ?? [];
    return tick === " " ? [] : [id];
  });
  return [...new Set(ticked)];
}

/** A box that a person ticks as a command, with its hidden id. */
const orderBox = /^[-*+] \[([ xX])\] <!-- recheck:do ([a-z0-9][a-z0-9 -]{0,4000}) -->/;

export function newTicks(before: string, after: string): string[] {
  const old = new Set(tickedBoxes(before));
  return tickedBoxes(after).filter((id) => !old.has(id));
}
