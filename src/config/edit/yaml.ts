import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  parse,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Instant } from "../../model/model.ts";
import { day } from "../../model/words.ts";
import { comment, list, scalar } from "../draft/write.ts";
import { lineEnd, type Splice, spliced } from "./splice.ts";

/** An entry of `sources` that is to be written: its keys in their order. */
export interface NewSource {
  readonly id: string;
  readonly keys: readonly (readonly [name: string, value: string | readonly number[]])[];
  /** Stands above it, where the file has room for comments. */
  readonly comment?: string;
}

/**
 * Writes one more source at the end of `sources`, as the others there are written: as a block or in braces, indented and
 * quoted alike. Every other byte stays. It is read back: where anything else would mean something else, it is left. Pure.
 */
export function addSource(whole: string, source: NewSource): { text: string } | { says: string } {
  const mark = whole.startsWith("\ufeff") ? "\ufeff" : "";
  const text = whole.slice(mark.length);
  const before = readTree(text);
  const splice = before && spliceFor(text, before, source);
  if (!before || !splice) return { says: "`sources` is written in a way that cannot be edited in place" };
  const edited = spliced(text, [splice]);
  const after = readTree(edited);
  return after && holds(before, after, source)
    ? { text: mark + edited }
    : { says: "other entries hang on how `sources` is written" };
}

function spliceFor(text: string, root: Root, source: NewSource): Splice | undefined {
  if (!isMap(root.contents)) return undefined;
  const sources = valueAt(root.contents, "sources");
  if (isMap(sources) && sources.items.length > 0)
    return sources.flow ? inBraces(text, sources, source) : below(text, sources, source);
  if (root.contents.flow || isAlias(sources) || (sources && !isMap(sources) && !isEmpty(sources))) return undefined;
  return first(text, root.contents, source);
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

/** After the last entry, and after the comments that stand below it at its depth. */
function below(text: string, sources: YAMLMap, source: NewSource): Splice {
  const [start] = rangeOf(sources.items[0]?.key);
  const column = columnOf(text, start);
  const last = lastOf(sources);
  const at = afterComments(text, endOfLine(text, endOf(text, last.value ?? last.key)), column);
  const eol = lineEnd(text, start);
  const gap = isSpaced(text, sources) ? eol : "";
  const lines = linesOf(source, column, styleOf(text, sources)).join(eol);
  return { from: at, to: at, text: `${eol}${gap}${lines}` };
}

/** `sources` that is empty or missing. */
function first(text: string, root: YAMLMap, source: NewSource): Splice {
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === "sources");
  const eol = lineEnd(text);
  const lines = linesOf(source, 2, plainStyle).join(eol);
  if (!pair) {
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    return { from: text.length, to: text.length, text: `${gap}${eol}sources:${eol}${lines}${eol}` };
  }
  const [, key] = rangeOf(pair.key);
  const colon = text.indexOf(":", key) + 1;
  const [, end] = isMap(pair.value) ? rangeOf(pair.value) : [0, colon];
  const line = endOfLine(text, end);
  return { from: colon, to: line, text: `${text.slice(end, line)}${eol}${lines}` };
}

