import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import { namesByWord } from "../../model/cache.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { doiAddress, doiAt, doiPage } from "../shared/doi.ts";
import { factsFrom, listedFact } from "../shared/given.ts";

/**
 * A work with a DOI, as Crossref records it: notices about it (retraction, correction, expression of concern, new
 * version …) as items and as facts, which are absent until a notice comes. Crossref does not know DOIs of other
 * agencies; DataCite knows its own.
 */
export const doi = readerOf({
  kind: "doi",
  spec: "https://www.crossref.org/documentation/retrieve-metadata/rest-api/",
  noun: "doi",
  cadence: "1d",
  example: "10.1145/3292500.3330701",
  address: doiAddress,
  recognises,
  gives: () => ({ items: true, facts: ["title", "authors", ...factsOfNotices] }),
  version: 5,
  request: ({ address }) => jsonAt(`https://api.crossref.org/v1/works/${encodeURIComponent(address)}`),
  read,
  elsewhere: ["datacite"],
  page: ({ address }) => doiPage(address),
  titleOf: (_, { title }) => title,
  endings: [{ fact: "new-version" }, { fact: "concern" }, { fact: "retracted" }],
  states: [
    { fact: "retracted", says: "was retracted", ended: true },
    { fact: "concern", says: "has an expression of concern", ended: true },
    { fact: "corrected", says: "was corrected", ended: false },
    { fact: "new-version", says: "has a newer version", ended: false },
    { fact: "published-as", says: "is a preprint that was published since", ended: false },
  ],
});

const factsOfNotices = ["retracted", "concern", "corrected", "new-version", "published-as"];

function recognises(url: URL): Recognised | undefined {
  const address = doiAt(url);
  return address === undefined ? undefined : { address };
}

/** A date, which may be only a year, or a year and a month. */
const date = z.object({
  "date-time": z.string().nullish(),
  "date-parts": z.array(z.array(z.number().nullable())).nullish(),
});

const shape = z.object({
  message: z.object({
    DOI: z.string(),
    title: z.array(z.string()).nullish(),
    author: z
      .array(z.object({ family: z.string().nullish(), given: z.string().nullish(), name: z.string().nullish() }))
      .nullish()
      .catch(undefined),
    "updated-by": z
      .array(z.object({ DOI: z.string(), type: z.string(), label: z.string().nullish(), updated: date.nullish() }))
      .nullish(),
    "update-to": z.array(z.object({ DOI: z.string() })).nullish(),
    relation: z
      .record(z.string(), z.array(z.object({ id: z.string(), "id-type": z.string().nullish() })).catch([]))
      .nullish(),
  }),
});

type Work = z.infer<typeof shape>["message"];
type Notice = NonNullable<Work["updated-by"]>[number];

/** The fact that each type of notice belongs to. Spec: https://www.crossref.org/documentation/crossmark/ */
const factOf = namesByWord({
  retracted: "retraction removal withdrawal retract_and_replace retraction_and_replacement",
  concern: "partial_retraction expression_of_concern",
  corrected: "addendum clarification correction corrigendum erratum",
  "new-version": "new_edition new_version",
});

function read(response: Response): Reading {
  const { message: work } = parseShape(shape, parseJson(response), "work of Crossref");
  const notices = noticesOf(work);
  const title = titleOf(work);
  return {
    ...(title && { title }),
    items: notices.map(itemOf),
    facts: factsFrom({ ...identityOf(work, title), ...factsOf(work, notices) }),
  };
}

/** Authors of one work that are compared. */
const maxAuthors = 5_000;

/** Title and authors as registered: a correction of them is news. A retraction mark in the title is a separate fact. */
function identityOf({ author }: Work, title = "") {
  const names = (author ?? [])
    .slice(0, maxAuthors)
    .map(({ family, given, name }) => name ?? [given, family].filter(Boolean).join(" "));
  const unmarked = saysRetracted.reduce((rest, form) => rest.replace(form, ""), title).trim();
  return { title: unmarked, authors: listedFact(names) };
}

function titleOf({ title }: Work): string | undefined {
  return title?.[0]
    ?.replace(/<[^<>]{1,200}>/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 500);
}

