import type { Duration, Instant } from "../model.ts";

/** Validators make the next request conditional. An ETag belongs to the token it came with. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
  /** A digest of the address that `lastModified` is the date of, where redirects led there. */
  readonly of?: string;
  /** A digest of the token that the ETag came with, never the token. */
  readonly token?: string;
}

export type Fetched = {
  /** Where a permanent redirect (301, 308) led, if the whole chain was permanent. */
  readonly moved?: string;
  /** When the answer came, where the request of another asker brought it. */
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
  /** Statuses beside 2xx that are answers, not failures. */
  readonly answers?: readonly number[];
  /** Ask robots.txt first. */
  readonly robots?: boolean;
  /** An answer that another asker's request brought is of use only where it came later than this. */
  readonly newerThan?: Instant;
  /** Taken while something is asked or answered; left while the request waits for its turn at a host. */
  readonly place?: Place;
}

/** A place among the requests that are under way. Whoever waits for his turn at a host leaves it to others. */
export interface Place {
  /** Waits until there is one; at once where it is taken already. @throws Failure *deferred* where none is given any more */
  take(): Promise<void>;
  /** Frees it with all that is held for it; nothing where it is not taken. */
  leave(): void;
  /** Has this done when the place is left. */
  onLeave(free: () => void): void;
}

/** One polite, guarded, capped request. @throws Failure */
export interface Fetch {
  get(request: Request, options: FetchOptions): Promise<Fetched>;
  /** Requests to GitHub's API that may still be made within this hour; undefined with a token. */
  githubAllowance(): number | undefined;
  close(): Promise<void>;
}

/** One request for one look. */
export interface Request {
  readonly url: string;
  /** The `Accept` header. */
  readonly accept?: string;
  /** Goes to GitHub's API: gets the token where there is one, and counts against its hourly allowance. */
  readonly githubApi?: boolean;
  /** The `Authorization` header: a secret, which no other origin sees, wherever redirects lead. */
  readonly authorization?: string;
  /** Other headers; never a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a service asks to be left alone after each request, where that is longer than for any host. */
  readonly pause?: Duration;
}

/** The answer to a request: 2xx, or a status that the reader takes for a reading. Never 304. */
export interface Response {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
}

/** A host that asked to be left alone, and the status by which it did. */
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

/** The rules of an origin's robots.txt for one product, and by what they are asked for anew. */
export interface StoredRobots {
  /** The name that a program goes by in robots.txt. */
  readonly product: string;
  readonly origin: string;
  /** JSON, as their reader writes them. */
  readonly rules: string;
  /** When they were read, or confirmed, last. */
  readonly read: Instant;
  readonly validators: Pick<Validators, "etag" | "lastModified">;
}

/** All that is remembered of hosts, whoever asks them: it outlives a run. */
export interface HostMemory {
  /** The hosts that are known to rest; some of these rests may be over. */
  rests(now: Instant): Promise<readonly HostRest[]>;
  saveRest(rest: HostRest, now: Instant): Promise<void>;
  turns(): Promise<readonly HostTurn[]>;
  /** Replaces all turns that are stored. */
  saveTurns(turns: readonly HostTurn[]): Promise<void>;
  /** Forgets what is over at `now`, robots.txt that nobody has read for a month, and the oldest where all are too much. */
  forget(now: Instant): Promise<void>;
  /**
   * Takes the turn at a host before all processes that share it: `wait` 0 where it is this one's until `leave`, else how
   * long it is another's at most. `rest`: the host asked to be left alone. Missing where this is the only process.
   */
  take?(host: string, now: Instant): Promise<{ readonly wait: Duration; readonly rest?: HostRest }>;
  /** Leaves the turn to others after a pause. */
  leave?(host: string, pause: Duration): Promise<void>;
  robots(product: string, origin: string): Promise<StoredRobots | undefined>;
  saveRobots(robots: StoredRobots): Promise<void>;
}
