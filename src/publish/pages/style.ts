import { filterStyle } from "./filter.ts";

/** `style.css`: light and dark colours, and elements without a class. Styles of page parts are below. */
const base = `:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --sheet: #f5f2eb; --ink: #201f1c; --ink-soft: #5d594f; --line: #ddd7ca; --link: #1d4f80;
  --doubt: #ac2219; --blind: #6a3d9a; --review: #7a4b00; --fresh: #2d5138; --hold: #8fa3b3;
  --on-mark: #ffffff; --doubt-wash: #f8e3df; --ins: #dcefdc; --del: #f9dfdb;
  --step-0: #f4f1e9; --step-1: #e9edee; --step-2: #dde7ee; --step-3: #cfdfea; --step-4: #bfd5e5;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a; --sheet: #1f2125; --ink: #e8e5de; --ink-soft: #a9a59a; --line: #35373d; --link: #9cc4ee;
    --doubt: #ff9385; --blind: #cba6f2; --review: #eab860; --fresh: #93c7a2; --hold: #5f7688;
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
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 2; padding: 0.4rem 0.8rem; background: var(--paper); }
.bar { display: flex; justify-content: space-between; align-items: baseline; font-size: 0.9rem; }
.bar ul { display: flex; flex-wrap: wrap; gap: 1.4rem; list-style: none; padding: 1rem 0; }
.bar li { margin: 0; }
.bar a { color: var(--ink-soft); text-decoration: none; }
.bar a:hover { text-decoration: underline; }
.bar .follow { margin-left: 1.4rem; white-space: nowrap; }
.bar a[aria-current] { color: var(--ink); border-bottom: 2px solid var(--ink); padding-bottom: 0.2rem; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--ink-soft); font-size: 0.85rem; }
footer p + p { margin-top: 0.4rem; }
@media print {
  :root { --paper: white; }
  body { max-width: none; }
  .bar, .skip, footer { display: none; }
  .filter label:not(:has(:checked)) { display: none; }
  h2, h3, caption, thead { break-after: avoid; }
  article, tr, .claim, .sides { break-inside: avoid; }
}
`;

