import { andOthers, anyOf, editors, retraction, says } from "../language/lexicon.ts";
import { day, type Instant } from "../model/time.ts";
import { lengthOfNames } from "../report/cite/styles.ts";
import type { CitedWork, RegisteredWork } from "./cited-work.ts";
import { compare, isElsewhere, type Match, similarity, withoutAddresses, yearsOf } from "./match.ts";
import { type Registries, titleOf, type WorksByName } from "./registries.ts";
import { isFit, isSearchable, isUncoveredType, longWords, partsOf, rankWorks, searchServices } from "./search.ts";
import { lettersAndDigits, scriptOf, wordsOf } from "./tokens.ts";
import { isShortFor } from "./venues.ts";

/** The outcome for a cited work. `unknown`: registries did not answer, or their answers do not decide. */
export type Finding = "ok" | "unknown" | "not-found" | "other-work" | "differs" | "retracted" | "published";

export interface Verdict {
  readonly finding: Finding;
  /** What the registries have, and how it differs: part of a sentence. */
  readonly evidence: string;
  /** The right identifier: a DOI, or `arXiv:…`. For a work that is cited correctly without one: its identifier. */
  readonly proposed?: string;
  /** The registry's own spelling of the part that differs: `Petrel, Dark and Siskin, Eastern`. */
  readonly correction?: { readonly part: "authors" | "year" | "venue"; readonly text: string };
  /** A registry did not answer, so that the work was not checked. */
  readonly isUnanswered?: boolean;
}

/** What citations are judged by: the registries, and the works of identifiers that were requested in batches before. */
interface Lookup {
  readonly registries: Registries;
  readonly now: Instant;
  readonly openalex: WorksByName;
  readonly arxiv: WorksByName;
  readonly pubmed: WorksByName;
}

const batch = 50;

/**
 * Requests the identifiers of all these citations in batches, and returns a function that judges one of them: whether
 * it names a work that exists, and names it correctly. A citation is wrong only if a registry that would have the work
 * says so; if a service fails, it is `unknown`. `now`: preprints of this month may not be registered yet.
 */
export async function verifierOf(
  works: readonly CitedWork[],
  registries: Registries,
  now: Instant,
): Promise<(cited: CitedWork) => Promise<Verdict>> {
  const inBatches = async (
    nameIn: (work: CitedWork) => string | undefined,
    ask: (some: readonly string[]) => Promise<WorksByName>,
  ) => {
    const names = [...new Set(works.flatMap((work) => nameIn(work) ?? []))];
    const answers: [string, RegisteredWork | "none"][] = [];
    for (let i = 0; i < names.length; i += batch) answers.push(...(await ask(names.slice(i, i + batch))));
    return new Map(answers);
  };
  const lookup: Lookup = {
    registries,
    now,
    openalex: await inBatches(({ doi }) => doi, registries.openalexByDois),
    arxiv: await inBatches(({ arxiv, doi }) => (doi === undefined ? arxiv : undefined), registries.byArxiv),
    pubmed: await inBatches(({ pmid, doi }) => (doi === undefined ? pmid : undefined), registries.byPubmed),
  };
  return async (cited) => await verdictOf(cited, lookup);
}

const unknown = (evidence: string): Verdict => ({ finding: "unknown", evidence });
const unanswered = (evidence: string): Verdict => ({ ...unknown(evidence), isUnanswered: true });

async function verdictOf(cited: CitedWork, lookup: Lookup): Promise<Verdict> {
  const resolved = await resolve(cited, lookup);
  if (resolved === "unsure") return unanswered("a registry did not answer");
  if (resolved !== "unregistered" && resolved !== undefined) return await judgeResolved(cited, resolved, lookup);
  const isDead = resolved === "unregistered";
  if (isSearchable(cited)) return await judgeSearched(cited, isDead, lookup);
  if (isDead) return { finding: "not-found", evidence: `${nameOf(cited)} is not registered` };
  return unknown("it names no title to search for");
}

export function nameOf({ doi, arxiv, pmid }: CitedWork): string {
  return doi ?? (arxiv === undefined ? `PubMed ${pmid}` : `arXiv:${arxiv}`);
}

