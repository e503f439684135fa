import { pathIn } from "../../../config/files.ts";
import type { Change } from "../../../model/change.ts";
import type { Claim } from "../../../model/claim.ts";
import type { Config } from "../../../model/config.ts";
import { outOfDateWords } from "../../../model/finding.ts";
import { type Firing, mergeFirings } from "../../../model/firing.ts";
import { cell, code, link, name, words } from "../../../model/markdown.ts";
import type { CheckRecord, OfferedTable, SetUp } from "../../../model/ports/index.ts";
import type { Problem } from "../../../model/problem.ts";
import type { Item } from "../../../model/reading.ts";
import { day, type Instant } from "../../../model/time.ts";
import {
  describeProof,
  firstOf,
  groupDigits,
  pluralize,
  ratingTitle,
  triggerName,
  weightWords,
} from "../../../model/words.ts";
import { frequencyAdvice } from "../../../onboard/question-counts.ts";
import { claimsFound, draftSummary, pointsToReview, strongestClaims } from "../../../onboard/summary.ts";
import type { Reader } from "../../../read/reader.ts";
import type { PlaceInReport } from "../../../recheck/correct.ts";
import { type FirstFinding, firstFindings } from "../../../recheck/first-check.ts";
import { outOfDateList } from "../../../recheck/issue/ask.ts";
import { evidenceEntries } from "../../../recheck/issue/evidence.ts";
import { clip, maxBodyCharacters, type Part } from "../../../recheck/issue/layout.ts";
import { beginLine, boxLine, sectionEnd } from "../../../recheck/issue/marker.ts";
import {
  type FiringGroup,
  groupTriggers,
  type Question,
  refs,
  strongestFirst,
} from "../../../recheck/issue/question.ts";
import { problemsPart } from "../config/effect.ts";

export interface SetUpDescription
  extends Pick<SetUp, "marker" | "found" | "unread" | "tables" | "claims" | "asked">,
    Pick<Question, "config" | "link" | "places"> {
  /** The newest check of each source; none before the first scan of the branch. */
  readonly checks: readonly FirstCheckRecord[];
  readonly firings: readonly Firing[];
  readonly readers: ReadonlyMap<string, Reader>;
  readonly folder: "" | ".github/recheck";
}

export const setUpTitle = "Set up Recheck";

const introduction = [
  "**Recheck watches the sources that this report cites, and opens an issue when one of them changes in a way that affects a rating.**",
  "People decide. The report changes only through pull requests that they merge.",
].join(" ");

/** Renders our section of the set-up pull request, whenever its branch changed or its sources were checked. Pure. */
export function renderSetUp(setUp: SetUpDescription, room = maxBodyCharacters): string {
  const { config, checks, firings, readers, marker, places } = setUp;
  const caught = catchUp(config, checks, firings, readers, places);
  const all = strongestFirst([...caught.contrary, ...caught.routine, ...caught.first.map(({ firing }) => firing)]);
  const head = [
    beginLine(marker, "set-up", all, []),
    ...(caught.first.length > 0 ? [`**${outOfDateWords(caught.first.length)}:**`, outOfDateList(caught.first)] : []),
    introduction,
    ...foundLines(setUp),
    ...tableLines(setUp.tables ?? []),
    ...claimLines(setUp),
    checkedLine(caught, config),
  ];
  const parts = [
    unseenPart(caught, config),
    sourcesPart(caught, setUp),
    ...pastParts(setUp),
    ...sinceParts(caught, setUp),
  ];
  return clip(head.join("\n\n"), parts, [nextSteps(setUp.folder), sectionEnd].join("\n\n"), room);
}

/** Renders it while the config on its branch has mistakes, with a list of them. */
export function renderBroken(
  problems: readonly Problem[],
  marker: string,
  folder: SetUpDescription["folder"],
  room = maxBodyCharacters,
): string {
  const head = [
    beginLine(marker, "set-up", [], []),
    introduction,
    "Nothing was checked since the last edit of this branch, because its config has mistakes.",
  ];
  const tail = [nextSteps(folder), sectionEnd];
  return clip(head.join("\n\n"), [problemsPart(problems, folder)], tail.join("\n\n"), room);
}

export function renderOvertaken(marker: string): string {
  const says = "The default branch now has its own config, which is in use. This pull request is no longer needed.";
  return [beginLine(marker, "set-up", [], []), says, sectionEnd].join("\n\n");
}

