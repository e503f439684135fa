import { phrasesOf } from "./lexicon.ts";

/** Words by which sites announce other pages of theirs, and advertisements, on each page: they change by themselves. */

/** In lower case, as a whole. */
const titles = phrasesOf("teasers.title");
/** Titles that go on with a name or a subject. */
const beginnings = [...phrasesOf("teasers.beginning")];
/** Characters by which they go on, at most. */
const mostMore = 30;

const kinds = new Set("related similar recommended suggested popular trending recent latest more".split(" "));
const others = new Set(
  (
    "article articles post posts topic topics story stories content page pages news resource resources reading discussions " +
    "discussion video videos question questions from like in on about"
  ).split(" "),
);
/** Characters of an English title behind the words that say its kind, at most. */
const mostOfKind = 40;

const adverts = phrasesOf("boilerplate.advert");

function folded(text: string): string {
  // A Turkish capital I with a dot keeps its dot as a sign of its own.
  return text.toLowerCase().replaceAll("i\u0307", "i").replaceAll("’", "'").trim();
}

function bare(title: string): string {
  return folded(title).replace(/[\s:：?!….»›→>-]{1,20}$/u, "");
}

/** Whether a title announces other pages of a site: "Most popular", "Lesen Sie auch", "More from the archive". */
export function announcesTeasers(title: string): boolean {
  const text = bare(title);
  if (titles.has(text)) return true;
  if (beginnings.some((one) => text.startsWith(one) && text.length <= one.length + mostMore)) return true;
  const [kind = "", other, ...more] = text.split(" ");
  if (!kinds.has(kind)) return false;
  return other === undefined || (others.has(other) && more.join(" ").length <= mostOfKind);
}

/** Whether a text only marks the place of an advertisement. */
export function saysAdvert(text: string): boolean {
  return adverts.has(folded(text).replace(/^[\s–—\-:*[\]()]{1,20}|[\s–—\-:*[\]()]{1,20}$/gu, ""));
}

const newWords = phrasesOf("boilerplate.new");

/** Whether a badge says no more than that something is new: one day it goes, and nothing is said by that. */
export function saysNew(badge: string): boolean {
  return newWords.has(folded(badge).replace(/[!！]$/, ""));
}
