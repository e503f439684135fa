import { isCorrectedSince } from "../../claims/find/figures.ts";
import { sharedLengths, withEdits } from "../../model/apart.ts";
import { changedTexts } from "../../model/change-words.ts";
import type { Config } from "../../model/config.ts";
import { claimOf } from "../../model/dependencies.ts";
import { builtIn, type Evidence, type Firing } from "../../model/firing.ts";
import { code, cut, cutLine, fence, fold, link, name, words } from "../../model/markdown.ts";
import type { ArchivedChange, Copy } from "../../model/ports/index.ts";
import { firingAnchor, pagePath, picturesPath, publishedAt } from "../../model/published.ts";
import type { Block } from "../../model/reading.ts";
import { aMinute, day, minute, span } from "../../model/time.ts";
import { describeProof, enumerate, enumerateOr, fromAuditWords, pluralize } from "../../model/words.ts";
import { firstFinding } from "../first-check.ts";
import { diffLines, type Length, maxChangesOfSource, quoteLines } from "./differences.ts";
import { countWords, entriesWithin, foldPart, type Part, wordsOfParts } from "./layout.ts";
import {
  askedRatings,
  type FiringGroup,
  leadOf,
  placeLink,
  type Question,
  ratingNames,
  withPassage,
} from "./question.ts";
import { citedSource, headline } from "./title.ts";

interface Context
  extends Pick<Question, "config" | "link" | "archived" | "places" | "page">,
    Partial<Pick<Question, "trigger" | "offer">> {
  /** The question lists the findings. */
  readonly isListed?: boolean;
}

/** Most releases of one product in one entry. */
const maxReleases = 6;
/** Most other sources of an event that are named; the rest is counted. */
const maxOtherSources = 4;
/** Most events that are shown: more do not fit, even if they are short. */
const maxEvents = 300;

/** The events, within so many words before the folds, and so many in all; others are counted. */
export function evidenceParts(question: Question & Context, shownWords: number, allWords: number): Part[] {
  const firings = question.firings.slice(0, maxEvents);
  const kind = { between: "\n\n", one: "event" };
  const entries = evidenceEntries(firings, question);
  const shownCount = Math.max(1, entriesWithin(entries, shownWords));
  const part: Part = { ...kind, head: ["### Evidence", ""], entries: entries.slice(0, shownCount), least: 1 };
  const count = question.firings.length - shownCount;
  if (count <= 0) return [part];
  const summary = pluralize(count, "more event");
  const moreEvents = (left: number) =>
    `and ${pluralize(left, "more event")}: see \`recheck explain ${question.trigger}\``;
  const room = allWords - wordsOfParts([part]) - countWords(`${summary} ${moreEvents(count)}`);
  const rest = entries.slice(shownCount);
  const lines = firings.slice(shownCount).map((firing, index) => lineOf(firing, shownCount + index + 1, question));
  const fit = lines.slice(0, Math.max(1, entriesWithin(lines, room)));
  const left = count - fit.length;
  const folds = [...wholeWithin(fit, rest, room), ...(left > 0 ? [moreEvents(left)] : [])];
  return [part, foldPart(summary, { ...kind, entries: folds })];
}

/** The lines: complete from the first on, as long as the others still fit below. */
function wholeWithin(lines: readonly string[], entries: readonly string[], room: number): string[] {
  let left = room - countWords(lines.join("\n"));
  const over = lines.findIndex((line, index) => {
    left -= countWords(entries[index] ?? line) - countWords(line);
    return left < 0;
  });
  const whole = over < 0 ? lines.length : over;
  return [...entries.slice(0, whole), ...lines.slice(whole)];
}

export function evidenceEntries(firings: readonly FiringGroup[], context: Context): string[] {
  const shownBefore: ShownBefore = { edits: [], excerpts: new Map() };
  return firings.map((firing, index) => entryOf(firing, index + 1, context, shownBefore));
}

function entryOf(firing: FiringGroup, number: number, context: Context, shownBefore: ShownBefore): string {
  const lead = leadOf(firing);
  const texts = textsLines(firing, number, shownBefore);
  if (!lead) return [lineOf(firing, number, context), ...texts].join("\n");
  const links = [
    ...answerOf(lead),
    ...citationOf(lead, context),
    ...linksOf(firing, lead, context),
    ...copiesOf(firing, context),
  ];
  return [
    [lineOf(firing, number, context), ...links].join(" · "),
    ...otherEntries(firing),
    ...leadsTo(lead, context),
    ...soughtIn(lead, context),
    ...otherSourcesLine(firing, lead, context),
    ...texts,
    ...notesOf(firing, lead),
  ].join("\n");
}

