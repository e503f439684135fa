import { type CutText, cutToDifference } from "./apart.ts";
import { type Change, type ClaimChange, isMove } from "./change.ts";
import type { ClaimStatus, MovedFigure } from "./claim.ts";
import { fieldEdit } from "./fields.ts";
import type { Item } from "./reading.ts";
import { oneLine, withoutStop } from "./words.ts";

/** Says what changed, in plain words: for titles, issues, pages, feeds and terminals. Pure. */

/** A piece of a sentence: our own words, words of config, what the report says, or what a source calls something. */
export type Phrase =
  | string
  | { readonly config: string }
  | { readonly says: string }
  | { readonly code: string }
  | { readonly source: string }
  | { readonly figure: string }
  | { readonly version: string };

/** What a sentence about a change needs besides the change. */
export interface ChangeContext {
  /** The name of its source. Without it, the words are shown below that source. */
  readonly subject?: readonly Phrase[];
  /** The report's own words for the claim that changed. */
  readonly says?: string | undefined;
  /** The figure of the claim or text that the source has replaced, if that is certain. */
  readonly figure?: MovedFigure | undefined;
  /** The report's words were corrected after the change. */
  readonly isCorrected?: boolean;
  /** Words for the fact, if its kind of source has some, instead of its name and value: ` was archived`. */
  readonly became?: readonly Phrase[] | undefined;
  /** How many blocks changed with it. */
  readonly count?: number;
}

/** `new entry X`, `text changed under X`, `claim x altered`, or with its subject `X: text changed under Y`. */
export function changePhrases(change: Change, about: ChangeContext = {}): Phrase[] {
  const subject = about.subject ?? [];
  const after = (between: string): Phrase[] => (subject.length > 0 ? [...subject, between] : []);
  switch (change.kind) {
    case "item-added":
      return [...after(", "), "new entry ", { source: change.item.title }];
    case "item-edited":
      return [...after(", "), "entry edited ", { source: change.item.title }];
    case "item-withdrawn":
      return [...after(", "), "entry withdrawn ", { source: change.item.title }];
    case "fact":
      return about.became === undefined ? [...after(": "), ...factPhrases(change)] : [...subject, ...about.became];
    case "block":
      return about.figure && subject.length > 0
        ? [
            ...subject,
            " now says ",
            { figure: about.figure.now },
            ...headingPhrases(change),
            ", no longer ",
            { figure: about.figure.old },
          ]
        : [...after(": "), ...blockPhrases(change, about.count ?? 1)];
    case "claim":
      return claimPhrases(change, about);
    case "turned":
      return [...after(": "), `now ${change.now}`];
    case "link":
      return subject.length > 0 ? [...subject, ` ${linkWords(change)}`] : [`the address ${linkWords(change)}`];
  }
}

function linkWords({ to, first }: Extract<Change, { kind: "link" }>): string {
  // One check cannot know that an address is gone for good.
  if (to === "gone") return first === true ? "was not found" : "is gone";
  return to === "moved" ? "moved for good" : "is back";
}

function factPhrases({ name, before, after }: Extract<Change, { kind: "fact" }>): Phrase[] {
  const [left, right] = valuesShown(before, after);
  const was: Phrase[] = left === undefined ? [] : [valuePhrase(left), " → "];
  return [{ config: name }, " ", ...was, right === undefined ? "no longer given" : valuePhrase(right)];
}

/** A value may be empty, like the labels of an issue without labels. */
function valuePhrase(value: string): Phrase {
  return value.trim() === "" ? "nothing" : { source: value };
}

/** Values up to this many characters are shown in full. */
const maxValueCharacters = 80;

/** Both values. If one would be cut, only the words that differ, as the cut texts may be the same. */
function valuesShown(before: string | undefined, after: string | undefined): readonly (string | undefined)[] {
  if (before === undefined || after === undefined) return [before, after];
  if (Math.max(before.length, after.length) <= maxValueCharacters) return [before, after];
  return cutToDifference(before, after, 20, 40).map(showPart);
}

function blockPhrases(change: Extract<Change, { kind: "block" }>, count: number): Phrase[] {
  const { before, after } = change;
  const kind = (after ?? before)?.kind === "row" ? "table row" : "text";
  const what = before && after ? "changed" : after ? "added" : "removed";
  return [count > 1 ? `${count} changes` : `${kind} ${what}`, ...headingPhrases(change)];
}

function headingPhrases({ before, after }: Extract<Change, { kind: "block" }>): Phrase[] {
  const heading = (after ?? before)?.path.at(-1);
  return heading ? [" under ", { source: heading }] : [];
}

/** What a source does to a claim: at one check, and since a day. */
export const claimWords: Readonly<Record<ClaimStatus, { readonly now: string; readonly since: string }>> = {
  altered: { now: "now differs from", since: "has said something else" },
  gone: { now: "no longer supports", since: "has not said so" },
  contradicted: { now: "contradicts", since: "has contradicted it" },
  supported: { now: "supports", since: "has said so again" },
  "not found": { now: "does not support", since: "has not said so" },
};

/** The words for a change of a claim. A source may contradict a claim whose proof it never had. */
export function claimChangeWords({ to, otherwise }: ClaimChange): (typeof claimWords)[ClaimStatus] {
  return claimWords[otherwise === true ? "contradicted" : to];
}

