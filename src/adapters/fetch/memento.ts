import { instantOf } from "../../language/dates.ts";
import { pageKey } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";

/** How web archives describe their copies. Pure. Spec: https://www.rfc-editor.org/rfc/rfc7089 */

/** A web link (https://www.rfc-editor.org/rfc/rfc8288), with the date of a copy if it leads to one. */
export interface WebLink {
  /** Absolute. */
  readonly href: string;
  readonly relations: readonly string[];
  readonly at?: Instant;
}

/** Links of one header or TimeMap that are read. */
const maxLinks = 20_000;

/** The links of a `Link` header, or of a TimeMap as `application/link-format`. Malformed ones are left out. */
export function webLinks(text: string, base: string): WebLink[] {
  const links: WebLink[] = [];
  const target = /<([^<>\s]{1,4000})>/g;
  const parameter = /\s{0,20};\s{0,20}([\w!#$&+.^`|~*-]{1,40})\s{0,20}=\s{0,20}(?:"([^"]{0,4000})"|([^\s,;"]{0,400}))/y;
  for (let match = target.exec(text); match && links.length < maxLinks; match = target.exec(text)) {
    const parameters = new Map<string, string>();
    let end = target.lastIndex;
    parameter.lastIndex = end;
    for (let one = parameter.exec(text); one; one = parameter.exec(text)) {
      const name = (one[1] ?? "").toLowerCase();
      if (!parameters.has(name)) parameters.set(name, one[2] ?? one[3] ?? "");
      end = parameter.lastIndex;
    }
    target.lastIndex = end;
    const href = URL.parse(match[1] ?? "", base)?.href;
    if (href === undefined) continue;
    const relations = (parameters.get("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const at = archiveDate(parameters.get("datetime"));
    links.push({ href, relations, ...(at !== undefined && { at }) });
  }
  return links;
}

/** The form of dates that archives must use: https://www.rfc-editor.org/rfc/rfc7089#section-2.1.1 */
const rfc1123 = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A date of `Memento-Datetime` or of a link; undefined for anything else. */
export function archiveDate(written: string | undefined): Instant | undefined {
  return written !== undefined && rfc1123.test(written) ? instantOf(written) : undefined;
}

/** The same form: of `Accept-Datetime`. */
export function writtenForArchive(at: Instant): string {
  return new Date(at).toUTCString();
}

/**
 * Copies of the Wayback Machine, and of archives with the same software, are at `…/20260516093000/https://…`; two
 * letters after the digits select the form in which they are sent.
 */
const stamped = /\/(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:[a-z]{2}_)?\/(?=https?:\/)/;

export function stampOf(address: string): Instant | undefined {
  const [stamp, ...parts] = stamped.exec(address) ?? [];
  if (stamp === undefined) return undefined;
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, date, hour, minute, second);
}

/** The address of the page within the address of its copy, if it has one. */
export function pageInAddress(address: string): string | undefined {
  const match = stamped.exec(address);
  return match ? address.slice(match.index + match[0].length) : undefined;
}

/** The address of a copy in its original form, if the archive has one: `id_`, for identity. */
export function unchangedForm(address: string): string | undefined {
  return stamped.test(address) ? address.replace(stamped, "/$1$2$3$4$5$6id_/") : undefined;
}

/** The same in the form that people open. */
export function readableForm(address: string): string {
  return address.replace(stamped, "/$1$2$3$4$5$6/");
}

export function isSamePage(one: string, other: string): boolean {
  // An address within an address may have lost one of its slashes.
  const [first, second] = [one, other].map((address) => pageKey(address.replace(/^(https?:)\/(?!\/)/, "$1//")));
  return first === second;
}
