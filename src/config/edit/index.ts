import type { Claim, MovedFigure, MovedSource } from "../../model/claim.ts";
import type { Conclusion, Config } from "../../model/config.ts";
import { conclusionsOn } from "../../model/dependencies.ts";
import { code, cutLine } from "../../model/markdown.ts";
import { day, type Instant } from "../../model/time.ts";
import { editCell, type PlaceByHand } from "../../report/edit/edit-cell.ts";
import { type EditedPlace, editLink, editSentence } from "../../report/edit/edit-sentence.ts";
import { type FileChange, lineEnd } from "../../report/edit/splice.ts";
import { isLink, moveAddress, moveFigure } from "./claims.ts";
import { editRatings } from "./rating.ts";

export interface Review {
  readonly rating: string;
  readonly verdict: "keep" | "change";
  readonly level?: string;
  readonly because?: string;
  readonly at: Instant;
}

/** A figure to replace in a sentence of the report and in the claim about it. */
export interface Correction {
  readonly claim: Claim;
  readonly figure: MovedFigure;
}

/** A file on the branch. Its path is relative to the root of the repository. */
export interface File {
  readonly path: string;
  readonly text: string;
  /** Why a program must not write to it: *it is a symbolic link*. Its text is unknown then. */
  readonly byHand?: string;
}

/** The files that a review is written to. A `log` without text does not exist yet. */
export interface ReviewFiles {
  readonly sources: File;
  readonly text?: File;
  readonly log?: { readonly path: string; readonly text?: string; readonly byHand?: string };
}

export interface ReviewEdits {
  readonly changes: readonly FileChange[];
  /** The places where a person has to edit the report. */
  readonly byHand: readonly PlaceByHand[];
  /** Changed ratings that were not found in the report. */
  readonly unfound: readonly string[];
  /** Edits that could not be made, as Markdown sentences. */
  readonly problems: readonly string[];
  /** Conclusions that rest on the changed ratings. */
  readonly conclusions: readonly Conclusion[];
}

/** The recheck whose answers these are. */
export interface ReviewOrigin {
  readonly issue?: number;
  /** The accepted corrections of sentences. */
  readonly corrections?: readonly Correction[];
  /** The sources whose new addresses were accepted. */
  readonly moves?: readonly MovedSource[];
}

/** Replaces figures in sentences and their claims. A sentence that stays keeps its claim, or the check passes. */
export function editFigures(corrections: readonly Correction[], files: ReviewFiles) {
  const { sources, text } = files;
  const problems: { readonly claim: string; readonly says: string }[] = [];
  /** The sentences in the report that were edited. */
  const places: EditedPlace[] = [];
  const edited = { sources: sources.text, text: text?.text ?? "" };
  for (const { claim, figure } of corrections) {
    const key = `${claim.source}/${claim.id}`;
    const [hand] = [sources, text].flatMap((file) =>
      file?.byHand === undefined ? [] : [`${code(file.path)} can only be edited by hand (${file.byHand})`],
    );
    const sentence =
      text && hand === undefined
        ? isLink(figure)
          ? editLink(edited.text, figure)
          : editSentence(text.path, edited.text, claim.says, figure)
        : { says: hand ?? "`report.text` names no file of this repository" };
    const proof = "says" in sentence ? undefined : moveFigure(edited.sources, claim, figure);
    if ("says" in sentence) problems.push({ claim: key, says: sentence.says });
    else if (proof === undefined) problems.push({ claim: key, says: "its claim cannot be edited in place" });
    else {
      Object.assign(edited, { sources: proof, text: sentence.text });
      places.push(...sentence.places);
    }
  }
  return { files: withTexts(files, edited), problems, places };
}

/** Replaces addresses in the report and in config, as far as that can be done in place. */
export function editAddresses(files: ReviewFiles, moves: readonly MovedSource[]): ReviewFiles {
  const { text, sources } = files;
  const edited = { text: text?.text ?? "", sources: sources.text };
  for (const move of moves) {
    const report = text?.byHand === undefined ? editLink(edited.text, move) : undefined;
    if (report && "text" in report) edited.text = report.text;
    if (sources.byHand === undefined) edited.sources = moveAddress(edited.sources, move.source, move) ?? edited.sources;
  }
  return withTexts(files, edited);
}