function lineOf(firing: FiringGroup, number: number, context: Context): string {
  const { config, trigger } = context;
  const about =
    trigger === builtIn.catchUp ? ` · ${ratingNames(askedRatings(firing.triggered ?? [firing], config), config)}` : "";
  return `**${number}. ${entryTitle(firing, context)}** · ${timesText(firing)}${sinceWhen(firing, context)}${about}`;
}

/** The event. If the question already says it, only its source, with the beginning of the sentence if there are several. */
function entryTitle(firing: FiringGroup, { config, offer, isListed }: Context): string {
  const quoted = offer?.sentences.find((one) => one.firing.event.key === firing.event.key && one.change);
  const finding = isListed ? firstFinding(firing, config) : undefined;
  if (!quoted) return finding ? words(finding.name, 160) : headline(firing, config).markdown;
  const says = offer && offer.sentences.length > 1 ? `: “${words(quoted.claim.says, 40)}”` : "";
  return `${citedSource(quoted.claim, config)}${says}`;
}

function otherEntries({ releases = [] }: FiringGroup): string[] {
  const items = releases.slice(1, maxReleases).flatMap((firing) => {
    const change = leadOf(firing)?.change;
    if (!change || !("item" in change)) return [];
    const { title, url } = change.item;
    return [link(name(title), url)];
  });
  return items.length > 0 ? [`Together with ${enumerate(items)}`] : [];
}

function timesText({ seen: at, fired, event }: Firing): string {
  const happened = event.at !== undefined && day(event.at) !== day(at) ? `${day(event.at)}, ` : "";
  const confirmed = fired - at >= aMinute ? `, confirmed ${span(fired - at)} later` : "";
  return `${happened}seen ${minute(at)}${confirmed}`;
}

/** The time of the change if no check saw it happen: after the archived copy, which does not have it. */
function sinceWhen(firing: Firing, context: Context): string {
  const note = archivedOf(firing, context).find(({ isBaseline }) => isBaseline);
  return note?.before ? `, changed since ${day(note.before.at)}` : "";
}

function answerOf({ change }: Evidence): string[] {
  return change.kind === "link" && change.says !== undefined ? [words(change.says, 200)] : [];
}

/** The line of the report with an address that is gone or has moved. The question lists those of the first check. */
function citationOf({ source, change }: Evidence, { config, places, page, isListed }: Context): string[] {
  const place = change.kind === "link" && !isListed ? places?.(config.sources.get(source)) : undefined;
  return place ? [`cited in ${placeLink(place, page)}`] : [];
}

function linksOf(firing: Firing, lead: Evidence, { config, link: linkTo }: Context): string[] {
  const source = config.sources.get(lead.source);
  if (!source) return [];
  const address = linkTo(source, passageOf(lead, config));
  const isUnfound = lead.change.kind === "claim" && lead.change.to === "not found";
  const isThere = address?.includes("#:~:text=") === true && !isUnfound;
  const itemLink = link("open", "item" in lead.change ? lead.change.item.url : undefined);
  const both = changedTexts(lead.change) === undefined ? undefined : seenAddress(firing, lead, config);
  const links = [
    ...[itemLink, link(itemLink === "open" ? (isThere ? "open the passage" : "open") : "list", address)],
    link("before and after", both),
    link("pictures", source.options.browser === true ? publishedAt(picturesPath(source), config) : undefined),
  ];
  return links.filter((one) => one.startsWith("["));
}

/** The published page that shows a firing with both sides: that of its first rating, else that of its source. */
function seenAddress(firing: Firing, { source }: Pick<Evidence, "source">, config: Config): string | undefined {
  const [rating] = askedRatings([firing], config);
  const path = rating === undefined ? pagePath("sources", source) : pagePath("ratings", rating);
  return publishedAt(rating === undefined ? path : `${path}#${firingAnchor(firing)}`, config);
}

/** The passage to which a link to the source leads; none for a fact, which is not on a page. */
export function passageOf({ change, claim }: Evidence, config: Config): Block | undefined {
  if (change.kind === "block") return change.after;
  if (change.kind !== "claim" || change.after === undefined) return undefined;
  const proof = claimOf(claim ?? change.claim, config)?.proof;
  if (proof && "fact" in proof) return undefined;
  // The text may come from a table, in which bars separate cells that a browser shows apart.
  return { path: [], kind: "row", text: change.after };
}

/** Links to the archived copies from before and after, or why there are none. */
function copiesOf(firing: Firing, context: Context): string[] {
  return archivedOf(firing, context).flatMap(({ source, before, after, says, isBaseline }) => {
    const [was, is] = sidesIn(firing, source, context);
    const named = (word: string, { at, url }: Copy) =>
      link(`archived ${word}, ${day(at)}`, withPassage(url, word === "before" ? was : is));
    const near = before && isBaseline ? `, ${fromAuditWords(before.at, context.config.report.audited)}` : "";
    return [
      ...(before ? [named("before", before) + near] : []),
      ...(after ? [named("since", after)] : []),
      ...(says !== undefined && firing.weight === "contrary" ? [words(says, 200)] : []),
    ];
  });
}