function foundLines({ config, found, unread, folder, readers }: SetUpDescription): string[] {
  const where = code(pathIn(folder, "sources.yaml"));
  const { sources, ratings, triggers, report, unwatchable } = config;
  const now = [
    pluralize(sources.size, "source"),
    pluralize(ratings.size, "rating"),
    pluralize(triggers.size, "trigger"),
    ...(unwatchable.length > 0 ? [`${pluralize(unwatchable.length, "reference")} that cannot be watched`] : []),
  ].join(", ");
  const audit = `The report counts as last checked on ${day(report.audited)}`;
  if (!found) return ["### What is watched", `${where} on this branch holds ${now}. ${audit}.`];
  const points = pointsToReview(found, config, readers, unread, (level) => words(level, 30));
  const because = found.audited === report.audited ? ` (${found.because})` : "";
  return [
    "### What was found",
    `In ${code(found.path, 120)}: ${draftSummary(found, (level) => words(level, 30))}. ${audit}${because}. ${where} on this branch holds ${now}.`,
    ...(points.length > 0 ? [["To review:", "", ...points.map((point) => `- ${point}`)].join("\n")] : []),
  ];
}

export function tableBox(id: string): string {
  return `table ${id}`;
}

/** The question which tables rate; each with its place, its head and its first row. */
function tableLines(tables: readonly OfferedTable[]): string[] {
  if (tables.length === 0) return [];
  const boxes = tables.map(({ id, place, counts, lines, reason, isChosen }) => {
    const says = `${code(place, 120)}: ${code(counts, 120)}; ${words(reason)}`;
    const box = boxLine(tableBox(id), says).replace("[ ]", isChosen ? "[x]" : "[ ]");
    return [box, ...lines.map((line) => `  ${code(line, 120)}`)].join("\n");
  });
  return [
    "### Which tables rate?",
    "It is not certain which tables of the report hold ratings. Tick those that do: this branch is then drafted again with their ratings.",
    boxes.join("\n"),
  ];
}

