import { createHash } from "node:crypto";
import type { Duration, Instant } from "../../model.ts";
import type { Clock } from "../../ports.ts";
import type { Edition } from "../../publish/edition.ts";
import { sheets } from "../../publish/index.ts";
import type { Sheets } from "../../publish/sheets.ts";

/** A file as it goes out. */
export interface Sheet {
  readonly body: Buffer;
  /** Without quotes. */
  readonly etag: string;
}

/** What was drawn of reports, for as long as it holds. */
export interface Shelf {
  /**
   * A file of a report; undefined where it has none of this path. `stamp`: with another one what was drawn holds no
   * longer. `make` is asked for an edition where none is on the shelf; one report after the other.
   */
  sheet(report: string, stamp: string, path: string, make: () => Promise<Edition>): Promise<Sheet | undefined>;
}

/** Nothing is shown that is older. */
const holds: Duration = 60_000;
/** Reports that are kept at once. */
const most = 20;

interface Kept {
  readonly stamp: string;
  readonly at: Instant;
  readonly sheets: Promise<Sheets>;
  readonly drawn: Map<string, Sheet>;
}

export function createShelf(clock: Clock): Shelf {
  const kept = new Map<string, Kept>();
  let last: Promise<unknown> = Promise.resolve();

  function begin(make: () => Promise<Edition>): Promise<Sheets> {
    const begun = last.then(async () => sheets(await make()));
    last = begun.catch(() => {});
    return begun;
  }

  function reportOf(report: string, stamp: string, make: () => Promise<Edition>): Kept {
    const known = kept.get(report);
    kept.delete(report);
    const now = clock.now();
    const isSame = known?.stamp === stamp && now >= known.at && now - known.at < holds;
    const one = isSame ? known : { stamp, at: now, sheets: begin(make), drawn: new Map<string, Sheet>() };
    kept.set(report, one);
    for (const oldest of [...kept.keys()].slice(0, -most)) kept.delete(oldest);
    return one;
  }

  return {
    async sheet(report, stamp, path, make) {
      const one = reportOf(report, stamp, make);
      try {
        const draw = (await one.sheets).get(path);
        if (!draw) return undefined;
        const known = one.drawn.get(path) ?? sheetOf(draw());
        one.drawn.set(path, known);
        return known;
      } catch (error) {
        if (kept.get(report) === one) kept.delete(report);
        throw error;
      }
    },
  };
}

function sheetOf(text: string): Sheet {
  const body = Buffer.from(text);
  return { body, etag: createHash("sha256").update(body).digest("base64url").slice(0, 27) };
}