/** The files with other texts. */
function withTexts(
  { sources, text, ...others }: ReviewFiles,
  now: { readonly sources: string; readonly text: string },
): ReviewFiles {
  return {
    ...others,
    sources: { ...sources, text: now.sources },
    ...(text && { text: { ...text, text: now.text } }),
  };
}

/** Writes answers into `sources.yaml`, the report and its log. `config`: the config before the answers. Pure. */
export function editAll(
  reviews: readonly Review[],
  config: Config,
  before: ReviewFiles,
  { corrections = [], moves = [], ...origin }: ReviewOrigin = {},
): ReviewEdits {
  const { files: corrected, problems: uncorrected } = editFigures(corrections, before);
  const files = editAddresses(corrected, moves);
  const edits = reviews.map(({ rating, level, at }) => ({ rating, level, reviewed: at }));
  const { path, text: old, byHand } = files.sources;
  const { text, left } =
    byHand === undefined
      ? editRatings(old, edits)
      : { text: old, left: edits.map(({ rating }) => ({ rating, says: byHand })) };
  const problems = [
    ...uncorrected.map(({ claim, says }) => `Correct ${code(claim)} by hand: ${says}.`),
    ...left.map(({ rating, says }) => `Edit ${code(rating)} in \`sources.yaml\` by hand: ${says}.`),
  ];
  const written = reviews.filter(({ rating }) => !left.some((one) => one.rating === rating));
  const changed = reviews.filter((one) => one.level !== undefined && one.level !== levelOf(one.rating, config));
  const report = editReport(changed, config, files.text?.byHand === undefined ? files.text : undefined);
  for (const { path, byHand } of [changed.length > 0 ? files.text : undefined, files.log].flatMap((file) => file ?? []))
    if (byHand !== undefined) problems.push(`Edit ${code(path)} by hand: ${byHand}.`);
  const sources = { path, before: before.sources.text, after: text };
  const reports = report.changes.map((change) => ({ ...change, before: before.text?.text }));
  const changes = withLog([sources, ...reports], written, config, files, origin);
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
): { changes: FileChange[]; byHand: PlaceByHand[]; unfound: string[] } {
  const byHand: PlaceByHand[] = [];
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

/** The log may be part of the report's own file. */
function withLog(
  changes: readonly FileChange[],
  reviews: readonly Review[],
  config: Config,
  { log }: ReviewFiles,
  { issue }: ReviewOrigin,
): FileChange[] {
  if (!log || log.byHand !== undefined || reviews.length === 0) return [...changes];
  const lines = reviews.map(({ rating, level, because, at }) =>
    logLine({ rating, old: levelOf(rating, config), level, because, at, issue }),
  );
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

/** The line that a review adds to the report's log. */
export interface LogEntry {
  readonly rating: string;
  readonly old: string;
  /** The new level; undefined if it was kept. */
  readonly level?: string;
  readonly because?: string;
  readonly at: Instant;
  readonly issue?: number;
}

/** `- 2026-11-20: tpu/maturity Medium → High, because … (#12)`. Words of people are escaped. */
export function logLine({ rating, old, level, because, at, issue }: LogEntry): string {
  const what = level === undefined ? `${escapeMarkup(old)} kept` : `${escapeMarkup(old)} → ${escapeMarkup(level)}`;
  const why = because === undefined ? "" : `, because ${escapeMarkup(because)}`;
  return `- ${day(at)}: ${rating} ${what}${why}${issue === undefined ? "" : ` (#${issue})`}`;
}

/** Adds lines to the log, after the last line of its form or else at its end. Lines that exist are not added. */
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

/** The end of the last line that has the form of the log, before its line end. */
function endOfLast(text: string): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(/^- \d{4}-\d{2}-\d{2}: [^\r\n]*/gm)) end = match.index + match[0].length;
  return end;
}

/**
 * A mention in a file notifies nobody, so only markup must be escaped. A bare link includes backslashes and ends at
 * `<`: next to one, possible markup after it is written as a character reference.
 */
function escapeMarkup(text: string): string {
  const words = cutLine(text, 500).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const escaped = words.replace(/[\\`[\]>|$]/g, "\\$&");
  return /:\/\/|www\./i.test(text)
    ? escaped.replace(/[*_~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    : escaped.replace(/[*_~]/g, "\\$&");
}
