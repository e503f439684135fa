import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { packageAt } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, itemFrom, newestFirst } from "../shared/given.ts";

/** A gem of RubyGems: its versions as items, the licence of the newest as a fact. Yanked versions are not listed. */
export const rubygems = readerOf({
  kind: "rubygems",
  spec: "https://guides.rubygems.org/rubygems-org-api/",
  noun: "gem",
  cadence: "6h",
  example: "rails",
  address: z.string().regex(/^[a-z\d_-][\w.-]{0,127}$/i, "needs the name of a gem, e.g. rails"),
  recognises: packageAt(["rubygems.org"], "gems"),
  sameName: (address) => address,
  gives: () => ({ items: true, facts: ["license"] }),
  version: 1,
  request: ({ address }) => jsonAt(`https://rubygems.org/api/v1/versions/${address}.json`),
  read,
  page: ({ address }) => `https://rubygems.org/gems/${address}`,
  titleOf: ({ address }) => `${address} on RubyGems`,
  versionsOf: (address) => address,
});

const shape = z.array(
  z.object({
    number: z.string().min(1),
    created_at: z.string().nullish(),
    prerelease: z.boolean().nullish(),
    licenses: z.array(z.string()).nullish(),
  }),
);

/** A version is listed once for each platform that it was built for; the first counts. */
function read(response: Response): Reading {
  const listed = limitItems(parseShape(shape, parseJson(response), "list of versions of a gem"));
  const items = new Map<string, Item>();
  for (const { number, created_at: at, prerelease } of listed) {
    const item = itemFrom({ id: number, title: number, at, version: number, pre: prerelease === true });
    const before = items.get(item.id);
    if (!before || (item.at ?? 0) < (before.at ?? 0)) items.set(item.id, item);
  }
  const license = listed.find(({ prerelease }) => prerelease !== true)?.licenses?.join(", ");
  return { items: newestFirst([...items.values()]), facts: factsFrom({ license }) };
}
