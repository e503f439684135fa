import {
  kindOfResponse,
  kindsByResponse,
  type Listing,
  listedTexts,
  type PageLinks,
  successorsOf,
  twinsOf,
} from "../../../audit/links.ts";
import { runInWorker } from "../../../audit/tasks.ts";
import { checkElsewhere, type Target, type Visit, visit, type Web } from "../../../audit/visit.ts";
import type { Check } from "../../../model/check.ts";
import { Failure } from "../../../model/failure.ts";
import type { Fetch, Response } from "../../../model/ports/index.ts";
import type { Block, Reading } from "../../../model/reading.ts";
import { readFrom } from "../../../model/reading-size.ts";
import { pageKey, type Source } from "../../../model/source.ts";
import type { Reader } from "../../../read/reader.ts";
import { frozenBy } from "../../../read/shared/address.ts";
import { decode } from "../../../read/shared/body.ts";
import { onDefaultBranch } from "../../../read/shared/github.ts";
import { kindOf, type RecognisedSource } from "../../../report/cite/sources.ts";
import { check, type World } from "../../../watch/check.ts";
import { rememberAnswers } from "../../../watch/one-request.ts";
import { settle } from "../../../watch/scan.ts";
import { type Candidate, givesNow, type TriedAddress } from "./proposal.ts";

export type WatchChoice =
  | { readonly candidate: Candidate; readonly visited: Visit }
  | { readonly failure: Failure; readonly kind: string }
  | { readonly because: string };

/** Finds the best way to watch an address. Candidates are tried in the order of their worth. */
export async function choose(address: string, asker: Prober, redirected = false): Promise<WatchChoice> {
  const watched = kindOf(address, asker.web.readers);
  if ("because" in watched) return watched;
  const rather = asker.web.readers.get(watched.kind)?.rather;
  if (rather) return await betterKind(watched, address, rather, asker);
  if (!kindsByResponse.has(watched.kind)) return await preferStructured(watched, address, asker);
  const visited = await asker.check(watched);
  const { moved, response, failure } = visited;
  if (moved !== undefined && !redirected && pageKey(moved) !== pageKey(watched.address))
    return await choose(moved, asker, true);
  if (response === undefined) return failedChoice(visited, failure);
  return await read(watched, visited, response, asker);
}

function failedChoice({ candidate }: Visit, failure = new Failure("empty")): WatchChoice {
  return { failure, kind: candidate.kind };
}

async function betterKind(
  watched: RecognisedSource,
  argument: string,
  { kind, why, otherwise }: NonNullable<Reader["rather"]>,
  asker: Prober,
): Promise<WatchChoice> {
  const { address } = watched;
  const better = await asker.check({ kind, address });
  if ((better.reading?.items?.length ?? 0) > 0) return { candidate: { kind, address, why }, visited: better };
  const visited = await asker.check({ kind: watched.kind, address });
  if (!visited.reading) return failedChoice(visited, visited.failure);
  // The reading works, but its content is nothing that a person would add without a comment.
  if (visited.response?.status === 404) return failedChoice(visited, new Failure("not-found", { status: 404 }));
  // An address that looks like a repository may be a group of repositories.
  if (visited.reading.facts?.public === "no")
    return (await asPage(argument, asker)) ?? failedChoice(visited, new Failure("not-found", { status: 404 }));
  return { candidate: { ...visited.candidate, why: otherwise }, visited };
}

async function preferStructured(watched: RecognisedSource, address: string, asker: Prober): Promise<WatchChoice> {
  const visited = await asker.check(watched);
  const { instead, ...rest } = watched;
  if (visited.failure?.kind === "not-found") {
    const other = await checkElsewhere(watched, asker.web.readers, (candidate) => asker.check(candidate));
    if (other) return { candidate: { ...other.candidate, why: "its service knows it" }, visited: other };
    return (await asPage(address, asker)) ?? failedChoice(visited, visited.failure);
  }
  if (!visited.reading) return failedChoice(visited, visited.failure);
  const frozen = instead ? { instead: "it is of one version" } : {};
  return { candidate: { ...rest, ...frozen, why: "the address shows its kind" }, visited };
}

/** A page exists, but it is about something that its service does not know, such as an identifier of another service. */
async function asPage(address: string, asker: Prober): Promise<WatchChoice | undefined> {
  const visited = await asker.check({ kind: "page", address });
  const chosen = visited.response && (await read({ kind: "page", address }, visited, visited.response, asker));
  return chosen && "candidate" in chosen ? chosen : undefined;
}

