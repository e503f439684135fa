import type {
  Block,
  Change,
  Condition,
  Config,
  Event,
  Firing,
  Instant,
  Item,
  Source,
  Trigger,
} from "../model/model.ts";
import { finds } from "../model/options.ts";
import type { Watch } from "../model/ports/index.ts";
import { day } from "../model/time.ts";
import { bumpOf, type Version } from "../model/version.ts";

/** Whether a change meets a condition; if not, why not, for `explain`. */
export type Match =
  | { readonly met: true; readonly excerpt?: string }
  | { readonly met: false; readonly because: string };

/** What a condition may know of a change beside the change itself. */
export interface Happening {
  readonly source: Source;
  readonly change: Change;
  readonly event: Event;
  /** The version that the event announces, and all of its product seen before. */
  readonly version?: Version;
  readonly known: readonly Version[];
  /** An entry that was there already now announces another version. */
  readonly retitled: boolean;
}

const met: Match = { met: true };
const no = (because: string): Match => ({ met: false, because });

/** Judges one condition by one change. Conditions on time alone are never met by a change. */
export function match(condition: Condition, happening: Happening): Match {
  const { change, source } = happening;
  if ("source" in condition && condition.source !== source.id) return no("about another source");
  switch (condition.kind) {
    case "release":
      return matchRelease(condition, happening);
    case "item":
    case "commit":
      if (change.kind !== "item-added" && !isPromotion(change)) return no("not a new entry");
      return matchText(condition, change.item);
    case "change":
    case "row":
      return change.kind === "block" ? matchBlock(condition, change) : no("not a change of the page's text");
    case "fact":
      return matchFact(condition, change);
    case "issue":
      return matchIssue(condition, change);
    case "claim":
      return matchClaim(condition, change);
    case "link":
      if (change.kind !== "link") return no("the address still answers");
      return condition.when.some((when) => when === change.to) ? met : no(`not asked about "${change.to}"`);
    case "silence":
    case "unreviewed":
      return no("waits for time to pass");
  }
}

type Of<K extends Condition["kind"]> = Extract<Condition, { kind: K }>;

function matchRelease(condition: Of<"release">, happening: Happening): Match {
  const { change, source, event, version, known, retitled } = happening;
  if (change.kind !== "item-added" && change.kind !== "item-edited") return no("not a new entry");
  if (change.kind === "item-edited" && !retitled && !isPromotion(change)) return no("not a new entry");
  if (!event.product || !version) return no("names no version of a product that this source announces");
  if (!condition.products.includes(event.product)) return no(`a release of ${event.product}`);
  if (condition.sources.length > 0 && !condition.sources.includes(source.id)) return no("not one of the sources named");
  const pre = version.pre || change.item.pre === true;
  if (condition.pre === "no" && pre) return no("a pre-release");
  if (condition.pre === "only" && !pre) return no("not a pre-release");
  const bump = bumpOf(version, [...known]);
  return condition.bump.includes(bump) ? met : no(`a ${bump} release`);
}

/** An entry that was a pre-release and is one no more, or that now carries another version. */
export function isPromotion(change: Change): change is Extract<Change, { kind: "item-edited" }> {
  if (change.kind !== "item-edited") return false;
  const { before, item } = change;
  return (before.pre === true && item.pre !== true) || (before.version !== item.version && item.version !== undefined);
}

function matchText(condition: Of<"item"> | Of<"commit">, item: Item): Match {
  if (condition.not !== undefined && finds(condition.not, item.title)) return no("its title is excluded by `not`");
  const { title } = condition.kind === "item" ? condition : {};
  if (title !== undefined && !finds(title, item.title)) return no("`title` is not found in its title");
  if (condition.matches === undefined) return met;
  if (finds(condition.matches, item.title)) return met;
  const blocks = item.blocks ?? [];
  const index = blocks.findIndex((block) => block.kind !== "heading" && finds(condition.matches ?? "", block.text));
  if (index < 0) return no("`matches` is found in neither title nor text");
  return { met: true, excerpt: section(blocks, index) };
}

/** The block that matched, below its heading. */
function section(blocks: readonly Block[], index: number): string {
  const block = blocks[index];
  const heading = block?.path.at(-1);
  return [...(heading ? [heading] : []), block?.text ?? ""].join("\n");
}

function matchBlock(condition: Of<"change"> | Of<"row">, { before, after }: Extract<Change, { kind: "block" }>): Match {
  const block = after ?? before;
  if (!block) return no("nothing changed");
  if (condition.kind === "row") {
    if (block.kind !== "row") return no("not a table row");
    const when = before && after ? "changed" : after ? "added" : "removed";
    if (!condition.when.includes(when)) return no(`a row was ${when}`);
  }
  if (condition.under !== undefined && !isUnder(block, condition.under)) return no(`not under "${condition.under}"`);
  if (condition.matches === undefined) return met;
  return findsChanged(condition.matches, before, after) ? met : no("`matches` is not found in what changed");
}

