import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Item, Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { readerOf } from "../reader.ts";
import { lastName, packageAt } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, versionItem } from "../shared/given.ts";
import { isSemverPre } from "../shared/versions.ts";

/** A package of Packagist: tagged versions as items; its licence, and what replaces it if it is abandoned, as facts. */
export const packagist = readerOf({
  kind: "packagist",
  spec: "https://packagist.org/apidoc",
  noun: "package",
  cadence: "6h",
  example: "symfony/console",
  address: z
    .string()
    .max(200)
    .regex(/^[a-z\d](?:[_.-]?[a-z\d])*\/[a-z\d](?:[_.-]{0,2}[a-z\d])*$/i, "needs vendor/package, e.g. symfony/console"),
  recognises: packageAt(["packagist.org"], "packages", 2),
  gives: () => ({ items: true, facts: ["license", "abandoned"] }),
  version: 2,
  request: ({ address }) => jsonAt(`https://repo.packagist.org/p2/${address.toLowerCase()}.json`),
  read,
  page: ({ address }) => `https://packagist.org/packages/${address}`,
  titleOf: ({ address }) => `${address} on Packagist`,
  versionsOf: lastName,
  endings: [{ fact: "abandoned" }],
  states: [{ fact: "abandoned", says: "is abandoned by its authors", ended: true }],
});

/** A version lists only its differences from the one before; `__unset` removes a value of that one. */
const entry = z.object({
  version: z.string().min(1),
  time: z.string().nullish(),
  license: z.union([z.array(z.string()), z.string()]).nullish(),
  abandoned: z.union([z.boolean(), z.string()]).nullish(),
});

const shape = z.object({ packages: z.record(z.string(), z.array(entry)) });

type Version = z.infer<typeof entry>;

/** Spec of the omitted values: https://github.com/composer/metadata-minifier */
function read(response: Response, { address }: Source): Reading {
  const { packages } = parseShape(shape, parseJson(response), "package of Packagist");
  const name = address.toLowerCase();
  const listed = Object.hasOwn(packages, name) ? packages[name] : undefined;
  const versions: Version[] = [];
  for (const version of limitItems(parseShape(z.array(entry), listed, "package of Packagist"))) {
    const given = Object.fromEntries(Object.entries(version).filter(([, value]) => value !== undefined));
    versions.push({ ...versions.at(-1), ...version, ...given });
  }
  return { items: versions.map((version) => itemOf(version, address)), facts: factsOf(versions[0]) };
}

function itemOf({ version, time }: Version, address: string): Item {
  const url = `https://packagist.org/packages/${address}#${encodeURIComponent(version)}`;
  return versionItem(address, version, { url, at: time, pre: isSemverPre(version) && !patch.test(version) });
}

/** A patch counts as stable. Spec: https://getcomposer.org/doc/articles/versions.md#stability-constraints */
const patch = /-(?:patch|pl?)[.-]?\d*$/i;

/** The facts of the newest version. An abandoned package may name its replacement. */
function factsOf({ license = [], abandoned }: Partial<Version> = {}): Facts {
  const licenses = [license ?? []].flat().filter((one) => one !== "__unset");
  return factsFrom({
    license: licenses.join(", "),
    abandoned: abandoned === "__unset" ? undefined : abandoned || undefined,
  });
}
