import * as z from "zod";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Item, Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { packageAt } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, newestFirst, versionItem } from "../shared/given.ts";
import { isSemverPre } from "../shared/versions.ts";

/**
 * A package of npm: its versions as items; its licence, and the deprecation of its newest version, as facts. Only the
 * full document of a package has the dates of versions.
 */
export const npm = readerOf({
  kind: "npm",
  spec: "https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md",
  noun: "npm",
  cadence: "6h",
  example: "typescript",
  address: z
    .string()
    .max(214)
    .regex(/^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/, "needs the name of a package, e.g. typescript or @babel/core"),
  recognises: packageAt(["npmjs.com"], "package"),
  sameName: (address) => address,
  gives: () => ({ items: true, facts: ["license", "deprecated"] }),
  version: 2,
  request: ({ address }) => jsonAt(`https://registry.npmjs.org/${address.replace("/", "%2f")}`),
  read,
  page: ({ address }) => `https://www.npmjs.com/package/${address}`,
  titleOf: ({ address }) => `${address} on npm`,
  versionsOf: (address) => address.replace(/^@/, "").replace("/", "-"),
  endings: [{ fact: "deprecated" }],
  states: [{ fact: "deprecated", says: "is deprecated by its authors", ended: true }],
});

const licence = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).catch("");

const shape = z.object({
  name: z.string(),
  "dist-tags": z.record(z.string(), z.string()),
  license: licence.optional(),
  time: z.record(z.string(), z.unknown()).default({}),
  versions: z.record(z.string(), z.object({ deprecated: z.unknown().optional() })),
});

type Package = z.infer<typeof shape>;

/** For an unpublished package, the registry still answers 200, with the time of that. */
const unpublished = z.object({
  time: z.object({ unpublished: z.object({}) }),
  versions: z.undefined().optional(),
});

function read(response: Response): Reading {
  const json = parseJson(response);
  if (unpublished.safeParse(json).success) throw new Failure("not-found", { status: 404 });
  const manifest = parseShape(shape, json, "npm package");
  const versions = limitItems(Object.keys(manifest.versions));
  const items = versions.map((version) => itemOf(version, manifest));
  return {
    title: manifest.name,
    items: newestFirst(items),
    facts: factsOf(manifest),
  };
}

function itemOf(version: string, { name, time }: Package): Item {
  const written = Object.hasOwn(time, version) ? time[version] : undefined;
  const url = `https://www.npmjs.com/package/${name}/v/${encodeURIComponent(version)}`;
  const at = typeof written === "string" ? written : undefined;
  return versionItem(name, version, { url, at, pre: isSemverPre(version) });
}

/** A deprecated version gives a reason. `npm deprecate` undoes that with an empty text. */
function factsOf({ "dist-tags": tags, license, versions }: Package): Facts {
  const latest = tags.latest !== undefined && Object.hasOwn(versions, tags.latest) ? versions[tags.latest] : undefined;
  const { deprecated } = latest ?? {};
  return factsFrom({
    license,
    deprecated: deprecated === true || typeof deprecated === "string" ? deprecated : undefined,
  });
}
