import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { advisoryReading, ofAdvisory, rangeInWords } from "../shared/advisory.ts";
import { limitItems, parseJson, parseShape } from "../shared/body.ts";

/**
 * An advisory in GitHub's database, including those from maintainers' repositories: whether it was withdrawn, affected
 * and fixed versions, severity and CVE as facts; its description as text.
 */
export const githubAdvisory = readerOf({
  kind: "github-advisory",
  spec: "https://docs.github.com/rest/security-advisories/global-advisories#get-a-global-security-advisory",
  cadence: "6h",
  example: "GHSA-jfh8-c2jp-5v3q",
  address: z
    .string()
    .regex(/^GHSA(?:-[\da-z]{4}){3}$/i, "needs the id of an advisory of GitHub, e.g. GHSA-jfh8-c2jp-5v3q"),
  recognises,
  ...ofAdvisory,
  gives: () => ({ text: true, facts: ["withdrawn", "affected", "fixed", "severity", "cve"] }),
  version: 12,
  request: ({ address }) => ({
    url: `https://api.github.com/advisories/${address}`,
    accept: "application/vnd.github+json",
    githubApi: true,
  }),
  read,
  page: ({ address }) => `https://github.com/advisories/${address}`,
});

/** `/advisories/GHSA-…`, or the same within a repository: `/security/advisories/GHSA-…`. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  if (host !== "github.com" || parts.at(-2) !== "advisories") return undefined;
  const isOfRepository = parts.length === 5 && parts[2] === "security";
  return parts.length === 2 || isOfRepository ? { address: parts.at(-1) ?? "" } : undefined;
}

const shape = z.object({
  ghsa_id: z.string(),
  summary: z.string().nullish(),
  description: z.string().nullish(),
  severity: z.string().nullish(),
  cve_id: z.string().nullish(),
  withdrawn_at: z.string().nullish(),
  vulnerabilities: z
    .array(
      z.object({
        package: z.object({ name: z.string().nullish() }).nullish(),
        vulnerable_version_range: z.string().nullish(),
        first_patched_version: z.string().nullish(),
      }),
    )
    .nullish(),
});

function read(response: Response): Reading {
  const advisory = parseShape(shape, parseJson(response), "advisory of GitHub");
  const { summary, description, withdrawn_at: withdrawn, severity, cve_id: cve, vulnerabilities } = advisory;
  const versionsIn = (part: "vulnerable_version_range" | "first_patched_version") =>
    limitItems(vulnerabilities ?? []).flatMap(({ package: one, [part]: versions }) =>
      versions ? [`${one?.name ?? ""} ${rangeInWords(versions)}`.trim()] : [],
    );
  return advisoryReading({
    summary,
    description,
    facts: {
      withdrawn,
      affected: versionsIn("vulnerable_version_range"),
      fixed: versionsIn("first_patched_version"),
      severity: severity === "unknown" ? undefined : severity,
      cve,
    },
  });
}
