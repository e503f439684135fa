import type { Instant } from "../../../model.ts";
import type { Reader } from "../../../read/reader.ts";
import type { Replayed, Watched } from "./walk.ts";

/** One thing that a monitor would tell a person. */
export interface Message {
  readonly doc: string;
  readonly rev: number;
  readonly at: Instant;
  /** Where it says which; monitors that know no triggers mean all of them. */
  readonly trigger?: string;
  /** It only adds to what was told; no message of its own. */
  readonly silent?: boolean;
}

/** What a monitor of changed bytes tells. */
export function ofRawChanges({ rawChanges }: Replayed): Message[] {
  return [...rawChanges];
}

/** What Recheck tells. */
export function ofRecheck({ firings }: Replayed): Message[] {
  return firings.map((firing) => ({ ...firing, at: Date.parse(firing.at), silent: !firing.new }));
}

const lists: ReadonlySet<string> = new Set(["github-releases", "feed", "pypi", "container-tags"]);
const minute = 60_000;

/** What a watcher of versions tells: each entry with a version in it that a list, feed or index did not have before. */
export async function ofVersions(
  watched: readonly Watched[],
  readers: ReadonlyMap<string, Reader>,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (const { doc, source } of watched) {
    const reader = readers.get(source.kind);
    if (!reader || !lists.has(source.kind)) continue;
    let known: Set<string> | undefined;
    for (const { rev, date, status, headers, body } of doc.revisions) {
      if (status >= 400) continue;
      const { items = [] } = await reader.read({ url: doc.url, status, headers, body }, source);
      const versions = items.map(({ version, title }) => version ?? title).filter((text) => /\d\.\d/.test(text));
      const before = known;
      const fresh = before ? versions.filter((version) => !before.has(version)) : [];
      messages.push(...fresh.map(() => ({ doc: doc.doc, rev, at: date + minute })));
      known = new Set([...(before ?? []), ...versions]);
    }
  }
  return messages;
}
