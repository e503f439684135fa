import { isDeepStrictEqual } from "node:util";
import { makeOnce } from "./cache.ts";
import type { Change } from "./change.ts";
import type { Config, Trigger } from "./config.ts";
import type { Source } from "./source.ts";
import { type Duration, period } from "./time.ts";
import { enumerateOr, oneLine } from "./words.ts";

export type Bump = "major" | "minor" | "patch";

export type IssueMoment = "closed" | "reopened" | "title" | "body" | "checklist" | "labels";

interface Common {
  /** Shown when it fires. Only config may define a meaning. */
  readonly means?: string;
  /** The report waits for this, so that it fires *contrary*. */
  readonly awaited?: boolean;
  /** The ratings that this condition is about, if fewer than the trigger's. */
  readonly ratings?: readonly string[];
}

/** One condition of a trigger. `sources` empty in `release`: any source that announces the product. */
export type Condition = Common &
  (
    | {
        readonly kind: "release";
        readonly products: readonly string[];
        readonly bump: readonly Bump[];
        readonly pre: "no" | "yes" | "only";
        /** Default: published. */
        readonly when?: readonly ("published" | "withdrawn")[];
        readonly sources: readonly string[];
      }
    | {
        readonly kind: "item";
        readonly source: string;
        readonly title?: string;
        /** Found in title or text. */
        readonly matches?: string;
        readonly not?: string;
      }
    | {
        readonly kind: "change";
        readonly source: string;
        readonly under?: string;
        readonly matches?: string;
        /** Parts of the text that do not count. */
        readonly without?: readonly ("code" | "rows")[];
      }
    | {
        readonly kind: "row";
        readonly source: string;
        readonly under?: string;
        readonly when: readonly ("added" | "removed" | "changed")[];
        readonly matches?: string;
      }
    | { readonly kind: "fact"; readonly source: string; readonly name: string; readonly becomes?: string }
    | {
        readonly kind: "issue";
        readonly source: string;
        readonly when: readonly IssueMoment[];
        readonly matches?: string;
      }
    | { readonly kind: "commit"; readonly source: string; readonly matches?: string; readonly not?: string }
    | {
        readonly kind: "claim";
        readonly source: string;
        readonly claim?: string;
        readonly when: readonly ("altered" | "gone" | "contradicted" | "moved")[];
      }
    | { readonly kind: "link"; readonly source: string; readonly when: readonly ("gone" | "moved")[] }
    | { readonly kind: "silence"; readonly source: string; readonly for: Duration }
    | { readonly kind: "unreviewed"; readonly for: Duration }
  );

export const defaultWhen = ["published"] as const;

/** What all rooms need of each kind. Its YAML is in `config/condition.ts`, its test in `watch/conditions.ts`. */
const conditionKinds: { readonly [K in Condition["kind"]]: ConditionKind<ConditionOf<K>> } = {
  release: {
    listensTo: ({ products, sources }, { id, announces }) =>
      sources.length > 0 ? sources.includes(id) : announces.some((product) => products.includes(product)),
    metBy: ["item-added", "item-edited", "item-withdrawn", "turned"],
    words({ products, bump, pre, when = defaultWhen }, config) {
      const what = when.includes("withdrawn") ? `a ${when.length > 1 ? "new or " : ""}withdrawn release` : "a release";
      const names = products.map((id) => config.products.get(id)?.name ?? id);
      const bumps = bump.length < 3 ? ` (${bump.join(", ")})` : "";
      const which = { no: "", yes: ", pre-releases too", only: ", pre-releases only" }[pre];
      return `${what} of ${enumerateOr(names)}${bumps}${which}`;
    },
  },
  item: {
    metBy: ["item-added", "item-edited", "turned"],
    words: () => "a new entry",
  },
  commit: {
    metBy: ["item-added", "item-edited", "turned"],
    words: () => "a commit",
  },
  change: {
    metBy: ["block", "turned"],
    words: (condition) =>
      `a change of the page${condition.without ? ` without ${enumerateOr(condition.without)}` : ""}${headingWords(condition)}`,
  },
  row: {
    metBy: ["block", "turned"],
    words: (condition) => `a table row ${enumerateOr(condition.when)}${headingWords(condition)}`,
  },
  fact: {
    metBy: ["fact", "turned"],
    words: ({ name, becomes }) => `"${name}" ${becomes === undefined ? "changes" : `becomes ${becomes}`}`,
  },
  issue: {
    metBy: ["fact", "block", "turned"],
    words: ({ when }) => `the issue: ${enumerateOr(when)}`,
  },
  claim: {
    metBy: ["claim"],
    words: ({ claim, when }) => `${claim ? `the claim "${claim}"` : "a claim"} is ${enumerateOr(when)}`,
  },
  link: {
    metBy: ["link"],
    words: ({ when }) => `the address is ${enumerateOr(when)}`,
  },
  silence: {
    metBy: [],
    words: (condition) => `nothing new for ${period(condition.for)}`,
  },
  unreviewed: {
    metBy: [],
    words: (condition) => `a rating was not reviewed for ${period(condition.for)}`,
  },
};

export type ConditionOf<K extends Condition["kind"]> = Extract<Condition, { readonly kind: K }>;

