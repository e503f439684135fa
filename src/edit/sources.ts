import { isDeepStrictEqual } from "node:util";
import { day } from "../describe.ts";
import type { Instant } from "../model.ts";
import { levelIn, type Root, ratingNode, readTree } from "./node.ts";
import { splicesOf } from "./rating.ts";
import { spliced } from "./splice.ts";

/** What a review leaves in `sources.yaml`. */
export interface RatingEdit {
  readonly rating: string;
  /** The new level; undefined where it stays. */
  readonly level?: string;
  /** A later date that stands there already stays. */
  readonly reviewed: Instant;
}

/** `left`: what could not be edited in place, each with why. */
export interface SourcesEdited {
  readonly text: string;
  readonly left: readonly { readonly rating: string; readonly says: string }[];
}

/**
 * Writes reviews into the text of `sources.yaml`. Comments, order, quoting and line ends stay byte for byte, except
 * where a level or a date stands. Each edit is read back: one that would change anything else is left. Pure.
 */
export function editSources(text: string, edits: readonly RatingEdit[]): SourcesEdited {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  let edited = text.slice(mark.length);
  let open = edits;
  // What hung on another entry may stand alone once that one was edited.
  for (;;) {
    const left: { edit: RatingEdit; says: string }[] = [];
    for (const edit of open) {
      const result = editRating(edited, edit);
      if ("says" in result) left.push({ edit, says: result.says });
      else edited = result.text;
    }
    if (left.length === 0 || left.length === open.length) {
      return { text: mark + edited, left: left.map(({ edit, says }) => ({ rating: edit.rating, says })) };
    }
    open = left.map(({ edit }) => edit);
  }
}

function editRating(text: string, { rating, level, reviewed }: RatingEdit): { text: string } | { says: string } {
  const before = readTree(text);
  const at = before && ratingNode(before, rating);
  if (!before || !at) return { says: "it is not among the ratings of this file" };
  const review = { rating, level, date: day(reviewed) };
  const splices = splicesOf(text, before, at, review);
  if (!splices) return { says: "it is written in a way that cannot be edited in place" };
  const edited = spliced(text, splices);
  const after = edited === text ? before : readTree(edited);
  return after && holds(before, after, review)
    ? { text: edited }
    : { says: "other entries, or a tag, hang on how it is written" };
}

/** Whether an edit did what it should, and nothing else. */
function holds(
  before: Root,
  after: Root,
  review: { rating: string; level: string | undefined; date: string },
): boolean {
  const { rating, date } = review;
  const [old, now] = [plain(before), plain(after)];
  if (after.warnings.length > before.warnings.length) return false;
  if (!old || !now || levelIn(after, rating) !== (review.level ?? levelIn(before, rating))) return false;
  const [was, is] = [old.ratings[rating], now.ratings[rating]];
  const keys = isKeyed(was) ? was : {};
  const later = typeof keys.reviewed === "string" && keys.reviewed > date ? keys.reviewed : date;
  if (!isKeyed(is) || !isDeepStrictEqual(is, { ...keys, level: is.level, reviewed: later })) return false;
  return isDeepStrictEqual({ ...now, ratings: { ...now.ratings, [rating]: was } }, old);
}

interface Plain extends Record<string, unknown> {
  readonly ratings: Record<string, unknown>;
}

/** Aliases beyond these many are no config. */
const mostAliases = 10_000;

function plain(root: Root): Plain | undefined {
  try {
    const value: unknown = root.toJS({ maxAliasCount: mostAliases });
    return isKeyed(value) && isKeyed(value.ratings) ? { ...value, ratings: value.ratings } : undefined;
  } catch {
    return undefined;
  }
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
