import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Source } from "../src/model/source.ts";
import { readers } from "../src/read/index.ts";
import { page } from "../src/read/kinds/page.ts";
import { draft } from "../src/report/index.ts";
import { annotated } from "./altered.ts";
import { ways } from "./made-pages.ts";
import { sequencesOf, snapshotsOf } from "./snapshots.ts";
import { lookUp, statedIn } from "./stated.ts";

/** A page or a report that rules and words are tried on. `group`: the history of the page, or the report. */
export interface Case {
  readonly group: string;
  /** A digest of everything that is read from it, or of the error. */
  readonly hash: () => string;
}

/** Figures and statements of one report that are altered or looked up. */
const most = 40;

/** The reports in `folder/docs`, or else the snapshots of its page histories. */
export function* casesIn(folder: string, isWanted: (n: number) => boolean): Generator<Case> {
  const docs = join(folder, "docs");
  if (existsSync(docs))
    yield* readdirSync(docs)
      .sort()
      .filter((_, n) => isWanted(n))
      .map((name) => reportCase(join(docs, name)));
  else yield* pageCases(folder, isWanted);
}

function* pageCases(folder: string, isWanted: (n: number) => boolean): Generator<Case> {
  for (const { id, file, url } of sequencesOf(folder)) {
    const snapshots = snapshotsOf(join(folder, file), (why) => process.stderr.write(`${id}: ${why}\n`));
    for (const [n, { html }] of snapshots.entries())
      if (isWanted(n)) yield { group: id, hash: () => hashOf(() => readingOf(url, html)) };
  }
}

function readingOf(url: string, html: string) {
  const rest = { cites: [], standsFor: [], citedBy: [], announces: [], claims: [], options: {} };
  const source: Source = { id: "page", kind: "page", address: url, ...rest };
  const headers = { "content-type": "text/html; charset=utf-8" };
  return page.read({ url, status: 200, headers, body: Buffer.from(html) }, source);
}

/**
 * The draft of a report, the annotations of a pull request that alters it, and its statements on pages that support or
 * contradict them.
 */
function reportCase(file: string): Case {
  const report = { path: basename(file), text: readFileSync(file, "utf8") };
  const lookups = () => {
    const stated = statedIn(report).slice(0, most);
    return ways.map((way) => lookUp(stated, way));
  };
  const read = () => [draft(report, { at: 0, readers }), annotated(report, most), lookups()];
  return { group: report.path, hash: () => hashOf(read) };
}

function hashOf(read: () => unknown): string {
  return createHash("sha256").update(attempt()).digest("hex");

  function attempt(): string {
    try {
      return JSON.stringify(read());
    } catch (error) {
      return String(error);
    }
  }
}
