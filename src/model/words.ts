import { isOfFirstCheck, type Noise } from "./change.ts";
import type { Proof } from "./claim.ts";
import type { Config, Trigger } from "./config.ts";
import { builtIn, type Evidence } from "./firing.ts";
import { cut } from "./markdown.ts";
import type { Refusal } from "./ports/index.ts";
import { aDay, day, type Instant, span } from "./time.ts";

/** Names, counts and lists in plain text. Pure. */

/** Why an issue is out of date, for the person who can repair it. */
export function refusalSays({ kind, what, next }: Refusal, closing = false): string {
  if (kind === "missing") return "not found on GitHub; if it is still missing in an hour, it counts as closed";
  if (kind === "invalid") return `GitHub rejects its new text; the next try is on ${day(next)}`;
  if (what === "comment") return "its conversation is locked: its description is updated, but without a comment";
  if (closing) return "it is answered, but GitHub does not let Recheck close a locked conversation";
  return "its conversation is locked; unlock it to get new events";
}

/** Text of config or of a source for one line: cut, without control characters. */
export function oneLine(text: string, most = 80): string {
  return cut(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim(), most);
}

/** The weight of a firing, for people who have no glossary. */
export const weightWords = { contrary: "against the report", routine: "for your information" } as const;

export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
}

/** `README.md:16`, without the mark by which a fetched page is known as HTML. */
export function placeText({ file, line }: Place): string {
  return `${file.replace(/#\.\w+$/, "")}${line === undefined ? "" : `:${line}`}`;
}

/** Names the proof of a claim: `the passage “is an early prototype”`, `the value 128 GB near “memory”`. */
export function describeProof(proof: Proof): string {
  if ("quote" in proof) return `the passage “${proof.quote}”`;
  if ("value" in proof) return `the value ${proof.value}${proof.of === undefined ? "" : ` near “${proof.of}”`}`;
  if ("fact" in proof)
    return proof.is === undefined ? `that ${proof.fact} stays as it was` : `the fact ${proof.fact}: ${proof.is}`;
  return `that “${proof.absent}” is not there${proof.under === undefined ? "" : ` under “${proof.under}”`}`;
}

export function triggerName(id: string, config: Config): string {
  if (id === builtIn.notFound) return "Out of date at the first check";
  if (id === builtIn.claims) return "Claims";
  if (id === builtIn.catchUp) return "Catch up";
  return config.triggers.get(id)?.name ?? id;
}

/** A rating's name for people: `Google TPU · Maturity`. */
export function ratingTitle(id: string, { names }: Config): string {
  return id
    .split("/")
    .map((part) => names.get(part) ?? part)
    .join(" · ");
}

/** A sentence for quotation within another one: without its final stop, except that of `…` or `U.S.` */
export function withoutStop(sentence: string): string {
  return sentence.replace(/(?<!\.|[.\s]\p{L})\.$/u, "");
}

/** With a capital at the start. */
export function asSentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Why an event matters: the part of config that matched, or a claim of the report. */
export function partWords(
  { part, condition, change }: Pick<Evidence, "part" | "condition"> & Partial<Pick<Evidence, "change">>,
  trigger?: Pick<Trigger, "wording">,
): string {
  if (part === "claim") return "a claim of the report";
  if (part === "until") return "ends a claim of the report";
  if (isOfFirstCheck(change)) return "seen at the first check";
  if (part === "also") return "extra condition";
  return condition?.awaited ? "the report waits for this" : originWords(trigger);
}

/** The origin of a condition: the report, if the trigger quotes its words; else the trigger. */
export function originWords(trigger: Pick<Trigger, "wording"> | undefined): string {
  return trigger?.wording === undefined ? "named by the trigger" : "named by the report";
}

/** Why a difference was ignored. An earlier version may have stored a reason that has no words any more. */
export function noiseWords({ reason, site }: Pick<Noise, "reason" | "site">): string {
  const words = reasonWords[reason] ?? reason;
  return site ? `the same on ${pluralize(site.pages, "page")} of this site: ${words}` : words;
}

