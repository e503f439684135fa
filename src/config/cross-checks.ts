import { wordsIn } from "../language/words.ts";
import { wordSet } from "../model/cache.ts";
import type { Config } from "../model/config.ts";
import type { Problem } from "../model/problem.ts";
import { addressKey } from "../model/source.ts";
import { aDay, type Instant } from "../model/time.ts";
import type { Gives, Reader } from "../read/reader.ts";
import { partNeededBy, type ReadingPart } from "./condition.ts";
import type { ConditionOutline, PlacedWord, RootOutline, SourceOutline, TriggerOutline } from "./outline.ts";
import { type FileProblems, inQuotes, type Path, valueAt } from "./problems.ts";
import type { Tree } from "./yaml.ts";

type Problems = Pick<FileProblems, "add">;

/** Mistakes between entries of a config that a schema cannot see. Each file is checked separately. */
export function crossChecks(root: RootOutline) {
  const sources = [...root.sources];
  const offers = new Map(
    sources.flatMap(([id, source]): [string, Offer][] => {
      const [reader, ...others] = source.kinds;
      return reader && others.length === 0 ? [[id, offerOf(source, reader)]] : [];
    }),
  );
  const names = new Set(sources.flatMap(([, { announces = [] }]) => announces.map(({ word }) => word)));
  /** Undefined if a source announces an undeclared product: it may be a misspelling of another one. */
  const announced = [...names].every((id) => root.products.has(id)) ? names : undefined;

  /** Checks `sources.yaml`: addresses and facts of sources, circles of conclusions, conditions that cannot be met. */
  function checkSources(problems: Problems): void {
    checkAddresses(root, problems);
    checkCircles(root, problems);
    for (const [id, { announces, atAudit, claims }] of root.sources) {
      const at = ["sources", id];
      if (announces) checkPart("items", id, [...at, "announces"], problems);
      for (const [fact, was] of atAudit) {
        checkFact(id, fact, { path: [...at, "at-audit", fact], part: "key" }, problems);
        checkValue(id, fact, was, [...at, "at-audit", fact], problems);
      }
      for (const [claim, { until, fact, is }] of claims) {
        const here = [...at, "claims", claim];
        checkConditions(until, [...here, "until"], problems);
        if (fact === undefined) continue;
        checkPart("facts", id, [...here, "fact"], problems);
        checkFact(id, fact, { path: [...here, "fact"], part: "value" }, problems);
        checkValue(id, fact, is, [...here, "is"], problems);
      }
    }
  }

  /** Checks a trigger: conditions that cannot be met, and conditions with ratings that are not the trigger's. */
  function checkTrigger(trigger: TriggerOutline, id: string, problems: Problems): void {
    const ratings = new Set(trigger.ratings.map(({ word }) => word));
    for (const part of ["on", "also"] as const) {
      checkConditions(trigger[part], [part], problems);
      for (const [i, condition] of trigger[part].entries()) {
        for (const { word, below } of condition.ratings) {
          // An undeclared rating is reported as an unknown name.
          if (ratings.has(word) || !root.ratings.has(word)) continue;
          const message = `${inQuotes(word)} is not among the ratings of trigger ${inQuotes(id)}`;
          problems.add([part, i, "ratings", ...below], "value", message);
        }
      }
    }
  }

  function checkConditions(conditions: readonly ConditionOutline[], path: Path, problems: Problems): void {
    for (const [i, condition] of conditions.entries()) {
      const at = [...path, i];
      const { fact, name, becomes, issue, claim } = condition;
      for (const [key, source] of Object.entries(condition)) {
        const part = partNeededBy(key);
        if (part && typeof source === "string") checkPart(part, source, [...at, key], problems);
      }
      if (claim !== undefined && !claim.includes("/") && offers.get(claim)?.hasClaims === false)
        problems.add([...at, "claim"], "value", `"claim" needs a claim; source ${inQuotes(claim)} has none`);
      if (fact !== undefined && name !== undefined) {
        checkFact(fact, name, { path: [...at, "name"], part: "value" }, problems);
        checkValue(fact, name, becomes, [...at, "becomes"], problems);
      }
      if (issue !== undefined) checkMoments(issue, condition.when, [...at, "when"], problems);
      checkAnnounced(condition, at, problems);
    }
  }

  function checkPart(part: ReadingPart, source: string, path: Path, problems: Problems): void {
    const offer = offers.get(source);
    const given = offer?.gives[part];
    if (!offer || isSome(given) || (part === "facts" && offer.gives.values)) return;
    const more = offer.more(part).map(inQuotes).join(" or ");
    const without = more && ` without ${more}`;
    const key = inQuotes(String(path.at(-1)));
    const message = `${key} needs ${nouns[part]}; source ${inQuotes(source)} (${offer.kind}) gives none${without}`;
    problems.add(path, "value", message);
  }

  function checkFact(
    source: string,
    name: string,
    at: { path: Path; part: "key" | "value" },
    problems: Problems,
  ): void {
    const offer = offers.get(source);
    const facts = offer?.gives.facts ?? [];
    if (!offer || facts.includes(name) || offer.gives.values?.(name)) return;
    // A source without any facts is reported as a problem of the condition's source.
    if (facts.length === 0 && at.part === "value" && !offer.gives.values) return;
    const { suchAs = [] } = offer.gives;
    const names = [...facts.slice(0, 20), ...suchAs].join(", ");
    const has = names === "" ? "" : `, only ${names}${suchAs.length > 0 ? " …" : ""}`;
    problems.add(at.path, at.part, `source ${inQuotes(source)} (${offer.kind}) has no fact ${inQuotes(name)}${has}`);
  }

  function checkValue(source: string, fact: string, value: string | undefined, path: Path, problems: Problems): void {
    const can = offers.get(source)?.gives.values?.(fact) ?? [];
    if (value === undefined || can.length === 0 || can.includes(value)) return;
    problems.add(path, "value", `${inQuotes(fact)} is never ${inQuotes(value)}, only ${can.join(", ")}`);
  }

  /** A pull request has no labels and no text to change. */
  function checkMoments(source: string, moments: readonly PlacedWord[], path: Path, problems: Problems): void {
    const offer = offers.get(source);
    if (!offer?.gives.issue) return;
    const { text, facts = [] } = offer.gives;
    for (const { word, below } of moments) {
      const fact = factOf.get(word);
      if (fact === undefined || (fact === "text" ? text : facts.includes(fact))) continue;
      problems.add([...path, ...below], "value", `source ${inQuotes(source)} (${offer.kind}) has no ${fact}`);
    }
  }

  /** Each product needs a source that announces it; each listed source must announce one of the products. */
  function checkAnnounced({ release, sources }: ConditionOutline, at: Path, problems: Problems): void {
    if (!announced) return;
    const products = release.filter(({ word }) => root.products.has(word));
    const released = sources.flatMap(({ word, below }) => {
      const offer = offers.get(word);
      return offer ? [{ word, below, announces: offer.announces }] : [];
    });
    for (const { word, below } of products) {
      const path = [...at, "release", ...below];
      if (!announced.has(word)) problems.add(path, "value", `no source announces product ${inQuotes(word)}`);
      else if (released.length > 0 && !released.some(({ announces }) => announces.includes(word))) {
        problems.add(path, "value", `no source in "sources" announces product ${inQuotes(word)}`);
      }
    }
    for (const { word, below, announces } of released) {
      if (products.length === 0 || products.some((product) => announces.includes(product.word))) continue;
      const which = products.map((product) => inQuotes(product.word)).join(" or ");
      problems.add([...at, "sources", ...below], "value", `source ${inQuotes(word)} does not announce ${which}`);
    }
  }

  return { checkSources, checkTrigger };
}

