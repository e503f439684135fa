import { quantities } from "../../../compare/passage/quantity.ts";
import { findQuote } from "../../../compare/passage/quote.ts";
import { findValue } from "../../../compare/passage/value.ts";
import { wordsOf } from "../../../compare/passage/words.ts";
import { type Failure, isNoResponse } from "../../../model/failure.ts";
import type { Instant, Reading } from "../../../model/model.ts";
import { aDay, day } from "../../../model/time.ts";
import type { Cited } from "./cited.ts";

/** Worst first. */
export const findingKinds = ["gone", "unsupported", "ended", "outdated", "moved", "silent", "unseen"] as const;

export type FindingKind = (typeof findingKinds)[number];

/** One thing that a careful reader would want to know of a citation. */
export interface Finding {
  readonly kind: FindingKind;
  readonly cited: Cited;
  /** One sentence fragment behind the citation's name: `was archived`. */
  readonly says: string;
  /** Facts beside it: an address, a status, a day. */
  readonly evidence: string;
  /** The advice. */
  readonly todo: string;
}

/** What looking at everything that a report cites has found. */
export interface Audit {
  readonly report: string;
  readonly at: Instant;
  /** Distinct addresses that it cites. */
  readonly citations: number;
  /** In one sentence for people. */
  readonly counts: string;
  /** Worst first; of one kind in the order of the report. */
  readonly findings: readonly Finding[];
}

/** What the findings of a kind have in common. */
export const headings: { readonly [K in FindingKind]: string } = {
  gone: "Gone",
  unsupported: "Not on the page that is cited",
  ended: "Ended",
  outdated: "Of an old version",
  moved: "Moved",
  silent: "Silent for years",
  unseen: "Could not be seen",
};

/** What came of a look at one citation. */
export interface Sighted {
  readonly cited: Cited;
  /** Of what kind it was read. */
  readonly kind: string;
  /** Where it ended after redirects. */
  readonly url?: string;
  /** Where a permanent redirect led. */
  readonly moved?: string;
  readonly reading?: Reading;
  readonly failure?: Failure;
  /** The same page for the version that is current: it is there, and another one. */
  readonly current?: string;
  /** What the interface of its host says of the thing as a whole: a repository, a package, a paper. */
  readonly whole?: Whole;
}

/** A repository, package or paper that a citation belongs to. */
export interface Whole {
  readonly name: string;
  readonly facts: Readonly<Record<string, string>>;
  /** When something last happened there. */
  readonly active?: Instant;
}

/** Everything worth saying of one citation; nothing where it stands as it should. Pure. */
export function findingsOf(sighted: Sighted, at: Instant): Finding[] {
  const found = [
    lost(sighted),
    redirected(sighted),
    ...ended(sighted),
    outdated(sighted),
    quiet(sighted, at),
    ...unsupported(sighted),
  ];
  return found.flatMap((one) => (one ? [{ ...one, cited: sighted.cited }] : []));
}

type Told = Omit<Finding, "cited">;

/** Not there any more, or not to be seen. */
function lost({ failure, url, cited, whole }: Sighted): Told | undefined {
  if (!failure || whole?.facts.public === "no") return undefined;
  const answer = failure.message;
  if (failure.kind === "not-found" || failure.kind === "dns")
    return {
      kind: "gone",
      says: failure.kind === "dns" ? "is at a host that does not exist" : "is not there any more",
      evidence: answer,
      todo: "cite where it stands now, or an archived copy",
    };
  if (failure.kind === "error-page")
    return {
      kind: "gone",
      says: "answers with an error page",
      evidence: url ?? cited.address,
      todo: "look, and cite what is left of it",
    };
  const wall = ["bot-wall", "login-wall", "consent-wall", "robots"].includes(failure.kind);
  return {
    kind: "unseen",
    says: wall ? "cannot be read by a program" : isNoResponse(failure.kind) ? "gave no response" : "could not be read",
    evidence: answer,
    todo: wall ? "look at it yourself from time to time" : "look again tomorrow",
  };
}

/** A permanent redirect to another page; to a home page is no page at all. */
function redirected({ moved, url, cited, failure, whole }: Sighted): Told | undefined {
  const to = URL.parse(moved ?? url ?? "");
  const from = new URL(cited.address);
  if (failure || !to || whole !== undefined) return undefined;
  if (to.pathname.length <= 1 && from.pathname.length > 1 && !to.search)
    return {
      kind: "gone",
      says: "leads to a home page",
      evidence: to.href,
      todo: "cite where it stands now, or an archived copy",
    };
  if (moved === undefined || samePage(from, to)) return undefined;
  return { kind: "moved", says: "has moved for good", evidence: to.href, todo: "cite the new address" };
}

