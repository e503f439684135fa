import { isScalar, type Node, parse, Scalar } from "yaml";

/**
 * A word as a YAML scalar, fit for a block and for a flow: quoted as the one that it takes the place of, else plain
 * where it reads back as the same text. A number is plain only where there was a plain number before.
 */
export function spell(word: string, before: Node | undefined): string {
  const like = isScalar(before) ? before : undefined;
  if (like?.type === Scalar.QUOTE_DOUBLE) return JSON.stringify(word);
  if (like?.type === Scalar.QUOTE_SINGLE && !/[\p{Cc}]/u.test(word)) return `'${word.replaceAll("'", "''")}'`;
  const plain = plainValue(word);
  const fits =
    typeof plain === "string" ? plain === word : typeof plain === "number" && typeof like?.value === "number";
  return fits ? word : JSON.stringify(word);
}

/** What a reader makes of a word without quotes; undefined where it needs them. */
function plainValue(word: string): unknown {
  if (word.length > 200 || !/^[\p{L}\p{N}][\p{L}\p{N} ._/+%()-]*$/u.test(word) || word !== word.trim())
    return undefined;
  const [value]: unknown[] = parse(`[${word}]`, { schema: "core" });
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}
