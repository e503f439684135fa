import stripJsonComments from "strip-json-comments";
import { Failure } from "../../model/failure.ts";
import { bounded, jsonOf } from "./body.ts";

/** Lines of JSON Lines, at most. */
const lineLimit = 100_000;

/** A line by which a site keeps foreign scripts from running its JSON. */
const guard = /^\)\]\}',?[ \t]*\r?\n?/;

/**
 * JSON as people and services write it: with comments and commas behind the last entry, behind a guard against foreign
 * scripts, or as JSON Lines, which are a list. Integers that a number cannot hold are texts of their digits. `isLines`:
 * it is sent as lines, even if there is only one. Spec: https://jsonlines.org/
 *
 * @throws Failure as `jsonOf` does
 */
export function looseJsonOf(written: string, isLines: boolean): unknown {
  const text = written.replace(guard, "");
  if (isLines) return linesOf(text);
  try {
    return jsonOf(text, parsed);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "malformed") throw error;
    if (severalLines.test(text.slice(0, 10_000_000))) return linesOf(text);
    return jsonOf(stripJsonComments(text, { trailingCommas: true }), parsed);
  }
}

/** Two lines that are each a complete value. */
const severalLines = /^\s*(?:\{[^\n]*\}|\[[^\n]*\])[ \t]*\r?\n\s*[[{][^\n]*[\]}][ \t]*(?:\r?\n|$)/;

function linesOf(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return bounded(lines, lineLimit).map((line) => jsonOf(line, parsed));
}

function parsed(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, withDigits) : JSON.parse(text);
}

function withDigits(_: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  const isLost = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLost ? source : value;
}
