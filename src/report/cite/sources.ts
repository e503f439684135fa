import { cyrillicAsLatin, withoutAccents } from "../../language/fold.ts";
import { groupByEach } from "../../model/cache.ts";
import { addressKey } from "../../model/source.ts";
import type { Reader, Recognised } from "../../read/reader.ts";
import { archivedAt, isNumber } from "../../read/shared/address.ts";
import { sameLines } from "../../read/shared/line-links.ts";
import type { DraftRating } from "../triggers.ts";
import type { NameMatcher } from "./match-names.ts";
import type { Reference } from "./references.ts";

/** How to watch an address. */
export interface RecognisedSource extends Recognised {
  readonly kind: string;
}

export interface DraftSource extends RecognisedSource {
  readonly id: string;
  readonly title: string;
  readonly cites: readonly number[];
  readonly standsFor: readonly number[];
  /** Ids of the chapters that cite it. */
  readonly citedBy: readonly string[];
  /** Rated subjects this source is about. */
  readonly names: readonly string[];
  /** Ids of the ratings whose cells cite it. */
  readonly ratings?: readonly string[];
  /** Only table rows cite it, and none of their ratings rests on it. */
  readonly onlyInRows: boolean;
  readonly announces?: string;
}

type SourceWithoutId = Omit<DraftSource, "id"> & { readonly key?: string };

/** A reference that cannot be watched. */
export interface DraftUnwatchable {
  readonly title: string;
  readonly address?: string;
  readonly cites: readonly number[];
  readonly citedBy: readonly string[];
  readonly because: string;
}

export interface DraftSources {
  readonly sources: readonly DraftSource[];
  readonly unwatchable: readonly DraftUnwatchable[];
  readonly products: ReadonlyMap<string, string>;
  /** Source ids by address, as written in the report. */
  readonly watching: ReadonlyMap<string, string>;
  /** How many references did not fit into the config. */
  readonly left: number;
}

type Readers = ReadonlyMap<string, Reader>;

const maxSourceBytes = 700_000;

/** One source per distinct address. */
export function sourcesOf(
  references: readonly Reference[],
  naming: NameMatcher,
  readers: Readers,
): Omit<DraftSources, "products"> {
  const byKey = new Map<string, SourceWithoutId>();
  const unwatchable = new Map<string, DraftUnwatchable>();
  const keys = new Map<string, string>();
  let bytes = 0;
  let omitted = 0;
  for (const reference of references) {
    const { title, address } = reference;
    const watched =
      address === undefined ? { because: "the report gives no address that can be checked" } : kindOf(address, readers);
    const key = "kind" in watched ? keyOf(watched) : `${title} ${address}`;
    if (address !== undefined) keys.set(address, key);
    const known = byKey.has(key) || unwatchable.has(key);
    // The approximate bytes of one entry.
    bytes += known ? 8 : 200 + Buffer.byteLength(`${title}${address ?? ""}`);
    if (bytes > maxSourceBytes) omitted++;
    else if ("kind" in watched) byKey.set(key, mergeReference(byKey.get(key), watched, reference, naming));
    else {
      const before = unwatchable.get(key);
      const cites = [...(before?.cites ?? []), ...numberOf(reference)];
      const citedBy = union(before?.citedBy, reference.citedBy);
      unwatchable.set(key, { title, cites, citedBy, because: watched.because, ...(address && { address }) });
    }
  }
  const sources = assignIds([...byKey.values()], readers);
  const order = new Map([...byKey.keys()].map((key, i) => [key, sources[i]?.id]));
  const watching = [...keys].flatMap(([address, key]): [string, string][] => {
    const id = order.get(key);
    return id === undefined ? [] : [[address, id]];
  });
  return { sources, unwatchable: [...unwatchable.values()], watching: new Map(watching), left: omitted };
}

/** Sources with the ratings whose cells cite them. The subjects of these replace guessed names. */
export function withEvidence(
  { sources, watching }: Pick<DraftSources, "sources" | "watching">,
  ratings: readonly DraftRating[],
): DraftSource[] {
  const proved = groupByEach(ratings, ({ evidence }) => evidence.flatMap((address) => watching.get(address) ?? []));
  return sources.map((source) => {
    const own = proved.get(source.id);
    if (!own) return source;
    const names = new Set(own.map(({ first }) => first));
    return { ...source, names: [...names], ratings: own.map(({ id }) => id), onlyInRows: false };
  });
}

/** The most repositories that are watched for releases. */
const maxReleases = 100;

/**
 * Sources with the products that they announce. The repository of a rated thing is also watched for releases; the first
 * check removes these if there are none.
 */
export function withReleases(
  cited: readonly DraftSource[],
  readers: Readers,
): Pick<DraftSources, "sources" | "products"> {
  const ids = new Ids(cited.map(({ id }) => id));
  const watched = new Set(cited.map(keyOf));
  let allowance = maxReleases;
  const sources = cited.flatMap((source): DraftSource[] => {
    const { kind } = readers.get(source.kind)?.rather ?? {};
    const noun = kind && readers.get(kind)?.noun;
    if (kind === undefined || source.names.length === 0 || watched.has(keyOf({ ...source, kind })) || allowance === 0)
      return [source];
    allowance--;
    const id = ids.give(`${source.address.split("/").at(-1)} ${noun}`, "source");
    const title = `${source.title} ${noun}`;
    return [source, { ...source, id, kind, title, cites: [], standsFor: [], citedBy: [] }];
  });
  return assignProducts(sources, readers);
}

/**
 * How to watch an address, by its form: the kind of the first reader that recognises it, or why there is none. A copy
 * in a web archive is replaced by its original.
 */
