import { anyOf, type Idea, phrasesOf } from "../../language/lexicon.ts";
import { stemsOf } from "../../language/words.ts";
import type { FigurePhrase } from "./phrases.ts";
import { runsOf, type Token } from "./tokens.ts";

/**
 * Whether texts name another thing: `Alpha Max` is neither `Beta Max` nor `Alpha Max Ultra`, unless the whole page is
 * about that. `beside`: all words near the name.
 */
export function isCalledOtherwise(
  name: readonly Token[],
  beside: readonly Token[],
  texts: readonly (readonly Token[])[],
  title: ReadonlySet<string>,
): boolean {
  const besideStems = new Set(stemsOf(beside));
  const nameRuns = texts.flatMap((tokens) => runsOf(tokens.filter((token) => token.name)));
  const stems = new Set(stemsOf(nameRuns.flat()));
  const first = name.findIndex(({ term }) => stems.has(term.stem));
  const commonStem = name[first]?.term.stem;
  if (commonStem === undefined) return false;
  const places = nameRuns.flatMap((run) => {
    const at = run.findIndex(({ term }) => term.stem === commonStem);
    return at < 0 ? [] : [{ before: run[at - 1], after: run.slice(at + 1) }];
  });
  const isOther = (token: Token | undefined) => token !== undefined && !besideStems.has(token.term.stem);
  // `AMD GPUs` are still AMD's.
  const goesOn = (token: Token) => isOther(token) && !title.has(token.term.stem) && !/^\p{Lu}{2,}s?$/u.test(token.raw);
  return places.every(({ before, after }) => (first > 0 && isOther(before)) || after.some(goesOn));
}

function wholeKey(idea: Idea): RegExp {
  return new RegExp(`^${anyOf(idea)}$`);
}

const needing = wholeKey("statements.needs");
/** Words for a figure that a thing requires, lacks or has gained, but does not have. */
const turning: readonly RegExp[] = [
  needing,
  wholeKey("statements.loses"),
  wholeKey("statements.gains"),
  wholeKey("statements.shares"),
];
/** With these words a thing has what the report says it needs, unless other words say that it must have it. */
const giving = wholeKey("statements.gives");
const obliging = wholeKey("statements.obliges");
/** After a figure, these make it a difference: `$40 per month less than …`. */
const comparative = wholeKey("statements.comparative");
const prepositions = phrasesOf("statements.preposition");

/**
 * Whether the page gives the figure another meaning: it is required, saved or gained, it is a difference, or it holds
 * for something else.
 */
export function isSaidOtherwise(
  { sentence, words, measure, quantity }: Pick<FigurePhrase, "sentence" | "words" | "measure" | "quantity">,
  phrase: FigurePhrase | undefined,
): boolean {
  if (!phrase) return false;
  const sentenceStems = new Set(stemsOf(sentence));
  const has = (tokens: readonly Token[], kind: RegExp) => tokens.some(({ term }) => kind.test(term.key));
  const isVersion = quantity.dimension.startsWith("version of");
  const kinds = isVersion ? turning.slice(1) : turning;
  if (kinds.some((kind) => has(phrase.words, kind) && !has(sentence, kind))) return true;
  const isAsked = has(phrase.sentence, needing) || has(phrase.sentence, obliging);
  if (has(sentence, needing) && has(phrase.words, giving) && !isAsked) return true;
  const behind = phrase.sentence.filter(({ start }) => start >= phrase.end).slice(0, 4);
  if (behind.some(({ term }) => comparative.test(term.key) && !sentenceStems.has(term.stem))) return true;
  // `Alpha Max's rival` is not the Alpha Max.
  const isOfIts = phrase.sentence.some(({ raw, term, name, end }, i) => {
    const next = phrase.sentence[i + 1];
    const isOwner = name && sentenceStems.has(term.stem) && /['’]s$/.test(raw);
    return (
      isOwner &&
      next !== undefined &&
      next.start - end <= 1 &&
      next.term.weight >= 1 &&
      !sentenceStems.has(next.term.stem)
    );
  });
  if (isOfIts) return true;
  const [own, other] = [placesIn(words, measure), placesIn(phrase.words, phrase.measure)];
  const there = new Set(stemsOf(phrase.sentence));
  return [...other].some(([preposition, name]) => {
    const said = own.get(preposition);
    return said !== undefined && !said.some((stem) => there.has(stem)) && !name.some((stem) => sentenceStems.has(stem));
  });
}

/** The name after each preposition: `on LockBench`. */
function placesIn(words: readonly Token[], measure: readonly Token[]): Map<string, string[]> {
  const measured = new Set(measure);
  return new Map(
    runsOf(words.filter((word) => word.name && word.term.quantity === undefined && !measured.has(word))).flatMap(
      (run) => {
        const before = words[words.indexOf(run[0] as Token) - 1];
        const key = before?.term.key ?? "";
        return prepositions.has(key) ? [[key, stemsOf(run)] as const] : [];
      },
    ),
  );
}
