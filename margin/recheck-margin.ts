import { cells } from "./cells.ts";
import { citations } from "./citations.ts";
import { items } from "./items.ts";
import { mark, tabStops } from "./mark.ts";
import { type Note, notes } from "./notes.ts";

/**
 * `recheck-margin.js`: shows the states of ratings and references, from `status.json`, in the report's own page.
 *
 * The whole file is read before the page is changed: if anything in it is wrong, the page stays as it was. The script must
 * work on pages that forbid inline styles, and stay below 6,200 bytes when minified. That is why its code is so terse.
 */

declare global {
  interface Window {
    recheckMargin?: Promise<void>;
  }
}

async function run({ dataset, src }: HTMLScriptElement): Promise<void> {
  // At most 20 s and 4 million characters. A longer file is cut, so it is no JSON and is refused.
  const answer = await fetch(dataset.status || new URL("status.json", src), { signal: AbortSignal.timeout(2e4) });
  const [ratings, references, hasStopped] = notes(JSON.parse((await answer.text()).slice(0, 4e6)), answer.url);
  // The best fit first; each note and each element is used once.
  const done = new Set<unknown>();
  const entries = new Map<Element, Note>();
  for (const [note, place] of [...cells(ratings), ...items(references)].sort((a, b) => b[2] - a[2])) {
    if (done.has(note) || done.has(place)) continue;
    done.add(note).add(place);
    if (references.some(([one]) => one === note)) entries.set(place, note);
    mark(place, note);
  }
  // If checks have stopped, all signs in the running text would say the same, so they are left out.
  if (!hasStopped) for (const [note, behind, at = 0] of citations(references, entries)) mark(behind, note, at);
  tabStops();
}

// A page that names the script twice is marked once.
self.recheckMargin ??= run(document.currentScript as HTMLScriptElement).catch(console.debug);
