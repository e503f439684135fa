import { z } from "zod";
import type { Duration, Instant } from "../model/model.ts";
import { aDay, aMinute, anHour } from "../model/time.ts";
import { counted } from "../model/words.ts";
import { hasCredentials } from "./problems.ts";

/**
 * The small words of config. A message that starts with "wants" or "is" is a predicate: `say.ts` puts the key before
 * it and, after "wants", the value.
 */
export const text = z.string().min(1);

const units: Readonly<Record<string, number>> = { m: aMinute, h: anHour, d: aDay, w: 604_800_000 };
const wantsDuration = "wants a duration such as 6h or 14d (m, h, d or w)";

/** `90m 6h 14d 2w`, in milliseconds. */
export const duration = z
  .string({ error: wantsDuration })
  .regex(/^[1-9]\d{0,4}[mhdw]$/, wantsDuration)
  .transform((written): Duration => Number(written.slice(0, -1)) * (units[written.slice(-1)] ?? 0));

const wantsDate = "wants a date such as 2026-05-16";

/** A day of the calendar: its first instant, UTC. */
export const date = z
  .string({ error: wantsDate })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: wantsDate, abort: true })
  .refine((written) => isDay(written), { error: "wants a day that the calendar has" })
  .transform((written): Instant => Date.parse(written));

/** `2025`, `2025-12` or `2025-12-04`: as exact as is known. */
export const published = z
  .union([z.number().int().min(1000).max(9999).transform(String), z.string()], {
    error: "wants a year, month or day such as 2025, 2025-12 or 2025-12-04",
  })
  .refine((written) => /^\d{4}(-\d{2}){0,2}$/.test(written) && isDay(`${written}-01-01`.slice(0, 10)), {
    error: "wants a year, month or day such as 2025, 2025-12 or 2025-12-04",
  });

function isDay(written: string): boolean {
  const at = Date.parse(written);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written);
}

const wantsUrl = "wants an http or https address";

/** An address for people: never looked at. */
export const url = z
  .string({ error: wantsUrl })
  .refine((written) => !hasCredentials(written), {
    error: "holds credentials; nothing secret may stand in config",
    abort: true,
  })
  .refine((written) => /^https?:\/\//.test(written) && URL.canParse(written), { error: wantsUrl });

const wantsPath = "wants the path of a file in the repository, such as docs/report.md";

/** A file of the repository: from its root, downwards only. */
export const path = z
  .string({ error: wantsPath })
  .max(255, wantsPath)
  .refine((written) => /^[^\\:*?"<>|\p{Cc}\p{Cf}]+$/u.test(written) && written.split("/").every(isStep), {
    error: wantsPath,
  });

function isStep(name: string): boolean {
  return name.trim() === name && !["", ".", "..", ".git"].includes(name.toLowerCase());
}

const wantsReference = "wants reference numbers such as [1, 2]";

/** Reference numbers of the report. */
export const references = z
  .array(z.number({ error: wantsReference }).int(wantsReference).min(1, wantsReference))
  .default([]);

/** `a` or `[a, b]`, as a list. */
export function oneOrMore<T>(word: z.ZodType<T>) {
  return z.union([word.transform((one): T[] => [one]), z.array(word).min(1)]);
}

/** A list in which nothing stands twice. */
export function distinct<T extends z.ZodType>(word: T) {
  return z.array(word).check((context) => {
    const before = new Set<unknown>();
    context.value.forEach((one, i) => {
      if (before.has(one)) {
        context.issues.push({ code: "custom", message: `holds ${JSON.stringify(one)} twice`, input: one, path: [i] });
      }
      before.add(one);
    });
  });
}

/** Some of a few words; all of them, or those given, unless told. */
export function some<const W extends string>(words: readonly [W, ...W[]], otherwise: readonly W[] = words) {
  return z
    .array(z.enum(words))
    .min(1)
    .default([...otherwise]);
}

/**
 * A set of keys of which exactly one says what it is: the kind of a source or condition, the proof of a claim.
 * `common` are the keys that it may have whichever that is.
 */
interface Choice<T> {
  /** `source`, `condition`, `claim`. */
  readonly name: string;
  /** What the one key is called: `kind`, `proof`. */
  readonly of: string;
  readonly common: z.ZodRawShape;
  readonly branches: Readonly<Record<string, z.ZodType<T>>>;
}

/** Makes one schema of a choice: `byKey` to read with, `anyOf` to describe it to editors. */
export type Choose = <T>(choice: Choice<T>) => z.ZodType<T>;

/** What a problem of the choice itself is told from. */
export interface Undecided {
  readonly of: string;
  readonly all: readonly string[];
  readonly found: readonly string[];
  /** Keys that are not common: one of them may be the key, misspelt. */
  readonly others: readonly string[];
}

export const anyOf: Choose = <T>({ name, branches }: Choice<T>) =>
  z.union(Object.values(branches)).meta({ id: name }) as z.ZodType<T>;

/** Checks only the branch whose key is there: fast, and problems are of that branch alone. */
export const byKey: Choose = <T>(choice: Choice<T>) => {
  const all = Object.keys(choice.branches);
  const undecided = z.looseObject(choice.common);
  return z.unknown().transform((value, context): T => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      context.issues.push({ code: "invalid_type", expected: "object", input: value });
      return z.NEVER;
    }
    const found = Object.keys(value).filter((key) => Object.hasOwn(choice.branches, key));
    const [only] = found;
    const schema: z.ZodType<unknown> = (only && choice.branches[only]) || undecided;
    const result = schema.safeParse(found.length > 1 ? without(value, found.slice(1)) : value);
    if (found.length !== 1) {
      const others = Object.keys(value).filter((key) => !Object.hasOwn(choice.common, key) && !found.includes(key));
      const params: { undecided: Undecided } = { undecided: { of: choice.of, all, found, others } };
      context.issues.push({ code: "custom", message: `needs one ${choice.of}`, input: value, params });
    }
    if (result.success && found.length === 1) return result.data as T;
    for (const issue of result.error?.issues ?? []) context.issues.push({ ...issue, input: undefined });
    return z.NEVER;
  });
};