const figureStyle = `.scroll { overflow-x: auto; }
.masthead + table { margin-top: 1.6rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.925rem; }
caption { text-align: left; color: var(--ink-soft); font-size: 0.85rem; padding-bottom: 0.5rem; }
th { font-weight: 500; text-align: left; overflow-wrap: break-word; }
thead th { color: var(--ink-soft); font-size: 0.8rem; font-weight: 400; vertical-align: bottom; }
th, td { padding: 0.45rem 0.8rem 0.45rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.name { color: var(--ink-soft); font-weight: 400; }

.matrix { table-layout: fixed; min-width: 44rem; border-collapse: separate; border-spacing: 2px; }
.matrix th, .matrix td { border: 0; }
.matrix thead th { padding: 0 0.6rem 0.3rem; }
.matrix th[scope="row"] { width: 8.5rem; padding: 0.7rem 0.6rem 0.7rem 0; background: var(--paper); position: sticky; left: 0; }
.matrix .corner { padding-left: 0; width: 8.5rem; position: sticky; left: 0; background: var(--paper); }
.matrix .cell { padding: 0; background: var(--sheet); border-radius: 3px; }
.matrix .cell a { display: block; padding: 0.6rem 0.6rem 0.7rem; color: var(--ink); text-decoration: none; border-radius: 3px; }
.matrix .cell a:hover { box-shadow: inset 0 0 0 2px var(--ink-soft); }
.matrix .level { display: block; font-size: 1.05rem; margin-bottom: 0.15rem; }
.matrix .mark { white-space: normal; }
.matrix .no { background: none; }
${[0, 1, 2, 3, 4].map((step) => `.step-${step}.cell { background: var(--step-${step}); }`).join("\n")}
.plain td.level { white-space: nowrap; }
.legend { display: grid; gap: 0.2rem 1.6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); font-size: 0.85rem; color: var(--ink-soft); }
.legend > div { display: grid; grid-template-columns: 8rem 1fr; align-items: baseline; }
.legend dd { margin: 0; }

.sources th { overflow-wrap: anywhere; }
.sources th .about { font-weight: 400; margin-left: 0.6rem; white-space: nowrap; }
.sources th .trouble { display: block; font-weight: 400; }
.ends { display: flex; justify-content: space-between; color: var(--ink-soft); font-size: 0.8rem; }
.trouble { color: var(--blind); font-size: 0.875rem; }
.trouble.soft { color: var(--ink-soft); }
.state .trouble { font-size: inherit; }
.sources td { white-space: nowrap; }
.sources .group { color: var(--ink-soft); font-size: 0.8rem; padding-top: 1.2rem; }
.strip { display: block; width: 15rem; height: 15px; }
.strip.key { display: inline-block; width: 6px; vertical-align: -2px; }
.long .strip { width: 100%; height: 32px; }
.strip .base { stroke: var(--line); stroke-width: 1; }
.strip .seen { fill: var(--hold); }
.strip .changed { fill: var(--ink); }
.strip .unknown { stroke: var(--blind); stroke-width: 1.5; fill: none; }

.chart { display: grid; grid-template-columns: 14rem 1fr; align-items: center; gap: 0 0.7rem; margin-top: 0.6rem; padding-right: 0.9rem; font-size: 0.75rem; }
.chart > .name { text-align: right; color: var(--ink); overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.chart svg { display: block; width: 100%; height: 26px; overflow: visible; }
.chart .bars { height: 66px; margin-top: 4px; }
.chart .days { height: 18px; }
.chart line { stroke: var(--line); }
.chart text { fill: var(--ink-soft); dominant-baseline: central; }
.lane text { text-anchor: middle; font-size: 0.65rem; }
.lane .contrary { fill: var(--doubt); font-size: 1rem; }
.lane .routine { fill: var(--review); font-size: 1rem; }
.lane .verdict { fill: var(--ink); font-size: 1rem; }
.bars .seen { fill: var(--hold); stroke: var(--paper); }
.bars .unknown { fill: none; stroke: var(--blind); }
@media (max-width: 52rem) {
  .chart { grid-template-columns: 1fr; }
  .chart > .name { text-align: left; }
}
@media (max-width: 40rem) {
  .wide-only { display: none; }
  .strip { width: 7.5rem; }
  .sources th .about { display: block; margin: 0; white-space: normal; }
  .matrix { display: block; min-width: 0; }
  .matrix thead, .matrix .no { display: none; }
  .matrix caption, .matrix tbody, .matrix tr, .matrix th[scope="row"], .matrix .cell { display: block; width: auto; }
  .matrix th[scope="row"] { padding: 0.9rem 0 0.3rem; font-weight: 600; position: static; }
  .matrix .cell { margin-bottom: 2px; }
  .matrix .cell a { display: grid; grid-template-columns: 1fr 5rem 7.8rem; align-items: baseline; padding: 0.3rem 0.5rem; }
  .matrix .cell a::before { content: attr(data-column); font-size: 0.85rem; }
  .matrix .level { margin: 0; font-size: 0.95rem; }
  .matrix .mark { justify-self: start; font-size: 0.75rem; }
  .legend { grid-template-columns: 1fr; }
}
`;

