import { phrasesOf } from "../../language/lexicon.ts";
import { type Term, type Word, wordsIn } from "../../language/words.ts";

/** A word of a sentence, with its properties for figures. */
export interface Token {
  readonly term: Term;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  /** A proper name, a model or a version: `M4`, `Max`, `HBM`, the `2.12` of `PyTorch 2.12`. */
  readonly name: boolean;
  /** The number of its part of the sentence: commas, brackets and conjunctions separate parts. */
  readonly part: number;
  /** The number of its clause: semicolons separate clauses. */
  readonly clause: number;
}

const parting = phrasesOf("statements.parting");

export function phraseTokens(sentence: string): Token[] {
  const words = wordsIn(sentence);
  const tokens: Token[] = [];
  const isOfHost = ofHost.test(sentence.slice(0, maxHostCharacters));
  let part = 0;
  let clause = 0;
  for (const [i, { term, start, end }] of words.entries()) {
    const before = tokens.at(-1);
    const between = before === undefined ? "" : sentence.slice(before.end, start);
    if (/;|\|/.test(between)) clause++;
    if (/[,;:|()—]|\s[–-]\s/.test(between) || parting.has(term.key)) part++;
    else if (term.key === "to" && isSecond(words[i + 1]?.term, tokens, part)) part++;
    const raw = sentence.slice(start, end);
    const follows = before?.name === true && /^[\s-]?$/.test(between);
    const opens = i === 0 && !/^(?:\s[–—-]\s|:\s)/.test(sentence.slice(end, end + 3)) && !goesOn(sentence, words);
    const name = (i === 0 && isOfHost && term.weight >= 1) || isName(term, raw, opens, follows);
    tokens.push({ term, raw, start, end, part, clause, name });
  }
  return tokens;
}

/** A list entry that begins with a host is about that host: `example.org - 24 hours`. */
const ofHost = /^[\p{L}\d-]{1,60}(?:\.[\p{L}\d-]{1,60}){1,4} [-–—] /u;
const maxHostCharacters = 310;

/** Words at the beginning of a sentence that may come before a name or a number. */
const openers = phrasesOf("statements.opening");

/** Whether the first word of a sentence is part of the name that follows: `Alpha Max`, `Kite-2`, `Kite 3.1`. */
function goesOn(sentence: string, [first, second]: readonly Word[]): boolean {
  if (first === undefined || second === undefined || openers.has(first.term.key)) return false;
  if (!/^\p{Lu}/u.test(sentence.slice(first.start, first.end))) return false;
  const [between, raw] = [sentence.slice(first.end, second.start), sentence.slice(second.start, second.end)];
  if (second.term.quantity !== undefined || openers.has(second.term.key)) return false;
  if (between === "-") return /^(?:\p{Lu}|\d)/u.test(raw);
  return between === " " && (second.term.weight >= 1 ? /^\p{Lu}/u.test(raw) || versionShape.test(raw) : false);
}

/** `from $1 an hour for Alpha to $5 an hour for Beta`: each end has its own subject. */
function isSecond(next: Term | undefined, tokens: readonly Token[], part: number): boolean {
  const dimension = next?.quantity?.dimension;
  return (
    dimension !== undefined &&
    tokens.some((token) => token.part === part && token.term.quantity?.dimension === dimension)
  );
}

/**
 * `opens`: it is the first word of a sentence, which always has a capital. `follows`: `: ` or ` - ` follows, so it is
 * the subject.
 */
function isName({ key, quantity, number, weight }: Term, raw: string, opens: boolean, follows: boolean): boolean {
  if (quantity !== undefined || weight < 1 || joiningWords.has(key)) return false;
  if (number !== undefined) return follows;
  if (/\p{L}/u.test(raw) && /\d/.test(raw)) return true;
  if (/^.+\p{Lu}/u.test(raw)) return true;
  return !opens && /^\p{Lu}/u.test(raw);
}

/** Words that join or separate statements: they are neither names nor measures. */
export const joiningWords = phrasesOf("statements.joining");

/** `2.8.3` */
export const versionShape = /^\d{1,5}(?:\.\d{1,6}){1,3}$/;

/** Names side by side are one: `M5 Max`. */
export function runsOf(names: readonly Token[]): Token[][] {
  let run: Token[] = [];
  const runs: Token[][] = [];
  for (const name of names) {
    const last = run.at(-1);
    if (last && name.start - last.end <= 1 && name.part === last.part) run.push(name);
    else {
      run = [name];
      runs.push(run);
    }
  }
  return runs;
}