interface Offer {
  readonly kind: string;
  readonly gives: Gives;
  /** Options with which it would give this. */
  more(part: ReadingPart): string[];
  readonly announces: readonly string[];
  readonly hasClaims: boolean;
}

function offerOf({ options, announces = [], claims }: SourceOutline, reader: Reader): Offer {
  const names = Object.keys(reader.options);
  return {
    kind: reader.kind,
    gives: reader.gives(options),
    more: (part) => names.filter((name) => isSome(reader.gives({ ...options, [name]: { any: "" } })[part])),
    announces: announces.map(({ word }) => word),
    hasClaims: claims.size > 0,
  };
}

function isSome(given: Gives[ReadingPart]): boolean {
  return typeof given === "object" ? given.length > 0 : given === true;
}

/** The part of an issue that each of its moments changes: a fact, or its text. */
const factOf: ReadonlyMap<string, string> = new Map([
  ["closed", "state"],
  ["reopened", "state"],
  ["title", "title"],
  ["labels", "labels"],
  ["body", "text"],
  ["checklist", "text"],
]);

const nouns: Readonly<Record<ReadingPart, string>> = {
  items: "items",
  commits: "commits",
  text: "text",
  rows: "table rows",
  facts: "facts",
  issue: "an issue or pull request",
};

