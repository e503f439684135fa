import { isMap, isSeq } from "yaml";
import { isObject } from "../../read/shared/json-path.ts";
import { yamlList, yamlScalar } from "../../report/write.ts";
import {
  dataOf,
  type Edit,
  type EditableYaml,
  editText,
  endOf,
  endOfLine,
  nodeAt,
  pairIn,
  removeEntries,
} from "./yaml.ts";

/** A source that is no longer watched, and why. */
export interface UnwatchedSource {
  readonly id: string;
  readonly url: string;
  readonly because: string;
}

/** Ids of sources that are left out, and of products that no other source announces. */
export interface OmittedIds {
  readonly sources: ReadonlySet<string>;
  readonly products: ReadonlySet<string>;
}

/** Removes sources. Every other byte stays; undefined if that cannot be done in place. Pure. */
export function leaveOutSources(whole: string, { sources, products }: OmittedIds): string | undefined {
  if (sources.size === 0) return undefined;
  const parts = Object.entries({ sources, products }).filter(([, ids]) => ids.size > 0);
  return editText(whole, (yaml) =>
    parts.map(([part, ids]) => {
      const entries = nodeAt(yaml, [part]);
      const there = [...ids].filter((id) => isMap(entries) && pairIn(entries, id));
      return removeEntries(yaml, part, there);
    }),
  );
}

/** Moves sources to `unwatchable`; undefined if that cannot be done in place, or if no source would be left. Pure. */
export function giveUpSources(whole: string, all: readonly UnwatchedSource[]): string | undefined {
  return editText(whole, (yaml) => {
    const sources = nodeAt(yaml, ["sources"]);
    if (!isMap(sources) || all.length === 0 || all.length >= sources.items.length) return undefined;
    const entries = all.map((one) => entryOf(one, dataOf(yaml, pairIn(sources, one.id)?.value)));
    const ids = all.map(({ id }) => id);
    return [removeEntries(yaml, "sources", ids), addUnwatchable(yaml, entries)];
  });
}

type Entry = Readonly<Record<string, unknown>>;

function entryOf({ id, url, because }: UnwatchedSource, source: unknown): Entry {
  const { title = id, cites = [], "stands-for": standsFor = [], "cited-by": citedBy } = isObject(source) ? source : {};
  const numbers = [cites, standsFor].flatMap((all) => (Array.isArray(all) ? all : []));
  return {
    title,
    url,
    ...(numbers.length > 0 && { cites: numbers }),
    ...(Array.isArray(citedBy) && { "cited-by": citedBy }),
    because,
  };
}

function linesOf(entry: Entry): string[] {
  return Object.entries(entry).map(([key, value], i) => {
    const spelling = Array.isArray(value) ? yamlList(value) : yamlScalar(String(value));
    return `${i === 0 ? "  - " : "    "}${key}: ${spelling}`;
  });
}

/** Adds entries after the last one, or as a new list at the end of the file. */
function addUnwatchable(yaml: EditableYaml, entries: readonly Entry[]): Edit | undefined {
  const { text } = yaml;
  const list = nodeAt(yaml, ["unwatchable"]);
  const lines = entries.flatMap(linesOf).join("\n");
  if (list === undefined) {
    const added = `${text.endsWith("\n") ? "" : "\n"}\nunwatchable:\n${lines}\n`;
    const splice = { from: text.length, to: text.length, text: added };
    return { splices: [splice], changes: [{ path: ["unwatchable"], value: entries }] };
  }
  if (!isSeq(list) || list.flow || list.items.length === 0) return undefined;
  const at = endOfLine(text, endOf(text, list));
  const known = dataOf(yaml, list) as unknown[];
  return {
    splices: [{ from: at, to: at, text: `\n${lines}` }],
    changes: [{ path: ["unwatchable"], value: [...known, ...entries] }],
  };
}
