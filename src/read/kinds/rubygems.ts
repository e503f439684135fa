import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import type { Reader, Recognised } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { bounded, parseJson, shaped } from "../shared/body.ts";

/** A gem of RubyGems: its versions as items, the licence of the newest as a fact. Yanked versions are not listed. */
export const rubygems: Reader = {
  kind: "rubygems",
  spec: "https://guides.rubygems.org/rubygems-org-api/",
  noun: "gem",
  cadence: "6h",
  example: "rails",
  address: z.string().regex(/^[a-z\d_-][\w.-]{0,127}$/i, "needs the name of a gem, e.g. rails"),
  recognises,
  sameName: (address) => address,
  options: {},
  gives: () => ({ items: true, facts: ["license"] }),
  structured: true,
  version: 1,
  request: ({ address }) => ({
    url: `https://rubygems.org/api/v1/versions/${address}.json`,
    accept: "application/json",
  }),
  read,
  page: ({ address }) => `https://rubygems.org/gems/${address}`,
  titleOf: ({ address }) => `${address} on RubyGems`,
  versionsOf: (address) => address,
};

/** The page of a gem, or of one of its versions, for which the gem is watched in its place. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const [section, name, list, version] = parts;
  if (host !== "rubygems.org" || section !== "gems" || name === undefined) return undefined;
  return { address: name, ...(list === "versions" && version !== undefined && { instead: true }) };
}

const shape = z.array(
  z.object({
    number: z.string().min(1),
    created_at: z.string().nullish(),
    prerelease: z.boolean().nullish(),
    licenses: z.array(z.string()).nullish(),
  }),
);

type Version = z.infer<typeof shape>[number];

/** A version is listed once for each platform that it was built for; the first counts. */
function read(response: Response): Reading {
  const listed = bounded(shaped(shape, parseJson(response), "list of versions of a gem"));
  const items = new Map<string, Item>();
  for (const version of listed) {
    const item = itemOf(version);
    const before = items.get(item.id);
    if (!before || (item.at ?? 0) < (before.at ?? 0)) items.set(item.id, item);
  }
  const license = listed
    .find(({ prerelease }) => prerelease !== true)
    ?.licenses?.join(", ")
    .slice(0, 200);
  return {
    items: [...items.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0)),
    facts: license ? { license } : {},
  };
}

function itemOf({ number, created_at, prerelease }: Version): Item {
  const at = instantOf(created_at ?? undefined);
  return {
    id: number,
    title: number,
    ...(at !== undefined && { at }),
    version: number,
    pre: prerelease === true,
  };
}
