import type { Change } from "../model/change.ts";
import { Failure, refusesToBeRead, saysGone } from "../model/failure.ts";
import type { Firing } from "../model/firing.ts";
import { outageWords } from "../model/outage.ts";
import type { Origin, Source } from "../model/source.ts";
import { aDay, type Duration } from "../model/time.ts";
import { oneLine, pluralize } from "../model/words.ts";
import { withoutFragment } from "../report/cite/addresses.ts";
import { keyOf, kindOf, type RecognisedSource } from "../report/cite/sources.ts";
import type { ReportFile } from "../report/index.ts";
import type { World } from "../watch/check.ts";
import { evaluateIn } from "../watch/check-store.ts";
import type { ScanOptions } from "../watch/scan.ts";
import { type Audit, auditReport, citedInReport } from "./audit.ts";
import type { Cited } from "./cited.ts";
import type { CitedPage, Finding } from "./findings.ts";
import type { FirstAudit } from "./first-scan.ts";
import { type WorkInReport, workFinder } from "./works.ts";

const minutes = 5;

interface PostponedAudit {
  readonly source: Source;
  readonly because: string;
  readonly pause: Duration;
}

/**
 * Audits what a report cites of these sources, and fires what only an audit finds. `pause`: how long to wait before the
 * next try for sources that were not reached.
 */
export async function auditSources(
  sources: readonly Source[],
  files: readonly ReportFile[],
  world: World,
  { stopped, pause }: Pick<ScanOptions, "stopped"> & { readonly pause: Duration },
): Promise<FirstAudit> {
  const sourceOf = sourceFinder(sources, world);
  try {
    const citations = await citedInReport(files, world);
    const bySource = Map.groupBy(citations.cited, sourceOf);
    const cited = citations.cited.filter((one) => !bySource.get(undefined)?.includes(one));
    const worksOf = workFinder(citations.works);
    const withAddress = new Set(citations.cited.flatMap(worksOf));
    const worksWithoutAddress = citations.works.filter((work) => !withAddress.has(work));
    const citedWorks = new Set(cited.flatMap(worksOf));
    const works = [...citations.works.filter((work) => citedWorks.has(work)), ...worksWithoutAddress];
    const time = { minutes, stop: async () => {}, stopped, say: () => {} };
    const audit = await auditReport({ name: "", files, faults: [] }, { ...citations, cited, works }, world, time);
    const watches = await world.store.watches(sources.map(({ id }) => id));
    const checkedBefore = new Set(watches.flatMap(({ source, firstSeen }) => (firstSeen === undefined ? [] : source)));
    // Works without an address have no watch of their own: the mark on the watch of any source counts for them, too.
    const ofAlone = sources.find(({ id }) => checkedBefore.has(id));
    const pageOf = new Map(audit.citedPages.map((page) => [page.cited, page]));
    const postponed = sources.flatMap((source): PostponedAudit[] => {
      const citedHere = (bySource.get(source) ?? []).map((one) => pageGap(pageOf.get(one), worksOf(one), audit));
      const whys = [...citedHere, source === ofAlone ? worksGap(worksWithoutAddress, audit) : undefined].flatMap(
        (why) => why ?? [],
      );
      if (whys.includes(overTime)) return [{ source, because: overTime, pause }];
      // A source that was never seen is audited once it is.
      return whys
        .slice(0, 1)
        .flatMap((because) => (checkedBefore.has(source.id) ? { source, because, pause: aDay } : []));
    });
    const news = audit.findings.flatMap((finding) => {
      const source = sourceOf(finding.cited);
      if (audit.outage || (source && isOfItsCheck(finding, source, world))) return [];
      return [{ origin: source ?? entryOf(finding.cited), change: changeOf(finding, source) }];
    });
    return await storeAudit(sources, news, postponed, world);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return await postpone(sources, { because: `reading the report failed: ${error.message}`, pause: aDay }, world);
  }
}

const overTime = "the time, or an hourly allowance, was used up";

/** The reason why the audit of a citation is not complete, if it is not. */
function pageGap(page: CitedPage | undefined, works: readonly WorkInReport[], audit: Audit): string | undefined {
  if (!page || page.partly || page.failure?.kind === "deferred") return overTime;
  if (audit.outage) return outageWords(audit.outage);
  const { failure } = page;
  if (failure && !saysGone(failure) && !refusesToBeRead({ kind: failure.kind, says: failure.message }))
    return "a page could not be read";
  return worksGap(works, audit);
}

