import { cells } from "./cells.ts";
import { citations } from "./citations.ts";
import { items } from "./items.ts";
import { mark, tabStops } from "./mark.ts";
import { type Note, notes } from "./notes.ts";

/**
 * `recheck-margin.js`: marks a report's own page with how its ratings and references stand, as its `status.json` says.
 *
 * Whatever is wrong with that file, the page stays as it was: nothing is touched before all of it is understood. It must
 * work where a page forbids inline styles, and stay below 6,200 bytes when it is minified: what checks clipped, is.
 */

declare global {
  interface Window {
    recheckMargin?: Promise<void>;
  }
}

async function run({ dataset, src }: HTMLScriptElement): Promise<void> {
  // 20 s and 4 million characters: what is longer is cut off, and then it is no JSON.
  const answer = await fetch(dataset.status || new URL("status.json", src), { signal: AbortSignal.timeout(2e4) });
  const [ratings, references, hasStopped] = notes(JSON.parse((await answer.text()).slice(0, 4e6)), answer.url);
  // The best first; each note and each place once.
  const done = new Set<unknown>();
  const entries = new Map<Element, Note>();
  for (const [note, place] of [...cells(ratings), ...items(references)].sort((a, b) => b[2] - a[2])) {
    if (done.has(note) || done.has(place)) continue;
    done.add(note).add(place);
    if (references.some(([one]) => one === note)) entries.set(place, note);
    mark(place, note);
  }
  // The running text stays as it was: all of its signs would say the same.
  if (!hasStopped) for (const [note, behind, at = 0] of citations(references, entries)) mark(behind, note, at);
  tabStops();
}

// A page that names the script twice is marked once.
self.recheckMargin ??= run(document.currentScript as HTMLScriptElement).catch(console.debug);
