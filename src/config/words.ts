import * as z from "zod";
import { isoDayOf, isoInstant } from "../language/dates.ts";
import { isRepositoryPath } from "../model/repository-path.ts";
import { aDay, aMinute, anHour, type Duration, type Instant } from "../model/time.ts";
import { needsDate, needsDuration, needsUrl } from "./spellings.ts";
import { hasCredentials } from "./text.ts";

/**
 * The scalar values of config. A message that starts with "needs" or "is" is a predicate: `problems.ts` puts the key
 * before it and, after "needs", the value.
 */
export const text = z.string().min(1);

const units: Readonly<Record<string, number>> = { m: aMinute, h: anHour, d: aDay, w: 604_800_000 };

/** `90m 6h 14d 2w`, in milliseconds. */
export const duration = z
  .string({ error: needsDuration })
  .regex(/^[1-9]\d{0,4}[mhdw]$/, needsDuration)
  .transform((written): Duration => Number(written.slice(0, -1)) * (units[written.slice(-1)] ?? 0));

/** A calendar day, as its first instant in UTC. */
export const date = z
  .string({ error: needsDate })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: needsDate, abort: true })
  .refine((written) => isoDayOf(written) !== undefined, { error: "needs a day that exists" })
  .transform((written): Instant => isoInstant(written));

const needsPublished = "needs a year, month or day such as 2025, 2025-12 or 2025-12-04";

/** `2025`, `2025-12` or `2025-12-04`: as precise as the date is known. */
export const publicationDate = z
  .union([z.number().int().min(1000).max(9999).transform(String), z.string()], { error: needsPublished })
  .refine(
    (written) => /^\d{4}(-\d{2}){0,2}$/.test(written) && isoDayOf(`${written}-01-01`.slice(0, 10)) !== undefined,
    { error: needsPublished },
  );

/** An address for people: never requested. */
export const url = z
  .string({ error: needsUrl })
  .refine((written) => !hasCredentials(written), {
    error: "holds credentials; config must not hold secrets",
    abort: true,
  })
  .refine((written) => /^https?:\/\//.test(written) && URL.canParse(written), { error: needsUrl });

/** The address of a folder on the web. A query or fragment would be lost when a file name is added. */
export const folderUrl = url.refine((written) => !/[?#]/.test(written), {
  error: "needs the address of a folder, such as https://example.org/recheck/",
});

const needsPath = "needs the path of a file in the repository, such as docs/report.md";

/** The path of a file in the repository: relative to its root, and inside it. */
export const path = z.string({ error: needsPath }).max(255, needsPath).refine(isRepositoryPath, { error: needsPath });

const needsReference = "needs reference numbers such as [1, 2]";

export const referenceNumbers = z
  .array(z.number({ error: needsReference }).int(needsReference).min(1, needsReference))
  .default([]);

/** `a` or `[a, b]`, as a list. */
export function oneOrMore<T>(word: z.ZodType<T>) {
  return z.union([word.transform((one): T[] => [one]), z.array(word).min(1)]);
}

export function distinctList<T extends z.ZodType>(word: T) {
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

/** A subset of a few words (default: all, or `otherwise`). */
export function someOf<const W extends string>(words: readonly [W, ...W[]], otherwise: readonly W[] = words) {
  return z
    .array(z.enum(words))
    .min(1)
    .default([...otherwise]);
}
