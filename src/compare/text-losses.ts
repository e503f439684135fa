import { isAboutBrowsers, saysEnd } from "../language/boilerplate.ts";
import { languageOf } from "../language/detect.ts";
import { Failure } from "../model/failure.ts";
import type { Trace } from "../model/heuristics.ts";
import type { Block, Reading } from "../model/reading.ts";
import type { Memory } from "./index.ts";
import type { Loss, LossOptions } from "./losses.ts";
import { isOtherDocument, sampleOf, type TitledText } from "./other-document.ts";
import { areAlike } from "./page/pair.ts";
import { textsOf } from "./page/text.ts";

/** Finds texts that replaced another one: half of it, none, another language, another page, or a wrong decoding. */

/** The loss if a text is only part of the earlier one, rearranged, in another language, or for another region. */
export function textLoss(
  { page, language, title, unclosed }: Memory,
  reading: Reading,
  { mayBeHalf, structured, elsewhere, trace }: LossOptions,
): Loss | undefined {
  if (!page) return undefined;
  // The last reading, if stored. The accepted content still holds texts whose removal waits.
  const last = page.latest ?? page.accepted;
  if (!reading.blocks) return last.length > 0 ? noText : undefined;
  const after = textsOf(reading.blocks);
  const accepted = { before: textsOf(page.accepted), after };
  if (page.latest && isThereAgain(page.accepted, reading.blocks, accepted)) return findMisread(accepted);
  const texts = { before: textsOf(last), after };
  const shares = sharesOf(last, reading.blocks, texts);
  if (trace) traceShares(shares, trace);
  const other = otherPage(page.region, reading.region, shares, reading.title !== undefined && reading.title === title);
  const isCut = reading.unclosed === true && !unclosed && !texts.after.has(last.at(-1)?.text ?? "");
  const isFirstPart = isBeginning(last, reading.blocks, texts);
  const leastMissing = isCut ? cutMissing : isFirstPart ? beginningMissing : halfMissing;
  const half = mayBeHalf && !other ? findHalfLoaded(shares, leastMissing, isCut || isFirstPart) : undefined;
  const titled = { before: { title, blocks: last }, after: { title: reading.title, blocks: reading.blocks } };
  return (
    (half && !isWritten(last, reading.blocks, texts) ? half : undefined) ??
    findMisread(texts) ??
    otherLanguage(last, reading.blocks, language, reading.language, shares) ??
    other ??
    (structured && !elsewhere ? undefined : otherDocument(titled.before, titled.after, shares))
  );
}

/** A source without text, as after a wiki removed its extension for text. Its edits are still listed. */
const noText: Loss = { failure: new Failure("lost", { what: "its text" }), now: "a source without text", anew: "page" };

/** In a half-loaded page, at least this share of the old text is gone, and at most this share is new. */
const halfMissing = 0.6;
const halfFresh = 0.1;
/** The same for a document that lost its end, and so was probably cut off in transit. */
const cutMissing = 0.02;
/** The same for a text that is only the beginning of the old one. */
const beginningMissing = 0.45;
/** With less of the old text gone, the language is not checked. */
const otherMissing = 0.3;
/** With less of the old text gone, a redesigned page can still be compared. */
const relaidMissing = 0.9;

function traceShares({ old, missing, fresh }: Shares, trace: Trace): void {
  if (old === 0) return;
  const gone = missing / old;
  trace({ threshold: "share that is gone, to be half loaded", value: gone, limit: halfMissing });
  if (gone >= halfMissing) {
    trace({ threshold: "share that came, to be half loaded", value: fresh / old, limit: halfFresh });
  }
  trace({ threshold: "share that is gone, to be asked for its language", value: gone, limit: otherMissing });
}

interface Shares {
  /** Characters before. */
  readonly old: number;
  /** Characters in blocks that are gone. */
  readonly missing: number;
  /** Characters in blocks that are new. */
  readonly fresh: number;
}