function checkAddresses({ sources }: RootOutline, problems: Problems): void {
  const first = new Map<string, string>();
  for (const [id, source] of sources) {
    const [reader] = source.kinds;
    if (!reader || source.address === undefined) continue;
    const same = `${reader.kind} ${sameAddress(source.address, source, reader)}`;
    const other = first.get(same);
    if (other === undefined) first.set(same, id);
    else problems.add(["sources", id, reader.kind], "value", `source ${inQuotes(other)} watches this address already`);
  }
}

function sameAddress(address: string, { options }: SourceOutline, reader: Reader): string {
  const read = JSON.stringify(Object.keys(reader.options).map((key) => [options[key] ?? []].flat()));
  const same = /^https?:/i.test(address) ? reader.sameName?.(address) : undefined;
  return `${same ?? addressKey(address)} ${read}`;
}

/** Reports conclusions that rest on themselves, directly or through others. */
function checkCircles({ conclusions }: RootOutline, problems: Problems): void {
  const visited = new Set<string>();
  for (const id of conclusions.keys()) {
    const stack: { id: string; next: number }[] = visited.has(id) ? [] : [{ id, next: 0 }];
    const idsOnPath = new Set([id]);
    for (let current = stack.at(-1); current; current = stack.at(-1)) {
      const below = conclusions.get(current.id)?.["rests-on"][current.next++];
      if (!below) {
        stack.pop();
        idsOnPath.delete(current.id);
        visited.add(current.id);
      } else if (idsOnPath.has(below.word)) {
        const message = `conclusion ${inQuotes(below.word)} rests on itself through this`;
        problems.add(["conclusions", current.id, "rests-on", ...below.below], "value", message);
      } else if (conclusions.has(below.word) && !visited.has(below.word)) {
        idsOnPath.add(below.word);
        stack.push({ id: below.word, next: 0 });
      }
    }
  }
}

export interface ReadFiles {
  readonly sources: Tree;
  /** By id. */
  readonly triggers: ReadonlyMap<string, Tree>;
}

/** In some time zone a day begins up to 14 hours before it does in UTC. */
const earliestMorning = aDay;

/** Days of the audit or of reviews in `sources.yaml` that are in the future. */
export function futureDays({ report, ratings }: Config, tree: Tree, now: Instant): Problem[] {
  const problems: Problem[] = [];
  const checkDay = (path: Path, at: Instant | undefined) => {
    if (at === undefined || at <= now + earliestMorning) return;
    const written = inQuotes(String(valueAt(tree.value, path)));
    const message = `${inQuotes(String(path.at(-1)))} needs a day that is not in the future; this is ${written}`;
    problems.push({ ...tree.place(path, "value"), message });
  };
  checkDay(["report", "audited"], report.audited);
  for (const [id, { reviewed }] of ratings) checkDay(["ratings", id, "reviewed"], reviewed);
  return problems;
}

