import { z } from "zod";
import type { Gives, Reader } from "../read/reader.ts";
import { type FileProblems, quoted } from "./problems.ts";
import type { Path } from "./yaml.ts";

type Told = Pick<FileProblems, "add">;

type Gift = Exclude<keyof Gives, "values">;

/** What a source has that can be listened to. */
interface Offer {
  readonly kind: string;
  readonly gives: Gives;
  /** Options that would make it give this. */
  more(gift: Gift): string[];
  readonly announces: readonly string[];
  readonly hasClaims: boolean;
}

/** What can be listened to, of a `sources.yaml` of any state; sources of no known kind are left out. */
export class Offers {
  readonly #offers: ReadonlyMap<string, Offer>;
  /** Undefined where a source announces what is no product: one of the others may be meant. */
  readonly #announced: ReadonlySet<string> | undefined;
  readonly #products: ReadonlySet<string>;

  constructor(root: unknown, readers: ReadonlyMap<string, Reader>) {
    const sources = entriesOf(keyOf(root, "sources"));
    this.#offers = new Map(
      sources.flatMap(([id, source]) => {
        const reader = kindOf(source, readers);
        return reader ? [[id, offerOf(source, reader)]] : [];
      }),
    );
    this.#products = new Set(entriesOf(keyOf(root, "products")).map(([id]) => id));
    const announced = new Set(sources.flatMap(([, source]) => wordsOf(keyOf(source, "announces"))));
    this.#announced = announced.isSubsetOf(this.#products) ? announced : undefined;
  }

  /** Conditions of `sources.yaml` that nothing can meet, announcements without entries, facts that are none. */
  checkSources(root: unknown, found: Told): void {
    for (const [id, source] of entriesOf(keyOf(root, "sources"))) {
      const at = ["sources", id];
      if (isKeyed(source) && "announces" in source) this.#wants("items", id, [...at, "announces"], found);
      for (const [fact, was] of entriesOf(keyOf(source, "at-audit"))) {
        this.#hasFact(id, fact, [...at, "at-audit", fact], "key", found);
        this.#canBe(id, fact, was, [...at, "at-audit", fact], found);
      }
      for (const [claim, entry] of entriesOf(keyOf(source, "claims"))) {
        this.#checkConditions(keyOf(entry, "until"), [...at, "claims", claim, "until"], found);
        const fact = keyOf(entry, "fact");
        if (typeof fact !== "string") continue;
        this.#wants("facts", id, [...at, "claims", claim, "fact"], found);
        this.#hasFact(id, fact, [...at, "claims", claim, "fact"], "value", found);
        this.#canBe(id, fact, keyOf(entry, "is"), [...at, "claims", claim, "is"], found);
      }
    }
  }

  /** Conditions of a trigger that nothing can meet. */
  checkTrigger(trigger: unknown, found: Told): void {
    for (const part of ["on", "also"]) this.#checkConditions(keyOf(trigger, part), [part], found);
  }

  #checkConditions(conditions: unknown, path: Path, found: Told): void {
    listOf(conditions).forEach((condition, i) => {
      const at = [...path, i];
      for (const [key, value] of entriesOf(condition)) {
        const gift = Object.hasOwn(listens, key) ? listens[key] : undefined;
        if (typeof value === "string" && gift) this.#wants(gift, value, [...at, key], found);
        if (typeof value === "string" && key === "claim") this.#hasClaims(value, [...at, key], found);
        if (typeof value === "string" && key === "fact") {
          const name = keyOf(condition, "name");
          if (typeof name === "string") this.#hasFact(value, name, [...at, "name"], "value", found);
          this.#canBe(value, name, keyOf(condition, "becomes"), [...at, "becomes"], found);
        }
        if (key === "issue") this.#hasMoments(value, keyOf(condition, "when"), [...at, "when"], found);
        if (key === "release") this.#announces(value, keyOf(condition, "sources"), at, found);
      }
    });
  }

  #wants(gift: Gift, source: string, path: Path, found: Told): void {
    const offer = this.#offers.get(source);
    const given = offer?.gives[gift];
    if (!offer || some(given) || (gift === "facts" && offer.gives.values)) return;
    const more = offer.more(gift).map(quoted).join(" or ");
    const without = more && ` without ${more}`;
    const key = quoted(String(path.at(-1)));
    const message = `${key} wants ${nouns[gift]}; source ${quoted(source)} (${offer.kind}) gives none${without}`;
    found.add(path, "value", message);
  }

  #hasFact(source: string, name: string, path: Path, part: "key" | "value", found: Told): void {
    const offer = this.#offers.get(source);
    const facts = offer?.gives.facts ?? [];
    if (!offer || facts.includes(name) || offer.gives.values?.(name)) return;
    if (facts.length === 0 && part === "value" && !offer.gives.values) return; // told of the condition's source
    const has = facts.length > 0 ? `, only ${facts.slice(0, 20).join(", ")}` : "";
    found.add(path, part, `source ${quoted(source)} (${offer.kind}) has no fact ${quoted(name)}${has}`);
  }

  /** What a fact never is would be waited for in vain. */
  #canBe(source: string, fact: unknown, value: unknown, path: Path, found: Told): void {
    if (typeof fact !== "string" || typeof value !== "string") return;
    const can = this.#offers.get(source)?.gives.values?.(fact) ?? [];
    if (can.length === 0 || can.includes(value)) return;
    found.add(path, "value", `${quoted(fact)} is never ${quoted(value)}, only ${can.join(", ")}`);
  }

  /** A pull request has no labels and no text to change. */
  #hasMoments(source: unknown, moments: unknown, path: Path, found: Told): void {
    const offer = this.#offers.get(String(source));
    if (!offer?.gives.issue) return;
    const { text, facts = [] } = offer.gives;
    listOf(moments).forEach((moment, i) => {
      const fact = Object.hasOwn(factOf, String(moment)) ? factOf[String(moment)] : undefined;
      if (fact === undefined || (fact === "text" ? text : facts.includes(fact))) return;
      found.add([...path, i], "value", `source ${quoted(String(source))} (${offer.kind}) has no ${fact}`);
    });
  }

  #hasClaims(name: string, path: Path, found: Told): void {
    if (name.includes("/") || this.#offers.get(name)?.hasClaims !== false) return;
    found.add(path, "value", `"claim" wants a claim; source ${quoted(name)} has none`);
  }

  /** Each product has a source that announces it; each source named announces one of the products. */
  #announces(release: unknown, sources: unknown, at: Path, found: Told): void {
    if (!this.#announced) return;
    const announced = this.#announced;
    const products = wordsOf(release).filter((id) => this.#products.has(id));
    const named = wordsOf(sources).filter((id) => this.#offers.has(id));
    const theirs = named.flatMap((id) => this.#offers.get(id)?.announces ?? []);
    products.forEach((product) => {
      const path = Array.isArray(release) ? [...at, "release", release.indexOf(product)] : [...at, "release"];
      if (!announced.has(product)) found.add(path, "value", `no source announces product ${quoted(product)}`);
      else if (named.length > 0 && !theirs.includes(product)) {
        found.add(path, "value", `none of "sources" announces product ${quoted(product)}`);
      }
    });
    listOf(sources).forEach((id, i) => {
      const offer = this.#offers.get(String(id));
      if (!offer || products.length === 0 || offer.announces.some((product) => products.includes(product))) return;
      const which = products.map(quoted).join(" or ");
      found.add([...at, "sources", i], "value", `source ${quoted(String(id))} does not announce ${which}`);
    });
  }
}

/** What the source must give that a condition names, by the condition's key. */
const listens: Readonly<Record<string, Gift>> = {
  item: "items",
  commit: "commits",
  change: "text",
  row: "rows",
  fact: "facts",
  issue: "issue",
};

/** What of an issue moves at each of its moments: a fact, or its text. */
const factOf: Readonly<Record<string, string>> = {
  closed: "state",
  reopened: "state",
  title: "title",
  labels: "labels",
  body: "text",
  checklist: "text",
};

const nouns: Readonly<Record<Gift, string>> = {
  items: "items",
  commits: "commits",
  text: "text",
  rows: "table rows",
  facts: "facts",
  issue: "an issue or pull request",
};

function some(given: Gives[Gift]): boolean {
  return typeof given === "object" ? given.length > 0 : given === true;
}

function kindOf(source: unknown, readers: ReadonlyMap<string, Reader>): Reader | undefined {
  const kinds = entriesOf(source).flatMap(([key]) => readers.get(key) ?? []);
  return kinds.length === 1 ? kinds[0] : undefined;
}

function offerOf(source: unknown, reader: Reader): Offer {
  const names = Object.keys(reader.options);
  const options = Object.fromEntries(entriesOf(source).filter(([key]) => names.includes(key)));
  return {
    kind: reader.kind,
    gives: reader.gives(options),
    more: (gift) => names.filter((name) => some(reader.gives({ ...options, [name]: { any: "" } })[gift])),
    announces: wordsOf(keyOf(source, "announces")),
    hasClaims: entriesOf(keyOf(source, "claims")).length > 0,
  };
}

/** Mistakes that lie between entries of `sources.yaml`. Reads plain values, so that it works in a file with other mistakes. */
export function acrossSources(root: unknown, readers: ReadonlyMap<string, Reader>, found: FileProblems): void {
  const first = new Map<string, string>();
  for (const [id, source] of entriesOf(keyOf(root, "sources"))) {
    const [kind, address] = entriesOf(source).find(([key]) => readers.has(key)) ?? [];
    if (kind === undefined || typeof address !== "string") continue;
    const same = `${kind} ${sameAddress(address, source, readers.get(kind))}`;
    const other = first.get(same);
    if (other === undefined) first.set(same, id);
    else found.add(["sources", id, kind], "value", `source ${quoted(other)} watches this address already`);
  }
  circles(keyOf(root, "conclusions"), found);
}

/** A condition may name fewer ratings than its trigger, never others. */
export function acrossTrigger(trigger: unknown, id: string, found: FileProblems): void {
  const ratings = new Set(listOf(keyOf(trigger, "ratings")));
  for (const part of ["on", "also"]) {
    listOf(keyOf(trigger, part)).forEach((condition, i) => {
      listOf(keyOf(condition, "ratings")).forEach((rating, j) => {
        if (typeof rating !== "string" || ratings.has(rating)) return;
        found.add(
          [part, i, "ratings", j],
          "value",
          `${quoted(rating)} is not among the ratings of trigger ${quoted(id)}`,
        );
      });
    });
  }
}

/**
 * URLs that lead to one page are one address: scheme, fragment, default port and a last slash make no difference. Of
 * other addresses (`owner/name`) case makes none, and the kind's options belong to what is watched: a path, a branch.
 */
function sameAddress(address: string, source: unknown, reader: Reader | undefined): string {
  if (/^https?:/i.test(address) && URL.canParse(address)) {
    const { host, pathname, search } = new URL(address);
    return `${host}${pathname.replace(/\/$/, "")}${search}`;
  }
  const options = Object.keys(reader?.options ?? {}).map((key) => keyOf(source, key) ?? null);
  return `${address.toLowerCase()} ${JSON.stringify(options)}`;
}

/** Conclusions that rest on themselves, by whatever way. */
function circles(conclusions: unknown, found: FileProblems): void {
  const restsOn = new Map(entriesOf(conclusions).map(([id, entry]) => [id, listOf(keyOf(entry, "rests-on"))]));
  const done = new Set<unknown>();
  for (const id of restsOn.keys()) {
    const way: { id: string; next: number }[] = done.has(id) ? [] : [{ id, next: 0 }];
    const open = new Set<unknown>([id]);
    for (let here = way.at(-1); here; here = way.at(-1)) {
      const i = here.next++;
      const below = restsOn.get(here.id)?.[i];
      if (i >= (restsOn.get(here.id)?.length ?? 0)) {
        way.pop();
        open.delete(here.id);
        done.add(here.id);
      } else if (open.has(below)) {
        const message = `conclusion ${quoted(String(below))} rests on itself by way of this`;
        found.add(["conclusions", here.id, "rests-on", i], "value", message);
      } else if (typeof below === "string" && restsOn.has(below) && !done.has(below)) {
        open.add(below);
        way.push({ id: below, next: 0 });
      }
    }
  }
}

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

/** Looks into a file of any state, before and beside its schema: what is not there, or is something else, is empty. */

function keyOf(value: unknown, key: string): unknown {
  return isKeyed(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isKeyed(value) ? Object.entries(value) : [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One word or a list of them, as a list. */
function wordsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((word) => typeof word === "string");
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
