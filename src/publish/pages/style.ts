import { figureStyle } from "./style/figures.ts";
import { pieceStyle } from "./style/pieces.ts";

/** `style.css`: colours for light and dark, and everything that has no class. What pages are made of stands beside it. */
const base = `:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --sheet: #f5f2eb; --ink: #201f1c; --ink-soft: #5d594f; --line: #ddd7ca; --link: #1d4f80;
  --doubt: #ac2219; --blind: #6a3d9a; --review: #855300; --due: #0a6470; --fresh: #2d5138; --hold: #8fa3b3;
  --on-mark: #ffffff; --doubt-wash: #f8e3df; --ins: #dcefdc; --del: #f9dfdb;
  --step-0: #f4f1e9; --step-1: #e9edee; --step-2: #dde7ee; --step-3: #cfdfea; --step-4: #bfd5e5;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a; --sheet: #1f2125; --ink: #e8e5de; --ink-soft: #a9a59a; --line: #35373d; --link: #9cc4ee;
    --doubt: #ff9385; --blind: #cba6f2; --review: #eab860; --due: #6fcbd6; --fresh: #93c7a2; --hold: #5f7688;
    --on-mark: #16171a; --doubt-wash: #3a2321; --ins: #1f3d28; --del: #4a2522;
    --step-0: #1e1f22; --step-1: #20272d; --step-2: #213039; --step-3: #223a48; --step-4: #244558;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 0 1rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; margin: 0; font-weight: 600; }
h1, h2, .state, .lead { font-family: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, "Noto Serif", "Liberation Serif", serif; }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.4rem); font-weight: 500; letter-spacing: -0.01em; }
h2 { font-size: 1.45rem; font-weight: 500; }
h3 { font-size: 1rem; }
h4 { font-size: 0.95rem; }
p, ul, ol, dl, table, blockquote, figure { margin: 0; }
section { margin-top: 3.2rem; }
section > * + * { margin-top: 0.8rem; }
section > h3 { padding-top: 1rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
ul, ol { padding-left: 1.1rem; }
li + li { margin-top: 0.3rem; }
cite { font-style: italic; }
summary { cursor: pointer; color: var(--ink-soft); font-size: 0.9rem; padding: 0.25rem 0; }
details > * + * { margin-top: 0.6rem; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.nowrap { white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 2; padding: 0.4rem 0.8rem; background: var(--paper); }
.bar { display: flex; justify-content: space-between; align-items: baseline; font-size: 0.9rem; }
.bar ul { display: flex; flex-wrap: wrap; gap: 1.4rem; list-style: none; padding: 1rem 0; }
.bar li { margin: 0; }
.bar a { color: var(--ink-soft); text-decoration: none; }
.bar a:hover { text-decoration: underline; }
.bar a[aria-current] { color: var(--ink); border-bottom: 2px solid var(--ink); padding-bottom: 0.2rem; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--ink-soft); font-size: 0.85rem; }
footer p + p { margin-top: 0.4rem; }
@media print {
  body { max-width: none; background: none; }
  .bar, .skip, footer { display: none; }
  section, article, tr { break-inside: avoid; }
}
`;

export const style = `${base}${pieceStyle}${figureStyle}`;
