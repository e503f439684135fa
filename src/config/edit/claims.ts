import { isMap, isScalar, type YAMLMap } from "yaml";
import type { Claim, MovedFigure, Proof } from "../../model/claim.ts";
import { figureIn } from "../../report/edit/edit-sentence.ts";
import { applySplices, type Splice } from "../../report/edit/splice.ts";
import { yamlList, yamlScalar } from "../../report/write.ts";
import { isKeyed } from "../path.ts";
import {
  columnOf,
  type EditableYaml,
  editable,
  editInPlace,
  entryAddedInBraces,
  linesAdded,
  nodeAt,
  type PlainYaml,
  pairIn,
  rangeOf,
  replaced,
} from "./yaml.ts";

/** The keys of a claim that may hold its figure. */
const figureKeys = ["says", "value", "quote", "is"];

/** Replaces the figure in a claim's words and its proof, or the link to its source; undefined if that cannot be done in place. Pure. */
export function moveFigure(whole: string, { source, id }: Claim, figure: MovedFigure): string | undefined {
  const yaml = editable(whole);
  const claim = yaml && nodeAt(yaml, ["sources", source, "claims", id]);
  if (!yaml || !isMap(claim)) return undefined;
  if (isLink(figure)) return moveAddress(yaml, source, figure);
  const moved = new Map<string, string>();
  const splices = figureKeys.flatMap((key): Splice[] => {
    const node = pairIn(claim, key)?.value;
    const value = isScalar(node) ? String(node.value) : "";
    const here = figureIn(value, figure);
    if (!isScalar(node) || !here) return [];
    moved.set(key, applySplices(value, [here.splice]));
    // With escapes or line breaks in its spelling, a value is not found in the file.
    const at = yaml.text.indexOf(value, rangeOf(node)[0]);
    const { from, to, text } = here.splice;
    return [{ from: at + from, to: at + to, text }];
  });
  const isProved = [...moved.keys()].some((key) => key !== "says");
  if (!isProved) return undefined;
  return editInPlace(yaml, splices, ({ sources, ...rest }) => {
    const entry = isKeyed(sources) ? sources[source] : undefined;
    if (!isKeyed(sources) || !isKeyed(entry) || !isKeyed(entry.claims) || !isKeyed(entry.claims[id])) return undefined;
    const changed = { ...entry.claims[id], ...Object.fromEntries(moved) };
    return { ...rest, sources: { ...sources, [source]: { ...entry, claims: { ...entry.claims, [id]: changed } } } };
  });
}

/** Whether it is a link to a source's proof rather than a figure. */
export function isLink({ old }: MovedFigure): boolean {
  return /^https?:/.test(old);
}

/** Replaces the address of a source. */
function moveAddress(yaml: EditableYaml, id: string, { old, now }: MovedFigure): string | undefined {
  const source = nodeAt(yaml, ["sources", id]);
  const holds = (value: unknown, address: string) => isScalar(value) && value.value === address;
  if (!isMap(source)) return undefined;
  if (source.items.some(({ value }) => holds(value, now))) return yaml.mark + yaml.text;
  const pair = source.items.find(({ value }) => holds(value, old));
  if (!isScalar(pair?.key) || !isScalar(pair.value)) return undefined;
  const key = String(pair.key.value);
  return editInPlace(yaml, [replaced(yaml, pair.value, yamlScalar(now))], ({ sources, ...rest }) => {
    const entry = isKeyed(sources) ? sources[id] : undefined;
    return isKeyed(sources) && isKeyed(entry)
      ? { ...rest, sources: { ...sources, [id]: { ...entry, [key]: now } } }
      : undefined;
  });
}

/**
 * Writes more claims into the sources that they are of, below those that are there. Every other byte stays; `left` are
 * those that have no place: of a source that is written in a way that cannot be edited in place. Pure.
 */
