import * as z from "zod";
import { Failure } from "../../model/failure.ts";
import type { Request, Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { embeddedText, leastText, withoutText } from "../html/embedded.ts";
import { fingerprintOf, stripPage } from "../html/fingerprint.ts";
import { type HtmlPage, linksOf, type PageOptions, pageOf, wholePageOf } from "../html/html.ts";
import { unreadableReason, withoutMessages } from "../html/readable.ts";
import { validSelector } from "../html/select.ts";
import { textAddress } from "../html/text-address.ts";
import { type Known, readerOf } from "../reader.ts";
import { isUnread, unchangedAddress } from "../shared/address.ts";
import { checkReadable, decode, mediaType, textOf } from "../shared/body.ts";
import { versionsIn, versionsOption } from "../shared/versions.ts";

const selector = z.string().refine(validSelector, "needs a CSS selector, e.g. main .content");
const selectors = z.union([selector, z.array(selector)]);

/** Characters of a selector or text to wait for, at most. */
const maxWaitFor = 500;

/** A web page: its main content as blocks. `select` and `ignore` are CSS selectors. */
export const page = readerOf({
  kind: "page",
  spec: "https://html.spec.whatwg.org/multipage/",
  noun: "page",
  cadence: "1d",
  example: "https://example.org/docs/install",
  address: z.url({ protocol: /^https?$/ }),
  recognises: (url) => (isUnread(url) ? undefined : unchangedAddress(url)),
  options: {
    select: selectors.optional().describe("CSS selectors of the content (default: the main content)."),
    ignore: selectors.optional().describe("CSS selectors of parts to leave out."),
    browser: z.literal(true).optional().describe("Open the page in a browser, which RECHECK_BROWSER names."),
    "wait-for": z
      .string()
      .min(1)
      .max(maxWaitFor)
      .optional()
      .describe("With `browser`: a CSS selector or a text of the page that must be there before it is read."),
    ...versionsOption,
  },
  dependent: { "wait-for": "browser" },
  gives: ({ versions }) => ({ text: true, rows: true, items: versions !== undefined }),
  structured: false,
  robots: true,
  mayBeHalf: true,
  version: 48,
  request,
  fingerprint,
  read,
  whole: (response) => wholePageOf(decode(response)),
  neighbour,
});

function request({ address, options }: Source): Request {
  const plain = { url: address, accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1" };
  if (options.browser !== true) return plain;
  const waitFor = options["wait-for"];
  return { ...plain, browser: typeof waitFor === "string" ? { waitFor } : {} };
}

function read(response: Response, source: Source, { region, trace }: Known = {}): Reading {
  const type = mediaType(response);
  if (type && !/html|xml|^text\/plain$/.test(type)) {
    throw new Failure("wrong-type", { expected: "HTML", found: type });
  }
  const decoded = textOf(response);
  const html = withoutMessages(checkReadable(decoded));
  const { select, ignore } = source.options;
  const options = { select: listOf(select), ignore: listOf(ignore), region, trace };
  const bare = mayAskAll(source) ? undefined : bareOf(html);
  if (bare && html === decoded) barePages.set(response, bare);
  const page = mainOf(html, bare?.content ?? html, response, source, options);
  if (page.blocks.length === 0) throw new Failure("empty");
  const isListed = source.options.versions !== undefined;
  const items = isListed ? versionsIn(page.blocks.map(({ text }) => text).join("\n"), source) : undefined;
  const { passwordField: _, isList: __, ...reading } = page;
  return { ...reading, ...(isUnclosed(html) && { unclosed: true }), ...(items && { items }) };
}

/** The first link to a page in the same folder, which is probably made from the same template. */
function neighbour(response: Response): string | undefined {
  const here = URL.parse(response.url);
  const folder = here && new URL(".", here.href.replace(/\/$/, ""));
  if (!here || !folder) return undefined;
  for (const link of linksOf(decode(response))) {
    const url = link.length > maxAddress ? null : URL.parse(link, here);
    if (url?.host !== here.host || url.protocol !== here.protocol || url.search !== "") continue;
    if (!url.pathname.startsWith(folder.pathname) || isUnread(url)) continue;
    const isHere = url.pathname.replace(/\/$/, "") === here.pathname.replace(/\/$/, "");
    if (!isHere && url.pathname !== folder.pathname) return url.origin + url.pathname;
  }
  return undefined;
}

/** Characters of a link that is followed, at most. */
const maxAddress = 2_000;

/** Characters at the end of a page that are searched for its closing tag, as scripts may follow it. */
const lastOfPage = 100_000;

/** Whether a page ends without its closing tag. A site omits that always or never. */
function isUnclosed(whole: string): boolean {
  const { html } = withoutText(whole);
  return /<body[\s>]/i.test(html) && !/<\/(?:body|html)\s*>/i.test(html.slice(-lastOfPage));
}

/** The region of a page if its teasers were read, and if its text was read from its data. */
const listing = "teasers";
const embedded = "data";

/**
 * The content of a page. For a list of other pages without an earlier text, their teasers. `content`: a part of the
 * page that reads the same. @throws Failure if it is not the page, or has its text at another address
 */
function mainOf(
  html: string,
  content: string,
  response: Response,
  { address }: Source,
  { region, ...others }: PageOptions,
): HtmlPage & Pick<Reading, "from"> {
  const mayList = region === undefined || region === listing || region === embedded;
  const options = mayList ? others : { ...others, region };
  const ownPage = pageOf(content, options);
  const failure = unreadableReason(ownPage, html, response, options.trace);
  const isShell = failure?.kind === "shell" || failure?.kind === "empty";
  if (mayList && ownPage.isList && (!failure || isShell || failure.kind === "consent-wall")) {
    const listed = pageOf(content, { ...options, teasers: true });
    if (listed.blocks.length > ownPage.blocks.length && !unreadableReason(listed, html, response))
      return { ...listed, region: listing };
  }
  if (!failure) return ownPage;
  if (!isShell) throw failure;
  const { around: _, ...shell } = ownPage;
  const shipped = { ...shell, blocks: [...embeddedText(html)], region: embedded };
  const from = withoutText(html).address;
  if (shipped.blocks.length > 0 && !unreadableReason(shipped, html, response))
    return { ...shipped, from: from ?? "data in the page" };
  const text = from ?? textAddress(html, new URL(URL.parse(address)?.hash ?? "", response.url));
  throw text === undefined ? failure : new Failure(failure.kind, { text });
}

/** Whether the source's selectors may use attributes that no other reading uses. */
function mayAskAll({ options }: Source): boolean {
  return options.select !== undefined || options.ignore !== undefined;
}

function fingerprint(response: Response, source: Source): string | undefined {
  if (mayAskAll(source)) return undefined;
  const { html, content } = barePages.get(response) ?? bareOf(textOf(response));
  // Until a full collection, the engine keeps the values of a weak map, even if their keys are gone.
  barePages.delete(response);
  // The text of a shell may be in its scripts, which only a worker reads.
  const isShell =
    html.length - content.length > leastText &&
    content.length <= hollow.page &&
    content.replace(/<[^<>]*>/g, "").length <= hollow.text;
  return isShell ? undefined : fingerprintOf(mediaType(response), content);
}

/** Characters of a stripped page with almost no text, at most, and of that text. */
const hollow = { page: 20_000, text: 500 };

/** The stripped forms of pages that were read without changes. Their fingerprints use them. */
const barePages = new WeakMap<Response, ReturnType<typeof bareOf>>();

function bareOf(html: string) {
  return { html, content: stripPage(html) };
}

function listOf(option: unknown): string[] {
  return option === undefined ? [] : [option].flat().map(String);
}
