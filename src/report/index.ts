import type { ReportFindings } from "../model/ports/index.ts";
import type { Instant } from "../model/time.ts";
import type { Reader } from "../read/reader.ts";
import { aboutOf, reportTitle } from "./cite/about.ts";
import { webAddress } from "./cite/addresses.ts";
import { referencesOf } from "./cite/references.ts";
import { sourcesOf, withEvidence, withReleases } from "./cite/sources.ts";
import { entriesCited, importOf, isBibliography } from "./import/index.ts";
import { chaptersOf, mergeTexts, ratingsByFile, referencesOfAll, withEntries } from "./parse/chapters.ts";
import { withoutTags } from "./parse/formats.ts";
import { reportTextOf } from "./parse/report-text.ts";
import { tablesInLines } from "./parse/tables-in-lines.ts";
import { candidatesOf, type TableCandidate } from "./rate/candidates.ts";
import { draftRatings } from "./rate/draft-ratings.ts";
import { noRatings, ratedTextOf, ratingsOf } from "./rate/ratings.ts";
import { rubricOf } from "./rate/rubric.ts";
import { topicsOf } from "./recheck-tables.ts";
import { triggersOf } from "./triggers.ts";
import { sourcesYaml, triggerYaml } from "./write.ts";

/** A possible report: a README, a page in Markdown or HTML, or plain text. */
export interface ReportFile {
  readonly path: string;
  readonly text: string;
  /** When its last commit was made. */
  readonly committed?: Instant;
}

export interface DraftedReport extends ReportFile {
  /** From its table of contents. */
  readonly title?: string;
  readonly chapters?: readonly ReportFile[];
}

/** What is known about the repository. */
export interface RepositoryContext {
  /** The current time. */
  readonly at: Instant;
  readonly readers: ReadonlyMap<string, Reader>;
  /** `owner/name`. Links to it are no references. */
  readonly repository?: string;
  readonly published?: string;
}

/** A proposed config; always valid. */
export interface Draft {
  /** `sources.yaml` and `triggers/<id>.yaml`. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly found: ReportFindings;
  /** The tables that may rate, best first. */
  readonly candidates: readonly TableCandidate[];
}

/**
 * Drafts a config for a report. Undefined if it has neither references nor ratings. `chosen`: ids of the tables that
 * rate, as people answered; without it, only tables that certainly rate count. Pure; never throws.
 */
export function draft(report: DraftedReport, around: RepositoryContext, chosen?: readonly string[]): Draft | undefined {
  const { at, readers, repository, published } = around;
  const imported = importOf(report.path, report.text);
  const bibliographies = (report.chapters ?? []).filter(isBibliography);
  const texts = (report.chapters ?? []).filter((file) => !isBibliography(file));
  const [{ text } = report, ...chapterFiles] = withoutTags([report, ...texts]);
  const reportText = reportTextOf(report.path, imported ? "" : text);
  const about = aboutOf(reportText, {
    path: report.path,
    title: report.title,
    repository,
    committed: report.committed,
    url: published && webAddress(published),
    at,
  });
  const isOwn = ownAddressTest(about.url, repository);
  const chapters = chaptersOf(chapterFiles, isOwn, bibliographies);
  const ownReferences = imported ?? withEntries(referencesOf(reportText, isOwn), entriesCited(bibliographies, text));
  const references = referencesOfAll(ownReferences, reportText, chapters);
  const merged = mergeTexts(reportText, chapters);
  const lineTables = tablesInLines(merged.parts);
  const tables = [...merged.tables, ...lineTables];
  const fileRatings = ratingsByFile(reportText, chapters);
  const ratedText = ratedTextOf(merged);
  const ratings = fileRatings ?? ratingsOf(ratedText, lineTables, chosen);
  if (references.all.length === 0 && !ratings) return undefined;
  const rubric = ratings && rubricOf(tables, ratings);
  const ratingDraft = draftRatings(ratings ?? noRatings, rubric, references.all, about.title);
  const citedSources = sourcesOf(references.all, ratingDraft.naming, readers);
  const sourceDraft = { ...citedSources, ...withReleases(withEvidence(citedSources, ratingDraft.ratings), readers) };
  const topics = topicsOf(tables);
  const triggers = triggersOf(topics, ratingDraft.ratings, sourceDraft.sources, ratingDraft.naming, readers);
  const { others, numbered } = references;
  const files = [
    {
      path: "sources.yaml",
      text: sourcesYaml({
        path: report.path,
        chapters,
        ratesItself: fileRatings === undefined,
        about,
        rated: ratingDraft,
        drafted: sourceDraft,
        others,
        numbered,
      }),
    },
    ...triggers.map((trigger) => ({ path: `triggers/${trigger.id}.yaml`, text: triggerYaml(trigger) })),
  ];
  return {
    files,
    found: {
      path: report.path,
      ...(chapters.length > 0 && { chapters: chapters.length }),
      ...(!references.apart && texts.length > 0 && { citing: texts.map(({ path }) => path) }),
      references: references.all.length,
      numbered,
      sources: sourceDraft.sources.length,
      frozen: sourceDraft.sources.filter(({ frozen }) => frozen).length,
      unwatchable: sourceDraft.unwatchable.length,
      left: references.left + sourceDraft.left,
      others: others.length,
      ratings: ratingDraft.ratings.length,
      levels: ratingDraft.levels,
      unplaced: ratingDraft.unplaced,
      ...(ratingDraft.left.length > 0 && { leftRatings: ratingDraft.left }),
      ...(ratingDraft.unrated && { unrated: ratingDraft.unrated }),
      rubric: ratingDraft.rubric.size,
      triggers: triggers.length,
      stated: triggers.filter(({ stated }) => stated).length,
      audited: about.audited,
      because: about.because,
      cut: merged.cut || ratings?.cut === true,
    },
    candidates: fileRatings ? [] : candidatesOf(ratedText.forms, report.path),
  };
}

export function reportTitleOf({ path, text }: Pick<DraftedReport, "path" | "text">): string {
  return reportTitle(reportTextOf(path, text), { path });
}

/** The tables of a report that may rate, best first, each with a sample: the question for people. */
export function tableCandidates({ path, text, chapters = [] }: DraftedReport): TableCandidate[] {
  const texts = chapters.filter((file) => !isBibliography(file));
  const parsed = chaptersOf(texts, () => false);
  const whole = mergeTexts(reportTextOf(path, text), parsed);
  return candidatesOf(ratedTextOf(whole).forms, path);
}

/** The draft with most ratings, recheck topics and references. */
export function richestDraft(drafts: readonly (Draft | undefined)[]): Draft | undefined {
  const worth = ({ found }: Draft): number =>
    found.ratings * 3 + found.stated * 5 + found.references * (found.numbered ? 3 : 1);
  return drafts
    .flatMap((one) => one ?? [])
    .reduce<Draft | undefined>((best, one) => (best && worth(best) >= worth(one) ? best : one), undefined);
}

function ownAddressTest(url: string | undefined, repository: string | undefined): (address: string) => boolean {
  const page = url?.replace(/\/$/, "").toLowerCase();
  const home = repository && `https://github.com/${repository}`.toLowerCase();
  return (written) => {
    const address = written.replace(/\/$/, "").toLowerCase();
    return address === page || (home !== undefined && (address === home || address.startsWith(`${home}/`)));
  };
}
