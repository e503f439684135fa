import type { Block } from "../../model/reading.ts";
import type { ChangedText } from "./difference.ts";
import { keyOf, nameOf, wordsOf } from "./text.ts";

/**
 * Signs that count as words: all in code, brackets in signatures and synopses, hashes of content. In prose, signs are
 * decoration.
 */

/** An option or argument in brackets, a choice in brackets, brackets behind a name: "[-n]", "[<stone>]", "{a|b}", "sift(x[, y])". */
const synopsis = /[[{] ?[<,-]|[[{][^\]}]{0,80}\||[<[][\w-]{1,40}[>\]]\.{3}/;
const signature = /\w[[(<{]/;
const bracket = /[()[\]{}<>|]/g;
/** Formatters add a comma after the last entry. */
const lastComma = /,(?=\s*[)\]}])/g;
/** Quotes and dashes are not signs, since they are written in many ways. A hash in code says which text is meant. */
const signOfCode = /\b[\da-f]{16,128}\b|[^\p{L}\p{M}\p{N}\s"'`´\u2018-\u201f\u2010-\u2015-]/giu;

/** In data each hash says which content is meant. */
const hash = /\b[\da-f]{16,128}\b/gi;
/** A cell that is a hash, or a hash behind the name of its function. Others on a page are of addresses and builds. */
const checksum =
  /(?<=^|\| )[\da-f]{16,128}(?= \||$)|(?<=\b(?:sha-?\d{1,3}|md5|blake\w{1,3})[:=-] ?)[\da-f]{16,128}\b/gi;

/** The meaningful signs of a text, or of its pieces of code; undefined without any. Generators add "()" to a name. */
export function signsOf({ kind, text, code = "" }: Block): string | undefined {
  if (kind === "value") return text.match(hash)?.join(" ");
  if (kind === "code") return signsOfCode(text);
  const isGrammar = synopsis.test(text) || (kind === "term" && signature.test(text));
  if (isGrammar) return bracketsOf({ text });
  return text.match(checksum)?.join(" ") ?? (signsOfCode(code.replaceAll("()", "")) || undefined);
}

/** Texts that the other side only has with other signs. Both sides are given as their differing blocks. */
export function signChanges(
  blocks: readonly Block[],
  others: readonly Block[],
  changed: (text: string) => boolean,
): ChangedText[] {
  const changedBlocks = others.filter(({ text }) => changed(text));
  const signed = Map.groupBy(changedBlocks, ({ text }) => keyOf(wordsOf(text)));
  return blocks.flatMap((block, index): ChangedText[] => {
    if (!changed(block.text)) return [];
    const words = wordsOf(block.text);
    const same = words === "" ? [] : (signed.get(keyOf(words)) ?? []);
    if (same.length === 0 || same.some((other) => hasSameSigns(block, other))) return [];
    return [{ name: nameOf(`${words} ${signsOf(block) ?? ""}`), text: block.text, block: index, place: nameOf(words) }];
  });
}

/** If one side is a signature or synopsis, the brackets of both sides count. With other pieces, the markup changed. */
function hasSameSigns(block: Block, other: Block): boolean {
  const [piece, otherPiece] = [block, other].map(({ code = "" }) => keyOf(wordsOf(code)));
  if (block.kind !== other.kind || piece !== otherPiece) return true;
  const [own, theirs] = [signsOf(block), signsOf(other)];
  if (own === undefined && theirs === undefined) return true;
  return (own ?? bracketsOf(block)) === (theirs ?? bracketsOf(other));
}

function signsOfCode(code: string): string {
  return (code.normalize("NFKC").replace(lastComma, "").match(signOfCode) ?? []).join("");
}

function bracketsOf({ text }: Pick<Block, "text">): string {
  return (text.match(bracket) ?? []).join("");
}
