import { phrasesOf } from "./lexicon.ts";

/** Words by which sites announce other pages, and advertisements, on each page. These parts change without the page. */

/** Whole titles, in lower case. */
const titles = phrasesOf("teasers.title");
/** Beginnings of titles before a name or subject. */
const beginnings = [...phrasesOf("teasers.beginning")];
/** Characters after such a beginning, at most. */
const mostMore = 30;

const kinds = new Set("related similar recommended suggested popular trending recent latest more".split(" "));
const others = new Set(
  (
    "article articles post posts topic topics story stories content page pages news resource resources reading discussions " +
    "discussion video videos question questions from like in on about"
  ).split(" "),
);
/** Characters of an English title after the words for its kind, at most. */
const mostOfKind = 40;
/** Characters of a title with its signs, at most: a longer text is not folded. */
const longest = 2 * Math.max(mostOfKind, ...[...titles, ...beginnings].map(({ length }) => length + mostMore));

const adverts = phrasesOf("boilerplate.advert");

function folded(text: string): string {
  // The Turkish capital I with a dot becomes two characters in lower case.
  return text.toLowerCase().replaceAll("i\u0307", "i").replaceAll("’", "'").trim();
}

function bare(title: string): string {
  return folded(title).replace(/[\s:：?!….»›→>-]{1,20}$/u, "");
}

/** Whether a title announces other pages of a site: "Most popular", "Lesen Sie auch", "More from the archive". */
export function announcesTeasers(title: string): boolean {
  if (title.length > longest) return false;
  const text = bare(title);
  if (titles.has(text)) return true;
  if (beginnings.some((one) => text.startsWith(one) && text.length <= one.length + mostMore)) return true;
  const [kind = "", other, ...more] = text.split(" ");
  if (!kinds.has(kind)) return false;
  return other === undefined || (others.has(other) && more.join(" ").length <= mostOfKind);
}

export function saysAdvert(text: string): boolean {
  return adverts.has(folded(text).replace(/^[\s–—\-:*[\]()]{1,20}|[\s–—\-:*[\]()]{1,20}$/gu, ""));
}

const newWords = phrasesOf("boilerplate.new");

/** Whether a badge only says that something is new, so that its removal is not news. */
export function saysNew(badge: string): boolean {
  return newWords.has(folded(badge).replace(/[!！]$/, ""));
}
