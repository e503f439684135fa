import {
  accusesVisitor,
  beginsConsent,
  consentWordsIn,
  isAboutConsent,
  isErrorTitle,
  isLoginTitle,
  isSaleTitle,
  needsScript,
  saysCrash,
  saysError,
  saysGone,
  saysLogin,
  saysMissing,
  saysParked,
  saysSale,
  saysWall,
} from "../../language/boilerplate.ts";
import { says } from "../../language/lexicon.ts";
import { Failure, type FailureKind } from "../../model/failure.ts";
import type { Trace } from "../../model/heuristics.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Block } from "../../model/reading.ts";
import { isObject, jsonIn } from "../shared/json-path.ts";
import type { HtmlPage } from "./html.ts";
import * as signs from "./signs.ts";

/**
 * Recognises unreadable pages: bot walls, consent and login pages, error pages with status 200, empty shells. They are
 * found before the comparison, and reported as *unknown* with the reason, never as a change.
 */

/** With less content, in characters, the markup of a challenge or a password field decides. */
const little = 1_500;
/** With less, words alone decide. */
const next = 700;
/** With less, the page has no content. */
const nothing = 260;

/** Why a response is not the page, judging by the response alone; undefined if it is. */
export function unreadableReason(
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

function kindOf(page: HtmlPage, html: string, url: string): FailureKind | undefined {
  const { title = "", blocks } = page;
  const text = textOf(blocks).replaceAll("’", "'");
  if (text.length >= little) return undefined;
  const markup = html.slice(0, 300_000).toLowerCase();
  const heads = [title, blocks.find((block) => block.kind === "heading")?.text ?? ""].map((head) =>
    head.replaceAll("’", "'").trim(),
  );
  const said = `${title}\n${text}`;
  if (isChallenge(said, text, heads, markup)) return "bot-wall";
  if (isError(text, heads)) return saysGone(said) ? "missing-page" : "error-page";
  if (isLogin(text, heads, page, url)) return "login-wall";
  if (isConsent(text, heads, markup)) return "consent-wall";
  if (isShell(text, blocks, html)) return "shell";
  return text === "" ? "empty" : undefined;
}

function isChallenge(title: string, text: string, heads: readonly string[], markup: string): boolean {
  if (accusesVisitor(text)) return true;
  const marked = signs.challengeMarkup.some((sign) => markup.includes(sign));
  if (marked && text.length < nothing && !heads.some(isErrorTitle)) {
    return saysWall(title) || text === "" || needsScript(text);
  }
  if (marked) return saysWall(title);
  if (text.length < nothing) return saysWall(title);
  return text.length < next && heads.some((head) => saysWall(head)) && saysWall(text);
}

function isError(text: string, heads: readonly string[]): boolean {
  const titled = heads.some(isErrorTitle);
  if (text.length < nothing) {
    const worded = saysError(text) || saysCrash(text) || saysMissing(text);
    return text !== "" && (titled || worded || (text.length < 80 && isErrorTitle(text)));
  }
  if (saysParked(text)) return true;
  if (saysSale(text) && heads.some(isSaleTitle)) return true;
  return titled && saysError(text);
}

/** A message of PHP in a page: its type, the message with a stack, the file and the line. */
const phpMessage = /<b>(warning|notice|deprecated|strict standards|(?:recoverable )?fatal error|parse error)<\/b>: /gi;
const phpPlace = / in <b>[^<]{1,300}<\/b> on line <b>\d{1,7}<\/b>/g;
const longestMessage = 10_000;
/** Messages of a page, at most. */
const mostMessages = 1_000;

/** A page without the warnings of its program. @throws Failure `error-page` if the program stopped midway */
export function withoutMessages(html: string): string {
  let text = "";
  let from = 0;
  for (const { index, 0: start, 1: sort = "" } of html.matchAll(phpMessage).take(mostMessages)) {
    if (index < from) continue;
    const rest = html.slice(index + start.length, index + longestMessage);
    phpPlace.lastIndex = 0;
    const place = phpPlace.exec(rest);
    if (!place) continue;
    if (/fatal|parse/i.test(sort)) throw new Failure("error-page");
    text += html.slice(from, index);
    from = index + start.length + place.index + place[0].length;
  }
  return text + html.slice(from);
}

/** Whether a text file is an error with status 200: one short message, or an API's error in JSON or XML. */
export function isErrorText(written: string): boolean {
  const text = written.trim();
  if (text.length >= little) return false;
  if (/^[{[]/.test(text)) return isErrorJson(text);
  if (/^(?:<\?xml[^>]*>\s*)?<(?:\w+:)?error(?:s|response)?[\s>]/i.test(text)) return true;
  const [first = ""] = text.split(/\n|(?<=\.)\s/);
  return text.length < nothing && first.length < 80 && isErrorTitle(first.replace(/^#{1,6} /, ""));
}

/** Keys of an API's error, at most. Files of translated messages have more. */
const maxErrorKeys = 8;

function isErrorJson(text: string): boolean {
  const value = jsonIn(text);
  if (!isObject(value) || Object.keys(value).length > maxErrorKeys) return false;
  const { error, errors, message, documentation_url: advice, ...more } = value;
  if (error || (Array.isArray(errors) && errors.length > 0)) return true;
  const isFailed = [more.status, more.code, more.statusCode].some((code) => Number(code) >= 400);
  return typeof message === "string" && (isFailed || typeof advice === "string" || isErrorTitle(message));
}

function isLogin(text: string, heads: readonly string[], page: HtmlPage, url: string): boolean {
  const field = page.passwordField;
  const titled = heads.some(isLoginTitle);
  const path = /\/(?:log-?in|sign-?in|sso|auth|oauth2?|saml|session\/new|accounts?\/login)(?:[/?.]|$)/i.test(url);
  const worded = saysLogin(text);
  const isSentence = (block: Block) => /\S\s+\S.*[.!?。！？]$/u.test(block.text);
  if (field && (titled || path)) return true;
  if (field === "content" || (field && (worded || !belowHeading(page.blocks).some(isSentence))))
    return text.length < next;
  if (text.length < nothing) return titled || worded;
  return text.length < next && (titled || path) && worded;
}

/** The blocks below the first heading of a page. */
function belowHeading(blocks: readonly Block[]): readonly Block[] {
  const heading = blocks.findIndex(({ kind }) => kind === "heading");
  return heading < 0 ? [] : blocks.slice(heading + 1);
}

function isConsent(text: string, heads: readonly string[], markup: string): boolean {
  const marked = signs.consentMarkup.some((sign) => markup.includes(sign));
  const worded = consentWordsIn(text);
  if (text.length < nothing) return worded > 0 || (marked && text.length < 40 && !signs.appRoot.test(markup));
  if (marked && /cookies/i.test(text) && heads.some(beginsConsent)) return true;
  // If a page opens with a dialog, the dialog is its text.
  const isMarked = marked || (text.length < next && markup.includes('aria-modal="true"'));
  return text.length < little && worded > 0 && (isMarked || worded > 2) && isMostlyConsent(text);
}

function isMostlyConsent(text: string): boolean {
  const sentences = text.split(/[.!?\n]+/).filter((sentence) => sentence.trim().length > 12);
  const about = sentences.filter(isAboutConsent);
  return about.length >= 0.6 * sentences.length;
}

function isShell(text: string, blocks: readonly Block[], html: string): boolean {
  if (text.length >= nothing) return false;
  const start = html.slice(0, 300_000);
  if (needsScript(text)) return true;
  if (/<meta[^>]{0,100}http-equiv\s*=\s*["']?refresh/i.test(start) && text.length < 120) return true;
  if (text.length >= 120) return false;
  return signs.appRoot.test(start) || (text.length < 40 && /<script\b/i.test(start) && !isStub(blocks, start));
}

/** The fewest links around a page. A shell gets them together with its content. */
const minSiteLinks = 5;
/** Words for a text that is not written yet. */
const isUnwritten = says("pages.unwritten");

/** Whether a page with its own title and its site's frame says that it is not written yet. */
function isStub(blocks: readonly Block[], html: string): boolean {
  const isSaid = belowHeading(blocks).some(({ kind, text }) => kind !== "heading" && isUnwritten(text));
  return isSaid && (html.match(/<a\s[^>]{0,300}\bhref\b/gi)?.length ?? 0) >= minSiteLinks;
}

function textOf(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) {
    text += `${block.text}\n`;
    if (text.length > little * 2) break;
  }
  return text.trim();
}
