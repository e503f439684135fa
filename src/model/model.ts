import type { Condition } from "./condition.ts";
import type { Channel } from "./message.ts";

/**
 * The words of Recheck, as types: each has one meaning, in code, config, documentation and issues, and no synonyms.
 * Nothing here does anything: behaviour lives in the steps (read, compare, evaluate, recheck).
 */

/** Milliseconds since 1970-01-01T00:00:00Z, UTC. Every one of them comes from a clock that was passed in. */
export type Instant = number;

/** A length of time in milliseconds. */
export type Duration = number;

// ── What is watched ────────────────────────────────────────────────────────────────────────────

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
  /** Reference numbers whose frozen page this source is watched in place of. */
  readonly standsFor: readonly number[];
  /** Ids of `documents` that cite this address. */
  readonly citedBy: readonly string[];
  /** Ids of the products whose versions this source announces. In YAML one id or a list. */
  readonly announces: readonly string[];
  /** Facts that were true when the report was audited: `{ public: "no" }`. */
  readonly atAudit?: Facts;
  /** How often to look; else the kind's, from `schedule`. */
  readonly every?: Duration;
  /** How long after a first sighting a second look confirms it; 6 h unless told. */
  readonly confirm?: Duration;
  readonly claims: readonly Claim[];
}

/** One thing the report says on a source's authority, with its one proof. */
export interface Claim {
  readonly id: string;
  readonly source: string;
  readonly says: string;
  readonly proof: Proof;
  /** Rating ids that rest on it. */
  readonly ratings: readonly string[];
  /** Reference numbers in the report. */
  readonly cites: readonly number[];
  /** Conditions that overturn it, even while its own source still says it. */
  readonly until: readonly Condition[];
}

/**
 * `quote`: this passage must be there (W3C Web Annotation TextQuoteSelector: exact, prefix, suffix).
 * `value`: this figure with its unit must be there, near the words of `of` where given.
 * `absent`: this must not be there.
 * `fact`: this fact must be this.
 */
export type Proof =
  | { readonly quote: string; readonly prefix?: string; readonly suffix?: string }
  | { readonly value: string; readonly of?: string }
  | { readonly absent: string; readonly under?: string }
  | { readonly fact: string; readonly is: string };

/** How a product counts its versions: all that `version.ts` may know of it. */
export interface Product {
  readonly id: string;
  readonly name: string;
  /** Other spellings by which titles and headings name it, matched as whole words. */
  readonly aliases: readonly string[];
  /** Tag shapes with `{version}`; a tag of another shape is not a release. Empty: `v1.2.3` and `1.2.3`. */
  readonly tags: readonly string[];
  /** `{ "13.4.1": "13.4" }`: what the left is called is the version on the right. */
  readonly renumbered: Readonly<Record<string, string>>;
  /** How many parts make a version distinct; all unless told (2: 13.0.1 and 13.0 are one event). */
  readonly parts?: number;
  /** Versions that were announced by mistake and never were. */
  readonly phantom: readonly string[];
}

// ── What is judged ─────────────────────────────────────────────────────────────────────────────

/** One judgement of the report. */
export interface Rating {
  readonly id: string;
  /** A level of `levels`, or free text or a value where there are none. */
  readonly level: string;
  readonly volatility?: string;
  /** `judgement`: no source can settle it. */
  readonly basis?: "judgement";
  /** Last time a person reviewed it. */
  readonly reviewed?: Instant;
  readonly owners: readonly string[];
}

/** A judgement that rests on ratings (and on other conclusions); asked about only when one of them changes. */
export interface Conclusion {
  readonly id: string;
  readonly text: string;
  readonly restsOn: readonly string[];
}

// ── What happens ───────────────────────────────────────────────────────────────────────────────

/** Names to values, as text; booleans are `yes` and `no`. */
export type Facts = Readonly<Record<string, string>>;

/** One entry of a list: a release, a feed entry, a tag, a commit. */
export interface Item {
  /** Stable within its source. */
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  /** When the source says it happened. */
  readonly at?: Instant;
  /** Where it does not say that: not before this. */
  readonly notBefore?: Instant;
  /** Grows with each entry that the source makes: an entry came before those with a higher one, whatever `at` says. */
  readonly serial?: number;
  /** As the source spells it: `v2.13.0`, `rocm-7.14.0`. */
  readonly version?: string;
  /** The source itself says: not a final release. */
  readonly pre?: boolean;
  /** The text of it, as blocks, for `matches` and for evidence. */
  readonly blocks?: readonly Block[];
}

