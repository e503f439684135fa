import { RecentlyUsed } from "../../model/cache.ts";
import { Failure } from "../../model/failure.ts";
import type { Clock, HostMemory, StoredRobots } from "../../model/ports/index.ts";
import { aDay, type Duration, hasCome, type Instant } from "../../model/time.ts";
import { mayRead, parseRobots, type RobotsRules } from "./robots-rules.ts";

/** Bytes of a robots.txt that are parsed. RFC 9309 section 2.5 requires at least 500 KiB; the rest is ignored. */
export const maxRobotsBytes = 500 * 1024;
/** Rules are used for a day before robots.txt is asked for again. */
const rulesKeptFor: Duration = aDay;
/** While robots.txt cannot be reached, the rules that were read last are used for 30 days. */
const rulesHoldFor: Duration = 30 * aDay;
/** Bytes of rules that a process keeps at once. */
const maxKnownBytes = 32 * 2 ** 20;
/** Rough size in bytes of an origin besides its name and rules. */
const bytesOfOrigin = 1_000;
/** Characters of rules that are stored for an origin. Few sites have more, which each process parses again. */
const maxStoredRules = 64 * 1024;

export interface Robots {
  /**
   * Returns the pause in milliseconds that the site asks for between two requests. @throws Failure robots; or why robots.txt
   * could not be fetched (5xx, no response), which RFC 9309 treats as a refusal
   */
  ask(url: URL): Promise<Duration>;
}

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

interface FoundRules {
  readonly rules: RobotsRules;
  readonly until: Instant;
}

/** Remembers each origin's robots.txt for 24 hours, also from one run to the next, and then asks again by its validators. */
export function createRobots(source: RobotsSource): Robots {
  const known = new KnownRules(source.clock);
  return {
    async ask(url) {
      const rules = await known.get(url.origin, () => findRules(url.origin, source)).catch(ofRobots);
      if (!mayRead(rules.paths, url.pathname + url.search)) throw new Failure("robots");
      return rules.delay;
    },
  };
}

/** Returns the stored rules of an origin until they expire, else reads its robots.txt. @throws Failure */
async function findRules(origin: string, { clock, product, memory, read }: RobotsSource): Promise<FoundRules> {
  const now = clock.now();
  const stored = await memory?.robots(product, origin);
  const storedRules = stored && rulesIn(stored);
  const age = storedRules ? now - stored.read : Infinity;
  if (storedRules && age >= 0 && age < rulesKeptFor) return { rules: storedRules, until: now - age + rulesKeptFor };
  try {
    const asked = storedRules ? stored.validators : {};
    const answer = await read(new URL("/robots.txt", origin), asked);
    const isSame = answer.kind === "not-modified" && storedRules !== undefined;
    const rules = isSame ? storedRules : parseRobots(answer.kind === "text" ? (answer.text ?? "") : "", product);
    const validators = answer.kind === "text" ? answer.validators : asked;
    await memory?.saveRobots({ product, origin, rules: toStore(rules), read: now, validators });
    return { rules, until: now + rulesKeptFor };
  } catch (error) {
    // RFC 9309 section 2.4: rules that were read before may be used while robots.txt cannot be reached.
    if (!storedRules || age < 0 || age > rulesHoldFor || !(error instanceof Failure)) throw error;
    return { rules: storedRules, until: now };
  }
}

interface KnownOrigin {
  readonly until: Instant;
  readonly rules: Promise<RobotsRules>;
}

/** The rules in memory, and the requests for them. Beyond `maxKnownBytes`, the least recently used are dropped. */
class KnownRules {
  readonly #clock: Clock;
  readonly #known = new RecentlyUsed<string, KnownOrigin>(maxKnownBytes);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the rules of an origin. Fetches them if they are unknown or have expired. */
  get(origin: string, find: () => Promise<FoundRules>): Promise<RobotsRules> {
    const now = this.#clock.now();
    const kept = this.#known.get(origin);
    if (kept && !hasCome(kept.until, now, rulesKeptFor)) return kept.rules;
    const search = find();
    const rules = search.then((one) => one.rules);
    const bytes = bytesOfOrigin + origin.length;
    this.#known.set(origin, { until: now + rulesKeptFor, rules }, bytes);
    const settle = (until: Instant, paths: string) => {
      if (this.#known.get(origin)?.rules !== rules) return;
      if (until > this.#clock.now()) this.#known.set(origin, { until, rules }, bytes + paths.length);
      else this.#known.delete(origin);
    };
    search.then(
      (one) => settle(one.until, one.rules.paths),
      () => settle(0, ""),
    );
    return rules;
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
