import { isMap, isScalar, type YAMLMap } from "yaml";
import { lineEnd } from "../../report/edit/splice.ts";
import { addEntries, linesOf, type NewEntry, plainStyle, styleOf } from "./entry.ts";
import {
  type Edit,
  type EditableYaml,
  editInPlace,
  editText,
  endOfLine,
  nodeAt,
  pairIn,
  parseForEdit,
  rangeOf,
  renameKey,
  setValue,
} from "./yaml.ts";

/**
 * Adds a source at the end of `sources`, in the style of the others: a block or braces, their indent and quotes. Every
 * other byte stays. If it would change the meaning of the rest, nothing is written and `says` gives the reason. Pure.
 */
export function addSource(whole: string, source: NewEntry): { text: string } | { says: string } {
  const yaml = parseForEdit(whole);
  const edit = yaml && editFor(yaml, source);
  if (!edit) return { says: "`sources` is written in a way that cannot be edited in place" };
  const text = editInPlace(yaml, [edit]);
  return text === undefined ? { says: "other entries depend on how `sources` is written" } : { text };
}

function editFor(yaml: EditableYaml, source: NewEntry): Edit | undefined {
  const root = yaml.document.contents;
  const sources = nodeAt(yaml, ["sources"]);
  const isEmpty = isMap(sources) ? sources.items.length === 0 : isScalar(sources) && sources.value === null;
  if (isEmpty) return isMap(root) && !root.flow ? firstEntry(yaml, root, source) : undefined;
  return addEntries(yaml, ["sources"], [source], isMap(sources) ? styleOf(yaml.text, sources) : plainStyle);
}

/** The first source that is below a known key. */
function firstEntry({ text }: EditableYaml, root: YAMLMap, source: NewEntry): Edit {
  const pair = pairIn(root, "sources");
  const eol = lineEnd(text);
  const colon = text.indexOf(":", rangeOf(pair?.key)[1]) + 1;
  const end = isMap(pair?.value) ? rangeOf(pair.value)[1] : colon;
  const line = endOfLine(text, end);
  const added = [text.slice(end, line), ...linesOf(source, 2, plainStyle)].join(eol);
  return {
    splices: [{ from: colon, to: line, text: added }],
    changes: [{ path: ["sources", source.id], value: Object.fromEntries(source.keys) }],
  };
}

/** Renames the key with a source's address to another kind; undefined if that cannot be done in place. Pure. */
export function changeKind(whole: string, id: string, from: string, to: string): string | undefined {
  return editText(whole, (yaml) => [renameKey(yaml, ["sources", id, from], to)]);
}

/** Sets `browser: true` on a page. Every other byte stays; undefined if that cannot be done in place. Pure. */
export function openInBrowser(whole: string, id: string): string | undefined {
  const isSet = { value: true, spelling: "true" };
  return editText(whole, (yaml) => [setValue(yaml, ["sources", id, "browser"], isSet, "page")]);
}

/** Writes a comment after the address of a page. Undefined if that cannot be done in place. Pure. */
export function noteOnPage(whole: string, id: string, note: string): string | undefined {
  return editText(whole, (yaml) => {
    const source = nodeAt(yaml, ["sources", id]);
    const page = isMap(source) && pairIn(source, "page");
    if (!page) return undefined;
    const at = endOfLine(yaml.text, rangeOf(page.value)[1]);
    return [{ splices: [{ from: at, to: at, text: ` # ${note}` }], changes: [] }];
  });
}