/** A title may say what happened to its work: `RETRACTED ARTICLE: On Kites`, `[Retracted] On Kites`. */
const saysRetracted: readonly RegExp[] = [
  /^(?:RETRACTED|WITHDRAWN|REMOVED|TEMPORARY REMOVAL)(?: [A-Z]{4,12}| AND [A-Z]{8,12})?(?::| [–—-]) /,
  /^retracted(?: \w{4,12})?: /i,
  /^[[(](?:retracted|withdrawn|removed)(?: \w{4,12})?[\])]/i,
  /[[(](?:retracted|withdrawn)(?: (?:article|paper|chapter)\b[^[\]()]{0,100})?[\])]$/i,
];

/** Whether a title calls its own work retracted, and does not belong to a notice. */
function isTitledRetracted(work: Work): boolean {
  const isNotice = work["update-to"]?.some(({ DOI }) => !isOf(work, DOI)) ?? false;
  const title = titleOf(work) ?? "";
  return !isNotice && saysRetracted.some((form) => form.test(title));
}

function isOf({ DOI }: Work, other: string): boolean {
  return DOI.toLowerCase() === other.toLowerCase();
}

interface Dated extends Notice {
  readonly at: number | undefined;
}

/** Each notice once, newest first: a publisher and Retraction Watch may both report one. */
function noticesOf(work: Work): Dated[] {
  const each = limitItems(work["updated-by"] ?? []).map((notice) => ({ ...notice, at: timeOf(notice.updated ?? {}) }));
  const named = new Map(each.map((notice) => [keyOf(notice), notice]));
  return [...named.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(notice: Notice): string {
  return `${typeOf(notice)} ${notice.DOI.toLowerCase()}`;
}

/** Some write `Expression of Concern` or `expression-of-concern`. */
function typeOf({ type }: Notice): string {
  return type.toLowerCase().replace(/[\s_-]+/g, "_");
}

function timeOf({ "date-time": time, "date-parts": parts }: z.infer<typeof date>): number | undefined {
  const [year, month = 1, day = 1] = parts?.[0] ?? [];
  if (time) return instantOf(time);
  if (typeof year !== "number") return undefined;
  const twoDigits = (part: number | null) => String(part ?? 1).padStart(2, "0");
  return instantOf(`${year}-${twoDigits(month)}-${twoDigits(day)}`);
}

function itemOf(notice: Dated): Item {
  const words = notice.type.replace(/[_-]+/g, " ");
  return {
    id: keyOf(notice),
    title: `${(notice.label || words.charAt(0).toUpperCase() + words.slice(1)).slice(0, 100)} ${notice.DOI}`,
    url: doiPage(notice.DOI),
    ...(notice.at !== undefined && { at: notice.at }),
  };
}

/** Each fact names the works that state it, so that another such work is a change, too. */
function factsOf(work: Work, notices: readonly Dated[]): Record<string, Set<string>> {
  const statedBy = new Map<string, Set<string>>();
  const note = (fact: string, DOI: string) => statedBy.set(fact, (statedBy.get(fact) ?? new Set()).add(DOI));
  const noteSuccessor = (fact: string, DOI: string) => {
    // This version replaced another one under the same DOI. There is no later one.
    if (!isOf(work, DOI)) note(fact, DOI);
  };
  const reinstated = notices.find((notice) => typeOf(notice) === "reinstatement");
  for (const notice of notices) {
    const fact = factOf.get(typeOf(notice));
    if (fact === "new-version") noteSuccessor(fact, notice.DOI);
    else if (fact !== undefined && !(fact === "retracted" && isBefore(notice, reinstated))) note(fact, notice.DOI);
  }
  if (!statedBy.has("retracted") && !reinstated && isTitledRetracted(work)) note("retracted", work.DOI);
  const related = (name: string) => work.relation?.[name]?.filter(({ "id-type": type }) => type === "doi") ?? [];
  for (const { id } of related("is-replaced-by")) noteSuccessor("new-version", id);
  for (const { id } of related("is-preprint-of")) noteSuccessor("published-as", id);
  return Object.fromEntries(statedBy);
}

/** Whether a later notice took this one back; any notice counts as later if one has no date. */
function isBefore({ at: then }: Dated, later: Dated | undefined): boolean {
  return later !== undefined && (then === undefined || later.at === undefined || then <= later.at);
}
