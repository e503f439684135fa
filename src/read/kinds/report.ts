import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Reading } from "../../model/reading.ts";
import { freshnessLevels } from "../../model/states.ts";
import { statusFile, statusFormat } from "../../model/status-file.ts";
import { httpAddress, readerOf } from "../reader.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { isObject, valueText } from "../shared/json-path.ts";

/**
 * Another report that a Recheck watches, by its `status.json`: the level of each rating is a fact with the rating's id,
 * its freshness one with `<id> freshness`. The address is that of the file, its folder, or a page in it.
 */
export const otherReport = readerOf({
  kind: "report",
  spec: "https://www.rfc-editor.org/rfc/rfc8259",
  noun: "report",
  cadence: "6h",
  example: "https://tunguz.github.io/PyTorch_Hardware_May_2026/recheck/",
  address: httpAddress,
  gives: () => ({ values }),
  version: 1,
  request: ({ address }) => jsonAt(fileOf(address)),
  read,
  page: ({ address }) => (isFile(address) ? new URL(".", address).href : address),
});

/** Ratings of a report, at most. */
const mostRatings = 10_000;
const ofFreshness = " freshness";

/** The fields that are read; the file may hold any others. */
const shape = statusFile.pick({ written: true, lastCheck: true, staleAfter: true, report: true }).extend({
  ratings: z.array(statusFile.shape.ratings.element.pick({ id: true, level: true, reason: true })),
});

function read(response: Response): Reading {
  const json = parseJson(response);
  const format = isObject(json) ? json.format : undefined;
  if (typeof format === "number" && format > statusFormat) {
    throw new Failure("too-new", { found: format, expected: statusFormat });
  }
  if (!isObject(json) || format !== statusFormat)
    throw new Failure("malformed", { expected: "status.json of a Recheck" });
  if (Array.isArray(json.ratings)) limitItems(json.ratings, mostRatings);
  const { written, lastCheck, staleAfter, report, ratings } = parseShape(shape, json, "status.json of a Recheck");
  return {
    title: valueText(report.title),
    facts: factsOf(ratings),
    holds: { until: timeOf(staleAfter), since: timeOf(lastCheck ?? written) },
  };
}

/** If two ratings have the same id, the first counts. */
function factsOf(ratings: readonly { id: string; level: string; reason: string }[]): Facts {
  const named = ratings.filter(({ id }) => isName(id)).toReversed();
  return Object.fromEntries(
    named.flatMap(({ id, level, reason }) => [
      [id, valueText(level)],
      [`${id}${ofFreshness}`, reason],
    ]),
  );
}

/** Whether an id can name a fact: one line of visible characters that is not another rating's freshness. */
function isName(id: string): boolean {
  return id !== "" && id === valueText(id) && !/[\p{C}\p{Zl}\p{Zp}]/u.test(id) && !id.endsWith(ofFreshness);
}

/** @throws Failure malformed if the time is beyond our calendar */
function timeOf(written: string): number {
  const at = instantOf(written);
  if (at === undefined) throw new Failure("malformed", { expected: "status.json of a Recheck" });
  return at;
}

function values(fact: string): readonly string[] | undefined {
  if (fact.endsWith(ofFreshness)) return isName(fact.slice(0, -ofFreshness.length)) ? freshnessLevels : undefined;
  return isName(fact) ? [] : undefined;
}

/** The address of the file. A folder may be written with or without its last slash; a page's file is in its folder. */
function fileOf(address: string): string {
  const url = new URL(address);
  url.hash = "";
  if (isFile(address)) return url.href;
  url.search = "";
  if (!/\.html?$/i.test(url.pathname) && !url.pathname.endsWith("/")) url.pathname += "/";
  return new URL("status.json", url).href;
}

function isFile(address: string): boolean {
  return /\.json$/i.test(new URL(address).pathname);
}
