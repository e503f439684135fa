import { Failure, type FailureKind } from "../../model/failure.ts";
import type { Block, Reading } from "../../model/model.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Trace } from "../../model/trace.ts";
import type { HtmlPage } from "./html.ts";
import * as signs from "./signs.ts";

/**
 * Can it be read at all? Bot walls, consent and login pages, error pages that say 200, shells, half-loaded pages, other
 * languages: told before anything is compared, as *unknown* with the reason, never as a change.
 */

/** Below this many characters of content, markup of a challenge or a password field says what the page is. */
const little = 1_500;
/** Below this many, words alone do. */
const next = 700;
/** Below this many there is nothing else. */
const nothing = 260;

/** Whether a response is the page at all, told from itself alone; undefined where it is. */
export function unreadable(
  page: HtmlPage,
  html: string,
  response: Pick<Response, "url">,
  trace?: Trace,
): Failure | undefined {
  if (trace) traceLength(page, trace);
  const kind = kindOf(page, html, response.url);
  return kind && new Failure(kind);
}

function traceLength({ blocks }: HtmlPage, trace: Trace): void {
  const text = textOf(blocks);
  const about = text.slice(0, 60);
  for (const [what, limit] of [
    ["little", little],
    ["next to nothing", next],
    ["nothing", nothing],
  ] as const) {
    trace({ threshold: `characters of a page that says ${what}`, value: text.length, limit, about });
  }
}

function kindOf({ title = "", blocks }: HtmlPage, html: string, url: string): FailureKind | undefined {
  const text = textOf(blocks).replaceAll("’", "'");
  if (text.length >= little) return undefined;
  const markup = html.slice(0, 300_000).toLowerCase();
  const heads = [title, blocks.find((block) => block.kind === "heading")?.text ?? ""].map((head) =>
    head.replaceAll("’", "'").trim(),
  );
  const said = `${title}\n${text}`;
  if (isChallenge(said, text, heads, markup)) return "bot-wall";
  if (isError(text, heads)) return "error-page";
  if (isLogin(text, heads, markup, url)) return "login-wall";
  if (isConsent(text, markup)) return "consent-wall";
  if (isShell(text, html)) return "shell";
  return text === "" ? "empty" : undefined;
}

function isChallenge(said: string, text: string, heads: readonly string[], markup: string): boolean {
  const marked = signs.challengeMarkup.some((sign) => markup.includes(sign));
  if (marked && text.length < nothing && !heads.some((head) => signs.errorTitle.test(head))) {
    return signs.challengeWords.test(said) || text === "" || signs.needsScript.test(text);
  }
  if (marked) return signs.challengeWords.test(said);
  if (text.length < nothing) return signs.challengeWords.test(said);
  return text.length < next && heads.some((head) => signs.challengeWords.test(head)) && signs.challengeWords.test(text);
}

function isError(text: string, heads: readonly string[]): boolean {
  const titled = heads.some((head) => signs.errorTitle.test(head));
  if (text.length < nothing)
    return text !== "" && (titled || signs.errorWords.test(text) || (text.length < 80 && signs.errorTitle.test(text)));
  return titled && text.length < little && signs.errorWords.test(text);
}

/**
 * Whether a text file is an error that came with 200: a line that says so and little else, or the JSON or XML by which
 * interfaces tell one.
 */