/** Decides by the response, unless the address determines the kind. */
async function read(
  watched: RecognisedSource,
  visited: Visit,
  response: Response,
  asker: Prober,
): Promise<WatchChoice> {
  const form = kindOfResponse(response);
  if ("because" in form) return form;
  if (form.kind === "page" && (watched.kind === "pdf" || watched.kind === "text"))
    return failedChoice(visited, visited.failure);
  if (form.kind === "page") {
    const page = watched.kind === "page" ? visited : await asker.check({ kind: "page", address: watched.address });
    return await ofPage(watched.address, page, response, asker);
  }
  if (form.kind === "json" && /\/status\.json$/.test(new URL(watched.address).pathname)) {
    const report = await reportAt(watched.address, asker);
    if (report) return report;
  }
  const kind = watched.kind === "page" || isData(form.kind, watched.address) ? form.kind : watched.kind;
  const ownSight = kind === watched.kind ? visited : await asker.check({ kind, address: watched.address });
  if (!ownSight.reading) return failedChoice(ownSight, ownSight.failure);
  const why = kind === watched.kind ? "the address shows its kind" : "the response shows its kind";
  const { kind: _, instead: __, frozen, ...rest } = watched;
  const current = frozen === undefined ? undefined : await currentFile(watched.address, asker);
  if (current) return { candidate: { ...current.candidate, instead: frozen, why: current.why }, visited: current };
  return { candidate: { ...rest, kind, why, ...(frozen && kind !== "feed" && { frozen }) }, visited: ownSight };
}

/** Values or a feed: an address that ends in `.json` or `.yml` may hold either. */
function isData(form: string, address: string): boolean {
  return form === "json" || (form === "feed" && /\.json$/i.test(new URL(address).pathname));
}

/** Undefined if it cannot be read as this kind. */
async function checkedAs(target: Target, why: string, asker: Prober): Promise<WatchChoice | undefined> {
  const visited = await asker.check(target);
  return visited.reading && { candidate: { ...target, why }, visited };
}

function reportAt(address: string, asker: Prober): Promise<WatchChoice | undefined> {
  return checkedAs({ kind: "report", address }, "another report's Recheck publishes its status there", asker);
}

async function currentFile(address: string, asker: Prober) {
  const current = onDefaultBranch(address);
  if (current === undefined || asker.spent) return undefined;
  const visited = await asker.check({ kind: "text", address: current });
  return visited.reading ? { ...visited, why: "the same file changes on the default branch" } : undefined;
}

async function ofPage(address: string, visited: Visit, response: Response, asker: Prober): Promise<WatchChoice> {
  const { reading, failure } = visited;
  // A page that needs a browser may still name the address of its text. A bot wall says nothing about the page behind
  // it.
  if (failure && failure.kind !== "shell" && failure.kind !== "empty") return failedChoice(visited, failure);
  const links = await runInWorker("links", { html: decode(response), at: response.url }, asker.web);
  const frozen = frozenBy(new URL(address));
  const page = { address, links: links.all, frozen };
  const record = links.doi === undefined || asker.spent ? undefined : ({ kind: "doi", address: links.doi } as const);
  const work = record && (await checkedAs(record, "the page gives the DOI of its work", asker));
  const better =
    work ??
    ((links.status !== undefined && (await reportAt(links.status, asker))) || (await feedOf(page, links, asker))) ??
    (await textElsewhere(page, links, visited, asker));
  if (better) return better;
  if (!reading) return (await inBrowser(address, asker)) ?? failedChoice(visited, failure);
  const { from } = reading;
  const unchanging = frozen && "no page was found that changes instead of it";
  const why = unchanging ?? (from ? readFrom(from) : "nothing better was found: no feed, no plain text");
  return { candidate: { kind: "page", address, why, from, frozen }, visited };
}

async function inBrowser(address: string, asker: Prober): Promise<WatchChoice | undefined> {
  const target = { kind: "page", address, options: { browser: true } } as const;
  return asker.spent ? undefined : await checkedAs(target, "it only shows its text in a browser", asker);
}

