import { decodeHTMLStrict } from "entities/decode";
import * as z from "zod";
import { wordSet } from "../../model/cache.ts";
import { letters, trimAddress } from "../text/bare-addresses.ts";
import { decodePart, pathParts } from "./address.ts";

/** The registrant of a DOI, perhaps with subdivisions: `10.1000`, `10.1000.10`. */
const prefix = /10\.\d{4,9}(?:\.\d{1,9}){0,4}/.source;

/** Spec: https://www.doi.org/doi-handbook/HTML/index.html#structure. Any letter may follow the prefix. */
export const doiAddress = z
  .string()
  .max(300)
  .regex(new RegExp(`^${prefix}/[^\\s"]+$`), "needs a DOI, e.g. 10.1145/3292500.3330701");

/** A DOI in a text, with the punctuation that follows it. */
export const written = `${prefix}(?:/|%2f)${letters}`;

/** The number of a paper on arXiv: `2001.00001`, `math.gt/0309136`. Spec: https://info.arxiv.org/help/arxiv_identifier.html */
export const arxivNumber = "\\d{4}\\.\\d{4,5}|[a-z-]{2,12}(?:\\.[a-z-]{2,12})?/\\d{7}";

const inText = new RegExp(`(?<![\\w.])${written}`, "i");

/** The address at which a DOI leads to its work. */
export function doiPage(doi: string): string {
  return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
}

/** The DOI in a field or address: `10.1000/182`, `doi:10.1000/182`, `https://publisher.example/doi/10.1000/182`. */
export function doiIn(field: string): string | undefined {
  const text = decodeHTMLStrict(field.trim());
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (url) return doiAt(url);
  const found = inText.exec(text)?.[0];
  return found === undefined ? undefined : registeredSpelling(decodePart(trimAddress(found)));
}

/** The registered spelling: without marks from typesetting, and with the check character of a SICI: `3.0.CO;2-#`. */
function registeredSpelling(doi: string): string {
  return doi
    .replace(/[\u00ad\u200b-\u200d\ufeff]/g, "")
    .replace(/[\u2010\u2011]/g, "-")
    .replace(/(?<=\.CO;2-)$/, "#");
}

/** The DOI in the path or query of an address, at the resolver or at a publisher. */
export function doiAt(url: URL): string | undefined {
  const { host } = pathParts(url);
  const isResolver = /^(?:dx\.)?doi\.org$/.test(host);
  const path = url.pathname.split("/").map(decodePart).join("/");
  const found = inPath.exec(path) ?? inPath.exec(decodePart(path));
  if (found) {
    const [, before = "", doi = ""] = found;
    const doiOfPath = isResolver ? doi.trim().replace(/(?<!\/)\/+$/, "") : ofPage(doi, `${host}${before}`);
    return registeredSpelling(doiOfPath ?? "") || undefined;
  }
  const inQuery = [...url.searchParams].map(([name, value]) => ofPage(wholly.exec(value)?.[1] ?? "", name + value));
  return inQuery.find((doi) => doi !== undefined);
}

const inPath = new RegExp(`^((?:[^/]{0,500}/){0,30}?(?:\\s|[a-z]{2,8}:){0,3})(${prefix}/.+)$`, "is");
const wholly = new RegExp(`^(?:doi: ?)?(${prefix}/\\S+)$`, "i");

/** Publishers' names for the views of a work, after its DOI. */
const views = wordSet(
  "abs abstract citation citations cited-by download epdf epub epub3 figures full full-text fulltext fulltext.html " +
    "full_text htm html info media meta metrics pdf pdf+html pdfdirect print reader references related similar summary " +
    "tables text xml",
);

/** Endings by which publishers distinguish the views of one work: `974980v2.full.pdf+html`. */
const viewed = wordSet(
  "abstract article-info article-metrics epub extract figures-only full full-text htm html long pdf short xml",
);

/** A file that belongs to a work but is not the work. */
const attached = /\.(?:csv|docx?|gif|ipynb|jpe?g|json|md|png|pptx?|rst|svg|tsv|txt|xlsx?|ya?ml|zip|gz)$/i;

/** The DOI that begins the rest of an address. Unless the part `before` speaks of DOIs, it needs a digit. */
function ofPage(rest: string, before: string): string | undefined {
  const [of = "", ...parts] = rest
    .replace(/;jsessionid=.*$/i, "")
    .split("/")
    .filter(Boolean);
  if (parts.some((part) => /^suppl/i.test(part)) || attached.test(parts.at(-1) ?? "")) return undefined;
  const isSaid = /doi/i.test(before);
  for (let behind = behindIt(parts); behind > 0; behind = behindIt(parts)) parts.splice(-behind);
  // A file name after several parts does not belong to the DOI, or the parts before it are not a DOI.
  if (parts.length > 1 && /\.(?:epub|html?|pdf|xml)$/i.test(parts.at(-1) ?? "")) {
    if (!isSaid) return undefined;
    if (parts.length > 2) parts.pop();
    if (behindIt(parts) === 1) parts.pop();
  }
  const last = withoutViews(parts.pop() ?? "");
  const suffix = [...parts, last].join("/");
  return suffix !== "" && (/\d/.test(suffix) || isSaid) ? registeredSpelling(`${of}/${suffix}`) : undefined;
}

/** The number of parts at the end of an address after the DOI: a view, a figure, a number or a title. */
function behindIt(parts: readonly string[]): number {
  const [before = "", last = ""] = parts.slice(-2);
  if (parts.length < 2) return 0;
  if (views.has(last.toLowerCase()) || (/^\d{7,}$/.test(last) && /\p{L}/u.test(before))) return 1;
  if (parts.length < 3) return 0;
  if (/^(?:figures?|tables?)$/i.test(before)) return 2;
  return /^\d{4,}$/.test(before) && /^\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)+$/u.test(last) ? 2 : 0;
}

/** A name without its view and version, as one DOI covers all of them. */
function withoutViews(written: string): string {
  let name = written.replace(/\.supplementary-material$/i, "");
  for (let views = 0; views < 3; views++)
    name = name.replace(/\.([a-z-]{3,15})(?:\+html)?$/i, (whole, view) =>
      viewed.has(view.toLowerCase()) ? "" : whole,
    );
  return name.replace(/(?<=\d)v\d{1,2}$/, "");
}
