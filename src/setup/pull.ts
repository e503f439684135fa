import { type Problem, problemText } from "../config/problem.ts";
import { counted, day } from "../describe.ts";
import type { Config, Firing } from "../model.ts";
import type { Unread } from "../ports.ts";
import type { Reader } from "../read/reader.ts";
import { clip, mostCharacters, type Part } from "../recheck/clip.ts";
import { cell, code, link, words } from "../recheck/inert.ts";
import { beginLine, end } from "../recheck/marker.ts";
import { inOrder, type Link } from "../recheck/question.ts";
import { type CatchUp, catchUp, type FirstLook } from "./catch-up.ts";
import type { Found } from "./draft.ts";
import { goOver } from "./go-over.ts";
import { called, sinceParts } from "./since.ts";

/** All that the set-up pull request is made of. */
export interface SetUp {
  /** That of the branch. */
  readonly config: Config;
  /** What the draft was made from; undefined once nobody remembers. */
  readonly found?: Found;
  /** What was not looked at for a report. */
  readonly unread?: Unread;
  /** The newest look at each source; none before the first scan of the branch. */
  readonly looks: readonly FirstLook[];
  readonly firings: readonly Firing[];
  readonly readers: ReadonlyMap<string, Reader>;
  /** The random word by which the pull request is found again. */
  readonly marker: string;
  /** Where its files are. */
  readonly folder: "" | ".github/recheck";
  readonly link: Link;
}

export interface SetUpPull {
  readonly title: string;
  /** The bot's section, from its first marker to its last. */
  readonly body: string;
}

export const setUpTitle = "Set up Recheck";

const what = [
  "**Recheck watches the sources that this report cites, and opens an issue when one of them moves under a rating.**",
  "It asks; people decide, and the report changes only by pull requests that they merge.",
].join(" ");

/** The set-up pull request; written again whenever its branch changes or its sources were looked at. Pure. */
export function renderSetUp(setUp: SetUp, room = mostCharacters): SetUpPull {
  const { config, looks, firings, readers, marker } = setUp;
  const caught = catchUp(config, looks, firings, readers);
  const all = inOrder([...caught.contrary, ...caught.routine]);
  const head = [beginLine(marker, "set-up", all, []), what, ...foundLines(setUp)].join("\n\n");
  const parts = [unseenPart(caught, config), sourcesPart(caught, setUp), ...sinceParts(caught, setUp)];
  return {
    title: setUpTitle,
    body: clip(`${head}\n\n${lookedLine(caught, config)}`, parts, [...nextLines(setUp.folder), end].join("\n\n"), room),
  };
}

/** While the config of its branch has mistakes: what they are, and what else holds. */
export function renderBroken(
  problems: readonly Problem[],
  marker: string,
  folder: SetUp["folder"],
  room = mostCharacters,
): SetUpPull {
  const head = [
    beginLine(marker, "set-up", [], []),
    what,
    "Nothing was looked at since the last edit of this branch: its config cannot be read.",
  ];
  const list: Part = {
    head: ["### What is wrong", ""],
    entries: problems
      .slice(0, 50)
      .map(
        (problem) =>
          `- ${code(`${problem.file}:${problem.line}:${problem.column}`, 120)} ${words(problemText(problem), 300)}`,
      ),
    beyond: Math.max(0, problems.length - 50),
    between: "\n",
    least: 1,
    one: "problem",
    many: "problems",
  };
  return { title: setUpTitle, body: clip(head.join("\n\n"), [list], [...nextLines(folder), end].join("\n\n"), room) };
}

/** Once the default branch has a config that came otherwise. */
export function renderOvertaken(marker: string): string {
  const says = "The default branch has a config of its own now, which is in use: nothing of this is needed any more.";
  return [beginLine(marker, "set-up", [], []), says, end].join("\n\n");
}