/**
 * Whether a pattern is found in what changed: in the sentences that one side has and the other has not. A row is one
 * thing, and so is what was only put in another order.
 */
function findsChanged(pattern: string, before: Block | undefined, after: Block | undefined): boolean {
  const [old, now] = [sentencesOf(before), sentencesOf(after)];
  const changed = [without(old, now), without(now, old)];
  const sides = changed.some((side) => side.length > 0) ? changed : [old, now];
  return sides.some((side) => side.length > 0 && finds(pattern, side.join(" ")));
}

function sentencesOf(block: Block | undefined): string[] {
  if (!block) return [];
  return block.kind === "row" || block.kind === "code"
    ? [block.text]
    : block.text.split(/(?<=[.!?;])\s+|(?<=[。！？；])/u);
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}

function isUnder(block: Block, heading: string): boolean {
  const wanted = heading.toLowerCase();
  return block.path.some((name) => name.toLowerCase().includes(wanted));
}

function matchFact(condition: Of<"fact">, change: Change): Match {
  if (change.kind !== "fact" || change.name !== condition.name) return no(`not about "${condition.name}"`);
  if (condition.becomes !== undefined && change.after !== condition.becomes) return no(`not "${condition.becomes}"`);
  return met;
}

function matchIssue(condition: Of<"issue">, change: Change): Match {
  const moment = momentOf(change);
  if (!moment || !condition.when.includes(moment)) return no("not one of the moments named");
  if (condition.matches === undefined || change.kind !== "block") return met;
  const { before, after } = change;
  return findsChanged(condition.matches, before, after) ? met : no("`matches` is not found in what changed");
}

function momentOf(change: Change): Of<"issue">["when"][number] | undefined {
  if (change.kind === "fact") {
    if (change.name === "state") return change.after === "closed" ? "closed" : "reopened";
    return change.name === "title" || change.name === "labels" ? change.name : undefined;
  }
  if (change.kind !== "block") return undefined;
  return [change.before, change.after].some((block) => block && /^\[[ x]\] /i.test(block.text)) ? "checklist" : "body";
}

function matchClaim(condition: Of<"claim">, change: Change): Match {
  if (change.kind !== "claim") return no("no claim changed");
  if (condition.claim !== undefined && change.claim !== `${condition.source}/${condition.claim}`)
    return no("about another claim");
  return condition.when.some((when) => when === change.to) ? met : no(`the claim is ${change.to}`);
}

/** Conditions that only time can meet: silence of a source, ratings left unreviewed. Pure. */
export function evaluateTime(config: Config, watches: ReadonlyMap<string, Watch>, at: Instant): Firing[] {
  return [...config.triggers.values()].flatMap((trigger) => [
    ...silences(trigger, watches, at),
    ...unreviewed(trigger, config, at),
  ]);
}

function silences(trigger: Trigger, watches: ReadonlyMap<string, Watch>, at: Instant): Firing[] {
  return conditionsOf(trigger).flatMap(({ condition, part }): Firing[] => {
    if (condition.kind !== "silence") return [];
    const watch = watches.get(condition.source);
    const last = watch?.lastChange ?? watch?.firstSeen;
    // A source that cannot be seen is not silent: only what was seen to be unchanged counts.
    const seen = watch?.lastSeen;
    if (last === undefined || seen === undefined || seen - last < condition.for) return [];
    const change = { kind: "fact", name: "silent since", after: day(last) } as const;
    return [
      firing(
        trigger,
        `${condition.source} silent since ${day(last)}`,
        { source: condition.source, seen: at, change, part, condition },
        at,
      ),
    ];
  });
}

function unreviewed(trigger: Trigger, config: Config, at: Instant): Firing[] {
  return conditionsOf(trigger).flatMap(({ condition, part }): Firing[] => {
    if (condition.kind !== "unreviewed") return [];
    return trigger.ratings.flatMap((id): Firing[] => {
      const since = config.ratings.get(id)?.reviewed ?? config.report.audited;
      if (at - since < condition.for) return [];
      const change = { kind: "fact", name: `${id} unreviewed since`, after: day(since) } as const;
      return [
        firing(trigger, `${id} unreviewed since ${day(since)}`, { source: "", seen: at, change, part, condition }, at),
      ];
    });
  });
}

function conditionsOf(trigger: Trigger) {
  return [
    ...trigger.on.map((condition) => ({ condition, part: "on" as const })),
    ...trigger.also.map((condition) => ({ condition, part: "also" as const })),
  ];
}

function firing(trigger: Trigger, key: string, evidence: Firing["evidence"][number], at: Instant): Firing {
  const weight = evidence.condition?.awaited ? "contrary" : "routine";
  return { trigger: trigger.id, event: { key }, weight, seen: at, fired: at, evidence: [evidence] };
}
