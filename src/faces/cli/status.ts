import { closing } from "../../model/closing.ts";
import type { Config } from "../../model/config.ts";
import { sizeLine } from "../../model/reading-size.ts";
import { causeName, freshnessLevels, readerState, readerStates, standingSays, stateSigns } from "../../model/states.ts";
import { aDay, day, minute } from "../../model/time.ts";
import { firstOf, oneLine, pluralize } from "../../model/words.ts";
import { type RatingStatus, type Status, status } from "../../status/status.ts";
import { hasStopped } from "../../watch/schedule.ts";
import { configOf } from "../../wire/config.ts";
import { editionIn, reportShownBy } from "../../wire/program.ts";
import { type Settings, usualKeep } from "../../wire/settings.ts";
import { openRegistry, openStored } from "../../wire/stores.ts";
import { table } from "./columns.ts";
import { printMatrix } from "./matrix.ts";
import {
  colouredSection,
  heading,
  type LinePlaces,
  placeNames,
  printFirstFindings,
  unsentLines,
  waitingRows,
} from "./summary.ts";
import { commandToType, exits, knownNames, type Terminal, WrongUsage, wordsFrom } from "./terminal.ts";

export interface StatusOptions {
  readonly json?: boolean;
  readonly rating?: string;
  readonly all?: boolean;
  /** States that make the command fail: `outdated,not-checkable`, or a reason: `blind`. */
  readonly failOn?: string;
}

/** `recheck status`: prints the state of everything from the store. Makes no request. */
export async function statusCommand(settings: Settings, options: StatusOptions, out: Terminal): Promise<number> {
  const config = await configOf(settings);
  const levels = new Set<string>(wordsFrom("--fail-on", options.failOn, [...readerStates, ...freshnessLevels]));
  if (options.rating !== undefined && !config.ratings.has(options.rating)) {
    throw new WrongUsage(`no rating "${options.rating}"${knownNames(options.rating, config.ratings.keys())}`);
  }
  await using stored = closing(await openStored(settings));
  const edition = options.json ? await editionIn(stored.store, config, settings) : undefined;
  const now = edition?.status ?? (await status(config, stored.store, settings.clock.now()));
  const isOver = hasStopped(now.lastCheck, now.at, config);
  const ratings = now.ratings.filter(({ rating }) => options.rating === undefined || rating === options.rating);
  if (edition) {
    const { answer, standingAnswer } = await import("./answers/index.ts");
    const stands = standingAnswer(edition);
    const asked = stands.ratings.filter(({ id }) => options.rating === undefined || id === options.rating);
    answer("status", { command: "status", ...stands, ratings: asked }, out);
  } else if (options.rating !== undefined) {
    if (isOver) out.line(stoppedLine(now, out));
    for (const one of ratings) out.line(ratingLine(one, config));
  } else {
    out.line(heading(config, now.at));
    out.line(
      now.lastCheck === undefined
        ? `  not checked yet: run ${commandToType("scan")}`
        : `  last check ${minute(now.lastCheck)}, next due ${minute(now.nextCheck ?? now.at)}`,
    );
    if (isOver) out.line(`  ${stoppedLine(now, out)}`);
    const shown = { config, ...(await reportShownBy(settings)) };
    const names = await placeNames(shown);
    const { recheckRows } = now.open.length > 0 ? await import("./placed.ts") : { recheckRows: () => [] };
    await printFirstFindings(
      now.open.flatMap(({ firings }) => firings),
      shown,
      out,
    );
    printMatrix(config, ratings, out);
    const room = out.width && out.width - 2;
    colouredSection(out, "Open rechecks", table(recheckRows(now, config, names), "", room));
    colouredSection(
      out,
      "Could not be checked",
      table([...unseenRows(now, names), ...(isOver ? [] : uncheckedRows(now, names))], "", room),
    );
    if (now.lastCheck !== undefined)
      colouredSection(out, "Not read yet", now.notYet.length > 0 ? [firstOf(now.notYet, 8)] : []);
    colouredSection(out, "Without a version", table(unnamedRows(now, names), "", room));
    colouredSection(out, "Waiting for confirmation", table(waitingRows(now, names), "", room));
    colouredSection(out, "Baseline", baselineLines(now));
    colouredSection(out, "Due for review", dueLines(ratings));
    colouredSection(out, "Last content", givenLines(now, options.all === true, names, room));
    colouredSection(out, "Messages", unsentLines(now));
  }
  // The stored states were true before the monitor stopped, so its exit code comes first.
  if (isOver) return exits.stopped;
  const isFailing = ratings.some(({ level }) => levels.has(level) || levels.has(readerState(level)));
  return isFailing ? exits.standing : exits.done;
}

