import { fragmentOf } from "../../claims/find/fragment.ts";
import type { Folder } from "../../config/files.ts";
import type { ClaimState } from "../../model/claim.ts";
import type { Config, Trigger } from "../../model/config.ts";
import { ratingsInDoubt } from "../../model/dependencies.ts";
import { builtIn, type Evidence, type Firing } from "../../model/firing.ts";
import { clean, fence, link, ownLink, words } from "../../model/markdown.ts";
import type { ArchivedChange, WholeVerdict } from "../../model/ports/index.ts";
import { pagePath, publishedAt, referenceAnchor } from "../../model/published.ts";
import type { Block } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";
import { firstOf, type Place, placeText, refNumbers, triggerName, upTo } from "../../model/words.ts";
import { type FileChange, linesOfPatch, patchOf } from "../../report/edit/splice.ts";
import type { GivenAnswer } from "../answer/answers.ts";
import type { Offer, PlaceInReport } from "../correct.ts";

export interface Question {
  readonly config: Config;
  /** The id of a trigger in config, or of a built-in one. */
  readonly trigger: string;
  /** The random word that identifies the issue. */
  readonly marker: string;
  readonly firings: readonly Firing[];
  readonly claims: readonly ClaimState[];
  readonly archived?: readonly ArchivedChange[];
  /** The previous, answered recheck of the same trigger. */
  readonly previous?: { readonly issue: number; readonly closed?: Instant; readonly gone?: boolean };
  readonly link: Link;
  readonly folder?: Folder;
  /** The edits that keep all ratings in question, for people who edit config themselves. */
  readonly kept?: readonly FileChange[];
  readonly page?: PageOf;
  /** Finds lines in the report, if its text is known. */
  readonly places?: PlaceInReport;
  /** The untrue sentences, and their corrections. */
  readonly offer?: Offer;
  /** Whether commands and ticks are read and carried out. */
  readonly commands?: boolean;
  /** People's answers so far; the later of two about one rating counts. */
  readonly answers?: readonly GivenAnswer[];
  /** For the catch-up: the findings of the first check, until their own issue is answered. */
  readonly outOfDate?: readonly Firing[];
  /** Events that other open rechecks ask about too. */
  readonly related?: readonly Related[];
  /** The answers that are not in config yet: in a pull request, or as a patch if pull requests are not permitted. */
  readonly pending?: { readonly pull?: number; readonly patch?: string };
  /** Comments wait until then, or until something new is seen. */
  readonly snoozed?: Instant | "next-event";
  /** When it was closed, and with which verdict on the whole; without a verdict, by hand. */
  readonly closed?: { readonly at: Instant; readonly verdict?: WholeVerdict };
}

export type PageOf = (path: string) => string | undefined;

export interface Related {
  readonly firing: Firing;
  /** Numbers of their issues, lowest first. */
  readonly issues: readonly number[];
}

const builtIns: ReadonlySet<string> = new Set(Object.values(builtIn));

export function isKnown(trigger: string, config: Config): boolean {
  return config.triggers.has(trigger) || builtIns.has(trigger);
}

/** Whether a trigger has a file, `triggers/<id>.yaml`: built-in ones do not. */
export function hasFile(trigger: string, config: Config): boolean {
  return config.triggers.has(trigger);
}

/** The trigger from config; a built-in one asks about the ratings of its firings. */
export function triggerOf({ trigger, config, firings }: Pick<Question, "trigger" | "config" | "firings">): Trigger {
  const declared = config.triggers.get(trigger);
  if (declared) return declared;
  const ratings = [...new Set(firings.flatMap((firing) => [...ratingsInDoubt(firing, config)]))];
  return { id: trigger, name: triggerName(trigger, config), ask: [], ratings, on: [], also: [] };
}

export function askedRatings(firings: readonly Firing[], config: Config): string[] {
  const asked = new Set(firings.flatMap((firing) => [...ratingsInDoubt(firing, config)]));
  return [...config.ratings.keys()].filter((id) => asked.has(id));
}

