import { pathIn } from "../config/files.ts";
import { digest } from "../model/digest.ts";
import { outOfDateWords } from "../model/finding.ts";
import { builtIn } from "../model/firing.ts";
import { cell, code, name as entryName, link, words } from "../model/markdown.ts";
import type { Watch } from "../model/ports/index.ts";
import { publishedAt } from "../model/published.ts";
import { sizeWords } from "../model/reading-size.ts";
import type { Source } from "../model/source.ts";
import { day, daysIn, type Instant, minute, stamp } from "../model/time.ts";
import { pluralize, triggerName, upTo } from "../model/words.ts";
import { type Figures, figuresText } from "../recheck/answer/figures.ts";
import { firstFindings } from "../recheck/first-check.ts";
import { findingLine } from "../recheck/issue/ask.ts";
import { clip, maxBodyCharacters, type Part } from "../recheck/issue/layout.ts";
import { beginLine, boxLine, sectionEnd, writtenOverNote } from "../recheck/issue/marker.ts";
import { hasFile, type Question, refNumberLinks } from "../recheck/issue/question.ts";
import { hasStopped, stoppedAfter } from "../watch/schedule.ts";
import { goneSince } from "../watch/watch.ts";
import { matrixPart } from "./matrix.ts";
import {
  askedParts,
  blindParts,
  confirmPart,
  duePart,
  hasLasted,
  uncorrectedPart,
  unnamedPart,
} from "./overview-parts.ts";
import { type Status, stateSentence } from "./status.ts";

const overviewTitle = "Recheck overview";

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
    title: overviewTitle,
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
    duePart(drawing),
    unnamedPart(drawing),
    confirmPart(drawing),
    snoozed,
  ];
  const tables = [matrixPart(drawing), sourcesPart(drawing), triggersPart(drawing)];
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
export interface OverviewDrawing extends Overview {
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