function without(value: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** `mps-tracker`: names a source, a product, a claim, a trigger … Never digits alone, so that maps keep their order. */
const idShape = /^(?=[0-9-]*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;
/** `mps/torch-compile`: names a rating. */
const ratingShape = /^(?=[0-9/-]*[a-z])[a-z0-9]+([-/][a-z0-9]+)*$/;

/** What is wrong with a key, as a predicate (`is no id: …`), and what was probably meant. */
export interface Fault {
  readonly message: string;
  readonly suggestion?: string;
  /** What it may be instead: the nearest of these was meant. */
  readonly among?: Iterable<string>;
}

export function faultOfId(word: string): Fault | undefined {
  if (idShape.test(word)) return undefined;
  const near = asId(word);
  return {
    message: "is no id: lower-case letters and digits, in words joined by hyphens",
    suggestion: near && idShape.test(near) ? near : undefined,
  };
}

/** A rating's id has as many parts as the report has axes, where it has any. */
function faultOfRatingId(word: string, axes: readonly string[]): Fault | undefined {
  if (!ratingShape.test(word)) {
    const near = asId(word);
    return {
      message: "is no rating id: lower-case letters and digits, in words joined by hyphens, its parts joined by /",
      suggestion: near && ratingShape.test(near) ? near : undefined,
    };
  }
  const parts = word.split("/").length;
  if (axes.length === 0 || parts === axes.length) return undefined;
  return {
    message: `has ${counted(parts, "part")}, where axes wants ${counted(axes.length, "part")}: ${axes.join("/")}`,
  };
}

/** What a word would be as an id. */
function asId(word: string): string {
  const plain = word.slice(0, 80).toLowerCase();
  return plain.replace(/[^a-z0-9/]+/g, "-").replace(/^-|-$/g, "");
}

/** Something under ids: `{ mps-tracker: … }`. */
export function byId<T extends z.ZodType>(value: T) {
  return under(value, faultOfId).meta({ propertyNames: { pattern: idShape.source } });
}

/** Something under ids of ratings. */
export function byRatingId<T extends z.ZodType>(value: T, axes: readonly string[]) {
  return under(value, (id) => faultOfRatingId(id, axes)).meta({ propertyNames: { pattern: ratingShape.source } });
}

/** Something under keys that keep a rule. A bad key hides no problem of what stands under it. */
export function under<T extends z.ZodType>(value: T, faultOf: (key: string) => Fault | undefined) {
  return z.record(z.string(), value).superRefine(
    (record, context) => {
      if (typeof record !== "object" || record === null) return;
      for (const key of Object.keys(record)) {
        const fault = faultOf(key);
        if (!fault) continue;
        const { message, suggestion, among } = fault;
        context.addIssue({ code: "custom", path: [key], message, params: { key: true, suggestion, word: key, among } });
      }
    },
    { when: () => true },
  );
}
