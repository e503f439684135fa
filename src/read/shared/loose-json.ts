import stripJsonComments from "strip-json-comments";
import { Failure } from "../../model/failure.ts";
import { bounded, jsonOf } from "./body.ts";

/** Lines of JSON Lines, at most. */
const lineLimit = 100_000;

/** A line with which a site protects its JSON from foreign scripts. */
const guard = /^\)\]\}',?[ \t]*\r?\n?/;

/**
 * JSON with deviations: comments, trailing commas, a guard against foreign scripts, or JSON Lines, which become a list.
 * Integers too large for a number become texts. `isLines`: it is sent as lines, even if there is only one. Spec:
 * https://jsonlines.org/
 *
 * @throws Failure as `jsonOf` does
 */
export function looseJsonOf(written: string, isLines: boolean): unknown {
  const text = written.replace(guard, "");
  if (isLines) return linesOf(text);
  try {
    return jsonOf(text, parseLoose);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "malformed") throw error;
    if (severalLines.test(text.slice(0, 10_000_000))) return linesOf(text);
    return jsonOf(stripJsonComments(text, { trailingCommas: true }), parseLoose);
  }
}

/** Two lines that are each a complete value. */
const severalLines = /^\s*(?:\{[^\n]*\}|\[[^\n]*\])[ \t]*\r?\n\s*[[{][^\n]*[\]}][ \t]*(?:\r?\n|$)/;

function linesOf(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return bounded(lines, lineLimit).map((line) => jsonOf(line, parseLoose));
}

function parseLoose(text: string): unknown {
  return /\d{16}/.test(text) ? JSON.parse(text, withDigits) : JSON.parse(text);
}

function withDigits(_: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  const isLost = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLost ? source : value;
}
