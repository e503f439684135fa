import * as z from "zod";
import { makeOnce } from "../model/cache.ts";
import type { Reader } from "../read/reader.ts";
import { isObject } from "../read/shared/json-path.ts";

/** The valid parts of a config: relations of its entries are checked even in a file with other mistakes. */

const placedWord = z.object({ word: z.string(), below: z.array(z.number()) });

/** A word and its path below its key: `[]`, or the index in a list. */
export type PlacedWord = z.output<typeof placedWord>;

const word = z.string().optional().catch(undefined);

const words = z.preprocess((value) => {
  const isList = Array.isArray(value);
  const all = (isList ? value : [value]).map((one: unknown, i) => ({ word: one, below: isList ? [i] : [] }));
  return all.filter((one) => typeof one.word === "string");
}, z.array(placedWord));

/** Words in a list. A single word is ignored: it is unknown which list was meant. */
const listedWords = z.preprocess((value) => (Array.isArray(value) ? value : []), words);

function list<T>(entry: z.ZodType<T>) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(entry));
}

function keys<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess((value) => (isObject(value) ? value : {}), z.object(shape));
}

function entries<T>(entry: z.ZodType<T>) {
  const record = z.preprocess((value) => (isObject(value) ? value : {}), z.record(z.string(), entry));
  return record.transform((value) => new Map<string, T>(Object.entries(value)));
}

/** The keys of conditions of every kind; the schema checks which of them may be combined. */
const condition = keys({
  item: word,
  commit: word,
  change: word,
  row: word,
  fact: word,
  name: word,
  becomes: word,
  issue: word,
  when: words,
  claim: word,
  release: words,
  sources: words,
  ratings: words,
});

export type ConditionOutline = z.output<typeof condition>;

export const triggerOutline = keys({ ratings: words, on: list(condition), also: list(condition) });

export type TriggerOutline = z.output<typeof triggerOutline>;

const claim = keys({ until: list(condition), fact: word, is: word });

const sourceKeys = keys({ announces: words, "at-audit": entries(word), claims: entries(claim) });

export interface SourceOutline {
  /** The kinds whose keys it has; a valid source has one. */
  readonly kinds: readonly Reader[];
  /** The address at the first of these keys. */
  readonly address?: string;
  /** The options of these kinds, as written. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Undefined if it says nothing about it. */
  readonly announces?: readonly PlacedWord[];
  readonly atAudit: ReadonlyMap<string, string | undefined>;
  readonly claims: ReadonlyMap<string, z.output<typeof claim>>;
}

function sourceOutline(readers: ReadonlyMap<string, Reader>) {
  return z.unknown().transform((value): SourceOutline => {
    const fields = isObject(value) ? value : {};
    const { announces, "at-audit": atAudit, claims } = sourceKeys.parse(value);
    const kinds = Object.keys(fields).flatMap((key) => readers.get(key) ?? []);
    const address = kinds[0] && fields[kinds[0].kind];
    const names = kinds.flatMap((reader) => Object.keys(reader.options));
    return {
      kinds,
      ...(typeof address === "string" && { address }),
      options: Object.fromEntries(Object.entries(fields).filter(([key]) => names.includes(key))),
      ...("announces" in fields && { announces }),
      atAudit,
      claims,
    };
  });
}

const conclusion = keys({ "rests-on": words });

/** The parts of `sources.yaml` that refer to each other. */
export type RootOutline = z.output<ReturnType<typeof rootOutlineOf>>;

function rootOutlineOf(readers: ReadonlyMap<string, Reader>) {
  return keys({
    sources: entries(sourceOutline(readers)),
    ratings: entries(z.unknown()),
    conclusions: entries(conclusion),
    products: entries(z.unknown()),
    documents: entries(z.unknown()),
    levels: listedWords,
    axes: listedWords,
    volatility: z.optional(entries(z.unknown())),
  });
}

const built = new WeakMap<ReadonlyMap<string, Reader>, ReturnType<typeof rootOutlineOf>>();

export function rootOutline(value: unknown, readers: ReadonlyMap<string, Reader>): RootOutline {
  return makeOnce(built, readers, () => rootOutlineOf(readers)).parse(value);
}
