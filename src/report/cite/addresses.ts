import { decodeHTMLStrict } from "entities/decode";
import { dropCampaign } from "../../model/source.ts";
import { arxivNumber, written as doiAsWritten, doiIn, doiPage } from "../../read/shared/doi.ts";
import { linesLinked } from "../../read/shared/line-links.ts";
import { addressesIn, replacingAddresses, trimAddress } from "../../read/text/bare-addresses.ts";

/** Longer addresses are ignored. */
const maxAddressCharacters = 1_000;

/** Prefix of arXiv's pages of papers. */
export const arxivPage = "https://arxiv.org/abs/";

const doi = new RegExp(`\\b(?:dx\\.(?=doi\\.org))?doi(?:\\.org/|[:：]?\\s?)(?:doi:\\s?)?(${doiAsWritten})`, "gi");
const arxiv = new RegExp(`\\barxiv(?:\\.org/(?:abs|pdf)/|[:：]? ?)(${arxivNumber})(?:v\\d{1,2})?\\b`, "gi");

export function withoutAddressesAndIds(text: string): string {
  return replacingAddresses(text, () => "")
    .replace(doi, (_, id: string) => id.slice(trimAddress(id).length))
    .replace(arxiv, "");
}

/**
 * The addresses of papers that a text names by identifier: `doi:10.1000/182`, `doi.org/10.1000/182`,
 * `arXiv:2001.00001`.
 * Spec: https://www.doi.org/doi-handbook/HTML/, https://info.arxiv.org/help/arxiv_identifier.html
 */
export function identifiersIn(text: string): string[] {
  const found = [
    ...[...text.matchAll(doi)].flatMap(([, id = ""]) => doiIn(id) ?? []).map(doiPage),
    ...[...text.matchAll(arxiv)].map(([, id]) => `${arxivPage}${id}`),
  ];
  return found.flatMap((address) => webAddress(address) ?? []);
}

const series: readonly (readonly [RegExp, (number: string) => string])[] = [
  [/\bRFC[ -]?0*([1-9]\d{0,4})\b/g, (number) => `https://www.rfc-editor.org/rfc/rfc${number}`],
  [/\bBCP[ -]?0*([1-9]\d{0,3})\b/g, (number) => `https://www.rfc-editor.org/info/bcp${number}`],
  [/\bSTD[ -]?0*([1-9]\d{0,3})\b/g, (number) => `https://www.rfc-editor.org/info/std${number}`],
  [/\bPEP[ -]?0*([1-9]\d{0,3})\b/g, (number) => `https://peps.python.org/pep-${number.padStart(4, "0")}/`],
  [/\bBIP[ -]?0*([1-9]\d{0,3})\b/g, (number) => `https://bips.dev/${number}/`],
  [/\b(?:EIP|ERC)[ -]?0*([1-9]\d{0,4})\b/g, (number) => `https://eips.ethereum.org/EIPS/eip-${number}`],
  // Drafts are numbered by their names. Spec: https://github.com/cabo/kramdown-rfc
  [
    /\bI-D\.([a-z][a-z0-9-]{2,80}\b)/g,
    (name) => `https://datatracker.ietf.org/doc/draft-${name.replace(/^draft-/, "")}/`,
  ],
  [/\b(CVE-(?:19|20)\d\d-\d{4,7})\b/g, (name) => `https://osv.dev/vulnerability/${name}`],
];

/** The addresses of documents that an entry of a list of references names by their number: `RFC 2119`, `PEP 8`. */
export function numberedDocumentsIn(text: string): string[] {
  return series.flatMap(([name, page]) => [...text.matchAll(name)].map(([, number = ""]) => page(number)));
}

/** Standards that have a number and no public address: `ISO 8601`, `ISO/IEC 27001:2022`, `IEEE Std 802.11`, `DIN EN 301 549`. */
const standardsBodies = "ISO IEC IEEE ANSI DIN EN ETSI BS JIS GB ITU-T NFPA SAE ASTM".replaceAll(" ", "|");
const standard = new RegExp(
  `^\\W{0,3}(?:(?:${standardsBodies})[ /]?){1,3}(?:Std\\.? |[A-Z]{1,3}[ .-]?)?\\d[\\d. -]{0,14}\\d\\b`,
);

