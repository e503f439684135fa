import { makeOnce } from "../model/cache.ts";
import {
  type EntryCorrection,
  editEntry,
  identifyEntry,
  type LinesEdit,
  linesWithEnds,
  withLinesEdited,
} from "../report/edit/edit-entry.ts";
import type { DraftedReport, ReportFile } from "../report/index.ts";
import { hasIdentifier } from "../works/identifiers.ts";
import { yearsOf } from "../works/match.ts";
import { nameOf, type Verdict } from "../works/verify.ts";
import type { CheckedWork, WorkInReport } from "./works.ts";

export interface EntryEdit extends LinesEdit {
  readonly file: string;
}

/** The edits of entries that verdicts ask for; none for an entry whose wrong part has no certain place. Pure. */
export function entryEdits(files: readonly ReportFile[]): (checked: CheckedWork) => EntryEdit[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const lines = new Map<string, string[]>();
  return ({ work, verdict }) => {
    const { file, isEntry } = work;
    const text = texts.get(file);
    const corrections = isEntry ? correctionsOf(verdict, work) : [];
    if (text === undefined || corrections.length === 0) return [];
    const ofFile = makeOnce(lines, file, () => linesWithEnds(text));
    const edit = editEntry(file, ofFile, work, corrections);
    return edit ? [{ file, ...edit }] : [];
  };
}

/**
 * The files of a report with corrected identifiers of entries: the identifier of another work is replaced or removed,
 * and a work that was found without one gets it. Pure.
 */
function withIdentifiers<F extends ReportFile>(files: readonly F[], checked: readonly CheckedWork[]): F[] {
  const byFile = Map.groupBy(checked, ({ work }) => work.file);
  return files.map((file) => {
    const lines = linesWithEnds(file.text);
    const edits = (byFile.get(file.path) ?? []).flatMap((one) => identifierEdit(file.path, lines, one) ?? []);
    return edits.length > 0 ? { ...file, text: withLinesEdited(file.text, edits) } : file;
  });
}

/** A report with corrected identifiers of works, so that its draft watches the right ones. Pure. */
export function identifiedReport(report: DraftedReport, checked: readonly CheckedWork[]): DraftedReport {
  const { chapters = [], ...first } = report;
  const [own = first, ...rest] = withIdentifiers([first, ...chapters], checked);
  const isSame = own === first && rest.every((chapter, i) => chapter === chapters[i]);
  return isSame ? report : { ...report, ...own, ...(report.chapters && { chapters: rest }) };
}

function identifierEdit(path: string, lines: readonly string[], { work, verdict }: CheckedWork): LinesEdit | undefined {
  const { finding, proposed } = verdict;
  if (!work.isEntry) return undefined;
  if (finding === "ok" && proposed !== undefined && work.links.length === 0 && !hasIdentifier(work))
    return identifyEntry(path, lines, work, { right: proposed });
  const [correction] = correctionsOf(verdict, work).filter(({ part }) => part === "identifier");
  const edit = correction && editEntry(path, lines, work, [correction]);
  return edit ?? (finding === "other-work" ? identifyEntry(path, lines, work, { wrong: nameOf(work) }) : undefined);
}

function correctionsOf({ finding, proposed, correction }: Verdict, work: WorkInReport): EntryCorrection[] {
  const corrections: EntryCorrection[] = [];
  const { doi, arxiv } = work;
  // The full stop of an abbreviation is replaced with it.
  const venue = work.venue && work.text.includes(`${work.venue}.,`) ? `${work.venue}.` : (work.venue ?? "");
  if (correction) {
    const years = yearsOf(work);
    const old = { authors: "", year: years.length === 1 ? `${years[0]}` : "", venue }[correction.part];
    if (old === "" && correction.part !== "authors") return [];
    corrections.push({ part: correction.part, old, now: correction.text });
  }
  // An entry whose work differs may have no identifier, or that of its preprint.
  const isWrong = finding === "other-work" || (finding === "differs" && doi !== undefined && proposed !== doi);
  const isNamed = doi !== undefined || arxiv !== undefined;
  if (proposed !== undefined && isNamed && (isWrong || finding === "published"))
    corrections.push({ part: isWrong ? "identifier" : "version", old: nameOf(work), now: proposed });
  return corrections;
}
