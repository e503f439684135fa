import type { Contradiction, PageComparison } from "../claims/mine/contradictions.ts";
import { type Failure, type FailureKind, isNoResponse, refusesToBeRead, saysGone } from "../model/failure.ts";
import type { FindingKind } from "../model/finding.ts";
import type { Copy } from "../model/ports/index.ts";
import type { Item, Reading } from "../model/reading.ts";
import { pageKey } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import { oneLine } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import { pageOfFile } from "../read/shared/github.ts";
import { pageOfLines, rangeIn } from "../read/shared/line-links.ts";
import { type SourceState, silenceOf, sourceStatesOf } from "../read/source-states.ts";
import type { Cited } from "./cited.ts";
import type { CitedLines } from "./code-lines.ts";
import type { EntryEdit } from "./entry-edits.ts";
import { quotedIn } from "./fragments.ts";

/** Something that a careful reader would want to know about a citation. */
export interface Finding {
  readonly kind: FindingKind;
  readonly cited: Cited;
  /** Other citations of the same repository, paper or package that have the same finding. */
  readonly also: readonly Cited[];
  /** The repository, paper, package or host that the finding is about, unless it is about a single page. */
  readonly about?: string;
  /** A verb phrase about the citation: `was archived`. */
  readonly says: string;
  /** Facts that show it: an address, a status, a day. */
  readonly evidence: string;
  readonly todo: string;
  /** @internal The fact of the source that it reports, such as *withdrawn*. */
  readonly fact?: string;
  /** The sentence of the report that the page does not support. */
  readonly contradiction?: Contradiction;
  readonly copy?: Copy;
  readonly edits?: readonly EntryEdit[];
}

export interface CitedPage {
  readonly cited: Cited;
  readonly kind: string;
  /** The target of a permanent redirect. */
  readonly moved?: string;
  readonly reading?: Reading;
  readonly failure?: Failure;
  /** Cited fragments that the page does not have. */
  readonly unnamed?: readonly string[];
  readonly compared?: PageComparison;
  readonly lines?: readonly CitedLines[];
  /** Whether the check of its repository was left out. */
  readonly partly?: boolean;
  /** Whether the address names a single version. */
  readonly ofVersion?: boolean;
  /** The address of the same page for the current version, if that is another address. */
  readonly current?: string;
  /** The repository, package or paper as a whole, as its host's API describes it. */
  readonly whole?: CitedProject;
}

/** The repository, package or paper that a cited page belongs to. */
export interface CitedProject {
  readonly name: string;
  /** The kind that read it; by default the citation's own. */
  readonly kind?: string;
  readonly facts: Readonly<Record<string, string>>;
  /** When something last happened there. */
  readonly active?: Instant;
}

/** Everything worth reporting about one citation; empty if all is well. Pure. */
export function findingsOf(citedPage: CitedPage, at: Instant, readers: Readers): Finding[] {
  const candidates = [
    goneFinding(citedPage),
    movedFinding(citedPage),
    ...stateFindings(citedPage, readers, at),
    supersededFinding(citedPage),
    outdatedFinding(citedPage),
    silentFinding(citedPage, at),
    ...unsupportedFindings(citedPage),
    ...fragmentFindings(citedPage),
    ...(citedPage.lines ?? []).flatMap((range) => lineFinding(range) ?? []),
  ];
  return candidates.flatMap((one) => (one ? [{ ...one, cited: citedPage.cited, also: [] }] : []));
}

type Readers = ReadonlyMap<string, Reader>;
export type UncitedFinding = Omit<Finding, "cited" | "also">;

/** Kinds of findings about entries: two entries with the same identifier may be wrong in different ways. */
const ofEntries: readonly FindingKind[] = ["other-work", "not-found", "differs"];

/** Reports a finding about a whole repository or work once, however many citations have it. */
export function findingsOnce(findings: readonly Finding[]): Finding[] {
  const alike = Map.groupBy(findings, ({ about, kind, says, evidence, todo }, at) =>
    JSON.stringify([about ?? at, kind, says, ofEntries.includes(kind) && [evidence, todo]]),
  );
  return [...alike.values()].flatMap(([first, ...rest]) => {
    const edits = [first, ...rest].flatMap((one) => one?.edits ?? []);
    return first ? [{ ...first, also: rest.map(({ cited }) => cited), ...(edits.length > 0 && { edits }) }] : [];
  });
}

const citeElsewhere = "cite its new place, or an archived copy";

const goneWords: Partial<Record<FailureKind, string>> = {
  dns: "is at a host that does not exist",
  "home-page": "leads to a home page",
  "missing-page": "answers with a page that says it does not exist",
};

