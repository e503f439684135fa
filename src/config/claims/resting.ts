import type { Config } from "../../model/model.ts";
import { Naming } from "../draft/naming.ts";
import type { CitedSentence } from "./sentences.ts";

/** Which ratings a place in a report suggests. */
export type Resting = (sentence: CitedSentence, words: string) => string[];

/**
 * The ratings that rest on what a sentence says: of its row and column; else of the one rated thing that its proof, it, its
 * headings or its paragraph speak of, as far as they speak of what is rated of it. `words`: all that the proof says.
 */
export function restingOn({ ratings, names }: Pick<Config, "ratings" | "names">): Resting {
  const parts = [...ratings.keys()].map((id) => ({ id, parts: id.split("/").map((part) => names.get(part) ?? part) }));
  const axes = Math.max(0, ...parts.map((one) => one.parts.length));
  const namings = Array.from(
    { length: axes },
    (_, axis) => new Naming([...new Set(parts.flatMap((one) => one.parts[axis] ?? []))]),
  );
  return (sentence, words) => {
    const placed = sentence.row === undefined ? [] : inCell(sentence, parts);
    if (placed.length > 0) return placed;
    const own = `${sentence.row ?? ""} ${sentence.column ?? ""} ${sentence.text}`;
    const headings = sentence.path.toReversed();
    const wanted = namings.map((naming, axis) =>
      axis === 0
        ? namedAlone(naming, [words, own, ...headings, sentence.around])
        : namedFirst(naming, [`${own} ${words}`, ...headings]),
    );
    if (wanted.some((one) => one.length === 0)) return [];
    return parts.filter((one) => one.parts.every((name, axis) => wanted[axis]?.includes(name))).map(({ id }) => id);
  };
}

function inCell(
  { row = "", column = "" }: CitedSentence,
  parts: readonly { id: string; parts: readonly string[] }[],
): string[] {
  const own = parts.filter(({ parts: [first = "", second] }) => {
    const [r, c] = [row.toLowerCase(), column.toLowerCase()];
    const is = (name: string, cell: string) =>
      cell === name.toLowerCase() || cell.startsWith(`${name.toLowerCase()} (`);
    if (second === undefined) return is(first, r);
    return (is(first, r) && is(second, c)) || (is(first, c) && is(second, r));
  });
  return own.map(({ id }) => id);
}

/** The first of these texts that names any. */
function namedFirst(naming: Naming, texts: readonly string[]): string[] {
  return texts.map((text) => naming.named(text)).find((names) => names.length > 0) ?? [];
}

/** The one that the first of these texts names; where that names several, the one of them that a later text names alone. */
function namedAlone(naming: Naming, texts: readonly string[]): string[] {
  let left: readonly string[] | undefined;
  for (const text of texts) {
    const named = naming.named(text).filter((name) => left?.includes(name) !== false);
    if (named.length === 1) return named;
    if (named.length > 0) left = named;
  }
  return [];
}
