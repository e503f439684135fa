import { type Document, isAlias, isMap, isScalar, type Node, type ParsedNode, parseDocument, type YAMLMap } from "yaml";

export type Root = Document.Parsed<ParsedNode>;

/** A YAML file as a tree that knows its offsets; undefined where it cannot be read. */
export function readTree(text: string): Root | undefined {
  const document = parseDocument(text, { schema: "core", uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  return document.errors.length > 0 || document.contents === null ? undefined : (document as Root);
}

/** The value under a key of a map, by how the key is spelt. */
export function valueAt(map: unknown, name: string): Node | undefined {
  if (!isMap(map)) return undefined;
  const pair = map.items.find(({ key }) => isScalar(key) && (key.source ?? String(key.value)) === name);
  return (pair?.value ?? undefined) as Node | undefined;
}

/** A rating's value, and the map that it stands in. */
export interface RatingNode {
  readonly ratings: YAMLMap;
  readonly value: Node;
}

export function ratingNode(root: Root, rating: string): RatingNode | undefined {
  const ratings = valueAt(root.contents, "ratings");
  const value = valueAt(ratings, rating);
  return isMap(ratings) && value ? { ratings, value } : undefined;
}

/** What an alias stands for. */
export function resolved(node: Node | undefined, root: Root): Node | undefined {
  return isAlias(node) ? node.resolve(root) : node;
}

/** The level of a rating, in its short or long form. A number is as it is spelt: 92.10 stays 92.10. */
export function levelIn(root: Root, rating: string): string | undefined {
  const value = resolved(ratingNode(root, rating)?.value, root);
  const level = isMap(value) ? resolved(valueAt(value, "level"), root) : value;
  if (!isScalar(level)) return undefined;
  return typeof level.value === "string" ? level.value : (level.source ?? String(level.value));
}

/** Offsets of a node: from its first character to behind its last. */
export function rangeOf(node: unknown): [number, number] {
  const { range } = node as Node;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}
