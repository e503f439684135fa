import type { ConfigFile } from "../../../adapters/files/config.ts";
import { partIn } from "../../../audit/fragments.ts";
import type { NewEntry } from "../../../config/edit/entry.ts";
import { addSource } from "../../../config/edit/source.ts";
import { faultOfId } from "../../../config/ids.ts";
import { parseConfig } from "../../../config/index.ts";
import { ConfigProblems } from "../../../config/problems.ts";
import { wholeText } from "../../../config/text.ts";
import { nearestWord } from "../../../language/nearest.ts";
import type { Config } from "../../../model/config.ts";
import { Failure, isNoResponse, saysGone } from "../../../model/failure.ts";
import { cutLine } from "../../../model/markdown.ts";
import type { Reading } from "../../../model/reading.ts";
import { readFrom } from "../../../model/reading-size.ts";
import { pageKey, type Source } from "../../../model/source.ts";
import { type Product, parseVersion } from "../../../model/version.ts";
import { asSentence, oneLine } from "../../../model/words.ts";
import { readers } from "../../../read/index.ts";
import type { Reader } from "../../../read/reader.ts";
import { frozenBy, isNumber } from "../../../read/shared/address.ts";
import { addressName } from "../../../report/cite/references.ts";
import { Ids, kindOf, slug } from "../../../report/cite/sources.ts";
import { patchOf } from "../../../report/edit/splice.ts";
import { readerOf } from "../../../watch/workers.ts";
import { choose, type Prober, type WatchChoice } from "./choose.ts";
import {
  type AddRequest,
  type Candidate,
  givenAddress,
  givesNow,
  NotAdded,
  type Proposal,
  siteOfAddress,
} from "./proposal.ts";

/**
 * Proposes a source for an address: guesses its kind, looks for something better than the page, and reads the result with its
 * reader. Writes nothing. @throws NotAdded if nothing can be watched, or it is watched already
 */
export async function propose(written: string, request: AddRequest, config: Config, asker: Prober): Promise<Proposal> {
  checkId(request.id, config);
  const { readers } = asker.web;
  if (request.kind !== undefined)
    return proposalOf(written, await asRequested(written, request.kind, config, asker), request, { config, readers });
  const address = givenAddress(written);
  const watcher = watcherOf(address, config, readers);
  if (watcher) throw alreadyWatched(watcher, request, false, "As another kind it can be watched too: --kind KIND");
  return proposalOf(address, atPart(await choose(address, asker), address, written), request, { config, readers });
}

/** A page that is watched by its given address keeps the fragment that people open it at. */
function atPart(chosen: WatchChoice, address: string, written: string): WatchChoice {
  const hash = URL.parse(written.trim())?.hash ?? "";
  if (!("candidate" in chosen) || chosen.candidate.kind !== "page" || chosen.candidate.address !== address)
    return chosen;
  if (partIn(hash) === undefined || address.includes("#")) return chosen;
  return { ...chosen, candidate: { ...chosen.candidate, address: address + hash } };
}

type Readers = ReadonlyMap<string, Reader>;

/** @throws NotAdded */
function checkId(id: string | undefined, { sources }: Config): void {
  if (id === undefined) return;
  const fault = faultOfId(id);
  if (fault) throw new NotAdded(`"${id}" ${fault.message}${fault.suggestion ? `; e.g. ${fault.suggestion}` : ""}`);
  if (sources.has(id)) throw new NotAdded(`there is a source "${id}" already; choose another --id`);
}

/** Checks it only as the kind that a person named. @throws NotAdded */
async function asRequested(written: string, kind: string, config: Config, asker: Prober): Promise<WatchChoice> {
  const reader = asker.web.readers.get(kind);
  if (!reader) {
    const near = nearestWord(kind, asker.web.readers.keys());
    const hint = near ? `Did you mean "${near}"?` : `Kinds are ${[...asker.web.readers.keys()].join(", ")}.`;
    throw new NotAdded(`there is no kind "${kind}"`, [hint]);
  }
  const candidate = { kind, ...addressFor(written.trim(), reader, asker.web.readers) };
  const same = sameSource(candidate, reader, config);
  if (same) throw alreadyWatched(same, { cites: [], standsFor: [] }, false);
  const visited = await asker.check(candidate);
  if (!visited.reading) return { failure: visited.failure ?? new Failure("empty"), kind };
  const url = URL.parse(candidate.address);
  const frozen = url && (kind === "page" || kind === "text") ? frozenBy(url) : undefined;
  return { candidate: { ...candidate, why: "you named its kind", frozen }, visited };
}

