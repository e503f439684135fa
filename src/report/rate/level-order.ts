import type { Legend } from "./legend.ts";
import {
  adjectiveStem,
  baseOf,
  heightOf,
  isLevel,
  isMarkKey,
  levelIn,
  poles,
  scaleOfMost,
  type WrittenLevel,
} from "./levels.ts";

export interface LevelOrder {
  /** Lowest first. */
  readonly levels: readonly string[];
  /** By the key of a rated level. */
  readonly of: ReadonlyMap<string, string>;
  /** Levels whose place is a guess. */
  readonly unplaced: readonly string[];
}

/** Orders levels by their scale, or by a legend of the report. Other levels are placed just below the best. */
export function orderLevels(ratings: readonly WrittenLevel[], scale: string, legends: readonly Legend[]): LevelOrder {
  const groups = Map.groupBy(ratings, ({ key }) => {
    return String(poles.findIndex((pole) => pole.has(key))).replace("-1", adjectiveStem(key, scale));
  });
  const all = [...groups.values()];
  const isLabelled = all.every((group) => labelOf(group) !== undefined);
  const namedGroups = all.map((group) => ({
    name: nameOf(group, isLabelled),
    keys: new Set(group.map(({ key }) => key)),
  }));
  // In the report's own capitals.
  const isLower = namedGroups.every(({ name }) => name === name.toLowerCase());
  const cased = (base: string) => (isLower ? base.toLowerCase() : base);
  const used = namedGroups.flatMap(({ keys }) => [...keys]);
  const bases = baseOf(scale, used).flatMap((base) => {
    const height = heightOf(base.toLowerCase(), scale);
    const there = namedGroups.some(({ keys }) => [...keys].some((key) => heightOf(key, scale) === height));
    return there || height === undefined ? [] : [{ name: cased(base), keys: new Set([base.toLowerCase()]) }];
  });
  const levels = [...namedGroups, ...bases].map((one) => ({ ...one, height: heightIn([...one.keys], scale, legends) }));
  const best = levels.reduce((most, { height }) => Math.max(most, height ?? 0), 0);
  const sorted = levels
    .map((one, i) => ({ ...one, i, at: one.height ?? best - 0.001 }))
    .sort((a, b) => a.at - b.at || a.i - b.i);
  return {
    levels: [...new Set(sorted.map(({ name }) => name))],
    of: new Map(namedGroups.flatMap(({ name, keys }) => [...keys].map((key) => [key, name] as const))),
    unplaced: levels
      .filter(({ height, keys }) => height === undefined || legends.some((legend) => contradicts(legend, keys, scale)))
      .map(({ name }) => name),
  };
}

/** Whether a legend gives a level the opposite meaning: `✅ not supported`. */
function contradicts(legend: Legend, keys: ReadonlySet<string>, scale: string): boolean {
  return legend.some(({ key, meaning }) => {
    const [height, meant] = [key, levelIn(meaning)?.key ?? ""].map((one) => heightOf(one, scale) ?? 0.5);
    return keys.has(key) && (height ?? 0.5) !== 0.5 && Math.abs((height ?? 0.5) - (meant ?? 0.5)) > 0.5;
  });
}

/** A label beside its mark in at least this many cells is no remark. */
const minLabelled = 5;

/** A mark with its label, if the label is a level, is frequent, or if all marks have one. */
function nameOf(group: readonly WrittenLevel[], isLabelled: boolean): string {
  const { shown = "" } = group[0] ?? {};
  const label = labelOf(group);
  return label !== undefined && (isLabelled || isLevel(label) || group.length >= minLabelled)
    ? `${shown} ${label}`
    : shown;
}

/** The label that is the same in all cells of a mark. */
function labelOf(group: readonly WrittenLevel[]): string | undefined {
  const [only, ...others] = new Set(group.map(({ key, beside = "" }) => JSON.stringify([key, beside])));
  const label = group[0]?.beside ?? "";
  const isAlways = only !== undefined && others.length === 0 && group.length > 1;
  return isAlways && label !== "" && label.length <= 20 ? label : undefined;
}

function heightIn(keys: readonly string[], scale: string, legends: readonly Legend[]): number | undefined {
  const own = keys.map((key) => heightOf(key, scale)).find((height) => height !== undefined);
  // A legend may explain a mark as *partly*, such as `●` beside `✔`.
  const partly = heightOf("partial", scale);
  const explained = legends.flat().filter(({ key }) => keys.includes(key) && isMarkKey(key));
  const isPartly = explained.some(({ meaning }) => heightOf(levelIn(meaning)?.key ?? "", scale) === partly);
  if (own !== undefined) return (isPartly ? partly : undefined) ?? own;
  return legends.map((legend) => inLegend(keys, scale, legend)).find((height) => height !== undefined);
}

/**
 * The height of a word in a legend: between its neighbours if the legend is in order, or else that of its explanation.
 */
function inLegend(keys: readonly string[], scale: string, legend: Legend): number | undefined {
  const at = legend.findIndex(({ key }) => keys.includes(key));
  if (at < 0) return undefined;
  const explaining = scaleOfMost(legend.flatMap(({ meaning }) => levelIn(meaning)?.key ?? []));
  const meant = scale === "legend" ? (explaining ?? "support") : scale;
  const meanings = legend.map(({ meaning }) => heightOf(levelIn(meaning)?.key ?? "", meant));
  const ownScale = scale === "legend" ? scaleOfMost(legend.map(({ key }) => key)) : scale;
  const heights =
    meanings.some((height) => height !== undefined) && scale === "legend"
      ? meanings
      : legend.map(({ key }) => (ownScale === undefined ? undefined : heightOf(key, ownScale)));
  const knownHeights = heights.flatMap((height, i) => (height === undefined ? [] : [{ height, i }]));
  const steps = knownHeights.slice(1).map(({ height }, i) => Math.sign(height - (knownHeights[i]?.height ?? 0)));
  const direction = steps.find((step) => step !== 0) ?? guessDirection(knownHeights, legend.length);
  const isOneWay = direction !== undefined && steps.every((step) => step === 0 || step === direction);
  if (isOneWay) return heights[at] ?? interpolate(at, knownHeights, direction);
  // Legends with the report's own words begin with the best.
  const isOwn = scale === "legend" && knownHeights.length < 0.5 * legend.length;
  return isOwn ? 1 - at / legend.length : meanings[at];
}

/** The direction of a legend with one known level: down if a high level is near its start, up if near its end. */
function guessDirection(known: readonly { height: number; i: number }[], length: number): number | undefined {
  const [only] = known;
  if (!only || known.length > 1) return undefined;
  if (only.i === 0 || only.i === length - 1) return (only.height >= 0.5 ? -1 : 1) * (only.i === 0 ? 1 : -1);
  const place = only.i / (length - 1);
  const nearer = Math.abs(only.height - (1 - place)) - Math.abs(only.height - place);
  return Math.abs(nearer) < 0.3 ? undefined : Math.sign(nearer);
}

/** Interpolates between two known heights, or extends just beyond the last one. */
function interpolate(
  at: number,
  known: readonly { height: number; i: number }[],
  direction: number,
): number | undefined {
  const before = known.findLast(({ i }) => i < at);
  const after = known.find(({ i }) => i > at);
  if (before && after) return before.height + ((after.height - before.height) * (at - before.i)) / (after.i - before.i);
  const edge = before ?? after;
  return edge && edge.height + direction * 0.01 * (at - edge.i);
}