/** The same but for scheme, `www.`, a final slash and a file that stands for its folder. */
function samePage(one: URL, other: URL): boolean {
  const key = ({ host, pathname }: URL) =>
    `${host.replace(/^www\./, "")}${pathname.replace(/(?:\/index)?(?:\.html?)?\/?$/, "")}`.toLowerCase();
  return key(one) === key(other);
}

/** How facts by which things end are told, and what is to be done. The kinds of sources name the facts. */
const ends: Readonly<Record<string, { readonly says: string; readonly todo: string }>> = {
  "public no": { says: "is not public, or not there", todo: "cite where it stands now, or an archived copy" },
  "archived yes": { says: "is archived: nobody maintains it", todo: "say so, or cite what came in its place" },
  "deprecated yes": { says: "is deprecated by its authors", todo: "say so, or cite what came in its place" },
  "retracted yes": { says: "was retracted", todo: "do not rest anything on it" },
  "withdrawn yes": { says: "was withdrawn", todo: "do not rest anything on it" },
  "disabled yes": { says: "was disabled by its host", todo: "cite what came in its place" },
};

function ended({ whole, cited }: Sighted): Told[] {
  if (!whole) return [];
  const { name, facts } = whole;
  const told = Object.entries(facts).flatMap(([fact, value]): Told[] => {
    const end = ends[`${fact} ${value}`];
    return end ? [{ kind: fact === "public" ? "gone" : "ended", ...end, evidence: `${name}: ${fact} ${value}` }] : [];
  });
  const renamed = facts.name;
  if (renamed && renamed.toLowerCase() !== name.toLowerCase() && facts.public !== "no" && cited.address.includes(name))
    told.push({ kind: "moved", says: "was renamed", evidence: renamed, todo: `cite ${renamed}` });
  return told;
}

function outdated({ current, failure }: Sighted): Told | undefined {
  if (current === undefined || failure) return undefined;
  return {
    kind: "outdated",
    says: "is of one version, and there is a current one",
    evidence: current,
    todo: "check what it says now, and cite it if it holds",
  };
}

/** A repository in which nothing happened for so long is told. */
const silentYears = 2;

function quiet({ whole }: Sighted, at: Instant): Told | undefined {
  if (whole?.active === undefined || whole.facts.archived === "yes") return undefined;
  if (at - whole.active < silentYears * 365 * aDay) return undefined;
  return {
    kind: "silent",
    says: `has been silent for ${Math.floor((at - whole.active) / (365 * aDay))} years`,
    evidence: `last change ${day(whole.active)}`,
    todo: "see whether what you say of it still holds",
  };
}

/** Quotation marks around four words or more. */
const quotation = /[“"«„]([^“”"«»„]{15,400})[”"»“]/g;

/** Pages of fewer words than this are a part of what people see: their figures may stand in a picture. */
const minPageWords = 150;

/** Quoted words and figures that are not on the page which is cited for them alone. */
function unsupported({ reading, cited, failure }: Sighted): Told[] {
  if (failure || !reading?.blocks || cited.says.length === 0) return [];
  const page = wordsOf(reading.blocks);
  if (page.ids.length < minPageWords) return [];
  const told: Told[] = [];
  for (const text of cited.says) {
    const quotes = [...text.matchAll(quotation)].map(([, quote = ""]) => quote);
    for (const quote of quotes.filter((one) => one.trim().split(/\s+/).length >= 4))
      if (findQuote(page, { exact: quote }).status === "absent")
        told.push({
          kind: "unsupported",
          says: "does not hold the words that are quoted from it",
          evidence: `“${quote}”`,
          todo: "find where it stands now, or correct the quotation",
        });
    if (sentences(text) > 1) continue;
    for (const { text: figure } of quantities(text))
      if (findValue(page, { value: figure }).status !== "exact")
        told.push({
          kind: "unsupported",
          says: `does not hold the figure ${figure}`,
          evidence: `“${text.slice(0, 200)}”`,
          todo: "find where it stands now, or correct the figure",
        });
  }
  return told;
}

function sentences(text: string): number {
  return text.split(/[.!?]["”)]?\s+(?=\p{Lu})/u).length;
}
