import * as z from "zod";
import { isObject } from "../read/shared/json-path.ts";

/** A set of keys, exactly one of them from `branches`: a kind or a proof. Every branch may have the `common` ones. */
interface Choice<T> {
  /** `source`, `condition`, `claim`. */
  readonly name: string;
  /** The noun for the choice: `kind`, `proof`. */
  readonly of: string;
  readonly common: z.ZodRawShape;
  readonly branches: Readonly<Record<string, z.ZodType<T>>>;
}

/** Makes a schema from a choice: `byKey` to parse, `anyOf` to describe it to editors. */
export type Choose = <T>(choice: Choice<T>) => z.ZodType<T>;

/** An invalid choice: none of its keys is present, or several are. */
export interface InvalidChoice {
  readonly of: string;
  readonly all: readonly string[];
  readonly found: readonly string[];
  /** Keys that are not common: one of them may be a misspelt branch. */
  readonly others: readonly string[];
}

/** Every branch, for editors. */
export const anyOf: Choose = <T>({ name, branches }: Choice<T>) =>
  z.union(Object.values(branches)).meta({ id: name }) as z.ZodType<T>;

/** Checks only the branch whose key is present: fast, and all problems are about that branch. */
export const byKey: Choose = <T>(choice: Choice<T>) => {
  const allKeys = Object.keys(choice.branches);
  const undecided = z.looseObject(choice.common);
  return z.unknown().transform((value, context): T => {
    if (!isObject(value)) {
      context.issues.push({ code: "invalid_type", expected: "object", input: value });
      return z.NEVER;
    }
    const branchKeys = Object.keys(value).filter((key) => Object.hasOwn(choice.branches, key));
    const [only] = branchKeys;
    const schema: z.ZodType<unknown> = (only && choice.branches[only]) || undecided;
    const fields = Object.entries(value).filter(([key]) => key === only || !branchKeys.includes(key));
    const result = schema.safeParse(Object.fromEntries(fields));
    if (branchKeys.length !== 1) {
      const others = Object.keys(value).filter(
        (key) => !Object.hasOwn(choice.common, key) && !branchKeys.includes(key),
      );
      const params: { undecided: InvalidChoice } = {
        undecided: { of: choice.of, all: allKeys, found: branchKeys, others },
      };
      context.issues.push({ code: "custom", message: `needs one ${choice.of}`, input: value, params });
    }
    if (result.success && branchKeys.length === 1) return result.data as T;
    for (const issue of result.error?.issues ?? []) context.issues.push({ ...issue, input: undefined });
    return z.NEVER;
  });
};
