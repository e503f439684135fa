import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { advisoryReading, ofAdvisory, rangeInWords } from "../shared/advisory.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";

/**
 * An advisory in OSV, which collects those of GitHub, Rust, Go and many others: whether it was withdrawn, affected and
 * fixed versions, severity and other names as facts; its description as text.
 */
export const osv = readerOf({
  kind: "osv",
  spec: "https://ossf.github.io/osv-schema/",
  cadence: "6h",
  example: "GHSA-jfh8-c2jp-5v3q",
  address: z.string().regex(/^[a-z]{2,20}-[\w:.-]{1,80}$/i, "needs the id of an advisory, e.g. GHSA-jfh8-c2jp-5v3q"),
  recognises,
  ...ofAdvisory,
  gives: () => ({ text: true, facts: ["withdrawn", "affected", "fixed", "severity", "aliases"] }),
  version: 13,
  request: ({ address }) => jsonAt(`https://api.osv.dev/v1/vulns/${address}`),
  read,
  page: ({ address }) => `https://osv.dev/vulnerability/${address}`,
});

/** OSV's page of an advisory, or that of a database that OSV collects with the same ids. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const last = parts.at(-1)?.replace(/\.html$/, "") ?? "";
  const section = parts.at(-2);
  const isOsv = host === "osv.dev" && section === "vulnerability";
  const isRust = host === "rustsec.org" && section === "advisories" && /^RUSTSEC-/.test(last);
  const isGo = host === "pkg.go.dev" && section === "vuln" && /^GO-/.test(last);
  return isOsv || isRust || isGo ? { address: last } : undefined;
}

const ratings = z.array(z.object({ type: z.string(), score: z.string() })).nullish();

const event = z.object({
  introduced: z.string().nullish(),
  fixed: z.string().nullish(),
  last_affected: z.string().nullish(),
  limit: z.string().nullish(),
});

const shape = z.object({
  id: z.string().min(1),
  summary: z.string().nullish(),
  details: z.string().nullish(),
  withdrawn: z.string().nullish(),
  aliases: z.array(z.string()).nullish(),
  severity: ratings,
  affected: z
    .array(
      z.object({
        package: z.object({ name: z.string() }).nullish(),
        severity: ratings,
        ranges: z
          .array(
            z.object({
              type: z.string().nullish(),
              events: z.array(event).nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});

function read(response: Response): Reading {
  const advisory = parseShape(shape, parseJson(response), "advisory of OSV");
  const { summary, details: description, withdrawn, aliases, severity, affected } = advisory;
  const packages = limitItems(affected ?? []).map(factsOf);
  return advisoryReading({
    summary,
    description,
    facts: {
      withdrawn,
      affected: packages.flatMap((one) => one.affected),
      fixed: packages.flatMap((one) => one.fixed),
      severity: [...(severity ?? []).map(({ score }) => score), ...packages.flatMap((one) => one.severity)],
      aliases,
    },
  });
}

type Affected = NonNullable<z.infer<typeof shape>["affected"]>[number];

/** Versions only, not commits. The severity is listed with the packages if it differs between them. */
function factsOf({ package: product, ranges, severity }: Affected) {
  const withName = (versions: string) => (product ? `${product.name} ${versions}` : versions);
  const versions = (ranges ?? []).flatMap(({ type, events }) => (type === "GIT" || !events ? [] : [events]));
  const spans = versions.flatMap(spansOf);
  return {
    fixed: versions.flatMap((events) => events.flatMap(({ fixed }) => (fixed ? [withName(fixed)] : []))),
    affected: spans.length > 0 ? spans.map(withName) : product ? [product.name] : [],
    severity: (severity ?? []).map(({ score }) => withName(score)),
  };
}

/**
 * A span for each time that versions became affected. One from the very first version only has its end: `before 1.2`.
 * Empty if the order of several events does not show which beginning belongs to which end. Spec:
 * https://ossf.github.io/osv-schema/#affectedrangesevents-fields
 */
function spansOf(events: readonly z.infer<typeof event>[]): string[] {
  const spans: string[] = [];
  let begin: string | undefined;
  const begins = events.filter(({ introduced }) => introduced);
  const inOrder = begins.length === 1 ? [...begins, ...events.filter((one) => !begins.includes(one))] : events;
  for (const { introduced, fixed, last_affected: last, limit } of inOrder) {
    if (introduced) {
      if (begin !== undefined) return [];
      begin = `>= ${introduced}`;
    }
    const before = fixed || (begin === undefined || limit === "*" ? undefined : limit);
    const end = before ? `< ${before}` : last ? `<= ${last}` : undefined;
    if (end === undefined) continue;
    if (begin === undefined && begins.length > 0) return [];
    spans.push(begin === undefined || begin === ">= 0" ? end : `${begin} ${end}`);
    begin = undefined;
  }
  if (begin !== undefined) spans.push(begin);
  return spans.map(rangeInWords);
}
