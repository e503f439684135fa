import * as z from "zod";
import type { Request, Response } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import type { RuleTrial, Trace } from "../model/trace.ts";

/** The access to services, which a reader has to know before it can say what to ask for. */
export interface Access {
  /**
   * Whether requests to GitHub's API carry a token. Without one, Atom feeds and raw files are used if they suffice.
   */
  readonly githubToken: boolean;
}

export interface Known {
  /** The part with the text, or the format, at the last reading: used again while that is plausible. */
  readonly region?: string;
  /** The text of the file as it was at first, with which it is compared. */
  readonly atFirst?: string | undefined;
  readonly trace?: Trace;
  readonly trial?: RuleTrial;
  /** The time of the check: no date is after the next year, and two figures are a year up to then. */
  readonly at?: Instant;
}

/** The parts that readings of a source may hold: those that conditions can listen to. */
export interface Gives {
  /** Entries of a list: releases, posts, tags. */
  readonly items?: boolean;
  readonly commits?: boolean;
  /** Text whose blocks are compared. */
  readonly text?: boolean;
  /** Whether that text may hold tables. */
  readonly rows?: boolean;
  /** Whether it is an issue or a pull request, with a state. */
  readonly issue?: boolean;
  readonly facts?: readonly string[];
  /**
   * Further facts, whose names only the source knows. Returns all values that a fact of this name can have, an empty
   * list if any value is possible, and undefined if no fact can have the name.
   */
  readonly values?: (fact: string) => readonly string[] | undefined;
}

/** An address that people open, in the form that a source of this kind has in config. */
export interface Recognised {
  readonly address: string;
  readonly options?: Readonly<Record<string, string>>;
  /** The page is of one version only: config watches this address in its place. */
  readonly instead?: boolean;
  /** Why the page looks as if it never changes. */
  readonly frozen?: string;
}

/** A request for a source that is not there under its own address. */
export interface Detour {
  readonly request: Request;
  /** A hint where it is; the source itself; or that at another address for good, as after a permanent redirect. */
  readonly gives: "hint" | "source" | "moved source";
}

/** Where a redirect led, with the response from there; without one if it is as it was before. */
export interface RedirectTarget {
  readonly url: string;
  readonly response?: Response;
}

/** Requests, each after the response to the one before it; that is undefined if nothing is there. */
export type Detours = Generator<Detour, void, Response | undefined>;

/** A fact by which a source says that it has ended: by any change of the fact, or by one value. */
export interface Ending {
  readonly fact: string;
  readonly becomes?: string;
}

/** The words for a fact that its reader learns for the first time, after the name of the cited source: `is archived`. */
export interface Standing {
  readonly fact: string;
  /** The value that it is about; any value unless given. */
  readonly is?: string;
  readonly says: string;
  /** A page that tells more, by the source's address; without it, the fact's name and value are shown. */
  readonly seeAt?: (address: string) => string;
  /** True: nothing should rest on the source any more. False: it should be read again. */
  readonly ended: boolean;
}

/** The standing of a source at one time, as shown beside its citation. */
export interface StandingNow {
  readonly says: string;
  readonly evidence: string;
  /** True: nothing should rest on the source any more. False: it should be read again. */
  readonly ended: boolean;
}

/** The report's words beside a citation, and the time of the question. */
export interface CitedHere {
  readonly words: string;
  readonly at: Instant;
}

/**
 * One kind of source. Pure: says what to ask for, and makes a reading of the answer. Each file of this folder exports
 * exactly one; its `kind` is the file's name, and the word in config.
 */