/** The address in the form of its kind, as given or derived from its web address. @throws NotAdded */
function addressFor(written: string, reader: Reader, readers: Readers): Pick<Candidate, "address" | "options"> {
  const accepts = (one: string) => reader.address.safeParse(one).success;
  if (accepts(written) && !/^https?:/i.test(written)) return { address: written };
  const address = givenAddress(written);
  const watched = kindOf(address, readers);
  if ("kind" in watched && watched.kind === reader.kind && accepts(watched.address))
    return { address: watched.address, options: watched.options };
  if (accepts(address)) return { address };
  if ("kind" in watched && accepts(watched.address)) return { address: watched.address };
  throw new NotAdded(`${reader.kind} needs an address such as ${reader.example}`);
}

/** @throws NotAdded */
function proposalOf(
  address: string,
  choice: WatchChoice,
  request: AddRequest,
  { config, readers }: { readonly config: Config; readonly readers: Readers },
): Proposal {
  if ("because" in choice) {
    const { because } = choice;
    throw new NotAdded(`nothing to watch: ${because}`, [], { title: titleFor(address), url: address, because });
  }
  const reader = readerOf("failure" in choice ? choice.kind : choice.candidate.kind, readers);
  if ("failure" in choice) throw notSeen(address, reader, choice.failure);
  const { candidate, visited } = choice;
  const { reading = {} } = visited;
  const instead = candidate.instead !== undefined;
  const refs = {
    cites: [...new Set(instead ? [] : request.cites)],
    standsFor: [...new Set(instead ? [...request.standsFor, ...request.cites] : request.standsFor)],
  };
  const same = sameSource(candidate, reader, config);
  if (same) throw alreadyWatched(same, refs, instead);
  const { product, note } = announcedBy(candidate.address, reader, reading, config);
  const title = titleFrom(candidate, reader, reading, product?.name);
  return {
    ...candidate,
    ...refs,
    id: request.id ?? new Ids(config.sources.keys()).give(nameFor(candidate, reader, title), "source"),
    title,
    announces: product?.id,
    ...(candidate.frozen !== undefined && { every: "14d" }),
    notes: [...(note === undefined ? [] : [note]), ...listedAsUnwatchable(address, config)],
    gives: givesNow(reading, config.report.audited),
  };
}

function listedAsUnwatchable(address: string, { unwatchable }: Config): string[] {
  const listed = unwatchable.find(({ url }) => url !== undefined && pageKey(url) === pageKey(address));
  return listed ? [`It is listed under unwatchable, as "${oneLine(listed.title)}": take it out there`] : [];
}

/** The references can be added to the source that is watched already. `instead`: the page that changes. */
function alreadyWatched(
  { id, kind, address, cites, standsFor }: Source,
  request: Pick<AddRequest, "cites" | "standsFor">,
  instead: boolean,
  hint?: string,
): NotAdded {
  const refusal = instead ? "the page that changes instead of it is watched already" : "this is watched already";
  const more = [
    ["cites", request.cites, cites],
    ["stands-for", request.standsFor, standsFor],
  ] as const;
  const hints = more
    .filter(([, wanted, there]) => wanted.some((one) => !there.includes(one)))
    .map(([key, wanted, there]) => `Let "${id}" say ${key}: [${[...new Set([...there, ...wanted])].join(", ")}]`);
  return new NotAdded(`${refusal}, by the source "${id}" (${kind}: ${address})`, [...hints, ...(hint ? [hint] : [])]);
}

