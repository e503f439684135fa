import { z } from "zod";
import type { Reading, Source } from "../model/model.ts";
import type { Request, Response } from "../model/ports/fetch.ts";

/** What a reader needs to know of the world before it can say what to ask for. */
export interface Access {
  /** Whether requests to GitHub's API carry a token. Without one, Atom and raw files are used where they suffice. */
  readonly githubToken: boolean;
}

/** What the readings of a source may hold: what conditions can listen to. */
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
   * Facts beside those, whose names only the source knows: what one of this name can be, none where it can be anything.
   * Undefined where no fact can have the name.
   */
  readonly values?: (fact: string) => readonly string[] | undefined;
}

/**
 * One kind of source. Pure: says what to ask for, and makes a reading of what came back.
 * A file of this folder exports exactly one; the file's name is the config word is `kind`.
 */
export interface Reader {
  readonly kind: string;
  /** The page that specifies the format. */
  readonly spec: string;
  /** An address as people should write it, for messages and docs. */
  readonly example: string;
  readonly address: z.ZodType<string>;
  /** What only this kind understands, as a zod shape of the keys as written in config. */
  readonly options: z.ZodRawShape;
  /** What its readings may hold, by the options as written in config. */
  gives(options: Readonly<Record<string, unknown>>): Gives;
  /** Items and facts of structured kinds need no second look. */
  readonly structured: boolean;
  /** Grows when the same bytes are read differently, so that an improvement is not reported as a change. */
  readonly version: number;
  /** Statuses beside 2xx that are readings (404 for a repository). */
  readonly answers?: readonly number[];
  /** Pages ask robots.txt first. */
  readonly robots?: boolean;
  request(source: Source, access: Access): Request;
  /** A promise only where the format's library needs one. @throws Failure (or rejects with it): `malformed`, `wrong-type`, `no-match`, `too-many` … */
  read(response: Response, source: Source): Reading | Promise<Reading>;
  /** Where a person looks at the source: the address for a browser, not of the API. */
  page(source: Source): string;
}

export type { Reading, Source };

/** An address that a browser opens. */
export const webAddress = z.url({ protocol: /^https?$/, error: "wants an address, e.g. https://example.org/feed.xml" });