export interface Reader {
  readonly kind: string;
  /** The page that specifies the format. */
  readonly spec: string;
  /** Follows the name of the watched thing in titles and ids: `pytorch releases`. */
  readonly noun: string;
  /** How often to check, unless config says otherwise: `6h`. */
  readonly cadence: string;
  /** An address as people should write it, for messages and docs. */
  readonly example: string;
  readonly address: z.ZodType<string>;
  /** Whether an address that people open is a source of this kind, by its form alone. */
  recognises?(url: URL): Recognised | undefined;
  /** For repositories: the repository that an address belongs to, whether it is of a page, a file or a release. */
  holds?(url: URL): string | undefined;
  /** The one spelling of all addresses that name the same source; lower case unless given. */
  sameName?(address: string): string;
  /** The options of this kind alone, as a zod shape of their keys in config. */
  readonly options: z.ZodRawShape;
  /** Options that say nothing without another one. */
  readonly dependent?: Readonly<Record<string, string>>;
  /** The parts that its readings may hold, with these options from config. */
  gives(options: Readonly<Record<string, unknown>>): Gives;
  /** Whether items and facts need no second check. */
  readonly structured: boolean;
  /** Whether its list holds only current entries: one that is gone was replaced, not withdrawn. */
  readonly current?: true;
  /** Raised when the same bytes are read differently, so that an improvement is not reported as a change. */
  readonly version: number;
  /** Statuses besides 2xx that are readings (404 for a repository). */
  readonly answers?: readonly number[];
  /** Whether robots.txt is asked first, as for pages. */
  readonly robots?: boolean;
  /**
   * Whether half an answer may look complete, as with pages and text files. Answers of APIs are complete or cannot be
   * read.
   */
  readonly mayBeHalf?: boolean;
  request(source: Source, access: Access): Request;
  /** For a source that names a version of itself: the request for that version, with which a first check compares it. */
  atFirst?(source: Source): Request | undefined;
  /**
   * Identifies everything in a response that its reading can depend on, in a fraction of the time: responses with the
   * same one read the same. Undefined if only a reading can tell.
   */
  fingerprint?(response: Response, source: Source): string | undefined;
  /**
   * Reads a response; a promise only if the format's library needs one.
   * @throws Failure `malformed`, `wrong-type`, `no-match`, `too-many` …, or rejects with it
   */
  read(response: Response, source: Source, known?: Known): Reading | Promise<Reading>;
  /** All of a response, including the parts around the content. @throws Failure `too-many` */
  whole?(response: Response): Pick<Reading, "title" | "language" | "blocks">;
  /** The address of another page of the same site that it links to. */
  neighbour?(response: Response): string | undefined;
  /** The address at which a person opens the source, rather than the API's. */
  page(source: Source): string;
  /** What to ask if it is not there under its own address, one after another until the source comes. */
  otherwise?(source: Source): Detours;
  /** The address for people of a redirect's target: programs are led to an API, or to a raw file. */
  leadsTo?(target: RedirectTarget, source: Pick<Source, "address">): string | undefined;
  /**
   * The title that people know it by, if that is more than its name and noun; undefined if the source gives none.
   */
  titleOf?(source: Pick<Source, "address" | "options">, reading: Reading): string | undefined;
  /** The name of the product whose versions its items are: the last part of `owner/name`. */
  versionsOf?(address: string): string;
  /** Another kind that gives more for the same address, if that has any item; and both reasons, for people. */
  readonly rather?: { readonly kind: string; readonly why: string; readonly otherwise: string };
  /** Kinds that may know the same address if this kind's service does not. */
  readonly elsewhere?: readonly string[];
  /** Facts that say that the cited thing has ended: archived, withdrawn, retracted. The worst comes last. */
  readonly endings?: readonly Ending[];
  /** Facts that somebody who cites it would want to know. */
  readonly standings?: readonly Standing[];
  /** Tells the standing of a part of it that the report names, by its facts: a release cycle that has ended. */
  standingNow?(reading: Pick<Reading, "title" | "facts">, cited: CitedHere): readonly StandingNow[];
  /** The words for a change of a fact, after the source's name: `archived yes` → `was archived`. */
  readonly says?: Readonly<Record<string, string>>;
}

/** The parts of a reader that may be left out: most kinds are structured lists of entries without options. */
type Usual = "options" | "gives" | "structured" | "page";

export function readerOf(parts: Omit<Reader, Usual> & Partial<Pick<Reader, Usual>>): Reader {
  return { options: {}, gives: () => ({ items: true }), structured: true, page: ({ address }) => address, ...parts };
}

export const httpAddress = z.url({
  protocol: /^https?$/,
  error: "needs an address, e.g. https://example.org/feed.xml",
});
