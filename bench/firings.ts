import type { CorpusDocument } from "../src/faces/cli/backtest/corpus.ts";
import type { Change } from "../src/model/change.ts";
import type { Check } from "../src/model/check.ts";
import type { Firing } from "../src/model/firing.ts";
import { revisionAt } from "./corpus-web.ts";

/** A firing that a document caused, in the revision in which its evidence was first seen. */
export interface ReplayedFiring {
  readonly doc: string;
  readonly rev: number;
  readonly at: string;
  readonly trigger: string;
  readonly event: string;
  /** False if it only adds evidence to an earlier firing. */
  readonly new: boolean;
}

/**
 * The firings of one check. All changes of the text, the claims and the facts of a document are one event for a
 * trigger, however many conditions it meets. If the document announces a version by them, it is the event of that
 * version.
 */
export function firingsOf(check: Check, doc: CorpusDocument, known: Set<string>): ReplayedFiring[] {
  const told = new Set<string>();
  return check.firings.toSorted(releasesFirst).map((firing) => {
    const { trigger, event, evidence } = firing;
    const key = JSON.stringify([trigger, event.key]);
    const again = known.has(key) || (isText(firing) && told.has(trigger));
    known.add(key);
    if (isText(firing) || event.product !== undefined) told.add(trigger);
    const seen = Math.min(...evidence.filter(({ source }) => source === check.source).map((piece) => piece.seen));
    const revision = revisionAt(doc, Number.isFinite(seen) ? seen : check.at);
    const at = new Date(check.at).toISOString();
    return { doc: doc.doc, rev: revision?.rev ?? 0, at, trigger, event: event.key, new: !again };
  });
}

const textual: ReadonlySet<Change["kind"]> = new Set(["block", "claim", "fact", "link"]);

function isText({ evidence }: Firing): boolean {
  return evidence.every(({ change }) => textual.has(change.kind));
}

function releasesFirst(a: Firing, b: Firing): number {
  return Number(b.event.product !== undefined) - Number(a.event.product !== undefined);
}
