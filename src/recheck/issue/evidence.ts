import { apart, type Stretch, shared } from "../../model/apart.ts";
import type { Change } from "../../model/change.ts";
import { changedTexts, changePath } from "../../model/change-words.ts";
import type { Config } from "../../model/config.ts";
import type { Evidence, Firing } from "../../model/firing.ts";
import { clean, code, cut, fence, fold, link, name, words } from "../../model/markdown.ts";
import type { ArchivedChange, Copy } from "../../model/ports/index.ts";
import { firingAnchor, pagePath, publishedAt } from "../../model/published.ts";
import type { Block } from "../../model/reading.ts";
import { claimOf } from "../../model/rests.ts";
import type { Source } from "../../model/source.ts";
import { aMinute, day, minute, span } from "../../model/time.ts";
import { counted, describeProof, either, fromAudit, grouped, partWords, withoutStop } from "../../model/words.ts";
import { fencedWithin, shownWords } from "./layout.ts";
import { askedRatings, leadOf, type Question, refLinks, type Told, withPassage } from "./question.ts";
import { headline, headlineBesideSource, shownWhole } from "./title.ts";

type Context = Pick<Question, "config" | "link" | "archived">;

/** Releases of one product that one entry names, at most. */
const maxReleases = 20;
/** Frozen pages that are named for a source watched in their place, at most: people look for its own references. */
const maxStoodFor = 4;
/** Other sources of an event that are named, at most; the others are counted. */
const maxOtherSources = 8;

/**
 * An entry for each firing, numbered from 1. Later entries refer to a difference that was shown before by its number.
 */
export function evidenceEntries(firings: readonly Told[], context: Context): string[] {
  const told = nothingShown();
  return firings.map((firing, index) => entryOf(firing, index + 1, context, told));
}

function entryOf(firing: Told, number: number, context: Context, told: ShownBefore): string {
  const lead = leadOf(firing);
  const weight = firing.weight === "contrary" ? "**contrary**" : "routine";
  const same = sameEvent(firing, number, told);
  const event = same === undefined ? [] : [`*the same event as ${same}*`];
  const isNew = lead && same === undefined;
  const lines = [
    `**${number}. ${isNew ? headlineBesideSource(firing, context.config) : headline(firing, context.config).markdown}** · ${weight} · ${seen(firing)}${sinceWhen(firing, context)}`,
    ...(isNew ? [...sourceLine(firing, lead, context), ...otherEntries(firing)] : []),
    ...[[...(lead ? asked(firing, lead, context) : []), ...event].join(" · ")].filter((line) => line !== ""),
    ...(isNew ? [...leadsTo(lead, context), ...soughtIn(lead, context), ...others(firing, lead, context)] : []),
    ...copies(firing, context),
  ];
  return [...lines, ...shown(firing, number, told), ...(isNew ? notesOf(lead) : [])].join("\n");
}

/** The entries of the releases that are told together with this one. */
function otherEntries({ releases = [] }: Told): string[] {
  const items = releases.slice(1, maxReleases).flatMap((firing) => {
    const change = leadOf(firing)?.change;
    if (!change || !("item" in change)) return [];
    const { title, url, at } = change.item;
    return [[name(title), ...(at === undefined ? [] : [day(at)]), link("open", url)].join(" · ")];
  });
  return items.length > 0 ? [`*with it:* ${items.join("; ")}`] : [];
}

function seen({ seen: at, fired, event }: Firing): string {
  const happened = event.at !== undefined && day(event.at) !== day(at) ? `${day(event.at)}, ` : "";
  const confirmed = fired - at >= aMinute ? `, confirmed ${span(fired - at)} later` : "";
  return `${happened}seen ${minute(at)}${confirmed}`;
}

/** Says since when, where no look saw it happen: the compared copy did not have it yet. */
function sinceWhen(firing: Firing, context: Context): string {
  const note = archivedOf(firing, context).find(({ isBaseline }) => isBaseline);
  return note?.before ? `, changed since ${day(note.before.at)}` : "";
}