/** The work that the citation's identifier leads to; undefined if it has none. */
async function resolve({ doi, arxiv, pmid }: CitedWork, lookup: Lookup) {
  const { byDoi } = lookup.registries;
  if (doi !== undefined) return await byDoi(doi);
  if (arxiv !== undefined) {
    const preprint = lookup.arxiv.get(arxiv) ?? "unsure";
    if (preprint !== "none") return preprint;
    // The newest preprints are announced before all copies of the registry have them. Any list may lack some.
    return isNewer(arxiv, lookup.now) ? "unsure" : await byDoi(`10.48550/arxiv.${arxiv}`);
  }
  const article = pmid === undefined ? undefined : (lookup.pubmed.get(pmid) ?? "unsure");
  return article === "none" ? "unregistered" : article;
}

function isNewer(arxiv: string, now: Instant): boolean {
  const [, year, month] = /^(\d\d)(\d\d)\./.exec(arxiv) ?? [];
  if (year === undefined) return false;
  return `20${year}-${month}` >= day(now).slice(0, 7);
}

async function judgeResolved(cited: CitedWork, work: RegisteredWork, lookup: Lookup): Promise<Verdict> {
  const match = compare(work, cited);
  const title = titleOf(work);
  if (isOtherWork(match, work, cited)) {
    // The service may be wrong: this is not the record that was requested.
    if (cited.doi !== undefined && work.doi !== cited.doi)
      return unanswered(`a registry has ${work.doi} for ${cited.doi}`);
    const found = await searchServices(cited, lookup.registries);
    const right = found.works.find((one) => one.doi !== work.doi && isFit(compare(one, cited)));
    return { finding: "other-work", evidence: `${nameOf(cited)} leads to “${title}”`, ...identifierOf(right) };
  }
  const witness = work.doi === undefined ? undefined : lookup.openalex.get(work.doi);
  if ((work.isRetracted || (witness !== "none" && witness?.isRetracted)) && !saysRetracted(cited)) {
    return { finding: "retracted", evidence: `“${title}”` };
  }
  const difference = differenceIn(match, work, cited);
  if (difference) return { finding: "differs", ...difference, ...identifierOf(work) };
  return (await publishedVersion(cited, work, lookup)) ?? { finding: "ok", evidence: title };
}

/** Whether the identifier is another work's: the title differs, and so do the authors or the place in the journal. */
function isOtherWork(match: Match, work: RegisteredWork, cited: CitedWork): boolean {
  if (match.title === "same") return false;
  const isSamePlace = match.isLocated && match.year !== "other";
  if (match.title === "absent")
    return match.firstAuthor === "other" && match.authors === 0 && !isSamePlace && match.venue === "other";
  if (match.title === "near") return match.firstAuthor === "other" && match.authors < 0.3 && !isSamePlace;
  const [head, whole] = [lettersAndDigits(cited.title ?? ""), lettersAndDigits(titleOf(work))];
  if (match.firstAuthor !== "other" && (work.isOther || (head !== "" && whole.startsWith(head)))) return false;
  // A title in another language or script may be a translation, and a sentence need not have one.
  if (match.firstAuthor === "same" && (isSamePlace || (cited.title === undefined && match.authors > 0.5))) return false;
  return scriptOf(work.title) === scriptOf(cited.title ?? cited.text);
}

export function saysRetracted({ text, title = "" }: CitedWork): boolean {
  return retraction.test(`${title} ${text}`);
}

/** The most names in a correction. */
const maxNames = 20;

