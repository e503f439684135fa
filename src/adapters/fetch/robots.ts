import { Failure } from "../../model/failure.ts";
import type { Duration, Instant } from "../../model/model.ts";
import type { Clock } from "../../model/ports/index.ts";
import { anHour } from "../../model/time.ts";

/** Bytes of a robots.txt that are read; RFC 9309 section 2.5 wants 500 KiB at least. */
export const maxRobotsBytes = 500 * 1024;
const rulesKeptFor: Duration = 24 * anHour;
/** Beyond this many origins those whose rules are too old are forgotten. */
const maxOrigins = 1_000;

export interface Robots {
  /** @throws Failure robots; or why robots.txt could not be had (5xx, no response), which RFC 9309 takes for a refusal */
  ask(url: URL): Promise<void>;
}

/** Remembers each origin's robots.txt for 24 hours. `read` gives its text; undefined where there is none (4xx). */
export function createRobots(
  clock: Clock,
  product: string,
  read: (address: URL) => Promise<string | undefined>,
): Robots {
  const known = new Map<string, { until: Instant; rules: Promise<readonly Rule[]> }>();

  function rulesOf(origin: string): Promise<readonly Rule[]> {
    const now = clock.now();
    const kept = known.get(origin);
    if (kept && kept.until > now) return kept.rules;
    if (known.size >= maxOrigins) for (const [key, { until }] of known) if (until <= now) known.delete(key);
    const rules = read(new URL("/robots.txt", origin)).then((text) => parseRobots(text ?? "", product));
    known.set(origin, { until: now + rulesKeptFor, rules });
    rules.catch(() => known.get(origin)?.rules === rules && known.delete(origin));
    return rules;
  }

  return {
    async ask(url) {
      const rules = await rulesOf(url.origin).catch(ofRobots);
      if (!mayRead(rules, url.pathname + url.search)) throw new Failure("robots");
    },
  };
}

/** A failure of robots.txt is not one of the page that it was asked for, unless neither can be reached. */
function ofRobots(error: unknown): never {
  const isOwn = error instanceof Failure && !["dns", "connect", "tls"].includes(error.kind);
  throw isOwn ? new Failure(error.kind, { ...error.facts, robots: "yes" }, error) : error;
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
export function parseRobots(text: string, product: string): readonly Rule[] {
  const wanted = product.toLowerCase();
  const groups: Record<"own" | "any", { named: boolean; rules: Rule[] }> = {
    own: { named: false, rules: [] },
    any: { named: false, rules: [] },
  };
  let current: Rule[][] = [];
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
        current.push(group.rules);
      }
    } else if (key === "allow" || key === "disallow") {
      naming = false;
      if (value !== "") for (const rules of current) rules.push(rule(key === "allow", value));
    }
  }
  return groups.own.named ? groups.own.rules : groups.any.rules;
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
