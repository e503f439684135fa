import * as z from "zod";
import { pluralize } from "../model/words.ts";

/** `mps-tracker`: the id of a source, product, claim, trigger … Never only digits, so that objects keep their order. */
const idShape = /^(?=[0-9-]*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;

const idWords = "lower-case letters and digits, not only digits, in words joined by hyphens";

const ratingShape = /^(?=[0-9/-]*[a-z])[a-z0-9]+([-/][a-z0-9]+)*$/;

/** The problem of a key, as a predicate (`is not an id: …`), and the word that was probably meant. */
export interface Fault {
  readonly message: string;
  readonly suggestion?: string;
  /** Valid words; the nearest one was probably meant. */
  readonly among?: Iterable<string>;
}

export function faultOfId(word: string): Fault | undefined {
  return faultOf(word, idShape, `is not an id: ${idWords}`);
}

function faultOf(word: string, shape: RegExp, message: string): Fault | undefined {
  if (shape.test(word)) return undefined;
  const plain = word.slice(0, 80).toLowerCase();
  const near = plain.replace(/[^a-z0-9/]+/g, "-").replace(/^-|-$/g, "");
  return { message, suggestion: shape.test(near) ? near : undefined };
}

/** A problem of a rating's id: it must have one part for each axis, if the report has axes. */
function faultOfRatingId(word: string, axes: readonly string[]): Fault | undefined {
  const fault = faultOf(word, ratingShape, `is not a rating id: ${idWords}, its parts joined by /`);
  const parts = word.split("/").length;
  if (fault || axes.length === 0 || parts === axes.length) return fault;
  return {
    message: `has ${pluralize(parts, "part")}, but axes has ${pluralize(axes.length, "part")}: ${axes.join("/")}`,
  };
}

/** Values by id: `{ mps-tracker: … }`. */
export function byId<T extends z.ZodType>(value: T) {
  return recordOf(value, faultOfId).meta({ propertyNames: { pattern: idShape.source } });
}

export function byRatingId<T extends z.ZodType>(value: T, axes: () => readonly string[]) {
  return recordOf(value, (id) => faultOfRatingId(id, axes())).meta({ propertyNames: { pattern: ratingShape.source } });
}

/** Values by keys that must follow a rule. Values of invalid keys are checked too. */
export function recordOf<T extends z.ZodType>(value: T, faultOf: (key: string) => Fault | undefined) {
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
