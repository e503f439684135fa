import { z } from "zod";
import { Failure } from "../failure.ts";
import type { Block, Facts, Item } from "../model.ts";
import { instantOf, instantOfNumber } from "./dates.ts";
import { decode } from "./decode.ts";
import { children, find, isMany, isObject, jsonPath, type Node, textOf } from "./json-path.ts";
import { bounded, jsonOf } from "./parse.ts";
import type { Reader, Reading, Response, Source } from "./reader.ts";
import { versionsIn, versionsOption } from "./versions.ts";
import { webAddress } from "./web-address.ts";

const shape = {
  items: jsonPath.optional(),
  id: jsonPath.optional(),
  title: jsonPath.optional(),
  version: jsonPath.optional(),
  date: jsonPath.optional(),
  facts: z.record(z.string().min(1).max(100), jsonPath).optional(),
  ...versionsOption,
};

/**
 * JSON: `items` is a path to a list, or to an object whose members are the items (`$key` is then a member's name);
 * `id`, `title`, `version` and `date` are paths within an item. `facts` names values by their paths. Without any of
 * them the document is read as one block for each value.
 */
export const json: Reader = {
  kind: "json",
  spec: "https://www.rfc-editor.org/rfc/rfc8259",
  example: "https://endoflife.date/api/macos.json",
  address: webAddress,
  options: shape,
  structured: true,
  version: 1,
  request: (source) => ({ url: source.address, accept: "application/json,*/*;q=0.5" }),
  read,
  page: (source) => source.address,
};

const options = z.object(shape);
type Options = z.infer<typeof options>;

function read(response: Response, source: Source): Reading {
  const text = decode(response);
  const root = jsonOf(text);
  const told = options.parse(source.options);
  const versions = versionsIn(text, source);
  if (!told.items && !told.facts && !versions) return { blocks: leaves(root) };
  const items = [...(told.items ? itemsAt(told.items, root, told) : []), ...(versions ?? [])];
  return {
    ...((told.items || versions) && { items }),
    ...(told.facts && { facts: factsOf(told.facts, root) }),
  };
}

function itemsAt(path: string, root: unknown, told: Options): Item[] {
  const found = find(path, root);
  const [only] = found;
  if (only === undefined) throw new Failure("no-match", { selector: path });
  const nodes = isMany(path) ? found : children(only.value);
  if (!isMany(path) && nodes.length === 0 && !(typeof only.value === "object" && only.value !== null)) {
    throw new Failure("no-match", { selector: path });
  }
  const items = new Map<string, Item>();
  for (const node of bounded(nodes)) {
    const item = itemOf(node, told);
    if (!items.has(item.id)) items.set(item.id, item);
  }
  return [...items.values()];
}

function itemOf(node: Node, told: Options): Item {
  const version = at(told.version, node);
  const title = at(told.title, node) ?? version;
  const id = at(told.id, node) ?? version ?? title ?? (isObject(node.value) ? member(node, "id") : textOf(node.value));
  const date = dateAt(told.date, node);
  const blocks = isObject(node.value) ? leaves(node.value) : [];
  return {
    id: (id ?? textOf(node.value)).slice(0, 1_000),
    title: (title ?? id ?? node.key).slice(0, 1_000),
    ...(version !== undefined && { version }),
    ...(date !== undefined && { at: date }),
    ...(blocks.length > 0 && { blocks }),
  };
}

function member({ value }: Node, name: string): string | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? textOf(value[name]) : undefined;
}

/** `$key` is the item's own name, `$` the item itself. */
function valueAt(path: string | undefined, node: Node): unknown {
  if (path === undefined) return undefined;
  return path === "$key" ? node.key : find(path, node.value)[0]?.value;
}

function at(path: string | undefined, node: Node): string | undefined {
  return textOf(valueAt(path, node)) || undefined;
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
    return [
      name,
      bounded(found)
        .map(({ value }) => textOf(value))
        .join(", ")
        .slice(0, 10_000),
    ] as const;
  });
  return Object.fromEntries(facts);
}

/** More values than any document that is worth reading as a whole. */
const leafLimit = 100_000;

/** One block for each value, `path: value`; positions in lists are left out, so that an element more moves no other. */
function leaves(root: unknown): Block[] {
  const blocks: Block[] = [];
  const visit = (value: unknown, path: string): void => {
    const inside = children(value);
    if (inside.length === 0 && !isEmpty(value)) {
      const text = path === "" ? textOf(value) : `${path}: ${textOf(value)}`;
      blocks.push({ path: [], kind: "item", text });
      if (blocks.length > leafLimit) throw new Failure("too-many", { limit: leafLimit, found: blocks.length });
    }
    if (Array.isArray(value)) for (const { value: element } of inside) visit(element, `${path}[]`);
    else {
      const named = inside.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      for (const { key, value: below } of named) visit(below, path === "" ? key : `${path}.${key}`);
    }
  };
  visit(root, "");
  return blocks;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
