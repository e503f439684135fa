import type { Reference } from "./notes.ts";
import { type Offer, words } from "./offer.ts";

const item = "li,p,dt,dd,tr,.csl-entry";

/**
 * Finds elements that may be the entry of a reference: by an id such as `ref-12`, as an item of a list below a heading such as
 * References, by `[12]` at the start, or by a link to its address. Pandoc and Quarto write `csl-entry`.
 */
export function items(references: readonly Reference[]): Offer[] {
  /** The number of the reference with this address; 0 if several have it. */
  const byUrl = new Map<string, unknown>();
  for (const [, number, url] of references) byUrl.set(bare(url), byUrl.has(bare(url)) ? 0 : number);
  const byNumber = new Map(references.map(([note, number]) => [`${number}`, note]));
  const next = new Map<Element | null, number>();
  const offers: Offer[] = [];
  /** The level of the heading above the references; 0 outside of their section. */
  let section = 0;
  for (const place of document.querySelectorAll<HTMLElement>(`h1,h2,h3,h4,h5,h6,${item},[id]:not(sup,sup *)`)) {
    const level = +place.tagName.slice(1);
    if (level) {
      const isListed = /^.{0,20} (references|sources|bibliography) .{0,20}$/.test(words(place.textContent));
      section = isListed ? section || level : level > section ? section : 0;
    }
    const worth: Record<string, number> = {};
    const offer = (number: unknown, more: number) => {
      worth[number as string] = more + (worth[number as string] ?? 0);
    };
    offer(/^(ref|r|fn|cite|bib|note)[-_:.]?(\d+)$/i.exec(place.id)?.[2], 4);
    const near = place.closest(item);
    if (near === place) {
      const list = place.parentNode as HTMLOListElement;
      const number = (place as HTMLLIElement).value || next.get(list) || list.start;
      next.set(list, number + 1);
      offer(number, list.reversed ? 0 : section && 3);
      const { textContent } = (place as HTMLTableRowElement).cells?.[0] ?? place;
      const [, bracket, written] = /^\s*(\[?)(\d+)(?:[\].)]|\s*$)/.exec(textContent) ?? [];
      offer(written, bracket || section ? 2 : 0);
      for (const { href } of place.querySelectorAll("a")) offer(byUrl.get(bare(href)), section ? 2 : 0.4);
    }
    for (const number in worth) {
      const note = byNumber.get(number);
      const its = worth[number] as number;
      if (note && its > 1) offers.push([note, near ?? place, its]);
    }
  }
  return offers;
}

/** The address of a page, without the parts that do not change the page: its final slash and fragment. */
export const bare = (url: string): string => url.replace(/\/?(#.*)?$/, "");
