import { Failure } from "../../model/failure.ts";
import type { Duration, Instant } from "../../model/model.ts";
import type { Clock, HostMemory, StoredRobots } from "../../model/ports/index.ts";
import { aDay, aSecond, hasCome } from "../../model/time.ts";

/** Bytes of a robots.txt that are read; RFC 9309 section 2.5 wants 500 KiB at least. */
export const maxRobotsBytes = 500 * 1024;
const rulesKeptFor: Duration = aDay;
/** While robots.txt cannot be had, the rules that were read last hold for so long. */
const rulesHoldFor: Duration = 30 * aDay;
/** Beyond this many origins those whose rules are too old are forgotten. */
const maxOrigins = 1_000;
/** A longer pause that a site asks for is cut to this: its pages are still to be seen within a day. */
const maxDelay: Duration = 30 * aSecond;

export interface Robots {
  /**
   * Returns the pause between two requests that the site asks for, in milliseconds.
   * @throws Failure robots; or why robots.txt could not be had (5xx, no response), which RFC 9309 takes for a refusal
   */
  ask(url: URL): Promise<Duration>;
}

/** An answer to a question for robots.txt. `text` is undefined where there is none (4xx). */
export type RobotsAnswer =
  | { readonly kind: "not-modified" }
  | { readonly kind: "text"; readonly text: string | undefined; readonly validators: StoredRobots["validators"] };

export interface RobotsSource {
  readonly clock: Clock;
  /** The name that rules are looked up by. */
  readonly product: string;
  /** Where rules outlive the process. */
  readonly memory: HostMemory | undefined;
  /** @throws Failure */
  read(address: URL, validators: StoredRobots["validators"]): Promise<RobotsAnswer>;
}

interface KnownRules {
  readonly until: Instant;
  readonly rules: Promise<RobotsRules>;
}

/** Remembers each origin's robots.txt for 24 hours, also from one run to the next, and asks by its validators then. */
export function createRobots({ clock, product, memory, read }: RobotsSource): Robots {
  const known = new Map<string, KnownRules>();

  /** The rules of an origin, and how long they hold. @throws Failure */
  async function rulesOf(origin: string): Promise<{ rules: RobotsRules; until: Instant }> {
    const now = clock.now();
    const stored = await memory?.robots(product, origin);
    const age = stored ? now - stored.read : Infinity;
    if (stored && age >= 0 && age < rulesKeptFor)
      return { rules: storedRules(stored), until: now - age + rulesKeptFor };
    try {
      const answer = await read(new URL("/robots.txt", origin), stored?.validators ?? {});
      const isSame = answer.kind === "not-modified" && stored !== undefined;
      const rules = isSame
        ? storedRules(stored)
        : parseRobots(answer.kind === "text" ? (answer.text ?? "") : "", product);
      const validators = answer.kind === "text" ? answer.validators : (stored?.validators ?? {});
      await memory?.saveRobots({ product, origin, rules: JSON.stringify(rules), read: now, validators });
      return { rules, until: now + rulesKeptFor };
    } catch (error) {
      // https://www.rfc-editor.org/rfc/rfc9309#section-2.4: what was read before may be used while it is unreachable.
      if (!stored || age < 0 || age > rulesHoldFor || !(error instanceof Failure)) throw error;
      return { rules: storedRules(stored), until: now };
    }
  }

  function knownRules(origin: string): Promise<RobotsRules> {
    const now = clock.now();
    const kept = known.get(origin);
    if (kept && !hasCome(kept.until, now, rulesKeptFor)) return kept.rules;
    if (known.size >= maxOrigins) for (const [key, { until }] of known) if (until <= now) known.delete(key);
    const found = rulesOf(origin);
    const rules = found.then((one) => one.rules);
    known.set(origin, { until: now + rulesKeptFor, rules });
    const settle = (until: Instant) => {
      if (known.get(origin)?.rules !== rules) return;
      if (until > clock.now()) known.set(origin, { until, rules });
      else known.delete(origin);
    };
    found.then(
      ({ until }) => settle(until),
      () => settle(0),
    );
    return rules;
  }

  return {
    async ask(url) {
      const rules = await knownRules(url.origin).catch(ofRobots);
      if (!mayRead(rules.paths, url.pathname + url.search)) throw new Failure("robots");
      return rules.delay;
    },
  };
}

