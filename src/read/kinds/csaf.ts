import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { httpAddress, type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, itemFrom, newestFirst } from "../shared/given.ts";
import { blocksOfPlain } from "../text/plain.ts";

/**
 * An advisory in the Common Security Advisory Framework, as served by its publisher: its revisions as items; its status and
 * severity, and whether it was withdrawn or superseded, as facts; its notes as text.
 */
export const csaf = readerOf({
  kind: "csaf",
  spec: "https://docs.oasis-open.org/csaf/csaf/v2.1/csaf-v2.1.html",
  noun: "advisory",
  cadence: "6h",
  example: "https://www.example.org/.well-known/csaf/white/2026/ex-2026-0001.json",
  address: httpAddress,
  recognises,
  gives: () => ({ items: true, text: true, facts: ["status", "severity", "withdrawn", "superseded"] }),
  version: 1,
  request: ({ address }) => jsonAt(address),
  read,
  titleOf: (_, { title }) => title,
  endings: [
    { fact: "superseded", becomes: "yes" },
    { fact: "withdrawn", becomes: "yes" },
  ],
  states: [
    { fact: "withdrawn", is: "yes", says: "was withdrawn", ended: true },
    { fact: "superseded", is: "yes", says: "was superseded by another advisory", ended: true },
  ],
  says: { "withdrawn yes": "was withdrawn", "superseded yes": "was superseded by another advisory" },
});

/** A file in a folder or on a host named after the framework, except lists of files. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const folders = [...host.split("."), ...parts.slice(0, -1)];
  const file = parts.at(-1) ?? "";
  if (!folders.some((one) => /^csaf\b/i.test(one)) || !/^[a-z\d+_-]{3,150}\.json$/i.test(file)) return undefined;
  return /^(?:provider-metadata|aggregator|index|service|category)\b/i.test(file) ? undefined : { address: url.href };
}

const shape = z.object({
  document: z.object({
    category: z.string(),
    title: z.string(),
    aggregate_severity: z.object({ text: z.string() }).nullish(),
    notes: z.array(z.object({ text: z.string() })).nullish(),
    tracking: z.object({
      id: z.string().min(1),
      status: z.string(),
      revision_history: z.array(
        z.object({ date: z.string(), number: z.string().min(1), summary: z.string().nullish() }),
      ),
    }),
  }),
});

type Advisory = z.infer<typeof shape>["document"];

function read(response: Response, { address }: Source): Reading {
  const { document } = parseShape(shape, parseJson(response), "advisory of CSAF");
  const { tracking, title, notes } = document;
  const items = limitItems(tracking.revision_history).map(({ date: at, number: id, summary }) =>
    itemFrom({ id, title: `${tracking.id} ${id}`, url: address, at, blocks: blocksOfPlain(summary ?? "") }),
  );
  return {
    title: `${tracking.id}: ${title}`.replace(/\s+/g, " ").trim().slice(0, 500),
    items: newestFirst(items),
    blocks: limitItems(notes ?? []).flatMap(({ text }) => blocksOfPlain(text)),
    facts: factsOf(document),
  };
}

/** Spec of the categories that end one: https://docs.oasis-open.org/csaf/csaf/v2.1/csaf-v2.1.html#profiles */
function factsOf({ category, aggregate_severity: severity, tracking }: Advisory): Facts {
  return factsFrom({
    status: tracking.status,
    severity: severity?.text,
    withdrawn: category === "csaf_withdrawn" || undefined,
    superseded: category === "csaf_superseded" || undefined,
  });
}
