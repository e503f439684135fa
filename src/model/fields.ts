import type { Change } from "./change.ts";
import type { Block } from "./reading.ts";

/** A row by its first cell, or data by its path, with fields that begin with their column or key. */
interface Named {
  readonly name: string;
  readonly fields: readonly string[];
}

/** What changed in a row, an entry or a value. */
export interface FieldEdit {
  readonly name: string;
  /** Equal for the same edit elsewhere. A field that came or went is the same with any value, and so is another hash. */
  readonly key: string;
  /** The names of the fields that differ. */
  readonly of: string;
  /** The row or entry before and after, without the fields that stayed. */
  readonly texts?: readonly [before: string, after: string];
}

/** The path of a value. A colon within a name in brackets does not end it. */
const path = /^((?:[^[\]:]|\[[^[\]]*\]|:(?! ))+): /;

/** Keys of the members that name an entry for good, the best first. */
export const nameKeys = ["name", "title", "label", "id"];
/** The same with its version, which moves. */
const namingKeys = [...nameKeys, "version"];

/** A field that may name an entry without a name of its own: `support.name: Kite`. */
const naming = new RegExp(`^[\\w.-]*(?:${namingKeys.join("|")}): `, "i");

function namedIn({ kind, text, header }: Block): Named | undefined {
  if (kind === "row") {
    const [name = "", ...cells] = text.split(" | ");
    const [, ...columns] = header?.split(" | ") ?? [];
    if (header === undefined) return { name, fields: cells };
    return cells.length === columns.length
      ? { name, fields: cells.map((cell, i) => `${columns[i]}: ${cell}`) }
      : undefined;
  }
  const [all = "", name = ""] = (kind === "value" && path.exec(text)) || [];
  const said = text.slice(all.length);
  if (/^[\w.-]+: /.test(said)) return { name, fields: said.split("; ") };
  const end = name.search(/\.[^.[\]]+$/);
  return end > 0 ? { name: name.slice(0, end), fields: [text.slice(end + 1)] } : undefined;
}

/** What makes a change of data the same as others; undefined if it is an edit of its own. */
export function fieldEdit(change: Change): FieldEdit | undefined {
  if (change.kind !== "block") return undefined;
  const [was, is] = [change.before, change.after].map((block) => block && namedIn(block));
  const entry = is ?? was;
  if (!entry || (change.before && !was) || (change.after && !is)) return undefined;
  const [went, came] = onlyInEach(was?.fields, is?.fields);
  const isWhole = entry.fields.length > 1 && !(was && is);
  if (isWhole || went.length + came.length === 0) return undefined;
  const of = [...new Set([...went, ...came].map((field) => field.split(": ", 1)[0]))].join();
  const isEdit = went.length > 0 && came.length > 0;
  const [left = [], right = []] = isEdit ? [went, came].map(wordsIn) : [];
  const words = onlyInEach(left, right);
  // Only signs may differ, or the order.
  const edit = words.flat().length > 0 || left.includes("#") ? words : [went, came].map((fields) => isEdit && fields);
  const renamed = was && is && was.name !== is.name ? [was.name, is.name] : [];
  const stayed = entry.fields.filter((field) => !came.includes(field));
  const about = entry.name.endsWith("[]") ? `: ${stayed.find((field) => naming.test(field)) ?? stayed[0] ?? ""}` : "";
  const shown = (own: Named, fields: readonly string[]) => `${own.name}${about}: … ${fields.join("; ")}`;
  return {
    name: entry.name + about,
    key: JSON.stringify([renamed, of, went.length > 0, came.length > 0, edit]),
    of,
    ...(was && is && entry.fields.length > 1 && { texts: [shown(was, went), shown(is, came)] }),
  };
}

/** Words of fields, with one mark for all hashes. */
function wordsIn(fields: readonly string[]): readonly string[] {
  const words = fields.join(" ").split(/[^\p{L}\p{N}.]+/u);
  return words.map((word) => (/^(?=.*\d)[\da-z]{16,}$/.test(word) ? "#" : word));
}

/** The texts that only the first list has, and those that only the second one has. */
export function onlyInEach(one: readonly string[] = [], other: readonly string[] = []): readonly [string[], string[]] {
  const [ones, others] = [new Set(one), new Set(other)];
  return [one.filter((text) => !others.has(text)), other.filter((text) => !ones.has(text))];
}