/** How a citation differs from the work that it means, and the registry's spelling; undefined if it does not. */
function differenceIn(
  match: Match,
  work: RegisteredWork,
  cited: CitedWork,
): Pick<Verdict, "evidence" | "correction"> | undefined {
  // A book has editions and editors, a program has versions and many authors.
  if (work.isOther) return undefined;
  const { authors, years, venues } = work;
  const hasText = match.title !== "absent" || cited.isStructured || (cited.authors?.length ?? 0) > 0;
  if (match.stranger !== undefined || (match.firstAuthor === "other" && hasText && isNaming(cited, titleOf(work)))) {
    const people = authors.slice(0, 3).map(({ family, given }) => [given, family].filter(Boolean).join(" "));
    // In BibTeX, braces keep the name of a group together.
    const whole = (name: string) => (/\sand\s/.test(name) ? `{${name}}` : name);
    const written = authors
      .slice(0, maxNames)
      .map(({ family, given }) => (given ? `${family}, ${given}` : whole(family)));
    const named = `${people.join(", ")}${authors.length > 3 ? " and others" : ""}`;
    return {
      evidence:
        match.stranger === undefined
          ? `its author${authors.length > 1 ? "s are" : " is"} ${named}`
          : `${match.stranger} is none of its authors: ${named}`,
      correction: {
        part: "authors",
        text: [...written, ...(authors.length > maxNames ? ["others"] : [])].join(" and "),
      },
    };
  }
  if (match.isReworded && match.firstAuthor === "same" && match.year === "same" && !work.isPreprint)
    return { evidence: `its title is “${titleOf(work)}”` };
  if (match.year === "other")
    return {
      evidence: `it appeared in ${years.join(" or ")}, not in ${yearsOf(cited).join(" or ")}`,
      correction: { part: "year", text: `${years[0]}` },
    };
  const [venue] = venues;
  if (match.venue === "other" && venue !== undefined && isOtherVenue(work, cited))
    return { evidence: `it appeared in ${venue}, not in ${cited.venue}`, correction: { part: "venue", text: venue } };
  return undefined;
}

/** Whether the citation names authors at all: a link with a title does not. */
export function isNaming({ authors, text, isStructured }: CitedWork, title: string): boolean {
  if (authors !== undefined && authors.length > 0) return true;
  // A line in place of names repeats those of the entry before.
  if (isStructured || /^(?:\[\d+\]\s)?[\p{Pd}_]{2}/u.test(text)) return false;
  const at = text.toLowerCase().indexOf(title.toLowerCase());
  const behind = text.slice(at < 0 ? 0 : at + title.length).replace(within, "");
  const head = (text.slice(0, Math.max(at, 0)) + behind).slice(0, 600);
  return lengthOfNames(head) > 0 || andOthers.test(head) || names.some((pattern) => pattern.test(head));
}

/**
 * Names: `Hargrave, L.`, `Hargrave (L.)`, `Hargrave and Wright`, `— Lawrence Hargrave`; `Lawrence Hargrave. `, `… / ` or
 * `… 1893. ` at the start.
 */
