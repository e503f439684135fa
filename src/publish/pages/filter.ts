import { html, type Markup, type MarkupPiece } from "./markup.ts";

/** Filters a long list: by state with `style.css` alone, by words and order with `recheck.js`. */
export function filterPart(
  states: readonly { readonly state: string; readonly count: number }[],
  { what, isNumbered }: { readonly what: string; readonly isNumbered: boolean },
): MarkupPiece {
  const all = states.reduce((sum, { count }) => sum + count, 0);
  if (all < 2) return undefined;
  const choice = (id: string, words: string, isChosen: boolean): Markup =>
    html`<label><input type="radio" name="show" id="show-${id}"${isChosen && html` checked`}> ${words}</label>`;
  return html`<fieldset class="filter"><legend class="visually-hidden">Show ${what}</legend>
${states.length > 1 && [choice("all", `all ${all}`, true), ...states.map(({ state, count }) => choice(stateClass(state), `${count} ${state}`, false))]}
<span class="with-script" hidden><label><span class="visually-hidden">Show ${what} with these words</span><input type="search" id="words" placeholder="Filter"></label>${isNumbered && html`<label><input type="checkbox" id="by-number"> by number</label>`}</span>
</fieldset>`;
}

/** A state as a class and as a part of an id: `up to date` → `up-to-date`. */
export function stateClass(state: string): string {
  return state.replaceAll(" ", "-");
}