function storedRules({ rules }: StoredRobots): RobotsRules {
  return JSON.parse(rules);
}

/** A failure of robots.txt is not one of the page that it was asked for, unless neither can be reached. */
function ofRobots(error: unknown): never {
  const isOwn = error instanceof Failure && !["dns", "connect", "tls"].includes(error.kind);
  throw isOwn ? new Failure(error.kind, { ...error.facts, robots: "yes" }, error) : error;
}

/** Everything that a robots.txt asks of one product. */
interface RobotsRules {
  readonly paths: readonly Rule[];
  /** `Crawl-delay`: no part of RFC 9309, and yet what many sites say. */
  readonly delay: Duration;
}

interface Rule {
  readonly allow: boolean;
  /** Of the pattern, in octets: the longest match wins. */
  readonly length: number;
  /** The pattern cut at its `*`s. */
  readonly parts: readonly string[];
  /** It ended in `$`. */
  readonly whole: boolean;
}

/** The rules of a robots.txt that speak to `product`: https://www.rfc-editor.org/rfc/rfc9309#section-2.2 */
export function parseRobots(text: string, product: string): RobotsRules {
  const wanted = product.toLowerCase();
  const groups: Record<"own" | "any", Group> = {
    own: { named: false, paths: [], delay: 0 },
    any: { named: false, paths: [], delay: 0 },
  };
  let current: Group[] = [];
  let naming = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/[\r\n]+/)) {
    const content = (line.split("#", 1)[0] ?? "").slice(0, 2_000);
    const colon = content.indexOf(":");
    if (colon < 0) continue;
    const key = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (key === "user-agent") {
      if (!naming) current = [];
      naming = true;
      const token = /^[a-z_-]*/i.exec(value)?.[0].toLowerCase();
      const group = value === "*" ? groups.any : token === wanted ? groups.own : undefined;
      if (group) {
        group.named = true;
        current.push(group);
      }
    } else if (key === "allow" || key === "disallow") {
      naming = false;
      if (value !== "") for (const { paths } of current) paths.push(rule(key === "allow", value));
    } else if (key === "crawl-delay" && /^\d{1,6}(\.\d{1,3})?$/.test(value)) {
      for (const group of current) group.delay = Math.min(Number(value) * aSecond, maxDelay);
    }
  }
  const { paths, delay } = groups.own.named ? groups.own : groups.any;
  return { paths, delay };
}

interface Group {
  named: boolean;
  readonly paths: Rule[];
  delay: Duration;
}

function rule(allow: boolean, pattern: string): Rule {
  const whole = pattern.endsWith("$");
  const path = octets(whole ? pattern.slice(0, -1) : pattern);
  return { allow, length: path.length, parts: path.split("*"), whole };
}

/** RFC 9309 section 2.2.2: octets outside ASCII are compared percent-encoded, unreserved ones decoded. */
function octets(path: string): string {
  return encodeURI(path.toWellFormed())
    .replace(/%25([0-9a-f]{2})/gi, "%$1")
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    });
}

/** Whether the rules let `path` (with its query) be read. Linear: each part of a pattern is found once, leftmost. */
export function mayRead(rules: readonly Rule[], path: string): boolean {
  const wanted = octets(path);
  if (wanted === "/robots.txt") return true;
  let best: Rule | undefined;
  for (const candidate of rules) {
    const better = !best || candidate.length > best.length || (candidate.length === best.length && candidate.allow);
    if (better && matches(candidate, wanted)) best = candidate;
  }
  return best?.allow ?? true;
}

function matches({ parts, whole }: Rule, path: string): boolean {
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = whole ? rest.pop() : undefined;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!whole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}