function foundLines({ config, found, unread, folder }: SetUp): string[] {
  const where = code(`${folder ? `${folder}/` : ""}sources.yaml`);
  const { sources, ratings, triggers, report, unwatchable } = config;
  const now = [
    counted(sources.size, "source"),
    counted(ratings.size, "rating"),
    counted(triggers.size, "trigger"),
    ...(unwatchable.length > 0 ? [`${unwatchable.length} that cannot be watched`] : []),
  ].join(", ");
  const audit = `The report counts as last checked on ${day(report.audited)}`;
  if (!found) return ["### What is watched", `${where} on this branch holds ${now}. ${audit}.`];
  const cited = `${counted(found.references, found.numbered ? "reference" : "link")}, ${counted(found.sources, "distinct address", "distinct addresses")}`;
  const levels = found.ratings > 0 ? ` (${found.levels.map((level) => words(level, 30)).join(", ")})` : "";
  const stated = found.triggers > 0 && found.stated > 0 ? `, ${found.stated} of them the report's own` : "";
  const because = found.audited === report.audited ? ` (${found.because})` : "";
  return [
    "### What was found",
    `In ${code(found.path, 120)}: ${cited}; ${counted(found.ratings, "rating")}${levels}; ${counted(found.triggers, "trigger")}${stated}. ${audit}${because}. ${where} on this branch holds ${now}.`,
    ...goOver(found, config, unread),
  ];
}

function lookedLine({ seen, unseen, later, waiting }: CatchUp, { sources }: Config): string {
  if (sources.size === 0) return "### What was looked at\n\nNothing: no source is named yet.";
  const total = seen.length + unseen.length;
  if (total + later.length === 0)
    return "### What was looked at\n\nNothing yet: the first look is under way, and this description follows it.";
  const rest = [
    ...(later.length > 0 ? [`${later.length} left for later, for GitHub answers only so often in an hour`] : []),
    ...(waiting.length > 0 ? [`${waiting.length} not looked at yet`] : []),
  ];
  const all = total === 1 ? "It could be read" : "All of them could be read";
  const reached = unseen.length === 0 ? all : `${unseen.length} could not be read`;
  return `### What was looked at\n\n${counted(total, "source")}. ${reached}${rest.map((one) => `; ${one}`).join("")}.`;
}

function unseenPart({ unseen }: CatchUp, config: Config): Part {
  return {
    head: ["| could not be read | why |", "|---|---|"],
    entries: unseen.map(({ source, says }) => `| ${cell(called(source, config))} | ${cell(words(says, 120))} |`),
    between: "\n",
    least: 0,
    one: "source that could not be read",
    many: "sources that could not be read",
  };
}

function sourcesPart({ seen, withoutPast }: CatchUp, { config, link: linkTo }: SetUp): Part {
  const past = new Set(withoutPast);
  return {
    head: [
      `<details><summary>${counted(seen.length, "source")} that could be read</summary>`,
      "",
      "| source | kind | past |",
      "|---|---|---|",
    ],
    entries: seen.map((id) => {
      const source = config.sources.get(id);
      const open = source ? link(called(id, config), linkTo(source)) : called(id, config);
      return `| ${cell(open)} | ${source?.kind ?? ""} | ${past.has(id) ? "none: compared from now on" : "entries with dates"} |`;
    }),
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one: "source",
    many: "sources",
  };
}

function nextLines(folder: SetUp["folder"]): string[] {
  const files = folder ? `${folder}/` : "";
  return [
    [
      "### What now",
      "",
      `- **To change anything**, edit ${code(`${files}sources.yaml`)} and ${code(`${files}triggers/`)} on this branch: a check tells mistakes on their lines, and this description follows.`,
      "- **Merging starts the watch.** Contrary events are opened as rechecks, one by one; the routine ones go into one issue, *Catch up*.",
      "- **Closing opts out**: nothing is watched, and this is not proposed again.",
      "- **To come back**, reopen this pull request, or commit a `sources.yaml` of your own, at the root or in `.github/recheck/`.",
    ].join("\n"),
  ];
}
