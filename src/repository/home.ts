import type { Config } from "../model.ts";
import type { AppGitHub, Clock, RepositoryState, Store } from "../ports.ts";
import type { Reader } from "../read/reader.ts";
import type { Link } from "../recheck/question.ts";

/** One repository that is served, as it stands when a piece of work on it begins. */
export interface Home {
  readonly state: RepositoryState;
  /** What is in use; undefined where there is none yet. */
  readonly config?: Config;
  readonly store: Store;
  readonly github: AppGitHub;
  readonly clock: Clock;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly link: Link;
}

/** With what it takes to try a config out. */
export interface Workshop extends Home {
  /** A store that is nowhere but in memory, for trying a config on what is stored. */
  readonly scratch: () => Promise<{ readonly store: Store; close(): Promise<void> }>;
}
