import { Failure } from "../../model/failure.ts";
import type { Duration, Instant } from "../../model/model.ts";
import type { Clock, HostMemory, StoredRobots } from "../../model/ports/index.ts";
import { aDay, hasCome } from "../../model/time.ts";
import { mayRead, parseRobots, type RobotsRules } from "./robots-rules.ts";

/** Bytes of a robots.txt that are read; RFC 9309 section 2.5 wants 500 KiB at least, and lets the rest go. */
export const maxRobotsBytes = 500 * 1024;
const rulesKeptFor: Duration = aDay;
/** While robots.txt cannot be had, the rules that were read last hold for so long. */
const rulesHoldFor: Duration = 30 * aDay;
/** Bytes of rules that are known at once; those of the origins that were asked for longest ago go first. */
const maxKnownBytes = 32 * 2 ** 20;
/** An origin takes about so much beside its name and rules. */
const bytesOfOrigin = 1_000;
/** Characters of rules that are stored for an origin. Few sites have more to say: theirs are read anew by each process. */
const maxStoredRules = 64 * 1024;

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
  readonly bytes: number;
}

/** Remembers each origin's robots.txt for 24 hours, also from one run to the next, and asks by its validators then. */
export function createRobots({ clock, product, memory, read }: RobotsSource): Robots {
  /** Those that were asked for longest ago first. */
  const known = new Map<string, KnownRules>();
  let knownBytes = 0;

  /** The rules of an origin, and how long they hold. @throws Failure */
  async function rulesOf(origin: string): Promise<{ rules: RobotsRules; until: Instant }> {
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
      // https://www.rfc-editor.org/rfc/rfc9309#section-2.4: what was read before may be used while it is unreachable.
      if (!storedRules || age < 0 || age > rulesHoldFor || !(error instanceof Failure)) throw error;
      return { rules: storedRules, until: now };
    }
  }

  function forget(origin: string): void {
    knownBytes -= known.get(origin)?.bytes ?? 0;
    known.delete(origin);
  }

  function know(origin: string, one: KnownRules): void {
    forget(origin);
    known.set(origin, one);
    knownBytes += one.bytes;
    for (const oldest of known.keys()) {
      if (knownBytes <= maxKnownBytes) return;
      forget(oldest);
    }
  }

  function knownRules(origin: string): Promise<RobotsRules> {
    const now = clock.now();
    const kept = known.get(origin);
    if (kept && !hasCome(kept.until, now, rulesKeptFor)) {
      know(origin, kept);
      return kept.rules;
    }
    const found = rulesOf(origin);
    const rules = found.then((one) => one.rules);
    const bytes = bytesOfOrigin + origin.length;
    know(origin, { until: now + rulesKeptFor, rules, bytes });
    const settle = (until: Instant, paths: string) => {
      if (known.get(origin)?.rules !== rules) return;
      if (until > clock.now()) know(origin, { until, rules, bytes: bytes + paths.length });
      else forget(origin);
    };
    found.then(
      (one) => settle(one.until, one.rules.paths),
      () => settle(0, ""),
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

/** Rules that are too many to be stored take the place of older ones all the same: those hold no more. */
function toStore(rules: RobotsRules): string {
  return JSON.stringify(rules.paths.length > maxStoredRules ? {} : rules);
}

/** Undefined where there are none, or in a form of former days: they are asked for anew. */
function rulesIn({ rules }: StoredRobots): RobotsRules | undefined {
  const { paths, delay }: Partial<Record<keyof RobotsRules, unknown>> = JSON.parse(rules);
  return typeof paths === "string" && typeof delay === "number" ? { paths, delay } : undefined;
}

/** A failure of robots.txt is not one of the page that it was asked for, unless neither can be reached. */
function ofRobots(error: unknown): never {
  const isOwn = error instanceof Failure && !["dns", "connect", "tls"].includes(error.kind);
  throw isOwn ? new Failure(error.kind, { ...error.facts, robots: "yes" }, error) : error;
}
