import stripJsonComments from "strip-json-comments";
import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import { Failure } from "../../model/failure.ts";
import { strictKeys } from "../../model/options.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Item, Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { type Gives, httpAddress, readerOf } from "../reader.ts";
import { decode, instantOfNumber, jsonOf, limitItems, mediaType } from "../shared/body.ts";
import { onRenamedBranch } from "../shared/github.ts";
import { listedFact } from "../shared/given.ts";
import { children, find, isMany, isObject, jsonPath, type Node, valueText } from "../shared/json-path.ts";
import { Size } from "../shared/size.ts";
import { blocksOfValues } from "../shared/values.ts";
import { versionsIn, versionsOption } from "../shared/versions.ts";

const itemShape = {
  id: jsonPath.optional().describe("Its unique id (default: its version or title)."),
  title: jsonPath.optional().describe("Its name for people (default: its version)."),
  version: jsonPath.optional().describe("The version that it announces."),
  date: jsonPath.optional().describe("When it happened: a date, or seconds or milliseconds since 1970."),
};

const shape = {
  items: jsonPath
    .optional()
    .describe("Path of the list of items: releases, result.releases, $ for the whole document."),
  item: strictKeys(itemShape).optional().describe("Paths within an item, or $key, its name."),
  facts: z
    .record(z.string().min(1).max(100), jsonPath)
    .optional()
    .describe("Values to watch, by a name each: { latest: releases[0].version }."),
  ...versionsOption,
};

/**
 * JSON: `items` is a path to a list, or to an object whose members are the items (`$key` is then a member's name); `item` has
 * the paths of an item's id, title, version and date. `facts` names values by their paths. Without any of these the document is
 * parsed as one block for each value or entry.
 */
export const json = readerOf({
  kind: "json",
  spec: "https://www.rfc-editor.org/rfc/rfc8259",
  noun: "values",
  cadence: "1d",
  example: "https://endoflife.date/api/macos.json",
  address: httpAddress,
  options: shape,
  gives,
  version: 11,
  request: (source) => ({ url: source.address, accept: "application/json,*/*;q=0.5" }),
  read,
  otherwise: onRenamedBranch,
});

const options = z.object(shape);
type Options = z.infer<typeof options>;
type ItemPaths = NonNullable<Options["item"]>;

function gives({ items, facts, versions }: Readonly<Record<string, unknown>>): Gives {
  const list = items !== undefined || versions !== undefined;
  return { items: list, text: !list && facts === undefined, facts: isObject(facts) ? Object.keys(facts) : [] };
}

/** Content types of JSON Lines; none is registered: https://jsonlines.org/#conventions */
const lineTypes = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$|\+ndjson$/;

function read(response: Response, source: Source): Reading {
  const text = decode(response);
  const root = looseJsonOf(text, lineTypes.test(mediaType(response)));
  const { items: path, item: paths = {}, facts } = options.parse(source.options);
  const versions = versionsIn(text, source);
  const size = new Size();
  if (!path && !facts && !versions) return { blocks: blocksOfValues(root, size) };
  const items = [...(path ? itemsAt(path, root, paths, size) : []), ...(versions ?? [])];
  return { ...((path || versions) && { items }), ...(facts && { facts: factsOf(facts, root) }) };
}

function itemsAt(path: string, root: unknown, paths: ItemPaths, size: Size): Item[] {
  const found = find(path, root);
  const [only] = found;
  if (only === undefined) throw new Failure("no-match", { selector: path });
  const nodes = isMany(path) ? found : children(only.value);
  if (!isMany(path) && nodes.length === 0 && !(typeof only.value === "object" && only.value !== null)) {
    throw new Failure("no-match", { selector: path });
  }
  const items = limitItems(nodes).map((node) => itemOf(node, paths, size));
  return [...Map.groupBy(items, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

function itemOf(node: Node, paths: ItemPaths, size: Size): Item {
  const version = textAt(paths.version, node);
  const title = textAt(paths.title, node) ?? version;
  const id =
    textAt(paths.id, node) ?? version ?? title ?? (isObject(node.value) ? member(node, "id") : valueText(node.value));
  const date = dateAt(paths.date, node);
  const blocks = isObject(node.value) ? blocksOfValues(node.value, size) : [];
  return {
    id: (id ?? valueText(node.value)).slice(0, 1_000),
    title: (title ?? id ?? node.key).slice(0, 1_000),
    version,
    at: date,
    ...(blocks.length > 0 && { blocks }),
  };
}

function member({ value }: Node, name: string): string | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? valueText(value[name]) : undefined;
}

/** The value at a path in an item: `$key` is the item's name, `$` the item itself. */
function valueAt(path: string | undefined, node: Node): unknown {
  if (path === undefined) return undefined;
  return path === "$key" ? node.key : find(path, node.value)[0]?.value;
}

function textAt(path: string | undefined, node: Node): string | undefined {
  return valueText(valueAt(path, node)) || undefined;
}

function dateAt(path: string | undefined, node: Node): number | undefined {
  const value = valueAt(path, node);
  if (typeof value === "number") return instantOfNumber(value);
  return typeof value === "string" ? instantOf(value) : undefined;
}

function factsOf(paths: Readonly<Record<string, string>>, root: unknown): Facts {
  const facts = Object.entries(paths).map(([name, path]) => {
    const found = find(path, root);
    if (found.length === 0) throw new Failure("no-match", { selector: path });
    const values = limitItems(found).map(({ value }) => valueText(value));
    return [name, listedFact(values, 10_000)] as const;
  });
  return Object.fromEntries(facts);
}

/** Lines of JSON Lines, at most. */
const lineLimit = 100_000;

/** A line with which a site protects its JSON from foreign scripts. */
const guard = /^\)\]\}',?[ \t]*\r?\n?/;

/**
 * JSON with deviations: comments, trailing commas, a guard against foreign scripts, or JSON Lines, which become a list.
 * Numbers that are too large become texts. `isLines`: it is sent as lines, even if there is only one. Spec:
 * https://jsonlines.org/
 *
 * @throws Failure as `jsonOf` does
 */
function looseJsonOf(written: string, isLines: boolean): unknown {
  const text = written.replace(guard, "");
  if (isLines) return jsonLinesOf(text);
  try {
    return jsonOf(text, parseLoose);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "malformed") throw error;
    if (severalLines.test(text.slice(0, 10_000_000))) return jsonLinesOf(text);
    return jsonOf(stripJsonComments(text, { trailingCommas: true }), parseLoose);
  }
}

/** Two lines that are each a complete value. */
const severalLines = /^\s*(?:\{[^\n]*\}|\[[^\n]*\])[ \t]*\r?\n\s*[[{][^\n]*[\]}][ \t]*(?:\r?\n|$)/;

function jsonLinesOf(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return limitItems(lines, lineLimit).map((line) => jsonOf(line, parseLoose));
}

function parseLoose(text: string): unknown {
  return /\d{16}|\de\+?\d{3}/i.test(text) ? JSON.parse(text, withDigits) : JSON.parse(text);
}

function withDigits(_: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return !Number.isFinite(value) || /^-?\d+$/.test(source) ? source : value;
}
