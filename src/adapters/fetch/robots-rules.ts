import { aSecond, type Duration } from "../../model/time.ts";

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
  const wanted = product.toLowerCase();
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
      const group = value === "*" ? groups.any : token === wanted ? groups.own : undefined;
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
  const wanted = octets(path);
  if (wanted === "/robots.txt" || rules === "") return true;
  const bytes = Buffer.from(wanted, "latin1");
  let steps = 0;
  for (const line of rules.split("\n")) {
    const whole = line.endsWith("$");
    const pattern = line.slice(1, whole ? -1 : undefined);
    const star = pattern.indexOf("*");
    if (!wanted.startsWith(star < 0 ? pattern : pattern.slice(0, star))) continue;
    if (star >= 0) steps += wanted.length;
    if (steps > maxSteps) return false;
    const isMet =
      star < 0 ? !whole || pattern === wanted : matches(bytes, star, pattern.slice(star + 1).split("*"), whole);
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
