import { bare } from "./items.ts";
import { fresh, type Note, type Reference, signs } from "./notes.ts";

/** A place in the running text that cites a reference: after an element, or after `at` characters of a text. */
export type Citing = readonly [note: Note, behind: Element | Text, at?: number];

/**
 * Finds the citations in the running text: links to the entry of a reference, or to an address that only one reference has;
 * `[18]`, `[3, 5]`, `[3–5]`; and raised numbers after punctuation. The references within a range share one sign, at its dash.
 * Fresh references get no sign. `entries`: the entries of references, which are not running text.
 */
export function citations(references: readonly Reference[], entries: ReadonlyMap<Element, Note>): Citing[] {
  const found: Citing[] = [];
  const byNumber = new Map(references.map(([note, number]) => [`${number}`, note]));
  const byUrl = new Map<string, Note | 0>();
  for (const [note, , url] of references) byUrl.set(bare(url), byUrl.has(bare(url)) ? 0 : note);
  const entryOf = (place: Node | null): Note | undefined => {
    for (let one = place; one; one = one.parentNode) {
      const note = entries.get(one as Element);
      if (note) return note;
    }
    return undefined;
  };
  const add = (note: Note | 0 | undefined, behind: Element | Text, at?: number) => {
    if (note && note[0] !== fresh) found.push([note, behind, at]);
  };
  for (const link of document.links as HTMLCollectionOf<HTMLAnchorElement>) {
    const { hash, href, textContent } = link;
    if (entryOf(link) || !textContent.trim()) continue;
    const isHere = bare(href) === bare(location.href);
    const note = isHere ? hash && entryOf(document.getElementById(hash.slice(1))) : byUrl.get(bare(href));
    add(note || 0, link.closest("sup") ?? link);
  }
  const walker = document.createTreeWalker(document.body, 4);
  // Without a known entry, the page may number its references in another way than config.
  while (entries.size && walker.nextNode()) {
    const text = walker.currentNode as Text;
    const { data, parentElement } = text;
    if (!/\d/.test(data) || parentElement?.closest("a,code,pre,script,style,textarea,button,h1,h2,h3,h4,h5,h6"))
      continue;
    const isRaised =
      parentElement?.tagName === "SUP" && /[.,;:!?"”]$/.test(parentElement.previousSibling?.textContent ?? "");
    for (const { 0: cited, index } of data.matchAll(isRaised ? /^[\d,;\s–-]+$/g : /\[\d[\d,;\s–-]{0,60}\]/g)) {
      if (entryOf(text)) break;
      let last = 1 / 0;
      for (const { 0: written, 1: dash, 2: number, index: from } of cited.matchAll(/([–-]\s*)?(\d+)/g)) {
        const at = index + from;
        if (dash) add(together(references, last, +(number as string)), text, at + 1);
        add(byNumber.get(number as string), text, at + written.length);
        last = +(number as string);
      }
    }
  }
  // Last first: a sign splits its text, and offsets hold only for the first part.
  return found.reverse();
}

/** One note for all references between two numbers that are not fresh, with the sign of the most pressing one. */
function together(references: readonly Reference[], from: number, to: number): Note | undefined {
  const all = references
    .filter(([note, number]) => note[0] !== fresh && (number as number) > from && (number as number) < to)
    .map(([note]) => note)
    .sort(([a], [b]) => signs.indexOf(a) - signs.indexOf(b));
  const [first] = all;
  if (!all[1]) return first;
  const links = all.flatMap(([, label, , own]) => own.slice(-1).map(([, href]) => [label, href] as const));
  return [(first as Note)[0], all.map(([, label]) => label).join("\n"), "", links];
}