function sourceLine(firing: Firing, lead: Evidence, { config, link: linkTo }: Context): string[] {
  const source = config.sources.get(lead.source);
  if (!source) return [];
  const address = linkTo(source, passageOf(lead, config));
  const isThere = address?.includes("#:~:text=") === true && !isUnfound(lead.change);
  const item = "item" in lead.change ? lead.change.item : undefined;
  const own = link("open", item?.url);
  const both = changedTexts(lead.change) === undefined ? undefined : seenAddress(firing, lead, config);
  const links = [
    ...[own, link(own === "open" ? (isThere ? "open the passage" : "open") : "list", address)],
    link("before and after", both),
  ];
  const entry = item ? [`*entry:* ${name(item.title)}`] : [];
  const cites = claimOf(lead.claim, config)?.cites ?? [];
  const cited = cites.length > 0 ? { ...source, cites, standsFor: [] } : source;
  return [[`*source:* ${called(cited, config)}`, ...entry, ...links.filter((one) => one.startsWith("["))].join(" · ")];
}

/**
 * Where a firing is shown with both sides: the page of the first rating that it touches, else the page of its source.
 */
function seenAddress(firing: Firing, { source }: Pick<Evidence, "source">, config: Config): string | undefined {
  const [rating] = askedRatings([firing], config);
  const path = rating === undefined ? pagePath("sources", source) : pagePath("ratings", rating);
  return publishedAt(rating === undefined ? path : `${path}#${firingAnchor(firing)}`, config);
}

function isUnfound(change: Change): boolean {
  return change.kind === "claim" && change.to === "not found";
}

function passageOf({ change, claim }: Evidence, config: Context["config"]): Block | undefined {
  if (change.kind === "block") return change.after;
  if (change.kind !== "claim" || change.after === undefined) return undefined;
  const proof = claimOf(claim ?? change.claim, config)?.proof;
  if (proof && "fact" in proof) return undefined;
  // The text may come from a table, the only place where bars separate parts that a browser shows apart.
  return { path: [], kind: "row", text: change.after };
}

/** A source by name, with the numbers by which the report cites it, or those of the frozen pages it stands for. */
function called({ title, address, cites, standsFor }: Source, config: Config, most?: number): string {
  const shown = title ? words(title, 120) : code(address);
  const parts = [
    ...(cites.length > 0 ? [refLinks(cites, config, most)] : []),
    ...(standsFor.length > 0 ? [`in place of ${refLinks(standsFor, config, maxStoodFor)}`] : []),
  ];
  return [shown, ...parts].join(", ");
}

/** Why it was looked for. Nothing for a claim whose headline holds all of its words. */
function asked({ trigger }: Firing, lead: Evidence, { config }: Context): string[] {
  const { part, claim: key } = lead;
  const claim = claimOf(key, config);
  if (claim && part === "claim")
    return shownWhole(claim.says) ? [] : [`*the report says:* “${words(withoutStop(claim.says))}”`];
  if (claim && part === "until") return [`*ends what the report says:* “${words(withoutStop(claim.says))}”`];
  return [`*${partWords(lead, config.triggers.get(trigger))}*${part === "also" ? " (`also`)" : ""}`];
}

/** Links to the archived copies from before and after, or says why there are none. */
function copies(firing: Firing, context: Context): string[] {
  return archivedOf(firing, context).flatMap(({ source, before, after, says, isBaseline }) => {
    const [was, is] = sidesIn(firing, source, context);
    const named = (word: string, { at, url }: Copy) =>
      link(`${word}, ${day(at)}`, placed(url, word === "before" ? was : is));
    const near = before && isBaseline ? `, ${fromAudit(before.at, context.config.report.audited)}` : "";
    const lacks = before ? "since then: " : after ? "before: " : "";
    const parts = [
      ...(before ? [named("before", before) + near] : []),
      ...(after ? [named("since then", after)] : []),
      ...(says !== undefined && firing.weight === "contrary" ? [`${lacks}${words(says, 200)}`] : []),
    ];
    return parts.length > 0 ? [`*archived:* ${parts.join(" · ")}`] : [];
  });
}

