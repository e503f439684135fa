import { z } from "zod";
import { entriesOf, keyOf, wordsOf } from "./plain.ts";
import { quoted } from "./problem.ts";

/** Every name that `sources.yaml` gives, read before anything is checked, so that one mistake never hides another. */
export interface Known {
  readonly sources: ReadonlySet<string>;
  /** `source/claim`. */
  readonly claims: ReadonlySet<string>;
  readonly ratings: ReadonlySet<string>;
  readonly conclusions: ReadonlySet<string>;
  readonly products: ReadonlySet<string>;
  readonly documents: ReadonlySet<string>;
  readonly levels: ReadonlySet<string>;
  readonly axes: readonly string[];
  readonly volatility: ReadonlySet<string>;
}

/** How long ratings stay fresh where the report does not say. */
export const defaultVolatility: Readonly<Record<string, string>> = { High: "90d", Medium: "180d", Low: "365d" };

/** The names in a `sources.yaml` of any state. */
export function knownOf(root: unknown): Known {
  const keys = (name: string) => new Set(entriesOf(keyOf(root, name)).map(([key]) => key));
  const claims = entriesOf(keyOf(root, "sources")).flatMap(([source, entry]) =>
    entriesOf(keyOf(entry, "claims")).map(([claim]) => `${source}/${claim}`),
  );
  return {
    sources: keys("sources"),
    claims: new Set(claims),
    ratings: keys("ratings"),
    conclusions: keys("conclusions"),
    products: keys("products"),
    documents: keys("documents"),
    levels: new Set(wordsOf(keyOf(root, "levels"))),
    axes: wordsOf(keyOf(root, "axes")),
    volatility: keyOf(root, "volatility") === undefined ? new Set(Object.keys(defaultVolatility)) : keys("volatility"),
  };
}

/** The name of something in `sources.yaml`. Without `names` (the file could not be read, or none is at hand) any is taken. */
export function nameOf(what: string, names: ReadonlySet<string> | undefined) {
  return z.string({ error: `wants the name of a ${what}` }).check((context) => refuseUnknown(context, what, names));
}

/** The name of a claim, `source/claim`, or of a source: any of its claims. */
export function claimName(known: Known | undefined) {
  return z.string({ error: "wants the name of a source, or of a claim: source/claim" }).check((context) => {
    const [source = "", claim] = context.value.split("/");
    if (claim === undefined || (known && !known.sources.has(source))) {
      refuseUnknown({ issues: context.issues, value: source }, "source", known?.sources);
    } else refuseUnknown(context, "claim", known?.claims);
  });
}

/** Part of zod's own payload: what is checked, and where its problems go. */
interface Payload {
  readonly value: string;
  readonly issues: z.core.$ZodRawIssue[];
}

function refuseUnknown({ value, issues }: Payload, what: string, names: ReadonlySet<string> | undefined): void {
  if (!names || names.has(value)) return;
  const message = `no ${what} named ${quoted(value)} in sources.yaml`;
  issues.push({ code: "custom", message, input: value, params: { word: value, among: names } });
}