/** The reason why some of these works have no verdict, if some have none. */
function worksGap(works: readonly WorkInReport[], audit: Audit): string | undefined {
  const { checked, isOver: isTimeOver } = audit.works;
  const isAnswered = (work: WorkInReport) => checked.some((all) => all.work === work && !all.verdict.isUnanswered);
  if (works.every(isAnswered)) return undefined;
  return isTimeOver ? overTime : "a registry did not answer";
}

/** The report's entry of a work without an address, from which its findings come. */
function entryOf({ file, title }: Cited): Origin {
  return { id: `${file}: ${oneLine(title, 120)}`, announces: [], claims: [] };
}

export async function postpone(
  sources: readonly Source[],
  why: Omit<PostponedAudit, "source">,
  world: Pick<World, "store" | "config" | "clock">,
): Promise<FirstAudit> {
  const left = sources.map((source) => ({ source, ...why }));
  return await storeAudit(sources, [], left, world);
}

/** Finds the source that watches a citation: by its address, or else by its number. */
function sourceFinder(
  sources: readonly Source[],
  { readers }: Pick<World, "readers">,
): (cited: Cited) => Source | undefined {
  // Citations do not name lines: the first source of a file answers for all citations of it.
  const keys = sources.toReversed().map((source) => {
    const file = source.kind === "lines" ? kindOf(withoutFragment(source.address), readers) : source;
    return [keyOf(("kind" in file ? file : source) as RecognisedSource), source] as const;
  });
  const byKey = new Map(keys);
  return ({ address, numbers }) => {
    const watched = URL.canParse(address) && kindOf(address, readers);
    const same = watched && "kind" in watched ? byKey.get(keyOf(watched)) : undefined;
    return same ?? sources.find(({ cites }) => cites.some((number) => numbers.includes(number)));
  };
}

/** Whether the check of the source, or of its claims, reports the same. */
function isOfItsCheck({ kind, says, about, contradiction }: Finding, source: Source, { readers }: World): boolean {
  const states = readers.get(source.kind)?.states ?? [];
  const isOwn = kind === "unseen" || kind === "gone" || kind === "silent" || contradiction !== undefined;
  const isOfLines = source.kind === "lines" && about === undefined && ofLines.has(kind);
  return isOwn || isOfLines || states.some((state) => state.says === says);
}

/** The kinds of findings with which the check of cited lines reports the same as an audit. */
const ofLines: ReadonlySet<Finding["kind"]> = new Set(["moved", "outdated", "unsupported"]);

const maxEvidenceCharacters = 300;

function changeOf({ kind, says, evidence, about, cited }: Finding, source: Source | undefined): Change {
  const { address, title: work, file, line } = cited;
  const what = { ...(address !== "" && { cited: address }), ...(!source && { work }) };
  const first = { kind, says, ...what, ...(line !== undefined && { place: { file, line } }) };
  if (kind === "moved" && about === undefined && URL.canParse(evidence))
    return { kind: "link", to: "moved", address: evidence, first };
  return { kind: "fact", name: kind, after: evidence.slice(0, maxEvidenceCharacters), first };
}

/** Stores, in one transaction, the findings of an audit and for which sources it is done. */
async function storeAudit(
  sources: readonly Source[],
  news: readonly { readonly origin: Origin; readonly change: Change }[],
  postponed: readonly PostponedAudit[],
  { config, store, clock }: Pick<World, "store" | "config" | "clock">,
): Promise<FirstAudit> {
  const at = clock.now();
  const later = new Set(postponed.map(({ source }) => source));
  const firings = await store.commit(async (tx) => {
    const fired: Firing[] = [];
    for (const [origin, all] of Map.groupBy(news, (one) => one.origin)) {
      const changes = all.map(({ change }) => ({ change, since: at }));
      fired.push(...(await evaluateIn(tx, changes, { source: origin, config, at })).firings);
    }
    if (fired.length > 0) await tx.fire(fired);
    const done = sources.filter((source) => !later.has(source)).map(({ id }) => id);
    await tx.noteAudit(done, undefined);
    for (const [pause, some] of Map.groupBy(postponed, (one) => one.pause)) {
      const ids = some.map(({ source }) => source.id);
      await tx.noteAudit(ids, at + pause);
    }
    return fired;
  });
  const whys = [...new Set(postponed.map(({ because }) => because))];
  const verb = postponed.length === 1 ? "is" : "are";
  const unaudited = `${pluralize(postponed.length, "source")} ${verb} still to be audited: ${whys.join("; ")}`;
  return { firings, ...(postponed.length > 0 && { unaudited }) };
}
