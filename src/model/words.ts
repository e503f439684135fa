import { builtIn } from "./firing.ts";
import type { Config, Proof } from "./model.ts";

/** What happened, in the plain words that a program can know: for a terminal line, a title, a feed entry. Pure. */

/** Text of config or of a source for one line: control characters out, cut. */
export function quoted(text: string, most = 80): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).trimEnd()}…`;
}

/** What proves a claim: `the passage "is an early prototype"`, `the value 128 GB near "memory"`. */
export function describeProof(proof: Proof): string {
  if ("quote" in proof) return `the passage "${proof.quote}"`;
  if ("value" in proof) return `the value ${proof.value}${proof.of === undefined ? "" : ` near "${proof.of}"`}`;
  if ("fact" in proof) return `the fact ${proof.fact}: ${proof.is}`;
  return `that "${proof.absent}" is not there${proof.under === undefined ? "" : ` under "${proof.under}"`}`;
}

/** How people call a trigger. */
export function triggerName(id: string, config: Config): string {
  if (id === builtIn.notFound) return "Not found at first look";
  if (id === builtIn.claims) return "Claims";
  if (id === builtIn.catchUp) return "Catch up";
  return config.triggers.get(id)?.name ?? id;
}

const grouped = new Intl.NumberFormat("en");

/** `1 source`, `1,204 sources`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped.format(count)} ${count === 1 ? noun : plural}`;
}

/** `a, b and 3 more`; `between` where the words have commas of their own. */
export function some(words: readonly string[], most: number, between = ", "): string {
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(between)} and ${more} more` : words.join(between);
}

/** A stretch of a longer text, and how many characters are left out before and after it. */
export interface Stretch {
  readonly text: string;
  readonly before: number;
  readonly after: number;
}

/** How many characters two texts share at their start, and behind that at their end. */
export function shared(one: string, other: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}

/** Both texts cut to the words that differ. `around`: characters of what they share that stay; `most`: of what differs. */
export function apart(one: string, other: string, around: number, most: number): [Stretch, Stretch] {
  const { start, end } = shared(one, other);
  const stretch = (text: string): Stretch => {
    const from = wordStart(text, start - around);
    const isLong = text.length - end - start > most;
    const to = wordEnd(text, isLong ? start + most : text.length - end + around);
    return { text: text.slice(from, to).trim(), before: from, after: text.length - to };
  };
  return [stretch(one), stretch(other)];
}

/** At the start of a word, if there is one near. */
function wordStart(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < 40 ? space + 1 : at;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  return space >= 0 && at - space < 40 ? space : at;
}
