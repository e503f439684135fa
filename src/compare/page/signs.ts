import { cacheByText } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import type { ChangedText } from "./difference.ts";
import { aFewPages, keyOf, nameOf, query, wordsOf } from "./text.ts";

/**
 * Signs that count beside words: all in code with its capitals, brackets in signatures and synopses, hashes of content.
 * In other text, operators between two operands, signs before one, marks of notes, and the dashes of an option. All others
 * are typography: dashes, bullets, quotes, arrows at the end of a link.
 */

/** An option or argument in brackets, a choice in brackets, brackets behind a name: "[-n]", "[<stone>]", "{a|b}", "sift(x[, y])". */
const synopsis = /[[{] ?[<,-]|[[{][^\]}]{0,80}\||[<[][\w-]{1,40}[>\]]\.{3}/;
const signature = /\w[[(<{]/;
const bracket = /[()[\]{}<>|]/g;
/** In a signature, a star alone parts its arguments, and names differ by their capitals. */
const signOfSignature = /[()[\]{}<>|*]|\p{Lu}/gu;
/** Formatters add a comma after the last entry. */
const lastComma = /,(?=\s*[)\]}])/g;
/**
 * Quotes and dashes are not signs, since they are written in many ways. Capitals are: names in code differ by them. A hash
 * in code says which text is meant.
 */
const signOfCode = /\b[\da-fA-F]{16,128}\b|[^\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}\s"'`´\u2018-\u201f\u2010-\u2015-]/gu;

/** In data each hash says which content is meant. */
const hash = /\b[\da-f]{16,128}\b/gi;
/** A cell that is a hash, or a hash behind the name of its function. Others on a page are of addresses and builds. */
const checksum =
  /(?<=^|\| )[\da-f]{16,128}(?= \||$)|(?<=\b(?:sha-?\d{1,3}|md5|blake\w{1,3})[:=-] ?)[\da-f]{16,128}\b/gi;

/** Left out in prose: signs that are words already, and those that look like quotes, dots, dashes and strokes. */
const typography = /[<>!~]=+|(?<=[\p{L}\d+])\++|[≤≥≠≈±]|&#?\w{1,8};|["'`´\u2018-\u201f⁄−∕∖∙∣∶∼⋅⋆⋮⋯]/gu;
/** An operator between two operands, with or without spaces around it. A longer row of signs is a line. */
const operator = /(?<=[\p{L}\p{N})\]])( ?)(?:[*+<>=&^]{1,3}|\|\||-=|[^\0-\x7f\P{Sm}])\1(?=[\p{L}\p{N}([!])/gu;
/** A sign before its operand: "!cold", "∀x", "--stone". An exclamation mark of prose follows a word. */
const prefix = /[¬√\u2200-\u22ff](?= ?[\p{L}\p{N}([])|(?<![^\s([{=&|,/])(?:!(?=\$?[\p{L}_(])|--(?=\p{L}))/gu;
/** Behind a word: the mark of a note, or of an optional property. Stars may mark emphasis in the text. */
const suffix = /(?<=[\p{L}\p{N})%])(?:\*{1,3}|[†‡])(?![\p{L}\p{N}*])|(?<=[\p{L}\p{N}_])\?(?=:)/gu;
const emphasis = /(?<![^\s(])\*+\S/u;

/** The meaningful signs of a text; in its pieces of code, all. Generators add "()" to a name. */
export function signsOf(block: Block, asGrammar = isGrammar(block)): string {
  const { kind, text, code = "" } = block;
  if (kind === "value") return [...(text.match(hash) ?? []), signsOfProse(text)].join(" ").trim();
  if (kind === "code") return signsOfCode(text);
  const ofGrammar = asGrammar ? (text.match(kind === "term" ? signOfSignature : bracket) ?? []) : [];
  return [
    ...ofGrammar,
    ...(text.match(checksum) ?? []),
    signsOfCode(code.replaceAll("()", "")),
    signsOfProse(text),
  ].join("");
}

function isGrammar({ kind, text }: Block): boolean {
  return kind !== "value" && kind !== "code" && (synopsis.test(text) || (kind === "term" && signature.test(text)));
}

const signsOfProse = cacheByText(aFewPages, (text) => {
  const plain = text.normalize("NFKC").replace(query, " ").replace(typography, "");
  // Signs that are written in several ways. The path of a menu has arrows, too.
  const alike = plain
    .replace(/[-=]>|[→⇒⟶➔]/gu, ">")
    .replace(/<-(?= )|[←⇐⟵]/gu, "<")
    .replace(/[×∗]/gu, "*")
    .replace(/[\u2010\u2011]/gu, "-");
  const signed = emphasis.test(alike) ? alike.replaceAll("*", "") : alike;
  return [operator, prefix, suffix]
    .flatMap((form) => signed.match(form) ?? [])
    .join("")
    .replaceAll(" ", "");
});

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
    return [{ name: nameOf(`${words} ${signsOf(block)}`), text: block.text, block: index, place: nameOf(words) }];
  });
}

/** If one side is a signature or synopsis, both are compared as one. With other pieces, the markup changed. */
function hasSameSigns(block: Block, other: Block): boolean {
  const [piece, otherPiece] = [block, other].map(({ code = "" }) => keyOf(wordsOf(code)));
  if (block.kind !== other.kind || piece !== otherPiece) return true;
  const asGrammar = isGrammar(block) || isGrammar(other);
  return signsOf(block, asGrammar) === signsOf(other, asGrammar);
}

function signsOfCode(code: string): string {
  return (code.normalize("NFKC").replace(lastComma, "").match(signOfCode) ?? []).join("");
}
