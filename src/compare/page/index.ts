import type { Change, Noise, Sighting } from "../../model/change.ts";
import type { Trace } from "../../model/heuristics.ts";
import type { Block, Reading } from "../../model/reading.ts";
import { anHour, type Instant } from "../../model/time.ts";
import type { CompareOptions, PartComparison } from "../index.ts";
import { accept } from "./accept.ts";
import { namesAround } from "./boilerplate-border.ts";
import { withoutStamps } from "./build-stamps.ts";
import { withoutColumns } from "./columns.ts";
import { type ChangedText, type Differences, difference, type TextDifference } from "./difference.ts";
import { contentOf } from "./flaps.ts";
import { bySide, type Judged, judge, learn, lostOf } from "./judge.ts";
import { empty, type PageMemory, type Side, tidy } from "./memory.ts";
import { maxOverlooked, noiseOf, respellingNoise, stampNoise, stampsOf } from "./noise.ts";
import { type PairingOptions, pairedTexts } from "./pair.ts";
import { restampedAfter } from "./site-changes.ts";
import { wordsOf } from "./text.ts";

type PageCheck = Pick<CompareOptions, "at" | "confirmAfter" | "last" | "trace"> & { readonly structured?: boolean };

interface PageComparison extends PartComparison<PageMemory, Extract<Change, { kind: "block" }>> {
  /** The accepted content, from which claims and versions are read. */
  readonly accepted: readonly Block[];
}

/** Compares a page's blocks with its memory. Pure; without memory, this is the first check. */
export function comparePage(
  earlier: PageMemory | undefined,
  seen: readonly Block[],
  check: PageCheck,
  { region, around: texts }: Pick<Reading, "region" | "around"> = {},
): PageComparison {
  const blocks = withoutStamps(seen);
  const stamps = stampsOf(seen, blocks);
  const around = texts && namesAround(texts);
  if (!earlier) return firstComparison(blocks, stamps, { region, around });
  // Old texts are forgotten now, as checks without news do not do it.
  const memory = { ...tidy(earlier, check.at), accepted: withoutStamps(earlier.accepted) };
  const news = unsettledDifferences(memory, blocks, check.trace);
  const isStructured = check.structured && !blocks.some(({ kind }) => kind === "value");
  const isBelieved = check.confirmAfter === 0 || (isStructured && !isMissing(memory.accepted, blocks, news));
  const confirmAfter = isBelieved ? 0 : Math.max(anHour, check.confirmAfter);
  const judged = judge(news, blocks, memory, { at: check.at, last: check.last, confirmAfter, around });
  const accepted = accept(memory.accepted, blocks, judged);
  const isHeld = judged.some((unit) => unit.hold);
  const restamped = restampedAfter(memory, accepted);
  const aroundAfter = isHeld ? memory.around : (around ?? memory.around);
  const isCrossed = ({ side, reason }: Judged) => side === "removed" && reason === "around the content";
  const decided = news.settled.union(new Set(judged.filter(isCrossed).map(({ block }) => block)));
  const changesWith = (verdict: Judged["verdict"]) => {
    const units = judged.filter((unit) => unit.verdict === verdict);
    return render(memory.accepted, blocks, units, { decided, trace: check.trace });
  };
  return {
    memory: tidy(
      {
        ...learn(memory, judged, check.at),
        ...earlierOf(memory, judged, check.at),
        accepted,
        ...(region !== undefined && { region }),
        ...(aroundAfter && { around: aroundAfter }),
        stamps,
        ...(restamped.length > 0 && { restamped }),
        settled: isHeld ? settledAfter(memory, accepted, blocks, judged) : [],
        ...(isHeld && { latest: blocks }),
      },
      check.at,
    ),
    changes: changesWith("confirmed").map(({ change, since }) => ({ change, since })),
    sightings: sightingsOf(memory, blocks, judged, check.at),
    noise: [
      ...changesWith("noise").map(({ change, units }) => ({ change, reason: units[0]?.reason ?? "did not last" })),
      ...droppedSightings(memory, judged),
      ...noiseOf(memory.accepted, blocks, news.labels, "a label").slice(0, maxOverlooked),
      ...respellingNoise(memory.latest ?? memory.accepted, withoutChanged(blocks, judged)),
      ...stampNoise(earlier.stamps ?? stamps, stamps),
    ],
    accepted,
  };
}

function withoutChanged(blocks: readonly Block[], judged: readonly Judged[]): readonly Block[] {
  const changed = new Set(judged.filter(({ side }) => side === "added").map(({ block }) => block));
  return blocks.filter((_, index) => !changed.has(index));
}

/** The earlier texts, with the present one if the page changes. */
function earlierOf(memory: PageMemory, judged: readonly Judged[], at: Instant): Pick<PageMemory, "earlier"> {
  const isNew = judged.some(({ hold }) => !hold);
  const { earlier = [], accepted } = memory;
  if (!isNew) return earlier.length > 0 ? { earlier } : {};
  const digest = contentOf(accepted);
  return { earlier: [...earlier.filter((content) => content.digest !== digest), { digest, at }] };
}

