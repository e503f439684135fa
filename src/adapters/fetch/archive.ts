import { instantOf } from "../../language/dates.ts";
import { Failure } from "../../model/failure.ts";
import type { Clock, Copy, Fetch, FoundCopy, Request, Response, WebArchive } from "../../model/ports/index.ts";
import { pageKey } from "../../model/source.ts";
import { aDay, type Duration, day, type Instant } from "../../model/time.ts";
import { withoutArchive } from "../../read/shared/archived.ts";
import { redirects } from "./redirects.ts";

export interface ArchiveSettings {
  /** The archive's TimeGate (https://www.rfc-editor.org/rfc/rfc7089#section-2.1.2), to which a page's address is appended. */
  readonly timegate: string;
  /** The address for saving copies, to which a page's address is appended. Undefined: no copy is requested. */
  readonly save?: { readonly address: string; readonly accessKey: string; readonly secretKey: string };
}

/** Copies of a page that are opened, at most, the nearest first. */
const maxCopies = 3;
const maxHops = 4;
const maxDisagreement: Duration = aDay;

/** The pause between two requests: public archives refuse more than some 30 requests a minute. */
const pause: Duration = 2_000;

const pages = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/**
 * A web archive with the Memento protocol (RFC 7089). It is asked like any host: through the guarded fetch, one request
 * at a time. A copy is used only if all statements about it agree, and only from this host. @throws Error for a
 * TimeGate that is not an address
 */
export function createArchive(fetch: Fetch, clock: Clock, { timegate, save }: ArchiveSettings): WebArchive {
  const way: Way = { fetch, clock, timegate, home: new URL(timegate) };
  return {
    name: way.home.host,
    copies: (written, near) => copiesOf(written.split("#", 1)[0] ?? "", near, way),
    ...(save && { save: (url) => requestCopy(url, save, way) }),
  };
}

interface Way {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timegate: string;
  readonly home: URL;
}

type Near = Parameters<WebArchive["copies"]>[1];

/** Yields the copy that the TimeGate chooses, and then the nearest others. @throws Failure if it cannot be asked */
async function* copiesOf(url: string, near: Near, way: Way): AsyncGenerator<FoundCopy> {
  const choice = await choose(url, near.at, way);
  if (choice === undefined) return;
  if (choice.refused !== undefined) yield unusableCopy(choice.refused);
  else if (choice.address !== undefined) {
    const { address } = choice;
    const dated = choice.links.find(({ href, at }) => href === address && at !== undefined)?.at;
    const found = await openCopy(address, { url, dated, near }, way);
    yield found;
    // The TimeGate chose the nearest copy, so no other one is closer.
    if (found.kind === "far") return;
  }
  yield* listedCopies(url, choice, near, way);
}

/** The copy that the TimeGate chooses, and the list of the others; undefined if there is no copy. */
async function choose(url: string, at: Instant, way: Way): Promise<Choice | undefined> {
  const headers = { "accept-datetime": new Date(at).toUTCString() };
  let address = way.timegate + url;
  for (let hops = 0; hops < maxHops; hops++) {
    const response = await hop({ url: address, headers }, way);
    if (response === undefined) return undefined;
    const links = webLinks(response.headers.link ?? "", response.url);
    if (!redirects.includes(response.status)) return chosenHere(response, links);
    const to = leadsTo(response, way);
    if (to === undefined) return { refused: "it leads to another host than the archive's", links };
    const negotiates = /\baccept-datetime\b/i.test(response.headers.vary ?? "");
    if (negotiates || stampOf(to.href) !== undefined) return { address: to.href, links };
    address = to.href;
  }
  throw new Failure("redirects", { limit: maxHops });
}

async function openCopy(address: string, expected: Expected, way: Way): Promise<FoundCopy> {
  const { url, near } = expected;
  let at = unchangedForm(address) ?? address;
  for (let hops = 0; hops < maxHops; hops++) {
    const stamp = stampOf(at);
    if (stamp !== undefined && isFar(stamp, near)) return { kind: "far", copy: { url: readableForm(at), at: stamp } };
    const response = await hop({ url: at }, way);
    if (response === undefined) return unusableCopy("the archive does not have the copy that it names");
    if (!redirects.includes(response.status)) return judgeCopy(response, expected, way.clock.now());
    const to = leadsTo(response, way);
    const page = to && pageInAddress(to.href);
    if (to === undefined || (page !== undefined && !isSamePage(page, url)))
      return unusableCopy("the copy leads to another page");
    at = unchangedForm(to.href) ?? to.href;
  }
  return unusableCopy("the copy leads from one copy to the next");
}

async function* listedCopies(url: string, choice: Choice, near: Near, way: Way): AsyncGenerator<FoundCopy> {
  const { host } = way.home;
  const map = choice.links.find(({ relations }) => relations.includes("timemap"));
  if (map === undefined || URL.parse(map.href)?.host !== host) return;
  const response = await hop({ url: map.href, accept: "application/link-format" }, way);
  if (response === undefined || redirects.includes(response.status)) return;
  const links = webLinks(Buffer.from(response.body).toString("utf8"), response.url);
  const others = links
    .filter(({ relations, href, at }) => relations.includes("memento") && at !== undefined && href !== choice.address)
    .filter(({ href, at = 0 }) => URL.parse(href)?.host === host && !isFar(at, near))
    .sort((a, b) => Math.abs((a.at ?? 0) - near.at) - Math.abs((b.at ?? 0) - near.at));
  for (const { href, at } of others.slice(0, maxCopies - 1)) yield await openCopy(href, { url, dated: at, near }, way);
}

