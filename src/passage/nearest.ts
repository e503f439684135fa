import { likelyWindows } from "./candidates.ts";
import { nth } from "./column.ts";
import { sentenceAt, spanAt } from "./span.ts";
import { type Words, words } from "./words.ts";

/** What holds less of the wanted words than this, by weight, is near by chance. */
const least = 0.4;
const mostWords = 400;

/**
 * The sentences, or the row, that hold most of these words, in whatever order: for a person to see what a page says
 * instead of a passage that is not there. Undefined where nothing comes near. Linear.
 */
export function nearestPassage(page: Words, text: string): string | undefined {
  const wanted = words(text)
    .slice(0, mostWords)
    .map(({ term }) => ({ term, weight: term.weight }));
  const whole = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const length = wanted.length + 4;
  const [best] = wanted.length === 0 ? [] : likelyWindows(page, wanted, length, 1);
  if (!best || best.weight < whole * least) return undefined;
  const weights = new Map(wanted.map(({ term, weight }) => [term.stem, weight]));
  // A window ends with the last word that it needs: what it ends in goes on behind it.
  const held = heaviest(page, best.at, Math.min(page.ids.length, best.at + 2 * length), weights);
  const [first = best.at, last = first] = [held[0], held.at(-1)];
  return around(page, first, last);
}

/** The wanted words of the block that holds most of them: those that say something, where there are such. */
function heaviest(page: Words, from: number, to: number, weights: ReadonlyMap<string, number>): number[] {
  const weightOf = (at: number) => weights.get(nth(page.terms, nth(page.ids, at)).stem) ?? 0;
  const held = Array.from({ length: to - from }, (_, i) => from + i).filter((at) => weightOf(at) > 0);
  const sum = (places: readonly number[]) => places.reduce((all, at) => all + weightOf(at), 0);
  const blocks = [...Map.groupBy(held, (at) => nth(page.block, at)).values()];
  const best = blocks.reduce<number[]>((most, one) => (sum(one) > sum(most) ? one : most), []);
  const telling = best.filter((at) => weightOf(at) >= sum(best) / best.length / 2);
  return telling.length > 0 ? telling : best;
}

function around(page: Words, first: number, last: number): string {
  const { kind, text } = nth(page.blocks, nth(page.block, first));
  if (kind === "row") return text;
  const [from] = sentenceAt(page, first, first);
  const [, to] = sentenceAt(page, last, last);
  return spanAt(page, from, to).text;
}
