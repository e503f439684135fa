import type { Config, Firing, Instant } from "../model.ts";
import type { Watch } from "../ports.ts";
import type { Link } from "../recheck/question.ts";
import type { Folder } from "../repository/config-files.ts";
import type { Status } from "../status.ts";
import type { Figures } from "../verdict/figures.ts";

/** What an overview issue is made of. */
export interface Overview {
  readonly config: Config;
  readonly status: Status;
  readonly watches: readonly Watch[];
  /** Those that are open. */
  readonly rechecks: readonly OpenRecheck[];
  /** How useful each trigger's questions were, by its id. */
  readonly figures: ReadonlyMap<string, Figures>;
  /** The random word by which the issue is found again. */
  readonly marker: string;
  /** Whether ticks are read and carried out. */
  readonly commands?: boolean;
  /** What people are to know of the App itself: Markdown of our own making. */
  readonly notices?: readonly string[];
  /** When the last scan ended, if one has; else the last look is told. */
  readonly lastScan?: Instant;
  readonly link: Link;
  /** Where config lives in the repository; its root unless told. */
  readonly folder?: Folder;
}

export interface OpenRecheck {
  readonly id: number;
  readonly trigger: string;
  readonly issue?: number;
  readonly snoozed?: Instant | "next-event";
}

/** An overview on its way to text. `passing` marks what changes by itself and is no news; the hash is without it. */
export interface Drawing extends Overview {
  readonly passing: (text: string) => string;
}

/** A question that waits for an answer. */
export interface Waiting {
  readonly trigger: string;
  /** That asks about them, once it is planned. */
  readonly recheck?: number;
  readonly issue?: number;
  readonly firings: readonly Firing[];
}
