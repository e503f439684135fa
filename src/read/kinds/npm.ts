import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Item, Reading } from "../../model/reading.ts";
import type { Reader, Recognised } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { bounded, parseJson, shaped } from "../shared/body.ts";
import { isSemverPre } from "../shared/versions.ts";

/**
 * A package of npm: its versions as items; its licence, and the deprecation of its newest version, as facts. Only the
 * full document of a package has the dates of versions.
 */
export const npm: Reader = {
  kind: "npm",
  spec: "https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md",
  noun: "npm",
  cadence: "6h",
  example: "typescript",
  address: z
    .string()
    .max(214)
    .regex(/^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/, "needs the name of a package, e.g. typescript or @babel/core"),
  recognises,
  sameName: (address) => address,
  options: {},
  gives: () => ({ items: true, facts: ["license", "deprecated"] }),
  structured: true,
  version: 1,
  request: ({ address }) => ({
    url: `https://registry.npmjs.org/${address.replace("/", "%2f")}`,
    accept: "application/json",
  }),
  read,
  page: ({ address }) => `https://www.npmjs.com/package/${address}`,
  titleOf: ({ address }) => `${address} on npm`,
  versionsOf: (address) => address.replace(/^@/, "").replace("/", "-"),
  endings: [{ fact: "deprecated" }],
  standings: [{ fact: "deprecated", says: "is deprecated by its authors", ended: true }],
};

/** The page of a package, or of one of its versions, for which the package is watched in its place. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const [section, ...rest] = parts;
  if (host !== "npmjs.com" || section !== "package") return undefined;
  const [name, ...version] = rest[0]?.startsWith("@") ? [rest.slice(0, 2).join("/"), ...rest.slice(2)] : rest;
  return name === undefined ? undefined : { address: name, ...(version[0] === "v" && { instead: true }) };
}

const licence = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).catch("");

const shape = z.object({
  name: z.string(),
  "dist-tags": z.record(z.string(), z.string()),
  license: licence.optional(),
  time: z.record(z.string(), z.unknown()).default({}),
  versions: z.record(z.string(), z.object({ deprecated: z.unknown().optional() })),
});

type Package = z.infer<typeof shape>;

/** For a package that was unpublished as a whole, the registry still answers 200, and says when that was. */
const unpublished = z.object({
  time: z.object({ unpublished: z.object({}) }),
  versions: z.undefined().optional(),
});

function read(response: Response): Reading {
  const told = parseJson(response);
  if (unpublished.safeParse(told).success) throw new Failure("not-found", { status: 404 });
  const manifest = shaped(shape, told, "npm package");
  const versions = bounded(Object.keys(manifest.versions));
  const items = versions.map((version) => itemOf(version, manifest));
  return {
    title: manifest.name,
    items: items.sort((a, b) => (b.at ?? 0) - (a.at ?? 0)),
    facts: factsOf(manifest),
  };
}

function itemOf(version: string, { name, time }: Package): Item {
  const written = Object.hasOwn(time, version) ? time[version] : undefined;
  const at = instantOf(typeof written === "string" ? written : undefined);
  return {
    id: version,
    title: `${name} ${version}`,
    url: `https://www.npmjs.com/package/${name}/v/${encodeURIComponent(version)}`,
    ...(at !== undefined && { at }),
    version,
    pre: isSemverPre(version),
  };
}

/** A deprecated version says why; `npm deprecate` undoes that by an empty text. */
function factsOf({ "dist-tags": tags, license, versions }: Package): Facts {
  const latest = tags.latest !== undefined && Object.hasOwn(versions, tags.latest) ? versions[tags.latest] : undefined;
  const { deprecated } = latest ?? {};
  const why = deprecated === true ? "yes" : typeof deprecated === "string" ? deprecated.trim().slice(0, 500) : "";
  return {
    ...(license && { license: license.slice(0, 200) }),
    ...(why && { deprecated: why }),
  };
}
