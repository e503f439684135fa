import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { itemFrom } from "../shared/given.ts";

/** Statuses of specifications on which nothing should rest. Spec: https://www.w3.org/policies/process/#rec-track */
const ended = [
  ["Superseded Recommendation", "was superseded"],
  ["Obsolete Recommendation", "is obsolete"],
  ["Rescinded Recommendation", "was rescinded"],
  ["Discontinued Draft", "was discontinued"],
  ["Retired", "was retired"],
] as const;

/** A specification of the W3C: its published versions as items, the newest one's status as a fact: Retired … */
export const w3c = readerOf({
  kind: "w3c",
  spec: "https://api.w3.org/doc",
  noun: "specification",
  cadence: "1d",
  example: "webauthn-2",
  address: z.string().regex(/^[a-z][\w.+-]{1,80}$/i, "needs the short name of a specification, e.g. webauthn-2"),
  recognises,
  gives: () => ({ items: true, facts: ["status"] }),
  version: 1,
  request: ({ address }) => jsonAt(`https://api.w3.org/specifications/${address}/versions?embed=1&items=200`),
  read,
  page: ({ address }) => `https://www.w3.org/TR/${address}/`,
  titleOf: (_, { title }) => title,
  endings: [{ fact: "status" }],
  states: ended.map(([is, says]) => ({ fact: "status", is, says, ended: true })),
});

/** `/TR/webauthn-2/`; for a dated version, such as `/TR/2021/REC-webauthn-2-20210408/`, the undated one. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const [section, first = "", dated] = parts;
  if (host !== "w3.org" || section !== "TR" || first === "") return undefined;
  if (!/^\d{4}$/.test(first)) return { address: first };
  const name = /^[A-Za-z]+-(.+)-\d{8}$/.exec(dated ?? "")?.[1];
  return name === undefined ? undefined : { address: name, instead: true };
}

const shape = z.object({
  _embedded: z.object({
    "version-history": z.array(
      z.object({
        status: z.string().min(1),
        uri: z.string().min(1),
        date: z.string(),
        title: z.string(),
      }),
    ),
  }),
});

function read(response: Response): Reading {
  const { _embedded: embedded } = parseShape(shape, parseJson(response), "list of versions of the W3C");
  const versions = [...limitItems(embedded["version-history"])].sort((a, b) => (a.date < b.date ? 1 : -1));
  const [newest] = versions;
  return {
    ...(newest && { title: newest.title }),
    items: versions.map(({ status, uri, date, title }) =>
      itemFrom({ id: uri, title: `${title}: ${status}`, url: uri, at: date }),
    ),
    facts: newest ? { status: newest.status } : {},
  };
}