const pieceStyle = `.masthead { margin-top: 1.6rem; }
p.what { margin-top: 1.2rem; }
.what + .masthead { margin-top: 0.2rem; }
.masthead h1 a { color: inherit; text-decoration-color: var(--line); }
.masthead .over { display: block; font-size: 1rem; color: var(--ink-soft); letter-spacing: 0; font-family: system-ui, sans-serif; margin-bottom: 0.3rem; }
.state { font-size: 1.25rem; line-height: 1.4; margin-top: 0.9rem; max-width: 46rem; }
.meta, .note, .about, .where, .path, .since { color: var(--ink-soft); font-size: 0.875rem; }
.masthead .meta { margin-top: 0.7rem; max-width: 46rem; }

.worst { margin-top: 0.5rem; font-size: 0.925rem; max-width: 46rem; }
.masthead + section { margin-top: 1.6rem; }
section + .meta { margin-top: 1.2rem; max-width: 46rem; }
.lead { font-size: 1.1rem; max-width: 46rem; }
.note { max-width: 46rem; }
.calm { color: var(--ink-soft); }
.stopped { margin: 1.2rem 0 0; padding: 0.7rem 1rem; border-left: 4px solid var(--doubt); background: var(--doubt-wash); }
.mark { display: inline-block; padding: 0.05em 0.5em; border-radius: 1em; font: 600 0.75rem/1.6 system-ui, sans-serif; white-space: nowrap; background: var(--fresh); color: var(--on-mark); }
.mark.outdated { background: var(--doubt); }
.mark.not-checkable { background: var(--blind); }
.mark.changed { background: none; color: var(--review); box-shadow: inset 0 0 0 1.5px var(--review); }
.mark.up-to-date { background: none; color: var(--fresh); padding: 0; }
.weight { font: 600 0.75rem/1.6 system-ui, sans-serif; color: var(--ink-soft); }
.weight.contrary, .contrary > .weight, .contrary .what > .weight { color: var(--doubt); }
.masthead .state .level { font-weight: 600; margin-right: 0.4rem; }
.masthead .state .mark { font-size: 0.85rem; vertical-align: 0.1em; }

.asked { list-style: none; padding: 0; display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.asked > li { margin: 0; padding: 0.9rem 0; border-top: 1px solid var(--line); }
.asked > li.contrary { border-top: 2px solid var(--doubt); }
.asked h3 a { color: var(--ink); }
.asked h3 .weight { margin-left: 0.4rem; }
.asked p { margin-top: 0.3rem; }

.happened { list-style: none; padding: 0; }
.happened > li { display: grid; grid-template-columns: 6rem 1.4rem 1fr; margin: 0; padding: 0.45rem 0; border-top: 1px solid var(--line); font-size: 0.95rem; }
.happened .sign { text-align: center; }
.happened .contrary .sign, .key.doubt { color: var(--doubt); }
.happened .routine .sign, .key.review { color: var(--review); }
.happened .about { display: block; }
.trigger .happened .about { display: inline; margin-left: 0.4rem; }
.verdicts { list-style: none; padding: 0; }
.verdicts > li { padding: 0.45rem 0; border-top: 1px solid var(--line); }

.references { list-style: none; padding: 0; margin-top: 1.6rem; }
.references > li { margin: 0; padding: 0.9rem 0; border-top: 1px solid var(--line); }
.references > li.outdated { border-top: 2px solid var(--doubt); }
.references > li > * + * { margin-top: 0.35rem; }
.references > li:target { background: var(--sheet); }
.references h3 { font: inherit; font-weight: 500; }
.references h3 .number { color: var(--ink-soft); margin-right: 0.3rem; }

.firing { padding: 1rem 0 0.4rem; border-top: 1px solid var(--line); }
.firing.contrary { border-top: 2px solid var(--doubt); }
.firing > * + * { margin-top: 0.35rem; }
.firing blockquote, .claim blockquote { border-left: 3px solid var(--line); padding-left: 0.8rem; font-size: 0.9rem; }
.path { margin-top: 0.8rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1px; background: var(--line); border: 1px solid var(--line); margin-top: 0.5rem; font-size: 0.9rem; line-height: 1.5; }
.side { background: var(--sheet); padding: 0.5rem 0.8rem 0.7rem; min-width: 0; }
.side img { display: block; max-width: 100%; background: white; }
.side .label { font-size: 0.75rem; color: var(--ink-soft); }
.side .none { color: var(--ink-soft); font-style: italic; }
ins, del { text-decoration-thickness: 1.5px; text-underline-offset: 0.2em; border-radius: 2px; padding: 0.05em 0.1em; color: inherit; }
ins { background: var(--ins); text-decoration-line: underline; }
del { background: var(--del); text-decoration-line: line-through; }

.claims, .changes { list-style: none; padding: 0; }
.claims > li, .changes > li { margin: 0; padding: 0.55rem 0; border-top: 1px solid var(--line); }
.claims .says { font-weight: 500; }
.claims q { font-style: italic; }
.claims .asks .sign { color: var(--doubt); }
.claims .holds .sign { color: var(--fresh); }
.changes > li > * + * { margin-top: 0.3rem; }
.outcome, .changes .note { font-size: 0.9rem; }
.rubric > div { display: grid; grid-template-columns: 8rem 1fr; gap: 0.8rem; padding: 0.4rem 0; border-top: 1px solid var(--line); color: var(--ink-soft); }
.rubric > .current { color: var(--ink); font-weight: 500; }
.rubric dd { margin: 0; }
.rubric .now { font-size: 0.75rem; font-weight: 600; }
.trigger { border-top: 1px solid var(--line); padding-top: 1.4rem; }
.wording { font-style: italic; border-left: 3px solid var(--line); padding-left: 0.9rem; max-width: 46rem; }
.conditions { list-style: none; padding: 0; font-size: 0.95rem; }
.conditions > li { margin: 0; padding: 0.45rem 0; border-top: 1px solid var(--line); }
.failures { font-size: 0.9rem; color: var(--ink-soft); }
@media (max-width: 40rem) {
  .sides { grid-template-columns: 1fr; }
  .happened > li { grid-template-columns: 5.6rem 1.2rem 1fr; font-size: 0.9rem; }
  .happened .what { grid-column: 1 / -1; }
  .rubric > div { grid-template-columns: 1fr; gap: 0.1rem; }
}
`;

export const style = `${base}${pieceStyle}${figureStyle}${filterStyle}`;
