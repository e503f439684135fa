import { pathIn } from "../config/files.ts";
import type { Sighting } from "../model/change.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import { outOfDateWords } from "../model/finding.ts";
import { builtIn, type Firing, weightOf } from "../model/firing.ts";
import { cell, code, name as entryName, link, words } from "../model/markdown.ts";
import type { Watch } from "../model/ports/index.ts";
import { publishedAt } from "../model/published.ts";
import { sizeWords } from "../model/reading-size.ts";
import type { Source } from "../model/source.ts";
import type { FreshnessLevel } from "../model/states.ts";
import { day, daysIn, type Instant, minute, stamp } from "../model/time.ts";
import { firstOf, issueName, pluralize, triggerName, upTo } from "../model/words.ts";
import { type Figures, figuresText } from "../recheck/answer/figures.ts";
import { findingsFirst, firstFindings } from "../recheck/first-check.ts";
import { findingLine } from "../recheck/issue/ask.ts";
import { clip, maxBodyCharacters, type Part } from "../recheck/issue/layout.ts";
import { beginLine, boxLine, sectionEnd, writtenOverNote } from "../recheck/issue/marker.ts";
import {
  askedRatings,
  groupReleases,
  hasFile,
  type Question,
  ratingNames,
  refNumberLinks,
  refs,
  strongestFirst,
} from "../recheck/issue/question.ts";
import { headline } from "../recheck/issue/title.ts";
import { hasStopped, stoppedAfter } from "../watch/schedule.ts";
import { goneSince } from "../watch/watch.ts";
import { matrixPart } from "./matrix.ts";
import { type OpenQuestion, type Status, stateSentence } from "./status.ts";

export interface OverviewIssue {
  readonly title: string;
  /** Our section, from its first marker to its last: people's text around it is kept. */
  readonly body: string;
  /** A hash of the content and the day; text that changes with each check is left out. Write the issue when it changes. */
  readonly hash: string;
}

/** Renders the issue about the state of the whole report. `room`: characters that its section may take. Pure. */
export function renderOverview(overview: Overview, room = maxBodyCharacters): OverviewIssue {
  return {
    title: "Recheck overview",
    body: bodyOf({ ...overview, passing: (text) => text }, room),
    hash: digest([bodyOf({ ...overview, passing: () => "" }, maxBodyCharacters), day(lastScan(overview) ?? 0)]),
  };
}

function bodyOf(drawing: OverviewDrawing, room: number): string {
  const { doubt, review, snoozed } = askedParts(drawing);
  const parts = [
    doubt,
    uncorrectedPart(drawing),
    ...blindParts(drawing),
    review,
    byDayPart("due", ["### Due for a review", ""], drawing),
    unnamedPart(drawing),
    confirmPart(drawing),
    snoozed,
  ];
  const tables = [matrixPart(drawing.config, drawing.status), sourcesPart(drawing), triggersPart(drawing)];
  const head = [
    beginLine(drawing.marker, "", [], []),
    // If the monitor has stopped, that comes first.
    ...(isOver(drawing) ? lastScanLine(drawing) : []),
    stateLine(drawing),
    ...(isOver(drawing) ? [] : lastScanLine(drawing)),
    ...firstFindingsLines(drawing),
    ...(drawing.notices ?? []),
    ...allFreshLine(drawing),
    ...(drawing.commands ? [boxLine("check", "check every source now")] : []),
  ];
  return clip(head.join("\n\n"), [...parts, ...tables], [footnote(drawing), sectionEnd].join("\n\n"), room);
}

function stateLine({ status, config }: OverviewDrawing): string {
  const allChecked =
    status.lastCheck === undefined || status.unseen.length + status.unchecked.length + status.notYet.length > 0
      ? ""
      : ` All ${pluralize(config.sources.size, "source")} can be checked.`;
  const { title, url, pages } = config.report;
  const published =
    pages === undefined ? "" : ` · ${link("every rating, citation and source", publishedAt("", config))}`;
  return `**${stateSentence(status)}**${allChecked} ${link(words(title, 200), url)}${published}`;
}

