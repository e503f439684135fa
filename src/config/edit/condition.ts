import { isObject } from "../../read/shared/json-path.ts";
import type { OmittedIds } from "./unwatchable.ts";
import { dataOf, type EditableYaml, editText, nodeAt, removeEntries, renameKey, setValue } from "./yaml.ts";

/** A condition of a trigger's file: its list, and its index there. */
export interface ConditionPlace {
  readonly part: "on" | "also";
  readonly index: number;
}

/** Sets a key of one condition; `spelling` is YAML for `value`. Undefined if that cannot be done in place. Pure. */
export function setInCondition(
  text: string,
  { part, index }: ConditionPlace,
  key: string,
  value: { readonly value: unknown; readonly spelling: string },
): string | undefined {
  return editText(text, (yaml) => [setValue(yaml, [part, index, key], value)]);
}

/** Removes a condition, and with the last one its list. Undefined if that cannot be done in place. Pure. */
export function removeCondition(text: string, { part, index }: ConditionPlace): string | undefined {
  return editText(text, (yaml) => [removeEntries(yaml, part, [index])]);
}

/** Removes conditions about only these sources or products; undefined if that cannot be done in place. Pure. */
export function withoutConditionsOn(text: string, { sources, products }: OmittedIds): string | undefined {
  const isOfOne = (condition: Record<string, unknown>) =>
    Object.entries(condition).some(
      ([key, value]) => typeof value === "string" && (key === "release" ? products : sources).has(value),
    );
  return editText(text, (yaml) =>
    (["on", "also"] as const).flatMap((part) => {
      const places = placesOf(yaml, part, isOfOne);
      return places.length > 0 ? [removeEntries(yaml, part, places)] : [];
    }),
  );
}

/** Asks about new entries of a source, no longer about any change. Undefined if that cannot be done in place. Pure. */
export function askAboutEntries(text: string, source: string): string | undefined {
  return editText(text, (yaml) => {
    const places = placesOf(yaml, "on", ({ change }) => change === source);
    return places.map((index) => renameKey(yaml, ["on", index, "change"], "item"));
  });
}

function placesOf(
  yaml: EditableYaml,
  part: ConditionPlace["part"],
  isWanted: (condition: Record<string, unknown>) => boolean,
): number[] {
  const conditions = dataOf(yaml, nodeAt(yaml, [part]));
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((condition, index) => (isObject(condition) && isWanted(condition) ? index : []));
}
