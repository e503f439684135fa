import { anyOf, matches, phrasesOf, wordsOf } from "../../language/lexicon.ts";
import { wordSet } from "../../model/cache.ts";
import { cutLine } from "../../model/markdown.ts";
import type { ReportLink, ReportPart, ReportTable, ReportText } from "../parse/report-text.ts";
import { textAt, wordColumn } from "./grid.ts";
import { type Legend, legendKeys } from "./legend.ts";
import {
  heightOf,
  isLevelKey,
  isMarkKey,
  levelIn,
  makerWords,
  markAtEnd,
  plainAnswers,
  scaleOfMost,
  scalesOf,
  type WrittenLevel,
} from "./levels.ts";
import type { RatedCell, RatedPlace } from "./rated-tables.ts";
import { rowNames } from "./row-names.ts";
import { shortName } from "./words.ts";

/** Ratings outside tables: from headings, list items, status lines or front matter. */
export function ratingsInText(report: ReportText, legends: readonly Legend[]): RatedPlace[] {
  const ways = [
    ratingsByHeadings(report),
    ratingsByItems(report, legends),
    ratingsByFields(report, legends),
    ratingByStatus(report),
  ];
  return ways.find((places) => places.length > 0) ?? [];
}

/** A thing and its level. */
export interface NamedPart {
  readonly name: string;
  readonly links: readonly ReportLink[];
  readonly rating: WrittenLevel;
}

/** Levels of the support scale that may head a list of things. Other levels may head anything. */
const shelfLevels = phrasesOf("levels.shelf");
/** One of these must be among the headings: *planned*, *in progress* and *done* alone are a work plan. */
const anchorLevels = phrasesOf("levels.anchor");
/** Scales whose levels may be section headings (`## Adopt`). */
const headingScales = wordSet("support ring quality incubation growth medal stage phase tier");

/** Headings such as `## Adopt`, with things as list items, table rows or headings below them. */
function ratingsByHeadings({ parts, tables }: ReportText): RatedPlace[] {
  const levels = new Map<string, WrittenLevel>();
  for (const { kind, text, path } of parts) {
    const isShelf = kind === "heading" && text.length <= 80 && !path.some((heading) => isUnrated(heading));
    const rating = isShelf ? headingLevel(text) : undefined;
    if (rating) levels.set(text, rating);
  }
  const scale = scaleOfMost([...levels.values()].map(({ key }) => key));
  if (scale === undefined || !headingScales.has(scale)) return [];
  const above = (path: readonly string[]) => path.findLast((heading) => levels.has(heading));
  const below = parts.filter(
    (part) => (isOuterItem(part) || part.kind === "heading") && above(part.path) !== undefined,
  );
  const called = Map.groupBy(below, itemName);
  /** Whether an item is repeated below a level: then it describes several things. */
  const isRepeated = (item: ReportPart) => (called.get(itemName(item))?.filter(isOuterItem).length ?? 0) > 1;
  const things = below.filter(
    isThing(below, (part) => {
      return new Set(called.get(itemName(part))?.map(({ path }) => above(path))).size > 1;
    }),
  );
  const rated = [...levels].flatMap(([heading, rating]): WholeNamed[] => {
    if (heightOf(rating.key, scale) === undefined || (scale === "support" && !shelfLevels.has(rating.key))) return [];
    const listed = namesInRows(tables.filter(({ path }) => above(path) === heading));
    const thingsBelow = things.filter(({ path }) => above(path) === heading);
    // Beside a table of things, list items describe the level.
    const names = listed.length > 0 ? listed : namesInParts(thingsBelow, isRepeated);
    return names.map((one) => ({ ...one, rating }));
  });
  const fields = new Set(rated.map(({ rating }) => rating.key));
  if (scale === "support" && !rated.some(({ rating }) => anchorLevels.has(rating.key))) return [];
  const isSteps =
    (scale === "stage" || scale === "phase") &&
    rated.filter(({ links }) => links.length > 0).length < mostly * rated.length;
  const isProse = rated.filter(({ name, links }) => links.length === 0 && /^\S+(?: \S+){3}/.test(name)).length;
  return fields.size < 2 || rated.length < 3 || isSteps || isProse >= 0.5 * rated.length
    ? []
    : [singleRatings(scale, withDistinctNames(rated))];
}

/**
 * A test for things, as opposed to criteria of a level, which are repeated below several levels. `isShared`: whether
 * the same name is below another level.
 */
