import * as z from "zod";
import { hasMatch, pattern } from "../../model/options.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { itemFrom } from "../shared/given.ts";

/** Tags of an image on Docker Hub, the last pushed first. One that is pushed again has another date and its number. */
export const containerTags = readerOf({
  kind: "container-tags",
  spec: "https://docs.docker.com/reference/api/hub/latest/",
  noun: "images",
  cadence: "12h",
  example: "rocm/pytorch",
  address: z
    .string()
    .max(255)
    .regex(/^(?:[a-z\d][a-z\d_-]*\/)?[a-z\d][a-z\d._-]*$/, "needs namespace/name on Docker Hub, e.g. rocm/pytorch"),
  recognises,
  options: { tags: pattern.optional().describe("Only tags in which this pattern (RE2) is found.") },
  version: 3,
  request: ({ address }) => {
    const image = address.includes("/") ? address : `library/${address}`;
    return jsonAt(`https://hub.docker.com/v2/repositories/${image}/tags?page_size=100&ordering=last_updated`);
  },
  read,
  page: ({ address }) => `https://hub.docker.com/${address.includes("/") ? "r" : "_"}/${address}/tags`,
  titleOf: ({ address }) => `${address} images`,
});

/** `hub.docker.com/r/rocm/pytorch`, and `/_/redis` of an official image. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const [section, first, second] = parts;
  if (host !== "hub.docker.com" || first === undefined) return undefined;
  if (section === "_") return { address: first.toLowerCase() };
  return section === "r" && second !== undefined ? { address: `${first}/${second}`.toLowerCase() } : undefined;
}

const shape = z.object({
  next: z.string().nullish(),
  results: z.array(
    z.object({
      id: z.number().nullish(),
      name: z.string().min(1),
      tag_last_pushed: z.string().nullish(),
      last_updated: z.string().nullish(),
    }),
  ),
});

/** If the pattern leaves out all recent tags, the wanted ones are on a later page. Then there are no items. */
function read(response: Response, source: Source): Reading {
  const { results, next } = parseShape(shape, parseJson(response), "list of Docker Hub tags");
  const wanted = source.options.tags;
  const kept = limitItems(results).filter(({ name }) => typeof wanted !== "string" || hasMatch(wanted, name));
  if (kept.length === 0 && results.length > 0 && next) return {};
  return {
    items: kept.map(({ id, name, tag_last_pushed: pushed, last_updated: updated }) =>
      itemFrom({ id: name, title: name, version: name, at: pushed ?? updated, serial: id ?? undefined }),
    ),
  };
}
