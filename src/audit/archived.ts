import { Failure } from "../model/failure.ts";
import type { Clock, Copy, WebArchive } from "../model/ports/index.ts";
import { aDay } from "../model/time.ts";
import type { Finding } from "./findings.ts";
import { sourceOf, type Web } from "./visit.ts";

/** Copies of any age are suggested. */
const anyAge = 100 * 366 * aDay;

/** The means and the limits for a search of copies. `isOver`: whether no further request may begin. */
export interface ArchiveSearch extends Pick<Web, "readers"> {
  readonly archive: WebArchive;
  readonly clock: Clock;
  readonly isOver: () => boolean;
  readonly seen: (count: number, all: number) => void;
}

/** Adds to each dead link the newest copy in a web archive that can be read. `left`: those for which there was no time. */
export async function withCopies(
  findings: readonly Finding[],
  search: ArchiveSearch,
): Promise<{ readonly findings: readonly Finding[]; readonly left: number; readonly failed?: Failure }> {
  const dead = findings.filter(({ kind, cited }) => kind === "gone" && cited.address !== "");
  const copies = new Map<string, Copy | undefined>();
  let failed: Failure | undefined;
  for (const { cited } of dead) {
    if (search.isOver() || failed) break;
    search.seen(copies.size, dead.length);
    try {
      copies.set(cited.address, await newestCopy(cited.address, search));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed = error;
    }
  }
  return {
    findings: findings.map((finding) => {
      const copy = finding.kind === "gone" ? copies.get(finding.cited.address) : undefined;
      return copy ? { ...finding, copy } : finding;
    }),
    left: dead.length - copies.size,
    ...(failed && { failed }),
  };
}

async function newestCopy(address: string, { archive, clock, readers }: ArchiveSearch): Promise<Copy | undefined> {
  for await (const copy of archive.copies(address, { at: clock.now(), within: anyAge })) {
    if (copy.kind !== "copy") continue;
    try {
      await readers.get("page")?.read(copy.response, sourceOf({ kind: "page", address }));
      return copy.copy;
    } catch (error) {
      // An error page was archived, or a file that is no page.
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "wrong-type") return copy.copy;
    }
  }
  return undefined;
}