function inBraces(text: string, sources: YAMLMap, source: NewSource): Splice {
  const [start] = rangeOf(sources.items[0]?.key);
  const last = lastOf(sources);
  const [, at] = rangeOf(last.value ?? last.key);
  const own = text.slice(startOfLine(text, start), start);
  const entry = flowOf(source, styleOf(text, sources));
  if (own.trim() !== "") return { from: at, to: at, text: `, ${entry}` };
  // What is noted beside the last one stays beside it.
  const rest = text.slice(at, endOfLine(text, at));
  const [, comma, note] = /^(,?)([ \t]*(?:#.*)?)$/.exec(rest) ?? [rest, "", ""];
  const to = at + (comma + note).length;
  return { from: at, to, text: `,${note}${lineEnd(text, start)}${own}${entry}${comma}` };
}

function lastOf({ items }: YAMLMap): Pair<unknown, unknown> {
  const last = items.at(-1);
  if (!last) throw new Error("no entry to stand after");
  return last;
}

/** Where what a node says ends; a block's range may hold the empty lines and comments below it. */
function endOf(text: string, node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) {
    const last = lastOf(node);
    return endOf(
      text,
      isScalar(last.value) && last.value.range?.[0] === last.value.range?.[1] ? last.key : (last.value ?? last.key),
    );
  }
  const items = typeof node === "object" && node !== null && "items" in node && "flow" in node ? node : undefined;
  if (items && !items.flow && Array.isArray(items.items) && items.items.length > 0)
    return endOf(text, items.items.at(-1));
  const [from, to] = rangeOf(node);
  return from + text.slice(from, to).trimEnd().length;
}

/** Comments at this depth or deeper, with what is empty between them: they belong to what stands above. */
function afterComments(text: string, from: number, column: number): number {
  let at = from;
  for (let next = from; next < text.length; ) {
    const start = text.indexOf("\n", next) + 1;
    if (start === 0) break;
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    const deep = line.length - line.trimStart().length;
    if (line.trim() !== "" && (deep < column || line[deep] !== "#")) break;
    if (line.trim() !== "") at = end;
    if (text.indexOf("\n", end) < 0) break;
    next = end;
  }
  return at;
}

/** Whether most entries have an empty line above them, or above their comments. */
function isSpaced(text: string, { items }: YAMLMap): boolean {
  const others = items.slice(1);
  const spaced = others.filter(({ key }) => {
    let start = startOfLine(text, rangeOf(key)[0]);
    for (;;) {
      const above = text.slice(startOfLine(text, start - 1), Math.max(0, start - 1)).trim();
      if (start === 0 || !above.startsWith("#")) return above === "";
      start = startOfLine(text, start - 1);
    }
  });
  return spaced.length * 2 > others.length;
}

/** How the entries of a file are written. */
interface Style {
  readonly flow: boolean;
  /** How much deeper than its id the keys of an entry stand. */
  readonly step: number;
  /** Within braces: `{ a: b }` or `{a: b}`. */
  readonly pad: string;
  /** How values are quoted that need no quotes, by their key. */
  readonly quotes: ReadonlyMap<string, Scalar.Type>;
}

const plainStyle: Style = { flow: false, step: 2, pad: " ", quotes: new Map() };

function styleOf(text: string, sources: YAMLMap): Style {
  const entries = sources.items.flatMap(({ key, value }) => (isMap(value) ? [{ key, value }] : []));
  const flows = entries.filter(({ value }) => value.flow);
  const block = entries.findLast(({ value }) => !value.flow && value.items.length > 0);
  const step = block
    ? columnOf(text, rangeOf(block.value.items[0]?.key)[0]) - columnOf(text, rangeOf(block.key)[0])
    : 2;
  const [brace] = flows.length > 0 ? rangeOf(flows.at(-1)?.value) : [-1];
  const quotes = new Map<string, Scalar.Type>();
  for (const { value } of entries) {
    for (const pair of value.items) {
      const of = isScalar(pair.value) && typeof pair.value.value === "string" ? pair.value : undefined;
      if (!of || !isScalar(pair.key) || scalar(String(of.value)) !== of.value) continue;
      const key = /^https?:/.test(of.value) ? "address" : String(pair.key.value);
      if (of.type === Scalar.QUOTE_DOUBLE || of.type === Scalar.QUOTE_SINGLE) quotes.set(key, of.type);
      else quotes.delete(key);
    }
  }
  return {
    flow: flows.length * 2 > entries.length,
    step,
    pad: brace >= 0 && text[brace + 1] !== " " ? "" : " ",
    quotes,
  };
}

function linesOf(source: NewSource, column: number, style: Style): string[] {
  const indent = " ".repeat(column);
  const above = source.comment === undefined ? [] : [comment(source.comment, indent)];
  if (style.flow) return [...above, `${indent}${flowOf(source, style)}`];
  const inner = " ".repeat(column + style.step);
  return [
    ...above,
    `${indent}${source.id}:`,
    ...source.keys.map(([name, value]) => `${inner}${name}: ${spelt(name, value, style)}`),
  ];
}

function flowOf({ id, keys }: NewSource, style: Style): string {
  const pairs = keys.map(([name, value]) => `${name}: ${spelt(name, value, style)}`);
  return `${id}: {${style.pad}${pairs.join(", ")}${style.pad}}`;
}

function spelt(name: string, value: string | readonly number[], { quotes }: Style): string {
  if (typeof value !== "string") return list(value);
  const plain = scalar(value);
  const type = quotes.get(/^https?:/.test(value) ? "address" : name);
  if (type === Scalar.QUOTE_DOUBLE && !plain.startsWith('"')) return JSON.stringify(value);
  return type === Scalar.QUOTE_SINGLE && !/["\\]/.test(plain) ? `'${plain.replaceAll("'", "''")}'` : plain;
}

/** Aliases beyond these many are no config. */
const mostAliases = 10_000;

/** Whether the source is there now, and everything else is as it was. */
function holds(before: Root, after: Root, { id, keys }: NewSource): boolean {
  if (after.warnings.length > before.warnings.length) return false;
  const [old, now] = [plain(before), plain(after)];
  if (!old || !now || !isKeyed(now.sources)) return false;
  const { [id]: added, ...others } = now.sources;
  const was = isKeyed(old.sources) ? old.sources : {};
  const wanted = Object.fromEntries(keys);
  return (
    !(id in was) &&
    isDeepStrictEqual(added, wanted) &&
    isDeepStrictEqual({ ...now, sources: others }, { ...old, sources: was })
  );
}

function plain(root: Root): Record<string, unknown> | undefined {
  try {
    const value: unknown = root.toJS({ maxAliasCount: mostAliases });
    return isKeyed(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a review leaves in `sources.yaml`. */
export interface RatingEdit {
  readonly rating: string;
  /** The new level; undefined where it stays. */
  readonly level?: string;
  /** A later date that stands there already stays. */
  readonly reviewed: Instant;
}

/** `left`: what could not be edited in place, each with why. */
export interface SourcesEdited {
  readonly text: string;
  readonly left: readonly { readonly rating: string; readonly says: string }[];
}

/**
 * Writes reviews into the text of `sources.yaml`. Comments, order, quoting and line ends stay byte for byte, except
 * where a level or a date stands. Each edit is read back: one that would change anything else is left. Pure.
 */
export function editSources(text: string, edits: readonly RatingEdit[]): SourcesEdited {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  let edited = text.slice(mark.length);
  let open = edits;
  // What hung on another entry may stand alone once that one was edited.
  for (;;) {
    const left: { edit: RatingEdit; says: string }[] = [];
    for (const edit of open) {
      const result = editRating(edited, edit);
      if ("says" in result) left.push({ edit, says: result.says });
      else edited = result.text;
    }
    if (left.length === 0 || left.length === open.length) {
      return { text: mark + edited, left: left.map(({ edit, says }) => ({ rating: edit.rating, says })) };
    }
    open = left.map(({ edit }) => edit);
  }
}

function editRating(text: string, { rating, level, reviewed }: RatingEdit): { text: string } | { says: string } {
  const before = readTree(text);
  const at = before && ratingNode(before, rating);
  if (!before || !at) return { says: "it is not among the ratings of this file" };
  const review = { rating, level, date: day(reviewed) };
  const splices = splicesOf(text, before, at, review);
  if (!splices) return { says: "it is written in a way that cannot be edited in place" };
  const edited = spliced(text, splices);
  const after = edited === text ? before : readTree(edited);
  return after && sourcesHolds(before, after, review)
    ? { text: edited }
    : { says: "other entries, or a tag, hang on how it is written" };
}

/** Whether an edit did what it should, and nothing else. */
function sourcesHolds(
  before: Root,
  after: Root,
  review: { rating: string; level: string | undefined; date: string },
): boolean {
  const { rating, date } = review;
  const [old, now] = [sourcesPlain(before), sourcesPlain(after)];
  if (after.warnings.length > before.warnings.length) return false;
  if (!old || !now || levelIn(after, rating) !== (review.level ?? levelIn(before, rating))) return false;
  const [was, is] = [old.ratings[rating], now.ratings[rating]];
  const keys = sourcesIsKeyed(was) ? was : {};
  const later = typeof keys.reviewed === "string" && keys.reviewed > date ? keys.reviewed : date;
  if (!sourcesIsKeyed(is) || !isDeepStrictEqual(is, { ...keys, level: is.level, reviewed: later })) return false;
  return isDeepStrictEqual({ ...now, ratings: { ...now.ratings, [rating]: was } }, old);
}

interface Plain extends Record<string, unknown> {
  readonly ratings: Record<string, unknown>;
}

/** Aliases beyond these many are no config. */
const sourcesMostAliases = 10_000;

function sourcesPlain(root: Root): Plain | undefined {
  try {
    const value: unknown = root.toJS({ maxAliasCount: sourcesMostAliases });
    return sourcesIsKeyed(value) && sourcesIsKeyed(value.ratings) ? { ...value, ratings: value.ratings } : undefined;
  } catch {
    return undefined;
  }
}

function sourcesIsKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What to write of one rating. `level`: undefined where it stays; `date`: `2026-11-20`. */
export interface Review {
  readonly rating: string;
  readonly level: string | undefined;
  readonly date: string;
}

/** The pieces of text to put in place; undefined where the rating is written in a way that none fits. */
function splicesOf(text: string, root: Root, at: RatingNode, review: Review): Splice[] | undefined {
  const value = resolved(at.value, root);
  if (isMap(value)) return isAlias(at.value) ? undefined : inMap(text, root, value, review);
  return isScalar(value) ? [asMap(text, root, at, review)] : undefined;
}

function inMap(text: string, root: Root, map: YAMLMap, { rating, level, date }: Review): Splice[] | undefined {
  const before = valueAt(map, "level");
  if (!before) return undefined;
  const splices: Splice[] = [];
  if (level !== undefined && level !== levelIn(root, rating)) {
    splices.push(replaced(text, before, spell(level, resolved(before, root))));
  }
  const reviewed = valueAt(map, "reviewed");
  if (!reviewed) splices.push(addKey(text, map, before, `reviewed: ${date}`));
  else if (!isScalar(reviewed) || String(reviewed.value) < date) {
    splices.push(replaced(text, reviewed, spell(date, reviewed)));
  }
  return splices;
}

/** A level alone becomes a map, written as the other maps among the ratings are. */
function asMap(text: string, root: Root, { ratings, value }: RatingNode, { rating, level, date }: Review): Splice {
  const [from, to] = rangeOf(value);
  const old = text.slice(from, to);
  const kept = isScalar(value) && !old.includes("\n") ? old : spell(levelIn(root, rating) ?? "", resolved(value, root));
  const word = level === undefined || level === levelIn(root, rating) ? kept : spell(level, resolved(value, root));
  const tail = old.endsWith("\n") ? lineEnd(text, to - 1) : "";
  const maps = ratings.items.flatMap(({ value: other }) => (isMap(other) ? [other] : []));
  const flow = maps.find((map) => map.flow);
  const block = maps.find((map) => !map.flow);
  const colon = text.slice(0, from).trimEnd().length;
  const alone = text.slice(to, endOfLine(text, to)).trim() === "";
  if (block && !flow && !ratings.flow && alone && text[colon - 1] === ":") {
    const begin = `${lineEnd(text, to)}${" ".repeat(columnOf(text, rangeOf(block.items[0]?.key)[0]))}`;
    return { from: colon, to, text: `${begin}level: ${word}${begin}reviewed: ${date}${tail}` };
  }
  const pad = flow && !/^\{\s/.test(text.slice(rangeOf(flow)[0])) ? "" : " ";
  return { from, to, text: `{${pad}level: ${word}, reviewed: ${date}${pad}}${tail}` };
}

/** A condition of a trigger's file, by its list and its place in it. */
export interface ConditionPlace {
  readonly part: "on" | "also";
  readonly index: number;
}

type ConditionPlain = Record<string, unknown>;

/** Sets a key of one condition; `spelling` is YAML for `value`. Undefined where that cannot be done in place. */
export function setInCondition(
  text: string,
  place: ConditionPlace,
  key: string,
  value: unknown,
  spelling: string,
): string | undefined {
  const root = readTree(text);
  const map = root && listIn(root, place)?.items[place.index];
  if (!root || !isMap(map)) return undefined;
  const now = valueAt(map, key);
  const first = map.items[0]?.value;
  if (!now && !first) return undefined;
  const splice = now
    ? replaced(text, now, spelling)
    : addKey(text, map, first as Parameters<typeof addKey>[2], `${key}: ${spelling}`);
  return checked(text, root, splice, (plain) => {
    const list = plain[place.part] as ConditionPlain[];
    return { ...plain, [place.part]: list.map((one, i) => (i === place.index ? { ...one, [key]: value } : one)) };
  });
}

/** Takes one condition out; with the last of a list its key goes, too. Undefined where that cannot be done in place. */
export function removeCondition(text: string, place: ConditionPlace): string | undefined {
  const root = readTree(text);
  const list = root && listIn(root, place);
  const item = list?.items[place.index];
  if (!root || !list || list.flow || item === undefined) return undefined;
  const [start, end] = rangeOf(item);
  const only = list.items.length === 1;
  const from = only ? startOfKey(text, root, place.part) : startOfLine(text, start);
  const feed = text.indexOf("\n", start + text.slice(start, end).trimEnd().length);
  const splice = { from, to: feed < 0 ? text.length : feed + 1, text: "" };
  return checked(text, root, splice, (plain) => {
    const rest = (plain[place.part] as unknown[]).filter((_, i) => i !== place.index);
    const { [place.part]: _gone, ...others } = plain;
    return rest.length > 0 ? { ...plain, [place.part]: rest } : others;
  });
}

function startOfKey(text: string, root: Root, part: string): number {
  const pair = isMap(root.contents) ? root.contents.items.find(({ key }) => String(key) === part) : undefined;
  return startOfLine(text, rangeOf(pair?.key)[0]);
}

function listIn(root: Root, { part }: ConditionPlace): YAMLSeq | undefined {
  const list = valueAt(root.contents, part);
  return isSeq(list) ? list : undefined;
}

/** The edited text, if it says what was meant and nothing else has changed. */
function checked(
  text: string,
  root: Root,
  splice: Splice,
  meant: (plain: ConditionPlain) => ConditionPlain,
): string | undefined {
  const edited = spliced(text, [splice]);
  try {
    const after: unknown = readTree(edited)?.toJS({ maxAliasCount: 1_000 });
    return isDeepStrictEqual(after, meant(root.toJS({ maxAliasCount: 1_000 }) as ConditionPlain)) ? edited : undefined;
  } catch {
    return undefined;
  }
}

/** One more key of a map: in a flow at its end, in a block below the line of a value, or above a value of many lines. */
function addKey(text: string, map: YAMLMap, below: Node, pair: string): Splice {
  if (map.flow) {
    const last = map.items.at(-1);
    const [, end] = rangeOf(last?.value ?? last?.key);
    return { from: end, to: end, text: `, ${pair}` };
  }
  const [start] = rangeOf(map.items.find(({ value }) => value === below)?.key);
  const [, end] = rangeOf(below);
  const indent = " ".repeat(columnOf(text, start));
  const eol = lineEnd(text, start);
  if (text.slice(start, end).includes("\n")) return { from: start, to: start, text: `${pair}${eol}${indent}` };
  const at = endOfLine(text, end);
  return { from: at, to: at, text: `${eol}${indent}${pair}` };
}

/** Another spelling of a value. A text of many lines (`|`) takes its line end with it. */
function replaced(text: string, node: Node, spelling: string): Splice {
  const [from, to] = rangeOf(node);
  return { from, to, text: spelling + (text.slice(from, to).endsWith("\n") ? lineEnd(text, to - 1) : "") };
}

function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

function startOfLine(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line of an offset ends, before its CR LF or LF. */
function endOfLine(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  if (feed < 0) return text.length;
  return feed > offset && text[feed - 1] === "\r" ? feed - 1 : feed;
}

export type Root = Document.Parsed<ParsedNode>;

/** A YAML file as a tree that knows its offsets; undefined where it cannot be read. */
function readTree(text: string): Root | undefined {
  const document = parseDocument(text, { schema: "core", uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  return document.errors.length > 0 || document.contents === null ? undefined : (document as Root);
}

/** The value under a key of a map, by how the key is spelt. */
function valueAt(map: unknown, name: string): Node | undefined {
  if (!isMap(map)) return undefined;
  const pair = map.items.find(({ key }) => isScalar(key) && (key.source ?? String(key.value)) === name);
  return (pair?.value ?? undefined) as Node | undefined;
}

/** A rating's value, and the map that it stands in. */
export interface RatingNode {
  readonly ratings: YAMLMap;
  readonly value: Node;
}

function ratingNode(root: Root, rating: string): RatingNode | undefined {
  const ratings = valueAt(root.contents, "ratings");
  const value = valueAt(ratings, rating);
  return isMap(ratings) && value ? { ratings, value } : undefined;
}

/** What an alias stands for. */
function resolved(node: Node | undefined, root: Root): Node | undefined {
  return isAlias(node) ? node.resolve(root) : node;
}

/** The level of a rating, in its short or long form. A number is as it is spelt: 92.10 stays 92.10. */
function levelIn(root: Root, rating: string): string | undefined {
  const value = resolved(ratingNode(root, rating)?.value, root);
  const level = isMap(value) ? resolved(valueAt(value, "level"), root) : value;
  if (!isScalar(level)) return undefined;
  return typeof level.value === "string" ? level.value : (level.source ?? String(level.value));
}

/** Offsets of a node: from its first character to behind its last. */
function rangeOf(node: unknown): [number, number] {
  const { range } = node as Node;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

/**
 * A word as a YAML scalar, fit for a block and for a flow: quoted as the one that it takes the place of, else plain
 * where it reads back as the same text. A number is plain only where there was a plain number before.
 */
function spell(word: string, before: Node | undefined): string {
  const like = isScalar(before) ? before : undefined;
  if (like?.type === Scalar.QUOTE_DOUBLE) return JSON.stringify(word);
  if (like?.type === Scalar.QUOTE_SINGLE && !/[\p{Cc}]/u.test(word)) return `'${word.replaceAll("'", "''")}'`;
  const plain = plainValue(word);
  const fits =
    typeof plain === "string" ? plain === word : typeof plain === "number" && typeof like?.value === "number";
  return fits ? word : JSON.stringify(word);
}

/** What a reader makes of a word without quotes; undefined where it needs them. */
function plainValue(word: string): unknown {
  if (word.length > 200 || !/^[\p{L}\p{N}][\p{L}\p{N} ._/+%()-]*$/u.test(word) || word !== word.trim())
    return undefined;
  const [value]: unknown[] = parse(`[${word}]`, { schema: "core" });
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}