function isThing(parts: readonly ReportPart[], isShared: (part: ReportPart) => boolean): (part: ReportPart) => boolean {
  const lists = Map.groupBy(parts.filter(isOuterItem), listOf);
  const asked = [...lists].filter(([, items]) => items.filter(isShared).length >= mostly * items.length);
  const criteria = new Set(asked.map(([list]) => list));
  return (part) => (part.kind === "heading" ? !isShared(part) : part.links.length > 0 || !criteria.has(listOf(part)));
}

function listOf({ path }: ReportPart): string {
  return JSON.stringify(path);
}

/** A thing with its short name and its full one: `Linux (musl)`. */
interface WholeNamed extends NamedPart {
  readonly whole: string;
}

/** Uses full names for things whose short name has several levels. */
function withDistinctNames(found: readonly WholeNamed[]): NamedPart[] {
  const called = Map.groupBy(found, ({ name }) => name);
  const isOne = ({ name, rating }: WholeNamed) =>
    called.get(name)?.every((other) => other.rating.key === rating.key) ?? true;
  return found.map((one) => (isOne(one) ? one : { ...one, name: one.whole }));
}

/** Headings of sections without ratings: sponsors, changes, criteria. */
const isUnrated = matches(`${wordsOf("tables.unrated")}|^\\[?v?\\d+\\.\\d+`);

const mostly = 0.6;

function headingLevel(text: string): WrittenLevel | undefined {
  const stage = /^(?:stage|phase|tier) \d{1,2}(?:\.\d{1,2})?\b/i.exec(text)?.[0];
  if (stage) return { key: stage.toLowerCase(), shown: stage };
  const level = wordLevel(text);
  // `Recommended: from source` heads an explanation; `Stable`, and `Adopt — in use`, head a list.
  const isRing = level !== undefined && scalesOf(level.key).includes("ring");
  return isRing || !/\p{L}\s*(?::\s|\s[–—-]\s)/u.test(text) ? level : undefined;
}

/** The level of a word, or of the word next to a mark: `✅ Accepted`. */
function wordLevel(text: string): WrittenLevel | undefined {
  const rating = levelIn(text);
  const beside = rating?.beside === undefined || !isMarkKey(rating.key) ? undefined : levelIn(rating.beside);
  const named = beside && isLevelKey(beside.key) ? beside : rating;
  return named && isLevelKey(named.key) ? named : undefined;
}

function namesInRows(tables: readonly ReportTable[]): Omit<WholeNamed, "rating">[] {
  return tables.flatMap(({ columns, rows, ...table }) => {
    const nameColumn = wordColumn({ ...table, columns, rows });
    const column = {
      ...table,
      columns: columns.slice(nameColumn, nameColumn + 1),
      rows: rows.map((row) => row.slice(nameColumn, nameColumn + 1)),
    };
    const names = rowNames(column, [...rows.keys()], [1]);
    return [...(names?.of ?? [])].map(([row, name]) => {
      const cells = rows[row]?.slice(0, nameColumn + 1) ?? [];
      const whole = cutLine(textAt(cells, nameColumn).split("\n")[0] ?? name, 80);
      return { name, whole, links: cells.flatMap(({ links }) => links) };
    });
  });
}

/** Names from the outermost list items; or from the headings if those have few items each, or mostly repeated ones. */
function namesInParts(
  parts: readonly ReportPart[],
  isRepeated: (item: ReportPart) => boolean,
): Omit<WholeNamed, "rating">[] {
  const items = parts.filter(isOuterItem);
  const headings = parts.filter(({ kind }) => kind === "heading");
  const isBelow = items.length < 2 * headings.length || items.filter(isRepeated).length >= mostly * items.length;
  const chosen = headings.length > 0 && isBelow ? headings : items;
  return chosen.flatMap((part) => {
    const whole = wholeName(part);
    return whole === "" ? [] : [{ name: shortName(whole), whole, links: part.links.slice(0, 1) }];
  });
}

function isOuterItem({ kind, depth }: ReportPart): boolean {
  return kind === "item" && depth === 1;
}

function itemName(part: ReportPart): string {
  return shortName(wholeName(part));
}

/** The name of an item: its first link, or the words before its explanation. */
function wholeName({ text, links, kind }: ReportPart): string {
  const [line = ""] = text.split("\n");
  const first = links[0]?.text ?? "";
  if (kind === "heading") return line;
  if (first !== "" && line.startsWith(first)) return first;
  const [lead = ""] = line.split(/(?<!\s)\s+[–—-]+\s+|:\s|\.\s/);
  return lead.length <= 60 ? lead : "";
}

export function singleRatings(scale: string, named: readonly NamedPart[]): RatedPlace {
  const cells = named.map(({ name, rating, links }): RatedCell => ({ row: name, column: "level", rating, links }));
  return { scale, path: [], axes: ["subject", "area"], alone: true, cells };
}

