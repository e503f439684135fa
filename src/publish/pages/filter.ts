import { readerStates } from "../../model/states.ts";
import { html, type Markup, type MarkupPiece } from "./markup.ts";

/** Filters a long list: by state without a script, by words and order with one. */
export function filterPart(
  states: readonly { readonly state: string; readonly count: number }[],
  { what, isNumbered }: { readonly what: string; readonly isNumbered: boolean },
): MarkupPiece {
  const all = states.reduce((sum, { count }) => sum + count, 0);
  if (all < 2) return undefined;
  const choice = (id: string, words: string, isChosen: boolean): Markup =>
    html`<label><input type="radio" name="show" id="show-${id}"${isChosen && html` checked`}> ${words}</label>`;
  return html`<fieldset class="filter"><legend class="visually-hidden">Show ${what}</legend>
${choice("all", `all ${all}`, true)}${states.length > 1 && states.map(({ state, count }) => choice(stateClass(state), `${count} ${state}`, false))}
<span class="with-script" hidden><label><span class="visually-hidden">Show ${what} with these words</span><input type="search" id="words" placeholder="Filter"></label>${isNumbered && html`<label><input type="checkbox" id="by-number"> by number</label>`}</span>
</fieldset>`;
}

/** A state as a class and as a part of an id: `up to date` → `up-to-date`. */
export function stateClass(state: string): string {
  return state.replaceAll(" ", "-");
}

export const filterStyle = `.filter { border: 0; margin: 1.6rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; font-size: 0.9rem; color: var(--ink-soft); }
.filter label { white-space: nowrap; }
.filter label:has(:checked) { color: var(--ink); }
.filter input[type="search"] { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: 3px; padding: 0.2rem 0.5rem; width: 12rem; max-width: 100%; }
.filter .with-script:not([hidden]) { display: contents; }
${readerStates
  .map(stateClass)
  .map((state) => `main:has(#show-${state}:checked) .filtered > :not(thead, caption, .${state}) { display: none; }`)
  .join("\n")}
`;

/** A part of `recheck.js`: shows the entries that hold all typed words, and sorts a list in the report's order. */
export const filterScript = `{
  const lists = [...document.querySelectorAll(".filtered")];
  const search = document.getElementById("words");
  if (search && lists.length > 0) {
    document.querySelector(".with-script").hidden = false;
    const entries = lists.flatMap((list) => [...list.querySelectorAll("li[id], tbody > tr:not(:has(.group))")]);
    const texts = new Map();
    const show = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      for (const entry of entries) {
        if (words.length > 0 && !texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
        entry.hidden = words.some((word) => !texts.get(entry).includes(word));
      }
    };
    search.addEventListener("input", show);
    show();
    document.getElementById("by-number")?.addEventListener("change", ({ target }) => {
      const number = (entry) => Number(entry.dataset.number ?? Infinity);
      const own = entries.filter((entry) => entry.parentNode === lists[0]);
      lists[0].append(...(target.checked ? own.toSorted((a, b) => number(a) - number(b)) : own));
    });
  }
}
`;