/** Sentences that are no longer true first, then what else is contrary; among equals the newest first. */
export function strongestFirst<T extends Firing>(firings: readonly T[]): T[] {
  const weight = (firing: Firing): number => {
    if (firing.weight === "routine") return 2;
    return leadOf(firing)?.part === "claim" ? 0 : 1;
  };
  return [...firings].sort((a, b) => weight(a) - weight(b) || b.seen - a.seen || (a.event.key < b.event.key ? -1 : 1));
}

/** The strongest evidence of a firing: a claim, then an awaited event, then a main condition. */
export function leadOf(firing: Firing): Evidence | undefined {
  const rank = ({ part, condition }: Evidence): number => {
    if (part === "claim") return 0;
    if (condition?.awaited || part === "until") return 1;
    return part === "on" ? 2 : 3;
  };
  // If several sources announce one release, the one with meaningful notes comes first.
  const silence = ({ notes }: Evidence) => (notes === undefined ? 2 : notes.paragraphs.length > 0 ? 0 : 1);
  return [...firing.evidence].sort((a, b) => rank(a) - rank(b) || silence(a) - silence(b))[0];
}

/** `ref 53`, `refs 18, 27`. `list`: the numbers as text. */
export function refs(numbers: readonly number[], list = refNumbers(numbers)): string {
  return `${numbers.length === 1 ? "ref" : "refs"} ${list}`;
}

/** A firing as people see it: releases of one product that the same check saw first are grouped. */
export type FiringGroup<F extends Firing = Firing> = F & {
  /** All firings of the group, the strongest first; `evidence` is that of the whole group. */
  readonly releases?: readonly F[];
  /** The firings of the same event by several triggers; `evidence` is that of all. */
  readonly triggered?: readonly F[];
};

/** The same firings, with releases of one product that the same check saw first grouped into the strongest. */
export function groupReleases<F extends Firing>(firings: readonly F[]): FiringGroup<F>[] {
  return [...Map.groupBy(firings, checkOf).values()].map((group): FiringGroup<F> => {
    const releases = group.toSorted(byStrength);
    const [first] = releases;
    if (!first || releases.length === 1) return group[0] as F;
    const evidence = releases.flatMap((firing) => firing.evidence);
    return { ...first, evidence, seen: Math.min(...releases.map(({ seen }) => seen)), releases };
  });
}

/** The same groups, with those of one event, from the same sources and with the same meaning, as one. */
export function groupTriggers<F extends Firing>(groups: readonly FiringGroup<F>[]): FiringGroup<F>[] {
  return [...Map.groupBy(groups, eventOf).values()].flatMap((triggered) => {
    const [first] = triggered;
    if (!first || triggered.length === 1) return triggered;
    return { ...first, evidence: triggered.flatMap(({ evidence }) => evidence), triggered };
  });
}

function eventOf(firing: FiringGroup): string {
  const { event, weight, evidence, releases = [] } = firing;
  const sources = [...new Set(evidence.map(({ source }) => source))].sort();
  const versions = releases.map((release) => release.event.key);
  return JSON.stringify([event.key, weight, sources, leadOf(firing)?.condition?.means, versions]);
}

/** A group key: product, check, trigger and recheck of a release; any other firing is its own group. */
function checkOf(firing: Firing & { readonly recheck?: number }): unknown {
  const { trigger, event, fired, recheck } = firing;
  const lead = leadOf(firing);
  if (event.product === undefined || event.version === undefined || lead?.change.kind !== "item-added") return firing;
  const isPre = lead.change.item.pre === true;
  return JSON.stringify([trigger, event.product, lead.source, fired, recheck, isPre, lead.condition?.means]);
}

/** Contrary first, then the newest, then the highest version. */
function byStrength(a: Firing, b: Firing): number {
  const weight = ({ weight }: Firing) => (weight === "contrary" ? 0 : 1);
  const newest = (b.event.at ?? b.seen) - (a.event.at ?? a.seen);
  return weight(a) - weight(b) || newest || versionOf(b).localeCompare(versionOf(a), "en", { numeric: true });
}

function versionOf({ event }: Firing): string {
  return event.version ?? "";
}

