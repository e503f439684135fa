import type { ChangedFiles, ReportChange } from "../../claims/mine/changed-sentences.ts";
import type { FindingKind } from "../../model/finding.ts";
import type { Instant } from "../../model/time.ts";
import type { ReportFile } from "../../report/index.ts";
import { rememberAnswers } from "../../watch/one-request.ts";
import { blameOwnNetwork, checkAll, outageIn } from "../check-citations.ts";
import { type Cited, maxWordsCharacters } from "../cited.ts";
import { type CitedPage, type Finding, findingsOf } from "../findings.ts";
import type { Fragments } from "../fragments.ts";
import type { CheckingTime } from "../parallel-checks.ts";
import { runInWorker } from "../tasks.ts";
import { recordOf, type Web } from "../visit.ts";
import { changedWorks, checkWorks, type WorkInReport, withWorks, workName } from "../works.ts";
import type { ReportFinding } from "./findings.ts";

/** The outcome of one check of everything that the changed sentences of a report cite. */
export interface SeenCitations {
  readonly read: number;
  /** Sentences that contradict the pages that they cite, and citations that are dead, ended or superseded. */
  readonly findings: readonly Finding[];
  /** The other pages, each with the reason why it was not compared. */
  readonly unread: readonly { readonly address: string; readonly because: string }[];
}

/** The most addresses that are checked for one change of a report. */
const maxCitations = 100;

const reported: readonly FindingKind[] = ["unsupported", "gone", "retracted", "ended", "outdated", "published"];

export interface CheckedChange {
  readonly change: ReportChange;
  readonly works: readonly WorkInReport[];
  readonly seen: SeenCitations;
  readonly findings: readonly ReportFinding[];
}

/**
 * Finds the sentences and entries that a change of a report adds, checks everything that they cite, and compares both.
 * `lists`: reads other files of the report that may list its references. @throws Failure if reading them takes too much
 */
export async function checkReportChange(
  files: ChangedFiles,
  lists: () => Promise<readonly ReportFile[]>,
  web: Web,
  at: Instant,
  turns: CheckingTime,
): Promise<CheckedChange> {
  const own = await runInWorker("report change", files, web);
  const others = own.elsewhere ? await lists() : [];
  const change = others.length > 0 ? await runInWorker("report change", { ...files, lists: others }, web) : own;
  const { before, after } = files;
  const works = changedWorks(await runInWorker("works", before, web), await runInWorker("works", after, web));
  const fragments = await runInWorker("new fragments", { before, after }, web);
  const seen = await checkChange({ change, works, fragments }, web, at, turns);
  const findings = await runInWorker("report findings", { change, before, after, findings: seen.findings }, web);
  return { change, works, seen, findings };
}

/** Checks each address that changed sentences cite, and each new entry, as the audit does. Remembers nothing. */
async function checkChange(
  { change, works, fragments }: Pick<CheckedChange, "change" | "works"> & { readonly fragments: Fragments },
  web: Web,
  at: Instant,
  turns: CheckingTime,
): Promise<SeenCitations> {
  const citations = citedIn(change, fragments);
  const cited = citations.slice(0, maxCitations);
  const fetch = rememberAnswers(web.fetch, recordOf);
  const [asked, { checked }] = await Promise.all([
    checkAll(cited, { ...web, fetch }, turns),
    checkWorks(works.slice(0, maxCitations), { ...web, fetch }, at, { ...turns, onChecked: () => {} }),
  ]);
  const citedPages = outageIn(asked) === undefined ? asked : asked.map(blameOwnNetwork);
  const ofAddresses = citedPages.flatMap((one) =>
    findingsOf(one, at, web.readers).filter(({ kind }) => reported.includes(kind)),
  );
  const pageByAddress = new Map(citedPages.map((one) => [one.cited.address, one]));
  return {
    read: citedPages.filter(({ reading, failure }) => reading && !failure).length,
    findings: withWorks(ofAddresses, checked, cited),
    unread: [
      ...citations.flatMap(({ address }, i) => {
        const because = whyUnread(pageByAddress.get(address), i);
        return because === undefined ? [] : [{ address, because }];
      }),
      ...checked.flatMap(({ work, verdict }) =>
        verdict.isUnanswered ? [{ address: workName(work), because: verdict.evidence }] : [],
      ),
      ...works.slice(maxCitations).map((work) => ({ address: workName(work), because: overLimit })),
    ],
  };
}

const overLimit = `only the first ${maxCitations} are checked`;

function whyUnread(citedPage: CitedPage | undefined, i: number): string | undefined {
  if (i >= maxCitations) return overLimit;
  if (!citedPage) return "the time was over";
  return citedPage.failure?.message;
}

/** Each address once, with the text beside it. */
function citedIn({ sentences }: ReportChange, fragments: Fragments): Cited[] {
  const citedByAddress = new Map<string, Cited>();
  for (const sentence of sentences)
    for (const { address, title } of sentence.cites) {
      if (address === undefined) continue;
      const { file, text } = sentence;
      const before = citedByAddress.get(address);
      const words = before ? `${before.words}\n${text}`.slice(0, maxWordsCharacters) : `${title}\n${text}`;
      const sameSentences = new Set([...(before?.sentences ?? []), sentence]);
      citedByAddress.set(address, {
        address,
        title: title || address,
        file,
        numbers: [],
        fragments: [...(fragments.get(address) ?? [])],
        ...before,
        words,
        sentences: [...sameSentences],
      });
    }
  return [...citedByAddress.values()];
}
