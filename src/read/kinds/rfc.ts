import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom } from "../shared/given.ts";
import { blocksOfPlain } from "../text/plain.ts";

/**
 * An RFC: its status, the RFCs that obsolete or update it, whether it has errata, and its abstract. Its own text never
 * changes. The editor publishes JSON for each RFC, with the fields of the editor's index.
 */
export const rfc = readerOf({
  kind: "rfc",
  spec: "https://www.rfc-editor.org/rfc-index.xsd",
  noun: "rfc",
  cadence: "1d",
  example: "rfc9110",
  address: z.string().regex(/^rfc[1-9]\d{0,4}$/i, "needs the number of an RFC, e.g. rfc9110"),
  recognises,
  gives: () => ({ text: true, facts: ["status", "obsoleted-by", "updated-by", "errata"] }),
  version: 3,
  request: ({ address }) => jsonAt(`https://www.rfc-editor.org/rfc/${address.toLowerCase()}.json`),
  read,
  page: ({ address }) => `https://www.rfc-editor.org/info/${address.toLowerCase()}`,
  titleOf: (_, { title }) => title,
  endings: [{ fact: "updated-by" }, { fact: "status", becomes: "historic" }, { fact: "obsoleted-by" }],
  states: [
    { fact: "obsoleted-by", says: "was obsoleted", ended: true },
    { fact: "status", is: "historic", says: "is historic", ended: true },
    { fact: "updated-by", says: "was updated", ended: false },
    {
      fact: "errata",
      is: "yes",
      says: "has errata",
      ended: false,
      seeAt: (address) => `https://www.rfc-editor.org/errata/${address.toLowerCase()}`,
    },
  ],
  says: { "status historic": "is historic now" },
});

/** The addresses of an RFC at its editor and the IETF: as text, HTML or PDF it is the same document. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  if (!/(?:^|\.)(?:rfc-editor|ietf)\.org$/.test(host)) return undefined;
  if (!/^(?:rfc|info|html|doc|pdf)$/.test(parts[0] ?? "")) return undefined;
  const name = parts.slice(1).find((part) => part !== "html" && part !== "pdf" && part !== "rfc") ?? "";
  const number = /^rfc0*([1-9]\d{0,4})(?:\.(?:html|txt|pdf|xml|json))?$/i.exec(name)?.[1];
  return number === undefined ? undefined : { address: `rfc${number}` };
}

const names = z.array(z.string()).nullish();

const shape = z.object({
  doc_id: z.string().min(1),
  title: z.string(),
  status: z.string().nullish(),
  abstract: z.string().nullish(),
  obsoleted_by: names,
  updated_by: names,
  errata_url: z.string().nullish(),
});

function read(response: Response): Reading {
  const document = parseShape(shape, parseJson(response), "RFC of the editor");
  return {
    title: `${document.doc_id.replace(/^RFC0*/, "RFC ")}: ${document.title.trim()}`.slice(0, 500),
    blocks: blocksOfPlain((document.abstract ?? "").replace(/<\/?p>/g, "\n\n")),
    facts: factsOf(document),
  };
}

function factsOf({ status, obsoleted_by, updated_by, errata_url }: z.infer<typeof shape>): Facts {
  return factsFrom({
    status: status?.toLowerCase(),
    "obsoleted-by": obsoleted_by,
    "updated-by": updated_by,
    errata: errata_url ? true : undefined,
  });
}
