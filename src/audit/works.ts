import { groupByEach } from "../model/cache.ts";
import { sideBySide } from "../model/concurrency.ts";
import { isReplaced } from "../model/finding.ts";
import type { Fetch } from "../model/ports/index.ts";
import type { Instant } from "../model/time.ts";
import { groupDigits, pluralize } from "../model/words.ts";
import { decode } from "../read/shared/body.ts";
import { doiPage } from "../read/shared/doi.ts";
import { arxivPage } from "../report/cite/addresses.ts";
import type { ReportFile } from "../report/index.ts";
import type { CitedWork } from "../works/cited-work.ts";
import { hasIdentifier, type Identifiers, identifiersOf } from "../works/identifiers.ts";
import { withoutAddresses, yearsOf } from "../works/match.ts";
import { isProse } from "../works/prose.ts";
import { type Ask, createRegistries } from "../works/registries.ts";
import { withAnswerMemory } from "../works/remembered.ts";
import { citedWorksOf } from "../works/split.ts";
import { isNaming, nameOf, saysRetracted, type Verdict, verifierOf } from "../works/verify.ts";
import type { Cited } from "./cited.ts";
import { entryEdits } from "./entry-edits.ts";
import type { Finding } from "./findings.ts";
import { type CheckingTime, endAfter } from "./parallel-checks.ts";
import { failureIn, type Web } from "./visit.ts";

export interface WorkInReport extends CitedWork {
  readonly file: string;
  readonly isEntry: boolean;
}

export interface CheckedWork {
  readonly work: WorkInReport;
  readonly verdict: Verdict;
}

/** The most requests that one run makes of registries. */
const maxRequests = 5_000;

export interface WorksCheck {
  readonly checked: readonly CheckedWork[];
  /** Something else seems to answer in place of the registries. */
  readonly isDoubtful?: true;
  /** When the oldest answer of an earlier run was read; undefined if none was used. */
  readonly oldest?: Instant;
  /** The time or the number of requests was used up. */
  readonly isOver: boolean;
  /** The answers are kept for the next run. */
  readonly isRemembered: boolean;
}

