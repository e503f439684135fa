import * as z from "zod";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, versionItem } from "../shared/given.ts";
import { blocksOfPlain } from "../text/plain.ts";

/**
 * An app in Apple's store of one country: its current version, with what is new in it, as the one item; its seller,
 * price and required system as facts. An app that was removed from that store is not found.
 */
export const appStore = readerOf({
  kind: "app-store",
  spec: "https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI/LookupExamples.html",
  noun: "app",
  cadence: "12h",
  example: "us/310633997",
  address: z.string().regex(/^[a-z]{2}\/\d{6,12}$/, "needs the country and the number of an app, e.g. us/310633997"),
  recognises,
  gives: () => ({ items: true, facts: ["seller", "price", "minimum-system"] }),
  current: true,
  version: 2,
  request: ({ address }) => {
    const [country, id] = address.split("/");
    return jsonAt(`https://itunes.apple.com/lookup?id=${id}&country=${country}`);
  },
  read,
  page: ({ address }) => `https://apps.apple.com/${address.replace("/", "/app/id")}`,
  titleOf: (_, { title }) => title && `${title} in the App Store`,
});

/** `/us/app/whatsapp-messenger/id310633997`; the country and the name are optional. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  if (host !== "apps.apple.com" && host !== "itunes.apple.com") return undefined;
  const number = /^(?:id)?(\d{6,12})$/.exec(parts.at(-1) ?? "")?.[1];
  const country = /^[a-z]{2}$/i.test(parts[0] ?? "") ? parts[0]?.toLowerCase() : "us";
  return parts.includes("app") && number !== undefined ? { address: `${country}/${number}` } : undefined;
}

const shape = z.object({
  results: z.array(
    z.object({
      trackName: z.string().min(1),
      version: z.string().min(1),
      currentVersionReleaseDate: z.string().nullish(),
      releaseNotes: z.string().nullish(),
      trackViewUrl: z.string().nullish(),
      sellerName: z.string().nullish(),
      formattedPrice: z.string().nullish(),
      minimumOsVersion: z.string().nullish(),
    }),
  ),
});

function read(response: Response): Reading {
  const [app] = parseShape(shape, parseJson(response), "app of the App Store").results;
  if (!app) throw new Failure("not-found", { status: 404 });
  const { sellerName: seller, formattedPrice: price, minimumOsVersion: system } = app;
  const { version, trackViewUrl: url, currentVersionReleaseDate: at } = app;
  const title = app.trackName.slice(0, 300);
  const blocks = blocksOfPlain(app.releaseNotes ?? "");
  return {
    title,
    items: [versionItem(title, version, { url, at, blocks })],
    facts: factsFrom({ seller, price, "minimum-system": system }),
  };
}