/**
 * Lists, or headings of one level, in which most entries have a level: `- Thing: Adopt`, `- 🟢 Thing`, `### Thing
 * (Trial)`.
 */
function ratingsByItems({ parts }: ReportText, legends: readonly Legend[]): RatedPlace[] {
  const outer = parts.filter(({ kind, depth }) => kind === "heading" || (kind === "item" && depth === 1));
  const inner = parts.filter(({ kind, depth = 0 }) => kind === "item" && depth > 1);
  const found = itemsOf(outer, legends);
  return found.length > 0 ? found : itemsOf(inner, legends);
}

/** Two things may share a name. If more do, they are attributes: `Status: stable`. */
const mostlyDistinct = 0.95;

function itemsOf(parts: readonly ReportPart[], legends: readonly Legend[]): RatedPlace[] {
  const explained = legendKeys(legends);
  const lists = Map.groupBy(parts, ({ path, kind, depth, level = 0 }) =>
    kind === "heading" ? String(level) : JSON.stringify([path, depth]),
  );
  const rated = [...lists.values()].flatMap((items) => {
    const ratings = items.flatMap((item) => itemLevel(item, explained) ?? []);
    const meanings = new Set(legends.flat().map(({ key, meaning }) => JSON.stringify([key, shortName(meaning)])));
    const isLegend = ratings.every(({ name, rating }) => meanings.has(JSON.stringify([rating.key, name])));
    return ratings.length >= mostly * items.length && !isLegend ? ratings : [];
  });
  const scale = scaleOfMost(rated.map(({ rating }) => rating.key)) ?? "legend";
  const onScale = rated.filter(({ rating: { key } }) =>
    scale === "legend" ? explained.has(key) : heightOf(key, scale) !== undefined,
  );
  const levels = new Set(onScale.map(({ rating }) => rating.key));
  const names = new Set(onScale.map(({ name }) => name));
  const isRepeated = names.size < mostlyDistinct * onScale.length;
  if (onScale.length < 4 || levels.size < 2 || isRepeated || names.size < levels.size) return [];
  const isMarked = onScale.every(({ rating }) => isMarkKey(rating.key));
  // With few things for each mark, it is a legend.
  if (isMarked && names.size < 1.5 * levels.size) return [];
  // Ticks before list items are a to-do list; coloured marks and stars rate.
  const colours = /^(?:🔴|🟠|🟡|🟢|🟥|🟧|🟨|🟩|⚠)$/u;
  const isSaid = onScale.every(
    ({ rating }) =>
      /\p{L}/u.test(rating.key) || explained.has(rating.key) || colours.test(rating.key) || /^[★⭐]/u.test(rating.key),
  );
  const isOther = [makerWords, progressWords].some((words) => [...levels].every((key) => words.has(key)));
  const isYesNo = [...levels].every((key) => plainAnswers.has(key) || key === "none" || key === "never");
  return isSaid && !isYesNo && !isOther ? [singleRatings(scale, onScale)] : [];
}

const progressWords = phrasesOf("levels.plan");

function itemLevel(item: ReportPart, explained: ReadonlySet<string>): NamedPart | undefined {
  const [line = ""] = item.text.split("\n");
  // A checkbox before an item belongs to a to-do list.
  if (line.length > 300 || /^\[[ xX]\]/.test(line)) return undefined;
  const links = item.links.slice(0, 1);
  const after = markAtEnd(line);
  const first = after && explained.has(after.key) ? after : levelIn(line);
  if (first && isMarkKey(first.key) && (isLevelKey(first.key) || explained.has(first.key)) && first.beside) {
    const name = shortName(first.beside);
    return name.length <= 60 ? { name, rating: first, links } : undefined;
  }
  const [, lead = "", rest = ""] =
    /^(.{1,80}?)(?:\s*:\s+|\s+[–—-]+\s+|\s+[([](?=[^()[\]]{1,28}[)\]]\s*$))(.{1,200})$/.exec(line) ?? [];
  const rating = levelIn(rest.replace(/[)\]]\s*$/, ""));
  const whole =
    rating && isLevelKey(rating.key) && (rating.key.length >= 0.5 * rest.length || /^\S+\s*[.,;(–—-]/.test(rest));
  const name = shortName(lead);
  return rating && whole && name !== "" ? { name, rating, links } : undefined;
}

const fieldName = `(?:${anyOf("tables.current")} )?(${anyOf("tables.field")})`;
const field = new RegExp(`^(?:[-*•]\\s*)?${fieldName}\\s*(?::|=|\\s[–—-]\\s)\\s*(\\S.{0,200})$`, "i");
const fieldHeading = new RegExp(`^${fieldName}$`, "i");