export function namesStandard(text: string): boolean {
  return standard.test(text.slice(0, 80));
}

/** The address to watch; undefined if it is not public, or if it is a template. */
export function webAddress(written: string): string | undefined {
  if (/[{}]|%7[bd]|\/(?:<|%3c)[\w-]{1,40}(?:>|%3e)(?:[/?#]|$)/i.test(written)) return undefined;
  const url = URL.parse(written.trim().replace(/^\/\/(?=\w)/, "https://"));
  const target = url && (redirectTarget(url) ?? url);
  return target && isPublic(target.hostname) ? watchedAddress(target) : undefined;
}

/** A web address with a login, which is left out, or with a host that is numeric or that only a local network knows. */
export function privateAddress(written: string): string | undefined {
  const url = URL.parse(written.trim());
  if (!url || (url.username === "" && url.password === "" && isPublic(url.hostname))) return undefined;
  return watchedAddress(Object.assign(url, { username: "", password: "" }));
}

/** The target of a redirecting address: `/url?q=https://…`, `/redirect?to=https://…`. */
function redirectTarget({ pathname, searchParams }: URL): URL | undefined {
  if (!/^\/(?:url|l\.php|redirect|away(?:\.php)?|out|goto|leave)\/?$/i.test(pathname)) return undefined;
  const target = ["q", "url", "u", "to", "target"].flatMap((name) => searchParams.get(name) ?? []);
  return target.flatMap((one) => (/^https?:\/\//i.test(one) ? (URL.parse(one) ?? []) : []))[0];
}

/** The address without tracking parameters and fragment, except `#/guide` of a client-side route and lines: `#L10`. */
export function watchedAddress(written: URL): string | undefined {
  const url = new URL(written);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (!/^#!?\//.test(url.hash) && !linesLinked(url.href)) url.hash = "";
  dropCampaign(url);
  const address = url.href;
  return address.length <= maxAddressCharacters ? address : undefined;
}

/** Whether a host name is public: not of the local machine or network. */
function isPublic(host: string): boolean {
  // Spec: https://www.rfc-editor.org/rfc/rfc2606
  if (/^(?:www\.)?example\.(?:com|net|org)$/i.test(host)) return false;
  return /\.[a-z][a-z\d-]*\.?$/i.test(host) && !/\.(?:local|localhost|internal|test|invalid|lan|onion)\.?$/i.test(host);
}

/** The line on which a text first has an address, from 1; undefined if it is not written in one piece. */
export function addressLines(text: string): (address: string) => number | undefined {
  const lines = text.split("\n");
  let written: ReadonlyMap<string, number> | undefined;
  return (address) => {
    written ??= new Map(lines.flatMap((line, i) => addressesOf(line).map((one) => [one, i + 1] as const)).reverse());
    const bare = address.replace(/^https?:\/\//, "").replace(/\/$/, "");
    const begins = written.get(withoutFragment(address)) ?? lines.findIndex((line) => line.includes(bare)) + 1;
    return begins === 0 ? undefined : begins;
  };
}

/** The ends of an address that may contain white space: in links of Markdown or HTML. */
const enclosed = /<(https?:[^<>\n]{1,1000})>|"(https?:[^"\n]{1,1000})"/gi;

/** All addresses that a line of any format may cite, in the form in which they are watched. */
function addressesOf(line: string): string[] {
  const text = decodeHTMLStrict(line.replace(/\\(?=[!-/:-@[-`{-~])/g, ""));
  const links = [...text.matchAll(enclosed)].flatMap(([, angled, quoted]) => angled ?? quoted ?? []);
  const all = [...links, ...addressesIn(text)].flatMap((one) => webAddress(one) ?? []);
  return [...all, ...identifiersIn(text)].map(withoutFragment);
}

/** The address of the page without the part of it: the same page is on several lines. */
export function withoutFragment(address: string): string {
  return address.replace(/#.*/s, "");
}