/** `Title address — Lawrence Hargrave (1893)`: a title of several words, a name that may be a company's, and a year. */
function isTitledLink({ title = "", text }: CitedWork): boolean {
  const behind = /\s[—–-]\s(?:\p{Lu}[\p{L}.'’-]{0,30}\s){1,3}\p{Lu}[\p{L}'’-]{1,30},?\s\(?(?:1[5-9]|20)\d\d/u;
  return title.split(/\s+/).length >= 4 && behind.test(text);
}

/** The longest entry with an unknown title that is searched for. */
const maxUnsplitCharacters = 300;

/**
 * The works of a report that registries can be asked about: entries of reference managers, entries below a heading of
 * references or in a known style, and identifiers anywhere. Works with an identifier come first. Pure.
 */
export function worksIn(files: readonly ReportFile[]): WorkInReport[] {
  const all = files.flatMap(({ path, text }) => {
    return citedWorksOf(path, text).flatMap((work) => {
      const entry = { ...work, file: path, isEntry: true };
      if (work.isStructured || /\.tex$/i.test(path) || (work.isListed && hasIdentifier(work))) return [entry];
      const isSplit = work.title !== undefined && isNaming(work, work.title) && yearsOf(work).length > 0;
      const isReference =
        isSplit && work.venue !== undefined && !isProse(withoutAddresses(work.text).replace(work.title ?? "", ""));
      if (hasIdentifier(work) && (work.authors !== undefined || isTitledLink(work))) return [entry];
      const isShort = work.links.length === 0 && work.text.length <= maxUnsplitCharacters;
      if (isReference || (work.isListed && (isSplit || isShort))) return [entry];
      return hasIdentifier(work) ? [identifierAlone(work, path)] : [];
    });
  });
  return all.toSorted((a, b) => Number(hasIdentifier(b)) - Number(hasIdentifier(a)));
}

/** The works of a changed report that its earlier text does not cite in the same words. Pure. */
export function changedWorks(before: readonly WorkInReport[], after: readonly WorkInReport[]): WorkInReport[] {
  const key = ({ file: _, line: __, end: ___, ...work }: WorkInReport) => JSON.stringify(work);
  const earlier = new Set(before.map(key));
  return after.filter((work) => !earlier.has(key(work)));
}

/** A sentence that links to a work need not have its title or authors: they are not compared. */
function identifierAlone(work: CitedWork, file: string): WorkInReport {
  const { line, end, links, doi, arxiv, pmid } = work;
  const text = saysRetracted(work) ? "retracted" : "";
  return { file, line, end, links, doi, arxiv, pmid, text, isStructured: false, isEntry: false };
}

/** The most works that are judged at once. Each host still gets one request at a time. */
const maxAtOnce = 8;

/**
 * Checks all works within the time. A work without the answers that its verdict needs is `unknown` and `isUnanswered`.
 * With a memory, the next run continues with the rest. Never throws.
 */
export async function checkWorks(
  works: readonly WorkInReport[],
  { fetch, answers }: Pick<Web, "fetch" | "answers">,
  now: Instant,
  { minutes, stop, onChecked, stopped }: CheckingTime,
): Promise<WorksCheck> {
  const verdicts = new Map<WorkInReport, Verdict>();
  let oldest: Instant | undefined;
  let requests = 0;
  let isOver = false;
  const ask = asking(fetch);
  const registries = createRegistries(async (url) => {
    isOver ||= ++requests > maxRequests;
    return isOver ? { status: 0, body: "" } : await ask(url);
  });
  const noteUse = (read: Instant) => {
    oldest = Math.min(oldest ?? read, read);
  };
  const timer = endAfter(minutes, () => {
    isOver = true;
    void stop();
  });
  try {
    const judge = await verifierOf(
      works,
      answers ? withAnswerMemory(registries, answers, now, noteUse) : registries,
      now,
    );
    await sideBySide(works, maxAtOnce, stopped, async (work) => {
      verdicts.set(work, await judge(work));
      onChecked(verdicts.size);
    });
  } finally {
    clearTimeout(timer);
  }
  const checked = works.flatMap((work): CheckedWork[] => {
    const verdict = verdicts.get(work);
    return verdict ? [{ work, verdict }] : [];
  });
  const isDoubtful = isLost(checked) && !(await registries.knowsItsHandbook());
  return {
    checked: isDoubtful ? checked.map(({ work }) => ({ work, verdict: noRegistry })) : checked,
    ...(isDoubtful && { isDoubtful }),
    oldest,
    isOver,
    isRemembered: answers !== undefined,
  };
}

/** If this many works were not found and no other was, the registries themselves are in doubt. */
const leastToDoubt = 5;

/** Whether many works were not found, and no registry had any work of the report. */
function isLost(checked: readonly CheckedWork[]): boolean {
  const missing = checked.filter(({ verdict }) => verdict.finding === "not-found").length;
  const unknown = checked.filter(({ verdict }) => verdict.finding === "unknown").length;
  return missing >= leastToDoubt && missing + unknown === checked.length;
}

const noRegistry: Verdict = { finding: "unknown", evidence: "no registry can be asked", isUnanswered: true };

function asking(fetch: Fetch): Ask {
  return async (url) => {
    const { host } = new URL(url);
    // Spec: https://info.arxiv.org/help/api/tou.html
    const pause = host === "export.arxiv.org" ? { pause: 3_000 } : {};
    // The DOI system answers an unknown identifier with status 404 and a body that says so.
    const answers = host === "doi.org" ? { answers: [404] } : {};
    try {
      const fetched = await fetch.get({ url, accept: "application/json, application/atom+xml", ...pause }, answers);
      if (fetched.kind !== "response") return { status: 0, body: "" };
      return { status: fetched.response.status, body: decode(fetched.response) };
    } catch (error) {
      const { kind, facts } = failureIn(error);
      return { status: kind === "not-found" ? Number(facts.status) : 0, body: "" };
    }
  };
}

const verdictWords = {
  "other-work": "has the identifier of another work",
  differs: "differs from its record in the registry",
  "not-found": "was not found",
  retracted: "was retracted",
  published: "has been published since",
} as const;

function todoOf({ finding, proposed, correction }: Verdict, { doi }: CitedWork): string {
  switch (finding) {
    case "other-work":
      return proposed === undefined ? "find the right identifier" : `did you mean ${proposed}?`;
    case "differs":
      return `correct it: ${[correction?.text, proposed === doi ? undefined : proposed].filter(Boolean).join("; ") || "the entry"}`;
    case "not-found":
      return "it may exist all the same: check, and cite its identifier";
    case "published":
      return `cite ${proposed}`;
    default:
      return "say so, or cite another work";
  }
}

/**
 * Adds the findings about works to those about addresses, in the order of `cited`; works without an address are last. A
 * citation keeps one finding for each matter. `files`: those whose entries are corrected. Pure.
 */
export function withWorks(
  findings: readonly Finding[],
  checked: readonly CheckedWork[],
  cited: readonly Cited[],
  files: readonly ReportFile[] = [],
): Finding[] {
  const editsOf = entryEdits(files);
  const worksOf = workFinder(checked.map(({ work }) => work));
  const all = checked.flatMap(({ work, verdict }) => {
    const { finding: kind, evidence } = verdict;
    if (kind === "ok" || kind === "unknown") return [];
    const common = { cited: citedAs(work, cited, worksOf), also: [], about: workName(work) };
    const edits = editsOf({ work, verdict });
    const words = { says: verdictWords[kind], evidence, todo: todoOf(verdict, work) };
    return [{ work, finding: { kind, ...common, ...words, ...(edits.length > 0 && { edits }) } }];
  });
  // The record of a retraction names its notice: that finding is kept, and the one about the work is left out.
  const works = all.filter(
    ({ work, finding: { kind } }) =>
      kind !== "retracted" ||
      !findings.some(({ fact, cited }) => takenBack.includes(fact) && worksOf(cited).includes(work)),
  );
  const remaining = findings.filter(
    (one) =>
      !works.some(({ work, finding }) => {
        if (!isReplaced(one, finding)) return false;
        // If the authors of an entry differ, a link in it may also be gone.
        if (finding.kind === "differs") return !keysOf(identifiersOf(one.cited.address)).isDisjointFrom(keysOf(work));
        return worksOf(one.cited).includes(work);
      }),
  );
  const places = new Map(cited.map(({ address }, place) => [address, place]));
  const place = (one: Finding) => places.get(one.cited.address) ?? cited.length;
  return [...remaining, ...works.map(({ finding }) => finding)].toSorted((a, b) => place(a) - place(b));
}

/** The facts by which its own record says that a work does not count any more. */
const takenBack: readonly (string | undefined)[] = ["retracted", "withdrawn"];

/** The name of a work in messages: its identifier, or else its title. */
export function workName(work: CitedWork): string {
  return hasIdentifier(work) ? nameOf(work) : (work.title ?? work.text.slice(0, 100));
}

/**
 * Finds the works to whose citations an address belongs: they have its identifier, or it is in their entry. Linear in
 * the works and addresses.
 */
export function workFinder(works: readonly WorkInReport[]): (cited: Cited) => readonly WorkInReport[] {
  const entries = works.filter(({ isEntry }) => isEntry);
  const byLine = groupByEach(entries, ({ file, line, end }) => {
    return Array.from({ length: end - line + 1 }, (_, i) => `${line + i} ${file}`);
  });
  const byIdentifier = groupByEach(works, keysOf);
  return ({ address, file, line }) => {
    const keys = keysOf(identifiersOf(address));
    const all = keys.size > 0 ? [...keys].flatMap((key) => byIdentifier.get(key) ?? []) : byLine.get(`${line} ${file}`);
    return [...new Set(all)];
  };
}

function keysOf({ doi, arxiv, pmid }: Identifiers): ReadonlySet<string> {
  const all = Object.entries({ doi, arxiv, pmid });
  return new Set(all.flatMap(([kind, id]) => (id === undefined ? [] : `${kind} ${id}`)));
}

/** The pages of a work by its identifiers. */
export function identifiedPages({ doi, arxiv, pmid }: Identifiers): string[] {
  return [
    ...(doi === undefined ? [] : [doiPage(doi)]),
    ...(arxiv === undefined ? [] : [`${arxivPage}${arxiv}`]),
    ...(pmid === undefined ? [] : [`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`]),
  ];
}

/** A work as a citation: the citation of its address, if the report has one there, by the title of the work. */
function citedAs(work: WorkInReport, cited: readonly Cited[], worksOf: (one: Cited) => readonly WorkInReport[]): Cited {
  const { file, line, title, text, links } = work;
  const same = cited.find(
    (one) =>
      one.file === file &&
      one.line !== undefined &&
      one.line >= line &&
      one.line <= work.end &&
      worksOf(one).includes(work),
  );
  if (same) return title === undefined ? same : { ...same, title };
  return {
    address: [...identifiedPages(work), ...links][0] ?? "",
    title: title ?? (text === "" ? nameOf(work) : text),
    file,
    line,
    numbers: [],
    sentences: [],
    words: "",
  };
}

/** Which works were not checked, a sentence each. `isTimeOver`: the time ran out before registries were asked. */
export function worksLeft({ checked, isDoubtful, isOver, isRemembered }: WorksCheck, isTimeOver: boolean): string[] {
  const unanswered = checked.filter(({ verdict }) => verdict.isUnanswered).length;
  if (unanswered === 0) return [];
  if (isDoubtful)
    return [
      `${pluralize(unanswered, "work")} were not checked: the registries know none of them, and doi.org not even the DOI of its own handbook. Something else may answer in their place: a proxy, or a copy for tests.`,
    ];
  if (!isOver && !isTimeOver)
    return [
      `${pluralize(unanswered, "work")} ${unanswered === 1 ? "was" : "were"} not checked: a registry did not answer. Try again later.`,
    ];
  const reached = `Registries were asked about ${groupDigits(checked.length - unanswered)} of ${pluralize(checked.length, "work")}`;
  return [
    isRemembered
      ? `${reached}; the next run asks about the rest.`
      : `${reached}, then the time was over. --minutes 10 gives more.`,
  ];
}