/** Requests a copy of the present page, with the operator's keys. @throws Failure if that is refused */
async function requestCopy(url: string, save: NonNullable<ArchiveSettings["save"]>, way: Way): Promise<void> {
  const authorization = `LOW ${save.accessKey}:${save.secretKey}`;
  const request = { url: save.address + url, accept: "application/json", pause, authorization };
  const response = await answerTo(request, {}, way);
  const { status, body } = response;
  if (redirects.includes(status)) {
    // A redirect to the copy, if it was made at once, else to a login page.
    if (stampOf(leadsTo(response, way)?.href ?? "") === undefined) throw new Failure("status", { status });
  }
  // Refusals may have status 200: {"status":"error", …}.
  if (/"status"\s{0,9}:\s{0,9}"error"/.test(Buffer.from(body.subarray(0, 10_000)).toString("latin1")))
    throw new Failure("error-page");
}

/** Undefined if the archive has nothing there. */
async function hop(request: Request, way: Way): Promise<Response | undefined> {
  try {
    return await answerTo({ accept: pages, pause, ...request }, { robots: true }, way);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, facts } = error;
    if ((kind === "not-found" && !facts.robots) || kind === "empty") return undefined;
    throw error;
  }
}

async function answerTo(request: Request, { robots }: { readonly robots?: true }, { fetch }: Way): Promise<Response> {
  const fetched = await fetch.get(request, { ...(robots && { robots }), answers: redirects });
  if (fetched.kind === "not-modified") throw new Failure("status", { status: 304 });
  return fetched.response;
}

/** The target of a redirect; undefined if it is outside this archive. */
function leadsTo(response: Response, { home }: Way): URL | undefined {
  const to = URL.parse(response.headers.location ?? "", response.url);
  if (to?.host !== home.host) return undefined;
  to.protocol = home.protocol;
  return to;
}

interface Choice {
  /** The copy's address; undefined if none was chosen, though the archive may list some. */
  readonly address?: string;
  readonly refused?: string;
  readonly links: readonly WebLink[];
}

/** A TimeGate may send the copy itself, with its address. */
function chosenHere({ url, headers }: Response, links: readonly WebLink[]): Choice {
  if (headers["memento-datetime"] === undefined) {
    // The archive's own page for people is never a copy.
    return { refused: "the archive answers with a page of its own", links };
  }
  return { address: URL.parse(headers["content-location"] ?? "", url)?.href ?? url, links };
}

interface Expected {
  readonly url: string;
  /** The date in the link to the copy. */
  readonly dated: Instant | undefined;
  readonly near: Near;
}

/** Checks that a copy's statements agree with each other, and with the request. */
function judgeCopy(response: Response, { url, dated, near }: Expected, now: Instant): FoundCopy {
  const { headers } = response;
  const at = archiveDate(headers["memento-datetime"]);
  if (at === undefined) return unusableCopy("the archive answers with a page of its own");
  const copy: Copy = { url: readableForm(response.url), at };
  const dates = [dated, stampOf(response.url)].filter((date) => date !== undefined);
  if (at > now + maxDisagreement || dates.some((date) => Math.abs(date - at) > maxDisagreement))
    return unusableCopy("the archive gives one copy two dates");
  if (isFar(at, near)) return { kind: "far", copy };
  if (laterThan(at, headers)) return unusableCopy(`the archive dates the copy ${day(at)}, but the page was sent later`);
  const original = webLinks(headers.link ?? "", response.url).find(({ relations }) => relations.includes("original"));
  const page = original?.href ?? pageInAddress(response.url);
  if (page === undefined || !isSamePage(page, url))
    return unusableCopy("the archive does not say that it is a copy of this page");
  const own = { ...response, url };
  const isUnchanged = unchangedForm(response.url) === response.url;
  return { kind: "copy", copy, response: isUnchanged ? own : withoutArchive(own) };
}

/** Whether the page's own headers, which some archives keep, say that it is newer than its copy. */
function laterThan(at: Instant, headers: Response["headers"]): boolean {
  const own = [headers["x-archive-orig-date"], headers["x-archive-orig-last-modified"]].map(archiveDate);
  return own.some((date) => date !== undefined && date > at + maxDisagreement);
}

function isFar(date: Instant, { at, within }: Near): boolean {
  return Math.abs(date - at) > within;
}

function unusableCopy(says: string): FoundCopy {
  return { kind: "unusable", says };
}

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

function archiveDate(written: string | undefined): Instant | undefined {
  return written !== undefined && rfc1123.test(written) ? instantOf(written) : undefined;
}

/** An address of the Wayback Machine's software; two letters after the digits select the form that is sent. */
const stamped = /\/(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:[a-z]{2}_)?\/(?=https?:\/)/;

function stampOf(address: string): Instant | undefined {
  const [stamp, ...parts] = stamped.exec(address) ?? [];
  if (stamp === undefined) return undefined;
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, date, hour, minute, second);
}

/** The address of the page within the address of its copy, if it has one. */
function pageInAddress(address: string): string | undefined {
  const match = stamped.exec(address);
  return match ? address.slice(match.index + match[0].length) : undefined;
}

/** The address of a copy in its original form, if the archive has one: `id_`, for identity. */
function unchangedForm(address: string): string | undefined {
  return stamped.test(address) ? address.replace(stamped, "/$1$2$3$4$5$6id_/") : undefined;
}

function readableForm(address: string): string {
  return address.replace(stamped, "/$1$2$3$4$5$6/");
}

function isSamePage(one: string, other: string): boolean {
  // An address within an address may have lost one of its slashes.
  const [first, second] = [one, other].map((address) => pageKey(address.replace(/^(https?:)\/(?!\/)/, "$1//")));
  return first === second;
}
