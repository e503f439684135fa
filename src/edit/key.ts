import type { Node, YAMLMap } from "yaml";
import { rangeOf } from "./node.ts";
import { lineEnd, type Splice } from "./splice.ts";

/** One more key of a map: in a flow at its end, in a block below the line of a value, or above a value of many lines. */
export function addKey(text: string, map: YAMLMap, below: Node, pair: string): Splice {
  if (map.flow) {
    const last = map.items.at(-1);
    const [, end] = rangeOf(last?.value ?? last?.key);
    return { from: end, to: end, text: `, ${pair}` };
  }
  const [start] = rangeOf(map.items.find(({ value }) => value === below)?.key);
  const [, end] = rangeOf(below);
  const indent = " ".repeat(columnOf(text, start));
  const eol = lineEnd(text, start);
  if (text.slice(start, end).includes("\n")) return { from: start, to: start, text: `${pair}${eol}${indent}` };
  const at = endOfLine(text, end);
  return { from: at, to: at, text: `${eol}${indent}${pair}` };
}

/** Another spelling of a value. A text of many lines (`|`) takes its line end with it. */
export function replaced(text: string, node: Node, spelling: string): Splice {
  const [from, to] = rangeOf(node);
  return { from, to, text: spelling + (text.slice(from, to).endsWith("\n") ? lineEnd(text, to - 1) : "") };
}

export function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

export function startOfLine(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line of an offset ends, before its CR LF or LF. */
export function endOfLine(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  if (feed < 0) return text.length;
  return feed > offset && text[feed - 1] === "\r" ? feed - 1 : feed;
}
