import { isMap, isScalar } from "yaml";
import type { Claim, MovedFigure } from "../../model/claim.ts";
import { figureIn } from "../../report/edit/edit-sentence.ts";
import { applySplices } from "../../report/edit/splice.ts";
import { yamlScalar } from "../../report/write.ts";
import { addEntries, type NewEntry } from "./entry.ts";
import { type Edit, editInPlace, editText, nodeAt, pairIn, parseForEdit, rangeOf, setValue } from "./yaml.ts";

const figureKeys = ["says", "value", "quote", "is"];

/** Replaces the figure in a claim's words and its proof, or the link to its source; undefined if that cannot be done in place. Pure. */
export function moveFigure(whole: string, { source, id }: Claim, figure: MovedFigure): string | undefined {
  if (isLink(figure)) return moveAddress(whole, source, figure);
  const yaml = parseForEdit(whole);
  const claim = yaml && nodeAt(yaml, ["sources", source, "claims", id]);
  if (!yaml || !isMap(claim)) return undefined;
  const edits = figureKeys.flatMap((key): Edit[] => {
    const node = pairIn(claim, key)?.value;
    const value = isScalar(node) ? String(node.value) : "";
    const here = figureIn(value, figure);
    if (!isScalar(node) || !here) return [];
    // A value with escapes or line breaks is not found in the file as it is.
    const at = yaml.text.indexOf(value, rangeOf(node)[0]);
    const { from, to, text } = here.splice;
    const now = applySplices(value, [here.splice]);
    return [
      {
        splices: [{ from: at + from, to: at + to, text }],
        changes: [{ path: ["sources", source, "claims", id, key], value: now }],
      },
    ];
  });
  const isProved = edits.some(({ changes }) => changes.some(({ path }) => path.at(-1) !== "says"));
  return isProved ? editInPlace(yaml, edits) : undefined;
}

export function isLink({ old }: MovedFigure): boolean {
  return /^https?:/.test(old);
}

/** Replaces the address of a source; undefined if that cannot be done in place. Pure. */
export function moveAddress(whole: string, id: string, { old, now }: MovedFigure): string | undefined {
  const yaml = parseForEdit(whole);
  const source = yaml && nodeAt(yaml, ["sources", id]);
  const pairWith = (address: string) =>
    isMap(source) ? source.items.find(({ value }) => isScalar(value) && value.value === address) : undefined;
  if (pairWith(now)) return whole;
  const { key, value } = pairWith(old) ?? {};
  if (!yaml || !isScalar(key) || !isScalar(value)) return undefined;
  const written = yaml.text.slice(...rangeOf(value));
  const spelling = written.trim() === old ? yamlScalar(now) : written.replace(old, () => now);
  return editInPlace(yaml, [setValue(yaml, ["sources", id, String(key.value)], { value: now, spelling })]);
}

/** Adds claims below those of their sources. `uneditable`: claims of sources that cannot be edited in place. Pure. */
export function addClaims(
  whole: string,
  claims: readonly Claim[],
): { readonly text: string; readonly uneditable: readonly Claim[] } {
  const bySource = [...Map.groupBy(claims, ({ source }) => source)];
  const all = withClaims(whole, bySource);
  if (all !== undefined) return { text: all, uneditable: [] };
  let text = whole;
  const uneditable: Claim[] = [];
  for (const one of bySource) {
    const edited = withClaims(text, [one]);
    if (edited === undefined) uneditable.push(...one[1]);
    else text = edited;
  }
  return { text, uneditable };
}

function withClaims(text: string, bySource: readonly [source: string, claims: readonly Claim[]][]): string | undefined {
  if (bySource.length === 0) return undefined;
  return editText(text, (yaml) =>
    bySource.map(([source, claims]) => addEntries(yaml, ["sources", source, "claims"], claims.map(entryOf))),
  );
}

function entryOf({ id, says, proof, ratings, cites }: Claim): NewEntry {
  const proofKeys = Object.entries(proof).map(([key, value]): [string, string] => [key, String(value)]);
  const more: NewEntry["keys"] = [
    ["ratings", ratings],
    ["cites", cites],
  ];
  return { id, keys: [["says", says], ...proofKeys, ...more.filter(([, all]) => (all as unknown[]).length > 0)] };
}
