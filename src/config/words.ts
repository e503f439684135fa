import * as z from "zod";
import { isoDayOf, isoInstant } from "../language/dates.ts";
import { isRepositoryPath } from "../model/repository-path.ts";
import { aDay, aMinute, anHour, type Duration, type Instant } from "../model/time.ts";
import { wantsDate, wantsDuration, wantsUrl } from "./meant.ts";
import { hasCredentials } from "./secrets.ts";

/**
 * The small words of config. A message that starts with "wants" or "is" is a predicate: `problems.ts` puts the key
 * before it and, after "wants", the value.
 */
export const text = z.string().min(1);

const units: Readonly<Record<string, number>> = { m: aMinute, h: anHour, d: aDay, w: 604_800_000 };

/** `90m 6h 14d 2w`, in milliseconds. */
export const duration = z
  .string({ error: wantsDuration })
  .regex(/^[1-9]\d{0,4}[mhdw]$/, wantsDuration)
  .transform((written): Duration => Number(written.slice(0, -1)) * (units[written.slice(-1)] ?? 0));

/** A day of the calendar: its first instant, UTC. */
export const date = z
  .string({ error: wantsDate })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: wantsDate, abort: true })
  .refine((written) => isoDayOf(written) !== undefined, { error: "wants a day that the calendar has" })
  .transform((written): Instant => isoInstant(written));

/** `2025`, `2025-12` or `2025-12-04`: as exact as is known. */
export const published = z
  .union([z.number().int().min(1000).max(9999).transform(String), z.string()], {
    error: "wants a year, month or day such as 2025, 2025-12 or 2025-12-04",
  })
  .refine(
    (written) => /^\d{4}(-\d{2}){0,2}$/.test(written) && isoDayOf(`${written}-01-01`.slice(0, 10)) !== undefined,
    {
      error: "wants a year, month or day such as 2025, 2025-12 or 2025-12-04",
    },
  );

/** An address for people: never looked at. */
export const url = z
  .string({ error: wantsUrl })
  .refine((written) => !hasCredentials(written), {
    error: "holds credentials; nothing secret may stand in config",
    abort: true,
  })
  .refine((written) => /^https?:\/\//.test(written) && URL.canParse(written), { error: wantsUrl });

/** The address of a folder on the web: what stands behind its path would be lost when a file is put there. */
export const folderUrl = url.refine((written) => !/[?#]/.test(written), {
  error: "wants the address of a folder, such as https://example.org/recheck/",
});

const wantsPath = "wants the path of a file in the repository, such as docs/report.md";

/** A file of the repository: from its root, downwards only. */
export const path = z.string({ error: wantsPath }).max(255, wantsPath).refine(isRepositoryPath, { error: wantsPath });

const wantsReference = "wants reference numbers such as [1, 2]";

/** Reference numbers of the report. */
export const referenceNumbers = z
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
export function someOf<const W extends string>(words: readonly [W, ...W[]], otherwise: readonly W[] = words) {
  return z
    .array(z.enum(words))
    .min(1)
    .default([...otherwise]);
}
