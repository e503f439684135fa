import * as z from "zod";
import { aDay, type Duration } from "../model/time.ts";
import type { RootOutline } from "./outline.ts";
import { inQuotes } from "./problems.ts";

export type DeclaredNames = Readonly<ReturnType<typeof declaredNames>>;

export const defaultVolatility: Readonly<Record<string, Duration>> = {
  High: 90 * aDay,
  Medium: 180 * aDay,
  Low: 365 * aDay,
};

/** All names declared in `sources.yaml`, read before the check, so that one mistake never hides another. */
export function declaredNames(root: RootOutline) {
  const claims = [...root.sources].flatMap(([source, entry]) =>
    [...entry.claims.keys()].map((id) => `${source}/${id}`),
  );
  const ratings = [...root.ratings.keys()];
  return {
    sources: new Set(root.sources.keys()),
    /** `source/claim`. */
    claims: new Set(claims),
    ratings: new Set(ratings),
    judgements: new Set([...ratings, ...root.conclusions.keys()]),
    /** The last part of each rating's id, and the whole id. */
    areas: new Set(ratings.flatMap((id) => [id.slice(id.lastIndexOf("/") + 1), id])),
    products: new Set(root.products.keys()),
    documents: new Set(root.documents.keys()),
    levels: new Set(root.levels.map(({ word }) => word)),
    axes: root.axes.map(({ word }) => word),
    volatility: new Set(root.volatility?.keys() ?? Object.keys(defaultVolatility)),
  };
}

let current: DeclaredNames | undefined;

/** Checks names against these, if any, during `work`. All configs share the schemas, as these take long to build. */
export function withNames<T>(names: DeclaredNames | undefined, work: () => T): T {
  const outer = current;
  current = names;
  try {
    return work();
  } finally {
    current = outer;
  }
}

export function currentNames<T>(of: (names: DeclaredNames) => T): T | undefined {
  return current && of(current);
}

/** The names of entries in `sources.yaml`, by the kind of entry; any name if the entries are not known. */
export const nameOf = {
  source: knownName("source", ({ sources }) => sources),
  product: knownName("product", ({ products }) => products),
  document: knownName("document", ({ documents }) => documents),
  rating: knownName("rating", ({ ratings }) => ratings),
  judgement: knownName("rating or conclusion", ({ judgements }) => judgements),
  level: knownName("level", ({ levels }) => levels),
  volatility: knownName("volatility", ({ volatility }) => volatility),
  /** `source/claim`, or a source: any of its claims. */
  claim: z.string({ error: "needs the name of a source, or of a claim: source/claim" }).check((context) => {
    const [source = "", claim] = context.value.split("/");
    if (claim === undefined || (current && !current.sources.has(source))) {
      refuseUnknown({ issues: context.issues, value: source }, "source", current?.sources);
    } else refuseUnknown(context, "claim", current?.claims);
  }),
};

function knownName(noun: string, of: (names: DeclaredNames) => ReadonlySet<string>) {
  const name = z.string({ error: `needs the name of a ${noun}` });
  return name.check((context) => refuseUnknown(context, noun, currentNames(of)));
}

/** The part of zod's payload that is used: the value, and the list of its problems. */
interface Payload {
  readonly value: string;
  readonly issues: z.core.$ZodRawIssue[];
}

function refuseUnknown({ value, issues }: Payload, noun: string, names: ReadonlySet<string> | undefined): void {
  if (!names || names.has(value)) return;
  const message = `no ${noun} named ${inQuotes(value)} in sources.yaml`;
  issues.push({ code: "custom", message, input: value, params: { word: value, among: names } });
}
