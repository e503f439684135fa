import type { Config } from "../model.ts";
import type { AppGitHub, Clock, RepositoryState, Store } from "../ports.ts";
import type { Reader } from "../read/reader.ts";
import type { Link } from "../recheck/question.ts";
import type { Aside } from "./aside.ts";

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
  readonly aside: Aside;
}