function placed(url: string, passage: Block | undefined): string {
  return passage ? withPassage(url, passage) : url;
}

/** The passage before and after, where the source is a page whose passages a browser can find by their text. */
function sidesIn({ evidence }: Firing, id: string, { config, link: linkTo }: Context): (Block | undefined)[] {
  const source = config.sources.get(id);
  const change = evidence.find((piece) => piece.source === id)?.change;
  if (!source || (change?.kind !== "block" && change?.kind !== "claim")) return [];
  const sides = [change.before, change.after].map((side): Block | undefined =>
    typeof side === "string" ? { path: [], kind: "row", text: side } : side,
  );
  return sides.map((side) => (side && linkTo(source, side)?.includes("#:~:text=") ? side : undefined));
}

function archivedOf({ evidence }: Firing, { archived = [] }: Context): ArchivedChange[] {
  return archived.filter((one) => evidence.some(({ source, seen }) => source === one.source && seen === one.seen));
}

/** Where an address that moved for good used to lead, and where it leads now. */
function leadsTo({ source, change }: Evidence, { config }: Context): string[] {
  if (change.kind !== "link" || change.address === undefined) return [];
  const sides = [`- ${config.sources.get(source)?.address ?? source}`, `+ ${change.address}`];
  return [
    fence(
      sides.map((side) => cut(fold(side), maxNearestCharacters)),
      "diff",
    ),
  ];
}

const maxNearestCharacters = 600;
/** Names in a sentence, at most. */
const maxNamesAbout = 6;

/**
 * The proof that was not found, and the text that is there instead: they show whether the proof is mistyped or the
 * source has changed.
 */
function soughtIn({ change, claim: key }: Evidence, { config }: Context): string[] {
  if (change.kind !== "claim" || change.to !== "not found") return [];
  const proof = claimOf(key ?? change.claim, config)?.proof;
  if (!proof) return [];
  const sought = `*its proof in sources.yaml:* ${words(describeProof(proof), 300)}`;
  if (change.after === undefined) return [`${sought} · *nothing near it was found*`];
  const there = "quote" in proof || "value" in proof ? "the nearest passage" : "what stands there";
  return [`${sought} · *${there}:*`, fence(quoteLines(cut(change.after, maxNearestCharacters)), "text")];
}

function others(firing: Firing, lead: Evidence, { config }: Context): string[] {
  const first = new Map<string, Evidence>();
  for (const piece of firing.evidence) {
    if (piece.source !== lead.source && !first.has(piece.source)) first.set(piece.source, piece);
  }
  const named = [...first.values()].slice(0, maxOtherSources).flatMap((piece) => {
    const source = config.sources.get(piece.source);
    const later = day(piece.seen) === day(firing.seen) ? "" : ` (${day(piece.seen)})`;
    return source ? [`${called(source, config, 4)}${later}`] : [];
  });
  if (named.length === 0) return [];
  const more = first.size - named.length;
  return [`*also seen in:* ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`];
}

/** For a release: the paragraphs of its notes that name what is asked about, folded; or that there are none. */
function notesOf({ notes, excerpt }: Evidence): string[] {
  if (!notes || excerpt !== undefined) return [];
  const about = notes.about.slice(0, maxNamesAbout).map((term) => words(term, 60));
  const named = about.length > 0 ? either(about) : "what is asked";
  if (notes.paragraphs.length === 0) return [`*nothing in its notes speaks of ${named}*`];
  const more = notes.more > 0 ? `, and ${notes.more} more` : "";
  const summary = `${counted(notes.paragraphs.length, "paragraph")} of its notes ${notes.paragraphs.length === 1 ? "speaks" : "speak"} of what is asked${more}`;
  const text = notes.paragraphs.flatMap((one, index) => [...(index > 0 ? [""] : []), ...quoteLines(one)]);
  return ["", `<details><summary>${summary}</summary>`, "", fence(text, "text"), "", "</details>"];
}