const names: readonly RegExp[] = [
  /^(?:\p{Lu}[\p{L}.'’-]{0,40}\s){1,3}\p{Lu}[\p{L}'’-]{1,40}(?:\s\/\s|\.\s(?:(?:1[5-9]|20)\d\d\.\s|[“"«„.]))/u,
  /\p{Lu}[\p{L}'’-]{1,40},?\s{1,3}\(?(?:\p{Lu}\.?[\s,&)-]){1,4}/u,
  new RegExp(`\\p{Lu}\\p{L}{1,40} (?:&|${anyOf("citations.and")}) \\p{Lu}`, "u"),
  /^\p{L}[\p{L}'’-]{0,40}(?:\s\p{L}[\p{L}'’-]{1,40})?,\s/u,
  /—\s\p{L}/u,
];

/** Behind *in* are the venue and its editors. */
const within = new RegExp(`(?<=^|[\\s,.])${anyOf("citations.in")}:?\\s.*`, "isu");
/** Pages or a volume. */
const locator = /\d\s?[-–]{1,2}\s?\d|\d\s?\(\d{1,4}\)|\bvol\b/i;
const isForthcoming = says("citations.forthcoming");
const servers = /\b(?:arxiv|\w*rxiv|ssrn|preprint|zenodo|hal|research square|openreview|corr|working paper|osf)\b/i;

/** Whether the citation means another journal, and neither of the two is a preprint server or publisher. */
function isOtherVenue(work: RegisteredWork, { venue = "" }: CitedWork): boolean {
  if (servers.test(venue) || work.isPreprint) return false;
  const { publisher = "", venues } = work;
  if (["", ...venues].some((name) => lettersAndDigits(name + publisher) === lettersAndDigits(venue))) return false;
  return wordsOf(venue).length > 0 && !/\d{3,}|https?:/.test(venue);
}

/** The published version of a cited preprint, unless the citation names that already. */
async function publishedVersion(
  cited: CitedWork,
  work: RegisteredWork,
  { registries }: Lookup,
): Promise<Verdict | undefined> {
  if (!work.isPreprint) return undefined;
  const knownDoi = work.publishedAs;
  const found =
    knownDoi === undefined
      ? await registries.searchCrossref(`${titleOf(work)} ${work.authors[0]?.family ?? ""}`)
      : await registries.byDoi(knownDoi);
  const works = typeof found === "string" ? [] : [found].flat();
  const version = works.find((one) => knownDoi !== undefined || isVersionOf(one, work));
  const later = knownDoi ?? version?.doi;
  if (later === undefined) return undefined;
  // In physics an entry gives the journal and the number of the preprint.
  const match = version && compare(version, cited);
  const isNamed = match?.isLocated || (match?.venue === "same" && !servers.test(cited.venue ?? ""));
  if (isNamed) return undefined;
  const venue = knownDoi === undefined ? version?.venues[0] : undefined;
  return { finding: "published", evidence: `${venue ? `in ${venue}: ` : ""}${later}`, proposed: later };
}

function isVersionOf(one: RegisteredWork, work: RegisteredWork): boolean {
  if (one.isPreprint || one.isOther || one.doi === undefined || one.doi === work.doi) return false;
  if (similarity(titleOf(one), titleOf(work)) < 0.9) return false;
  const families = new Set(work.authors.map(({ family }) => lettersAndDigits(family)));
  const [first] = one.authors;
  const [year = 0] = one.years;
  return (
    first !== undefined &&
    families.has(lettersAndDigits(first.family)) &&
    work.years.every((before) => year >= before - 1 && year <= before + 8)
  );
}

function identifierOf(work: RegisteredWork | undefined): { proposed?: string } {
  if (work?.doi !== undefined) return { proposed: work.doi };
  return work?.arxiv === undefined ? {} : { proposed: `arXiv:${work.arxiv}` };
}

async function judgeSearched(cited: CitedWork, isDead: boolean, lookup: Lookup): Promise<Verdict> {
  const { works, isComplete, all } = await searchServices(cited, lookup.registries);
  const [work] = works;
  if (work !== undefined) return await judgeFound(cited, work, works, isDead, lookup);
  if (!isComplete) return unanswered("a registry did not answer");
  if (isDead)
    return { finding: "not-found", evidence: `${nameOf(cited)} is not registered, and a search found no such title` };
  return await judgeMissing(cited, all, lookup);
}

async function judgeFound(
  cited: CitedWork,
  work: RegisteredWork,
  works: readonly RegisteredWork[],
  isDead: boolean,
  lookup: Lookup,
): Promise<Verdict> {
  const match = compare(work, cited);
  const title = titleOf(work);
  const isUncovered = isUncoveredType(cited.type ?? "") || work.isOther === true;
  const retracted = works.find((one) => one.isRetracted && isFit(compare(one, cited)));
  if (retracted && !saysRetracted(cited)) return { finding: "retracted", evidence: retracted.doi ?? `“${title}”` };
  const difference = differenceIn(match, work, cited);
  if (difference) {
    const { evidence } = difference;
    // Several works may share a title of few words, and a book shares it with its reviews.
    const isPlaced =
      match.isLocated && match.venue === "same" && (match.year === "same" || match.firstAuthor === "same");
    const isDistinctive = isPlaced || (wordsOf(title).length >= 5 && lettersAndDigits(title).length >= 24);
    const isAnchored = match.year === "same" || match.venue === "same" || match.isLocated;
    // An author uses a title again, for a book or a report.
    const isLikeArticle =
      difference.correction?.part !== "venue" ||
      cited.isStructured ||
      match.isLocated ||
      locator.test(withoutAddresses(cited.text));
    // Two works may share a title, as a reprint does. Then the pages may be those of the other one.
    const isThis = isDead || (isAnchored && isLikeArticle && (match.isLocated || !isElsewhere(work, cited)));
    const isClear = isDistinctive || (isDead && match.firstAuthor === "other");
    if (isUncovered || !isThis || !isClear) return unknown(`a work of this title exists; ${evidence}`);
    return { finding: "differs", ...difference, ...identifierOf(work) };
  }
  if (isDead)
    return {
      finding: "differs",
      evidence: `${nameOf(cited)} is not registered; the work is “${title}”`,
      ...identifierOf(work),
    };
  const isCertain = match.title === "same" && match.firstAuthor === "same" && match.year === "same";
  return (
    (await publishedVersion(cited, work, lookup)) ?? {
      finding: "ok",
      evidence: title,
      ...(isCertain && !isUncovered && identifierOf(work)),
    }
  );
}

/**
 * Judges a work that no registry has: *not found* only if it would be registered, as an article of a known journal.
 * `others`: works of the search. Titles in other scripts than Latin are rarely registered, unless they show that the
 * registry has earlier ones of the same journal.
 */
async function judgeMissing(cited: CitedWork, others: readonly RegisteredWork[], lookup: Lookup): Promise<Verdict> {
  const { registries, now } = lookup;
  const missing = unknown("no such title was found; it need not be registered");
  const { title = "", venue, type = "" } = cited;
  if (
    isUncoveredType(type) ||
    (!cited.isStructured && editors.test(cited.text)) ||
    cited.title === undefined ||
    venue === undefined ||
    wordsOf(title).length < 4 ||
    isForthcoming(cited.text)
  )
    return missing;
  const years = yearsOf(cited);
  const thisYear = Number(day(now).slice(0, 4));
  if (years.some((year) => year > thisYear || year < 1950)) return missing;
  const isPreprint = /\barxiv\b/i.test(venue) || cited.arxiv !== undefined;
  const isThisYears = years.includes(thisYear);
  // The registries may have the journal without the words after the comma.
  const [head = ""] = venue.split(", ");
  const name = wordsOf(head).length >= 3 ? head : venue;
  const isNamed = (titles: readonly string[]) =>
    titles.some((one) => [venue, name].some((cited) => isShortFor(cited, one)));
  const script = scriptOf(title);
  const ofVenue = others.filter(({ venues }) => isNamed(venues));
  const isBefore = (work: RegisteredWork) => work.years.some((one) => years.every((year) => one <= year));
  if (script !== "Latin" && !ofVenue.some((work) => scriptOf(work.title) === script && isBefore(work))) return missing;
  if (!isPreprint && ofVenue.length === 0) {
    const journals = await registries.journals(longWords(name));
    const isJournal = journals !== "unsure" && isNamed(journals);
    const sources = isJournal ? [] : await registries.sources(name);
    if (!isJournal && !(sources !== "unsure" && isNamed(sources)))
      return journals === "unsure" || sources === "unsure" ? unanswered("a registry did not answer") : missing;
  }
  for (const part of partsOf(title)) {
    const again = await registries.searchOpenalex(part, 50);
    const preprints = isPreprint && !isThisYears ? await registries.searchArxiv(part) : [];
    if (again === "unsure" || preprints === "unsure") return unanswered("a registry did not answer");
    const [work] = rankWorks(again, cited);
    // A search by part of the title may find another work, which proves no mistake.
    if (work !== undefined)
      return compare(work, cited).firstAuthor === "other"
        ? missing
        : await judgeFound(cited, work, again, false, lookup);
    if (rankWorks(preprints, cited).length > 0) return missing;
  }
  if (isPreprint && isThisYears) return missing;
  const evidence = isPreprint
    ? `neither arXiv nor Crossref nor OpenAlex has “${title}”`
    : `neither Crossref nor OpenAlex has “${title}”, though a registry lists ${venue}`;
  return { finding: "not-found", evidence };
}
