import type { ArchiveSettings } from "../adapters/fetch/archive.ts";
import type { FetchSettings } from "../adapters/fetch/index.ts";
import type { Auth } from "../adapters/github/client.ts";
import type { GitHubOptions } from "../adapters/github/index.ts";
import type { Receivers } from "../adapters/messages/courier.ts";
import type { Clock } from "../model/ports/index.ts";
import { aDay, type Duration } from "../model/time.ts";

/** All settings from outside. The faces read them from the environment, the demo and tests set them directly. */
export interface Settings {
  /** The folder of `sources.yaml` and `triggers/`. */
  readonly config: string;
  /** The folder of the store's file, or the address of a PostgreSQL database; `:memory:` for no store. */
  readonly data: string;
  /** `owner/name` of the report's repository, if there is one. */
  readonly repo?: string;
  readonly auth?: Auth;
  /** API address of the report's own GitHub: `https://github.example.com/api/v3` for GitHub Enterprise. */
  readonly githubApi?: string;
  /** Reads sources on github.com, if the report is on another GitHub. */
  readonly githubComToken?: string;
  readonly clock: Clock;
  readonly fetch: Omit<FetchSettings, "clock" | "githubToken" | "userAgent">;
  /** The web archive that is asked for copies; undefined if disabled. */
  readonly archive?: ArchiveSettings;
  /** The address of a browser, by the Chrome DevTools Protocol. */
  readonly browser?: string;
  readonly github?: Pick<GitHubOptions, "log" | "audit" | "fetch" | "patience" | "hangUp" | "onQuota">;
  readonly run?: WorkflowRun;
  /** How long data is kept. */
  readonly keep?: Keep;
  /** Receivers of messages; empty by default. */
  readonly receivers?: Receivers;
  /** The heartbeat address, requested after each successful round or scan. */
  readonly heartbeat?: URL;
  /** The contact address for services: sent with each request for a source. */
  readonly contact?: string;
  /** Repositories whose config may use the receivers of a server. */
  readonly notifiable?: readonly string[];
  /** Receives errors of the queue that processes share. */
  readonly onJobProblem?: (error: unknown) => void;
  /** Whether nothing may be written anywhere: the store is a copy in memory. */
  readonly dryRun?: boolean;
  /** The store came from the repository itself, so it belongs to it under any name. */
  readonly carried?: boolean;
}

export const systemClock: Clock = { now: () => Date.now() };

export const nobody: Receivers = { places: {} };

export interface Keep {
  /** Data of a repository from which the App was uninstalled. A new installation within that time continues with it. */
  readonly removed: Duration;
  /** Names and reasons of people in answers; undefined: as long as the answers. */
  readonly names?: Duration;
}

/** Spec: https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
export interface WorkflowRun {
  readonly id?: string;
  readonly attempt?: number;
  readonly event?: string;
  /** `refs/heads/main`, `refs/tags/v1`, `refs/pull/7/merge`. */
  readonly ref?: string;
  /** Undefined on a tag or a pull request. */
  readonly branch?: string;
  readonly defaultBranch?: string;
}

export const usualKeep: Keep = { removed: 30 * aDay };

/** A wrong setting: one sentence that names the variable, never its value. */
export class WrongSetting extends Error {
  override readonly name = "WrongSetting";
}
