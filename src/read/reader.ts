import * as z from "zod";
import type { Instant, Reading, Source } from "../model/model.ts";
import type { Request, Response } from "../model/ports/index.ts";
import type { Trace } from "../model/trace.ts";

/** All that a reader needs to know of the world before it can say what to ask for. */
export interface Access {
  /** Whether requests to GitHub's API carry a token. Without one, Atom and raw files are used where they suffice. */
  readonly githubToken: boolean;
}

/** All that is known where a source is read again. */
export interface Known {
  /** Where the last reading found the text, or in which format: kept while that is plausible. */
  readonly region?: string;
  readonly trace?: Trace;
}

/** The parts that readings of a source may hold, which are those that conditions can listen to. */
export interface Gives {
  /** Entries of a list: releases, posts, tags. */
  readonly items?: boolean;
  /** Those entries are commits. */
  readonly commits?: boolean;
  /** Text whose blocks are compared. */
  readonly text?: boolean;
  /** That text may hold tables. */
  readonly rows?: boolean;
  /** It is an issue or a pull request, with a state. */
  readonly issue?: boolean;
  /** Names of the facts. */
  readonly facts?: readonly string[];
  /**
   * Facts beside those, whose names only the source knows: all that one of this name can be, nothing where it can be anything.
   * Undefined where no fact can have the name.
   */
  readonly values?: (fact: string) => readonly string[] | undefined;
}

/** An address that people open, as a source of this kind has it in config. */
export interface Recognised {
  readonly address: string;
  readonly options?: Readonly<Record<string, string>>;
  /** The page itself is of one version: what is watched moves in its place. */
  readonly instead?: boolean;
  /** Why the page looks as if it never changes. */
  readonly frozen?: string;
}

/** A fact by which a source says that it has ended: a change of it, or that it becomes one value. */
export interface Ending {
  readonly fact: string;
  readonly becomes?: string;
}

/** How a fact is said behind the name of what is cited, to one who hears of it for the first time: `is archived`. */
export interface Standing {
  readonly fact: string;
  /** The value of which it holds; any, unless told. */
  readonly is?: string;
  readonly says: string;
  /** Where more is told of it, by the source's address; else its name and the fact's value are. */
  readonly seeAt?: (address: string) => string;
  /** Nothing should rest on it any more; else it is to be read again. */
  readonly ended: boolean;
}

/** How a source stands at one time, for what is said of it beside its citation. */
export interface StandingNow {
  readonly says: string;
  readonly evidence: string;
  /** Nothing should rest on it any more; else it is to be read again. */
  readonly ended: boolean;
}

/** The words of a report where it cites a source, and when it is asked about. */
export interface CitedHere {
  readonly words: string;
  readonly at: Instant;
}

/** A source as a scenario or a demo tells of it. */
export interface SampleState {
  /** Oldest first, as they were told. */
  readonly entries: readonly SampleEntry[];
  readonly facts: Readonly<Record<string, string>>;
  /** Markdown. */
  readonly text?: string;
}

/** One entry of a list, in short. */
export interface SampleEntry {
  /** A tag, a version, a title: by what the kind calls its entries. */
  readonly name: string;
  readonly title?: string;
  readonly on: Instant;
  readonly pre: boolean;
  readonly draft: boolean;
  /** Markdown. */
  readonly text?: string;
}

/** How what is told in short is spelt as the source itself would spell it, so that the reader reads it. */
export interface Sample {
  /** Facts that may be told beside those that it gives. */
  readonly facts?: readonly string[];
  /** `Content-Type`; JSON unless told. */
  readonly type?: string;
  /** A scenario may tell all that the kind gives without options: entries, facts, text. */
  body(state: SampleState, source: Source): string;
  /** 200 unless told. */
  status?(state: SampleState): number;
}

/**
 * One kind of source. Pure: says what to ask for, and makes a reading of what came back.
 * A file of this folder exports exactly one; its `kind` is the file's name and the word in config.
 */
export interface Reader {
  readonly kind: string;
  /** The page that specifies the format. */
  readonly spec: string;
  /** Behind the name of what is watched it makes a title and an id: `pytorch releases`. */
  readonly noun: string;
  /** How often to look, where config does not say: `6h`. */
  readonly cadence: string;
  /** An address as people should write it, for messages and docs. */
  readonly example: string;
  readonly address: z.ZodType<string>;
  /** Whether an address that people open is a source of this kind, by its shape alone. */
  recognises?(url: URL): Recognised | undefined;
  /** Of a repository: the one that an address lies in, whichever of its pages, files and releases that is. */
  holds?(url: URL): string | undefined;
  /** One spelling for all that name the same; names without case unless told. */
  sameName?(address: string): string;
  /** The options that only this kind has, as a zod shape of their keys in config. */
  readonly options: z.ZodRawShape;
  /** The parts that its readings may hold, by the options as written in config. */
  gives(options: Readonly<Record<string, unknown>>): Gives;
  /** Items and facts of structured kinds need no second look. */
  readonly structured: boolean;
  /** Its list holds what is current only: an entry that is gone gave way to another, and was not withdrawn. */
  readonly current?: true;
  /** Grows when the same bytes are read differently, so that an improvement is not reported as a change. */
  readonly version: number;
  /** Statuses beside 2xx that are readings (404 for a repository). */
  readonly answers?: readonly number[];
  /** Pages ask robots.txt first. */
  readonly robots?: boolean;
  /** Half an answer looks like a whole one: pages and text files. What an API sends is whole, or cannot be read. */
  readonly mayBeHalf?: boolean;
  request(source: Source, access: Access): Request;
  /**
   * Names all of a response that its reading can rest on, in a small part of the time: two with the same one read the same.
   * Undefined where only a reading tells.
   */
  fingerprint?(response: Response, source: Source): string | undefined;
  /** A promise only where the format's library needs one. @throws Failure (or rejects with it): `malformed`, `wrong-type`, `no-match`, `too-many` … */
  read(response: Response, source: Source, known?: Known): Reading | Promise<Reading>;
  /** Where a person looks at the source: the address for a browser, not of the API. */
  page(source: Source): string;
  /** The title that people know it by, where that is more than its name and noun; undefined where nothing tells. */
  titleOf?(source: Pick<Source, "address" | "options">, reading: Reading): string | undefined;
  /** The name of the product whose versions its items are: the last part of `owner/name`. */
  versionsOf?(address: string): string;
  /** Another kind that tells more of the same address, where it holds any item; and both reasons, for people. */
  readonly rather?: { readonly kind: string; readonly why: string; readonly otherwise: string };
  /** Kinds that may know the same address, where this one's service does not. */
  readonly elsewhere?: readonly string[];
  /** Facts that say that what is cited has ended: archived, withdrawn, retracted. The worst last. */
  readonly endings?: readonly Ending[];
  /** Facts that one who cites it would want to know. */
  readonly standings?: readonly Standing[];
  /** Says what follows from its facts for one part of it that the report names: a release cycle that has ended. */
  standingNow?(reading: Pick<Reading, "title" | "facts">, cited: CitedHere): readonly StandingNow[];
  /** How a change of a fact is said behind the source's name: `archived yes` → `was archived`. */
  readonly says?: Readonly<Record<string, string>>;
  /** Without one, scenarios tell of it by `body` alone. */
  readonly sample?: Sample;
}

/** An address that a browser opens. */
export const httpAddress = z.url({
  protocol: /^https?$/,
  error: "wants an address, e.g. https://example.org/feed.xml",
});
