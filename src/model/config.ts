import type { Condition } from "./condition.ts";
import type { Channel } from "./message.ts";
import type { Source } from "./source.ts";
import type { Duration, Instant } from "./time.ts";
import type { Product } from "./version.ts";

/** `sources.yaml` and `triggers/*.yaml`, checked and with every default filled in. Maps keep the order of the files. */
export interface Config {
  readonly report: Report;
  readonly documents: ReadonlyMap<string, Document>;
  /** Lowest first; empty if ratings are texts or values. */
  readonly levels: readonly string[];
  /** How long a rating stays fresh, by volatility: `High` → 90 days. */
  readonly volatility: ReadonlyMap<string, Duration>;
  /** The parts of a rating's id: two of them draw a matrix. */
  readonly axes: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  /** By the last part of a rating's id (or the whole id), then by level. */
  readonly rubric: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly ratings: ReadonlyMap<string, Rating>;
  readonly conclusions: ReadonlyMap<string, Conclusion>;
  readonly products: ReadonlyMap<string, Product>;
  readonly sources: ReadonlyMap<string, Source>;
  readonly unwatchable: readonly Unwatchable[];
  readonly triggers: ReadonlyMap<string, Trigger>;
  /** The cadence, by kind. */
  readonly schedule: ReadonlyMap<string, Duration>;
  /** Whether the first check of a page or text is compared with its copy in a web archive nearest the audit. */
  readonly baseline: "first-check" | "archive";
  /** Whether one issue shows the state of everything. */
  readonly overview: boolean;
  readonly limits: Limits;
  /** The channels to people outside GitHub, by id. */
  readonly channels: ReadonlyMap<string, Channel>;
}

export interface Report {
  readonly title: string;
  readonly url?: string;
  /** The address of the folder from which the published files are served. */
  readonly pages?: string;
  readonly version?: string;
  /** When its author last checked it against its sources. */
  readonly audited: Instant;
  /** The report's own file in the repository: `README.md`. */
  readonly text?: string;
  /** Whether a pull request whose text contradicts its cited pages fails its check run; by default it is only reported. */
  readonly check?: "required";
  /** The file in which every review leaves a line. */
  readonly log?: string;
}

/** Another document whose sources are watched too: an article. */
export interface Document {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly published?: string;
}

export interface Rating {
  readonly id: string;
  /** A level of `levels`; a text or value if there are no levels. */
  readonly level: string;
  readonly volatility?: string;
  /** `judgement`: no source can settle it. */
  readonly basis?: "judgement";
  /** When a person last reviewed it. */
  readonly reviewed?: Instant;
  readonly owners: readonly string[];
}

/** A judgement that rests on ratings (and on other conclusions). It is asked about only when one of them changes. */
export interface Conclusion {
  readonly id: string;
  readonly text: string;
  readonly restsOn: readonly string[];
}

/** A declared set of conditions, and the ratings it asks about. */
export interface Trigger {
  readonly id: string;
  readonly name: string;
  /** The report's own words. */
  readonly wording?: string;
  readonly confidence?: string;
  readonly volatility?: string;
  readonly ratings: readonly string[];
  readonly on: readonly Condition[];
  /** Conditions that the report does not name. */
  readonly also: readonly Condition[];
  /** Questions, one a line. */
  readonly ask: readonly string[];
}

/** A reference that is cited but cannot be watched, and why. */
export interface Unwatchable {
  readonly title: string;
  readonly url?: string;
  readonly cites: readonly number[];
  readonly citedBy: readonly string[];
  readonly because: string;
}

/** Limits on writes to GitHub within one hour. */
export interface Limits {
  /** Issues, comments and pull requests. */
  readonly contentsAnHour: number;
  readonly rechecksAnHour: number;
}

export const usualLimits: Limits = { contentsAnHour: 20, rechecksAnHour: 2 };
