import type { Reader } from "../read/reader.ts";
import { entriesOf, keyOf, listOf } from "./plain.ts";
import { quoted } from "./problem.ts";
import type { Teller } from "./say.ts";

/** Mistakes that lie between entries of `sources.yaml`. Reads plain values, so that it works in a file with other mistakes. */
export function acrossSources(root: unknown, readers: ReadonlyMap<string, Reader>, teller: Teller): void {
  const first = new Map<string, string>();
  for (const [id, source] of entriesOf(keyOf(root, "sources"))) {
    const [kind, address] = entriesOf(source).find(([key]) => readers.has(key)) ?? [];
    if (kind === undefined || typeof address !== "string") continue;
    const same = `${kind} ${sameAddress(address, source, readers.get(kind))}`;
    const other = first.get(same);
    if (other === undefined) first.set(same, id);
    else teller.add(["sources", id, kind], "value", `source ${quoted(other)} watches this address already`);
  }
  circles(keyOf(root, "conclusions"), teller);
}

/** A condition may name fewer ratings than its trigger, never others. */
export function acrossTrigger(trigger: unknown, id: string, teller: Teller): void {
  const ratings = new Set(listOf(keyOf(trigger, "ratings")));
  for (const part of ["on", "also"]) {
    listOf(keyOf(trigger, part)).forEach((condition, i) => {
      listOf(keyOf(condition, "ratings")).forEach((rating, j) => {
        if (typeof rating !== "string" || ratings.has(rating)) return;
        teller.add(
          [part, i, "ratings", j],
          "value",
          `${quoted(rating)} is not among the ratings of trigger ${quoted(id)}`,
        );
      });
    });
  }
}

/**
 * URLs that lead to one page are one address: scheme, fragment, default port and a last slash make no difference. Of
 * other addresses (`owner/name`) case makes none, and the kind's options belong to what is watched: a path, a branch.
 */
function sameAddress(address: string, source: unknown, reader: Reader | undefined): string {
  if (/^https?:/i.test(address) && URL.canParse(address)) {
    const { host, pathname, search } = new URL(address);
    return `${host}${pathname.replace(/\/$/, "")}${search}`;
  }
  const options = Object.keys(reader?.options ?? {}).map((key) => keyOf(source, key) ?? null);
  return `${address.toLowerCase()} ${JSON.stringify(options)}`;
}

/** Conclusions that rest on themselves, by whatever way. */
function circles(conclusions: unknown, teller: Teller): void {
  const restsOn = new Map(entriesOf(conclusions).map(([id, entry]) => [id, listOf(keyOf(entry, "rests-on"))]));
  const done = new Set<unknown>();
  for (const id of restsOn.keys()) {
    const way: { id: string; next: number }[] = done.has(id) ? [] : [{ id, next: 0 }];
    const open = new Set<unknown>([id]);
    for (let here = way.at(-1); here; here = way.at(-1)) {
      const i = here.next++;
      const below = restsOn.get(here.id)?.[i];
      if (i >= (restsOn.get(here.id)?.length ?? 0)) {
        way.pop();
        open.delete(here.id);
        done.add(here.id);
      } else if (open.has(below)) {
        const message = `conclusion ${quoted(String(below))} rests on itself by way of this`;
        teller.add(["conclusions", here.id, "rests-on", i], "value", message);
      } else if (typeof below === "string" && restsOn.has(below) && !done.has(below)) {
        open.add(below);
        way.push({ id: below, next: 0 });
      }
    }
  }
}
