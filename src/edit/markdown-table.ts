import { shownText } from "./label.ts";
import type { Cell, Table } from "./table.ts";

interface Line {
  readonly text: string;
  readonly from: number;
}

/** Tables of Markdown (https://github.github.com/gfm/#tables-extension-); fenced code is to be blanked before. Linear. */
export function markdownTables(text: string): Table[] {
  const lines = linesOf(text);
  const tables: Table[] = [];
  for (let at = 1; at < lines.length; at++) {
    const [header, delimiter] = [lines[at - 1], lines[at]];
    if (!header || !delimiter || !isDelimiter(delimiter.text)) continue;
    const first = cellsOf(header);
    if (!header.text.includes("|") || first.length !== cellsOf(delimiter).length) continue;
    const rows = [first];
    for (at++; at < lines.length; at++) {
      const line = lines[at];
      if (!line || line.text.trim() === "" || !line.text.includes("|")) break;
      rows.push(cellsOf(line));
    }
    tables.push({ rows, headers: 1 });
  }
  return tables;
}

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split("\n").map((line) => {
    const start = from;
    from += line.length + 1;
    return { text: line.replace(/\r$/, ""), from: start };
  });
}

function isDelimiter(line: string): boolean {
  return line.includes("-") && cellsIn(line).every(([from, to]) => /^:?-+:?$/.test(line.slice(from, to)));
}

function cellsOf({ text, from }: Line): Cell[] {
  return cellsIn(text).map(([start, end]) => ({
    shown: shownText(text.slice(start, end)),
    from: from + start,
    to: from + end,
    tag: from + start,
  }));
}

/** Offsets of a row's cells without the space around them; a bar behind a backslash parts none. */
function cellsIn(line: string): [number, number][] {
  const bars: number[] = [];
  for (let i = 0; i < line.length; i++) {
    if (line[i] === "\\") i++;
    else if (line[i] === "|") bars.push(i);
  }
  const opens = line.slice(0, bars[0] ?? 0).trim() === "" && bars.length > 0;
  const closes = bars.length > (opens ? 1 : 0) && line.slice((bars.at(-1) ?? 0) + 1).trim() === "";
  const edges = [...(opens ? [] : [-1]), ...bars, ...(closes ? [] : [line.length])];
  return edges.slice(1).map((end, i) => trimmed(line, (edges[i] ?? -1) + 1, end));
}

function trimmed(line: string, from: number, to: number): [number, number] {
  const part = line.slice(from, to);
  const start = from + part.length - part.trimStart().length;
  return [start, Math.max(start, from + part.trimEnd().length)];
}
