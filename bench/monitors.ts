import type { WatchedDocument } from "../src/faces/cli/backtest/corpus.ts";
import { aMinute, type Instant } from "../src/model/time.ts";
import type { Reader } from "../src/read/reader.ts";
import type { Replayed } from "./walk.ts";

/** One thing that a monitor would tell a person. */
export interface Message {
  readonly doc: string;
  readonly rev: number;
  readonly at: Instant;
  /** If it names them; monitors that know no triggers mean all of them. */
  readonly trigger?: string;
  /** It only adds to an earlier message. */
  readonly silent?: boolean;
}

/** Messages of a monitor of changed bytes. */
export function ofRawChanges({ rawChanges }: Replayed): Message[] {
  return [...rawChanges];
}

/** Messages of Recheck. */
export function ofRecheck({ firings }: Replayed): Message[] {
  return firings.map((firing) => ({ ...firing, at: Date.parse(firing.at), silent: !firing.new }));
}

/** Whether a kind lists publications, with any options: releases, posts, tags. */
function isList({ gives }: Reader): boolean {
  const { items, commits } = gives({});
  return items === true && commits !== true;
}

/** Messages of a watcher of versions: each entry with a version in it that a list, feed or index did not have before. */
export async function ofVersions(
  watched: readonly WatchedDocument[],
  readers: ReadonlyMap<string, Reader>,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (const { doc, source } of watched) {
    const reader = readers.get(source.kind);
    if (!reader || !isList(reader)) continue;
    let known: Set<string> | undefined;
    for (const { rev, date, status, headers, body } of doc.revisions) {
      if (status >= 400) continue;
      const { items = [] } = await reader.read({ url: doc.url, status, headers, body }, source);
      const versions = items.map(({ version, title }) => version ?? title).filter((text) => /\d\.\d/.test(text));
      const before = known;
      const fresh = before ? versions.filter((version) => !before.has(version)) : [];
      messages.push(...fresh.map(() => ({ doc: doc.doc, rev, at: date + aMinute })));
      known = new Set([...(before ?? []), ...versions]);
    }
  }
  return messages;
}
