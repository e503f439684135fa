import { cutLine } from "../../model/markdown.ts";
import { reportTitle } from "../cite/about.ts";
import { citations, type Reference, type References, referencesOf } from "../cite/references.ts";
import { Ids } from "../cite/sources.ts";
import { entriesCited } from "../import/index.ts";
import type { ReportFile } from "../index.ts";
import { legendsOf } from "../rate/legend.ts";
import { heightOf, scaleOfMost } from "../rate/levels.ts";
import { type NamedPart, singleRatings, statusOf } from "../rate/rated-lists.ts";
import { type Ratings, ratingsIn } from "../rate/ratings.ts";
import { type ReportText, reportTextOf } from "./report-text.ts";

/** Another file of the report: a chapter, or the page of one rated thing. */
export interface Chapter {
  /** Its id in `documents` of the config. */
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly text: ReportText;
  readonly references: References;
}

/** Parses the chapters of a report. `own`: whether an address is the report's own. */
export function chaptersOf(
  files: readonly ReportFile[],
  isOwn: (address: string) => boolean,
  bibliographies: readonly ReportFile[] = [],
): Chapter[] {
  const ids = new Ids();
  return files.map(({ path, text: written }) => {
    const text = reportTextOf(path, written);
    const title = reportTitle(text, { path });
    const references = withEntries(referencesOf(text, isOwn), entriesCited(bibliographies, written));
    return { id: ids.give(title, "chapter"), path, title, text, references };
  });
}

/** References with the entries of a bibliography that the same text cites. */
export function withEntries(references: References, entries: readonly Reference[]): References {
  const linked = new Set(references.all.map(({ address }) => address));
  return { ...references, all: [...references.all, ...entries.filter((one) => !linked.has(one.address ?? ""))] };
}

/** A report and its chapters as one text, so that tables and legends hold for all of them. */
export function mergeTexts(report: ReportText, chapters: readonly Chapter[]): ReportText {
  if (chapters.length === 0) return report;
  const parts = [...report.parts];
  const tables = [...report.tables];
  for (const { text, path: file } of chapters) {
    const from = 1 + Math.max(-1, ...tables.map(({ id }) => id));
    tables.push(...text.tables.map((table) => ({ ...table, file, id: table.id + from })));
    parts.push(...text.parts.map((part) => (part.table === undefined ? part : { ...part, table: part.table + from })));
  }
  return { ...report, parts, tables, cut: report.cut || chapters.some(({ text }) => text.cut) };
}

/**
 * The references of all files, each address once. If only one file numbers its references, the numbers hold for all
 * chapters. If several do, `[1]` is ambiguous: then only the report's own numbers are kept.
 */
export function referencesOfAll(report: References, text: ReportText, chapters: readonly Chapter[]): References {
  if (chapters.length === 0) return report;
  const files: readonly Cited[] = [{ text, references: report }, ...chapters];
  const counting = files.filter(({ references }) => references.numbered);
  const shared = counting.length === 1 ? counting[0] : undefined;
  const merged = new MergedReferences();
  for (const file of files)
    for (const reference of file.references.all) {
      const { number, ...unnumbered } = reference;
      const isKept = number === undefined || file === shared || file.references === report;
      // The file with the list of references cites none of them. The chapters with their numbers do.
      merged.add(isKept ? reference : unnumbered, file === shared && number !== undefined ? undefined : file.id);
    }
  if (shared) for (const file of files) merged.addCitations(citations(file.text.parts), file.id);
  const { all } = merged;
  const watched = new Set(all.map(({ address }) => address));
  return {
    all,
    numbered: counting.length > 0,
    apart: counting.length > 1,
    others: [...new Set(files.flatMap(({ references }) => references.others))].filter((one) => !watched.has(one)),
    left: files.reduce((sum, { references }) => sum + references.left, 0),
  };
}

/** A file and its references; the report itself has no `id`. */
interface Cited extends Pick<Chapter, "text" | "references"> {
  readonly id?: string;
}

const maxPlaces = 50;

/** Merges the references of several files by number, or else by address. */
class MergedReferences {
  readonly all: Reference[] = [];
  readonly #byAddress = new Map<string, number>();
  readonly #byNumber = new Map<number, number>();

  add(reference: Reference, document: string | undefined): void {
    const { number, address } = reference;
    const at = number === undefined && address !== undefined ? this.#byAddress.get(address) : undefined;
    if (at !== undefined) {
      this.#cite(at, reference.where, document);
      return;
    }
    const citedBy = document === undefined ? [] : [document];
    this.all.push({ ...reference, citedBy });
    if (address !== undefined && !this.#byAddress.has(address)) this.#byAddress.set(address, this.all.length - 1);
    if (number !== undefined) this.#byNumber.set(number, this.all.length - 1);
  }

  addCitations(places: ReadonlyMap<number, Reference["where"]>, document: string | undefined): void {
    for (const [number, where] of places) {
      const at = this.#byNumber.get(number);
      if (at !== undefined) this.#cite(at, where, document);
    }
  }

  #cite(at: number, where: Reference["where"], document: string | undefined): void {
    const before = this.all[at];
    if (!before) return;
    const { citedBy = [] } = before;
    this.all[at] = {
      ...before,
      where: [...new Set([...before.where, ...where])].slice(0, maxPlaces),
      citedBy: document === undefined || citedBy.includes(document) ? citedBy : [...citedBy, document],
    };
  }
}

const fewestFiles = 3;
const mostly = 0.6;

/**
 * Ratings of a report with one file for each rated thing, which states its status or ring. Undefined if most files
 * state none.
 */
export function ratingsByFile(report: ReportText, chapters: readonly Chapter[]): Ratings | undefined {
  const statuses = chapters.flatMap(({ title, text, references }): (NamedPart & { readonly title: string })[] => {
    const status = statusOf(text);
    const links = references.all.flatMap(({ address, title: shown }) => (address ? [{ address, text: shown }] : []));
    return status ? [{ ...status, title: cutLine(title, 80), links }] : [];
  });
  const scale = scaleOfMost(statuses.map((one) => one.rating.key));
  const rated = statuses.filter((one) => scale !== undefined && heightOf(one.rating.key, scale) !== undefined);
  if (scale === undefined || rated.length < fewestFiles || rated.length < mostly * chapters.length) return undefined;
  const names = new Set(rated.map(({ name }) => name));
  const named = names.size === rated.length ? rated : rated.map((one) => ({ ...one, name: one.title }));
  return ratingsIn([singleRatings(scale, named)], legendsOf(report));
}
