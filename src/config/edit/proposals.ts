import { isCollection, isScalar, type Node } from "yaml";
import { lineOf, patchAround, type Splice } from "../../report/edit/splice.ts";
import { type RatingEdit, ratingSplices } from "./rating.ts";
import { type EditableYaml, editable, nodeAt, rangeOf } from "./yaml.ts";

/** How people write answers into `sources.yaml` themselves. */
export interface ByHand {
  /** From the root of the repository. */
  readonly path: string;
  /** Its page on GitHub, where that is known. */
  readonly page?: string;
  /** How these edits together would change it; undefined where one of them cannot be made in place. */
  readonly propose: (edits: readonly RatingEdit[]) => Proposal | undefined;
}

interface Proposal {
  /** The first line that changes, or would; counted from 1. */
  readonly line: number;
  /** A unified diff; empty where all of it stands there already. */
  readonly patch: string;
}

/**
 * Tells of edits how they would change a text, which is read once, when the first is asked for. Unlike `editRatings`,
 * the outcome is not read back: where an anchor, an alias or a tag stands at a rating, nothing is proposed.
 */
export function proposer(path: string, text: string): ByHand["propose"] {
  let read: { readonly yaml: EditableYaml | undefined } | undefined;
  return (edits) => {
    read ??= { yaml: editable(text) };
    const { yaml } = read;
    const splices = yaml && splicesOf(yaml, edits);
    const [first] = splices?.toSorted((a, b) => a.from - b.from) ?? [];
    if (!yaml || !splices || !first) return undefined;
    return { line: lineOf(yaml.text, first.from), patch: patchAround(path, yaml.text, splices) };
  };
}

function splicesOf(yaml: EditableYaml, edits: readonly RatingEdit[]): Splice[] | undefined {
  const all: Splice[] = [];
  for (const edit of edits) {
    const value = nodeAt(yaml, ["ratings", edit.rating]);
    const splices = value && isAlone(yaml, value) ? ratingSplices(yaml, value, edit) : undefined;
    if (!value || !splices) return undefined;
    const [at] = rangeOf(value);
    // An entry that stands there already still has its place.
    all.push(...(splices.length > 0 ? splices : [{ from: at, to: at, text: "" }]));
  }
  return all;
}

/** Whether nothing else in the file hangs on how a value is written. */
function isAlone({ text }: EditableYaml, value: Node): boolean {
  if (!isScalar(value) && !isCollection(value)) return false;
  const [from, to] = rangeOf(value);
  return value.anchor === undefined && value.tag === undefined && !/(?:^|[\s{,:[])[&*!]/.test(text.slice(from, to));
}