const reasonWords: Readonly<Record<string, string>> = {
  "moves at every check": "changes at each check, so it is not content",
  "its date rolls": "its date rolls: it moves with the clock",
  "one of a few variants": "one of a few variants that take turns here",
  "returned to an earlier text": "a return to an earlier text",
  "too old to be new": "older than every entry at the check before, so not new",
  "the time of the whole list": "all entries have the same time, so it says when the list was made",
  "did not last": "gone again at the second check",
  "a stamp": "ignored as a stamp: it says when or by which program the page was made",
  "the same words": "the same words: only marks, counters, relative dates or the numbers of headings differ",
  "a label": "a text that the page has elsewhere, too: a label of its layout",
  "around the content": "moved between the page's content and the menus around it",
  "the site's": "a stamp of its version, build or date",
  "reported for another page": "already reported for another page",
} satisfies Readonly<Record<Noise["reason"], string>>;

/** `#12`, or words for a recheck without an issue. */
export function issueName(issue: number | undefined): string {
  return issue === undefined ? "its issue is not written yet" : `#${issue}`;
}

/** A whole number: `65,536`. Creating the engine's own format takes longer than most commands. */
export function groupDigits(count: number): string {
  if (count < 0) return `-${groupDigits(-count)}`;
  let rest = String(count);
  const groups: string[] = [];
  for (; rest.length > 3; rest = rest.slice(0, -3)) groups.unshift(rest.slice(-3));
  return [rest, ...groups].join(",");
}

/** `1 source`, `1,204 sources`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`;
}

/** `1 changed, 3 kept`, without zero counts; with a noun, `1 rating changed, 3 kept`. */
export function tally(counts: readonly (readonly [count: number, verb: string])[], noun?: string): string {
  const some = counts.filter(([count]) => count > 0);
  return some
    .map(([count, verb], i) => `${i === 0 && noun !== undefined ? pluralize(count, noun) : groupDigits(count)} ${verb}`)
    .join(", ");
}

/** How many ratings were changed and how many kept: `1 changed, 3 kept`. */
export function verdictCounts(answers: readonly { readonly verdict: "keep" | "change" }[], noun?: string): string {
  const changed = answers.filter(({ verdict }) => verdict === "change").length;
  return tally(
    [
      [changed, "changed"],
      [answers.length - changed, "kept"],
    ],
    noun,
  );
}

/** The first entries, and a last one that counts the others: `and 3 more`. */
export function upTo(
  most: number,
  entries: readonly string[],
  rest = (more: number) => `and ${groupDigits(more)} more`,
): readonly string[] {
  return entries.length > most ? [...entries.slice(0, most), rest(entries.length - most)] : entries;
}

/** `a, b and 3 more`; `between` for words with commas of their own. */
export function firstOf(words: readonly string[], most: number, between = ", "): string {
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(between)} and ${groupDigits(more)} more` : words.join(between);
}

/** `a`, `a and b`, `a, b and c`; for more than `most`, `a, b and 3 more`. */
export function enumerate(words: readonly string[], most = 12): string {
  return words.length > most ? firstOf(words, most) : joinWords(words, "and");
}

/** `a`, `a or b`, `a, b or c`. */
export function enumerateOr(words: readonly string[]): string {
  return joinWords(words, "or");
}

export function joinWords(words: readonly string[], word: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}`;
}

/** The distance of a copy from the day of the audit: `2 days before the audit`. */
export function fromAuditWords(made: Instant, audited: Instant): string {
  const apart = made - audited;
  if (apart >= 0 && apart < aDay) return "on the day of the audit";
  return apart < 0 ? `${span(apart)} before the audit` : `${span(apart)} after the audit`;
}

/** `1, 4, 5 …`. */
export function refNumbers(numbers: readonly number[], most = 12): string {
  return `${numbers.slice(0, most).join(", ")}${numbers.length > most ? " …" : ""}`;
}

/** A source with the numbers by which the report cites it: `Tidewell pricing [2]`. */
export function withNumbers(title: string, numbers: readonly number[]): string {
  return numbers.length === 0 ? title : `${title} [${refNumbers(numbers, 6)}]`;
}

/** A text as part of a pattern, where it matches itself. Node has `RegExp.escape` only from 24 on. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
