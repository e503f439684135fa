import type { Claim } from "./claim.ts";
import type { Facts } from "./reading.ts";
import type { Duration } from "./time.ts";

/** One address that is watched, of one kind. `options` holds what only its kind understands (see `read/<kind>.ts`). */
export interface Source {
  readonly id: string;
  readonly kind: string;
  /** As written in config: a URL, or `owner/name`, `owner/name#1`, a package name … as the kind wants it. */
  readonly address: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly title?: string;
  /** Reference numbers of the report that cite this very address. */
  readonly cites: readonly number[];
  /** Reference numbers of frozen pages in whose place this source is watched. */
  readonly standsFor: readonly number[];
  /** Ids of `documents` that cite this address. */
  readonly citedBy: readonly string[];
  /** Ids of the products whose versions this source announces. In YAML one id or a list. */
  readonly announces: readonly string[];
  /** Facts that were true when the report was audited: `{ public: "no" }`. */
  readonly atAudit?: Facts;
  /** How often to look; the kind's cadence from `schedule` unless given. */
  readonly every?: Duration;
  /** The time after a first sighting at which a second look confirms it; 6 hours unless given. */
  readonly confirm?: Duration;
  readonly claims: readonly Claim[];
}
