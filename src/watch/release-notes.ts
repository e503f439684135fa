import type { Change } from "../model/change.ts";
import { conditionsOf } from "../model/condition.ts";
import type { Config, Trigger } from "../model/config.ts";
import type { Notes } from "../model/firing.ts";
import { finds } from "../model/options.ts";
import type { Block } from "../model/reading.ts";

/** Finds the paragraphs of release notes that name what a trigger asks about. Pure. */

/** Paragraphs quoted in an issue, at most. */
const maxParagraphs = 3;
const maxParagraphCharacters = 600;
/** Headings shown if no paragraph is. */
const maxHeadings = 8;
const maxTerms = 24;
/** Blocks of one release's notes that are searched, at most. */
const maxBlocks = 5_000;

/** Undefined if the change is no entry with a text, or the trigger has no names to search for. */
export function notesOn(change: Change, trigger: Trigger | undefined, config: Config): Notes | undefined {
  if (!trigger || !("item" in change) || change.item.blocks === undefined) return undefined;
  const about = termsOf(trigger, config);
  const patterns = conditionsOf(trigger).flatMap(({ condition }) =>
    "matches" in condition && condition.matches !== undefined ? [condition.matches] : [],
  );
  if (about.length + patterns.length === 0) return undefined;
  const speaks = ({ kind, text }: Block) =>
    kind !== "heading" && (about.some((term) => names(text, term)) || patterns.some((pattern) => finds(pattern, text)));
  const matches = change.item.blocks.slice(0, maxBlocks).filter(speaks);
  const headings = change.item.blocks.flatMap(({ kind, text }) => (kind === "heading" ? [text.slice(0, 200)] : []));
  return {
    about,
    ...(matches.length === 0 && headings.length > 0 && { headings: headings.slice(0, maxHeadings) }),
    paragraphs: matches.slice(0, maxParagraphs).map(quote),
    more: Math.max(0, matches.length - maxParagraphs),
  };
}

function quote({ path, text }: Block): string {
  const heading = path.at(-1);
  const whole = [...(heading === undefined ? [] : [heading]), text].join("\n");
  return whole.length <= maxParagraphCharacters ? whole : `${whole.slice(0, maxParagraphCharacters).toWellFormed()}…`;
}

/** Names in the questions and ratings of a trigger, except those of the products that the report watches. */
export function termsOf({ ask, ratings, wording = "", name }: Trigger, config: Config): string[] {
  const products = new Set(
    [...config.products.values()].flatMap(({ id, name, aliases }) =>
      [id, name, ...aliases].map((one) => one.toLowerCase()),
    ),
  );
  const titles = ratings.flatMap((id) => id.split("/").map((part) => config.names.get(part) ?? part));
  const texts = [...ask, ...titles, wording, name];
  const spans = texts.flatMap((text) => [...text.matchAll(/`([^`]{2,60})`/g)].map(([, span = ""]) => span));
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? []).filter(isName);
  const terms = [...new Set([...spans, ...words])].filter((term) => !products.has(term.toLowerCase()));
  return terms.slice(0, maxTerms);
}

/** Whether a word can only be a name: `MPS`, `ROCm`, `torch.compile`, `torch_xla`. */
function isName(word: string): boolean {
  if (word.length < 3 || /^[\d.-]+$/.test(word)) return false;
  return /\p{Lu}.*\p{Lu}/u.test(word) || /\p{L}[._]\p{L}/u.test(word) || /\p{L}\d|\d\p{L}/u.test(word);
}

function names(text: string, term: string): boolean {
  const [whole, sought] = [text.toLowerCase(), term.toLowerCase()];
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = whole.indexOf(sought); at >= 0; at = whole.indexOf(sought, at + 1)) {
    if (!isWord(whole[at - 1]) && !isWord(whole[at + sought.length])) return true;
  }
  return false;
}
