import { webAddress } from "../cite/addresses.ts";
import { NameMatcher } from "../cite/match-names.ts";
import type { Reference } from "../cite/references.ts";
import { Ids } from "../cite/sources.ts";
import type { DraftRating } from "../triggers.ts";
import type { Ratings } from "./ratings.ts";
import type { Rubric } from "./rubric.ts";

/** Ratings with ids, as config needs them. */
export interface DraftRatings extends Pick<Ratings, "axes" | "levels" | "unplaced" | "left" | "unrated"> {
  /** Names for people, by part of an id. */
  readonly names: ReadonlyMap<string, string>;
  readonly ratings: readonly DraftRating[];
  /** Meanings of levels, by the last part of an id. */
  readonly rubric: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly naming: NameMatcher;
}

/** Assigns ids. The axis that the references mention comes first, the one that a rubric explains comes last. */
export function draftRatings(
  reportRatings: Ratings,
  rubric: Rubric | undefined,
  references: readonly Reference[],
  title: string,
): DraftRatings {
  const order = orderOf(reportRatings, rubric, references);
  const ids = new Ids();
  const givenLevels = order.map(
    (axis) => new Map(namesOf(reportRatings, axis).map((name) => [name, ids.give(name, "rated")])),
  );
  const numbered = new Map(references.map(({ number, address }) => [number, address]));
  const ratings = reportRatings.rated.map(({ names, level, links, cited = [] }): DraftRating => {
    const ordered = order.map((axis) => names[axis] ?? "");
    return {
      id: ordered.map((name, i) => givenLevels[i]?.get(name) ?? "").join("/"),
      first: ordered[0] ?? "",
      level,
      evidence: [
        ...links.flatMap(({ address }) => webAddress(address) ?? []),
        ...cited.flatMap((number) => numbered.get(number) ?? []),
      ],
    };
  });
  const last = givenLevels.at(-1) ?? new Map<string, string>();
  const explained = rubric && rubric.axis === order.at(-1) ? [...rubric.meanings] : [];
  return {
    ...reportRatings,
    axes: axisNames(order, reportRatings.axes),
    names: new Map(givenLevels.flatMap((names) => [...names].map(([name, id]): [string, string] => [id, name]))),
    ratings: [...Map.groupBy(ratings, ({ first }) => first).values()].flat(),
    rubric: meaningsOf(explained, last, reportRatings.levels),
    naming: new NameMatcher(namesOf(reportRatings, order[0] ?? 0), title),
  };
}

function axisNames(order: readonly number[], axes: readonly string[]): string[] {
  const isNamed = axes[0] !== "subject" || axes[1] !== "area";
  return order.map((axis, i) => axes[isNamed ? axis : i] ?? `axis ${axis + 1}`);
}

function meaningsOf(
  explained: readonly (readonly [string, ReadonlyMap<string, string>])[],
  ids: ReadonlyMap<string, string>,
  levels: readonly string[],
): Map<string, Map<string, string>> {
  const spelt = new Map(levels.map((level) => [level.toLowerCase(), level]));
  return new Map(
    explained.flatMap(([name, meanings]) => {
      const id = ids.get(name);
      const own = [...meanings].flatMap(([level, meaning]): [string, string][] => {
        const known = spelt.get(level.toLowerCase());
        return known === undefined ? [] : [[known, meaning]];
      });
      return id === undefined || own.length === 0 ? [] : [[id, new Map(own)] as const];
    }),
  );
}

function orderOf(found: Ratings, rubric: Rubric | undefined, references: readonly Reference[]): number[] {
  if (found.axes.length < 2) return found.axes.map((_, axis) => axis);
  if (rubric) return [1 - rubric.axis, rubric.axis];
  const [rows = 0, columns = 0] = [0, 1].map((axis) => {
    const naming = new NameMatcher(namesOf(found, axis));
    return references.filter((reference) => naming.namesInTitle(reference).length > 0).length;
  });
  return columns > rows ? [1, 0] : [0, 1];
}

function namesOf({ rated }: Ratings, axis: number): string[] {
  return [...new Set(rated.map(({ names }) => names[axis] ?? ""))];
}