/** Texts that need another check: new ones, and those that flapped and must last longer. */
function sightingsOf(
  memory: PageMemory,
  blocks: readonly Block[],
  judged: readonly Judged[],
  at: Instant,
): readonly Sighting[] {
  const flaps = (unit: Judged) => unit.hold && unit.reason === "one of a few variants";
  const units = judged.filter((unit) => unit.verdict === "wait" || flaps(unit));
  // If the first sighting is long ago, the next check counts from now.
  const late = (unit: Judged) => unit.ripe === true || flaps(unit);
  return render(memory.accepted, blocks, units).map(({ change, since, units }) => ({
    change,
    since: units.some(late) ? at : since,
  }));
}

/** Compares the same response again: only confirms pending changes. */
export function comparePageAgain(memory: PageMemory, check: PageCheck): PageComparison {
  const again = comparePage(memory, memory.latest ?? memory.accepted, check, { region: memory.region });
  return memory.stamps ? { ...again, memory: { ...again.memory, stamps: memory.stamps } } : again;
}

function firstComparison(
  accepted: readonly Block[],
  stamps: readonly Block[],
  { region, around }: Pick<PageMemory, "region" | "around">,
): PageComparison {
  const memory = { ...empty, accepted, stamps, ...(region !== undefined && { region }), ...(around && { around }) };
  return { memory, changes: [], sightings: [], noise: [], accepted };
}

/** Also the old blocks of settled removals. */
function unsettledDifferences(
  memory: PageMemory,
  blocks: readonly Block[],
  trace: Trace | undefined,
): Differences & { readonly settled: ReadonlySet<number> } {
  const settled = new Set(memory.settled);
  const isNews = (side: Side) => (unit: ChangedText) => !settled.has(side + unit.name);
  const { added, removed, labels } = difference(memory.accepted, blocks, trace);
  const old = removed.filter((unit) => settled.has(`removed${unit.name}`));
  return {
    added: added.filter(isNews("added")),
    removed: removed.filter(isNews("removed")),
    labels,
    settled: new Set(old.map(({ block }) => block)),
  };
}

/** Whether a block disappeared, and nothing that shares a word with it replaced it. */
function isMissing(before: readonly Block[], after: readonly Block[], { added, removed }: TextDifference): boolean {
  const termsOf = (block: Block | undefined) => new Set(wordsOf(block?.text ?? "").split(" "));
  return pairedTexts(before, after, { added, removed }).some(
    ({ old, now }) => old !== undefined && termsOf(old).isDisjointFrom(termsOf(now)),
  );
}

/** The names of texts that still differ although they do not wait: they were reported, or are noise. */
function settledAfter(
  memory: PageMemory,
  accepted: readonly Block[],
  blocks: readonly Block[],
  judged: readonly Judged[],
): readonly string[] {
  if (judged.every((unit) => unit.hold)) return memory.settled;
  const waits = new Set(judged.filter((unit) => unit.hold).map((unit) => unit.side + unit.name));
  const { added, removed } = difference(accepted, blocks);
  const names = [...added.map((unit) => `added${unit.name}`), ...removed.map((unit) => `removed${unit.name}`)];
  return names.filter((name) => !waits.has(name));
}

function droppedSightings(memory: PageMemory, judged: readonly Judged[]): Noise[] {
  const latest = memory.latest ?? [];
  const lostNames = new Set(lostOf(memory, judged).map((wait) => wait.side + wait.name));
  if (lostNames.size === 0) return [];
  const { added, removed } = difference(memory.accepted, latest);
  const lost = {
    added: added.filter(({ name }) => lostNames.has(`added${name}`)),
    removed: removed.filter(({ name }) => lostNames.has(`removed${name}`)),
  };
  return noiseOf(memory.accepted, latest, lost, "did not last");
}

export interface Rendered {
  readonly change: { readonly kind: "block"; readonly before?: Block; readonly after?: Block };
  readonly since: Instant;
  readonly units: readonly Judged[];
}

/**
 * Turns units into changes of whole blocks. A text and its replacement become one change. A sentence without a
 * counterpart is shown with its block. A new column of a table is shown by its header.
 */
function render(
  before: readonly Block[],
  after: readonly Block[],
  judged: readonly Judged[],
  options?: PairingOptions,
): Rendered[] {
  if (judged.length === 0) return [];
  const units = withoutColumns(before, after, judged);
  return pairedTexts(before, after, bySide(units), options).map(({ old, now, removals, additions }) => {
    const change = { kind: "block" as const, ...(old && { before: old }), ...(now && { after: now }) };
    const own = [...removals, ...additions];
    return { change, since: own.reduce((first, unit) => Math.min(first, unit.since), Infinity), units: own };
  });
}
