import * as z from "zod";
import { isoInstant } from "../../language/dates.ts";
import { wordSet } from "../../model/cache.ts";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Block, Item, Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { httpAddress, type Recognised, readerOf } from "../reader.ts";
import { decodePart } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";

/**
 * A page of Wikipedia or another MediaWiki: its text without tables; the title to which it redirects (which shows a
 * move); and as items the edits that lasted: not minor, and not reverted within a day. A change of the text needs
 * confirmation, as most vandalism is gone by then.
 */
export const mediawiki = readerOf({
  kind: "mediawiki",
  spec: "https://www.mediawiki.org/wiki/API:Revisions",
  noun: "wiki page",
  cadence: "1d",
  example: "https://en.wikipedia.org/wiki/Tensor_Processing_Unit",
  address: httpAddress.refine(
    (address) => placeOf(URL.parse(address)) !== undefined,
    "needs a page of Wikipedia, or of another wiki as index.php?title=…, e.g. https://en.wikipedia.org/wiki/Tensor",
  ),
  recognises,
  gives: () => ({ text: true, items: true, facts: ["title"] }),
  structured: false,
  version: 2,
  request: ({ address }) => {
    const { api = "", title = "" } = placeOf(URL.parse(address)) ?? {};
    return jsonAt(`${api}?${query(title)}`);
  },
  read,
  titleOf: (_, { title }) => title,
});

/** Spec of the text: https://www.mediawiki.org/wiki/Extension:TextExtracts#API */
function query(titles: string): URLSearchParams {
  return new URLSearchParams({
    action: "query",
    format: "json",
    formatversion: "2",
    redirects: "1",
    curtimestamp: "1",
    prop: "revisions|extracts",
    rvprop: "ids|timestamp|flags|comment|tags",
    rvlimit: "50",
    explaintext: "1",
    exsectionformat: "wiki",
    titles,
  });
}

const wikimedia = wordSet(
  "mediawiki wikibooks wikidata wikimedia wikinews wikipedia wikiquote wikisource wikiversity wikivoyage wiktionary",
);

/** `de.wikipedia.org`, `en.m.wikipedia.org`, `www.wikidata.org` */
function isWikimedia(host: string): boolean {
  const name = /^(?:[a-z][a-z-]{1,20}\.)?(?:m\.)?([a-z]{5,15})\.org$/.exec(host)?.[1];
  return name !== undefined && wikimedia.has(name);
}

/** The API of a wiki, and the page in an address; undefined if the address does not contain them. */
function placeOf(url: URL | null): { readonly api: string; readonly page: string; readonly title: string } | undefined {
  if (!url) return undefined;
  const { hostname, pathname, searchParams } = url;
  const script = /^(.*)\/index\.php$/.exec(pathname);
  const short = isWikimedia(hostname) ? /^\/wiki\/(.+)$/.exec(pathname)?.[1] : undefined;
  const title = decodePart(short ?? (script ? (searchParams.get("title") ?? "") : "")).replaceAll("_", " ");
  if (title === "" || title.length > 255 || /[<>[\]{}|#\p{Cc}]/u.test(title) || listing.test(title)) return undefined;
  const origin = `${url.protocol}//${url.host.replace(/(?<=\.)m\.(?=wik)/, "")}`;
  const search = short === undefined ? `?title=${encodeURIComponent(title.replaceAll(" ", "_"))}` : "";
  return { api: `${origin}${script?.[1] ?? "/w"}/api.php`, page: `${origin}${pathname}${search}`, title };
}

/** Pages that the software generates from others. */
const listing = /^(?:Special|Category):/i;

/** A page; for an old version, the page is watched instead. Lists, histories and editors are read as web pages. */
function recognises(url: URL): Recognised | undefined {
  const found = placeOf(url);
  const shown = url.searchParams.get("action") ?? "view";
  if (!found || shown !== "view" || url.searchParams.has("diff")) return undefined;
  return { address: found.page, ...(url.searchParams.has("oldid") && { instead: true }) };
}

/** Without a readable date it is unknown which edits lasted. */
const time = z.iso.datetime().transform((written) => isoInstant(written));

const revision = z.object({
  revid: z.number(),
  timestamp: time,
  comment: z.string().nullish(),
  minor: z.boolean().nullish(),
  tags: z.array(z.string()).nullish(),
});

const shape = z.object({
  curtimestamp: time,
  warnings: z.record(z.string(), z.unknown()).nullish(),
  query: z.object({
    pages: z.tuple([
      z.object({
        title: z.string(),
        missing: z.boolean().nullish(),
        invalid: z.boolean().nullish(),
        extract: z.string().nullish(),
        revisions: z.array(revision).nullish(),
      }),
    ]),
  }),
});

/** Not every wiki has the extension for plain text; without it, only the edits are parsed. */
function read(response: Response, { address }: Source): Reading {
  const answer = parseShape(shape, parseJson(response), "page of MediaWiki");
  const [page] = answer.query.pages;
  if (page.missing || page.invalid) throw new Failure("not-found", { status: 404 });
  const hasExtension = !JSON.stringify(answer.warnings ?? {}).includes("extracts");
  if (typeof page.extract !== "string" && hasExtension)
    throw new Failure("malformed", { expected: "text of MediaWiki" });
  const script = (placeOf(URL.parse(address))?.api ?? "").replace(/api\.php$/, "index.php");
  const revisions = limitItems(page.revisions ?? []);
  const items = revisions.flatMap((one) => itemOf(one, answer.curtimestamp, script));
  return {
    title: page.title,
    ...(typeof page.extract === "string" && { blocks: blocksOfExtract(page.extract) }),
    // If all recent edits are minor or of today, older ones are on a later page. Then there are no items.
    ...((items.length > 0 || revisions.length === 0) && { items }),
    facts: { title: page.title.slice(0, 300) },
  };
}

/** Marks of edits that were reverted, or that reverted others. Spec: https://www.mediawiki.org/wiki/Manual:Reverts */
const takenBack = /^mw-(?:reverted|undo|rollback|manual-revert)$/;

function itemOf(
  { revid, timestamp: at, comment, minor, tags }: z.infer<typeof revision>,
  now: Instant,
  script: string,
): Item[] {
  if (now - at < aDay || minor === true || tags?.some((tag) => takenBack.test(tag))) return [];
  const summary = (comment ?? "")
    .replace(/\/\*(.{0,240}?)\*\//g, (_, section: string) => `${section.trim()}: `)
    .replace(/\[\[(?:[^[\]|]{0,200}\|)?([^[\]|]{0,200})\]\]/g, "$1")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
  return [{ id: String(revid), title: summary || `Edit ${revid}`, url: `${script}?diff=${revid}`, at }];
}

/** Paragraphs below their headings, which are written between equal signs: `== History ==`. */
function blocksOfExtract(text: string): Block[] {
  const path: string[] = [];
  const blocks: Block[] = [];
  for (const line of text.split("\n")) {
    const folded = line.replace(/\s+/g, " ").trim();
    const [, signs, heading] = /^(={2,6}) ?([^=].{0,300}?) ?={2,6}$/.exec(folded) ?? [];
    if (signs !== undefined && heading !== undefined) {
      path.length = Math.min(path.length, signs.length - 2);
      blocks.push({ path: [...path], kind: "heading", text: heading });
      path.push(heading);
    } else if (folded !== "") blocks.push({ path: [...path], kind: "paragraph", text: folded });
  }
  return [...limitItems(blocks)];
}
