import type { Stretch } from "../../language/fold.ts";
import { anyOf, says } from "../../language/lexicon.ts";
import type { Proof } from "../../model/claim.ts";
import type { Facts } from "../../model/reading.ts";
import { escapePattern } from "../../model/words.ts";

/** Facts that change with every visit, or that no report states. */
const unsaid = new Set(["name", "description", "home", "author", "title", "labels", "pages", "revision"]);
const isDoubtful = says("statements.doubt");

/** The facts of a source that a sentence about it states correctly. `beside`: the name of a cell's column. */
export function proveFacts(sentence: string, beside: string, facts: Facts): Proof[] {
  if (isDoubtful(sentence) || sentence.trimEnd().endsWith("?")) return [];
  return Object.entries(facts).flatMap(([fact, is]): Proof[] => {
    if (unsaid.has(fact) || is === "" || is.length > 60) return [];
    const isStated =
      fact === "license"
        ? namesLicence(`${beside}: ${sentence}`, is)
        : is === "yes" || is === "no"
          ? statesFact(sentence, fact, is)
          : namesValue(`${beside}: ${sentence}`, fact, is);
    return isStated ? [{ fact, is }] : [];
  });
}

const licenceNames = [
  /MIT(?: No Attribution|-0)?|ISC|Unlicense|Zlib/,
  /(?:GNU )?[A-Z]{1,2}PL[- ]?v?\d(?:\.\d)?(?:-or-later|-only|\+)?/,
  /Apache(?:[- ](?:License|Licence))?,?[- ]?(?:v|version )?\d(?:\.\d)?|BSD[- ]\d[- ]?Clause/,
  /\d-Clause BSD/,
  /CC[- ]BY(?:[- ](?:SA|NC|ND)){0,2}[- ]\d\.\d|CC0(?:[- ]1\.0)?|BSL[- ]?1\.\d|BUSL[- ]1\.1/,
  /SSPL(?:[- ]1\.0)?|Elastic License 2\.0/,
].map(({ source }) => source);
const licences = new RegExp(`\\b(?:${licenceNames.join("|")})(?![\\p{L}\\p{N}])`, "gu");

/** `LFM Open License v1.0`, `Llama 3.3 Community License` */
const namedLicences = [
  /\bLicen[cs]e,? (?:[vV](?:ersion |\. ?)?)?\d[\d.]*/g,
  /(?<![\d.])\d[\d.]* (?:\p{Lu}\p{L}+ ){0,2}Licen[cs]e\b/gu,
];

/** The places of names of licences in a text. Some have non-breaking hyphens. */
export function licencesIn(text: string): Stretch[] {
  const plain = text.replace(/[\u2010\u2011]/g, "-");
  return [licences, ...namedLicences].flatMap((pattern) =>
    [...plain.matchAll(pattern)].map(({ 0: written, index }) => ({ from: index, to: index + written.length })),
  );
}

const isRelicensed = says("statements.relicensed");

function namesLicence(text: string, is: string): boolean {
  const keys = [...text.matchAll(licences)].map(([written]) => licenceKey(written));
  const isNegated = isRelicensed(text);
  return /licen[cs]/i.test(text) && !isNegated && new Set(keys).size === 1 && keys[0] === licenceKey(is);
}

function licenceKey(written: string): string {
  const bare = written
    .toLowerCase()
    .replace(/licen[cs]e|version|gnu|[-_ ,]|-or-later|-only/g, "")
    .replace(/(?<=[a-z])v(?=\d)/, "")
    .replace(/^(\d)clausebsd$/, "bsd$1clause");
  return /\d$/.test(bare) && !bare.includes(".") && /^(?:a|l)?gpl|^apache|^mpl|^epl/.test(bare) ? `${bare}.0` : bare;
}

/** Words that say that a thing is not archived, and words that deny them. */
const isMaintained = says("statements.maintained");
const isUnmaintained = says("statements.unmaintained");

/** Whether a sentence states the fact as it is: `is archived`, `not merged`. */
function statesFact(sentence: string, fact: string, is: string): boolean {
  if (fact === "archived" && is === "no" && isMaintained(sentence)) return !isUnmaintained(sentence);
  const word = fact.replace(/-/g, "[ -]");
  const said = new RegExp(`\\b${anyOf("statements.fact-holds")} ${word}\\b`, "i");
  const denied = new RegExp(`\\b${anyOf("statements.fact-denied")} ${word}\\b`, "i");
  return is === "yes" ? said.test(sentence) && !denied.test(sentence) : denied.test(sentence);
}

const deniesValue = says("statements.denies-value");

/** Whether a text has the value in words, with the name of the fact if the value is a common word: `is still open`. */
function namesValue(text: string, fact: string, is: string): boolean {
  const value = escapePattern(is);
  if (deniesValue(text)) return false;
  if (fact === "state") {
    const thing = anyOf("statements.tracked");
    return (
      new RegExp(
        `\\b${anyOf("statements.remains")} (?:still )?${value}\\b|\\b(?:still )?${value} ${thing}\\b`,
        "i",
      ).test(text) && new RegExp(`\\b${thing}\\b`, "i").test(text)
    );
  }
  const isDistinctive = is.length >= 10 || new RegExp(`\\b${fact.replace(/-/g, "[ -]")}\\b`, "i").test(text);
  return isDistinctive && new RegExp(`(?<![\\p{L}\\p{N}])${value}(?![\\p{L}\\p{N}])`, "u").test(text);
}