/** A claim is named by the report's words, else by its id. */
function claimPhrases(
  change: ClaimChange,
  { subject = [], says, figure, isCorrected = false }: ChangeContext,
): Phrase[] {
  const named: Phrase[] =
    says === undefined
      ? ["claim ", { source: change.claim.split("/")[1] ?? change.claim }]
      : ["“", { says: withoutStop(says) }, "”"];
  if (subject.length > 0) {
    if (figure) return [...subject, " now says ", { figure: figure.now }, "; the report says ", { figure: figure.old }];
    const place = isMove(change) ? /#(L[\d-L]{1,20})$/.exec(change.after ?? "")?.[1] : undefined;
    if (place !== undefined) return [...subject, ...movedTo(change, place)];
    if (change.isFileGone) return [...subject, ": the link still works; its file is gone on the default branch"];
    if (isCorrected && says !== undefined) return [...subject, " changed; the report was corrected to ", ...named];
  } else if (isMove(change)) return ["moved the proof of ", ...named];
  const verb = claimChangeWords(change).now;
  const adverb = change.otherwise ? " (first check)" : change.to === "supported" ? " again" : "";
  return [...subject, subject.length > 0 ? ` ${verb} ` : `${verb} `, ...named, adverb];
}

/** The present place of cited lines, with the name of their file if that changed. */
function movedTo({ before = "", after = "" }: ClaimChange, place: string): Phrase[] {
  const [old, now] = [before, after].map(
    (link) => /\/(?:blob|raw)\/(?:refs\/(?:heads|tags)\/)?[^/]+\/([^?#]+)/.exec(link)?.[1],
  );
  if (old === undefined || now === undefined || old === now) return [": its cited lines are at ", { version: place }];
  return [": its file was renamed; its cited lines are at ", { version: `${now} ${place}` }];
}

/** For a line of plain text, with quotes around foreign names: `text changed under "Memory"`. */
export function changeWords(change: Change, about: ChangeContext = {}): string {
  return changePhrases(change, about).map(inLine).join("");
}

/** The same with the old and new values: `text changed under "Memory": "up to 128GB" → "up to 192GB"`. */
export function changeLine(change: Change, count = 1): string {
  const words = changeWords(change, { count });
  switch (change.kind) {
    case "item-edited":
      return `${words}${editWords(change)}`;
    case "link":
      return change.to === "moved" && change.address !== undefined ? `${words} to ${change.address}` : words;
    case "block":
    case "claim": {
      if (isMove(change)) return `${words} to ${change.after}`;
      const sides = sidesWords(change);
      return sides === undefined ? words : `${words}: ${sides}`;
    }
    default:
      return words;
  }
}

function inLine(phrase: Phrase): string {
  if (typeof phrase === "string") return phrase;
  if ("config" in phrase) return oneLine(phrase.config);
  if ("version" in phrase) return oneLine(phrase.version, 40);
  if ("figure" in phrase) return oneLine(phrase.figure, 40);
  if ("says" in phrase) return oneLine(phrase.says, 1_000);
  return `"${oneLine("source" in phrase ? phrase.source : phrase.code)}"`;
}

function editWords({ before, item }: Extract<Change, { kind: "item-edited" }>): string {
  if (before.pre === true && item.pre !== true) return ": no longer a pre-release";
  if (before.version !== item.version) return `: ${before.version ?? "no version"} → ${item.version ?? "none"}`;
  return before.title === item.title ? "" : `, before "${oneLine(before.title)}"`;
}

function sidesWords(change: Change): string | undefined {
  const [before, after] = fieldEdit(change)?.texts ?? changedTexts(change) ?? [];
  const [left, right] = cutToDifference(before ?? "", after ?? "", 20, 40).map(showPart);
  if (before !== undefined && after !== undefined) return `"${left}" → "${right}"`;
  return before === undefined && after === undefined ? undefined : `"${before === undefined ? right : left}"`;
}

function showPart({ text, before, after }: CutText): string {
  return `${before > 0 ? "… " : ""}${oneLine(text, 60)}${after > 0 && text.length <= 60 ? " …" : ""}`;
}

export function changedTexts(
  change: Change,
): readonly [before: string | undefined, after: string | undefined] | undefined {
  switch (change.kind) {
    case "block":
      return [change.before?.text, change.after?.text];
    case "claim":
      return change.to === "not found" ? undefined : [change.before, change.after];
    case "fact": {
      // Its words say the state. No check saw the state before.
      if (change.first !== undefined) return undefined;
      const named = (value: string | undefined) => (value === undefined ? undefined : `${change.name}: ${value}`);
      return [named(change.before), named(change.after)];
    }
    case "item-edited":
      return entryTexts(change);
    case "item-added":
    case "item-withdrawn":
    case "turned":
    case "link":
      return undefined;
  }
}

/** The heads of an entry if they differ, else its texts. Its earlier text is not remembered. */
function entryTexts({ before, item }: Extract<Change, { kind: "item-edited" }>): readonly [string, string] {
  const [was, is] = [headOf(before, item), headOf(item, before)];
  return was === is ? [textOf(before), textOf(item)] : [was, is];
}

/** An entry's title, with version and pre-release mark if those of the other differ: `Loom 2.13 / pre-release`. */
function headOf({ title, version, pre }: Item, other: Item): string {
  const isOther = version !== undefined && version !== other.version && !title.includes(version);
  return [title, ...(isOther ? [version] : []), ...(pre === true && other.pre !== true ? ["pre-release"] : [])].join(
    " / ",
  );
}

function textOf({ title, blocks }: Item): string {
  return [title, ...(blocks ?? []).map((block) => block.text)].join(" / ");
}

/** The two nearest headings above a change of a page. */
export function changePath(change: Change): readonly string[] {
  return change.kind === "block" ? ((change.after ?? change.before)?.path ?? []).slice(-2) : [];
}