/** The passage before and after, if the source is a page in which a browser can find text. */
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

function leadsTo({ source, change }: Evidence, { config }: Context): string[] {
  if (change.kind !== "link" || change.address === undefined) return [];
  const sides = [`- ${config.sources.get(source)?.address ?? source}`, `+ ${change.address}`];
  const lines = sides.map((side) => cutLine(side, maxNearestCharacters));
  return [fence(lines, "diff")];
}

const maxNearestCharacters = 600;
const maxNamesAbout = 6;

/** The proof that was not found, and the nearest text: they show whether the proof is mistyped or the source has changed. */
function soughtIn({ change, claim: key }: Evidence, { config }: Context): string[] {
  if (change.kind !== "claim" || change.to !== "not found") return [];
  const claim = claimOf(key ?? change.claim, config);
  if (!claim) return [];
  const { proof } = claim;
  const described = words(describeProof(proof), 300);
  const rests = described.startsWith("that ") ? `holds as long as ${described.slice(5)}` : `rests on ${described}`;
  const sought = `According to \`sources.yaml\`, the claim ${rests}`;
  if (change.after === undefined) return [`${sought}. Nothing like it is there.`];
  const there = "quote" in proof || "value" in proof ? "The page has only" : "The page says";
  const lead = isCorrectedSince(claim, change) ? "The page says" : `${sought}. ${there}`;
  return [`${lead}:`, fence(quoteLines(cut(change.after, maxNearestCharacters)), "text")];
}

function otherSourcesLine(firing: Firing, lead: Evidence, { config }: Context): string[] {
  const others = new Set(firing.evidence.map(({ source }) => source).filter((source) => source !== lead.source));
  const names = [...others].slice(0, maxOtherSources).flatMap((id) => {
    const source = config.sources.get(id);
    return source ? [source.title ? words(source.title, 120) : code(source.address)] : [];
  });
  if (names.length === 0) return [];
  const more = others.size - names.length;
  return [`Also seen in ${names.join("; ")}${more > 0 ? `; and ${more} more` : ""}`];
}

/** For a release: a paragraph of its notes that names the rated subjects; without one, its headings. */
function notesOf({ evidence }: Firing, { source, notes, excerpt }: Evidence): string[] {
  if (!notes || excerpt !== undefined) return [];
  const [first, ...others] = notes.paragraphs;
  const more = others.length + notes.more;
  const and = more > 0 ? ` and ${pluralize(more, "more paragraph")}` : "";
  if (first !== undefined) return [`Its notes mention the subject${and}:`, fence(quoteLines(first, "short"), "text")];
  const subjects = evidence.flatMap((piece) => (piece.source === source ? (piece.notes?.about ?? []) : []));
  const about = enumerateOr([...new Set(subjects)].slice(0, maxNamesAbout).map((term) => words(term, 60)));
  const headings = (notes.headings ?? []).map((heading) => `  ${cutLine(heading, 80)}`);
  const says = `Its notes do not mention ${about || "the subject of the question"}`;
  return headings.length > 0 ? [`${says}; their headings:`, fence(headings, "text")] : [`${says}.`];
}

/** Words of differences and matching passages that one entry shows in full; beyond that, their beginnings. */
const maxWordsOfTexts = 90;

function textsLines({ evidence }: Firing, number: number, shownBefore: ShownBefore): string[] {
  const sources = [...new Set(evidence.map(({ source }) => source))];
  let room = maxWordsOfTexts;
  const fenceWithin = (language: string, linesOf: (length: Length) => string[]): string[] => {
    const whole = linesOf("whole");
    const isFit = countWords(whole.join("\n")) <= room;
    const lines = isFit ? whole : linesOf("short");
    const least = lines[0]?.startsWith("@@") ? 3 : 2;
    const shown = isFit ? lines : lines.slice(0, Math.max(least, entriesWithin(lines, room)));
    room -= countWords(shown.join("\n"));
    return shown.length > 0 ? [fence(shown, language)] : [];
  };
  return sources.slice(0, 4).flatMap((source) => {
    const here = distinctChanges(evidence.filter((piece) => piece.source === source));
    const edits = here.filter(({ condition }) => condition?.kind !== "silence" && condition?.kind !== "unreviewed");
    const { fresh, shownIn } = freshIn(edits, number, shownBefore);
    const excerpts = [...new Set(here.flatMap(({ excerpt }) => (excerpt ? [excerpt] : [])))].slice(0, 3);
    const same = excerpts.flatMap((excerpt) => shownBefore.excerpts.get(excerpt) ?? []);
    const quoted = excerpts.filter((excerpt) => !shownBefore.excerpts.has(excerpt));
    for (const excerpt of quoted) shownBefore.excerpts.set(excerpt, number);
    return [
      ...repetition("edit", shownIn),
      ...fenceWithin("diff", (length) => diffLines(fresh, length)),
      ...repetition("passage", same),
      ...fenceWithin("text", (length) => quoted.flatMap((excerpt) => quoteLines(excerpt, length))),
    ];
  });
}

