import * as z from "zod";
import type { Trace } from "../model/heuristics.ts";
import type { Request, Response } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";

/** The access to services, which decides the requests of a reader. */
export interface Access {
  /** Whether requests to GitHub's API carry a token. Without one, feeds and raw files are used if they suffice. */
  readonly githubToken: boolean;
}

export interface Known {
  /** The part with the text, or the format, of the last reading: used again while that is plausible. */
  readonly region?: string;
  /** The first text of the file, with which it is compared. */
  readonly atFirst?: string | undefined;
  readonly trace?: Trace;
  /** The time of the check: dates are at most in the next year, and two figures may be a year. */
  readonly at?: Instant;
}

/** The parts that a source's readings may have, and that conditions can listen to. */
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
  /** By name, for further facts: all values, an empty list if any is possible, undefined if there is no such fact. */
  readonly values?: (fact: string) => readonly string[] | undefined;
  /** Names of such further facts, as examples. */
  readonly suchAs?: readonly string[];
}

/** An address that people open, in the form that a source of this kind has in config. */
export interface Recognised {
  readonly address: string;
  readonly options?: Readonly<Record<string, string>>;
  /** The page is only of one version, so that config watches this address instead. */
  readonly instead?: boolean;
  /** Why the page looks as if it never changes. */
  readonly frozen?: string;
}

/** A request for a source that is missing at its own address. */
export interface Detour {
  readonly request: Request;
  /** A hint to its place; the source itself; or the source at a new permanent address. */
  readonly gives: "hint" | "source" | "moved source";
}

/** The target of a redirect, with its response unless that is unchanged. */
export interface RedirectTarget {
  readonly url: string;
  readonly response?: Response;
}

/** Requests that each depend on the response before; undefined if that one is missing. */
export type Detours = Generator<Detour, void, Response | undefined>;

/** A fact by which a source says that it has ended: with any new value, or with one. */
export interface Ending {
  readonly fact: string;
  readonly becomes?: string;
}

/** The words for a state of a source when it is first found. */
export interface StateRule extends Pick<CitedState, "says" | "ended"> {
  readonly fact: string;
  /** The value that means this; any value if absent. */
  readonly is?: string;
  /** A page with more, for the source's address; without it, the fact's name and value are shown. */
  readonly seeAt?: (address: string) => string;
}

/** The state of a source at one time, as shown beside its citation. */
export interface CitedState {
  /** Follows the source's name: `is archived`. */
  readonly says: string;
  readonly evidence: string;
  /** True: nothing should rest on the source any more. False: it should be read again. */
  readonly ended: boolean;
}

/** The report's words beside a citation, and the time of the check. */
export interface CitedHere {
  readonly words: string;
  readonly at: Instant;
}

/** One kind of source, in a file with the name of its `kind`, the word in config. Pure. */
export interface Reader {
  readonly kind: string;
  /** The page that specifies the format. */
  readonly spec: string;
  /** Follows the source's name in titles and ids: `pytorch releases`. */
  readonly noun: string;
  /** How often to check, unless config says otherwise: `6h`. */
  readonly cadence: string;
  /** An example of an address, for messages and docs. */
  readonly example: string;
  readonly address: z.ZodType<string>;
  /** Recognises an address that people open as a source of this kind, by its form alone. */
  recognises?(url: URL): Recognised | undefined;
  /** For repositories: the repository of an address, which may be a page, a file or a release. */
  holds?(url: URL): string | undefined;
  /** The canonical spelling of an address; lower case unless given. */
  sameName?(address: string): string;
  /** The options of this kind, as a zod shape of their keys in config. */
  readonly options: z.ZodRawShape;
  /** Options that need another one, by name. */
  readonly dependent?: Readonly<Record<string, string>>;
  /** The parts that its readings may have, with these options from config. */
  gives(options: Readonly<Record<string, unknown>>): Gives;
  /** Whether items and facts need no second check. */
  readonly structured: boolean;
  /** Whether its list has only current entries, so that a missing one was replaced, not withdrawn. */
  readonly current?: true;
  /** Raised when the same bytes are read differently, so that an improvement is not reported as a change. */
  readonly version: number;
  /** Statuses besides 2xx that are readings (404 for a repository). */
  readonly answers?: readonly number[];
  /** Whether robots.txt is asked first, as for pages. */
  readonly robots?: boolean;
  /** Whether half a response may look complete, as with pages. Half a response of an API cannot be parsed. */
  readonly mayBeHalf?: boolean;
  request(source: Source, access: Access): Request;
  /** For an address with a version: the request for that version, with which the first check compares. */
  atFirst?(source: Source): Request | undefined;
  /** Responses with an equal fingerprint read the same. Quick; undefined if only a reading can tell. */
  fingerprint?(response: Response, source: Source): string | undefined;
  /** A promise only if the format's library needs one. @throws, or rejects with, Failure `malformed`, `wrong-type` … */
  read(response: Response, source: Source, known?: Known): Reading | Promise<Reading>;
  /** All of a response, including the parts around the content. @throws Failure `too-many` */
  whole?(response: Response): Pick<Reading, "title" | "language" | "blocks">;
  /** The address of another page of the same site, by a link. */
  neighbour?(response: Response): string | undefined;
  /** The address for people, rather than the API's. */
  page(source: Source): string;
  /** Requests to find a source that is missing at its own address, one after another. */
  otherwise?(source: Source): Detours;
  /** The address for people of a redirect's target, which may be an API or a raw file. */
  leadsTo?(target: RedirectTarget, source: Pick<Source, "address">): string | undefined;
  /** The title for people, if that is more than name and noun; undefined if the source has none. */
  titleOf?(source: Pick<Source, "address" | "options">, reading: Reading): string | undefined;
  /** The name of the product whose versions its items are: the last part of `owner/name`. */
  versionsOf?(address: string): string;
  /** Another kind that gives more for the same address, if that has any item; and both reasons, for people. */
  readonly rather?: { readonly kind: string; readonly why: string; readonly otherwise: string };
  /** Kinds that may know the same address if this kind's service does not. */
  readonly elsewhere?: readonly string[];
  /** Facts that mean the end of the cited thing: archived, withdrawn, retracted. The worst comes last. */
  readonly endings?: readonly Ending[];
  /** States that people who cite it would want to know. */
  readonly states?: readonly StateRule[];
  /** The state of a part that the report names, by its facts: a release cycle that has ended. */
  statesNow?(reading: Pick<Reading, "title" | "facts">, cited: CitedHere): readonly CitedState[];
  /** The words for a change of a fact, after the source's name: `archived yes` → `was archived`. */
  readonly says?: Readonly<Record<string, string>>;
}

/** The optional parts of a reader. Most kinds are structured lists of entries without options. */
type Usual = "options" | "gives" | "structured" | "page";

export function readerOf(parts: Omit<Reader, Usual> & Partial<Pick<Reader, Usual>>): Reader {
  return { options: {}, gives: () => ({ items: true }), structured: true, page: ({ address }) => address, ...parts };
}

export const httpAddress = z.url({
  protocol: /^https?$/,
  error: "needs an address, e.g. https://example.org/feed.xml",
});
