import { createHash } from "node:crypto";
import { RecentlyUsed } from "../../model/cache.ts";
import type { Clock } from "../../model/ports/index.ts";
import { aMinute, type Duration, type Instant } from "../../model/time.ts";
import type { Edition, Sheets } from "../../publish/edition.ts";
import { sheets } from "../../publish/index.ts";

export interface ServedFile {
  readonly body: Buffer;
  /** Its entity tag, without quotes. */
  readonly etag: string;
}

/** Caches the rendered files of reports while they are valid. */
export interface FileCache {
  /**
   * A file of a report; undefined if it has none at this path. Another `stamp` makes cached files invalid. `make`
   * renders an edition that is not cached; one report at a time.
   */
  file(report: string, stamp: string, path: string, make: () => Promise<Edition>): Promise<ServedFile | undefined>;
  /** Empties the cache: an edition takes much memory, and the next run makes it invalid. */
  clear(): void;
}

const maxAge: Duration = aMinute;
const maxReports = 20;

interface CachedReport {
  readonly stamp: string;
  readonly at: Instant;
  readonly sheets: Promise<Sheets>;
  readonly drawn: Map<string, ServedFile>;
}

export function createFileCache(clock: Clock): FileCache {
  const cached = new RecentlyUsed<string, CachedReport>(maxReports);
  let last: Promise<unknown> = Promise.resolve();

  function begin(make: () => Promise<Edition>): Promise<Sheets> {
    const begun = last.then(async () => sheets(await make()));
    // The promise has no result, so that the edition does not outlive the cache.
    last = begun.then(
      () => {},
      () => {},
    );
    return begun;
  }

  function reportOf(report: string, stamp: string, make: () => Promise<Edition>): CachedReport {
    const known = cached.get(report);
    const now = clock.now();
    const isSame = known?.stamp === stamp && now >= known.at && now - known.at < maxAge;
    const one = isSame ? known : { stamp, at: now, sheets: begin(make), drawn: new Map<string, ServedFile>() };
    cached.set(report, one);
    return one;
  }

  return {
    clear: () => cached.clear(),
    async file(report, stamp, path, make) {
      const cachedReport = reportOf(report, stamp, make);
      try {
        const draw = (await cachedReport.sheets).get(path);
        if (!draw) return undefined;
        const known = cachedReport.drawn.get(path) ?? servedFile(draw());
        cachedReport.drawn.set(path, known);
        return known;
      } catch (error) {
        if (cached.get(report) === cachedReport) cached.delete(report);
        throw error;
      }
    },
  };
}

function servedFile(text: string): ServedFile {
  const body = Buffer.from(text);
  return { body, etag: createHash("sha256").update(body).digest("base64url").slice(0, 27) };
}
