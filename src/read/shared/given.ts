import { instantOf } from "../../language/dates.ts";
import { digestOf } from "../../model/digest.ts";
import type { Facts, Item } from "../../model/reading.ts";

/** An entry as a source gives it: parts may be missing, empty or nonsense. */
interface GivenItem extends Omit<Item, "at" | "url"> {
  /** Its date in any form, in UTC. */
  readonly at?: string | null | undefined;
  readonly url?: string | null | undefined;
}

/** The entry without its empty parts. */
export function itemFrom({ at, url, blocks, ...given }: GivenItem): Item {
  const instant = instantOf(at ?? undefined);
  return {
    ...given,
    ...(url && /^https?:\/\//i.test(url) && { url }),
    at: instant,
    ...(blocks?.length && { blocks }),
  };
}

/** The entry of one version of a named thing. */
export function versionItem(name: string, version: string, more: Partial<GivenItem>): Item {
  return itemFrom({ id: version, title: `${name} ${version}`.trim(), version, ...more });
}

/** Sorts a list of entries in place: the newest first, those without a date last. */
export function newestFirst(items: Item[]): Item[] {
  return items.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

/** Characters of a list for people, at most. */
const most = 1_000;

/** Several values as one fact, in their order. What is too long becomes a digest, so that its changes show. */
export function listedFact(values: readonly string[], limit = most): string {
  const whole = values.join(", ");
  if (whole.length <= limit) return whole;
  return `${whole.slice(0, limit)} … (${values.length} in all, ${digestOf(whole)})`;
}

/** A fact as a source gives it. The order of a list has no meaning. */
type Given = string | boolean | Iterable<string> | null | undefined;

/** Facts from values of a source. Missing and empty values are left out, as they may come later. */
export function factsFrom(given: Readonly<Record<string, Given>>): Facts {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === "" ? [] : [[name, text]];
    }),
  );
}

function textOf(value: Given): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value.trim().slice(0, most) : listedFact([...new Set(value)].sort());
}
