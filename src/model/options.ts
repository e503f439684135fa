import { RE2JS } from "re2js";
import * as z from "zod";
import { cacheByText } from "./cache.ts";
import { Failure } from "./failure.ts";
import { groupDigits } from "./words.ts";

const maxPatternCharacters = 1_000;
/** Length of one pattern as compiled: a little more than the longest text needs. Search time grows with it. */
const maxPatternInstructions = 1_100;

/** A pattern in config for a linear-time engine, validated only here: https://github.com/google/re2/wiki/Syntax */
export const pattern = z
  .string({ error: "needs a pattern" })
  .min(1, "needs a pattern")
  .max(maxPatternCharacters, { error: "needs a pattern of at most 1,000 characters", abort: true })
  .check((context) => {
    const message = wrongWith(context.value);
    if (message) context.issues.push({ code: "custom", message, input: context.value });
  });

/** How many patterns may be checked, and their total size: as written or as compiled, if that is more. */
export interface Allowance {
  readonly count: number;
  readonly size: number;
}

let remaining: { count: number; size: number; readonly of: Allowance } | undefined;

/** Runs work that checks patterns. Those beyond the allowance are reported as problems, and are not compiled. */
export function withAllowance<T>(allowance: Allowance, work: () => T): T {
  const outer = remaining;
  remaining = { ...allowance, of: allowance };
  try {
    return work();
  } finally {
    remaining = outer;
  }
}

function wrongWith(written: string): string | undefined {
  if (remaining && (--remaining.count < 0 || remaining.size < written.length)) {
    const [count, size] = [remaining.of.count, remaining.of.size].map((most) => groupDigits(most));
    return `is one pattern too many: config may have ${count}, of ${size} characters together, as written or compiled`;
  }
  if (written.includes("\b")) {
    return "holds a backspace: between double quotes \\b is one; put the pattern between single quotes";
  }
  try {
    const size = RE2JS.compile(written).programSize();
    if (remaining) remaining.size -= Math.max(written.length, size);
    return size > maxPatternInstructions ? "is not a pattern: it repeats too much" : undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace("error parsing regexp: ", "") : "";
    if (/`\(\?(=|!|<=|<!)|`\(\?<[=!]/.test(why)) return "is not a pattern: the linear-time engine has no lookaround";
    if (/invalid escape sequence: `\\[1-9k]/.test(why))
      return "is not a pattern: the linear-time engine has no backreferences";
    return `is not a pattern: ${why.slice(0, 120)}`;
  }
}

/** Whether a text matches a pattern, in time linear in the text's length. */
export function hasMatch(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

/**
 * Each search is linear, yet finding all matches may take quadratic time, as each may read to the end to match one letter. So a
 * search sees only `part` characters of the text, or `longPart` if a match reaches the part's end, and all searches together
 * `maxSteps`, fewer for a large pattern.
 */
const part = 600;
const longPart = 20 * part;
const maxSteps = 6_000_000;
/** A pattern with more instructions follows more paths at once. This many instructions count as one step per character. */
const oneWay = 50;

/**
 * Every match in order: its first group that took part, or all of it without groups; none over 6,000 characters. @throws
 * Failure `too-many` over 10,000 matches, or fewer long ones, or fewer of a large pattern
 */
export function* matchesOf(pattern: string, text: string): Generator<{ readonly text: string; readonly end: number }> {
  const expression = compile(pattern);
  const groups = Array.from({ length: expression.groupCount() }, (_, group) => group + 1);
  const step = Math.max(1, expression.programSize() / oneWay);
  let steps = 0;
  for (let from = 0, reach = part; from < text.length; ) {
    // The preceding character shows whether a line or a word begins here.
    const start = Math.max(0, from - 1);
    const isLast = from + reach >= text.length;
    const seen = text.slice(start, from + reach);
    const matcher = expression.matcher(seen);
    let next = isLast ? text.length : from + reach / 2;
    let isCut = false;
    // Testing for a match takes a tenth of the time of locating it: https://swtch.com/~rsc/regexp/regexp3.html
    let found = expression.test(seen) && matcher.find(from - start);
    for (; found && start + matcher.start() < next; found = matcher.find()) {
      steps += reach * step;
      if (steps > maxSteps) throw new Failure("too-many", { limit: maxSteps / part });
      const isOpen = !isLast && start + matcher.end() === from + reach;
      isCut = isOpen && reach === part;
      next = isCut ? start + matcher.start() : isLast ? next : Math.max(next, start + matcher.end());
      if (isOpen) break;
      const group = groups.length === 0 ? 0 : groups.find((one) => matcher.group(one));
      const match = group === undefined ? undefined : matcher.group(group);
      if (group !== undefined && match) yield { text: match, end: start + matcher.end(group) };
    }
    reach = isCut ? longPart : part;
    from = next;
  }
}

/** Compiling takes longer than most searches. */
const compile = cacheByText(50_000, (pattern) => RE2JS.compile(pattern));

/** A set of known keys. The message of `unrecognized_keys` lists them for `config/problems.ts`, not for people. */
export function strictKeys<S extends z.ZodRawShape>(shape: S) {
  const words = Object.keys(shape).join(" ");
  return z.strictObject(shape, { error: (issue) => (issue.code === "unrecognized_keys" ? words : undefined) });
}
