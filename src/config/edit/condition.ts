import { isMap } from "yaml";
import { editable, editInPlace, entryRemoved, keyAdded, nodeAt, type PlainYaml, replaced } from "./yaml.ts";

/** A condition of a trigger's file, by its list and its place in it. */
export interface ConditionPlace {
  readonly part: "on" | "also";
  readonly index: number;
}

/** Sets a key of one condition; `spelling` is YAML for `value`. Undefined if that cannot be done in place. Pure. */
export function setInCondition(
  text: string,
  { part, index }: ConditionPlace,
  key: string,
  { value, spelling }: { readonly value: unknown; readonly spelling: string },
): string | undefined {
  const yaml = editable(text);
  if (!yaml) return undefined;
  const map = nodeAt(yaml, [part, index]);
  if (!isMap(map)) return undefined;
  const now = nodeAt(yaml, [part, index, key]);
  const [first] = map.items;
  if (!now && !first?.value) return undefined;
  const splice = now ? replaced(yaml, now, spelling) : first && keyAdded(yaml, map, first, `${key}: ${spelling}`);
  if (!splice) return undefined;
  return editInPlace(yaml, [splice], (before) => {
    const list = before[part] as PlainYaml[];
    return { ...before, [part]: list.with(index, { ...list[index], [key]: value }) };
  });
}

/**
 * Takes one condition out; with the last of a list its key goes, too. Undefined if that cannot be done in place.
 * Pure.
 */
export function removeCondition(text: string, { part, index }: ConditionPlace): string | undefined {
  const yaml = editable(text);
  const splice = yaml && entryRemoved(yaml, part, index);
  if (!splice) return undefined;
  return editInPlace(yaml, [splice], (before) => {
    const rest = (before[part] as unknown[]).toSpliced(index, 1);
    const { [part]: _, ...others } = before;
    return rest.length > 0 ? { ...before, [part]: rest } : others;
  });
}
