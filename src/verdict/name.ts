import { nearest } from "../config/nearest.ts";
import type { Config } from "../model.ts";
import { code } from "../recheck/inert.ts";

/** What a word stands for, or a sentence on why it stands for nothing. */
export type Found = { readonly found: string } | { readonly says: string };

/** The rating that a word names: by its id, or by the last part of it where only one that is asked about ends so. */
export function ratingOf(word: string, asked: readonly string[], config: Config): Found {
  const wanted = word.toLowerCase();
  if (asked.includes(wanted)) return { found: wanted };
  const ending = asked.filter((id) => lastPart(id) === wanted);
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return { found: only };
  if (ending.length > 1) return { says: `${code(word, 60)} may be ${list(ending, "or")}: give the whole id.` };
  return { says: `${unknownRating(word, wanted, asked, config)} ${asksAbout(asked)}` };
}

function unknownRating(word: string, wanted: string, asked: readonly string[], config: Config): string {
  if (config.ratings.has(wanted)) return `This recheck does not ask about ${code(wanted)}.`;
  const meant = nearest(wanted, [...asked, ...asked.map(lastPart)]);
  return `No rating is called ${code(word, 60)}${meant === undefined ? "." : `; did you mean ${code(meant)}?`}`;
}

function asksAbout(asked: readonly string[]): string {
  return asked.length === 0 ? "No rating rests on what was seen here." : `It asks about ${list(asked, "and")}.`;
}

/** The level that words name: one of the report's, whatever their case; any text where the report has none. */
export function levelOf(text: string, config: Config): Found {
  const bare = unwrapped(text);
  if (config.levels.length === 0) return bare === "" ? { says: "The new value is missing." } : { found: bare };
  const wanted = bare.toLowerCase();
  const level = config.levels.find((one) => one.toLowerCase() === wanted);
  if (level !== undefined) return { found: level };
  const meant = nearest(bare, config.levels);
  const hint = meant === undefined ? "." : `; did you mean ${code(meant)}?`;
  const what = bare === "" ? "The new level is missing." : `No level is called ${code(bare, 60)}${hint}`;
  return { says: `${what} The levels are ${list(config.levels, "and")}.` };
}

/** Without the code span or quotation marks that people put around a word. */
export function unwrapped(text: string): string {
  const bare = text.trim();
  const [, inner] =
    /^(?:`([^`]*)`|"([^"]*)"|“([^”]*)”|\*\*([^*]*)\*\*)$/.exec(bare)?.filter((x) => x !== undefined) ?? [];
  return (inner ?? bare).trim();
}

/** Ids and levels in code spans: `a`, `b` and `c`. */
export function list(words: readonly string[], join: "and" | "or"): string {
  const shown = words.slice(0, 20).map((word) => code(word, 80));
  if (words.length > shown.length) return `${shown.join(", ")}, …`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${join} ${shown.at(-1)}`;
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
