import type { Target } from "../../../audit/visit.ts";
import type { Block, Item, Reading } from "../../../model/reading.ts";
import { day, type Instant } from "../../../model/time.ts";
import { oneLine, pluralize } from "../../../model/words.ts";
import { watchedAddress } from "../../../report/cite/addresses.ts";

export interface AddRequest {
  readonly kind?: string;
  readonly id?: string;
  readonly cites: readonly number[];
  readonly standsFor: readonly number[];
}

export interface Candidate extends Target {
  /** A sentence fragment: why this is watched. */
  readonly why: string;
  /** Why another page is watched than the one given: this one changes instead of it. */
  readonly instead?: string;
  /** The address of a page's text, if its markup has none. */
  readonly from?: string;
  /** Why the page probably never changes, if no page was found that changes instead of it. */
  readonly frozen?: string;
}

/** An address that was checked on the way. */
export interface TriedAddress {
  readonly kind: string;
  readonly address: string;
  /** Its content, or why it was rejected. */
  readonly says: string;
  readonly seen: boolean;
}

/** A new entry of `sources`, and the reasons for it. */
export interface Proposal extends Candidate {
  readonly id: string;
  readonly title?: string;
  readonly announces?: string;
  readonly cites: readonly number[];
  readonly standsFor: readonly number[];
  /** In the form of config: `14d`. */
  readonly every?: string;
  /** Questions that no program can answer, for the person who reads on. */
  readonly notes: readonly string[];
  /** Its content now, in words. */
  readonly gives: string;
}

/** Why an address was not added, and the alternatives, if any. */
export class NotAdded extends Error {
  override readonly name = "NotAdded";
  readonly hints: readonly string[];
  /** An entry for `unwatchable`, if the address can be listed there. */
  readonly unwatchable?: { readonly title: string; readonly url: string; readonly because: string };

  constructor(says: string, hints: readonly string[] = [], unwatchable?: NotAdded["unwatchable"]) {
    super(says);
    this.hints = hints;
    if (unwatchable) this.unwatchable = unwatchable;
  }
}

/** Parses the address that a person gave. @throws NotAdded */
export function givenAddress(written: string): string {
  const text = written.trim();
  const url = URL.parse(text) ?? (/^[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(text) ? URL.parse(`https://${text}`) : null);
  if (!url) throw new NotAdded(`this is not an address; write it like ${example(text)}`);
  if (!/^https?:$/.test(url.protocol)) throw new NotAdded("only http and https are read");
  if (url.username || url.password) throw new NotAdded("the address holds credentials; config must not hold secrets");
  const address = watchedAddress(url);
  if (!address) throw new NotAdded("the address is longer than 1,000 characters");
  return address;
}

/** Suggests an address for `owner/name` and for addresses that `git clone` accepts. */
function example(text: string): string {
  const [, repo] = /^(?:git@github\.com:)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text) ?? [];
  return repo === undefined ? "https://example.org/docs/install" : `https://github.com/${repo}`;
}

/** Whose site an address belongs to, as one word of its host: `docs.widget.example` is `widget`. */
export function siteOfAddress(address: string): string {
  const host = URL.parse(address)?.hostname ?? "";
  if (/^[\d.]+$|:/.test(host)) return "";
  const labels = host.split(".");
  return labels.slice(0, Math.max(1, labels.length - 1)).find((label) => !general.has(label)) ?? "";
}

const general = new Set(
  "www docs doc documentation blog blogs news press policies developer developers dev api help support learn wiki en m".split(
    " ",
  ),
);

/** The content of a reading, in words: `12 entries, newest "Widget 3.2" of 2026-11-02`. `audited`: how much of it is newer. */
export function givesNow({ items, blocks, facts }: Reading, audited?: Instant): string {
  const firstFacts = Object.entries(facts ?? {})
    .slice(0, 4)
    .map(([name, value]) => `${name}: ${oneLine(value, 60)}`);
  const parts = [items && entries(items, audited), blocks && blocks.length > 0 && text(blocks), firstFacts.join(", ")];
  return parts.filter(Boolean).join("; ") || "nothing yet";
}

function entries(items: readonly Item[], audited: Instant | undefined): string {
  if (items.length === 0) return "no entries yet";
  const newest = items.reduce((a, b) => ((b.at ?? 0) > (a.at ?? 0) ? b : a));
  const on = newest.at === undefined ? "" : ` of ${day(newest.at)}`;
  const since = items.filter(({ at }) => audited !== undefined && at !== undefined && at > audited).length;
  const newer = audited === undefined ? "" : `; ${since} newer than the audit of ${day(audited)}`;
  return `${pluralize(items.length, "entry", "entries")}, newest "${oneLine(newest.title)}"${on}${newer}`;
}

function text(blocks: readonly Block[]): string {
  const headings = blocks.filter(({ kind }) => kind === "heading").map((block) => `"${oneLine(block.text, 40)}"`);
  const count = pluralize(blocks.length, "block");
  if (headings.length === 0) return `${count} of text`;
  const more = headings.length > 4 ? ` and ${headings.length - 4} more headings` : "";
  return `${count} of text under ${headings.slice(0, 4).join(", ")}${more}`;
}