function repetition(what: string, numbers: readonly number[]): string[] {
  const places = [...new Set(numbers)].toSorted((a, b) => a - b);
  return places.length > 0 ? [`The same ${what} as in ${places.join(", ")}.`] : [];
}

/** Each change once: it may match several conditions. */
function distinctChanges(evidence: readonly Evidence[]): Evidence[] {
  const byKey = new Map<string, Evidence>();
  for (const piece of evidence) {
    const key = JSON.stringify(piece.change);
    const before = byKey.get(key);
    byKey.set(key, before ? { ...before, excerpt: before.excerpt ?? piece.excerpt } : piece);
  }
  return [...byKey.values()];
}

/** Records what earlier entries of a list have shown, so that nothing is shown twice. */
interface ShownBefore {
  readonly edits: Edit[];
  /** Matching passages, with the number of the entry that shows them. */
  readonly excerpts: Map<string, number>;
}

interface Edit {
  readonly source: string;
  readonly before: string;
  readonly after: string;
  /** The two texts without their common beginning and end. */
  readonly core: string;
  /** The number of the entry that shows it. */
  readonly number: number;
}

/** Separates new evidence from evidence that earlier entries show, and records the new. */
function freshIn(
  evidence: readonly Evidence[],
  number: number,
  shownBefore: ShownBefore,
): { readonly fresh: readonly Evidence[]; readonly shownIn: readonly number[] } {
  const fresh: Evidence[] = [];
  const newEdits: Edit[] = [];
  const shownIn = new Set<number>();
  for (const piece of evidence) {
    const edit = editOf(piece, number);
    const same = edit && shownBefore.edits.find((earlier) => isSame(earlier, edit));
    const shown = same ? [same] : edit ? editsWithin(edit, shownBefore.edits) : [];
    for (const earlier of shown) shownIn.add(earlier.number);
    if (!same) fresh.push(...(edit && shown.length > 0 ? wordsBeside(piece, edit, shown) : [piece]));
    if (edit && !same && newEdits.length < maxChangesOfSource) newEdits.push(edit);
  }
  shownBefore.edits.push(...newEdits);
  return { fresh, shownIn: [...shownIn] };
}

function editOf({ source, change }: Evidence, number: number): Edit | undefined {
  const texts = changedTexts(change);
  if (!texts) return undefined;
  const [before, after] = texts.map((text) => fold(text ?? "")) as [string, string];
  const { start, end } = sharedLengths(before, after);
  const core = JSON.stringify([before, after].map((text) => text.slice(start, text.length - end)));
  return { source, before, after, core, number };
}

function editsWithin(edit: Edit, shown: readonly Edit[]): Edit[] {
  return shown.filter(
    (one) => one.source === edit.source && one.before !== "" && one.core !== edit.core && isWithin(one, edit),
  );
}

/** What changed in a block besides these edits, with the words around it; empty if nothing did. */
function wordsBeside(piece: Evidence, { before, after }: Edit, shown: readonly Edit[]): Evidence[] {
  const { change } = piece;
  if (change.kind !== "block") return [piece];
  const edited = withEdits(before, shown);
  const { start, end } = sharedLengths(edited, after);
  const from = after.lastIndexOf(" ", start - 1) + 1;
  const behind = after.slice(after.length - end).indexOf(" ");
  const left = behind < 0 ? 0 : end - behind;
  const hasWords = (text: string) => /[\p{L}\p{N}\p{Sc}]/u.test(text.slice(start, text.length - end));
  const sideOf = (block: Block | undefined, text: string) =>
    block && { ...block, text: text.slice(from, text.length - left) };
  const isOld = hasWords(edited);
  if (!isOld && !hasWords(after)) return [];
  return [
    {
      ...piece,
      change: {
        ...change,
        before: isOld ? sideOf(change.before, edited) : undefined,
        after: sideOf(change.after, after),
      },
    },
  ];
}

/** Whether two edits are the same: an edit of a passage also edits the paragraph around it. */
function isSame(one: Edit, other: Edit): boolean {
  if (one.source !== other.source || one.core !== other.core) return false;
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(small: Edit, large: Edit): boolean {
  return large.before.includes(small.before) && large.after.includes(small.after);
}
