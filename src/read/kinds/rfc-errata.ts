import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { day } from "../../model/time.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { blocksOfPlain } from "../text/plain.ts";

/**
 * The errata of one RFC as items: those that were verified, or held for its next version. Errata that were only
 * reported may be wrong. Items have no dates: errata are often decided years later, and the file does not say when. The
 * editor keeps the errata of all RFCs in one file.
 */
export const rfcErrata = readerOf({
  kind: "rfc-errata",
  spec: "https://www.rfc-editor.org/errata-definitions/",
  noun: "errata",
  cadence: "1d",
  example: "rfc9110",
  address: z.string().regex(/^rfc[1-9]\d{0,4}$/i, "needs the number of an RFC, e.g. rfc9110"),
  recognises,
  version: 2,
  request: () => jsonAt("https://www.rfc-editor.org/errata.json"),
  read,
  page: ({ address }) => `https://www.rfc-editor.org/errata/${address.toLowerCase()}`,
  titleOf: ({ address }) => `Errata of ${address.toUpperCase().replace("RFC", "RFC ")}`,
});

/** The list of an RFC's errata. The address of a single erratum does not contain the RFC. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  if (!/(?:^|\.)rfc-editor\.org$/.test(host)) return undefined;
  const asked = parts[0] === "errata_search.php" ? `rfc${url.searchParams.get("rfc") ?? ""}` : "";
  const named = parts[0] === "errata" && parts.length === 2 ? (parts[1] ?? "") : asked;
  const number = /^rfc0*([1-9]\d{0,4})$/i.exec(named)?.[1];
  return number === undefined ? undefined : { address: `rfc${number}` };
}

const erratum = z.object({
  errata_id: z.union([z.string(), z.number()]),
  "doc-id": z.string(),
  errata_status_code: z.string().nullish(),
  errata_type_code: z.string().nullish(),
  section: z.string().nullish(),
  orig_text: z.string().nullish(),
  correct_text: z.string().nullish(),
  submit_date: z.string().nullish(),
});

/** Errata of all RFCs together, at most. */
const maxErrata = 50_000;

function read(response: Response, { address }: Source): Reading {
  const all = limitItems(parseShape(z.array(erratum), parseJson(response), "errata of the RFC editor"), maxErrata);
  const own = all.filter((one) => one["doc-id"].toLowerCase().replace(/^rfc0*/, "rfc") === address.toLowerCase());
  const taken = own.filter(({ errata_status_code: status }) => /^(?:verified|held)\b/i.test(status ?? ""));
  return { items: taken.map(itemOf).sort((a, b) => (b.notBefore ?? 0) - (a.notBefore ?? 0)) };
}

function itemOf(entry: z.infer<typeof erratum>): Item {
  const { errata_id: id, errata_status_code: status, errata_type_code: type, section, submit_date: submitted } = entry;
  const notBefore = instantOf(submitted ?? undefined);
  const parts = [
    [type, status, section && `section ${section}`, notBefore !== undefined && `submitted on ${day(notBefore)}`]
      .filter(Boolean)
      .join(", "),
    entry.orig_text && `It says: ${entry.orig_text}`,
    entry.correct_text && `It should say: ${entry.correct_text}`,
  ];
  return {
    id: String(id),
    title: `${entry["doc-id"].replace(/^RFC0*/, "RFC ")} erratum ${id}`,
    url: `https://www.rfc-editor.org/errata/eid${encodeURIComponent(String(id))}`,
    notBefore,
    blocks: parts.flatMap((text) => (text ? blocksOfPlain(text) : [])),
  };
}