function claimLines({ config, claims: counts, folder }: SetUpDescription): string[] {
  if (!counts || counts.considered === 0) return [];
  const all = [...config.sources.values()].flatMap(({ claims }) => claims);
  const some = strongestClaims(all).map((claim) => claimLine(claim, config));
  const more = all.length - some.length;
  return [
    "### What the report says about its sources",
    `${claimsFound(counts)}. ${code(pathIn(folder, "sources.yaml"))} on this branch holds ${pluralize(all.length, "claim")}${all.length > 0 ? ":" : "."}`,
    ...(all.length > 0 ? [[...some, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")] : []),
  ];
}

function claimLine({ says, source, proof, ratings }: Claim, config: Config): string {
  const rests = ratings.map((rating) => words(ratingTitle(rating, config), 80));
  const on = rests.length > 0 ? `, for ${firstOf(rests, maxShownRatings)}` : "";
  return `- ${words(says, 160)} (${code(source, 60)}: ${code(describeProof(proof), 160)}${on})`;
}

const maxShownRatings = 4;

function checkedLine({ readSources, unreadSources, later, waiting }: CatchUp, { sources }: Config): string {
  if (sources.size === 0) return "### What was checked\n\nNothing: no source is named yet.";
  const total = readSources.length + unreadSources.length;
  if (total + later.length === 0)
    return "### What was checked\n\nNothing yet: the first check is running, and this description will be updated.";
  const rest = [
    ...(later.length > 0 ? [`${later.length} left for later, because GitHub limits requests per hour`] : []),
    ...(waiting.length > 0 ? [`${waiting.length} not checked yet`] : []),
  ];
  const all = total === 1 ? "It could be read" : "All of them could be read";
  const reached = unreadSources.length === 0 ? all : `${unreadSources.length} could not be read`;
  return `### What was checked\n\n${pluralize(total, "source")}. ${reached}${rest.map((one) => `; ${one}`).join("")}.`;
}

function unseenPart({ unreadSources }: CatchUp, config: Config): Part {
  return {
    head: ["| could not be read | why |", "|---|---|"],
    entries: unreadSources.map(
      ({ source, says }) => `| ${cell(sourceName(source, config))} | ${cell(words(says, 120))} |`,
    ),
    one: "source that could not be read",
    many: "sources that could not be read",
  };
}

function sourcesPart({ readSources, withoutPast }: CatchUp, { config, link: linkTo }: SetUpDescription): Part {
  const past = new Set(withoutPast);
  return {
    head: [
      `<details><summary>${pluralize(readSources.length, "source")} that could be read</summary>`,
      "",
      "| source | kind | past |",
      "|---|---|---|",
    ],
    entries: readSources.map((id) => {
      const source = config.sources.get(id);
      const open = source ? link(sourceName(id, config), linkTo(source)) : sourceName(id, config);
      return `| ${cell(open)} | ${source?.kind ?? ""} | ${past.has(id) ? "no history: today's content is the baseline" : "entries with dates"} |`;
    }),
    tail: ["", "</details>"],
    one: "source",
  };
}

function pastParts({ asked, config }: SetUpDescription): Part[] {
  const askedTriggers = (asked ?? []).filter(({ trigger }) => config.triggers.has(trigger));
  if (!asked || config.triggers.size === 0) return [];
  const times = askedTriggers.reduce((sum, one) => sum + one.times, 0);
  const says = `According to dated entries and releases, the drafted triggers would have asked ${askedTriggers.length === 0 ? "nothing" : `**${pluralize(times, "time")}**`} in the last half year.`;
  const heading = ["### What it would have asked", ""];
  if (askedTriggers.length === 0) return [{ head: heading, entries: [says], least: 1, one: "sentence" }];
  return [
    {
      head: [...heading, says, "", "| times | trigger | what to do |", "|---:|---|---|"],
      entries: askedTriggers.map(
        (one) =>
          `| ${one.times} | ${cell(words(triggerName(one.trigger, config), 100))} | ${cell(frequencyAdvice(one))} |`,
      ),
      one: "trigger",
    },
  ];
}

function nextSteps(folder: SetUpDescription["folder"]): string {
  const [sources, triggers] = ["sources.yaml", "triggers/"].map((path) => code(pathIn(folder, path)));
  return [
    "### What now",
    "",
    `- **To change anything**, edit ${sources} and ${triggers} on this branch: a check run shows mistakes on their lines, and this description is updated.`,
    "- **Merging starts the watch.** What is out of date becomes one issue. Events against the report become rechecks, one issue each; all others go into one issue, *Catch up*.",
    "- **Closing opts out**: nothing is watched, and this is not proposed again.",
    "- **To come back**, reopen this pull request, or commit a `sources.yaml` of your own, at the root or in `.github/recheck/`.",
  ].join("\n");
}

type Context = Pick<Question, "config" | "link">;

function sinceParts(caught: CatchUp, context: Context): Part[] {
  const { contrary, routine, quiet, readSources } = caught;
  const { config } = context;
  if (readSources.length === 0) return [];
  const firings = strongestFirst([...contrary, ...routine]);
  return [
    {
      head: [`### Since the audit of ${day(config.report.audited)}`, ""],
      entries: [sentence(caught)],
      least: 1,
      one: "sentence",
    },
    {
      head: [],
      entries: evidenceEntries(firings, context).map(
        (entry, i) => `${entry}\n\n*asked by:* ${askedBy(firings[i], context)}`,
      ),
      between: "\n\n",
      one: "event",
    },
    {
      head: [
        `<details><summary>${atLeast(caught)}${pluralize(quiet.length, "entry", "entries")} without effect</summary>`,
        "",
      ],
      entries: quiet.map(({ source, title, at }) => `- ${day(at)} ${name(title)}, ${sourceName(source, config)}`),
      tail: ["", "</details>"],
      one: "entry without effect",
      many: "entries without effect",
    },
  ];
}

function sentence(caught: CatchUp): string {
  const { contrary, routine, quiet, withoutPast } = caught;
  const number = (all: readonly unknown[]) => groupDigits(all.length);
  const counts = `**${pluralize(contrary.length, "event")} ${weightWords.contrary}, ${number(routine)} ${weightWords.routine}, ${atLeast(caught)}${number(quiet)} without effect.**`;
  if (withoutPast.length === 0) return counts;
  const pages = pluralize(withoutPast.length, "source");
  const none = withoutPast.length === 1 ? "has no history" : "have no history";
  return `${counts} ${pages} (pages, texts, repositories) ${none}; today's content is the baseline.`;
}

function atLeast({ more }: CatchUp): string {
  return more ? "at least " : "";
}

function askedBy(firing: FiringGroup | undefined, { config }: Context): string {
  const triggers = firing?.triggered ?? (firing ? [firing] : []);
  const names = triggers.map(({ trigger }) => words(triggerName(trigger, config), 100));
  return firstOf(names, 8);
}

function sourceName(id: string, config: Config): string {
  const source = config.sources.get(id);
  const shown = source?.title ? words(source.title, 100) : code(source?.address ?? id, 100);
  return source?.cites.length ? `${shown}, ${refs(source.cites)}` : shown;
}

export type FirstCheckRecord = Pick<CheckRecord, "source" | "at" | "outcome" | "failure" | "happenings" | "left">;

/** Everything that happened between the audit and the first check, as far as sources have a history. */
export interface CatchUp {
  /** Findings of the first check, worst first. */
  readonly first: readonly FirstFinding[];
  readonly contrary: readonly FiringGroup[];
  readonly routine: readonly FiringGroup[];
  /** Entries dated after the audit without a trigger that asks about them, newest first. */
  readonly quiet: readonly QuietEntry[];
  readonly more: boolean;
  readonly readSources: readonly string[];
  /** With the reason: `403`, `timed out after 20 s`. */
  readonly unreadSources: readonly { readonly source: string; readonly says: string }[];
  /** Deferred because an hourly allowance was used up. */
  readonly later: readonly string[];
  readonly waiting: readonly string[];
  /** Successfully read sources without a history: pages, texts, repositories. */
  readonly withoutPast: readonly string[];
}

export interface QuietEntry {
  readonly source: string;
  readonly title: string;
  readonly at: Instant;
}

/** Sums up the first checks. `checks`: the newest of each source; `firings`: all unanswered ones. Pure. */
export function catchUp(
  config: Config,
  checks: readonly FirstCheckRecord[],
  firings: readonly Firing[],
  readers: ReadonlyMap<string, Reader>,
  places?: PlaceInReport,
): CatchUp {
  const ownChecks = checks.filter(({ source }) => config.sources.has(source));
  const checked = new Set(ownChecks.map(({ source }) => source));
  const successes = ownChecks.filter(({ outcome }) => outcome !== "unknown");
  const missed = ownChecks.filter(({ outcome }) => outcome === "unknown");
  const together = mergeFirings(firings);
  const { findings: first, others: all } = firstFindings(together, config, places);
  return {
    first,
    contrary: newestFirst(all.filter(({ weight }) => weight === "contrary")),
    routine: newestFirst(all.filter(({ weight }) => weight === "routine")),
    quiet: quietOf(successes, all, config.report.audited),
    more: ownChecks.some(({ left = 0 }) => left > 0),
    readSources: successes.map(({ source }) => source),
    unreadSources: missed.filter(isOpen).map(({ source, failure }) => ({ source, says: failure?.says ?? "unknown" })),
    later: missed.filter((check) => !isOpen(check)).map(({ source }) => source),
    waiting: [...config.sources.keys()].filter((id) => !checked.has(id)),
    withoutPast: successes.map(({ source }) => source).filter((id) => !hasPast(id, config, readers)),
  };
}

function isOpen({ failure }: FirstCheckRecord): boolean {
  return failure?.kind !== "deferred";
}

function hasPast(id: string, config: Config, readers: ReadonlyMap<string, Reader>): boolean {
  const source = config.sources.get(id);
  const gives = source && readers.get(source.kind)?.gives(source.options);
  return gives?.items === true;
}

function newestFirst(firings: readonly Firing[]): FiringGroup[] {
  const at = ({ event, seen }: Firing) => event.at ?? seen;
  return groupTriggers([...firings].sort((a, b) => at(b) - at(a)));
}

function quietOf(checks: readonly FirstCheckRecord[], firings: readonly Firing[], audited: Instant): QuietEntry[] {
  const reportedKeys = new Set(
    firings.flatMap(({ evidence }) => evidence.flatMap(({ source, change }) => keyOf(source, change))),
  );
  const entries = checks.flatMap(({ source, happenings = [] }) =>
    happenings
      .flatMap(({ changes }) => changes)
      .flatMap(({ change }): QuietEntry[] => {
        const item = entryOf(change);
        if (item?.at === undefined || item.at <= audited || keyOf(source, change).some((key) => reportedKeys.has(key)))
          return [];
        return [{ source, title: item.title, at: item.at }];
      }),
  );
  return entries.sort((a, b) => b.at - a.at);
}

function entryOf(change: Change): Item | undefined {
  return change.kind === "item-added" ? change.item : undefined;
}

function keyOf(source: string, change: Change): string[] {
  const item = entryOf(change);
  return item ? [JSON.stringify([source, item.id])] : [];
}
