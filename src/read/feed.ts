import type { Item } from "../model/model.ts";
import type { Response } from "../model/ports/fetch.ts";
import { type Entry, entriesOf } from "./formats/entries.ts";
import { tagOf } from "./formats/github.ts";
import { blocksOf } from "./formats/html.ts";
import { type Reader, type Reading, webAddress } from "./reader.ts";

/** RSS, Atom, RDF or JSON Feed: its entries as items. */
export const feed: Reader = {
  kind: "feed",
  spec: "https://www.rfc-editor.org/rfc/rfc4287",
  example: "https://pytorch.org/feed/",
  address: webAddress,
  options: {},
  gives: () => ({ items: true }),
  structured: true,
  version: 1,
  request: (source) => ({
    url: source.address,
    accept: "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5",
  }),
  read,
  page: (source) => source.address,
};

async function read(response: Response): Promise<Reading> {
  const { entries, ...about } = await entriesOf(response);
  return { ...about, items: entries.map(itemOf) };
}

/** An entry of GitHub's own feed of releases is about a tag. */
function itemOf({ html, ...entry }: Entry): Item {
  const blocks = html === undefined ? [] : blocksOf(html);
  const version = tagOf(entry.url);
  return { ...entry, ...(version && { version }), ...(blocks.length > 0 && { blocks }) };
}
