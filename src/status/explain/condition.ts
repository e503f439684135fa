import type { Condition, Config, Source } from "../../model/model.ts";
import { period } from "../../model/time.ts";
import { quoted } from "../../model/words.ts";

/** A condition in words: `a release of PyTorch or CUDA (major, minor)`. */
export function conditionWords(condition: Condition, config: Config): string {
  switch (condition.kind) {
    case "release": {
      const products = condition.products.map((id) => config.products.get(id)?.name ?? id);
      const bumps = condition.bump.length < 3 ? ` (${condition.bump.join(", ")})` : "";
      const pre = { no: "", yes: ", pre-releases too", only: ", pre-releases only" }[condition.pre];
      return `a release of ${either(products)}${bumps}${pre}`;
    }
    case "item":
      return `a new entry${filters(condition)}`;
    case "commit":
      return `a commit${filters(condition)}`;
    case "change":
      return `a change of the page${under(condition)}${filters(condition)}`;
    case "row":
      return `a table row ${either(condition.when)}${under(condition)}${filters(condition)}`;
    case "fact":
      return `"${condition.name}" ${condition.becomes === undefined ? "changes" : `becomes ${condition.becomes}`}`;
    case "issue":
      return `the issue: ${either(condition.when)}${filters(condition)}`;
    case "claim":
      return `${condition.claim ? `the claim "${condition.claim}"` : "a claim"} is ${either(condition.when)}`;
    case "link":
      return `the address is ${either(condition.when)}`;
    case "silence":
      return `nothing new for ${period(condition.for)}`;
    case "unreviewed":
      return `a rating was not reviewed for ${period(condition.for)}`;
  }
}

function filters(condition: { readonly title?: string; readonly matches?: string; readonly not?: string }): string {
  const { title, matches, not } = condition;
  const said = [
    ...(title === undefined ? [] : [`with a title matching ${quoted(title, 60)}`]),
    ...(matches === undefined ? [] : [`matching ${quoted(matches, 60)}`]),
  ];
  const wanted = said.length > 0 ? ` ${said.join(", ")}` : "";
  return not === undefined ? wanted : `${wanted}, not ${quoted(not, 40)}`;
}

function under(condition: { readonly under?: string }): string {
  return condition.under === undefined ? "" : ` under "${quoted(condition.under, 40)}"`;
}

function either(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const known = new WeakMap<Config, Map<Condition, readonly Source[]>>();

/** The sources that a condition listens to. Asked of every pair of them, so it is worked out once. */
export function listensTo(condition: Condition, config: Config): readonly Source[] {
  const ofConfig = known.get(config) ?? new Map<Condition, readonly Source[]>();
  known.set(config, ofConfig);
  const sources = ofConfig.get(condition) ?? listeners(condition, config);
  ofConfig.set(condition, sources);
  return sources;
}

function listeners(condition: Condition, config: Config): Source[] {
  if ("source" in condition) return [config.sources.get(condition.source)].filter((source) => source !== undefined);
  if (condition.kind !== "release") return [];
  return [...config.sources.values()].filter(({ id, announces }) =>
    condition.sources.length > 0
      ? condition.sources.includes(id)
      : announces.some((product) => condition.products.includes(product)),
  );
}

/** Every condition of a trigger; a built-in one has none. */
export function conditionsOf(trigger: string, { triggers }: Config): { condition: Condition; part: "on" | "also" }[] {
  const { on = [], also = [] } = triggers.get(trigger) ?? {};
  return [
    ...on.map((condition) => ({ condition, part: "on" as const })),
    ...also.map((condition) => ({ condition, part: "also" as const })),
  ];
}
