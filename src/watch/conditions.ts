import { type Change, isMove } from "../model/change.ts";
import {
  type Condition,
  type ConditionOf,
  conditionsOf,
  defaultWhen,
  type IssueMoment,
  isMetBy,
  listensTo,
} from "../model/condition.ts";
import type { Config, Trigger } from "../model/config.ts";
import { onlyInEach } from "../model/fields.ts";
import type { Event } from "../model/firing.ts";
import { hasMatch } from "../model/options.ts";
import type { Watch } from "../model/ports/index.ts";
import type { Block, Item } from "../model/reading.ts";
import type { Origin } from "../model/source.ts";
import { day, type Instant } from "../model/time.ts";
import { bumpOf, type Version } from "../model/version.ts";

/**
 * Tests conditions of each kind: on a change, or on time alone. Their sources and words are in `model/condition.ts`,
 * their YAML form in `config/condition.ts`: three tables, each by kind. Pure.
 */
const meetings: { readonly [K in Condition["kind"]]: Meeting<ConditionOf<K>> } = {
  release: { by: byRelease },
  item: { by: byEntry },
  commit: { by: byEntry },
  change: { by: byChange },
  row: { by: byRow },
  fact: { by: byFact },
  issue: { by: byIssue },
  claim: { by: byClaim },
  link: { by: byLink },
  silence: { due: silenceEnds },
  unreviewed: { due: reviewsEnd },
};

interface Meeting<C extends Condition> {
  /** Tests a condition of this kind on one change. */
  by?(condition: C, subject: Subject): TestResult;
  /** When such a condition is met if nothing happens before. */
  due?(condition: C, trigger: Trigger, present: Moment): readonly Due[];
}

/** A change, with the facts that conditions need. */
export interface Subject {
  readonly source: Origin;
  readonly change: Change;
  readonly event: Event;
  /** The version that the event announces, and all earlier versions of its product. */
  readonly version?: Version;
  readonly knownVersions: readonly Version[];
  /** The entry is not new, but announces another version than before. */
  readonly retitled: boolean;
  /** The entry is only days old: edits of its text count as part of its publication. */
  readonly isYoung: boolean;
}

/** `late`: a known entry meets it by text added since. `apart`: it is about something else, so needs no explanation. */
export type TestResult =
  | { readonly met: true; readonly excerpt?: string; readonly late?: true }
  | { readonly met: false; readonly because: string; readonly apart?: true };

/** No change meets a condition that waits for time alone. */
export function isMet(condition: Condition, subject: Subject): TestResult {
  const { by }: Meeting<Condition> = meetings[condition.kind];
  if (!by || !listensTo(condition, subject.source)) return apart("about another source");
  if (!isMetBy(condition, subject.change)) return apart("another kind of change");
  // A source that was replaced may never again say what the condition waits for.
  return subject.change.kind === "turned" ? conditionMet : by(condition, subject);
}

export interface Moment {
  readonly config: Config;
  readonly watches: ReadonlyMap<string, Watch>;
  readonly at: Instant;
}

/** When a condition is met without a change, and the event for it. */
export interface Due {
  readonly at: Instant;
  /** The time until which nothing happened, as far as known. */
  readonly seen: Instant;
  readonly source: string;
  readonly key: string;
  readonly change: Extract<Change, { kind: "fact" }>;
}

/** When time alone meets a condition of a trigger; empty for a condition that waits for a change. */
export function duesOf(condition: Condition, trigger: Trigger, present: Moment): readonly Due[] {
  const { due }: Meeting<Condition> = meetings[condition.kind];
  return due?.(condition, trigger, present) ?? [];
}

/** The sources whose watches decide whether time has met a condition. */
export function sourcesThatMayBeSilent({ triggers }: Config): string[] {
  const conditions = [...triggers.values()].flatMap(conditionsOf);
  return [...new Set(conditions.flatMap(({ condition }) => (condition.kind === "silence" ? [condition.source] : [])))];
}

const conditionMet: TestResult = { met: true };
const no = (because: string): TestResult => ({ met: false, because });
const apart = (because: string): TestResult => ({ met: false, because, apart: true });

