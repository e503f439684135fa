import { isMap, isNode, isSeq, type YAMLMap } from "yaml";
import type { Splice } from "../../report/edit/splice.ts";
import { yamlList, yamlScalar } from "../../report/write.ts";
import { isKeyed } from "../path.ts";
import {
  type EditableYaml,
  editable,
  editInPlace,
  endOf,
  endOfLine,
  entryRemoved,
  nodeAt,
  type PlainYaml,
  pairIn,
  rangeOf,
  startOfLine,
} from "./yaml.ts";

/** A source that is not to be watched any more, and why. */
export interface GivenUp {
  readonly id: string;
  readonly url: string;
  readonly because: string;
}

/** Ids of sources that are left out, and of the products that only they announce. */
export interface LeftOut {
  readonly sources: ReadonlySet<string>;
  readonly products: ReadonlySet<string>;
}

/** Takes sources out. Every other byte stays; undefined if that cannot be done in place. Pure. */
export function leaveOutSources(whole: string, { sources, products }: LeftOut): string | undefined {
  const yaml = editable(whole);
  if (!yaml || sources.size === 0) return undefined;
  const parts = new Map([
    ["sources", sources],
    ["products", products],
  ]);
  const splices = [...parts].map(([part, ids]) => entriesRemoved(yaml, part, ids));
  if (splices.includes(undefined)) return undefined;
  return editInPlace(
    yaml,
    splices.flatMap((some) => some ?? []),
    (before) =>
      Object.fromEntries(
        Object.entries(before).flatMap(([key, value]): [string, unknown][] => {
          const ids = parts.get(key);
          if (!ids || !isKeyed(value)) return [[key, value]];
          const kept = Object.entries(value).filter(([id]) => !ids.has(id));
          return kept.length > 0 ? [[key, Object.fromEntries(kept)]] : [];
        }),
      ),
  );
}

/** With the last entry the key goes, too. */
function entriesRemoved(yaml: EditableYaml, part: string, ids: ReadonlySet<string>): readonly Splice[] | undefined {
  if (ids.size === 0) return [];
  const entries = nodeAt(yaml, [part]);
  const { contents: root } = yaml.document;
  if (!isMap(entries) || entries.flow || !isMap(root)) return undefined;
  if (entries.items.length === ids.size) return [entryOut(yaml, root, part)].flatMap((one) => one ?? []);
  return [...ids].flatMap((id) => entryOut(yaml, entries, id) ?? []);
}

/**
 * Moves sources to `unwatchable`, with their citations. Every other byte stays; undefined if that cannot be done in place,
 * or if no source would be left. Pure.
 */
export function giveUpSources(whole: string, all: readonly GivenUp[]): string | undefined {
  const yaml = editable(whole);
  const sources = yaml && nodeAt(yaml, ["sources"]);
  if (!yaml || !isMap(sources) || sources.flow || all.length === 0 || all.length >= sources.items.length)
    return undefined;
  const plain: unknown = sources.toJS(yaml.document);
  const entries = all.map((one) => entryOf(one, isKeyed(plain) ? plain[one.id] : undefined));
  const taken = all.flatMap(({ id }) => entryOut(yaml, sources, id) ?? []);
  const added = entriesAdded(yaml, entries.flatMap(linesOf));
  if (taken.length < all.length || !added) return undefined;
  return editInPlace(yaml, [...taken, added], (before) => {
    const gone = new Set(all.map(({ id }) => id));
    const others = Object.entries(before.sources as PlainYaml).filter(([id]) => !gone.has(id));
    const known = Array.isArray(before.unwatchable) ? before.unwatchable : [];
    return { ...before, sources: Object.fromEntries(others), unwatchable: [...known, ...entries] };
  });
}

function entryOf({ id, url, because }: GivenUp, source: unknown): PlainYaml {
  const { title = id, cites = [], "stands-for": standsFor = [], "cited-by": citedBy } = isKeyed(source) ? source : {};
  const numbers = [cites, standsFor].flatMap((all) => (Array.isArray(all) ? all : []));
  return {
    title,
    url,
    ...(numbers.length > 0 && { cites: numbers }),
    ...(Array.isArray(citedBy) && { "cited-by": citedBy }),
    because,
  };
}