function goneFinding({ failure, cited, whole }: CitedPage): UncitedFinding | undefined {
  if (!failure || failure.kind === "deferred" || whole?.facts.public === "no") return undefined;
  const answer = failure.message;
  if (saysGone(failure))
    return {
      kind: "gone",
      says: goneWords[failure.kind] ?? "was not found",
      evidence: failure.kind === "home-page" ? new URL("/", cited.address).href : answer,
      todo: citeElsewhere,
    };
  const refused = failure.kind === "refused-address" && failure.facts.why === undefined;
  // A host that limits us, is down or refuses us affects all its citations: it is reported once.
  const ofHost = refused || failure.kind === "rate-limited" || failure.facts.unasked !== undefined;
  return {
    kind: "unseen",
    ...(ofHost && { about: new URL(cited.address).host }),
    says: unseenWords(failure.kind),
    evidence: answer,
    todo: refused
      ? "if it may be requested, add its range to RECHECK_ALLOW_ADDRESSES"
      : refusesToBeRead({ kind: failure.kind, says: answer })
        ? "check it yourself from time to time"
        : "check again tomorrow",
  };
}

function unseenWords(kind: FailureKind): string {
  if (["bot-wall", "login-wall", "consent-wall", "robots"].includes(kind)) return "cannot be read by a program";
  if (kind === "error-page") return "answers with an error page";
  return isNoResponse(kind) ? "gave no response" : "could not be read";
}

function movedFinding(citedPage: CitedPage): UncitedFinding | undefined {
  const { cited, failure, whole } = citedPage;
  const to = URL.parse(pageMoved(citedPage));
  if (failure || !to || (whole !== undefined && !isAsNamed(whole)) || samePage(new URL(cited.address), to))
    return undefined;
  return { kind: "moved", says: "has moved for good", evidence: to.href, todo: "cite the new address" };
}

/** The target of a redirect. For a raw file, the page of that file, with the cited lines if they are unchanged. */
function pageMoved({ moved = "", cited: { address, codeLines = [] }, lines = [] }: CitedPage): string {
  const page = pageOfFile(moved);
  if (page === moved || pageOfFile(address) !== address) return moved;
  const { search = "" } = URL.parse(address) ?? {};
  const [range, ...others] = codeLines.flatMap((name) => rangeIn(name) ?? []);
  const isSame = range !== undefined && others.length === 0 && lines.every(({ now }) => now.state === "same");
  return isSame ? pageOfLines(moved, range, search) : page + search;
}

/** Whether a redirect leads to another spelling of the same page: without query or `.html`, in lower case. */
function samePage(one: URL, other: URL): boolean {
  const key = ({ origin, pathname }: URL) =>
    pageKey(origin + pathname)
      .replace(/\.html?$/, "")
      .toLowerCase();
  return key(one) === key(other);
}

/** Findings from the facts of a source. The reader of its kind knows which facts matter. */
function stateFindings({ whole, cited, kind, reading }: CitedPage, readers: Readers, at: Instant): UncitedFinding[] {
  if (!whole) return [];
  const { name, facts } = whole;
  if (facts.public === "no")
    return [{ kind: "gone", about: name, says: "is not public, or not there", evidence: name, todo: citeElsewhere }];
  const reader = readers.get(whole.kind ?? kind);
  const current = reader?.statesNow?.({ ...reading, facts }, { words: cited.words, at }) ?? [];
  const states: readonly (Pick<SourceState, "kind" | "says" | "evidence"> & { readonly fact?: string })[] = [
    ...sourceStatesOf(reader, name, facts),
    ...current.map(({ ended, ...one }) => ({ ...one, kind: ended ? ("ended" as const) : ("outdated" as const) })),
  ];
  const findings = states.map(
    ({ kind, says, evidence, fact }): UncitedFinding => ({
      kind,
      about: name,
      says,
      evidence,
      fact,
      todo:
        kind === "ended" || kind === "retracted"
          ? "say so, or cite its replacement"
          : "check whether your statement about it still holds",
    }),
  );
  return [...findings, ...renamedFindings(whole, cited)];
}

/** Whether a repository still has the cited name: if not, everything in it has moved, and this is reported once. */
function isAsNamed({ kind, name, facts }: CitedProject): boolean {
  return kind !== undefined && `/${name}`.toLowerCase().endsWith(`/${facts.name ?? name}`.toLowerCase());
}

/** A repository that was renamed. For a package, another spelling at its registry does not count. */
function renamedFindings({ name, facts }: CitedProject, { address }: Cited): UncitedFinding[] {
  const now = facts.name;
  if (!now || `/${name}`.toLowerCase().endsWith(`/${now.toLowerCase()}`) || !address.includes(name)) return [];
  return [{ kind: "moved", about: name, says: "was renamed", evidence: now, todo: `cite ${now}` }];
}

