import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import * as z from "zod";
import { reasonOf } from "../src/faces/cli/backtest/corpus.ts";

/**
 * Page histories on disk: `index.json`, and a file of snapshots for each page. Neighbours are other pages of the same
 * sites, which a second check may read.
 */

const page = z.object({ file: z.string(), url: z.string() });
/** `kind`: of the source, and its options, if it is not a page. `on`: what is asked about, if not all that it gives. */
const watched = page.extend({
  kind: z.string().default("page"),
  options: z.record(z.string(), z.unknown()).default({}),
  on: z.enum(["change", "item"]).optional(),
});
const index = z.object({
  sequences: z.array(watched.extend({ id: z.string() })),
  neighbours: z.array(page).default([]),
});
const snapshot = z.object({
  n: z.number(),
  date: z.string().refine((date) => !Number.isNaN(Date.parse(date)), "is no date"),
  html: z.string(),
});

export type Page = z.infer<typeof page>;
export type Watched = Pick<z.infer<typeof watched>, "url" | "kind" | "options" | "on">;
export type Sequence = z.infer<typeof index>["sequences"][number];

/** The snapshots of a sequence, one JSON object a line. Lines that cannot be parsed are left out and reported. */
export function snapshotsOf(file: string, left: (why: string) => void): z.infer<typeof snapshot>[] {
  let lines: string[] = [];
  try {
    lines = zstdDecompressSync(readFileSync(file)).toString("utf8").split("\n");
  } catch (error) {
    left(`cannot be unpacked: ${reasonOf(error)}`);
  }
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      const value: unknown = JSON.parse(line);
      const isHead = typeof value === "object" && value !== null && !("html" in value);
      return isHead ? [] : [snapshot.parse(value)];
    } catch (error) {
      left(`line ${index + 1} is left out: ${reasonOf(error)}`);
      return [];
    }
  });
}

export function sequencesOf(corpus: string): Sequence[] {
  return indexOf(corpus).sequences;
}

export function indexOf(corpus: string): z.infer<typeof index> {
  try {
    return index.parse(JSON.parse(readFileSync(join(corpus, "index.json"), "utf8")));
  } catch (error) {
    process.stderr.write(`no sequences in ${corpus}: ${reasonOf(error)}\n`);
    process.exit(1);
  }
}