function lastScanLine(drawing: OverviewDrawing): string[] {
  const ended = lastScan(drawing);
  if (ended === undefined) return [];
  if (!isOver(drawing)) return [`The last scan ended on ${drawing.passing(minute(ended))}.`];
  return [`**The monitor has stopped: the last scan ended on ${minute(ended)}.** Everything below is from then.`];
}

function isOver(drawing: Overview): boolean {
  return hasStopped(lastScan(drawing), drawing.status.at, drawing.config);
}

function lastScan({ lastScan, status }: Overview): Instant | undefined {
  return lastScan ?? status.lastCheck;
}

/** Findings of the first check that are listed; their issue has all of them. */
const maxFirstFindings = 10;

function firstFindingsLines({ status, config, places }: OverviewDrawing): string[] {
  const { findings } = firstFindings(
    status.open.flatMap(({ firings }) => firings),
    config,
    places,
  );
  if (findings.length === 0) return [];
  const issue = status.open.find(({ trigger }) => trigger === builtIn.notFound)?.issue;
  const lines = findings.map((finding) => findingLine(finding));
  return [
    `**${outOfDateWords(findings.length)}**${issue === undefined ? "" : ` (#${issue})`}:`,
    upTo(maxFirstFindings, lines)
      .map((line) => `- ${line}`)
      .join("\n"),
  ];
}

function allFreshLine(drawing: OverviewDrawing): string[] {
  const { status, rechecks } = drawing;
  const calm = status.ratings.every(({ level }) => level === "fresh") && status.open.length + rechecks.length === 0;
  const isQuiet = status.unseen.length + status.waiting.length + status.unnamed.length === 0;
  const isKnown = status.lastCheck !== undefined && !isOver(drawing);
  return calm && isQuiet && isKnown ? ["Nothing to do: all ratings are up to date."] : [];
}

function footnote(drawing: OverviewDrawing): string {
  const { title, audited } = drawing.config.report;
  const days = daysIn(stoppedAfter(drawing.config));
  const pause = days === 1 ? "a day" : `${days} days`;
  const alive = `If the last scan is more than ${pause} old, the monitor has stopped.`;
  const file = code(pathIn(drawing.folder ?? "", "sources.yaml"));
  const off = `To have no such issue, write \`overview: no\` into ${file}.`;
  return `<sub>*${words(title, 200)}*, last checked by its author on ${day(audited)}. ${alive} ${off} ${writtenOverNote}</sub>`;
}

export interface Overview extends Pick<Question, "config" | "marker" | "link" | "folder" | "places" | "commands"> {
  readonly status: Status;
  readonly watches: readonly Watch[];
  readonly rechecks: readonly OpenRecheck[];
  readonly figures: ReadonlyMap<string, Figures>;
  /** Notices about the App itself, in Markdown of our own. */
  readonly notices?: readonly string[];
  /** When the last scan ended (default: the last check). */
  readonly lastScan?: Instant;
}

export interface OpenRecheck {
  readonly id: number;
  readonly trigger: string;
  readonly issue?: number;
  readonly snoozed?: Instant | "next-event";
}

/** An overview while it is rendered. `passing` marks text that changes with each check; the hash leaves it out. */
interface OverviewDrawing extends Overview {
  readonly passing: (text: string) => string;
}

function sourcesPart(drawing: OverviewDrawing): Part {
  const watches = new Map(drawing.watches.map((watch) => [watch.source, watch]));
  const sources = [...drawing.config.sources.values()];
  const entries = sources.map((source) => sourceRow(source, watches.get(source.id), drawing));
  const head = ["| source | refs | last check, UTC | next | last content | last change |", "|---|---|---|---|---|---|"];
  return foldedTable("source", head, entries);
}

function sourceRow(source: Source, watch: Watch | undefined, drawing: OverviewDrawing): string {
  const { passing, link: linkTo } = drawing;
  const name = cell(link(words(source.title ?? source.id, 100), linkTo(source)));
  const numbers = [...new Set([...source.cites, ...source.standsFor])].sort((a, b) => a - b);
  const cited = refNumberLinks(numbers, drawing.config);
  if (watch?.lastCheck === undefined) return `| ${name} | ${cited} | | | | not checked yet |`;
  const { lastCheck, next } = watch;
  const times = [lastCheck, next].map((at) => passing(stamp(at)));
  return `| ${name} | ${cited} | ${times.join(" | ")} | ${gaveCell(watch, drawing)} | ${cell(newsOf(watch, drawing))} |`;
}

/** The size of its last reading, and when that was: `42 entries, newest 2.9.1, on 2026-05-03`. */
function gaveCell({ gave, lastSeen }: Watch, { passing }: OverviewDrawing): string {
  if (gave === undefined || lastSeen === undefined) return "";
  return passing(`${cell(sizeWords(gave, (newest) => entryName(newest, 40)))}, on ${day(lastSeen)}`);
}

function newsOf(watch: Watch, { passing }: OverviewDrawing): string {
  const { trouble, gone, pending, firstSeen, lastChange } = watch;
  if (trouble) {
    const since = day(goneSince(watch) ?? trouble.since);
    const why = `**${gone ? "gone" : "not read"}**: ${words(trouble.says, 120)}, since ${since}`;
    return hasLasted({ trouble, gone }) ? why : passing(why);
  }
  if (pending) return "changed, to be confirmed";
  if (lastChange === undefined) return "";
  return passing(lastChange === firstSeen ? "none yet" : day(lastChange));
}

function triggersPart({ config, figures, folder = "" }: OverviewDrawing): Part {
  const builtIns = Object.values(builtIn).filter((id) => figures.has(id));
  const ids = [...config.triggers.keys(), ...builtIns.filter((id) => !config.triggers.has(id))];
  const entries = ids.map((id) => {
    const name = cell(words(triggerName(id, config), 100));
    const file = hasFile(id, config) ? ` (${cell(code(pathIn(folder, `triggers/${id}.yaml`)))})` : "";
    return `| ${name}${file} | ${figuresText(figures.get(id) ?? { answered: 0, relevant: 0, consequential: 0 })} |`;
  });
  const head = ["| trigger | answers |", "|---|---|"];
  const part = foldedTable("trigger", head, entries);
  const note =
    "<sub>Relevant: the answer was *keep* or *change*; consequential: it was *change*. Only *dismiss* counts against a trigger.</sub>";
  return { ...part, tail: ["", note, ...(part.tail ?? [])] };
}

function foldedTable(noun: string, head: readonly string[], rows: readonly string[]): Part {
  const summary = `<details><summary>${pluralize(rows.length, noun)}</summary>`;
  return { head: [summary, "", ...head], entries: rows, tail: ["", "</details>"], one: noun };
}

function askedParts(drawing: OverviewDrawing): Readonly<Record<"doubt" | "review" | "snoozed", Part>> {
  const { status, rechecks } = drawing;
  const sleeping = rechecks.filter(({ snoozed }) => snoozed !== undefined);
  const awake = status.open.filter((one) => !sleeping.some((recheck) => isAskedIn(recheck, one)));
  const linesOf = (weight: Firing["weight"]) =>
    awake.filter(({ firings }) => weightOf(firings) === weight).map((one) => openQuestionLine(one, drawing));
  const snoozed = sleeping.map((recheck) => snoozedLine(recheck, drawing));
  return {
    doubt: part("### Outdated", linesOf("contrary")),
    review: part("### Changed", linesOf("routine")),
    snoozed: part("### Snoozed", snoozed),
  };
}

/** Whether a recheck asks this question. One recheck may ask for several triggers. */
function isAskedIn({ id, trigger }: OpenRecheck, waiting: OpenQuestion): boolean {
  return waiting.recheck === undefined ? waiting.trigger === trigger : waiting.recheck === id;
}

function part(head: string, entries: readonly string[]): Part {
  return { head: [head, ""], entries, least: 1, one: "recheck" };
}

function openQuestionLine(waiting: OpenQuestion, drawing: OverviewDrawing): string {
  const { config } = drawing;
  const groups = groupReleases(findingsFirst(strongestFirst(waiting.firings), config));
  const [strongest] = groups;
  const what = strongest ? `${headline(strongest, config).markdown}, seen ${day(strongest.seen)}` : "";
  const more = groups.length > 1 ? `, and ${groups.length - 1} more` : "";
  const about = aboutOf(waiting, drawing);
  return [`- ${questionName(waiting, drawing)}: ${what}${more}`, ...(about ? [`  ${about}`] : [])].join("\n");
}

/** `#12 **TPU**`. */
function questionName(
  { trigger, issue }: Pick<OpenQuestion, "trigger" | "issue">,
  { config }: OverviewDrawing,
): string {
  const name = `**${words(triggerName(trigger, config), 100)}**`;
  return issue === undefined ? `${name} (${issueName(issue)})` : `${issueName(issue)} ${name}`;
}

function aboutOf({ firings }: OpenQuestion, { config }: OverviewDrawing): string {
  const all = askedRatings(firings, config);
  const contrary = firings.filter(({ weight }) => weight === "contrary");
  const doubted = askedRatings(contrary, config);
  const others = all.filter((id) => !doubted.includes(id));
  if (doubted.length === 0 || others.length === 0) return ratingNames(all, config);
  return `${ratingNames(doubted, config)}; changed: ${ratingNames(others, config)}`;
}

function snoozedLine({ id, trigger, issue, snoozed }: OpenRecheck, drawing: OverviewDrawing): string {
  const until = typeof snoozed === "number" ? day(snoozed) : "something new is seen";
  const text = `${questionName({ trigger, issue }, drawing)}, until ${until}`;
  return drawing.commands ? boxLine(`unsnooze ${id}`, `ask again now: ${text}`) : `- ${text}`;
}

type Unseen = Status["unseen"][number];

function blindParts(drawing: OverviewDrawing): Part[] {
  const ratings = blindRatings(drawing);
  const unseen = drawing.status.unseen.filter(hasLasted);
  const lines = groups(unseen, drawing).map((group) => unseenLine(group, drawing));
  const tick = drawing.commands ? "; tick to try again" : "";
  const none = ["### Could not be checked", "", `No rating is affected yet${tick}:`];
  const head = ratings.length > 0 ? [`Could not be checked${tick}:`] : none;
  return [
    { head: ["### Not checkable", ""], entries: ratings, least: 1, one: "rating" },
    { head: [...head, ""], entries: lines, least: 1, one: "source" },
  ];
}

/** Whether two checks in a row failed: a single failure is not reported. */
function hasLasted({ trouble, gone }: Pick<Unseen, "trouble" | "gone">): boolean {
  return gone || trouble.count > 1;
}

function blindRatings({ status, config }: OverviewDrawing): string[] {
  const blind = status.ratings.filter(({ level }) => level === "blind");
  const because = Map.groupBy(blind, (one) => [day(one.at), ...one.because].join(" "));
  return [...because.values()].map((its) => {
    const [first] = its;
    const names = (first?.because ?? []).map((id) => nameOf(id, config));
    const ratings = ratingNames(
      its.map(({ rating }) => rating),
      config,
    );
    return `- ${ratings}, since ${day(first?.at ?? 0)}: ${firstOf(names, 6)} could not be read`;
  });
}

function groups(unseen: readonly Unseen[], { config }: OverviewDrawing): Unseen[][] {
  return [
    ...Map.groupBy(unseen, ({ source, trouble, gone }) =>
      JSON.stringify([hostOf(config.sources.get(source)), trouble.says, gone]),
    ).values(),
  ];
}

/** Limit of ids in one box: a tick retries all of them, and GitHub accepts a line of this length. */
const maxInBox = 40;

function unseenLine(group: readonly Unseen[], { config, commands, status }: OverviewDrawing): string {
  const [first] = group;
  const ids = group.map(({ source }) => source);
  const host = code(hostOf(config.sources.get(first?.source ?? "")), 80);
  const names = ids.map((id) => nameOf(id, config));
  const what = ids.length === 1 ? names[0] : `${host}, ${ids.length} sources`;
  const since = Math.min(...group.map(({ trouble, goneSince }) => goneSince ?? trouble.since));
  const blindFrom = Math.min(...group.flatMap((one) => one.blindFrom ?? []));
  const facts = [
    `${what}: ${first?.gone ? "gone, " : ""}${words(first?.trouble.says ?? "", 160)}, since ${day(since)}`,
    ...(Number.isFinite(blindFrom)
      ? [`not checkable ${blindFrom <= status.at ? "since" : "from"} ${day(blindFrom)}`]
      : []),
    ...(ids.length > 1 ? [firstOf(names, 8)] : []),
  ].join(" · ");
  return commands ? boxLine(`retry ${ids.slice(0, maxInBox).join(" ")}`, facts) : `- ${facts}`;
}

/** The title of a source, else its id, with its reference numbers. */
function nameOf(id: string, { sources }: Config): string {
  const { title, cites = [] } = sources.get(id) ?? {};
  const name = title === undefined ? code(id) : words(title, 100);
  return cites.length > 0 ? `${name} (${refs(cites)})` : name;
}

function hostOf(source: Source | undefined): string {
  if (!source) return "";
  return URL.parse(source.address)?.host || source.kind;
}

/** Ratings with sentences that are no longer true, although no question about them is open. */
function uncorrectedPart(drawing: OverviewDrawing): Part {
  const why = "A sentence below these ratings is no longer true. Correct it, or set `reviewed` of the rating.";
  return byDayPart("not corrected", ["### Not corrected", "", why, ""], drawing);
}

function byDayPart(reason: FreshnessLevel, head: string[], { status, config }: OverviewDrawing): Part {
  const all = status.ratings.filter(({ level }) => level === reason);
  const days = [...Map.groupBy(all, ({ at }) => day(at))].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = days.map(([since, its]) => {
    const ratings = its.map(({ rating }) => rating);
    return `- since ${since}: ${ratingNames(ratings, config)}`;
  });
  return { head, entries, least: 1, one: "day" };
}

function unnamedPart({ status, config }: OverviewDrawing): Part {
  const entries = status.unnamed.map(({ source, says }) => {
    return `- ${nameOf(source, config)} ${words(says, 300)}`;
  });
  return { head: ["### No version is named", ""], entries, least: 1, one: "source" };
}

function confirmPart({ status, config }: OverviewDrawing): Part {
  const entries = status.waiting.map(({ source, sightings, secondCheck }) => {
    const what = headline(asFiring(source, sightings), config).markdown;
    return `- ${what}, second check ${minute(secondCheck)}`;
  });
  return { head: ["### To be confirmed", ""], entries, least: 1, one: "sighting" };
}

function asFiring(source: string, sightings: readonly Sighting[]): Firing {
  const seen = Math.min(...sightings.map(({ since }) => since));
  const evidence = sightings.map(({ change, since }) => {
    const claim = change.kind === "claim" ? { claim: change.claim, part: "claim" as const } : { part: "on" as const };
    return { source, seen: since, change, ...claim };
  });
  return { trigger: "", event: { key: source }, weight: "routine", seen, fired: seen, evidence };
}
