import type { Note } from "./notes.ts";

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  ":host{position:relative}@media print{:host{display:none}}" +
    "button{all:unset;position:absolute;padding:.5em .2em;margin:-.5em 0;font-size:.8em;cursor:help}" +
    ":host([inline]) button{right:0;bottom:1em;margin:0;padding:.4em .2em;line-height:1;font-size:.65em}" +
    "button:focus-visible{outline:auto}" +
    // The colours of the four states, mixed with the text's colour, so that they are readable on any background.
    "\u2717#e43\u27f3#d80\u25cb#95e\u00b7#3a5".replace(
      /(.)(#...)/g,
      "[value='$1']{color:color-mix(in srgb,currentColor,$2)}",
    ) +
    "div{position:absolute;margin:0;max-width:min(20rem,100vw - 3rem);padding:.6rem;border:1px solid;font-size:.9rem;text-align:start;white-space:pre-line}" +
    "a{display:block}",
);

/** The card is shared by all signs. While it is open, it follows the button of its sign. */
const card = make("div", { popover: "manual" });
const close = () => card.remove();
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  (card.previousSibling as HTMLElement | null)?.focus();
  close();
});

/**
 * Adds a sign without moving anything else: at the end of a cell or paragraph, and in running text above the words before it.
 * Its card opens on hover, focus or tap.
 */
export function mark(place: Element | Text, [sign, label, says, links]: Note, at?: number): void {
  const host = make("recheck-mark" as "span", {});
  const root = host.attachShadow({ mode: "open" });
  const button = make("button", { textContent: sign, value: sign, ariaLabel: label });
  root.adoptedStyleSheets = [sheet];
  root.append(button);
  const open = () => {
    if (button.nextSibling) return;
    card.replaceChildren(`${label}\n${says}`, ...links.map(([textContent, href]) => make("a", { textContent, href })));
    root.append(card);
    card.showPopover();
    const { left, top, bottom } = button.getBoundingClientRect();
    const { offsetHeight, offsetWidth } = card;
    const y = scrollY + (bottom + offsetHeight < innerHeight ? bottom : top - offsetHeight);
    card.style.inset = `${y}px auto auto ${scrollX + Math.min(left, innerWidth - offsetWidth - 24)}px`;
  };
  host.onpointerenter = button.onfocus = open;
  host.onpointerleave = () => root.activeElement || close();
  host.onblur = close;
  button.onclick = () => button.focus();
  if (place instanceof Text) place.splitText(at as number).before(host);
  else if (at === 0) place.after(host);
  else endOf(place).append(host);
  host.toggleAttribute("inline", at !== undefined);
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Makes the signs of each table or list one stop of the Tab key, and those of the running text another one. Arrow keys move between them. */
export function tabStops(): void {
  const groups = new Map<Element | null, HTMLElement[]>();
  for (const host of document.querySelectorAll("recheck-mark")) {
    const group = host.closest("table,ul,ol,dl");
    const signs = groups.get(group) ?? [];
    groups.set(group, signs);
    const button = host.shadowRoot?.firstChild as HTMLElement;
    if (signs.push(button) > 1) button.tabIndex = -1;
    button.onkeydown = (event) => {
      const next = signs[signs.indexOf(button) + (steps[event.key] ?? NaN)];
      if (!next) return;
      event.preventDefault();
      button.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
  }
}

/** The element in which the text of a place ends: its last paragraph or cell. */
function endOf(place: Element): Element {
  const last = place.lastElementChild;
  return last?.matches("p,td,th,div") ? endOf(last) : place;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, its: Partial<HTMLElementTagNameMap[K]>) {
  return Object.assign(document.createElement(tag), its);
}
