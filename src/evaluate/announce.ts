import { digest } from "../digest.ts";
import type { Change, Config, Event, Item, Product, Source } from "../model.ts";
import { eventKey, parseVersion, recognise, type Version } from "../version.ts";

/** What one change of one source announces. */
export function announce(change: Change, source: Source, config: Config): Event {
  switch (change.kind) {
    case "item-added":
    case "item-edited":
    case "item-withdrawn":
      return release(change.item, source, config) ?? itemEvent(change.item, source);
    case "fact":
      return { key: `${source.id} ${change.name} ${clip(change.after ?? "no longer given")}${nth(change)}` };
    case "block":
      return { key: blocksKey(source, [change]) };
    case "claim": {
      const claim = source.claims.find(({ id }) => `${source.id}/${id}` === change.claim);
      const proved = digest(change.to === "unverified" ? claim?.proof : (change.after ?? ""));
      return { key: `${change.claim} ${change.to} ${proved}${nth(change)}` };
    }
    case "link":
      return { key: [source.id, change.to, ...(change.address ? [change.address] : [])].join(" ") };
  }
}

/** A value that comes again, after another held for a while, is another event. */
function nth({ again }: { readonly again?: number }): string {
  return again ? ` (${again + 1})` : "";
}

/** The key of all blocks that changed in one look: one event, however many blocks. */
export function blocksKey(source: Source, changes: readonly Extract<Change, { kind: "block" }>[]): string {
  return `${source.id} changed ${digest(changes.map(({ before, after }) => [before?.text, after?.text]))}`;
}

/** The version that an item announces, if its source announces a product and the item names one. */
export function release(item: Item, source: Source, config: Config): Event | undefined {
  for (const id of source.announces) {
    const product = config.products.get(id);
    const version = product && versionOf(item, product, source.announces.length === 1);
    if (!product || !version) continue;
    const pre = item.pre && !version.pre ? " pre-release" : "";
    return { key: `${eventKey(product, version)}${pre}`, product: id, version: version.text, at: item.at };
  }
  return undefined;
}

/**
 * A tag or package version belongs to the source's only product, and so does a title that is nothing but a version; any
 * other title must name its product.
 */
function versionOf(item: Item, product: Product, only: boolean): Version | undefined {
  if (item.version !== undefined && only) return parseVersion(item.version, product);
  const bare = only && /\d\.\d/.test(item.title) ? parseVersion(item.title, product) : undefined;
  return recognise(item.title, product) ?? bare;
}

/** A commit is the same in whatever list it stands. */
function itemEvent({ id, at }: Item, source: Source): Event {
  return { key: /^[\da-f]{40}$/.test(id) ? `commit ${id}` : `${source.id} ${clip(id)}`, at };
}

function clip(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 80)}…${digest(text)}`;
}
