import { RecentlyUsed } from "../../model/cache.ts";
import { Failure } from "../../model/failure.ts";
import type { Clock, HostMemory, StoredRobots } from "../../model/ports/index.ts";
import { aDay, aSecond, type Duration, hasCome, type Instant } from "../../model/time.ts";

/** Bytes of a robots.txt that are parsed. RFC 9309 section 2.5 requires at least 500 KiB; the rest is ignored. */
export const maxRobotsBytes = 500 * 1024;
/** Rules are used for a day before robots.txt is asked for again. */
const rulesKeptFor: Duration = aDay;
/** While robots.txt cannot be reached, the rules that were read last are used for 30 days. */
const rulesHoldFor: Duration = 30 * aDay;
/** Bytes of rules that a process keeps at once. Beyond them, the least recently used are dropped. */
const maxKnownBytes = 32 * 2 ** 20;
/** Rough size in bytes of an origin besides its name and rules. */
const bytesOfOrigin = 1_000;
/** Characters of rules that are stored for an origin. Few sites have more, which each process parses again. */
const maxStoredRules = 64 * 1024;

export type Robots = ReturnType<typeof createRobots>;

/** The response to a request for robots.txt. `text` is undefined if the file is missing (4xx). */
export type RobotsAnswer =
  | { readonly kind: "not-modified" }
  | { readonly kind: "text"; readonly text: string | undefined; readonly validators: StoredRobots["validators"] };

export interface RobotsSource {
  readonly clock: Clock;
  readonly product: string;
  readonly memory: HostMemory | undefined;
  /** @throws Failure */
  read(address: URL, validators: StoredRobots["validators"]): Promise<RobotsAnswer>;
}

/** Remembers each origin's robots.txt for 24 hours, also from one run to the next, and then asks again by its validators. */
export function createRobots(source: RobotsSource) {
  const { clock } = source;
  /** The rules in memory, and the requests for them. */
  const rulesByOrigin = new RecentlyUsed<string, { readonly until: Instant; readonly rules: Promise<RobotsRules> }>(
    maxKnownBytes,
  );

  /** Returns the rules of an origin. Fetches them if they are unknown or have expired. */
  function rulesOf(origin: string): Promise<RobotsRules> {
    const now = clock.now();
    const kept = rulesByOrigin.get(origin);
    if (kept && !hasCome(kept.until, now, rulesKeptFor)) return kept.rules;
    const search = findRules(origin, source);
    const rules = search.then((one) => one.rules);
    const bytes = bytesOfOrigin + origin.length;
    rulesByOrigin.set(origin, { until: now + rulesKeptFor, rules }, bytes);
    const settle = (until: Instant, paths: string) => {
      if (rulesByOrigin.get(origin)?.rules !== rules) return;
      if (until > clock.now()) rulesByOrigin.set(origin, { until, rules }, bytes + paths.length);
      else rulesByOrigin.delete(origin);
    };
    search.then(
      (one) => settle(one.until, one.rules.paths),
      () => settle(0, ""),
    );
    return rules;
  }

  return {
    /**
     * Returns the pause in milliseconds that the site asks for between two requests. @throws Failure robots; or why robots.txt
     * could not be fetched (5xx, no response), which RFC 9309 treats as a refusal
     */
    async ask(url: URL): Promise<Duration> {
      const rules = await rulesOf(url.origin).catch(ofRobots);
      if (!mayRead(rules.paths, url.pathname + url.search)) throw new Failure("robots");
      return rules.delay;
    },
  };
}

/** Returns the stored rules of an origin until they expire, else reads its robots.txt. @throws Failure */
async function findRules(origin: string, { clock, product, memory, read }: RobotsSource) {
  const now = clock.now();
  const stored = await memory?.robots(product, origin);
  const storedRules = stored && rulesIn(stored);
  const age = storedRules ? now - stored.read : Infinity;
  if (storedRules && age >= 0 && age < rulesKeptFor) return { rules: storedRules, until: now - age + rulesKeptFor };
  try {
    const sentValidators = storedRules ? stored.validators : {};
    const answer = await read(new URL("/robots.txt", origin), sentValidators);
    const isSame = answer.kind === "not-modified" && storedRules !== undefined;
    const rules = isSame ? storedRules : parseRobots(answer.kind === "text" ? (answer.text ?? "") : "", product);
    const validators = answer.kind === "text" ? answer.validators : sentValidators;
    await memory?.saveRobots({ product, origin, rules: toStore(rules), read: now, validators });
    return { rules, until: now + rulesKeptFor };
  } catch (error) {
    // RFC 9309 section 2.4: rules that were read before may be used while robots.txt cannot be reached.
    if (!storedRules || age < 0 || age > rulesHoldFor || !(error instanceof Failure)) throw error;
    return { rules: storedRules, until: now };
  }
}

/** The rules in stored form. Rules that are too long are stored as `{}`, which still replaces expired ones. */
function toStore(rules: RobotsRules): string {
  return JSON.stringify(rules.paths.length > maxStoredRules ? {} : rules);
}

/** The stored rules; undefined if they were too long, or an older version wrote them in another form. */
function rulesIn({ rules }: StoredRobots): RobotsRules | undefined {
  const { paths, delay }: Partial<Record<keyof RobotsRules, unknown>> = JSON.parse(rules);
  return typeof paths === "string" && typeof delay === "number" ? { paths, delay } : undefined;
}

/** Marks a failure as one of robots.txt and not of the page, unless their host cannot be reached. */
function ofRobots(error: unknown): never {
  const isOwn = error instanceof Failure && !["dns", "connect", "tls"].includes(error.kind);
  throw isOwn ? new Failure(error.kind, { ...error.facts, robots: "yes" }, error) : error;
}