export type BlockKind = "heading" | "paragraph" | "item" | "row" | "code" | "quote" | "term";

/** A piece of a page's main content. */
export interface Block {
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  readonly kind: BlockKind;
  /** White space folded; a row's cells are joined by ` | `. */
  readonly text: string;
  /** For a row: its table's header cells, joined the same way. */
  readonly header?: string;
}

/** A response as a reader understands it. A kind fills what it has. */
export interface Reading {
  readonly title?: string;
  /** BCP 47, where the source says it. */
  readonly language?: string;
  readonly items?: readonly Item[];
  readonly blocks?: readonly Block[];
  /**
   * What marks the part of a page that holds its content, or the format of a text. Where it differs, the page was laid
   * out anew.
   */
  readonly region?: string;
  readonly facts?: Facts;
  /**
   * The source could not tell all: facts that are missing stay as they were, and those that come later are told as
   * first seen.
   */
  readonly partial?: true;
  /** For a source that looks at others itself: how long what it says holds. */
  readonly holds?: Holds;
}

/** A monitor that has not looked again by `until` has stopped: what it says is no longer so, nor is it unchanged. */
export interface Holds {
  readonly until: Instant;
  /** When it last looked. */
  readonly since: Instant;
}

/** A typed difference between two snapshots. */
export type Change =
  | { readonly kind: "item-added"; readonly item: Item }
  | { readonly kind: "item-edited"; readonly before: Item; readonly item: Item }
  | { readonly kind: "item-withdrawn"; readonly item: Item }
  | {
      readonly kind: "fact";
      readonly name: string;
      readonly before?: string;
      readonly after?: string;
      /** For a value that was seen before and held for a while: how many times it came. */
      readonly again?: number;
    }
  | { readonly kind: "block"; readonly before?: Block; readonly after?: Block }
  | {
      readonly kind: "claim";
      readonly claim: string;
      readonly from: ClaimStatus;
      readonly to: ClaimStatus;
      readonly before?: string;
      /** For *gone*: the text that took its place, where one did. */
      readonly after?: string;
      /** For *not found*: the source was read, and says something else where the proof should stand. */
      readonly otherwise?: true;
      /**
       * How many times it was altered, gone or contradicted before, and supported in between; of a fact, by this very
       * value.
       */
      readonly again?: number;
    }
  /** It gives something else for good: what, in our own words (`another list`, `in German`), and since when. */
  | { readonly kind: "turned"; readonly now: string; readonly since: Instant }
  | {
      readonly kind: "link";
      readonly to: "gone" | "moved" | "back";
      readonly address?: string;
      /** For what was so before, and was over for a while: how many times. */
      readonly again?: number;
    };

export type ClaimStatus = "supported" | "altered" | "gone" | "contradicted" | "not found";

/** How a claim stood when it was last proved. */
export interface ClaimState {
  readonly claim: string;
  readonly status: ClaimStatus;
  /** Since when it has this status. */
  readonly since: Instant;
  /** The passage as last found. */
  readonly found?: string;
  /** For *altered*: what it said before. */
  readonly before?: string;
  /** Digest of the proof that it was proved by: with another one in config it is another claim. */
  readonly proved?: string;
  /** How many times it was supported for a while, and then no more. */
  readonly falls?: number;
  /** How many times it came to stand as it does now, if that was told more than once. */
  readonly times?: number;
  /**
   * The other ways in which it stood, each by a name: when it stopped, and how many times it had come to stand so by
   * then.
   */
  readonly earlier?: Readonly<Record<string, { readonly left: Instant; readonly times: number }>>;
}

/** A change that counts, and when it was first seen. */
export interface Seen {
  readonly change: Change;
  readonly since: Instant;
  /** Of an entry: the last look at which it was not there as it is now. */
  readonly absent?: Instant;
}

/** A difference seen once, waiting for a second look. */
export interface Sighting {
  readonly change: Change;
  readonly since: Instant;
}

