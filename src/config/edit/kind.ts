import { isMap, isSeq } from "yaml";
import { isKeyed } from "../path.ts";
import { editable, editInPlace, endOfLine, keyAdded, nodeAt, type PlainYaml, pairIn, rangeOf } from "./yaml.ts";

/**
 * Has a source read as another kind: renames the key that holds its address. Every other byte stays; undefined if
 * that cannot be done in place. Pure.
 */
export function changeKind(whole: string, id: string, from: string, to: string): string | undefined {
  const yaml = editable(whole);
  const source = yaml && nodeAt(yaml, ["sources", id]);
  const pair = isMap(source) ? pairIn(source, from) : undefined;
  if (!yaml || !pair) return undefined;
  const [start, end] = rangeOf(pair.key);
  return editInPlace(yaml, [{ from: start, to: end, text: to }], (before) => {
    const sources = before.sources as Record<string, PlainYaml>;
    return { ...before, sources: { ...sources, [id]: renamed(sources[id] ?? {}, from, to) } };
  });
}

/** Sets `browser: true` on a page. Every other byte stays; undefined if that cannot be done in place. Pure. */
export function openInBrowser(whole: string, id: string): string | undefined {
  const place = pageIn(whole, id);
  if (!place) return undefined;
  const { yaml, source, page } = place;
  return editInPlace(yaml, [keyAdded(yaml, source, page, "browser: true")], (before) => {
    const sources = before.sources as Record<string, PlainYaml>;
    return { ...before, sources: { ...sources, [id]: { ...sources[id], browser: true } } };
  });
}

/** Writes a comment behind the address of a page. Undefined if that cannot be done in place. Pure. */
export function noteOnPage(whole: string, id: string, note: string): string | undefined {
  const place = pageIn(whole, id);
  if (!place) return undefined;
  const { yaml, page } = place;
  const at = endOfLine(yaml.text, rangeOf(page.value)[1]);
  return editInPlace(yaml, [{ from: at, to: at, text: ` # ${note}` }], (before) => before);
}

function pageIn(whole: string, id: string) {
  const yaml = editable(whole);
  const source = yaml && nodeAt(yaml, ["sources", id]);
  const page = isMap(source) ? pairIn(source, "page") : undefined;
  return yaml && isMap(source) && page ? { yaml, source, page } : undefined;
}

/**
 * Makes a trigger's file ask about new entries of a source instead of any change of its text. Undefined if
 * that cannot be done in place. Pure.
 */
export function askAboutEntries(whole: string, id: string): string | undefined {
  const yaml = editable(whole);
  const list = yaml && nodeAt(yaml, ["on"]);
  if (!yaml || !isSeq(list)) return undefined;
  const keys = list.items.flatMap((item) => {
    const pair = isMap(item) ? pairIn(item, "change") : undefined;
    return pair && isMap(item) && isOf(item.toJS(yaml.document), id) ? [rangeOf(pair.key)] : [];
  });
  const splices = keys.map(([from, to]) => ({ from, to, text: "item" }));
  return editInPlace(yaml, splices, (before) => ({
    ...before,
    on: (before.on as unknown[]).map((one) => (isOf(one, id) ? renamed(one, "change", "item") : one)),
  }));
}

/** Whether a condition asks about any change of a source. */
function isOf(condition: unknown, id: string): condition is PlainYaml {
  return isKeyed(condition) && condition.change === id;
}

function renamed(entry: PlainYaml, from: string, to: string): PlainYaml {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key === from ? to : key, value]));
}