/** Lines such as `Status: Trial` below the name of each thing. */
function ratingsByFields({ parts }: ReportText, legends: readonly Legend[]): RatedPlace[] {
  const explained = legendKeys(legends);
  const inLines = parts.flatMap(({ kind, text, path, depth = 0, cells = [] }, i): (NamedPart & { field: string })[] => {
    const item =
      depth < 2 ? undefined : parts.slice(Math.max(0, i - 30), i).findLast((one) => (one.depth ?? 9) < depth);
    const subject = item ? itemName(item) : shortName(path.at(-1) ?? "");
    const lines =
      cells.length === 2 ? [`${cells[0]?.text}: ${cells[1]?.text}`] : kind === "heading" ? [] : text.split("\n");
    return subject === ""
      ? []
      : lines.slice(0, 40).flatMap((line) => {
          const [, name = "", value = ""] = field.exec(line.slice(0, 300)) ?? [];
          const own = levelIn(value);
          const rating = wordLevel(value) ?? (own && explained.has(own.key) ? own : undefined);
          return rating ? [{ name: subject, field: name.toLowerCase(), rating, links: [] }] : [];
        });
  });
  const headings = inLines.concat(statusHeadings(parts));
  const [fieldName] =
    [...Map.groupBy(headings, (one) => one.field)].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const own = headings.filter((one) => one.field === fieldName);
  const scale = scaleOfMost(own.map(({ rating }) => rating.key));
  const isOnScale = (key: string) => scale !== undefined && heightOf(key, scale) !== undefined;
  const beside = legendKeys(legends.filter((legend) => legend.some(({ key }) => isOnScale(key))));
  const rated = own.filter(({ rating }) => beside.has(rating.key) || isOnScale(rating.key));
  const isSeveral = new Set(rated.map(({ name }) => name)).size === rated.length && rated.length >= 3;
  return scale !== undefined && isSeveral && new Set(rated.map(({ rating }) => rating.key)).size >= 2
    ? [singleRatings(scale, rated)]
    : [];
}

/** Headings `Status` with the level of their parent heading below. */
function statusHeadings(parts: readonly ReportPart[]): (NamedPart & { field: string })[] {
  return parts.flatMap((part, i) => {
    const next = parts[i + 1];
    if (part.kind !== "heading" || !next || next.kind === "heading" || !fieldHeading.test(part.text)) return [];
    const rating = wordLevel(next.text);
    const subject = shortName(part.path.at(-1) ?? "");
    return rating && subject !== "" ? [{ name: subject, field: part.text.toLowerCase(), rating, links: [] }] : [];
  });
}

/** Words for the progress of the text itself. */
const textStatuses = phrasesOf("levels.of-text");
const rings: ReadonlySet<string> = new Set(["ring", "decision", "stage", "phase"]);

/** A file about one decision, or one entry of a radar. */
function ratingByStatus(report: ReportText): RatedPlace[] {
  const status = statusOf(report);
  return status ? [singleRatings(status.scale, [status])] : [];
}

/** The status of a decision or radar entry: from its front matter, below a heading, or from its first lines. */
export function statusOf({ front, parts, title }: ReportText): (NamedPart & { readonly scale: string }) | undefined {
  const top = parts.find(({ kind, level }) => kind === "heading" && level === 1)?.text;
  const name = shortName(
    cutLine((front.get("title") ?? top ?? title ?? "").replace(/^(?:adr[- ]?)?\d{1,5}[.:)]?\s+/i, ""), 120),
  );
  const inFront = ["ring", "status", "stage", "maturity", "decision"].flatMap((key) => front.get(key) ?? []);
  const inHead = parts
    .slice(0, 12)
    .filter(({ kind, path }) => kind !== "heading" && path.length <= 1)
    .flatMap(({ text }) => text.split("\n").flatMap((line) => field.exec(line.slice(0, 300))?.[2] ?? []));
  const statuses = statusHeadings(parts);
  // A summary may hold the status if there is only one.
  const isOne = new Set(statuses.map(({ rating }) => rating.key)).size === 1;
  const below = statuses
    .filter(({ name: subject }) => isOne || subject === shortName(top ?? ""))
    .map(({ rating }) => rating.shown);
  for (const word of [...inFront, ...below, ...inHead]) {
    const rating = wordLevel(word);
    const scales = rating ? scalesOf(rating.key) : [];
    // *Adopted* may be a status of decisions or a ring of a radar.
    const isDecision = scales.includes("decision") && word !== front.get("ring");
    const scale = isDecision ? "decision" : scales.find((one) => rings.has(one));
    if (rating && scale !== undefined && name !== "" && !textStatuses.has(rating.key))
      return { name, rating, links: [], scale };
  }
  return undefined;
}