async function feedOf(page: Listing, { feeds }: PageLinks, asker: Prober): Promise<WatchChoice | undefined> {
  let later: WatchChoice | undefined;
  for (const address of feeds.slice(0, 2)) {
    if (asker.spent) break;
    const visited = await asker.check({ kind: "feed", address });
    if (!visited.reading) continue;
    const { about, standIn } = await runInWorker(
      "relations",
      { feed: address, reading: visited.reading, page },
      asker.web,
    );
    if (about) return { candidate: { kind: "feed", address, ...about }, visited };
    if (standIn) later ??= { candidate: { kind: "feed", address, ...standIn }, visited };
  }
  return later;
}

/** The current version of a frozen page, or the text of a living one. */
async function textElsewhere(
  page: Listing,
  links: PageLinks,
  visited: Visit,
  asker: Prober,
): Promise<WatchChoice | undefined> {
  const { address, frozen } = page;
  const blocks = visited.reading?.blocks ?? [];
  if (frozen !== undefined) {
    for (const current of successorsOf(address, links)) {
      if (asker.spent) break;
      const currentPage = await asker.check({ kind: "page", address: current });
      if ((await countSharedWords(blocks, currentPage.reading, asker)) < 0.4) continue;
      const why = "the same page of the current version";
      return { candidate: { kind: "page", address: current, why, instead: frozen }, visited: currentPage };
    }
    return undefined;
  }
  const listed = blocks.length === 0 && links.texts.length === 0 ? await listedIn(address, asker) : [];
  const named = listed.map((twin) => ({ address: twin, why: "the site's llms.txt names it as the page's text" }));
  for (const twin of [...named, ...twinsOf(address, links)]) {
    if (asker.spent) break;
    const twinSight = await asker.check({ kind: "text", address: twin.address });
    if (!twinSight.reading) continue;
    const isNamed = links.texts.includes(twin.address) || listed.includes(twin.address);
    const isSame =
      blocks.length === 0
        ? isNamed || isTitled(links.title, twinSight.reading)
        : (await countSharedWords(blocks, twinSight.reading, asker)) >= 0.6;
    if (isSame) return { candidate: { kind: "text", ...twin }, visited: twinSight };
  }
  return undefined;
}

/** The texts of a page in the list that its site has for programs. */
async function listedIn(address: string, asker: Prober): Promise<string[]> {
  const list = new URL("/llms.txt", address).href;
  const { reading, response } = await asker.check({ kind: "text", address: list });
  return reading && response ? listedTexts(decode(response), response.url, address) : [];
}

function isTitled(title: string | undefined, { blocks = [] }: Reading): boolean {
  const heading = blocks.find(({ kind }) => kind === "heading")?.text;
  return title !== undefined && title.toLowerCase() === heading?.toLowerCase();
}

function countSharedWords(page: readonly Block[], { blocks = [] }: Reading = {}, { web }: Prober): Promise<number> {
  return runInWorker("shared words", { page, other: blocks }, web);
}

/** Checks for one address to be added, at most: one request each, besides robots.txt, redirects and a text that a page names. */
const most = 6;

export class Prober {
  readonly web: Web;
  readonly tried: TriedAddress[] = [];

  constructor(web: Web) {
    this.web = web;
  }

  get spent(): boolean {
    return this.tried.length >= most;
  }

  async check(candidate: Target): Promise<Visit> {
    const visited = await visit(candidate, this.web);
    const { failure, reading } = visited;
    const says = failure?.message ?? (reading ? givesNow(reading) : "");
    if (failure?.kind === "no-browser") return visited;
    this.tried.push({ kind: candidate.kind, address: candidate.address, says, seen: failure === undefined });
    return visited;
  }
}

/** Answers from the response that was shown, without another request: the first check keeps the same content. */
export function cacheAnswers(fetch: Fetch): Fetch {
  const whole: Fetch = {
    ...fetch,
    get: (request, options) => fetch.get(request, { ...options, validators: undefined }),
  };
  return rememberAnswers(whole, ({ url, accept, browser }, { answers }) =>
    JSON.stringify([url, accept, browser, answers]),
  );
}

/** Runs the first check of a source that is now in the config. It is stored like a check of a scan. */
export async function firstCheck(source: Source, world: World): Promise<Check> {
  const before = (await world.store.watches()).find((watch) => watch.source === source.id);
  const checked = await check(source, before, world);
  if (checked.outcome === "failed") await settle(source, before, checked, world);
  if (checked.outcome === "unchanged") await world.store.touch([checked.watch]);
  return checked.check;
}