/** The source could not be read: lists the alternatives, and the entry that informs readers of the report. */
function notSeen(address: string, { kind, answers = [] }: Reader, failure: Failure): NotAdded {
  const says = `it could not be read as ${kind}: ${failure.message}`;
  if (failure.kind === "refused-address")
    return new NotAdded(says, ["Only public addresses are read, unless RECHECK_ALLOW_ADDRESSES names their range."]);
  if (failure.kind === "deferred" || failure.kind === "rate-limited" || isNoResponse(failure.kind))
    return new NotAdded(says, ["Try again later."]);
  if (failure.kind === "not-found" && answers.includes(404))
    return new NotAdded(says, [
      `It is private, or does not exist. To be notified if it becomes public: --kind ${kind}`,
    ]);
  if (saysGone(failure)) return new NotAdded(says, ["Is the address right?"]);
  const hints = failure.kind === "wrong-type" && kind !== "page" ? ["To watch the response anyway: --kind page"] : [];
  if (failure.kind === "shell") hints.push("To read it in a browser, set RECHECK_BROWSER to the address of one.");
  return new NotAdded(says, hints, { title: titleFor(address), url: address, because: failure.message });
}

function titleFor(address: string): string {
  return addressName(address) || address;
}

function watcherOf(address: string, config: Config, readers: Readers): Source | undefined {
  const key = pageKey(address);
  return [...config.sources.values()].find(
    (source) => pageKey(source.address) === key || pageKey(readers.get(source.kind)?.page(source) ?? "") === key,
  );
}

function sameSource(candidate: Omit<Candidate, "why">, reader: Reader, config: Config): Source | undefined {
  const key = keyOf(candidate, reader);
  return [...config.sources.values()].find((source) => source.kind === reader.kind && keyOf(source, reader) === key);
}

/** Identity of a source as in the config: options of the kind are part of a name, but not of a page with an address. */
function keyOf({ address, options = {} }: Pick<Source, "address"> & Partial<Pick<Source, "options">>, reader: Reader) {
  const own = /^https?:/.test(address) ? [] : Object.keys(reader.options).map((name) => options[name] ?? null);
  return JSON.stringify([reader.sameName?.(address) ?? pageKey(address), own]);
}

function entryOf(proposal: Proposal, address: string): NewEntry {
  const { id, kind, options = {}, title, announces, cites, standsFor, every } = proposal;
  const keys: NewEntry["keys"][number][] = [[kind, proposal.address], ...Object.entries(options)];
  if (title !== undefined) keys.push(["title", title]);
  if (announces !== undefined) keys.push(["announces", announces]);
  if (cites.length > 0) keys.push(["cites", cites]);
  if (standsFor.length > 0) keys.push(["stands-for", standsFor]);
  if (every !== undefined) keys.push(["every", every]);
  const comment = commentOf(proposal, address);
  return { id, keys, comment };
}

function commentOf({ instead, frozen, from }: Proposal, address: string): string | undefined {
  if (instead !== undefined) return `In place of ${pageKey(address)}: ${instead}.`;
  if (from !== undefined) return `${asSentence(readFrom(from))}.`;
  return frozen === undefined ? undefined : `It will probably never change (${frozen}), and can only be retracted.`;
}

/** `sources.yaml` before and after a source is added. */
export interface SourcesEdit {
  readonly before: Uint8Array;
  readonly after: string;
  readonly config: Config;
  readonly diff: string;
}

/** The edited config, which must be valid. @throws NotAdded | ConfigProblems */
export function editFor(proposal: Proposal, address: string, files: readonly ConfigFile[]): SourcesEdit {
  const [sources] = files;
  if (sources?.path !== "sources.yaml") throw new Error("sources.yaml is read first");
  const text = wholeText(sources);
  const edited = addSource(text, entryOf(proposal, address));
  if ("says" in edited) throw new NotAdded(`${edited.says}; write it there by hand`);
  const after = files.map((file) => (file === sources ? { ...file, text: edited.text } : file));
  const { config, problems } = parseConfig(after, readers);
  if (config === undefined) throw new ConfigProblems(problems, after);
  const diff = patchOf([{ path: sources.path, before: text, after: edited.text }]);
  return { before: sources.text, after: edited.text, config, diff };
}

type Named = Pick<Candidate, "address" | "options">;

