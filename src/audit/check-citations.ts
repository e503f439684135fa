import { makeOnce } from "../model/cache.ts";
import { Failure } from "../model/failure.ts";
import { type Outage, outageOf } from "../model/outage.ts";
import { isSameSite } from "../read/shared/address.ts";
import { decode } from "../read/shared/body.ts";
import { kindOf } from "../report/cite/sources.ts";
import type { Cited } from "./cited.ts";
import { seeLines } from "./code-lines.ts";
import type { CitedPage, CitedProject } from "./findings.ts";
import { kindOfResponse, kindsByResponse, type PageLinks, successorsOf } from "./links.ts";
import { type CheckingTime, checkInParallel } from "./parallel-checks.ts";
import { runInWorker } from "./tasks.ts";
import { checkElsewhere, failureIn, sourceOf, type Visit, visit, type Web } from "./visit.ts";

/** Checks every citation once. Citations for which there is no time are left out. */
export async function checkAll(all: readonly Cited[], web: Web, turns: CheckingTime): Promise<CitedPage[]> {
  const repositories: CheckedRepositories = new Map();
  const hostOf = ({ address }: Cited) => new URL(address).host;
  const check = async (cited: Cited) => compareWithSentences(await checkAt(cited, web, repositories), web);
  return [...(await checkInParallel(all, hostOf, check, turns)).values()];
}

/** Compares a page with everything that the report says on its authority. */
async function compareWithSentences(citedPage: CitedPage, web: Web): Promise<CitedPage> {
  const { cited, kind, reading, failure } = citedPage;
  const { address, sentences } = cited;
  if (failure || !reading || sentences.length === 0) return citedPage;
  try {
    return {
      ...citedPage,
      compared: await runInWorker("contradicted", { sentences, address, page: { kind, reading } }, web),
    };
  } catch (error) {
    return { ...citedPage, failure: failureIn(error) };
  }
}

async function checkAt(cited: Cited, web: Web, repositories: CheckedRepositories): Promise<CitedPage> {
  const watched = kindOf(cited.address, web.readers);
  const repository = repositoryOf(cited.address, web.readers);
  const nameOf = ({ kind, address }: Repository) => `${kind} ${address.toLowerCase()}`;
  const repositoryCheck =
    repository && (await makeOnce(repositories, nameOf(repository), () => visit(repository, web)));
  const whole = repositoryCheck && wholeOf(repositoryCheck);
  // GitHub's hourly allowance or the time ran out before the repository was checked.
  const partly = repositoryCheck?.failure?.kind === "deferred" ? { partly: true } : {};
  // A repository that was not read shows none of its content.
  if (repository && repositoryCheck && whole?.facts.public === "no")
    return await checkPageItself({ cited, kind: repository.kind, whole }, repositoryCheck, web);
  if ("because" in watched)
    return { cited, kind: "file", ...partly, ...(await checkFile(cited.address, web)), ...(whole && { whole }) };
  if (repository && watched.kind === repository.kind)
    return {
      cited,
      kind: repository.kind,
      ...(repositoryCheck?.failure && { failure: repositoryCheck.failure }),
      ...(whole && { whole }),
    };
  const first = await visit(watched, web);
  // If one service does not know the address, another may, or its page: that is not the paper or package itself.
  const isUnknown = first.failure?.kind === "not-found" && !kindsByResponse.has(watched.kind);
  const known = isUnknown ? await checkElsewhere(watched, web.readers, (candidate) => visit(candidate, web)) : first;
  const there = known ?? (await visit({ kind: "page", address: cited.address }, web));
  const { kind: form, ...came } = await readByContent(there, web);
  const kind = known ? form : watched.kind;
  const ofVersion = watched.instead === true && { ofVersion: true };
  const citedPage = { cited, kind, ...came, ...partly, ...ofVersion, ...(whole && { whole }) };
  const { facts } = came.reading ?? {};
  const { codeLines = [] } = cited;
  const { response } = came;
  const lines = response && !came.failure ? await seeLines(cited.address, codeLines, web, response) : [];
  if (lines.length > 0) return { ...citedPage, lines };
  if (!kindsByResponse.has(kind))
    return facts && !whole ? { ...citedPage, whole: { name: watched.address, facts } } : citedPage;
  const links = kind === "page" ? await linksIn(citedPage, response, web) : undefined;
  const current = links && (await currentOf(citedPage, links, response, web));
  const work = links?.doi === undefined || whole ? undefined : await workOf(links.doi, web);
  const { fragments = [] } = cited;
  const isRead = kind === "page" && came.reading && fragments.length > 0;
  const unnamed = isRead && response ? await runInWorker("fragments", { fragments, html: decode(response) }, web) : [];
  return {
    ...citedPage,
    ...(work && { whole: work }),
    current,
    ...(unnamed.length > 0 && { unnamed }),
  };
}

