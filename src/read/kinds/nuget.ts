import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { readerOf } from "../reader.ts";
import { packageAt } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { versionItem } from "../shared/given.ts";
import { isSemverPre } from "../shared/versions.ts";

/** A package of NuGet: its versions as items, from the only complete list, which has no dates. */
export const nuget = readerOf({
  kind: "nuget",
  spec: "https://learn.microsoft.com/nuget/api/package-base-address-resource",
  noun: "nuget",
  cadence: "12h",
  example: "Newtonsoft.Json",
  address: z.string().regex(/^\w[\w.-]{0,99}$/, "needs the name of a package, e.g. Newtonsoft.Json"),
  recognises: packageAt(["nuget.org"], "packages"),
  version: 1,
  request: ({ address }) => jsonAt(`https://api.nuget.org/v3-flatcontainer/${address.toLowerCase()}/index.json`),
  read,
  page: ({ address }) => `https://www.nuget.org/packages/${address}`,
  titleOf: ({ address }) => `${address} on NuGet`,
  versionsOf: (address) => address,
});

const shape = z.object({ versions: z.array(z.string().min(1)) });

/** Versions are listed lowest first. */
function read(response: Response, { address }: Source): Reading {
  const { versions } = parseShape(shape, parseJson(response), "list of versions of NuGet");
  const items = limitItems(versions).map((version) => {
    const url = `https://www.nuget.org/packages/${address}/${encodeURIComponent(version)}`;
    return versionItem(address, version, { url, pre: isSemverPre(version) });
  });
  return { items: items.reverse() };
}
