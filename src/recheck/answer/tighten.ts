import { type ConditionPlace, removeCondition, setInCondition } from "../../config/edit/condition.ts";
import { pathIn } from "../../config/files.ts";
import { type Bump, type Condition, isSameCondition } from "../../model/condition.ts";
import type { Trigger } from "../../model/config.ts";
import type { Firing } from "../../model/firing.ts";
import { fence } from "../../model/markdown.ts";
import { hasMatch } from "../../model/options.ts";
import { bumpOf, versionCalled } from "../../model/version.ts";
import { type FileChange, linesOfPatch, patchOf } from "../../report/edit/splice.ts";
import { type AnsweredRecheck, historyOf } from "./figures.ts";
import type { FullRecheck, WatchedRepository } from "./repository.ts";

/** A change to a trigger that would have prevented dismissed rechecks, but no relevant ones. */
export interface Tightening {
  /** A sentence about the common property of the dismissed rechecks, in Markdown of our own. */
  readonly says: string;
  /** A unified diff of the trigger's file, for a fence. */
  readonly diff: string;
}

interface Outcomes {
  readonly condition: Condition;
  readonly place: ConditionPlace;
  readonly dismissed: readonly Firing[];
  /** Firings whose recheck kept or changed a rating. */
  readonly relevant: readonly Firing[];
}

/** Dismissed rechecks of one condition before a change is proposed: a single one is not a pattern. */
const minDismissals = 2;

/** The best change of a trigger that its dismissed rechecks suggest; undefined if there is no pattern. Pure. */
export function tighten(
  trigger: Trigger,
  history: readonly AnsweredRecheck[],
  file: { readonly path: string; readonly text: string },
): Tightening | undefined {
  const ideas = recordsOf(trigger, history).flatMap((record) => {
    const idea = byBump(record, file.text) ?? byTitle(record, file.text) ?? byRemoval(record, trigger, file.text);
    return idea ? [{ ...idea, spared: record.dismissed.length }] : [];
  });
  const [best] = ideas.sort((a, b) => b.spared - a.spared);
  if (!best) return undefined;
  const change: FileChange = { path: file.path, before: file.text, after: best.after };
  return { says: best.says, diff: patchOf([change]) };
}

/** The outcomes of each condition whose firings were dismissed more than once. */
function recordsOf({ on, also }: Trigger, history: readonly AnsweredRecheck[]): Outcomes[] {
  const places = [on, also].flatMap((list, i) =>
    list.map((condition, index) => ({ condition, place: { part: i === 0 ? "on" : "also", index } as const })),
  );
  return places.flatMap(({ condition, place }) => {
    const by = (firing: Firing) => firing.evidence.map((piece) => isSameCondition(piece.condition, condition));
    const refused = history.filter(({ verdict }) => verdict === "dismiss");
    const alone = refused.map(({ firings }) => firings.filter((one) => by(one).every(Boolean) && by(one).length > 0));
    if (alone.filter((firings) => firings.length > 0).length < minDismissals) return [];
    const heeded = history.filter(({ verdict }) => verdict !== "dismiss").flatMap(({ firings }) => firings);
    return [{ condition, place, dismissed: alone.flat(), relevant: heeded.filter((one) => by(one).some(Boolean)) }];
  });
}

interface Idea {
  readonly says: string;
  readonly after: string;
}

const bumps: readonly Bump[] = ["major", "minor", "patch"];

function byBump({ condition, place, dismissed, relevant }: Outcomes, text: string): Idea | undefined {
  if (condition.kind !== "release") return undefined;
  const refused = new Set(dismissed.map(bumpOfFiring));
  const heeded = new Set(relevant.map(bumpOfFiring));
  if (refused.has(undefined) || [...refused].some((bump) => heeded.has(bump))) return undefined;
  const left = bumps.filter((bump) => condition.bump.includes(bump) && !refused.has(bump));
  if (left.length === 0) return undefined;
  const after = setInCondition(text, place, "bump", { value: left, spelling: `[${left.join(", ")}]` });
  const which = bumps.filter((bump) => refused.has(bump)).join(" and ");
  return after === undefined
    ? undefined
    : { says: `All ${dismissed.length} dismissed events were ${which} releases.`, after };
}

function bumpOfFiring({ event }: Firing): Bump | undefined {
  const version = event.version === undefined ? undefined : versionCalled(event.version);
  return version && bumpOf(version, []);
}

/** Excludes a word that is in all dismissed titles and in no relevant one. */
function byTitle({ condition, place, dismissed, relevant }: Outcomes, text: string): Idea | undefined {
  if ((condition.kind !== "item" && condition.kind !== "commit") || relevant.length === 0) return undefined;
  const titles = dismissed.flatMap(titlesOf);
  const relevantTitles = relevant.flatMap(titlesOf);
  const [first = ""] = titles;
  const words = new Set(
    first
      .slice(0, 300)
      .toLowerCase()
      .match(/[a-z][a-z0-9]{2,}/g) ?? [],
  );
  const fitting = [...words].filter(
    (word) => titles.every((title) => holds(title, word)) && !relevantTitles.some((title) => holds(title, word)),
  );
  const [word] = fitting.sort((a, b) => b.length - a.length);
  if (word === undefined) return undefined;
  const not = condition.not === undefined ? pattern(word) : `${condition.not}|${pattern(word)}`;
  const after = setInCondition(text, place, "not", { value: not, spelling: `'${not.replaceAll("'", "''")}'` });
  if (after === undefined) return undefined;
  return {
    says: `All ${dismissed.length} dismissed events have \`${word}\` in their title, and no relevant one has.`,
    after,
  };
}

function titlesOf({ evidence }: Firing): string[] {
  return evidence.flatMap(({ change }) => ("item" in change ? [change.item.title] : []));
}

function holds(title: string, word: string): boolean {
  return hasMatch(pattern(word), title);
}

function pattern(word: string): string {
  return `(?i)\\b${word}\\b`;
}

/** Removes the condition if all its firings were dismissed. */
function byRemoval({ place, dismissed, relevant }: Outcomes, { on, also }: Trigger, text: string): Idea | undefined {
  if (relevant.length > 0 || on.length + also.length < 2) return undefined;
  const after = removeCondition(text, place);
  const sources = new Set(dismissed.flatMap(({ evidence }) => evidence.map(({ source }) => source)));
  const [source] = sources;
  const from = sources.size === 1 ? `came from \`${source}\`` : "met this condition";
  return after === undefined
    ? undefined
    : { says: `All ${dismissed.length} dismissed events ${from}, and no relevant one did.`, after };
}

/** A change that would have prevented dismissed rechecks, including this one, as Markdown; undefined if there is no pattern. */
export async function tighteningMarkdown(
  { recheck, firings }: FullRecheck,
  { store, config, state }: WatchedRepository,
): Promise<string | undefined> {
  const { trigger } = recheck;
  const declared = config.triggers.get(trigger);
  const file = state.config?.files.find(({ path }) => path === `triggers/${trigger}.yaml`);
  if (!declared || !file) return undefined;
  const earlier = historyOf(trigger, await store.rechecks(), await store.firings(), await store.answers());
  const history: AnsweredRecheck[] = [...earlier, { verdict: "dismiss", firings }];
  const path = pathIn(state.config?.folder ?? "", file.path);
  const proposal = tighten(declared, history, { path, text: file.text });
  if (!proposal) return undefined;
  const lead = `${proposal.says} This change to the trigger would have prevented them:`;
  return [lead, fence(linesOfPatch(proposal.diff), "diff")].join("\n\n");
}