/** A title for people; undefined if nothing gives one. `product`: the name of the announced product in config. */
export function titleFrom(source: Named, reader: Reader, reading: Reading, product?: string): string | undefined {
  const { address, options = {} } = source;
  if (reader.titleOf) return tidyTitle(reader.titleOf({ address, options }, reading));
  if (!isWeb(address)) return tidyTitle(`${product ?? lastPart(address)} ${reader.noun}`);
  return tidyTitle(reader.kind === "page" ? ofPage(reading, siteOfAddress(address)) : reading.title);
}

function tidyTitle(title: string | undefined): string | undefined {
  return cutLine(title ?? "", 160).replace(/^[\s.,;:|–—-]+|[\s,;:|–—-]+$/g, "") || undefined;
}

/** The heading that the page title repeats, or else the page title without the name of the site. */
function ofPage({ title = "", blocks = [] }: Reading, site: string): string | undefined {
  const heading = blocks.find(({ kind }) => kind === "heading")?.text.replace(/\s*[¶#🔗]+$/u, "") ?? "";
  const named = heading !== "" && heading.length <= 120 && slug(heading, "") !== site;
  const isRepeated = named && title.toLowerCase().includes(heading.toLowerCase());
  if (isRepeated || title === "") return heading;
  const parts = cutLine(title, 400).split(/ [|·–—»-] /);
  const own = parts.filter((part) => site === "" || !part.toLowerCase().includes(site));
  return own.length === 1 && parts.length > 1 ? own[0] : title;
}

/** The name of a new source: its address if that is a name, or else its title, with the site if its name is short. */
function nameFor({ address }: Named, { kind, noun }: Reader, title: string | undefined): string {
  if (!isWeb(address)) return title !== undefined && isNumber(address) ? title : `${lastPart(address)} ${noun}`;
  const raw = /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/([^/]+)\/.*?([^/]+?)(?:\.\w+)?$/.exec(address);
  if (raw) return `${raw[1]} ${raw[2]}`;
  const site = slug(siteOfAddress(address), "");
  const name = (title ?? fileOf(address) ?? addressName(address))
    .replace(/^(?:the|an?) (?=.)/i, "")
    .replace(/['’](?=s\b)/g, "");
  const words = slug(name, "").split("-").filter(Boolean);
  if (words.length > 2 || (words.length > 1 && words.includes(site))) return name;
  return words.every((word) => word === site) ? `${site} ${fileOf(address) ?? kind}` : `${site} ${name}`;
}

function fileOf(address: string): string | undefined {
  const file = URL.parse(address)?.pathname.split("/").filter(Boolean).at(-1);
  return file?.replace(/\.\w{1,5}$/, "");
}

function isWeb(address: string): boolean {
  return /^https?:/.test(address);
}

/** `pytorch` of `pytorch/pytorch`. */
function lastPart(address: string): string {
  return address.split("/").at(-1) ?? address;
}

/** The product whose versions a source announces, if that is certain; else what a person has to decide. */
export function announcedBy(
  address: string,
  { kind, versionsOf }: Reader,
  { items = [] }: Reading,
  config: Pick<Config, "products" | "sources">,
): { readonly product?: Product; readonly note?: string } {
  if (!versionsOf) return {};
  const nameIn = (one: string) => folded(versionsOf(one));
  const name = nameIn(address);
  const products = [...config.products.values()].filter((one) =>
    [one.id, one.name, ...one.aliases].map(folded).includes(name),
  );
  const [product] = products;
  if (!product) {
    const note = `Its product is not known. If triggers wait for its releases, add announces: PRODUCT`;
    return config.products.size > 0 ? { note } : {};
  }
  const doubt = (why: string) => ({ note: `Not written: announces: ${product.id}, for ${why}` });
  if (products.length > 1) return doubt("another product has this name too");
  const versions = items.flatMap(({ version }) => version ?? []);
  if (versions.length === 0) return doubt("it has announced no version yet");
  if (!versions.some((version) => parseVersion(version, product))) return doubt("no tag of it has the product's shape");
  const other = [...config.sources.values()].find(
    (source) => source.kind === kind && source.announces.includes(product.id) && nameIn(source.address) === name,
  );
  return other ? doubt(`${other.address} announces it, and this may be a fork`) : { product };
}

/** As PyPI compares names: https://peps.python.org/pep-0503/#normalized-names */
function folded(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]+/g, "-");
}