function byRelease(condition: ConditionOf<"release">, subject: Subject): TestResult {
  const { change, event, version, knownVersions, retitled } = subject;
  const { when = defaultWhen } = condition;
  const isWithdrawn = change.kind === "item-withdrawn";
  if (!isWithdrawn && change.kind !== "item-added" && !retitled && !isPromotion(change))
    return apart("not a new entry");
  const became = isWithdrawn ? "withdrawn" : "published";
  if (!event.product || !version || !("item" in change)) return no("names no version of it");
  if (!condition.products.includes(event.product)) return no(`a release of ${event.product}`);
  if (!when.includes(became)) return no(`not asked about "${became}"`);
  const pre = version.pre || change.item.pre === true;
  if (condition.pre === "no" && pre) return no("a pre-release");
  if (condition.pre === "only" && !pre) return no("not a pre-release");
  const bump = bumpOf(version, [...knownVersions]);
  return condition.bump.includes(bump) ? conditionMet : no(`a ${bump} release`);
}

/** Whether an entry stopped being a pre-release, or has another version now. */
function isPromotion(change: Change): change is Extract<Change, { kind: "item-edited" }> {
  if (change.kind !== "item-edited") return false;
  const { before, item } = change;
  return (before.pre === true && item.pre !== true) || (before.version !== item.version && item.version !== undefined);
}

function byEntry(condition: ConditionOf<"item"> | ConditionOf<"commit">, { change, isYoung }: Subject): TestResult {
  if (change.kind !== "item-added" && change.kind !== "item-edited") return apart("not a new entry");
  const said = byWords(condition, change.item);
  if (change.kind === "item-added" || isPromotion(change)) return said;
  const asks = condition.matches !== undefined || (condition.kind === "item" && condition.title !== undefined);
  return asks && isYoung && said.met ? { ...said, late: true } : apart("not a new entry");
}

function byWords(condition: ConditionOf<"item"> | ConditionOf<"commit">, item: Item): TestResult {
  if (condition.not !== undefined && hasMatch(condition.not, item.title)) return no("its title is excluded by `not`");
  const { title } = condition.kind === "item" ? condition : {};
  if (title !== undefined && !hasMatch(title, item.title)) return no("not in its title");
  return condition.matches === undefined || hasMatch(condition.matches, item.title)
    ? conditionMet
    : inText(condition.matches, item);
}

/** Searches an entry's text for a pattern, and quotes the section with the match. */
function inText(pattern: string, { blocks }: Item): TestResult {
  if (blocks === undefined) return no("not in its title, and it has no text");
  const index = blocks.findIndex((block) => block.kind !== "heading" && hasMatch(pattern, block.text));
  if (index < 0) return no("in neither title nor text");
  return { met: true, excerpt: section(blocks, index) };
}

function section(blocks: readonly Block[], index: number): string {
  const block = blocks[index];
  const heading = block?.path.at(-1);
  return [...(heading ? [heading] : []), block?.text ?? ""].join("\n");
}

type BlockChange = Extract<Change, { kind: "block" }>;

function byRow(condition: ConditionOf<"row">, { change }: Subject): TestResult {
  if (change.kind !== "block") return apart("not a change of the page's text");
  const { before, after } = change;
  if ((after ?? before)?.kind !== "row") return no("not a table row");
  const when = before && after ? "changed" : after ? "added" : "removed";
  return condition.when.includes(when) ? byBlock(condition, change) : no(`a row was ${when}`);
}

/** The kinds of blocks that `without` excludes, by its words. */
const leftOut = { code: "code", rows: "row" } as const;

function byChange(condition: ConditionOf<"change">, { change }: Subject): TestResult {
  if (change.kind !== "block") return apart("not a change of the page's text");
  const { before, after } = change;
  const out = condition.without?.find((name) => (after ?? before)?.kind === leftOut[name]);
  return out === undefined ? byBlock(condition, change) : no(`without ${out}`);
}

function byBlock(condition: ConditionOf<"change"> | ConditionOf<"row">, { before, after }: BlockChange): TestResult {
  const { under, matches } = condition;
  const block = after ?? before;
  if (!block) return no("nothing changed");
  const heading = under?.toLowerCase() ?? "";
  const isUnder = block.path.some((name) => name.toLowerCase().includes(heading));
  if (under !== undefined && !isUnder) return no(`not under "${under}"`);
  return matches === undefined || findsChanged(matches, before, after) ? conditionMet : no("not in what changed");
}