/** Words of differences and matching sections that one entry shows; the rest is folded. */
const mostWordsOfTexts = 200;

/** The differences and matching sections, in fences. */
function shown({ evidence }: Firing, number: number, told: ShownBefore): string[] {
  const sources = [...new Set(evidence.map(({ source }) => source))];
  let room = mostWordsOfTexts;
  const fenced = (text: Parameters<typeof fencedWithin>[1]) => {
    const lines = fencedWithin(room, text);
    room -= shownWords(lines.join("\n"));
    return lines;
  };
  return sources.slice(0, 4).flatMap((source) => {
    const here = distinct(evidence.filter((piece) => piece.source === source));
    const edits = here.filter(({ condition }) => !ofTime(condition?.kind));
    const { fresh, shownIn } = freshIn(edits, number, told);
    const diff = diffLines(fresh);
    const excerpts = [...new Set(here.flatMap(({ excerpt }) => (excerpt ? [excerpt] : [])))].slice(0, 3);
    const known = excerpts.flatMap((excerpt) => told.excerpts.get(excerpt) ?? []);
    const quoted = excerpts.filter((excerpt) => !told.excerpts.has(excerpt));
    for (const excerpt of quoted) told.excerpts.set(excerpt, number);
    return [
      ...(shownIn.length > 0 ? [`*the same edit as in ${shownIn.toSorted((a, b) => a - b).join(", ")}*`] : []),
      ...fenced({ whole: diff, short: diffLines(fresh, "short"), language: "diff", what: "The whole difference" }),
      ...(known.length > 0
        ? [`*the same passage as in ${[...new Set(known)].toSorted((a, b) => a - b).join(", ")}*`]
        : []),
      ...fenced({
        whole: quoted.flatMap((excerpt) => quoteLines(excerpt)),
        short: quoted.flatMap((excerpt) => quoteLines(excerpt, "short")),
        language: "text",
        what: "The whole passage",
      }),
    ];
  });
}

function ofTime(kind: string | undefined): boolean {
  return kind === "silence" || kind === "unreviewed";
}

/** The same change may meet several conditions. */
function distinct(evidence: readonly Evidence[]): Evidence[] {
  const seen = new Map<string, Evidence>();
  for (const piece of evidence) {
    const key = JSON.stringify(piece.change);
    const before = seen.get(key);
    seen.set(key, before ? { ...before, excerpt: before.excerpt ?? piece.excerpt } : piece);
  }
  return [...seen.values()];
}

/** Characters of unchanged text that are shown on either side of a difference. */
const contextCharacters = 160;

/** Characters of the longest line of a difference or of a matching section. */
const maxLineCharacters = 900;

/** How much of a difference is shown. */
type Length = "whole" | "short";

const most: Readonly<Record<Length, { readonly around: number; readonly line: number }>> = {
  whole: { around: contextCharacters, line: maxLineCharacters },
  short: { around: 60, line: 240 },
};

/** Changes in one source that are shown, at most; the others are counted. */
const maxChangesOfSource = 12;

/** The lines of a diff of what changed in one source; empty where there is nothing to compare. */
export function diffLines(evidence: readonly Evidence[], length: Length = "whole"): string[] {
  const lines: string[] = [];
  let heading = "";
  let header = "";
  for (const { change } of evidence.slice(0, maxChangesOfSource)) {
    const block = change.kind === "block" ? (change.after ?? change.before) : undefined;
    const path = changePath(change)
      .map((part) => cut(fold(part), 80))
      .join(" › ");
    if (path !== heading && path) lines.push(`@@ ${path} @@`);
    if (block?.header && block.header !== header) lines.push(`  ${cut(fold(block.header), most[length].line)}`);
    heading = path;
    header = block?.header ?? header;
    const [left, right] = changedTexts(change) ?? [];
    lines.push(...compared(left, right, length));
  }
  const more = evidence.length - maxChangesOfSource;
  if (more > 0) lines.push(`  … and ${counted(more, "more change")}`);
  return lines;
}

