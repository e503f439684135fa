import type { ArchiveSettings } from "../adapters/fetch/archive.ts";
import type { FetchSettings } from "../adapters/fetch/index.ts";
import type { Auth } from "../adapters/github/client.ts";
import type { GitHubOptions } from "../adapters/github/index.ts";
import type { Receivers } from "../adapters/messages/courier.ts";
import type { Clock } from "../model/ports/index.ts";

/** Everything that the outside decides; the faces fill it from the environment, the demo and tests by hand. */
export interface Settings {
  /** Where `sources.yaml` and `triggers/` are. */
  readonly config: string;
  /** The folder of the store's file, or the address of a PostgreSQL database; `:memory:` for none. */
  readonly data: string;
  /** `owner/name` of the report's repository, if there is one. */
  readonly repo?: string;
  readonly auth?: Auth;
  /** Of the API of the report's own GitHub: `https://github.example.com/api/v3` for GitHub Enterprise. */
  readonly githubApi?: string;
  /** For reading sources on github.com where the report's own GitHub is another one. */
  readonly githubComToken?: string;
  readonly clock: Clock;
  readonly fetch: Omit<FetchSettings, "clock" | "githubToken" | "userAgent">;
  /** The web archive that is asked for copies; undefined: none is. */
  readonly archive?: ArchiveSettings;
  readonly github?: Pick<GitHubOptions, "log" | "fetch" | "patience" | "hangUp" | "onQuota">;
  /** The run of a workflow that this is part of. */
  readonly run?: { readonly id?: string; readonly attempt?: number; readonly event?: string; readonly branch?: string };
  /** Where channels to people lead; nowhere unless told. */
  readonly receivers?: Receivers;
  /** Asked for after each good round or scan. */
  readonly heartbeat?: URL;
  /** Repositories whose config may use the receivers of a server. */
  readonly notifiable?: readonly string[];
  /** Hears of trouble with the queue that processes share. */
  readonly onJobProblem?: (error: unknown) => void;
  /** The store came from the repository itself: under whatever name, it is this one's. */
  readonly carried?: boolean;
}

export const systemClock: Clock = { now: () => Date.now() };

export const nowhere: Receivers = { places: {} };
