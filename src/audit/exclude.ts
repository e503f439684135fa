import { finds } from "../model/options.ts";
import { doiPage } from "../read/shared/doi.ts";
import { arxivPage } from "../report/cite/addresses.ts";
import type { CitedInReport } from "./audit.ts";
import type { WorkInReport } from "./works.ts";

/** Addresses that a person does not want to be checked. */
export interface Exclusion {
  readonly prefix: string;
  readonly pattern?: string;
}

/** Leaves out the citations that a person excluded. Pure. */
export function withoutExcluded(all: CitedInReport, exclusions: readonly Exclusion[]): CitedInReport {
  if (exclusions.length === 0) return all;
  const isIncluded = (address: string) =>
    !exclusions.some(({ prefix, pattern }) => address.startsWith(prefix) || (pattern && finds(pattern, address)));
  const cited = all.cited.filter(({ address }) => isIncluded(address));
  return {
    ...all,
    cited,
    works: all.works.filter((work) => addressesOf(work).every(isIncluded)),
    closed: all.closed.filter(isIncluded),
    excluded: all.cited.length - cited.length,
  };
}

function addressesOf({ links, doi, arxiv }: WorkInReport): string[] {
  return [
    ...links,
    ...(doi === undefined ? [] : [doiPage(doi)]),
    ...(arxiv === undefined ? [] : [`${arxivPage}${arxiv}`]),
  ];
}