/** A page about one version of a paper or package, if the API of its host names a newer one. */
function supersededFinding({ cited, ofVersion, reading }: CitedPage): UncitedFinding | undefined {
  if (!ofVersion || !reading?.items) return undefined;
  const last = decodeURI(new URL(cited.address).pathname)
    .replace(/\/$/, "")
    .replace(/\.pdf$/i, "")
    .replace(/^.*\//, "");
  const [, paper] = /\dv(\d{1,3})$/.exec(last) ?? [];
  const own = Number(paper ?? majorOf(last));
  const numberOf = ({ id, version = "" }: Item) =>
    Number(paper === undefined ? majorOf(version) : /^v(\d{1,3})$/.exec(id)?.[1]);
  const newer = reading.items.filter((item) => !item.pre && numberOf(item) > own);
  const [newest] = newer.toSorted((a, b) => numberOf(b) - numberOf(a) || (b.at ?? 0) - (a.at ?? 0));
  if (!newest) return undefined;
  return {
    kind: "outdated",
    says: paper === undefined ? "is of an older major version" : "is of an older version",
    evidence: [newest.title, newest.url].filter(Boolean).join(", "),
    todo: "check whether it still says the same, and cite it if so",
  };
}

/** `2` of `v2.13.0`; undefined for anything but a plain version. */
function majorOf(version: string): string | undefined {
  return /^v?(\d{1,6})(?:\.\d{1,9}){1,3}$/.exec(version)?.[1];
}

function outdatedFinding({ current, failure }: CitedPage): UncitedFinding | undefined {
  if (current === undefined || failure) return undefined;
  return {
    kind: "outdated",
    says: "is for a single version, and there is a page for the current one",
    evidence: current,
    todo: "check whether it still says the same, and cite it if so",
  };
}

function silentFinding({ whole }: CitedPage, at: Instant): UncitedFinding | undefined {
  const silence = whole && silenceOf(whole, at);
  if (!silence) return undefined;
  const { kind, says, evidence } = silence;
  return { kind, about: whole.name, says, evidence, todo: "check whether your statement about it still holds" };
}

/** What the report says on the page's authority and the page does not say. */
function unsupportedFindings({ compared, failure }: CitedPage): UncitedFinding[] {
  return failure
    ? []
    : (compared?.contradictions ?? []).map((one) => ({ ...contradictionFinding(one), contradiction: one }));
}

function contradictionFinding(contradiction: Contradiction): UncitedFinding {
  const { sentence, under, quoted, same } = contradiction;
  const kind = "unsupported";
  const { said, there } = sidesOf(contradiction);
  const ours = quoted ? `“${said}”` : said;
  if (there === undefined)
    return {
      kind,
      says: "does not hold the words that are quoted from it",
      evidence: ours,
      todo: "find where it is now, or correct the quotation",
    };
  const below = under === undefined ? "" : `, under “${oneLine(under)}”`;
  const theirs = quoted ? `“${there}”` : there;
  return {
    kind,
    says: same ? `says ${theirs}${below}; the report says ${ours}` : `names ${theirs}${below}, and nowhere ${ours}`,
    evidence: `“${sentence.text.slice(0, 200)}”`,
    todo: quoted ? "correct the quotation" : "find where it is now, or correct the figure",
  };
}

/** The words of the report, and of the page if it has others, as the finding shows them. */
export function sidesOf({ said, there, quoted }: Contradiction): Pick<Contradiction, "said" | "there"> {
  const limit = quoted ? 200 : 80;
  return { said: oneLine(said, limit), there: there && oneLine(there, limit) };
}

/** The finding about cited lines, if any. A link to a commit or tag still shows them; the default branch may not. */
export function lineFinding({ cited, now, page: evidence, onDefault }: CitedLines): UncitedFinding | undefined {
  const { from, to } = cited;
  const lines = `its cited ${to === from ? `line ${from}` : `lines ${from} to ${to}`}`;
  const placeWords = onDefault === undefined ? "" : " on the default branch";
  const todo = "check whether your statement about it still holds";
  if (onDefault === "no file")
    return { kind: "outdated", says: `still works, but its file is gone${placeWords}`, evidence, todo };
  switch (now.state) {
    case "gone": {
      const kind = onDefault === undefined ? "unsupported" : "outdated";
      return { kind, says: `has ${lines} no longer${placeWords}`, evidence, todo };
    }
    case "moved": {
      const place = onDefault === "renamed file" ? `in a renamed file${placeWords}` : `elsewhere now${placeWords}`;
      return { kind: "moved", says: `has ${lines} ${place}`, evidence, todo: "cite the lines where they are now" };
    }
    case "changed":
      return { kind: "outdated", says: `has changed in ${lines}${placeWords}`, evidence, todo };
    default:
      return undefined;
  }
}

/** Cited fragments that the page does not have. If a page moved, its fragments moved with it. */
function fragmentFindings({ unnamed = [], moved, failure }: CitedPage): UncitedFinding[] {
  if (failure || moved !== undefined) return [];
  return unnamed.map((name) => {
    const words = quotedIn(name);
    return {
      kind: "unsupported",
      says: words === undefined ? "has no part with the cited name" : "does not hold the words that its link quotes",
      evidence: words === undefined ? `#${name}` : `“${words.slice(0, 200)}”`,
      todo: "find where it is now, and link to that",
    };
  });
}