export function isErrorText(written: string): boolean {
  const text = written.trim();
  if (text.length >= little) return false;
  if (/^[{[]/.test(text)) return isErrorJson(text);
  if (/^(?:<\?xml[^>]*>\s*)?<(?:\w+:)?error(?:s|response)?[\s>]/i.test(text)) return true;
  const [first = ""] = text.split("\n");
  return text.length < nothing && first.length < 80 && signs.errorTitle.test(first.replace(/^#{1,6} /, ""));
}

function isErrorJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return false;
    const { error, errors, message, status, code, statusCode } = value as Record<string, unknown>;
    if (error || (Array.isArray(errors) && errors.length > 0)) return true;
    return typeof message === "string" && [status, code, statusCode].some((one) => Number(one) >= 400);
  } catch {
    return false;
  }
}

function isLogin(text: string, heads: readonly string[], markup: string, url: string): boolean {
  const password = /<input[^>]{0,300}type\s*=\s*["']?password/.test(markup);
  const titled = heads.some((head) => signs.loginTitle.test(head));
  const path = /\/(?:log-?in|sign-?in|sso|auth|oauth2?|saml|session\/new|accounts?\/login)(?:[/?.]|$)/i.test(url);
  if (password) return text.length < next || titled || path;
  if (text.length < nothing) return titled || signs.loginWords.test(text);
  return text.length < next && (titled || path) && signs.loginWords.test(text);
}

function isConsent(text: string, markup: string): boolean {
  const marked = signs.consentMarkup.some((sign) => markup.includes(sign));
  const worded = signs.consentWords.test(text);
  if (text.length < nothing) return worded || (marked && text.length < 40 && !signs.appRoot.test(markup));
  return text.length < little && worded && (marked || countOf(signs.consentWords, text) > 2) && mostly(text);
}

/** Whether most sentences of a short text speak of cookies, consent or privacy. */
function mostly(text: string): boolean {
  const sentences = text.split(/[.!?\n]+/).filter((sentence) => sentence.trim().length > 12);
  const about = sentences.filter((sentence) =>
    /cookie|consent|privacy|partner|personali[sz]|advertis|preferences|accept|reject|datenschutz|einwillig|werbung|confidentialité|privacidad|einstellungen/i.test(
      sentence,
    ),
  );
  return about.length >= 0.6 * sentences.length;
}

function countOf(words: RegExp, text: string): number {
  return text.match(new RegExp(words.source, "giu"))?.length ?? 0;
}

function isShell(text: string, html: string): boolean {
  if (text.length >= nothing) return false;
  const start = html.slice(0, 300_000);
  if (signs.needsScript.test(text)) return true;
  if (/<meta[^>]{0,100}http-equiv\s*=\s*["']?refresh/i.test(start) && text.length < 120) return true;
  if (text.length >= 120) return false;
  return signs.appRoot.test(start) || (text.length < 40 && /<script\b/i.test(start));
}

function textOf(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) {
    text += `${block.text}\n`;
    if (text.length > little * 2) break;
  }
  return text.trim();
}

/** The part of a remembered page that matters here. */
export interface Before {
  readonly language?: string;
  readonly page?: { readonly accepted: readonly Block[] };
}

/** Whether a reading is only part of the page that it was before, or the page in another language or for another region. */
export function unreadableSince(before: Before | undefined, reading: Reading, trace?: Trace): Failure | undefined {
  const old = before?.page?.accepted;
  if (!old || !reading.blocks) return undefined;
  const shares = sharesOf(old, reading.blocks);
  if (trace) traceShares(shares, trace);
  return halfLoaded(shares) ?? otherLanguage(old, reading.blocks, before.language, reading.language, shares);
}

function traceShares({ old, missing, fresh }: Shares, trace: Trace): void {
  if (old === 0) return;
  const gone = { threshold: "share that is gone, to be half loaded", value: missing / old, limit: halfMissing };
  trace(gone);
  if (gone.value >= halfMissing) {
    trace({ threshold: "share that came, to be half loaded", value: fresh / old, limit: halfFresh });
  }
  trace({ threshold: "share that is gone, to be asked for its language", value: missing / old, limit: otherMissing });
}

/** Shares of the old text: of a page that is half loaded so much is gone at least, and so much is new at most. */
const halfMissing = 0.6;
const halfFresh = 0.1;
/** With less of the old text gone, nobody asks in what language the page is. */
const otherMissing = 0.3;

interface Shares {
  /** Characters before. */
  readonly old: number;
  /** Of them, in blocks that are there no more. */
  readonly missing: number;
  /** Characters in blocks that were not there. */
  readonly fresh: number;
}

function sharesOf(before: readonly Block[], after: readonly Block[]): Shares {
  const letters = (blocks: readonly Block[], but: ReadonlySet<string>) =>
    blocks.reduce((sum, block) => (but.has(block.text) ? sum : sum + block.text.length), 0);
  const none = new Set<string>();
  return {
    old: letters(before, none),
    missing: letters(before, new Set(after.map((block) => block.text))),
    fresh: letters(after, new Set(before.map((block) => block.text))),
  };
}

/** Most of it went and next to nothing came. */
function halfLoaded({ old, missing, fresh }: Shares): Failure | undefined {
  if (old < 600 || missing < halfMissing * old || fresh > halfFresh * old) return undefined;
  return new Failure("half-loaded");
}

function otherLanguage(
  before: readonly Block[],
  after: readonly Block[],
  said: string | undefined,
  says: string | undefined,
  { old, missing }: Shares,
): Failure | undefined {
  if (missing < otherMissing * old) return undefined;
  const expected = languageOf(sampleOf(before));
  const found = languageOf(sampleOf(after));
  if (expected && found && expected !== found) return new Failure("language", { expected, found });
  const [wasRegion, isRegion] = [regionOf(said), regionOf(says)];
  if (said && says && wasRegion && isRegion && wasRegion !== isRegion) {
    return new Failure("language", { expected: said, found: says });
  }
  return undefined;
}

function sampleOf(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) if (text.length < 20_000) text += ` ${block.text}`;
  return text;
}

function regionOf(language: string | undefined): string | undefined {
  return language?.match(/^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2}|\d{3})$/i)?.[1]?.toLowerCase();
}

/** Which language a text is in, by its commonest words. Only languages that can be told apart with certainty. */
const common: Readonly<Record<string, string>> = {
  en: "the of and to in is that for with are this be or as by you your from not",
  de: "der die und das ist den von zu mit sich des auf für nicht dem ein eine werden sie wir",
  fr: "le la les des et est que pour dans vous une sur par au avec ne nous votre qui aux",
  es: "el los las que del por con una para su es se al como más sus este nuestros usted",
  pt: "os que não uma para com por dos como mais seu sua você ao pelo são nos das em",
  it: "il di che per una gli con del della sono nel non si dei alla più nostro questo le",
  nl: "het een van en dat op te zijn met voor niet wij onze deze door aan om uw bij",
  pl: "się nie na do jest to że przez lub oraz dla od które są może zgodnie w i z",
  sv: "och att det som på är för inte med av till den har vi du dina om eller",
  da: "og at det som på er for ikke med af til den har vi du dine om eller kan",
  fi: "ja on ei se että tai ovat kun sen myös voi mukaan joka hän tämä sekä käyttää",
  tr: "ve bir bu için ile olarak da veya olan tarafından daha kadar gibi her sizin",
  id: "yang dan di untuk dengan dari ini pada atau anda kami tidak adalah dalam akan",
  cs: "se na je že pro to které nebo jako jsou při podle však může také i v z",
};

const scripts: readonly (readonly [string, RegExp])[] = [
  ["ja", /[\u3040-\u30ff]/gu],
  ["ko", /[\uac00-\ud7af]/gu],
  ["zh", /[\u4e00-\u9fff]/gu],
  ["ru", /[\u0400-\u04ff]/gu],
  ["ar", /[\u0600-\u06ff]/gu],
  ["el", /[\u0370-\u03ff]/gu],
  ["he", /[\u0590-\u05ff]/gu],
  ["th", /[\u0e00-\u0e7f]/gu],
  ["hi", /[\u0900-\u097f]/gu],
];

const languagesOf = new Map<string, string[]>();
for (const [language, words] of Object.entries(common)) {
  for (const word of words.split(" ")) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);
}

/** How much of a text is enough, and is looked at, in characters. */
const enough = 200;
const most = 20_000;

/** BCP 47 primary language of a text; undefined where it is short, mixed or none of those known. */
export function languageOf(text: string): string | undefined {
  const sample = text.slice(0, most);
  if (sample.length < enough) return undefined;
  for (const [language, script] of scripts) {
    const share = (sample.match(script)?.length ?? 0) / sample.length;
    if (share > (language === "ja" ? 0.1 : 0.3)) return language;
  }
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hits = new Map<string, number>();
  const kinds = new Map<string, Set<string>>();
  for (const word of words) {
    for (const language of languagesOf.get(word) ?? []) {
      hits.set(language, (hits.get(language) ?? 0) + 1);
      kinds.set(language, (kinds.get(language) ?? new Set()).add(word));
    }
  }
  const [first, second] = [...hits].sort((a, b) => b[1] - a[1]);
  // A table may say "v" or "o" in every row: one word makes no language.
  if (!first || (kinds.get(first[0])?.size ?? 0) < 3) return undefined;
  if (first[1] < 0.1 * words.length || first[1] < 1.4 * (second?.[1] ?? 0)) return undefined;
  return first[0];
}
