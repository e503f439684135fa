import type { Grid } from "./grids.ts";
import type { Piece } from "./pieces.ts";
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
function leveled(axes: readonly string[], cells: Candidate["cells"]): Ratings {
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

/** Ratings that stand as lists below the names of levels: `## Adopt`, and what is adopted. */
export function ringsOf(pieces: readonly Piece[]): Ratings | undefined {
  const cells = pieces.flatMap((piece) => {
    const word = levelIn(piece.path.at(-1) ?? "");
    const name = piece.kind === "item" && word !== undefined && isLevel(word) ? nameOf(piece) : "";
    return word === undefined || name === "" ? [] : [{ names: [name], word }];
  });
  const words = new Set(cells.map(({ word }) => word.toLowerCase()));
  return words.size >= 2 && words.size <= 7 ? leveled(["subject"], cells) : undefined;
}

/** What an item is about: its first link, or what stands before its explanation. */
function nameOf({ text, links }: Piece): string {
  const [line = ""] = text.split("\n");
  const first = links[0]?.text ?? "";
  if (first !== "" && line.startsWith(first)) return shortName(first);
  const [lead = ""] = line.split(/\s+[–—-]\s+|:\s|\.\s/);
  return lead.length <= 60 ? shortName(lead) : "";
}

/** What the levels mean, for each name of one axis. */
export interface Rubric {
  readonly axis: number;
  readonly meanings: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** More names than any rubric explains. */
const mostNames = 40;

/** What the levels mean, by the name of what is rated. */
export function rubricOf(grids: readonly Grid[], ratings: Ratings): Rubric | undefined {
  const byName = new Map(
    ratings.rated.flatMap(({ names: own }) => own.map((name, axis) => [name.toLowerCase(), { name, axis }])),
  );
  for (const { header, rows } of grids.filter((grid) => isRubric(grid.header, grid.rows))) {
    const columns = header.map((heading) => levelIn(heading) ?? "");
    const found = rows.flatMap((row) => {
      const named = nameIn(row, byName);
      return named ? [named] : [];
    });
    if (found.length === 0 || found.length < 0.5 * rows.length) continue;
    const axis = found[0]?.axis ?? 0;
    const meanings = found
      .filter((one) => one.axis === axis)
      .map(({ name, cells }): [string, Map<string, string>] => [name, meaningsOf(columns, cells)]);
    return { axis, meanings: new Map(meanings.slice(0, mostNames)) };
  }
  return undefined;
}

function meaningsOf(columns: readonly string[], cells: readonly string[]): Map<string, string> {
  return new Map(
    columns.slice(1).flatMap((level, i): [string, string][] => {
      const meaning = plain(cells[i] ?? "", 300);
      return meaning === "" ? [] : [[level, meaning]];
    }),
  );
}

/** A row's own name; or the name with which its first meaning begins, where lines are all that is left of the table. */
function nameIn(
  row: readonly string[],
  byName: ReadonlyMap<string, { name: string; axis: number }>,
): { name: string; axis: number; cells: string[] } | undefined {
  const [first = "", ...cells] = row;
  const known = byName.get(shortName(first).toLowerCase());
  if (known || first !== "") return known && { ...known, cells };
  const [meaning = "", ...rest] = cells;
  const lower = meaning.toLowerCase();
  const [longest] = [...byName.keys()]
    .filter((name) => lower.startsWith(`${name} `))
    .sort((a, b) => b.length - a.length);
  const named = longest === undefined ? undefined : byName.get(longest);
  return named && { ...named, cells: [meaning.slice((longest ?? "").length + 1), ...rest] };
}

/** What a column of a table of rechecks holds. */
export type Role = "confidence" | "volatility" | "wording";

const roles: readonly [Role, RegExp][] = [
  [
    "wording",
    /\b(?:re-?checks?|triggers?|revisit\w*|re-?evaluat\w*|re-?assess\w*|review when|update when|watch for|invalidated by|what would change)\b/i,
  ],
  ["confidence", /\b(?:confidence|certainty|evidence (?:strength|quality|level))\b/i],
  ["volatility", /\b(?:volatility|half-life|shelf life|decay|rate of change|churn)\b/i],
];

export function roleOf(heading: string): Role | undefined {
  return roles.find(([, pattern]) => pattern.test(heading))?.[0];
}

/** Whether a table tells when to look again. */
export function isRecheckHeader(header: readonly string[]): boolean {
  const found = header.slice(1).map(roleOf);
  return found.includes("wording") || (found.includes("confidence") && found.includes("volatility"));
}

/** `Topic Confidence Volatility Recheck trigger` as its columns: the first and the last may be of several words. */
export function topicColumns(line: string): string[] | undefined {
  const words = line.split(" ");
  const first = words.findIndex((word, i) => i > 0 && roleOf(word) !== undefined);
  if (first < 1) return undefined;
  const middle: string[] = [];
  let at = first;
  while (at < words.length && ["confidence", "volatility"].includes(roleOf(words[at] ?? "") ?? ""))
    middle.push(words[at++] ?? "");
  const last = words.slice(at).join(" ");
  if (middle.length === 0 || roleOf(last) !== "wording") return undefined;
  return [words.slice(0, first).join(" "), ...middle, last];
}

/** Whether a table tells what levels mean: each of its columns is one, and its cells are something else. */
function isRubric(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const levels = header.slice(1).flatMap((heading) => levelIn(heading) ?? []);
  const columns = levels.length >= 2 && levels.length === header.length - 1 && levels.every(isLevel);
  const cells = rows.flatMap((row) => row.slice(1));
  return columns && cells.filter((cell) => isLevel(levelIn(cell) ?? "")).length < 0.5 * cells.length;
}