export function addClaims(
  whole: string,
  claims: readonly Claim[],
): { readonly text: string; readonly left: readonly Claim[] } {
  let text = whole;
  const left: Claim[] = [];
  const bySource = [...Map.groupBy(claims, ({ source }) => source)];
  const all = editedText(text, bySource);
  if (all !== undefined) return { text: all, left };
  for (const one of bySource) {
    const edited = editedText(text, [one]);
    if (edited === undefined) left.push(...one[1]);
    else text = edited;
  }
  return { text, left };
}

type ClaimsOfSource = readonly [source: string, claims: readonly Claim[]];

function editedText(text: string, bySource: readonly ClaimsOfSource[]): string | undefined {
  const yaml = editable(text);
  if (!yaml || bySource.length === 0) return undefined;
  const splices = bySource.flatMap(([source, claims]) => spliceFor(yaml, source, claims) ?? []);
  if (splices.length < bySource.length) return undefined;
  return editInPlace(yaml, splices, (before) =>
    bySource.reduce<PlainYaml | undefined>(
      (plain, [source, claims]) => plain && withClaims(plain, source, claims),
      before,
    ),
  );
}

function withClaims(plain: PlainYaml, id: string, claims: readonly Claim[]): PlainYaml | undefined {
  const { sources } = plain;
  const source = isKeyed(sources) ? sources[id] : undefined;
  if (!isKeyed(sources) || !isKeyed(source)) return undefined;
  const known = isKeyed(source.claims) ? source.claims : {};
  if (claims.some((claim) => claim.id in known)) return undefined;
  const added = Object.fromEntries(claims.map((claim) => [claim.id, Object.fromEntries(keysOf(claim))]));
  return { ...plain, sources: { ...sources, [id]: { ...source, claims: { ...known, ...added } } } };
}

function spliceFor(yaml: EditableYaml, source: string, claims: readonly Claim[]): Splice | undefined {
  const map = nodeAt(yaml, ["sources", source]);
  if (!isMap(map) || map.items.length === 0) return undefined;
  const pair = pairIn(map, "claims");
  if (!pair) {
    if (map.flow) return entryAddedInBraces(yaml, map, `claims: { ${claims.map(inBraces).join(", ")} }`);
    const column = columnOf(yaml.text, rangeOf(map.items[0]?.key)[0]);
    return linesAdded(yaml, map, [`${" ".repeat(column)}claims:`, ...linesOf(claims, column + 2)]);
  }
  const known = pair.value;
  if (!isMap(known) || known.items.length === 0) return undefined;
  if (known.flow) return entryAddedInBraces(yaml, known, claims.map(inBraces).join(", "));
  return linesAdded(yaml, known as YAMLMap, linesOf(claims, columnOf(yaml.text, rangeOf(known.items[0]?.key)[0])));
}

function linesOf(claims: readonly Claim[], column: number): string[] {
  const [indent, inner] = [" ".repeat(column), " ".repeat(column + 2)];
  return claims.flatMap((claim) => [
    `${indent}${claim.id}:`,
    ...keysOf(claim).map(([key, value]) => `${inner}${key}: ${spelt(value)}`),
  ]);
}

function inBraces(claim: Claim): string {
  const pairs = keysOf(claim).map(([key, value]) => `${key}: ${spelt(value)}`);
  return `${claim.id}: { ${pairs.join(", ")} }`;
}

type ClaimKey = readonly [key: string, value: string | readonly (string | number)[]];

function keysOf({ says, proof, ratings, cites }: Claim): ClaimKey[] {
  return [
    ["says", says],
    ...proofKeys(proof),
    ...(ratings.length > 0 ? ([["ratings", ratings]] as const) : []),
    ...(cites.length > 0 ? ([["cites", cites]] as const) : []),
  ];
}

function proofKeys(proof: Proof): ClaimKey[] {
  return Object.entries(proof).map(([key, value]): ClaimKey => [key, String(value)]);
}

function spelt(value: ClaimKey[1]): string {
  return typeof value === "string" ? yamlScalar(value) : yamlList(value);
}
