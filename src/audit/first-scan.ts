import { type Firing, mergeFirings } from "../model/firing.ts";
import type { Fetch, Fetched } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { anHour } from "../model/time.ts";
import type { ReportFile } from "../report/index.ts";
import type { World } from "../watch/check.ts";
import { rememberAnswers } from "../watch/one-request.ts";
import { type Scan, type ScanOptions, scan } from "../watch/scan.ts";
import { recordOf } from "./visit.ts";

/** The report cannot be read now. The message says why. */
export class UnreadReport extends Error {
  override readonly name = "UnreadReport";
}

export interface FirstScanOptions extends ScanOptions {
  /** Reads all files of the report; missing if config names no report. @throws UnreadReport */
  readonly report?: (() => Promise<readonly ReportFile[]>) | undefined;
}

export interface AuditedScan extends Scan {
  /** A sentence that says why the first audit of some sources is still to be done. Their watches keep the mark. */
  readonly unaudited?: string;
}

/** The outcome of a first audit: what fired, and why it is not done for all sources. */
export interface FirstAudit {
  readonly firings: readonly Firing[];
  readonly unaudited?: string;
}

/**
 * Scans, and audits the report for the sources whose watches say that their first audit is due. Findings that only an
 * audit makes join the firings of the scan. A later scan does what this one does not reach.
 */
export async function scanAndAudit(world: World, { report, ...options }: FirstScanOptions): Promise<AuditedScan> {
  const { config, store, clock } = world;
  if (!report) return await scan(world, options);
  const fetch = rememberAnswers(fetchOrStored(world), recordOf);
  const scanned = await scan({ ...world, fetch }, options);
  const isTime = options.isTime !== false || scanned.hasNews;
  if (scanned.outage || !isTime || options.stopped?.()) return scanned;
  const due = (await store.auditsDue(clock.now()))
    .filter((id) => options.sources?.includes(id) !== false)
    .flatMap((id) => config.sources.get(id) ?? []);
  if (due.length === 0) return scanned;
  const { firings, unaudited } = await audited(report);
  return {
    ...scanned,
    ended: clock.now(),
    firings: mergeFirings([...scanned.firings, ...firings]),
    hasNews: scanned.hasNews || firings.length > 0,
    unaudited,
  };

  async function audited(filesOf: NonNullable<FirstScanOptions["report"]>): Promise<FirstAudit> {
    const { auditSources, postpone } = await import("./first-audit.ts");
    // A scan every minute need not try again each time.
    const pause = options.prompt ? anHour : 0;
    try {
      return await auditSources(due, await filesOf(), { ...world, fetch }, { ...options, pause });
    } catch (error) {
      if (!(error instanceof UnreadReport)) throw error;
      return await postpone(due, { pause, because: error.message }, world);
    }
  }
}

/** The scan and the audit need the same pages: those that the scan has stored are read from the store. */
function fetchOrStored({ fetch, store, config, readers, access }: World): Fetch {
  const answers = new Map<string, Promise<Fetched>>();
  let sources: ReadonlyMap<string, string> | undefined;

  const requestOf = (source: Source) => JSON.stringify(readers.get(source.kind)?.request(source, access));

  async function stored(key: string): Promise<Fetched | undefined> {
    const answer = await answers.get(key);
    if (answer?.kind !== "response") return answer;
    sources ??= new Map([...config.sources.values()].map((source) => [requestOf(source), source.id]));
    const [snapshot] = await store.snapshots(sources.get(key) ?? "", 1);
    return snapshot?.hash === answer.hash ? { ...answer, response: snapshot.response } : undefined;
  }

  return {
    ...fetch,
    async get(request, options) {
      const key = options.newerThan === undefined ? JSON.stringify(request) : "";
      const before = key && (await stored(key));
      if (before) return before;
      const asked = fetch.get(request, options);
      if (key) answers.set(key, asked.then(withoutBody));
      answers.get(key)?.catch(() => {});
      return await asked;
    },
  };
}

function withoutBody(fetched: Fetched): Fetched {
  if (fetched.kind !== "response") return fetched;
  return { ...fetched, response: { ...fetched.response, body: new Uint8Array() } };
}
