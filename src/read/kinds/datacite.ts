import * as z from "zod";
import { wordSet } from "../../model/cache.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { limitItems, parseJson, parseShape } from "../shared/body.ts";
import { doiAddress, doiAt, doiPage } from "../shared/doi.ts";
import { factsFrom, listedFact } from "../shared/given.ts";

/**
 * A data set, program or preprint with a DOI from DataCite, as at Zenodo, figshare and Dryad: its versions as items, if
 * the DOI is for all of them; later versions and a withdrawal as facts, absent until they happen.
 */
export const datacite = readerOf({
  kind: "datacite",
  spec: "https://support.datacite.org/docs/api-get-doi",
  noun: "doi",
  cadence: "1d",
  example: "10.5281/zenodo.1234567",
  address: doiAddress,
  recognises,
  gives: () => ({
    items: true,
    facts: ["title", "authors", "new-version", "obsoleted-by", "withdrawn", "published-as"],
  }),
  version: 4,
  request: ({ address }) => ({
    url: `https://api.datacite.org/dois/${encodeURIComponent(address)}`,
    accept: "application/vnd.api+json",
  }),
  read,
  page: ({ address }) => doiPage(address),
  titleOf: (_, { title }) => title,
  endings: [{ fact: "new-version" }, { fact: "obsoleted-by" }, { fact: "withdrawn" }],
  states: [
    { fact: "withdrawn", says: "was withdrawn", ended: true },
    { fact: "obsoleted-by", says: "was replaced", ended: true },
    { fact: "new-version", says: "has a newer version", ended: false },
    { fact: "published-as", says: "is a preprint that was published since", ended: false },
  ],
});

/** Prefixes of DataCite's largest repositories. Other DOIs do not show their agency. */
const prefixes = wordSet(
  "10.5281 10.5061 10.6084 10.7910 10.17605 10.31219 10.17632 10.3886 10.1594 10.21227 10.57967 10.4230 10.15468 10.13140",
);

/** Spec of Zenodo's: https://help.zenodo.org/docs/deposit/describe-records/reserve-doi/ */
function recognises(url: URL): Recognised | undefined {
  const address = doiAt(url);
  if (address !== undefined) return prefixes.has(address.split("/", 1)[0] ?? "") ? { address } : undefined;
  const { host, parts } = pathParts(url);
  const [section = "", number = ""] = parts;
  if (host !== "zenodo.org" || !/^records?$/.test(section)) return undefined;
  return /^\d{1,12}$/.test(number) ? { address: `10.5281/zenodo.${number}` } : undefined;
}

const shape = z.object({
  data: z.object({
    attributes: z.object({
      doi: z.string().nullish(),
      titles: z.array(z.object({ title: z.string().nullish() })).nullish(),
      creators: z
        .array(z.object({ name: z.string() }))
        .nullish()
        .catch(undefined),
      dates: z.array(z.object({ date: z.string().nullish(), dateType: z.string().nullish() })).nullish(),
      relatedIdentifiers: z
        .array(
          z.object({
            relatedIdentifier: z.string().nullish(),
            relatedIdentifierType: z.string().nullish(),
            relationType: z.string().nullish(),
          }),
        )
        .nullish(),
    }),
  }),
});

/**
 * The fact that each relation belongs to. Spec:
 * https://datacite-metadata-schema.readthedocs.io/en/4.6/appendices/appendix-1/relationType/
 */
const factOf = new Map([
  ["IsPreviousVersionOf", "new-version"],
  ["IsObsoletedBy", "obsoleted-by"],
  ["IsPreprintOf", "published-as"],
]);

function read(response: Response): Reading {
  const { attributes } = parseShape(shape, parseJson(response), "DOI of DataCite").data;
  const { titles, creators, dates, relatedIdentifiers } = attributes;
  const names = (creators ?? []).slice(0, 5_000).map(({ name }) => name);
  const ownDoi = attributes.doi?.toLowerCase();
  const related = limitItems(relatedIdentifiers ?? []).flatMap(
    ({ relatedIdentifier: doi, relatedIdentifierType: type, relationType: relation }) =>
      // A work related to itself has no other version.
      doi && relation && type?.toUpperCase() === "DOI" && doi.trim().toLowerCase() !== ownDoi
        ? [{ doi: doi.trim().slice(0, 300), relation }]
        : [],
  );
  const title = titles?.[0]?.title?.replace(/\s+/g, " ").trim().slice(0, 500);
  const withdrawn = dates?.find(({ dateType }) => dateType === "Withdrawn")?.date;
  return {
    ...(title && { title }),
    items: versionsOf(related),
    facts: factsFrom({ title, authors: listedFact(names), ...factsOf(related), withdrawn }),
  };
}

interface Related {
  readonly doi: string;
  readonly relation: string;
}

/** The versions of a DOI that is for all of them, without dates; the highest number is the newest. */
function versionsOf(related: readonly Related[]): Item[] {
  const dois = new Set(related.filter(({ relation }) => relation === "HasVersion").map(({ doi }) => doi));
  const order = new Intl.Collator("en", { numeric: true });
  return [...dois]
    .sort((a, b) => order.compare(b, a))
    .map((doi) => ({ id: doi.toLowerCase(), title: `Version ${doi}`, url: doiPage(doi) }));
}

/** Each fact names the works that state it, so that another such work is a change, too. */
function factsOf(related: readonly Related[]): Record<string, string[]> {
  const works = Map.groupBy(related, ({ relation }) => factOf.get(relation));
  return Object.fromEntries([...works].flatMap(([fact, all]) => (fact ? [[fact, all.map(({ doi }) => doi)]] : [])));
}