/** Valid settings that are probably mistakes: minutes for months, private hosts, bare figures, idle triggers. */
export function warningsOf(config: Config, { sources, triggers }: ReadFiles): Problem[] {
  const warnings: Problem[] = [];
  const warn = (tree: Tree, path: Path, message: string | undefined) => {
    if (message !== undefined) warnings.push({ ...tree.place(path, "value"), message });
  };
  const checkDuration = (tree: Tree, path: Path) =>
    warn(tree, path, minutesForMonths(String(path.at(-1)), valueAt(tree.value, path)));
  const checkDurations = (tree: Tree, path: Path, list: readonly unknown[]) => {
    for (const i of list.keys()) for (const key of ["for", "unreviewed"]) checkDuration(tree, [...path, i, key]);
  };
  for (const word of config.volatility.keys()) checkDuration(sources, ["volatility", word]);
  for (const kind of config.schedule.keys()) checkDuration(sources, ["schedule", kind]);
  for (const [id, { kind, address, claims }] of config.sources) {
    const at = ["sources", id];
    checkDuration(sources, [...at, "every"]);
    warn(sources, [...at, kind], neverPublic(address));
    for (const { id: claim, proof, until } of claims) {
      const here = [...at, "claims", claim];
      checkDurations(sources, [...here, "until"], until);
      if ("value" in proof && (proof.of === undefined || !/\d/.test(proof.value)))
        warn(sources, [...here, "value"], bareFigure(proof.value));
    }
  }
  const claimed = new Set(
    [...config.sources.values()].flatMap((source) => source.claims.flatMap((one) => one.ratings)),
  );
  for (const [id, { on, also, ratings }] of config.triggers) {
    const tree = triggers.get(id);
    if (!tree) continue;
    if (on.length + also.length === 0 && !ratings.some((rating) => claimed.has(rating)))
      warn(tree, [], "this trigger can never fire: it has no condition, and none of its ratings has a claim");
    checkDurations(tree, ["on"], on);
    checkDurations(tree, ["also"], also);
  }
  return warnings;
}

/** Up to this number, `6m` probably means months. */
const maxMinutes = 15;

function minutesForMonths(key: string, written: unknown): string | undefined {
  const count = typeof written === "string" ? /^(\d+)m$/.exec(written)?.[1] : undefined;
  if (count === undefined || Number(count) > maxMinutes) return undefined;
  const minutes = count === "1" ? "1 minute" : `${count} minutes`;
  return `${inQuotes(key)} is ${minutes}: m means minutes; ${count === "1" ? "a month is" : `${count} months are`} ${Number(count) * 30}d`;
}

/** Names that are reserved, not in public DNS: https://www.iana.org/assignments/special-use-domain-names/ and `.internal`. */
const reservedNames = wordSet("example internal invalid local localhost onion test");

function neverPublic(address: string): string | undefined {
  const host = /^https?:/i.test(address) ? URL.parse(address)?.hostname.replace(/\.$/, "") : undefined;
  if (host === undefined || host.startsWith("[") || /^[\d.]+$/.test(host)) return undefined;
  const last = host.slice(host.lastIndexOf(".") + 1);
  if (reservedNames.has(last)) return `no public host is called ${inQuotes(host)}: names in .${last} are reserved`;
  return last === host ? `no public host is called ${inQuotes(host)}: it has no dot` : undefined;
}

/** The problem of a value without a unit: a bare number, a percentage, or no number at all. */
function bareFigure(value: string): string | undefined {
  if (!/\d/.test(value)) return `${inQuotes(value)} has no figure; for a passage, use "quote"`;
  const [only, ...more] = wordsIn(value);
  const isBare = only?.term.number !== undefined || ["percent", "count"].includes(only?.term.quantity?.dimension ?? "");
  if (!isBare || more.length > 0) return undefined;
  return `${inQuotes(value)} may mean anything there; add "of" with words near it`;
}
