import type { Duration, Instant } from "../time.ts";

/** Validators make the next request conditional. An ETag belongs to the token it came with. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
  /** A digest of the address that sent `lastModified`, if redirects led there. */
  readonly of?: string;
  /** A digest of the token that the ETag came with, never the token. */
  readonly token?: string;
}

export type Fetched = {
  /** The target of a permanent redirect (301, 308), if the whole chain was permanent. */
  readonly moved?: string;
  /** When the response arrived, if it was fetched for another source. */
  readonly at?: Instant;
} & (
  | { readonly kind: "not-modified" }
  | {
      readonly kind: "response";
      readonly response: Response;
      readonly validators: Validators;
      /** SHA-256 of the decompressed body, hex. */
      readonly hash: string;
    }
);

export interface FetchOptions {
  readonly validators?: Validators;
  /** Statuses besides 2xx that are responses rather than failures. */
  readonly answers?: readonly number[];
  /** Check robots.txt first. */
  readonly robots?: boolean;
  /** Accept a response that was fetched for another source only if it is newer than this. */
  readonly newerThan?: Instant;
  /** Taken during request and parsing, and released while the request waits for its turn at a host. */
  readonly place?: Place;
}

/** A place among the running requests. A request that waits for its turn at a host leaves it to others. */
export interface Place {
  /** Waits for a free place; returns at once if it is already taken. @throws Failure *deferred* if none will be free */
  take(): Promise<void>;
  /** Frees the place with everything held for it; does nothing if it is not taken. */
  leave(): void;
  /** Calls this when the place is released. */
  onLeave(free: () => void): void;
}

/** One polite, guarded, capped request. @throws Failure */
export interface Fetch {
  get(request: Request, options: FetchOptions): Promise<Fetched>;
  /** Requests to GitHub's API that are left within this hour; undefined with a token. */
  githubAllowance(): number | undefined;
  close(): Promise<void>;
}

export interface Request {
  readonly url: string;
  readonly accept?: string;
  /** Goes to GitHub's API: gets the token, if there is one, and counts against the hourly allowance. */
  readonly githubApi?: boolean;
  /** The `Authorization` header: a secret that is never sent to another origin, even after redirects. */
  readonly authorization?: string;
  /** Other headers; never a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Opens the answer in a browser, if it is a page. */
  readonly browser?: { readonly waitFor?: string };
  /** The pause that a service asks for after each request, if longer than the usual one. */
  readonly pause?: Duration;
}

/** The response to a request: 2xx, or another status that the reader accepts. Never 304. */
export interface Response {
  /** The address after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
}

/** A host that asked for a pause, and its status. */
export interface HostRest {
  readonly host: string;
  readonly until: Instant;
  readonly status: number;
}

/** When a host may be asked again that was asked just before a run ended. */
export interface HostTurn {
  readonly host: string;
  readonly at: Instant;
}

/** The rules of an origin's robots.txt for one product, with validators for the next request. */
export interface StoredRobots {
  /** The program's name in robots.txt. */
  readonly product: string;
  readonly origin: string;
  /** JSON, as `robots.ts` writes it. */
  readonly rules: string;
  /** When they were last read or confirmed. */
  readonly read: Instant;
  readonly validators: Pick<Validators, "etag" | "lastModified">;
}

/** Remembers hosts beyond one run, for all that ask them. */
export interface HostMemory {
  /** The hosts that asked for a pause; some of the pauses may have ended. */
  rests(now: Instant): Promise<readonly HostRest[]>;
  saveRest(rest: HostRest, now: Instant): Promise<void>;
  turns(): Promise<readonly HostTurn[]>;
  /** Replaces all stored turns. */
  saveTurns(turns: readonly HostTurn[]): Promise<void>;
  /** Forgets what has ended at `now`, robots.txt unused for a month, and the oldest entries if there are too many. */
  forget(now: Instant): Promise<void>;
  /**
   * Takes the turn at a host, which all processes share. `wait`: 0 if it is ours until `leave`, else how long another may hold
   * it at most. `rest`: the host asked for a pause. Missing if there is only this process.
   */
  take?(host: string, now: Instant): Promise<{ readonly wait: Duration; readonly rest?: HostRest }>;
  /** Gives up the turn; others may take it after a pause. */
  leave?(host: string, pause: Duration): Promise<void>;
  robots(product: string, origin: string): Promise<StoredRobots | undefined>;
  saveRobots(robots: StoredRobots): Promise<void>;
}

/** A copy of a page in a web archive. */
export interface Copy {
  /** The address for people. */
  readonly url: string;
  /** When it was made, as the archive says. */
  readonly at: Instant;
}

/** One copy that an archive lists, or why it cannot be used. */
export type FoundCopy =
  /** `response`: as the page's own site sent it, without the archive's additions. */
  | { readonly kind: "copy"; readonly copy: Copy; readonly response: Response }
  /** Too long before or after the wanted time, so it was not opened. */
  | { readonly kind: "far"; readonly copy: Copy }
  /** `says`: a fragment of a sentence, in our own words. */
  | { readonly kind: "unusable"; readonly says: string };

/** A web archive, which gets one request at a time. */
export interface WebArchive {
  /** Its name for people: its host. */
  readonly name: string;
  /** Yields copies of a page, nearest to a time first, as needed. @throws Failure if the archive cannot be asked */
  copies(url: string, near: { readonly at: Instant; readonly within: Duration }): AsyncIterable<FoundCopy>;
  /** Asks the archive to save the page. Undefined if the operator forbids it. @throws Failure if the archive refuses */
  readonly save?: (url: string) => Promise<void>;
}

export interface BrowserPage {
  /** Its answer without a browser. */
  readonly response: Response;
  /** A selector or a text that must be there before the page is read. */
  readonly waitFor?: string;
  /** Whether its DOM, as HTML, is another one than at the last check. Only then is there a picture. */
  isNew(html: string): boolean;
}

/** A browser that the operator runs. */
export interface Browser {
  /**
   * Opens a page in a context of its own, and returns its DOM as HTML once it has settled. Open shadow roots and frames of the
   * same origin are written out. A picture is taken if the page is new. Everything that it asks for is fetched by `fetch`; the
   * browser itself reaches nothing. @throws Failure
   */
  open(page: BrowserPage, fetch: Fetch): Promise<OpenedPage>;
}

export interface OpenedPage {
  readonly html: string;
  /** WebP in Base64, of a few ten thousand bytes at most. */
  readonly picture?: string;
}