async function linksIn({ reading }: CitedPage, response: Visit["response"], web: Web): Promise<PageLinks | undefined> {
  if (!reading?.blocks || !response) return undefined;
  return await runInWorker("links", { html: new TextDecoder().decode(response.body), at: response.url }, web);
}

/** The record of a work at its agency, by the DOI that a page gives. */
async function workOf(address: string, web: Web): Promise<CitedProject | undefined> {
  const { reading } = await visit({ kind: "doi", address }, web);
  return reading?.facts && { name: address, kind: "doi", facts: reading.facts };
}

function repositoryOf(address: string, readers: Web["readers"]): Repository | undefined {
  const url = new URL(address);
  for (const [kind, reader] of readers) {
    const held = reader.holds?.(url);
    if (held !== undefined && reader.address.safeParse(held).success) return { kind, address: held };
  }
  return undefined;
}

type Repository = Pick<Visit["candidate"], "kind" | "address">;
type CheckedRepositories = Map<string, Promise<Visit>>;

/**
 * If a forge knows no repository of this name, it may have it under another name, or have a group of this name: then
 * the page exists.
 */
async function checkPageItself(citedPage: CitedPage, { response }: Visit, web: Web): Promise<CitedPage> {
  if (response?.status === 404) return citedPage;
  const { cited } = citedPage;
  const page = await visit({ kind: "page", address: cited.address }, web);
  if (page.failure?.kind === "not-found") return citedPage;
  const { kind, ...came } = await readByContent(page, web);
  return { cited, kind, ...came };
}

type ReadResponse = Omit<Visit, "candidate"> & { readonly kind: string };

/** Reads a response as the kind that its content shows, even if the address looks like another one. */
async function readByContent({ candidate, response, moved, reading, failure }: Visit, web: Web): Promise<ReadResponse> {
  const common = { response, moved };
  const form =
    failure?.kind === "wrong-type" && response && kindsByResponse.has(candidate.kind)
      ? kindOfResponse(response)
      : undefined;
  // The file exists; more cannot be known.
  if (form && "because" in form && candidate.kind === "page") return { kind: "file", ...common };
  const reader = form && "kind" in form ? web.readers.get(form.kind) : undefined;
  if (!response || !reader || reader.kind === candidate.kind)
    return { kind: candidate.kind, ...common, ...(reading && { reading }), ...(failure && { failure }) };
  const source = sourceOf({ kind: reader.kind, address: candidate.address });
  try {
    return { kind: reader.kind, ...common, reading: await reader.read(response, source) };
  } catch (error) {
    return { kind: reader.kind, ...common, failure: failureIn(error) };
  }
}

/** Checks only whether a file exists: a picture, an archive. */
async function checkFile(url: string, { fetch }: Web): Promise<Pick<CitedPage, "moved" | "failure">> {
  try {
    const fetched = await fetch.get({ url }, {});
    return fetched.kind === "response" ? { moved: fetched.moved } : {};
  } catch (error) {
    const failure = failureIn(error);
    return failure.kind === "too-large" ? {} : { failure };
  }
}

function wholeOf({ candidate, reading }: Visit): CitedProject | undefined {
  if (!reading?.facts) return undefined;
  const { facts, active } = reading;
  return { name: candidate.address, kind: candidate.kind, facts, active };
}

/** The least share of words that pages of two versions have in common, if they are about the same subject. */
const sameSubject = 0.3;

/** The same page for the current version, if it exists and can be read. */
async function currentOf(
  { cited, reading }: CitedPage,
  links: PageLinks,
  response: Visit["response"],
  web: Web,
): Promise<string | undefined> {
  if (!reading?.blocks || !response) return undefined;
  for (const address of successorsOf(cited.address, links)) {
    if (!isSameSite(address, cited.address)) continue;
    const visited = await visit({ kind: "page", address }, web);
    const there = visited.response?.url ?? address;
    if (
      visited.reading?.blocks &&
      there !== response.url &&
      (await runInWorker("shared words", { page: reading.blocks, other: visited.reading.blocks }, web)) >= sameSubject
    )
      return there;
  }
  return undefined;
}

/** Detects an outage of our own network. `alone`: nothing else shows that there is a network. */
export function outageIn(citedPages: readonly CitedPage[], how: { readonly alone?: boolean } = {}): Outage | undefined {
  const checked = citedPages.filter(({ failure }) => failure?.kind !== "deferred");
  const asked = checked.map(({ cited, failure }) => {
    return { host: new URL(cited.address).host, failure: failure && { kind: failure.kind, says: failure.message } };
  });
  return outageOf(asked, how);
}

/** In an outage of our own, a name that does not resolve does not mean that its host is gone. */
export function blameOwnNetwork(citedPage: CitedPage): CitedPage {
  const { failure } = citedPage;
  return failure?.kind === "dns"
    ? { ...citedPage, failure: new Failure("connect", { said: failure.message }) }
    : citedPage;
}
