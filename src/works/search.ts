import { wikiNames } from "../language/lexicon.ts";
import type { CitedWork, RegisteredWork } from "./cited-work.ts";
import { compare, type Match, withoutAddresses } from "./match.ts";
import type { Registries } from "./registries.ts";
import { ideograph, word, wordsOf } from "./tokens.ts";

/** Types of works that registries of articles do not cover, or not fully, in BibTeX, CSL, RIS and EndNote. */
const uncoveredTypes = new Set(
  [
    "book inbook incollection booklet manual misc online electronic thesis phdthesis mastersthesis techreport report patent",
    "software dataset standard webpage web news unpublished document post post-weblog article-magazine article-newspaper",
    "legal_case legislation encyclopedia map video audio case bill statute hearing broadcast motion_picture speech interview",
    "chapter periodical magazine generic book-section edited-book electronic-book",
    "chap ebook echap edbook dict encyc rprt thes elec gen pat stand comp unpb mgzn data blog govdoc legal mpct slide",
    ...wikiNames("template-of-page"),
  ].flatMap((line) => line.split(" ")),
);

export function isUncoveredType(type: string): boolean {
  return uncoveredTypes.has(type.replace(" ", "-")) || type.startsWith("entry");
}

export function isSearchable(cited: CitedWork): boolean {
  const words = wordsOf(cited.title ?? cited.text.replace(/https?:\S+|10\.\d{4,9}\/\S+/g, " ")).filter(
    (word) => (word.length > 2 && !/^\d+$/.test(word)) || ideograph.test(word),
  );
  return words.length >= (cited.title === undefined ? 5 : 2);
}

/** Works that may be the cited one, best first, and whether all services that were asked have answered. */
interface SearchResult {
  readonly works: readonly RegisteredWork[];
  readonly isComplete: boolean;
  /** Everything that Crossref found, with other titles, too. */
  readonly all: readonly RegisteredWork[];
}

const mostWords = 8;

export async function searchServices(cited: CitedWork, registries: Registries): Promise<SearchResult> {
  const words =
    cited.title === undefined
      ? wordsOf(withoutAddresses(cited.text)).slice(0, 60).join(" ")
      : [cited.title, cited.authors?.[0] ?? "", cited.venue ?? "", cited.year ?? ""].join(" ");
  const crossref = await registries.searchCrossref(words);
  const all = crossref === "unsure" ? [] : crossref;
  const first = rankWorks(all, cited);
  const title = cited.title?.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim() ?? "";
  const isFound = title.length < 8 || first.some((work) => isFit(compare(work, cited)));
  // It asks for works with all words: the end of the title may be that of another part.
  const openalex = isFound ? [] : await registries.searchOpenalex(title.split(" ").slice(0, mostWords).join(" "));
  return {
    works: openalex === "unsure" ? first : rankWorks([...first, ...openalex], cited),
    isComplete: crossref !== "unsure" && openalex !== "unsure",
    all,
  };
}

/** Works with the cited title, best match first: before preprints, and these before others with the title. */
export function rankWorks(works: readonly RegisteredWork[], cited: CitedWork): RegisteredWork[] {
  return works
    .map((work) => ({ work, match: compare(work, cited) }))
    .filter(({ match }) => match.title === "same" || isInPlace(match, cited))
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
    .map(({ work }) => work);
}

/** A citation without a title, or with a similar one, is found by its first author, volume and page. */
function isInPlace(match: Match, { title, isStructured }: CitedWork): boolean {
  const isSimilar = match.title === "near" || (!isStructured && (title === undefined || match.title === "absent"));
  return isSimilar && match.isLocated && match.firstAuthor === "same" && match.authors >= 0.6;
}

function scoreOf({ work, match }: { readonly work: RegisteredWork; readonly match: Match }): number {
  const { firstAuthor, authors, year, venue, isLocated } = match;
  return (
    (isFit(match) ? (work.isPreprint ? 20 : 40) : 0) +
    (firstAuthor === "same" ? 4 : 0) +
    2 * authors +
    (year === "same" ? 2 : 0) +
    (venue === "same" ? 1 : 0) +
    (isLocated ? 1 : 0)
  );
}

export function isFit(match: Match): boolean {
  return (match.title === "same" || match.isLocated) && match.firstAuthor !== "other" && match.year !== "other";
}

/** The words of a name that are not abbreviated, or else all: what a search by words can find. */
export function longWords(name: string): string {
  const words = (name.match(/(?<!\p{L})\p{L}{5,}(?!\p{L}|\.)/gu) ?? []).join(" ");
  return words === "" ? name : words;
}

/** Parts of a title, at least one without two typing errors: thirds, or a short title without pairs of long words. */
export function partsOf(title: string): string[] {
  const words = (title.match(word) ?? []).filter((word) => word.length > 2 || ideograph.test(word));
  const third = Math.ceil(words.length / 3);
  const long = words.filter((word) => word.length >= 5);
  const pairs = long.flatMap((one, i) => long.slice(i + 1).map((other) => [one, other]));
  const parts =
    words.length > 6
      ? [0, third, 2 * third].map((from) => words.slice(from, from + third))
      : [...pairs, ...words.map((word) => [word])].map((left) => words.filter((word) => !left.includes(word)));
  const enough = parts.filter((part) => part.length >= 2);
  return enough.slice(0, words.length > 6 ? 3 : Math.max(pairs.length, words.length)).map((part) => part.join(" "));
}