function unseenRows({ unseen }: Status, names: LinePlaces): string[][] {
  return unseen.map(({ source, trouble, gone, goneSince = trouble.since }) => [
    `○ ${names.source(source)}`,
    `${trouble.says}, ${gone ? "gone " : ""}since ${day(goneSince)}`,
  ]);
}

function uncheckedRows({ unchecked }: Status, names: LinePlaces): string[][] {
  return unchecked.map(({ source, lastCheck }) => [`○ ${names.source(source)}`, `not checked since ${day(lastCheck)}`]);
}

function unnamedRows({ unnamed }: Status, names: LinePlaces): string[][] {
  return unnamed.map(({ source, says }) => [`? ${names.source(source)}`, says]);
}

/** If nothing is checked, sources are not blamed for being blind. */
function stoppedLine({ at, lastCheck = at }: Status, { paint }: Terminal): string {
  const days = pluralize(Math.floor((at - lastCheck) / aDay), "day");
  return paint(
    "red",
    `✗ monitoring has stopped: there was no check for ${days}, and the results below are as old as that`,
  );
}

const maxGiven = 8;

/** A line for the latest result of each source, newest first; limited, unless all are requested. */
function givenLines({ given }: Status, all: boolean, names: LinePlaces, room?: number): string[] {
  const newest = given.toSorted((a, b) => b.at - a.at);
  const shown = all || given.length <= maxGiven ? given : newest.slice(0, maxGiven);
  const rest = given.length - shown.length;
  return [
    ...table(
      shown.map(({ source, at, gave }) => [names.source(source), sizeLine(gave, at)]),
      "",
      room,
    ),
    ...(rest > 0 ? [`and ${pluralize(rest, "more source")}: ${commandToType("status", "--all")}`] : []),
  ];
}

function baselineLines({ baselines }: Status): string[] {
  return [...Map.groupBy(baselines, ({ says }) => says)].map(([says, its]) => {
    const names = its.map(({ source }) => source);
    return `· ${says}  ${firstOf(names, 8)}`;
  });
}

function dueLines(ratings: Status["ratings"]): string[] {
  const due = ratings.filter(({ level }) => level === "due");
  const days = new Set(due.map(({ at }) => day(at)));
  return [...days].sort().map((since) => {
    const its = due.filter(({ at }) => day(at) === since).map(({ rating }) => rating);
    return `· since ${since}  ${its.join(", ")}`;
  });
}

function ratingLine({ rating, value, level, at, because }: RatingStatus, config: Config): string {
  const reason = level === "fresh" ? "due" : `${level} since`;
  const causes = because.map((id) => oneLine(causeName(id, level, config))).join(", ");
  return `${rating}  ${value}  ${stateSigns[readerState(level)]} ${readerState(level)} (${reason} ${day(at)})${causes && `: ${causes}`}`;
}

/** `recheck status --served`: all present and former repositories of the server, with their problems. Makes no request. */
export async function servedCommand(
  settings: Settings,
  { json }: { readonly json?: boolean },
  out: Terminal,
): Promise<number> {
  await using stored = closing(await openRegistry(settings));
  const states = await Array.fromAsync(stored.registry.repositories(), (state) => {
    const { id, name, standing } = state;
    return { id, name, standing, says: standingSays(state, (settings.keep ?? usualKeep).removed) };
  });
  const repositories = states.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = new Map(states.map(({ id, name }) => [`repository ${id}`, name]));
  const putAside = (await stored.putAside()).map((work) => ({ ...work, repository: names.get(work.lane) }));
  if (json) {
    const { answer } = await import("./answers/index.ts");
    answer("repositories", { command: "status", repositories, putAside }, out);
    return exits.done;
  }
  if (repositories.length === 0) out.line("  no repository is served: install the App on one");
  for (const { name, says } of repositories) out.line(`  ${name} ${says}`);
  colouredSection(
    out,
    "Failed work that is tried again when it is due",
    putAside.map(({ repository, lane, at, tries, says }) => {
      const times = pluralize(tries, "try", "tries");
      return `${repository ?? lane}  after ${times}, the last ${minute(at)}: ${oneLine(says, 200)}`;
    }),
  );
  return exits.done;
}
