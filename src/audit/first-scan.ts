import { Failure } from "../model/failure.ts";
import { type Firing, merged } from "../model/firing.ts";
import type { Source } from "../model/source.ts";
import type { ReportFile } from "../report/index.ts";
import type { World } from "../watch/check.ts";
import { type Scan, type ScanOptions, scan } from "../watch/scan.ts";
import { rememberAnswers } from "./remember-answers.ts";

export interface FirstScanOptions extends ScanOptions {
  /** The report; undefined if its text is not known. */
  readonly report: () => Promise<ReportFile | undefined>;
}

/**
 * Scans, and audits the report for the sources that are checked for the first time: what only an audit finds is asked about with
 * the rest.
 */
export async function scanAndAudit(world: World, { report, ...options }: FirstScanOptions): Promise<Scan> {
  // Both need the same pages.
  const fetch = rememberAnswers(world.fetch, (request, { newerThan }) =>
    newerThan === undefined ? JSON.stringify(request) : undefined,
  );
  const scanned = await scan({ ...world, fetch }, options);
  const first = scanned.outage ? [] : await firstChecked(scanned, world);
  const file = first.length > 0 && !options.stopped?.() ? await report().catch(() => undefined) : undefined;
  if (!file) return scanned;
  const { auditSources } = await import("./first-audit.ts");
  const firings = await auditSources(first, file, { ...world, fetch }, options).catch((error: unknown): Firing[] => {
    // Reading the report took too much.
    if (error instanceof Failure) return [];
    throw error;
  });
  return { ...scanned, ended: world.clock.now(), firings: merged([...scanned.firings, ...firings]) };
}

/** The sources that this scan checked for the first time. */
async function firstChecked({ checks }: Scan, { config, store }: World): Promise<Source[]> {
  const failed = checks.flatMap(({ source, outcome }) => (outcome === "unknown" ? source : []));
  const watches = failed.length > 0 ? await store.watches(failed) : [];
  const unseen = watches.filter((watch) => watch.checks === 1 && watch.lastSeen === undefined);
  const ids = [
    ...checks.flatMap(({ source, outcome }) => (outcome === "first" ? source : [])),
    ...unseen.map(({ source }) => source),
  ];
  return ids.flatMap((id) => config.sources.get(id) ?? []);
}