/** A difference seen once, with all that comes of it if it lasts. */
export interface PendingSighting extends Sighting {
  readonly asks: readonly Foreseen[];
  /** The claims that it moves. */
  readonly claims?: readonly Extract<Change, { kind: "claim" }>[];
}

/** A condition that is met if a difference lasts, the trigger that it asks, and how. */
export interface Foreseen {
  readonly trigger: string;
  readonly condition: Condition;
  readonly weight?: Firing["weight"];
  /** The claim that this is about, by `source/claim`. */
  readonly claim?: string;
}

/** A difference that was taken for noise, and why: shown by `explain`. */
export interface Noise {
  readonly change: Change;
  readonly reason:
    | "moves at every look"
    | "one of a few variants"
    | "returned to an earlier text"
    | "too old to be new"
    | "did not last"
    | "laid out anew"
    | "a stamp"
    | "the same words"
    | "the site's"
    | "told of the site";
  /** Of a change that is the site's: how many of its pages made it, this one too. */
  readonly site?: { readonly pages: number };
}

/** Announced by a change, with a key that is the same wherever it is announced. */
export interface Event {
  /** `pytorch 2.13.0`, `torchtpu public yes`, or the source and item where there is no product. */
  readonly key: string;
  readonly product?: string;
  readonly version?: string;
  /** When it happened, where a source says so. */
  readonly at?: Instant;
}

/** A declared condition and the ratings it asks about. */
export interface Trigger {
  readonly id: string;
  readonly name: string;
  /** The report's own words. */
  readonly wording?: string;
  readonly confidence?: string;
  readonly volatility?: string;
  readonly ratings: readonly string[];
  readonly on: readonly Condition[];
  /** Conditions that the report forgot. */
  readonly also: readonly Condition[];
  /** Questions, one a line. */
  readonly ask: readonly string[];
}

/** One trigger met by one event. */
export interface Firing {
  /** Trigger and event key: unique in a repository. */
  readonly trigger: string;
  readonly event: Event;
  readonly weight: "routine" | "contrary";
  /** First seen by us. */
  readonly seen: Instant;
  /** When it became a firing: later than `seen` where a second look was needed. */
  readonly fired: Instant;
  readonly evidence: readonly Evidence[];
}

/** Parts of a release's notes that name what a trigger asks about. */
export interface Notes {
  /** The names that were looked for. */
  readonly about: readonly string[];
  /** Each below its heading; empty where nothing of the notes speaks of any. */
  readonly paragraphs: readonly string[];
  /** Paragraphs that were left out. */
  readonly more: number;
}

/** One sighting of a firing's event in one source. */
export interface Evidence {
  readonly source: string;
  readonly seen: Instant;
  readonly change: Change;
  /**
   * Which condition: `on` is what the report says, `also` what it forgot, `until` ends a claim, `claim` is the claim
   * itself.
   */
  readonly part: "on" | "also" | "until" | "claim";
  readonly condition?: Condition;
  readonly claim?: string;
  /** The text of a section that matched. */
  readonly excerpt?: string;
  /** Of a release: what its notes say of that which the trigger asks about. */
  readonly notes?: Notes;
}

/** Changes of one look that are one event: one entry, one fact, or all blocks of a page together. */
export interface Occurrence {
  readonly event: Event;
  readonly changes: readonly Seen[];
}

/** An event that a look found, and what each trigger that listens to it made of it. */
export interface Happening extends Occurrence {
  readonly hearings: readonly Hearing[];
  /** How many changes and hearings were left out, where there were too many to keep. */
  readonly left?: number;
}

/** One trigger's answer to an event. */
export interface Hearing {
  readonly trigger: string;
  /**
   * `fired`: it asks; `evidence`: it asked already, and this is one more piece of evidence; `known`: a condition is
   * met, and the event was known before; `unmet`: no condition is met.
   */
  readonly outcome: "fired" | "evidence" | "known" | "unmet";
  /** For `known`: where it was seen before. Absent where the trigger asked about this very sighting already. */
  readonly knownFrom?: { readonly source: string; readonly baseline: boolean };
  readonly verdicts: readonly Verdict[];
}

/** Whether one condition is met by a change of an event, or why it is not. */
export interface Verdict {
  readonly part: Evidence["part"];
  readonly condition: Condition;
  readonly met: boolean;
  readonly because?: string;
}