export function kindOf(address: string, readers: Readers): RecognisedSource | { readonly because: string } {
  const url = new URL(address);
  const original = archivedAt(url);
  if (original !== undefined) {
    const watched = kindOf(original, readers);
    return "kind" in watched ? { ...watched, instead: true } : watched;
  }
  for (const [kind, reader] of readers) {
    const found = reader.recognises?.(url);
    if (found && reader.address.safeParse(found.address).success) return { kind, ...found };
  }
  return { because: "a picture, recording, archive or office file: its content is not parsed" };
}

/** A key that is equal for addresses of the same page, and for names that differ only in case. */
export function keyOf({ kind, address, options = {} }: RecognisedSource): string {
  return JSON.stringify([kind, sameLines(address) ?? addressKey(address), options.path, options.branch]);
}

function mergeReference(
  before: SourceWithoutId | undefined,
  watched: RecognisedSource,
  reference: Reference,
  naming: NameMatcher,
): SourceWithoutId {
  const { cites = [], standsFor = [], names = [], citedBy } = before ?? {};
  const number = numberOf(reference);
  return {
    ...(before ?? { ...watched, title: reference.title, ...(reference.key && { key: reference.key }) }),
    cites: watched.instead ? cites : [...new Set([...cites, ...number])],
    standsFor: watched.instead ? [...new Set([...standsFor, ...number])] : standsFor,
    citedBy: union(citedBy, reference.citedBy),
    names: [...new Set([...names, ...naming.namesOf(reference)])],
    onlyInRows:
      (before?.onlyInRows ?? true) &&
      reference.number === undefined &&
      reference.where.every(({ kind }) => kind === "row"),
  };
}

function union(some: readonly string[] = [], more: readonly string[] = []): string[] {
  return [...new Set([...some, ...more])];
}

function numberOf({ number }: Reference): number[] {
  return number === undefined ? [] : [number];
}

/** Assigns ids: a key in a reference manager's file, or else the name of a package or repository, or else the title. */
function assignIds(sources: readonly SourceWithoutId[], readers: Readers): DraftSource[] {
  const ids = new Ids();
  return sources.map(({ key, ...source }) => {
    const name =
      key ??
      (/^https?:/.test(source.address) || isNumber(source.address)
        ? latinName(source)
        : `${source.address.split("/").at(-1)} ${readers.get(source.kind)?.noun ?? ""}`);
    return { ...source, id: ids.give(name, "source") };
  });
}

/** The title; or the host and the last part of the address if ids can hold less than half of the title's letters. */
function latinName({ title, address }: SourceWithoutId): string {
  const letters = title.match(/\p{L}/gu) ?? [];
  const kept = letters.filter((letter) => /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(letter));
  const url = URL.parse(address);
  if (!url || kept.length >= 0.5 * letters.length) return title;
  const host = url.hostname.replace(/^www\.|\.[a-z]+$/g, "");
  const parts = url.pathname.replace(/%[\dA-F]{2}/gi, " ").split("/");
  const file = parts.findLast((part) => part !== "") ?? "";
  return `${host} ${file.split(".", 1)[0]}`;
}

/** Groups releases and packages of the same name as one product. */
function assignProducts(
  sources: readonly DraftSource[],
  readers: Readers,
): { sources: DraftSource[]; products: Map<string, string> } {
  const ids = new Ids();
  const byName = new Map<string, string>();
  const products = new Map<string, string>();
  const idsInUse = new Set<string>();
  const all = sources.map((source) => {
    const { noun, versionsOf } = readers.get(source.kind) ?? {};
    const name = versionsOf?.(source.address);
    if (name === undefined) return source;
    const key = name.toLowerCase();
    // A repository and a package with the same name are one product; two repositories or two packages are two.
    const role = `${noun === "releases" ? "repository" : "package"} ${key}`;
    const again = idsInUse.has(role);
    const product = again ? ids.give(source.address, "product") : (byName.get(key) ?? ids.give(name, "product"));
    if (!again) byName.set(key, product);
    idsInUse.add(role);
    if (!products.has(product)) products.set(product, spellingIn(name, source.title));
    return { ...source, announces: product };
  });
  return { sources: all, products };
}

function spellingIn(name: string, title: string): string {
  const at = title.toLowerCase().indexOf(name.toLowerCase());
  return at < 0 ? name : title.slice(at, at + name.length);
}

/** Ids in config: lower-case letters and digits, in words joined by hyphens. */
const shape = /^(?=[0-9-]*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;

const maxIdCharacters = 40;

/** The id most like a name, or `fallback` if the name has no usable letters. */
export function slug(text: string, fallback: string): string {
  const words = withoutAccents(text.slice(0, 400).replace(/[™®©]/g, " "))
    .toLowerCase()
    .replace(/\p{Script=Cyrillic}/gu, (letter) => cyrillicAsLatin[letter] ?? letter)
    .replace(/\+\+/g, " plus plus ")
    .replace(/(?<=^|[\s/])c#/g, "c sharp")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let id = "";
  for (const word of words) {
    const longer = id === "" ? word.slice(0, maxIdCharacters) : `${id}-${word}`;
    if (longer.length > maxIdCharacters) break;
    id = longer;
  }
  if (shape.test(id)) return id;
  const named = id === "" ? fallback : `${fallback}-${id}`;
  return shape.test(named) ? named : fallback;
}

/** Assigns each id once. */
export class Ids {
  private readonly taken: Set<string>;
  /** The last number that was appended to an id; all lower ones are taken. */
  private readonly last = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  give(text: string, fallback: string): string {
    const id = slug(text, fallback);
    for (let i = (this.last.get(id) ?? 0) + 1; ; i++) {
      const one = i === 1 ? id : `${id}-${i}`;
      if (this.taken.has(one)) continue;
      this.taken.add(one);
      this.last.set(id, i);
      return one;
    }
  }
}
