import type { Grid } from "./grids.ts";
import { isRecheckHeader, isRubric, roleOf } from "./headers.ts";
import { isBlank, isLevel, levelIn, levelsOf } from "./scale.ts";
import { plain, shortName } from "./words.ts";

/** Ratings that a report holds, by what is rated. */
export interface Ratings {
  /** What the names of each axis are: platform, area. */
  readonly axes: readonly string[];
  /** Lowest first. */
  readonly levels: readonly string[];
  /** Levels of which nobody told whether they are above or below the others. */
  readonly unplaced: readonly string[];
  /** One name for each axis, and the level. */
  readonly rated: readonly Rated[];
}

export interface Rated {
  readonly names: readonly string[];
  readonly level: string;
}

/** A table that rates, before its levels are put in order. */
interface Candidate {
  readonly axes: readonly string[];
  readonly cells: readonly { readonly names: readonly string[]; readonly word: string }[];
}

const mostRatings = 1_000;
/** More than these many different words are no levels. */
const mostWords = 12;

/** The ratings of the largest table that rates, and of the others that rate the same things. */
export function ratingsOf(grids: readonly Grid[]): Ratings | undefined {
  const candidates = grids.flatMap((grid) => candidateOf(grid) ?? []).sort((a, b) => b.cells.length - a.cells.length);
  const [main, ...others] = candidates;
  if (!main) return undefined;
  const columns = (one: Candidate) => [...new Set(one.cells.map(({ names }) => names[1] ?? ""))].sort().join("\n");
  const same = others.filter((one) => one.axes.length === main.axes.length && columns(one) === columns(main));
  return leveled(
    main.axes,
    [main, ...same].flatMap(({ cells }) => cells),
  );
}

/** Puts the words in order, and keeps one rating of each thing. */
export function leveled(axes: readonly string[], cells: Candidate["cells"]): Ratings {
  const { levels, of, unplaced } = levelsOf(cells.map(({ word }) => word));
  const rated = new Map<string, Rated>();
  for (const { names, word } of cells.slice(0, mostRatings)) {
    const key = JSON.stringify(names);
    if (!rated.has(key)) rated.set(key, { names, level: of.get(word) ?? word });
  }
  return { axes, levels, unplaced, rated: [...rated.values()] };
}

function candidateOf({ header, rows }: Grid): Candidate | undefined {
  if (rows.length < 2 || isRecheckHeader(header) || isRubric(header, rows)) return undefined;
  const columns = header.map((_, i) => i).filter((i) => roleOf(header[i] ?? "") === undefined);
  const rating = columns.filter((i) => i > 0 && rates(rows.map((row) => row[i] ?? "")));
  const chosen = rating.length > 0 ? alike(rating, rows) : shared(columns.slice(1), rows);
  const [first] = chosen;
  if (first === undefined || (chosen.length === 1 && !ratesAlone(header[first] ?? "", rows, first))) return undefined;
  const naming = columns.find((i) => i < first && names(rows.map((row) => row[i] ?? ""))) ?? 0;
  const [rowAxis, columnAxis] = axesOf(header[naming] ?? "");
  const alone = chosen.length === 1;
  const cells = rows.flatMap((row) => {
    const name = shortName(row[naming] ?? "");
    if (name === "") return [];
    return chosen.flatMap((i) => {
      const word = levelIn(row[i] ?? "");
      if (word === undefined) return [];
      return [
        { names: alone ? [name] : [name, shortName(header[i] ?? "") || `Column ${i + 1}`], word: plain(word, 24) },
      ];
    });
  });
  const words = new Set(cells.map(({ word }) => word));
  if (cells.length < 2 || words.size > mostWords || words.has("")) return undefined;
  return { axes: alone ? [rowAxis] : [rowAxis, columnAxis], cells };
}

/** Whether most cells of a column are levels; a few may be words of their own. */
function rates(cells: readonly string[]): boolean {
  const told = cells.filter((cell) => !isBlank(cell));
  const words = told.map(levelIn);
  const known = words.filter((word) => word !== undefined && isLevel(word)).length;
  return told.length >= 2 && known >= 0.6 * told.length && words.every((word) => word !== undefined);
}

/** Of columns that rate, those that share the scale of most of them. */
function alike(columns: readonly number[], rows: Grid["rows"]): number[] {
  const words = (i: number) => rows.flatMap((row) => levelIn(row[i] ?? "") ?? []);
  const all = levelsOf(columns.flatMap(words));
  const placed = new Set([...all.of].filter(([, level]) => !all.unplaced.includes(level)).map(([word]) => word));
  return columns.filter((i) => {
    const own = words(i);
    return own.filter((word) => placed.has(word)).length >= 0.5 * own.length;
  });
}

/** Columns that hold the same few words, whatever they are: a scale that nobody knows but the report. */
function shared(columns: readonly number[], rows: Grid["rows"]): number[] {
  const words = columns.map((i) =>
    rows.flatMap((row) => (isBlank(row[i] ?? "") ? [] : [levelIn(row[i] ?? "") ?? "\n"])),
  );
  const all = words.flat();
  const distinct = new Set(all);
  const few = distinct.size >= 2 && distinct.size <= 5 && all.length >= 6 && all.length >= 3 * distinct.size;
  const wordlike = [...distinct].every((word) => word.length <= 20 && !/[\d\n]/.test(word));
  const spread = [...distinct].filter((word) => words.filter((own) => own.includes(word)).length >= 2).length;
  return columns.length >= 2 && few && wordlike && spread >= 2 && words.every((own) => own.length >= 2)
    ? [...columns]
    : [];
}

/** One column of levels among others: it needs more to be taken for ratings. */
function ratesAlone(heading: string, rows: Grid["rows"], i: number): boolean {
  const words = rows.flatMap((row) => levelIn(row[i] ?? "") ?? []);
  const told =
    /\b(?:rating|level|ring|status|score|grade|verdict|maturity|support(?:ed)?|readiness|recommendation|assessment|risk|quality|tier)\b/i.test(
      heading,
    );
  return rows.length >= 2 && (told || new Set(words).size >= 2) && words.filter(isLevel).length >= 0.8 * rows.length;
}

/** Whether a column names things: words, mostly different ones. */
function names(cells: readonly string[]): boolean {
  const told = cells.filter((cell) => /\p{L}/u.test(cell));
  return told.length >= 0.6 * cells.length && new Set(told).size >= 0.6 * told.length;
}

/** `Feature / Platform` names both axes. */
function axesOf(heading: string): [string, string] {
  const [first = "", second = ""] = heading.split(/[/\\|×]|\bvs\.?\b/).map((part) => shortName(part).toLowerCase());
  const row = first || "subject";
  const column = second || (/\b(?:area|aspect|criteri\w+|dimension|feature)\b/.test(row) ? "platform" : "area");
  return [row, column === row ? `${row} 2` : column];
}