/** Longer pauses that a site asks for are cut to this, as its pages must be fetched within a day. */
const maxDelay: Duration = 30 * aSecond;

/**
 * Limits for the rules of one product. A file of 500 KiB exceeds them only with lines of 17 bytes, or with a quarter of
 * it outside ASCII. Then everything is forbidden, because a dropped rule might have forbidden it.
 */
const maxRules = 30_000;
const maxCharacters = 2 ** 20;
const closed = "-/";

/** Limit of steps for all rules with a `*`: 2,000 such rules and a path of 2,000. Longer paths are not read. */
const maxSteps = 4_000_000;

export interface RobotsRules {
  /** A line for each rule, `+` or `-` and its pattern, by precedence: the first match decides. */
  readonly paths: string;
  /** `Crawl-delay`: not in RFC 9309, but in many sites' files. */
  readonly delay: Duration;
}

interface Group {
  named: boolean;
  /** `+` or `-` and the pattern as it was written. */
  readonly rules: Set<string>;
  delay: Duration;
}

/** The rules of a robots.txt for `product`: https://www.rfc-editor.org/rfc/rfc9309#section-2.2 */
export function parseRobots(text: string, product: string): RobotsRules {
  const name = product.toLowerCase();
  const groups: Record<"own" | "any", Group> = {
    own: { named: false, rules: new Set(), delay: 0 },
    any: { named: false, rules: new Set(), delay: 0 },
  };
  const current = new Set<Group>();
  let naming = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/[\r\n]+/)) {
    const content = (line.split("#", 1)[0] ?? "").slice(0, 2_000);
    const colon = content.indexOf(":");
    if (colon < 0) continue;
    const key = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (key === "user-agent") {
      if (!naming) current.clear();
      naming = true;
      const token = /^[a-z_-]*/i.exec(value)?.[0].toLowerCase();
      const group = value === "*" ? groups.any : token === name ? groups.own : undefined;
      if (group) {
        group.named = true;
        current.add(group);
      }
    } else if (key === "allow" || key === "disallow") {
      naming = false;
      if (value === "") continue;
      const rule = (key === "allow" ? "+" : "-") + value;
      for (const { rules } of current) if (rules.size <= maxRules) rules.add(rule);
    } else if (key === "crawl-delay" && /^\d{1,6}(\.\d{1,3})?$/.test(value)) {
      for (const group of current) group.delay = Math.min(Number(value) * aSecond, maxDelay);
    }
  }
  const { rules, delay } = groups.own.named ? groups.own : groups.any;
  return { paths: sortRules(rules), delay };
}

/** Sorts by precedence: the longest pattern first, in octets and without its `$`; of equal ones the one that allows. */
function sortRules(rules: ReadonlySet<string>): string {
  if (rules.size > maxRules) return closed;
  const lines = [...rules].map((rule) => rule.charAt(0) + octets(rule.slice(1)));
  const length = (line: string) => (line.endsWith("$") ? line.length - 1 : line.length);
  const paths = lines.sort((a, b) => length(b) - length(a) || a.charCodeAt(0) - b.charCodeAt(0)).join("\n");
  // A copy: substrings would keep the whole file in memory.
  return paths.length > maxCharacters ? closed : Buffer.from(paths, "latin1").toString("latin1");
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

/** Whether the rules (`RobotsRules.paths`) let `path` (with its query) be read. */
export function mayRead(rules: string, path: string): boolean {
  if (rules === "") return true;
  const target = octets(path);
  if (target === "/robots.txt") return true;
  const bytes = Buffer.from(target, "latin1");
  let steps = 0;
  for (const line of rules.split("\n")) {
    const whole = line.endsWith("$");
    const pattern = line.slice(1, whole ? -1 : undefined);
    const star = pattern.indexOf("*");
    if (!target.startsWith(star < 0 ? pattern : pattern.slice(0, star))) continue;
    if (star >= 0) steps += target.length;
    if (steps > maxSteps) return false;
    const isMet =
      star < 0 ? !whole || pattern === target : matches(bytes, star, pattern.slice(star + 1).split("*"), whole);
    if (isMet) return line.startsWith("+");
  }
  return true;
}

/** Whether the parts between `*`s follow each other in `path`. Linear: each is found once, leftmost. */
function matches(path: Buffer, from: number, parts: readonly string[], whole: boolean): boolean {
  let at = from;
  for (const part of whole ? parts.slice(0, -1) : parts) {
    const found = find(part, path, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = whole ? (parts.at(-1) ?? "") : "";
  return path.length - last.length >= at && path.toString("latin1", path.length - last.length) === last;
}

/** The first index of `part` in `path`, by Knuth, Morris and Pratt: `indexOf` would take part × path for crafted inputs. */
function find(part: string, path: Buffer, from: number): number {
  if (part.length > path.length - from) return -1;
  if (part === "") return from;
  const bytes = Buffer.from(part, "latin1");
  const back = borders(bytes);
  for (let at = from, matched = 0; at < path.length; at++) {
    while (matched >= 0 && bytes[matched] !== path[at]) matched = back[matched] as number;
    if (++matched === bytes.length) return at + 1 - matched;
  }
  return -1;
}

function borders(part: Buffer): Int32Array {
  const back = new Int32Array(part.length);
  back[0] = -1;
  let border = 0;
  for (let at = 1; at < part.length; at++) {
    const same = part[at] === part[border];
    back[at] = same ? (back[border] as number) : border;
    while (border >= 0 && part[at] !== part[border]) border = back[border] as number;
    border++;
  }
  return back;
}