/** `Google TPU · Maturity`. */
export function ratingName(id: string, config: Config): string {
  return id
    .split("/")
    .map((part) => words(config.names.get(part) ?? part, 80))
    .join(" · ");
}

const maxNames = 24;

/** Ratings by name, grouped by row: `**Google TPU**: Maturity, Kernels · **Apple MPS**, all 5`. */
export function ratingNames(ids: readonly string[], config: Config): string {
  const namesOf = (all: readonly string[]) => {
    const names = all.map((id) => ratingName(id, config));
    return firstOf(names, maxNames);
  };
  if (config.axes.length !== 2) return namesOf(ids);
  const rows = Map.groupBy(ids, rowOf);
  const names = [...rows].map(([row, its]) => {
    const name = `**${ratingName(row, config)}**`;
    const all = [...config.ratings.keys()].filter((id) => rowOf(id) === row).length;
    if (its.length === all && all > 2) return `${name}, all ${all}`;
    return `${name}: ${namesOf(its.map((id) => id.slice(row.length + 1)))}`;
  });
  return upTo(maxNames, names).join(" · ");
}

function rowOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

/** A line of a file, linked to its place on GitHub if that is known: `README.md:16`. */
export function placeLink(place: Place, page: PageOf | undefined): string {
  const { file, line } = place;
  const [text, address] = [words(`\`${placeText(place)}\``, 200), page?.(file)];
  return address === undefined ? text : ownLink(text, line === undefined ? address : `${address}#L${line}`);
}

export function changedLine({ before = "", after }: FileChange): number {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return 1 + old.findIndex((line, index) => line !== now[index]);
}

/** A patch in a fence; undefined if it is empty, or would not apply once invisible characters were removed. */
export function shownPatch(changes: readonly FileChange[]): string | undefined {
  const lines = linesOfPatch(patchOf(changes));
  const isAsShown = lines.every((line) => clean(line) === line.replaceAll("\t", "  "));
  return lines.join("") !== "" && isAsShown ? fence(lines, "diff") : undefined;
}

/** `18, 27`, each a link to its entry on the published pages if config has their address. */
export function refNumberLinks(numbers: readonly number[], config: Config, most = 12): string {
  if (config.report.pages === undefined) return refNumbers(numbers, most);
  const entry = (number: number) => publishedAt(`references.html#${referenceAnchor(number)}`, config);
  const links = numbers.slice(0, most).map((number) => link(String(number), entry(number)));
  return `${links.join(", ")}${numbers.length > most ? " …" : ""}`;
}

/** The address of a rating's row in the report: a text fragment with its first name. */
export function cellAddress(id: string, config: Config): string | undefined {
  const { url } = config.report;
  const [first = id] = id.split("/");
  const fragment = encodeURIComponent((config.names.get(first) ?? first).toWellFormed()).replaceAll("-", "%2D");
  return url === undefined || url.includes("#") ? url : `${url}#:~:text=${fragment}`;
}

export function ratingAddress(id: string, config: Config): string | undefined {
  return publishedAt(pagePath("ratings", id), config);
}

/** The address at which a person opens a source, at a passage if one is given. */
export type Link = (source: Source, passage?: Block) => string | undefined;

/** The address of a source, at a passage if one is given; undefined if the source has no web address. */
export function addressOf({ address }: Source, passage?: Block): string | undefined {
  if (!/^https?:\/\//.test(address)) return undefined;
  return withPassage(address, passage);
}

/** Characters of a passage that go into its fragment: its beginning is enough to find a longer one. */
const maxPassageCharacters = 2_000;

/** An address with the text fragment of a passage, if one can be made. Spec: https://wicg.github.io/scroll-to-text-fragment/ */
export function withPassage(address: string, passage: Block | undefined): string {
  const fragment = passage ? fragmentOf({ ...passage, text: beginning(passage.text) }) : "";
  return fragment === "" ? address : address.split("#", 1)[0] + fragment;
}

function beginning(text: string): string {
  return text.length <= maxPassageCharacters
    ? text
    : text.slice(0, Math.max(0, text.lastIndexOf(" ", maxPassageCharacters)));
}