/** Whether the changed sentences match. A row counts as a whole, and so does text that was only reordered. */
function findsChanged(pattern: string, before: Block | undefined, after: Block | undefined): boolean {
  const [old, now] = [sentencesOf(before), sentencesOf(after)];
  const changed = onlyInEach(old, now);
  const sides = changed.some((side) => side.length > 0) ? changed : [old, now];
  return sides.some((side) => side.length > 0 && hasMatch(pattern, side.join(" ")));
}

function sentencesOf(block: Block | undefined): string[] {
  if (!block) return [];
  return block.kind === "row" || block.kind === "code"
    ? [block.text]
    : block.text.split(/(?<=[.!?;])\s+|(?<=[。！？；])/u);
}

function byFact(condition: ConditionOf<"fact">, { change }: Subject): TestResult {
  if (change.kind !== "fact" || change.name !== condition.name) return apart(`not about "${condition.name}"`);
  return condition.becomes === undefined || change.after === condition.becomes
    ? conditionMet
    : no(`not "${condition.becomes}"`);
}

function byIssue({ when, matches }: ConditionOf<"issue">, { change }: Subject): TestResult {
  const moment = momentOf(change);
  if (!moment || !when.includes(moment)) return apart("not one of the moments named");
  if (matches === undefined || moment === "closed" || moment === "reopened") return conditionMet;
  const isFound =
    change.kind === "block"
      ? findsChanged(matches, change.before, change.after)
      : change.kind === "fact" && changedWords(change, moment).some((words) => hasMatch(matches, words));
  return isFound ? conditionMet : no("not in what changed");
}

function changedWords({ before = "", after = "" }: Extract<Change, { kind: "fact" }>, moment: IssueMoment): string[] {
  if (moment !== "labels") return [before, after];
  return onlyInEach(before.split(", "), after.split(", ")).flat();
}

function momentOf(change: Change): IssueMoment | undefined {
  if (change.kind === "fact") {
    if (change.name === "state") return change.after === "closed" ? "closed" : "reopened";
    return change.name === "title" || change.name === "labels" ? change.name : undefined;
  }
  if (change.kind !== "block") return undefined;
  return [change.before, change.after].some((block) => block && /^\[[ x]\] /i.test(block.text)) ? "checklist" : "body";
}

function byClaim({ source, claim, when }: ConditionOf<"claim">, { change }: Subject): TestResult {
  if (change.kind !== "claim") return apart("no claim changed");
  if (claim !== undefined && change.claim !== `${source}/${claim}`) return apart("about another claim");
  const became = isMove(change) ? "moved" : change.to;
  return when.some((one) => one === became) ? conditionMet : no(`the claim is ${became}`);
}

function byLink({ when }: ConditionOf<"link">, { change }: Subject): TestResult {
  if (change.kind !== "link") return apart("the address still answers");
  return when.some((one) => one === change.to) ? conditionMet : no(`not asked about "${change.to}"`);
}

/** When the silence of a source meets the condition. Only time during which the source was seen unchanged counts. */
function silenceEnds(condition: ConditionOf<"silence">, _trigger: Trigger, { watches }: Moment): Due[] {
  const watch = watches.get(condition.source);
  const last = watch?.lastChange ?? watch?.firstSeen;
  if (last === undefined || watch?.lastSeen === undefined) return [];
  return [
    {
      at: last + condition.for,
      seen: watch.lastSeen,
      source: condition.source,
      key: `${condition.source} silent since ${day(last)}`,
      change: { kind: "fact", name: "silent since", after: day(last) },
    },
  ];
}

function reviewsEnd(condition: ConditionOf<"unreviewed">, { ratings }: Trigger, { config, at }: Moment): Due[] {
  return ratings.map((id) => {
    const since = config.ratings.get(id)?.reviewed ?? config.report.audited;
    return {
      at: since + condition.for,
      seen: at,
      source: "",
      key: `${id} unreviewed since ${day(since)}`,
      change: { kind: "fact", name: `${id} unreviewed since`, after: day(since) },
    };
  });
}
