import { code, cut, fold } from "../../model/markdown.ts";
import type { Conclusion, Config, Instant } from "../../model/model.ts";
import { conclusionsOn } from "../../model/rests.ts";
import { day } from "../../model/words.ts";
import { editCell, type Place } from "./report.ts";
import { type FileChange, lineEnd } from "./splice.ts";
import { editSources } from "./yaml.ts";

export type { Place } from "./report.ts";

/** An answer that is to be written down. */
export interface Review {
  readonly rating: string;
  readonly verdict: "keep" | "change";
  readonly level?: string;
  readonly because?: string;
  readonly at: Instant;
}

/** A file as it is on the branch; its path is from the root of the repository. */
export interface File {
  readonly path: string;
  readonly text: string;
}

/** The files that a review is written to. `log` without text: it is to be made. */
export interface Files {
  readonly sources: File;
  /** Where config names it (`report.text`) and it is there. */
  readonly text?: File;
  readonly log?: { readonly path: string; readonly text?: string };
}

export interface Edited {
  /** Only files that change. */
  readonly changes: readonly FileChange[];
  /** Where a person has to edit the report. */
  readonly byHand: readonly Place[];
  /** Ratings that have changed and whose place in the report was not found. */
  readonly unfound: readonly string[];
  /** What could not be written, as Markdown sentences. */
  readonly problems: readonly string[];
  /** What rests on the ratings that have changed. */
  readonly conclusions: readonly Conclusion[];
}

/** The recheck that answers belong to. */
export interface Origin {
  /** Number of its issue. */
  readonly issue?: number;
  /** What people filled into its reproducibility record. */
  readonly record?: ReadonlyMap<string, string>;
}

/** Writes answers into `sources.yaml`, the report and its log. `config`: as it was before. Pure. */
export function editAll(reviews: readonly Review[], config: Config, files: Files, origin: Origin = {}): Edited {
  const edits = reviews.map(({ rating, level, at }) => ({ rating, level, reviewed: at }));
  const { text, left } = editSources(files.sources.text, edits);
  const problems = left.map(
    ({ rating, says }) => `${code(rating)} is to be edited by hand in \`sources.yaml\`: ${says}.`,
  );
  const written = reviews.filter(({ rating }) => !left.some((one) => one.rating === rating));
  const changed = reviews.filter((one) => one.level !== undefined && one.level !== levelOf(one.rating, config));
  const report = editReport(changed, config, files.text);
  const sources = { path: files.sources.path, before: files.sources.text, after: text };
  const changes = withLog([sources, ...report.changes], written, config, files, origin);
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    byHand: report.byHand,
    unfound: report.unfound,
    problems,
    conclusions: conclusionsOn(
      changed.map(({ rating }) => rating),
      config,
    ),
  };
}

function editReport(
  changed: readonly Review[],
  config: Config,
  file: File | undefined,
): { changes: FileChange[]; byHand: Place[]; unfound: string[] } {
  const byHand: Place[] = [];
  const unfound: string[] = [];
  let text = file?.text ?? "";
  for (const { rating, level = "" } of file ? changed : []) {
    const old = levelOf(rating, config);
    const edited = editCell(file?.path ?? "", text, { rating, old, level }, config);
    text = edited.text;
    byHand.push(...edited.byHand);
    if (!edited.found && edited.byHand.length === 0) unfound.push(rating);
  }
  return { changes: file ? [{ path: file.path, before: file.text, after: text }] : [], byHand, unfound };
}

/** The log may be a part of the report's own file. */
function withLog(
  changes: readonly FileChange[],
  reviews: readonly Review[],
  config: Config,
  { log }: Files,
  { issue, record = new Map() }: Origin,
): FileChange[] {
  if (!log || reviews.length === 0) return [...changes];
  const lines = reviews.map(({ rating, level, because, at }) =>
    logLine({ rating, old: levelOf(rating, config), level, because, at, issue }),
  );
  const run = recordLine(record, Math.max(...reviews.map(({ at }) => at)), issue);
  if (run !== undefined) lines.push(run);
  const same = changes.find(({ path }) => path === log.path);
  const others = changes.filter((change) => change !== same);
  return [
    ...others,
    { path: log.path, before: same ? same.before : log.text, after: editLog(same ? same.after : log.text, lines) },
  ];
}

function levelOf(rating: string, config: Config): string {
  return config.ratings.get(rating)?.level ?? "";
}

/** What a review leaves in the report's log. */
export interface LogEntry {
  readonly rating: string;
  readonly old: string;
  /** The new level; undefined where it was kept. */
  readonly level?: string;
  readonly because?: string;
  readonly at: Instant;
  /** Number of the recheck issue. */
  readonly issue?: number;
}

/** `- 2026-11-20: tpu/maturity Medium → High, because … (#12)`. Words of people do nothing in it. */
export function logLine({ rating, old, level, because, at, issue }: LogEntry): string {
  const what = level === undefined ? `${inert(old)} kept` : `${inert(old)} → ${inert(level)}`;
  const why = because === undefined ? "" : `, because ${inert(because)}`;
  return `- ${day(at)}: ${rating} ${what}${why}${issue === undefined ? "" : ` (#${issue})`}`;
}

/** `- 2026-11-20: #12 was run with stack: Loom 2.13; hardware: one board`; undefined where nobody filled the record in. */
export function recordLine(record: ReadonlyMap<string, string>, at: Instant, issue?: number): string | undefined {
  if (record.size === 0) return undefined;
  const fields = [...record].map(([field, value]) => `${inert(field)}: ${inert(value)}`);
  return `- ${day(at)}: ${issue === undefined ? "this" : `#${issue}`} was run with ${fields.join("; ")}`;
}

/** The log with these lines after the last of their like, else at its end. A line that is there already stays once. */
export function editLog(text: string | undefined, lines: readonly string[]): string {
  if (text === undefined || text === "") return ["# Log of reviews", "", ...lines, ""].join("\n");
  const eol = lineEnd(text);
  const old = text.split(/\r?\n/);
  const fresh = [...new Set(lines)].filter((line) => !old.includes(line));
  if (fresh.length === 0) return text;
  const end = endOfLast(text);
  if (end !== undefined)
    return `${text.slice(0, end)}${fresh.map((line) => `${eol}${line}`).join("")}${text.slice(end)}`;
  const gap = text.endsWith("\n") ? eol : eol + eol;
  return `${text}${gap}${fresh.join(eol)}${text.endsWith("\n") ? eol : ""}`;
}

/** Behind the last line of the log's own shape, before its line end. */
function endOfLast(text: string): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(/^- \d{4}-\d{2}-\d{2}: [^\r\n]*/gm)) end = match.index + match[0].length;
  return end;
}

/**
 * In a file nobody is told by a mention: it is enough that nothing is markup. A bare link takes backslashes for its own
 * and ends at `<`, so that this one is spelt out.
 */
function inert(text: string): string {
  return cut(fold(text), 500)
    .replace(/[\\`*_[\]>|~$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
}