/** The texts of all blocks, before and now. */
interface Texts {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

function sharesOf(before: readonly Block[], after: readonly Block[], texts: Texts): Shares {
  const letters = (blocks: readonly Block[], but?: ReadonlySet<string>) =>
    blocks.reduce((sum, block) => (but?.has(block.text) ? sum : sum + block.text.length), 0);
  return {
    old: letters(before),
    missing: letters(before, texts.after),
    fresh: letters(after, texts.before),
  };
}

/** Whether the accepted text is back, so that the last reading was of something else. */
function isThereAgain(accepted: readonly Block[], blocks: readonly Block[], texts: Texts): boolean {
  const { old, missing } = sharesOf(accepted, blocks, texts);
  return old > 0 && missing < otherMissing * old;
}

/** Whether a text is the beginning of the old one. Its last block may be cut off, and so be new. */
function isBeginning(before: readonly Block[], after: readonly Block[], texts: Texts): boolean {
  const isCutHere = (text: string, i: number) => i === after.length - 1 && !texts.before.has(text);
  return after.length <= before.length && after.every(({ text }, i) => text === before[i]?.text || isCutHere(text, i));
}

/** The loss if at least a share of the text is gone and almost nothing is new. */
function findHalfLoaded({ old, missing, fresh }: Shares, least: number, isEndMissing: boolean): Loss | undefined {
  if (old < 600 || missing < least * old || fresh > halfFresh * old) return undefined;
  return { failure: new Failure("half-loaded"), ...(!isEndMissing && { rewritten: "around" }) };
}

const [mostFresh, mostMissing] = [20, 500];
/** Shorter texts, in characters, show no edit. Longer ones are cut to the maximum. */
const [minEdited, maxEdited] = [40, 1_000];

/** Whether people shortened the text: it says that something ended, or has an edited sentence, unlike half a page. */
function isWritten(before: readonly Block[], after: readonly Block[], texts: Texts): boolean {
  const news = after.filter(({ text }) => !texts.before.has(text)).slice(0, mostFresh);
  if (news.some(({ text }) => saysEnd(text) && !isAboutBrowsers(text))) return true;
  const fresh = wordingsOf(news);
  if (fresh.length === 0) return false;
  const missing = wordingsOf(before.filter(({ text }) => !texts.after.has(text)).slice(0, mostMissing));
  const isCut = (one: string, other: string) => one.startsWith(other.slice(0, -1));
  return fresh.some((now) =>
    missing.some((old) => !isCut(old.text, now.text) && !isCut(now.text, old.text) && areAlike(old, now)),
  );
}

/** Sentences without figures: "0 of 57" counts text that is still loading. */
function wordingsOf(blocks: readonly Block[]): Block[] {
  return blocks
    .filter(({ text }) => text.length >= minEdited)
    .map((block) => ({ ...block, text: block.text.slice(0, maxEdited).replace(/[\s\d]+/g, " ") }));
}

/**
 * The loss if another part of the page now holds the content, with nearly no old text to compare. With the old title it
 * is rewritten, unless most of the text is missing: that may be a request to sign in.
 */
function otherPage(
  before: string | undefined,
  now: string | undefined,
  { old, missing, fresh }: Shares,
  isTitled: boolean,
): Loss | undefined {
  if (before === undefined || now === undefined || before === now || missing < relaidMissing * old) return undefined;
  const failure = new Failure("lost", { what: "its text: the layout has changed" });
  if (!isTitled) return { failure, now: "another page", anew: "page" };
  const isText = fresh > (1 - halfMissing) * old;
  return { failure, now: "a rewritten page", anew: "page", ...(isText && { rewritten: "here" }) };
}

/** The share of the new text that must be wrongly decoded old text. */
const mostlyMisread = 0.5;

/** The loss if the text is the same in another decoding ("fÃ¼r"), or corrected. Browsers still show the right text. */
function findMisread({ before, after }: Texts): Loss | undefined {
  const newTexts = [...after].filter((text) => !before.has(text));
  const correctedTexts = new Set([...before].filter((text) => !after.has(text)).map(readAgain));
  const letters = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  const same = newTexts.filter((text) => before.has(readAgain(text)) || correctedTexts.has(text));
  if (same.length === 0 || letters(same) < mostlyMisread * letters(newTexts)) return undefined;
  return { failure: new Failure("charset"), now: "in another encoding", anew: "page" };
}

/** Characters above Latin-1, and the byte of each. https://encoding.spec.whatwg.org/#windows-1252 */
const windows1252 = new Map(
  Array.from({ length: 32 }, (_, i) => [new TextDecoder("windows-1252").decode(Uint8Array.of(128 + i)), 128 + i]),
);

/** Two or more bytes of UTF-8, each decoded as a character. */
const twice = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${[...windows1252.keys()].join("")}]`);

/** Decodes a text as UTF-8 that was decoded as Windows-1252; unchanged if that is impossible. */
function readAgain(text: string): string {
  if (!twice.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const byte = code < 0x100 ? code : windows1252.get(text.charAt(i));
    if (byte === undefined) return text;
    bytes[i] = byte;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}

/** Another document, from a server that confused its pages or a parked domain. Missing passages are not news then. */
function otherDocument(before: TitledText, after: TitledText, { old, missing }: Shares): Loss | undefined {
  if (missing < relaidMissing * old || !isOtherDocument(before, after)) return undefined;
  return { failure: new Failure("another-page"), now: "another page", anew: "page" };
}

function otherLanguage(
  before: readonly Block[],
  after: readonly Block[],
  wording: string | undefined,
  says: string | undefined,
  { old, missing }: Shares,
): Loss | undefined {
  if (missing < otherMissing * old) return undefined;
  const expected = languageOf(sampleOf(withoutCode(before)));
  const found = languageOf(sampleOf(withoutCode(after)));
  if (expected && found && expected !== found) return inLanguage(expected, found);
  const [wasRegion, isRegion] = [regionOf(wording), regionOf(says)];
  return wording && says && wasRegion && isRegion && wasRegion !== isRegion ? inLanguage(wording, says) : undefined;
}

/** Output of programs has no language: "NA" and "w" in table rows are not Polish. */
function withoutCode(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ kind }) => kind !== "code");
}

function inLanguage(expected: string, found: string): Loss {
  const failure = new Failure("language", { expected, found });
  return { failure, now: `in ${languageName(found)}`, anew: "page", rewritten: "around" };
}

/** `de` → `German`. */
function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(code.replaceAll("_", "-")) ?? code;
}

function regionOf(language: string | undefined): string | undefined {
  return language?.match(/^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2}|\d{3})$/i)?.[1]?.toLowerCase();
}