function linesOf(entry: PlainYaml): string[] {
  return Object.entries(entry).map(([key, value], i) => {
    const spelling = Array.isArray(value) ? yamlList(value) : yamlScalar(String(value));
    return `${i === 0 ? "  - " : "    "}${key}: ${spelling}`;
  });
}

/** Takes an entry out with the comments right above it and the empty line below. */
function entryOut({ text }: EditableYaml, entries: YAMLMap, id: string): Splice | undefined {
  const pair = pairIn(entries, id);
  if (!pair) return undefined;
  let from = startOfLine(text, rangeOf(pair.key)[0]);
  for (let above = startOfLine(text, from - 1); from > 0 && /^\s*#/.test(text.slice(above, from)); ) {
    from = above;
    above = startOfLine(text, from - 1);
  }
  const end = endOfLine(text, endOf(text, pair));
  const feed = /^\r?\n(?:[ \t]*\r?\n)?/.exec(text.slice(end, end + 200))?.[0] ?? "";
  return { from, to: end + feed.length, text: "" };
}

/** Below the last entry, or as a list of its own at the end. */
function entriesAdded(yaml: EditableYaml, lines: readonly string[]): Splice | undefined {
  const { text } = yaml;
  const list = nodeAt(yaml, ["unwatchable"]);
  if (list === undefined) {
    const gap = text.endsWith("\n") ? "" : "\n";
    return { from: text.length, to: text.length, text: `${gap}\nunwatchable:\n${lines.join("\n")}\n` };
  }
  if (!isSeq(list) || list.flow || list.items.length === 0) return undefined;
  const at = endOfLine(text, endOf(text, list));
  return { from: at, to: at, text: `\n${lines.join("\n")}` };
}

/**
 * Takes out the conditions that ask about one of these sources or products alone; undefined if that cannot be done
 * in place. Pure.
 */
export function withoutConditionsOn(whole: string, { sources, products }: LeftOut): string | undefined {
  const yaml = editable(whole);
  if (!yaml) return undefined;
  const isOfOne = (condition: unknown) =>
    isKeyed(condition) &&
    Object.entries(condition).some(
      ([key, value]) => typeof value === "string" && (key === "release" ? products : sources).has(value),
    );
  const splices = (["on", "also"] as const).map((part) => conditionsRemoved(yaml, part, isOfOne));
  if (splices.includes(undefined)) return undefined;
  return editInPlace(
    yaml,
    splices.flatMap((some) => some ?? []),
    (before) => {
      const rest = Object.entries(before).flatMap(([key, value]): [string, unknown][] => {
        if ((key !== "on" && key !== "also") || !Array.isArray(value)) return [[key, value]];
        const kept = value.filter((condition) => !isOfOne(condition));
        return kept.length > 0 || value.length === 0 ? [[key, kept]] : [];
      });
      return Object.fromEntries(rest);
    },
  );
}

/** Their lines; with the last one the key goes, too. */
function conditionsRemoved(
  yaml: EditableYaml,
  part: "on" | "also",
  isTaken: (condition: unknown) => boolean,
): readonly Splice[] | undefined {
  const { text, document } = yaml;
  const pair = isMap(document.contents) ? pairIn(document.contents, part) : undefined;
  if (!pair || !isSeq(pair.value)) return [];
  const taken = pair.value.items.map((item) => isTaken(isNode(item) ? item.toJS(document) : item));
  if (!taken.includes(true)) return [];
  if (taken.includes(false)) {
    const lines = taken.flatMap((is, index) => (is ? [entryRemoved(yaml, part, index)] : []));
    return lines.every((one) => one !== undefined) ? lines : undefined;
  }
  const end = endOfLine(text, endOf(text, pair));
  const feed = /^\r?\n/.exec(text.slice(end, end + 2))?.[0] ?? "";
  return [{ from: startOfLine(text, rangeOf(pair.key)[0]), to: end + feed.length, text: "" }];
}
