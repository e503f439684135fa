import * as z from "zod";
import type { Condition, ConditionOf } from "../model/condition.ts";
import { pattern, strictKeys } from "../model/options.ts";
import type { Gives } from "../read/reader.ts";
import type { Choose } from "./choice.ts";
import { nameOf } from "./names.ts";
import { duration, oneOrMore, someOf, text } from "./words.ts";

const matches = pattern.optional().describe("Only if this pattern (RE2) matches.");
const not = pattern.optional().describe("Never if this pattern (RE2) matches the title.");
const under = text.optional().describe("Only under this heading.");

/** The options of every kind. */
const common = {
  means: text.optional().describe("What it means when this happens, shown in the issue; only config may say so."),
  awaited: z.boolean().optional().describe("The report waits for this: its event is against the report."),
  ratings: z
    .array(nameOf.rating)
    .min(1)
    .optional()
    .describe("The ratings that it affects, if fewer than the trigger's."),
};

/** The key that names a kind holds what the condition is about, and `options` are those of its kind. */
function writing<K extends Condition["kind"], About extends object, S extends z.ZodRawShape = Record<never, never>>(
  kind: K,
  about: z.ZodType<About>,
  options?: S,
) {
  type Written = { readonly kind: K } & About & z.infer<z.ZodObject<S & typeof common>>;
  const keys = strictKeys({ [kind]: about, ...options, ...common });
  return keys.transform(({ [kind]: found, ...rest }) => ({ kind, ...(found as About), ...rest }) as Written);
}

const ofSource = (says: string) => nameOf.source.describe(says).transform((name) => ({ source: name }));

/** How each kind is written in YAML: its first key is the kind. See `model/condition.ts` and `watch/conditions.ts`. */
const writings: { readonly [K in Condition["kind"]]: Writing<ConditionOf<K>> } = {
  release: {
    schema: writing(
      "release",
      oneOrMore(nameOf.product)
        .describe("A release of this product, or of any of these.")
        .transform((products) => ({ products })),
      {
        bump: someOf(["major", "minor", "patch"]).describe(
          "Which parts of the version must have changed (default: all).",
        ),
        when: z
          .array(z.enum(["published", "withdrawn"]))
          .min(1)
          .optional()
          .describe("What happened to it (default: published)."),
        pre: z.enum(["no", "yes", "only"]).default("no").describe("Whether pre-releases count (default: no)."),
        sources: z
          .array(nameOf.source)
          .default([])
          .describe("Only if one of these sources announces it (default: any)."),
      },
    ),
  },
  item: {
    needs: "items",
    schema: writing("item", ofSource("A new item of this source."), {
      title: pattern.optional().describe("Only if this pattern (RE2) matches its title."),
      matches,
      not,
    }),
  },
  commit: {
    needs: "commits",
    schema: writing("commit", ofSource("A new commit of this source."), { matches, not }),
  },
  change: {
    needs: "text",
    schema: writing("change", ofSource("A change of this source's content."), {
      under,
      matches,
      without: z
        .array(z.enum(["code", "rows"]))
        .min(1)
        .optional()
        .describe("Parts that do not count (default: all count)."),
    }),
  },
  row: {
    needs: "rows",
    schema: writing("row", ofSource("A table row of this source."), {
      under,
      when: someOf(["added", "removed", "changed"]).describe("What happened to the row (default: any)."),
      matches,
    }),
  },
  link: {
    schema: writing("link", ofSource("The address of this source."), {
      when: someOf(["gone", "moved"]).describe("What happened to it permanently (default: either)."),
    }),
  },
  fact: {
    needs: "facts",
    schema: writing("fact", ofSource("A fact of this source."), {
      name: z
        .string({ error: "needs the name of a fact: { fact: SOURCE, name: archived }" })
        .min(1)
        .describe("The fact's name: public, archived, state …"),
      becomes: text.optional().describe("Only when it becomes this; yes and no for booleans."),
    }),
  },
  issue: {
    needs: "issue",
    schema: writing("issue", ofSource("The issue or pull request that this source watches."), {
      when: someOf(
        ["closed", "reopened", "title", "body", "checklist", "labels"],
        ["closed", "reopened", "body", "checklist"],
      ).describe("What happened to it (default: closed, reopened, body and checklist)."),
      matches,
    }),
  },
  claim: {
    schema: writing(
      "claim",
      nameOf.claim.describe("A claim (source/claim), or any claim of a source.").transform((name) => {
        const [of = "", claim] = name.split("/");
        return { source: of, claim };
      }),
      { when: someOf(["altered", "gone", "contradicted", "moved"]).describe("What happened to it (default: any).") },
    ),
  },
  silence: {
    schema: writing("silence", ofSource("Nothing new in this source …"), {
      for: duration.describe("… for this long: 180d."),
    }),
  },
  unreviewed: {
    schema: writing(
      "unreviewed",
      duration.describe("A rating was not reviewed for this long: 180d.").transform((time) => ({ for: time })),
    ),
  },
};

interface Writing<C extends Condition> {
  /** The source that its key names must give this. */
  readonly needs?: ReadingPart;
  readonly schema: z.ZodType<C>;
}

/** A part of a reading that a condition needs from its source. */
export type ReadingPart = Exclude<keyof Gives, "values" | "suchAs">;

export function partNeededBy(key: string): ReadingPart | undefined {
  return Object.entries<Writing<Condition>>(writings).find(([kind]) => kind === key)?.[1].needs;
}

/** One condition: a key that names its kind, the options of that kind, and the options of every kind. */
export function conditionSchema(choose: Choose): z.ZodType<Condition> {
  const branches = Object.entries<Writing<Condition>>(writings).map(([kind, { schema }]) => [kind, schema]);
  return choose<Condition>({ name: "condition", of: "kind", common, branches: Object.fromEntries(branches) });
}