interface ConditionKind<C extends Condition> {
  /** Whether it listens to a source, given its id and the products that it announces (default: the one that it names). */
  listensTo?(condition: C, source: Pick<Source, "id" | "announces">): boolean;
  /** Kinds of change that may meet it; empty if only time does. */
  readonly metBy: readonly Change["kind"][];
  /** `a release of PyTorch or CUDA (major, minor)`, without its patterns. */
  words(condition: C, config: Config): string;
}

function kindOf({ kind }: Condition): ConditionKind<Condition> {
  return conditionKinds[kind];
}

/** Whether a condition listens to a source, which may no longer be in config. */
export function listensTo(condition: Condition, source: Pick<Source, "id" | "announces">): boolean {
  const isNamed = "source" in condition && condition.source === source.id;
  return kindOf(condition).listensTo?.(condition, source) ?? isNamed;
}

/** With its patterns as in config: `a change of the page matching \bMPS\b`. */
export function conditionWords(condition: Condition, config: Config): string {
  return `${kindOf(condition).words(condition, config)}${filters(condition)}`;
}

/** For people who cannot read patterns: `a change of the page that names "MPS"`; `patternsOf` has the rest. */
export function readableCondition(condition: Condition, config: Config): string {
  const { title, matches, not }: Filters = condition;
  const wanted = [
    ...(title === undefined ? [] : [`whose title ${patternWords(title)}`]),
    ...(matches === undefined ? [] : [`that ${patternWords(matches)}`]),
  ].join(" and ");
  const unless = not === undefined ? "" : `, unless it ${patternWords(not)}`;
  return `${[kindOf(condition).words(condition, config), wanted].filter(Boolean).join(" ")}${unless}`;
}

/** Patterns of a condition that its plain words do not fully express. */
export function patternsOf(condition: Condition): string[] {
  const { title, matches, not }: Filters = condition;
  return [title, matches, not].filter((one) => one !== undefined).filter((pattern) => textsOf(pattern).length === 0);
}

function patternWords(pattern: string): string {
  const texts = textsOf(pattern);
  return texts.length > 0 ? `names ${enumerateOr(texts.map((text) => `"${text}"`))}` : "matches a pattern";
}

const maxTexts = 8;

/** The texts of a pattern that is only a choice of texts, as whole words or not: `\b(MPS|Metal)\b`. */
function textsOf(pattern: string): string[] {
  if (pattern.length > 200) return [];
  const choice = pattern.replace(/^\(\?i\)/, "");
  const [, grouped] = /^(?:\\b)?\((?:\?:)?([^()]*)\)(?:\\b)?$/.exec(choice) ?? [];
  const parts = (grouped ?? choice).split("|").map((part) => part.replace(/^\\b/, "").replace(/\\b$/, ""));
  const isText = (part: string) => /^(?:[\p{L}\p{N} _/-]|\\[^\p{L}\p{N}])+$/u.test(part);
  return parts.length <= maxTexts && parts.every(isText) ? parts.map((part) => part.replace(/\\(.)/g, "$1")) : [];
}

export function isMetBy(condition: Condition, change: Change): boolean {
  return kindOf(condition).metBy.includes(change.kind);
}

export function waitsForTime(condition: Condition): boolean {
  return kindOf(condition).metBy.length === 0;
}

const sourcesByCondition = new WeakMap<Config, Map<Condition, readonly Source[]>>();

/** The sources of config that a condition listens to. Cached, as it is needed for every pair. */
export function sourcesOfCondition(condition: Condition, config: Config): readonly Source[] {
  const ofConfig = makeOnce(sourcesByCondition, config, () => new Map<Condition, readonly Source[]>());
  return makeOnce(ofConfig, condition, () =>
    [...candidates(condition, config)].filter((one) => listensTo(condition, one)),
  );
}

/** Finds a named source directly, as there may be thousands. */
function candidates(condition: Condition, { sources }: Config): Iterable<Source> {
  if (!("source" in condition)) return sources.values();
  const source = sources.get(condition.source);
  return source ? [source] : [];
}

export function conditionsOf(trigger: Pick<Trigger, "on" | "also">) {
  return (["on", "also"] as const).flatMap((part) => trigger[part].map((condition) => ({ condition, part })));
}

interface Filters extends Common {
  readonly title?: string;
  readonly matches?: string;
  readonly not?: string;
}

/** Whether a stored condition is the same as one of config. A stored one lacks the keys that are undefined. */
export function isSameCondition(stored: Condition | undefined, condition: Condition): boolean {
  return stored !== undefined && isDeepStrictEqual(withoutUndefined(stored), withoutUndefined(condition));
}

function withoutUndefined(condition: Condition): unknown {
  return JSON.parse(JSON.stringify(condition));
}

function filters({ title, matches, not }: Filters): string {
  const said = [
    ...(title === undefined ? [] : [`with a title matching ${oneLine(title, 60)}`]),
    ...(matches === undefined ? [] : [`matching ${oneLine(matches, 60)}`]),
  ];
  const wanted = said.length > 0 ? ` ${said.join(", ")}` : "";
  return not === undefined ? wanted : `${wanted}, not ${oneLine(not, 40)}`;
}

function headingWords(condition: { readonly under?: string }): string {
  return condition.under === undefined ? "" : ` under "${oneLine(condition.under, 40)}"`;
}
