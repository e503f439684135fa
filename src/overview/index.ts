import { day, minute } from "../describe.ts";
import { digest } from "../digest.ts";
import type { Duration, Instant } from "../model.ts";
import { boxLine } from "../recheck/box.ts";
import { clip, mostCharacters } from "../recheck/clip.ts";
import { code, words } from "../recheck/inert.ts";
import { beginLine, end, ourPart } from "../recheck/marker.ts";
import { pathIn } from "../repository/config-files.ts";
import { stoppedAfter } from "../schedule.ts";
import { askedParts } from "./asked.ts";
import { blindParts } from "./blind.ts";
import { confirmPart, duePart } from "./due.ts";
import { matrixPart } from "./matrix.ts";
import type { Drawing, Overview } from "./overview.ts";
import { sourcesPart, triggersPart } from "./tables.ts";

export type { OpenRecheck, Overview } from "./overview.ts";

const overviewTitle = "Recheck overview";

export interface OverviewIssue {
  readonly title: string;
  /** The bot's section, from its first marker to its last: what people write around it stays theirs. */
  readonly body: string;
  /** Changes when there is something to tell, and once a day; not because looks were made. Write when it changed. */
  readonly hash: string;
}

/** The issue that shows how everything stands. `room`: characters that its section may take. Pure. */
export function renderOverview(overview: Overview, room = mostCharacters): OverviewIssue {
  return {
    title: overviewTitle,
    body: bodyOf({ ...overview, passing: (text) => text }, room),
    hash: digest([bodyOf({ ...overview, passing: () => "" }, mostCharacters), day(lastScan(overview) ?? 0)]),
  };
}

function bodyOf(drawing: Drawing, room: number): string {
  const { doubt, review, snoozed } = askedParts(drawing);
  const parts = [doubt, ...blindParts(drawing), review, duePart(drawing), confirmPart(drawing), snoozed];
  const tables = [matrixPart(drawing), sourcesPart(drawing), triggersPart(drawing)];
  const head = [
    beginLine(drawing.marker, "", [], []),
    pulse(drawing),
    ...(drawing.notices ?? []),
    ...restful(drawing),
    ...look(drawing),
  ];
  return clip(head.join("\n\n"), [...parts, ...tables], [foot(drawing), end].join("\n\n"), room);
}

/** When the last scan ended, and whether that is too long ago. */
function pulse(drawing: Drawing): string {
  const ended = lastScan(drawing);
  if (ended === undefined) return "No scan has ended yet.";
  const told = `The last scan ended on ${drawing.passing(minute(ended))}.`;
  const patience = stoppedAfter(drawing.config);
  if (drawing.status.at - ended <= patience) return told;
  return `**The monitor has stopped: the last scan ended on ${minute(ended)}.** What follows is as old as that.`;
}

function lastScan({ lastScan, status }: Overview): Instant | undefined {
  return lastScan ?? status.lastLook;
}

const aDay: Duration = 86_400_000;

function restful({ status, rechecks }: Drawing): string[] {
  const calm = status.ratings.every(({ level }) => level === "fresh") && status.open.length + rechecks.length === 0;
  return calm && status.unseen.length + status.waiting.length === 0 ? ["Nothing is to be done: all is fresh."] : [];
}

function look({ commands }: Drawing): string[] {
  return commands ? [boxLine("look", "look at every source now")] : [];
}

function foot(drawing: Drawing): string {
  const { title, audited } = drawing.config.report;
  const days = Math.round(stoppedAfter(drawing.config) / aDay);
  const pause = days === 1 ? "a day" : `${days} days`;
  const alive = `If the last scan is more than ${pause} old, the monitor has stopped.`;
  const file = code(pathIn(drawing.folder ?? "", "sources.yaml"));
  const off = `Write \`overview: no\` into ${file} to be without this issue.`;
  return `<sub>*${words(title, 200)}*, last checked by its author on ${day(audited)}. ${alive} ${off} ${ourPart}</sub>`;
}
