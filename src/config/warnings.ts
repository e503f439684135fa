import { wordsIn } from "../language/words.ts";
import type { Config } from "../model/config.ts";
import type { Problem } from "../model/problem.ts";
import { aDay, type Instant } from "../model/time.ts";
import { inQuotes, type Path, valueAt } from "./problems.ts";
import type { Tree } from "./yaml.ts";

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
  const tell = (path: Path, at: Instant | undefined) => {
    if (at === undefined || at <= now + earliestMorning) return;
    const written = inQuotes(String(valueAt(tree.value, path)));
    const message = `${inQuotes(String(path.at(-1)))} needs a day that is not in the future; this is ${written}`;
    problems.push({ ...tree.place(path, "value"), message });
  };
  tell(["report", "audited"], report.audited);
  for (const [id, { reviewed }] of ratings) tell(["ratings", id, "reviewed"], reviewed);
  return problems;
}

/**
 * Valid settings that are probably mistakes: minutes for months, host names that cannot be public, bare figures,
 * triggers that can never fire.
 */
export function warningsOf(config: Config, { sources, triggers }: ReadFiles): Problem[] {
  const warnings: Problem[] = [];
  const warn = (tree: Tree, path: Path, message: string | undefined) => {
    if (message !== undefined) warnings.push({ ...tree.place(path, "value"), message });
  };
  const length = (tree: Tree, path: Path) =>
    warn(tree, path, minutesForMonths(String(path.at(-1)), valueAt(tree.value, path)));
  const conditions = (tree: Tree, path: Path, list: readonly unknown[]) => {
    for (const i of list.keys()) for (const key of ["for", "unreviewed"]) length(tree, [...path, i, key]);
  };
  for (const word of config.volatility.keys()) length(sources, ["volatility", word]);
  for (const kind of config.schedule.keys()) length(sources, ["schedule", kind]);
  for (const [id, { kind, address, claims }] of config.sources) {
    const at = ["sources", id];
    length(sources, [...at, "every"]);
    warn(sources, [...at, kind], neverPublic(address));
    for (const { id: claim, proof, until } of claims) {
      const here = [...at, "claims", claim];
      conditions(sources, [...here, "until"], until);
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
    conditions(tree, ["on"], on);
    conditions(tree, ["also"], also);
  }
  return warnings;
}

/** Up to this number, `6m` probably means months. */
const fewMinutes = 15;

function minutesForMonths(key: string, written: unknown): string | undefined {
  const count = typeof written === "string" ? /^(\d+)m$/.exec(written)?.[1] : undefined;
  if (count === undefined || Number(count) > fewMinutes) return undefined;
  const minutes = count === "1" ? "1 minute" : `${count} minutes`;
  return `${inQuotes(key)} is ${minutes}: m means minutes; ${count === "1" ? "a month is" : `${count} months are`} ${Number(count) * 30}d`;
}

/** Names that are reserved, not in public DNS: https://www.iana.org/assignments/special-use-domain-names/ and `.internal`. */
const keptNames = new Set("example internal invalid local localhost onion test".split(" "));

function neverPublic(address: string): string | undefined {
  const host = /^https?:/i.test(address) ? URL.parse(address)?.hostname.replace(/\.$/, "") : undefined;
  if (host === undefined || host.startsWith("[") || /^[\d.]+$/.test(host)) return undefined;
  const last = host.slice(host.lastIndexOf(".") + 1);
  if (keptNames.has(last)) return `no public host is called ${inQuotes(host)}: names in .${last} are reserved`;
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
