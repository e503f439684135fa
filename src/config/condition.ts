import * as z from "zod";
import type { Condition, ConditionOf } from "../model/condition.ts";
import { pattern, strictKeys } from "../model/options.ts";
import type { Gives } from "../read/reader.ts";
import type { Choose } from "./choice.ts";
import { claimName, knownName } from "./names.ts";
import { duration, oneOrMore, someOf, text } from "./words.ts";

/**
 * How each kind of condition is written in YAML. Its first key has the name of the kind. The same table by kind has its
 * sources and words in `model/condition.ts`, and its matches in `watch/conditions.ts`.
 */
const writings: { readonly [K in Condition["kind"]]: Writing<ConditionOf<K>> } = {
  release: {
    schema: ({ product, source, common }) =>
      strictKeys({
        release: oneOrMore(product).describe("A release of this product, or of any of these."),
        bump: someOf(["major", "minor", "patch"]).describe(
          "Which parts of the version must have changed (default: all).",
        ),
        when: z
          .array(z.enum(["published", "withdrawn"]))
          .min(1)
          .optional()
          .describe("What happened to it (default: published)."),
        pre: z.enum(["no", "yes", "only"]).default("no").describe("Whether pre-releases count (default: no)."),
        sources: z.array(source).default([]).describe("Only if one of these sources announces it (default: any)."),
        ...common,
      }).transform(({ release, ...rest }) => ({ kind: "release", products: release, ...rest })),
  },
  item: {
    needs: "items",
    schema: ({ source, common }) =>
      strictKeys({
        item: source.describe("A new item of this source."),
        title: pattern.optional().describe("Only if this pattern (RE2) matches its title."),
        matches,
        not,
        ...common,
      }).transform(({ item, ...rest }) => ({ kind: "item", source: item, ...rest })),
  },
  commit: {
    needs: "commits",
    schema: ({ source, common }) =>
      strictKeys({ commit: source.describe("A new commit of this source."), matches, not, ...common }).transform(
        ({ commit, ...rest }) => ({ kind: "commit", source: commit, ...rest }),
      ),
  },
  change: {
    needs: "text",
    schema: ({ source, common }) =>
      strictKeys({
        change: source.describe("A change of this source's content."),
        under,
        matches,
        without: z
          .array(z.enum(["code", "rows"]))
          .min(1)
          .optional()
          .describe("Parts that do not count (default: all count)."),
        ...common,
      }).transform(({ change, ...rest }) => ({ kind: "change", source: change, ...rest })),
  },
  row: {
    needs: "rows",
    schema: ({ source, common }) =>
      strictKeys({
        row: source.describe("A table row of this source."),
        under,
        when: someOf(["added", "removed", "changed"]).describe("What happened to the row (default: any)."),
        matches,
        ...common,
      }).transform(({ row, ...rest }) => ({ kind: "row", source: row, ...rest })),
  },
  link: {
    schema: ({ source, common }) =>
      strictKeys({
        link: source.describe("The address of this source."),
        when: someOf(["gone", "moved"]).describe("What happened to it permanently (default: either)."),
        ...common,
      }).transform(({ link, ...rest }) => ({ kind: "link", source: link, ...rest })),
  },
  fact: {
    needs: "facts",
    schema: ({ source, common }) =>
      strictKeys({
        fact: source.describe("A fact of this source."),
        name: text.describe("The fact's name: public, archived, state …"),
        becomes: text.optional().describe("Only when it becomes this; yes and no for booleans."),
        ...common,
      }).transform(({ fact, ...rest }) => ({ kind: "fact", source: fact, ...rest })),
  },
  issue: {
    needs: "issue",
    schema: ({ source, common }) =>
      strictKeys({
        issue: source.describe("The issue or pull request that this source watches."),
        when: someOf(
          ["closed", "reopened", "title", "body", "checklist", "labels"],
          ["closed", "reopened", "body", "checklist"],
        ).describe("What happened to it (default: closed, reopened, body and checklist)."),
        matches,
        ...common,
      }).transform(({ issue, ...rest }) => ({ kind: "issue", source: issue, ...rest })),
  },
  claim: {
    schema: ({ claimOrSource, common }) =>
      strictKeys({
        claim: claimOrSource.describe("A claim (source/claim), or any claim of a source."),
        when: someOf(["altered", "gone", "contradicted", "moved"]).describe("What happened to it (default: any)."),
        ...common,
      }).transform(({ claim, ...rest }) => {
        const [of = "", one] = claim.split("/");
        return { kind: "claim", source: of, ...(one && { claim: one }), ...rest };
      }),
  },
  silence: {
    schema: ({ source, common }) =>
      strictKeys({
        silence: source.describe("Nothing new in this source …"),
        for: duration.describe("… for this long: 180d."),
        ...common,
      }).transform(({ silence, ...rest }) => ({ kind: "silence", source: silence, ...rest })),
  },
  unreviewed: {
    schema: ({ common }) =>
      strictKeys({
        unreviewed: duration.describe("A rating was not reviewed for this long: 180d."),
        ...common,
      }).transform(({ unreviewed, ...rest }) => ({ kind: "unreviewed", for: unreviewed, ...rest })),
  },
};

interface Writing<C extends Condition> {
  /** The source that its key names must give this. */
  readonly needs?: Gift;
  schema(parts: Parts): z.ZodType<C>;
}

/** A part of a reading that a condition needs from its source. */
export type Gift = Exclude<keyof Gives, "values">;

/** The gift that a condition with this key needs from its source, if any. */
export function giftWantedBy(key: string): Gift | undefined {
  return Object.entries<Writing<Condition>>(writings).find(([kind]) => kind === key)?.[1].needs;
}

/** One condition: a key that names its kind, the options of that kind, and the options of every kind. */
export function conditionSchema(choose: Choose): z.ZodType<Condition> {
  const parts = {
    source: knownName("source", ({ sources }) => sources),
    product: knownName("product", ({ products }) => products),
    claimOrSource: claimName,
    common: commonKeys(),
  };
  const branches = Object.entries<Writing<Condition>>(writings).map(([kind, { schema }]) => [kind, schema(parts)]);
  return choose<Condition>({
    name: "condition",
    of: "kind",
    common: parts.common,
    branches: Object.fromEntries(branches),
  });
}

interface Parts {
  readonly source: z.ZodType<string>;
  readonly product: z.ZodType<string>;
  readonly claimOrSource: z.ZodType<string>;
  readonly common: ReturnType<typeof commonKeys>;
}

function commonKeys() {
  return {
    means: text.optional().describe("What it means when this happens, shown in the issue; only config may say so."),
    awaited: z.boolean().optional().describe("The report waits for this: its event is against the report."),
    ratings: z
      .array(knownName("rating", ({ ratings }) => ratings))
      .min(1)
      .optional()
      .describe("The ratings that it affects, if fewer than the trigger's."),
  };
}

const matches = pattern.optional().describe("Only if this pattern (RE2) matches.");
const not = pattern.optional().describe("Never if this pattern (RE2) matches the title.");
const under = text.optional().describe("Only under this heading.");
