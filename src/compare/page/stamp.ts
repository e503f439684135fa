import type { Block } from "../../model.ts";

/**
 * Build stamps: lines that say when a machine made the page, and nothing else. A date that dates the text is content:
 * of "Last updated on 3 June 2026" only where it stands says which it is. Below everything else it is a stamp, and with
 * a time of day, or beside the date of creation, it comes from a machine wherever it stands; above the text it dates it.
 */
export function withoutStamps(blocks: readonly Block[]): readonly Block[] {
  const tail = tailOf(blocks);
  const content = blocks.filter((block, index) => !isStamp(block, index >= tail));
  return content.length === blocks.length ? blocks : content;
}

/** A longer text is no stamp, and no line that may stand below one. */
const longest = 120;
/** So many lines may stand below a stamp at the end: a copyright, "Edit this page". */
const below = 6;

/** The first of the blocks with which the content has ended; of a page of a few short lines, the last. */
function tailOf(blocks: readonly Block[]): number {
  let tail = blocks.length;
  while (tail > 0 && blocks.length - tail <= below) {
    const block = blocks[tail - 1];
    if (!block || block.text.length > longest || block.kind === "row" || block.kind === "heading") break;
    tail--;
  }
  return tail > 0 ? tail : blocks.length - 1;
}

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const weekday = "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?";
const date = new RegExp(
  `\\b${weekday}(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|\\d{1,2}(?:st|nd|rd|th)? ${month},? \\d{4}|${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})(?=t?\\b|t\\d)`,
  "g",
);
const time = /\bt?\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]m\b)?(?: ?(?:z|utc|gmt|[+-]\d{2}:?\d{2})\b)?/g;

const made =
  /\b(?:auto-?)?(?:generated|built|rendered|compiled|exported|deployed|refreshed|cached)\b|\bbuild (?:date|time)/;
const edited = /\b(?:updated?|modified|edited|changed)\b/;
const created = /\b(?:created|published)\b/;
/** Words that date the text, whatever stands beside them. */
const binding = /\b(?:effective|valid|applies|applicable|force|since|until|expires?|released?|supported)\b/;

/** What else such a line says. */
const filler = new Set(
  (
    "a this the page pages document documentation docs site website file manual report list article content was is has been " +
    "automatically auto auto-generated generated built build rendered compiled exported deployed refreshed cached last updated " +
    "update modified edited changed created published on at by with using from in for date time timestamp utc gmt commit revision"
  ).split(" "),
);
/** Behind one of these may stand so many words: the name of a tool or a person. */
const naming = new Set("by with using from for".split(" "));
const names = 6;

function isStamp({ text, kind }: Block, atEnd: boolean): boolean {
  if (text.length > longest || kind === "row" || kind === "heading" || kind === "code" || !/\d/.test(text))
    return false;
  const line = text.toLowerCase();
  const [isMade, isEdited] = [made.test(line), edited.test(line)];
  if ((!isMade && !isEdited) || binding.test(line)) return false;
  const dates = line.match(date)?.length ?? 0;
  const bare = line.replace(date, " ");
  const timed = bare.match(time) !== null;
  if (dates === 0) return false;
  const words = bare.replace(time, " ").match(/[\p{L}\p{N}][\p{L}\p{N}.-]*/gu) ?? [];
  const strange = words.findIndex((word) => !filler.has(word.replace(/\.$/, "")));
  if (strange >= 0 && (words.length - strange > names || !naming.has(words[strange - 1] ?? ""))) return false;
  return isMade || timed || atEnd || (dates > 1 && created.test(line));
}
