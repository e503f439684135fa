import words from "./words.json" with { type: "json" };

/**
 * The words of all languages, by idea. `npm run languages` writes words.json from the file of each language in data/.
 * The language of most texts is unknown, so an idea is looked for in all languages at once.
 */

type Words = typeof words;
/** An idea whose words are a list in each language. */
export type Idea = {
  [Name in keyof Words]: Words[Name][keyof Words[Name]] extends readonly string[] ? Name : never;
}[keyof Words];

/** An idea whose words are one list for each step of a scale, in each language. */
export type SteppedIdea = Exclude<keyof Words, Idea>;

/** Languages that do not separate words, or join endings to them: a phrase may begin and end within a run of letters. */
const unspaced: ReadonlySet<string> = new Set(["ja", "ko", "th", "zh"]);

function phrasesIn(ideas: readonly Idea[], fits: (tag: string) => boolean = () => true): string[] {
  return ideas.flatMap((idea) =>
    Object.entries<readonly string[]>(words[idea]).flatMap(([tag, phrases]) => (fits(tag) ? phrases : [])),
  );
}

/** The phrases of some ideas in all languages, each once. */
export function phrasesOf(...ideas: Idea[]): ReadonlySet<string> {
  return new Set(phrasesIn(ideas));
}

/** The phrases of a step of a scale in all languages that fit, each once. */
export function phrasesOfStep(idea: SteppedIdea, step: string, fits: (tag: string) => boolean = () => true): string[] {
  const tags = Object.entries<Readonly<Record<string, readonly string[]>>>(words[idea]);
  return [...new Set(tags.flatMap(([tag, steps]) => (fits(tag) ? (steps[step] ?? []) : [])))];
}

export function phrasesBySteps(idea: SteppedIdea): [step: string, phrases: readonly string[]][] {
  return Object.values<Readonly<Record<string, readonly string[]>>>(words[idea]).flatMap(Object.entries);
}

export function taggedPhrases(idea: Idea): [tag: string, phrases: readonly string[]][] {
  return Object.entries<readonly string[]>(words[idea]);
}

/** The phrases of some ideas in each language: one list for each idea, empty if the language lacks it. */
export function byLanguage(...ideas: Idea[]): (readonly string[])[][] {
  const lists = ideas.map((idea) => new Map(Object.entries<readonly string[]>(words[idea])));
  const tags = new Set(lists.flatMap((list) => [...list.keys()]));
  return [...tags].map((tag) => lists.map((list) => list.get(tag) ?? []));
}

/** A pattern's source for any phrase of these ideas. */
export function anyOf(...ideas: Idea[]): string {
  return `(?:${[...phrasesOf(...ideas)].join("|")})`;
}

/** The same for any phrase as whole words, if its language separates words. */
export function wordsOf(...ideas: Idea[]): string {
  const [spaced, joined] = [
    phrasesIn(ideas, (tag) => !unspaced.has(tag)),
    phrasesIn(ideas, (tag) => unspaced.has(tag)),
  ];
  const whole = spaced.length > 0 ? [`(?<![\\p{L}\\p{N}_])(?:${spaced.join("|")})(?![\\p{L}\\p{N}_])`] : [];
  return `(?:${[...whole, ...joined].join("|")})`;
}

type Test = (text: string) => boolean;

/** A case-insensitive test for a pattern, which is compiled at its first use. */
export function matches(source: string | (() => string)): Test {
  let expression: RegExp | undefined;
  return (text) => {
    expression ??= new RegExp(typeof source === "string" ? source : source(), "iu");
    return expression.test(text);
  };
}

/** A test for texts that are one phrase of these ideas, perhaps with signs around it. */
export function isWhole(...ideas: Idea[]): Test {
  return matches(() => `^\\P{L}*${anyOf(...ideas)}\\P{L}*$`);
}

export function begins(...ideas: Idea[]): Test {
  return matches(() => `^${anyOf(...ideas)}`);
}

/** A test for any phrase of these ideas within a text. */
export function says(...ideas: Idea[]): Test {
  return matches(() => wordsOf(...ideas));
}

/** Words of all languages in citations and bibliographies. */

/** More authors than are named: *et al.*, *u. a.* */
export const andOthers = new RegExp(wordsOf("citations.and-others"), "iu");

export const retraction = new RegExp(wordsOf("citations.retracted"), "iu");

export const visitNote = new RegExp(`${wordsOf("citations.visited")}[^)\\]]{0,40}`, "giu");

/** The word after the editors of a book: *(Eds.)*, *(Hrsg.)*. */
export const editors = new RegExp(`\\((?:${wordsOf("citations.editors")})\\.?\\)`, "iu");

/** MediaWiki's names of citation templates, of their fields, and of namespaces. */
export function wikiNames(...kinds: string[]): string[] {
  return kinds.flatMap((kind) => phrasesOfStep("citations.wiki", kind));
}
