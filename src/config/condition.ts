import { z } from "zod";
import type { Condition } from "../model/model.ts";
import { keyed, pattern } from "../model/options.ts";
import { claimName, type DeclaredNames, knownName } from "./names.ts";
import { type Choose, duration, oneOrMore, some, text } from "./words.ts";

function commonKeys(known: DeclaredNames | undefined) {
  return {
    means: text.optional().describe("What it means when this happens, shown in the issue; only config may say so."),
    awaited: z.boolean().optional().describe("The report waits for this: it fires contrary."),
    ratings: z
      .array(knownName("rating", known?.ratings))
      .min(1)
      .optional()
      .describe("The ratings that it touches, where they are fewer than the trigger's."),
  };
}

type Common = ReturnType<typeof commonKeys>;

const matches = pattern.optional().describe("Only where this pattern (RE2) is found.");
const not = pattern.optional().describe("Never where this pattern (RE2) is found in the title.");
const under = text.optional().describe("Only under this heading.");

/** One condition: one key that says what kind it is, the options of that kind, `means` and `awaited`. */
export function conditionSchema(choose: Choose, known: DeclaredNames | undefined): z.ZodType<Condition> {
  const source = knownName("source", known?.sources);
  const product = knownName("product", known?.products);
  const common = commonKeys(known);
  return choose<Condition>({
    name: "condition",
    of: "kind",
    common,
    branches: {
      ...ofEvents(common, source, product),
      ...ofPages(common, source),
      ...ofStates(common, source, claimName(known)),
    },
  });
}

type Name = z.ZodType<string>;

function ofEvents(common: Common, source: Name, product: Name) {
  return {
    release: keyed({
      release: oneOrMore(product).describe("A release of this product, or of any of these."),
      bump: some(["major", "minor", "patch"]).describe("Which parts of the version must have moved; all unless told."),
      pre: z.enum(["no", "yes", "only"]).default("no").describe("Whether pre-releases count; no unless told."),
      sources: z.array(source).default([]).describe("Only as announced by these sources; any unless told."),
      ...common,
    }).transform(({ release, ...rest }): Condition => ({ kind: "release", products: release, ...rest })),
    item: keyed({
      item: source.describe("A new item of this source."),
      title: pattern.optional().describe("Only where this pattern (RE2) is found in its title."),
      matches,
      not,
      ...common,
    }).transform(({ item, ...rest }): Condition => ({ kind: "item", source: item, ...rest })),
    commit: keyed({ commit: source.describe("A new commit of this source."), matches, not, ...common }).transform(
      ({ commit, ...rest }): Condition => ({ kind: "commit", source: commit, ...rest }),
    ),
  };
}

function ofPages(common: Common, source: Name) {
  return {
    change: keyed({
      change: source.describe("A change of this source's content."),
      under,
      matches,
      ...common,
    }).transform(({ change, ...rest }): Condition => ({ kind: "change", source: change, ...rest })),
    row: keyed({
      row: source.describe("A table row of this source."),
      under,
      when: some(["added", "removed", "changed"]).describe("What happened to the row; any unless told."),
      matches,
      ...common,
    }).transform(({ row, ...rest }): Condition => ({ kind: "row", source: row, ...rest })),
    link: keyed({
      link: source.describe("The address of this source."),
      when: some(["gone", "moved"]).describe("What became of it for good; either unless told."),
      ...common,
    }).transform(({ link, ...rest }): Condition => ({ kind: "link", source: link, ...rest })),
  };
}

function ofStates(common: Common, source: Name, claimOrSource: Name) {
  return {
    fact: keyed({
      fact: source.describe("A fact of this source."),
      name: text.describe("The fact's name: public, archived, state …"),
      becomes: text.optional().describe("Only when it becomes this; yes and no for booleans."),
      ...common,
    }).transform(({ fact, ...rest }): Condition => ({ kind: "fact", source: fact, ...rest })),
    issue: keyed({
      issue: source.describe("The issue or pull request that this source watches."),
      when: some(
        ["closed", "reopened", "title", "body", "checklist", "labels"],
        ["closed", "reopened", "body", "checklist"],
      ).describe("What happened to it; closed, reopened, body and checklist unless told."),
      matches,
      ...common,
    }).transform(({ issue, ...rest }): Condition => ({ kind: "issue", source: issue, ...rest })),
    claim: keyed({
      claim: claimOrSource.describe("A claim (source/claim), or any claim of a source."),
      when: some(["altered", "gone", "contradicted"]).describe("What became of it; any unless told."),
      ...common,
    }).transform(({ claim, ...rest }): Condition => {
      const [of = "", one] = claim.split("/");
      return { kind: "claim", source: of, ...(one && { claim: one }), ...rest };
    }),
    silence: keyed({
      silence: source.describe("Nothing new in this source …"),
      for: duration.describe("… for this long: 180d."),
      ...common,
    }).transform(({ silence, ...rest }): Condition => ({ kind: "silence", source: silence, ...rest })),
    unreviewed: keyed({
      unreviewed: duration.describe("A rating was not reviewed for this long: 180d."),
      ...common,
    }).transform(({ unreviewed, ...rest }): Condition => ({ kind: "unreviewed", for: unreviewed, ...rest })),
  };
}