/** The outcome of one attempt to see a source. */
export type Outcome = "first" | "unchanged" | "changed" | "unknown";

export type FreshnessLevel = "in doubt" | "blind" | "to review" | "due" | "fresh";

/** Of a rating: the first that holds, and why. */
export interface Freshness {
  readonly rating: string;
  readonly level: FreshnessLevel;
  /** Since when; for *fresh*, when it will be due. */
  readonly at: Instant;
  /** Triggers or sources that make it so. */
  readonly because: readonly string[];
}

// ── What a repository declares ─────────────────────────────────────────────────────────────────

export interface Report {
  readonly title: string;
  readonly url?: string;
  /** The address of the folder in which what is published is served. */
  readonly pages?: string;
  readonly version?: string;
  /** When its author last checked it against its sources. */
  readonly audited: Instant;
  /** The report's own file in the repository: `README.md`. */
  readonly text?: string;
  /** A pull request that makes the text say what its cited pages do not fails its check run; else it is only told. */
  readonly check?: "required";
  /** The file in which every review leaves a line. */
  readonly log?: string;
  /** To be written down by whoever reviews, so that others can repeat it: stack, hardware, precision … */
  readonly record: readonly string[];
}

/** Another document whose sources are watched too: an article. */
export interface Document {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly published?: string;
}

/** A reference that is cited and cannot be watched, and why. */
export interface Unwatchable {
  readonly title: string;
  readonly url?: string;
  readonly cites: readonly number[];
  readonly citedBy: readonly string[];
  readonly because: string;
}

/** `sources.yaml` and `triggers/*.yaml`, checked and with every default filled in. Maps keep the order of the files. */
export interface Config {
  readonly report: Report;
  readonly documents: ReadonlyMap<string, Document>;
  /** Lowest first; empty where ratings are texts or values. */
  readonly levels: readonly string[];
  /** How long a rating stays fresh, by volatility: `High` → 90 days. */
  readonly volatility: ReadonlyMap<string, Duration>;
  /** The parts of a rating's id: two of them draw a matrix. */
  readonly axes: readonly string[];
  /** How people call the parts of an id. */
  readonly names: ReadonlyMap<string, string>;
  /** By the last part of a rating's id (or the whole id), then by level. */
  readonly rubric: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly ratings: ReadonlyMap<string, Rating>;
  readonly conclusions: ReadonlyMap<string, Conclusion>;
  readonly products: ReadonlyMap<string, Product>;
  readonly sources: ReadonlyMap<string, Source>;
  readonly unwatchable: readonly Unwatchable[];
  readonly triggers: ReadonlyMap<string, Trigger>;
  /** How often to look, by kind. */
  readonly schedule: ReadonlyMap<string, Duration>;
  /** The first look at a page or text stands alone, or is compared with its copy in a web archive nearest the audit. */
  readonly baseline: "first-look" | "archive";
  /** Whether one issue shows how everything stands. */
  readonly overview: boolean;
  readonly limits: Limits;
  /** The ways to people beside GitHub, by their ids. */
  readonly channels: ReadonlyMap<string, Channel>;
}

/** How much is written to GitHub within one hour, at most. */
export interface Limits {
  /** Issues, comments and pull requests. */
  readonly contentsAnHour: number;
  /** New rechecks. */
  readonly rechecksAnHour: number;
}

// ── What a scan tells ──────────────────────────────────────────────────────────────────────────

/** One look, as told to people and programs. */
export interface Look {
  readonly source: string;
  readonly at: Instant;
  readonly outcome: Outcome;
  /** For *unknown*: the reason. */
  readonly failure?: Trouble;
  /** Seen once; a second look is due at `secondLook`. */
  readonly sightings: readonly Sighting[];
  readonly secondLook?: Instant;
  readonly noise: readonly Noise[];
  /** Firings that this look caused, or gave evidence to. */
  readonly firings: readonly Firing[];
  /** When it will be looked at again by itself. */
  readonly next: Instant;
}

/** Why a source cannot be seen, and since when. */
export interface Trouble {
  readonly kind: string;
  /** The sentence of `failure.ts`. */
  readonly says: string;
  readonly since: Instant;
  /** Looks in a row. */
  readonly count: number;
  /** The last of them, those that all said the same: since when, and how many. */
  readonly alike?: { readonly since: Instant; readonly count: number };
}