function compared(before: string | undefined, after: string | undefined, length: Length): string[] {
  const { around, line } = most[length];
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [`+ ${cut(fold(after ?? ""), line)}`];
  if (after === undefined) return [`- ${cut(fold(before), line)}`];
  const [left = "", right = ""] = apart(fold(before), fold(after), around, line).map(diffShown);
  if (left !== right) return [`- ${left}`, `+ ${right}`];
  return [`  ${left}`, "  (the difference is in characters that are not shown)"];
}

function diffShown({ text, before, after }: Stretch): string {
  const more = after > 0 ? ` … (${grouped(after)} more characters)` : "";
  return `${before > 0 ? "… " : ""}${clean(text).trim()}${more}`;
}

/** The first 8 lines of a section that matched, indented by two spaces. */
export function quoteLines(excerpt: string, length: Length = "whole"): string[] {
  const lines = clean(excerpt.slice(0, 20_000))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const shown = lines.slice(0, 8).map((line) => `  ${cut(line, most[length].line)}`);
  return lines.length > 8 ? [...shown, `  … and ${lines.length - 8} more lines`] : shown;
}

/** Remembers what the entries of a list have shown so far, so that nothing is shown twice. */
interface ShownBefore {
  readonly edits: Edit[];
  /** Sections that matched, with the number of the entry that shows them. */
  readonly excerpts: Map<string, number>;
  /**
   * Events with where they were seen, and the number of the entry that tells of them: several triggers may ask about
   * one.
   */
  readonly events: Map<string, number>;
}

interface Edit {
  readonly source: string;
  readonly before: string;
  readonly after: string;
  /** Both texts without what they share. */
  readonly core: string;
  /** The number of the entry that shows it. */
  readonly number: number;
}

function nothingShown(): ShownBefore {
  return { edits: [], excerpts: new Map(), events: new Map() };
}

/** The entry that told of the same event, seen in the same sources; from then on this one does, if none did. */
function sameEvent(
  { event, evidence, releases = [] }: Told,
  number: number,
  { events }: ShownBefore,
): number | undefined {
  const key = JSON.stringify([
    event.key,
    releases.map((one) => one.event.key),
    [...new Set(evidence.map(({ source }) => source))].sort(),
  ]);
  const known = events.get(key);
  if (known === undefined) events.set(key, number);
  return known;
}

/** Parts what an entry has to show from what others show already; what it shows is told from then on. */
function freshIn(
  evidence: readonly Evidence[],
  number: number,
  told: ShownBefore,
): { readonly fresh: readonly Evidence[]; readonly shownIn: readonly number[] } {
  const fresh: Evidence[] = [];
  const own: Edit[] = [];
  const shownIn = new Set<number>();
  for (const piece of evidence) {
    const edit = editOf(piece, number);
    const same = edit && told.edits.find((earlier) => isSame(earlier, edit));
    if (same) shownIn.add(same.number);
    else fresh.push(piece);
    if (edit && !same && own.length < maxChangesOfSource) own.push(edit);
  }
  told.edits.push(...own);
  return { fresh, shownIn: [...shownIn] };
}

function editOf({ source, change }: Evidence, number: number): Edit | undefined {
  const texts = changedTexts(change);
  if (!texts) return undefined;
  const [before, after] = texts.map((text) => fold(text ?? "")) as [string, string];
  const { start, end } = shared(before, after);
  const core = JSON.stringify([before, after].map((text) => text.slice(start, text.length - end)));
  return { source, before, after, core, number };
}

/** A passage and the paragraph that it stands in are edited by one edit. */
function isSame(one: Edit, other: Edit): boolean {
  if (one.source !== other.source || one.core !== other.core) return false;
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(small: Edit, large: Edit): boolean {
  return large.before.includes(small.before) && large.after.includes(small.after);
}
