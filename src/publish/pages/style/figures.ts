/** Tables, the matrix, strips and charts. */
export const figureStyle = `.scroll { overflow-x: auto; }
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
.matrix .no { background: none; }
.step-0.cell { background: var(--step-0); }
.step-1.cell { background: var(--step-1); }
.step-2.cell { background: var(--step-2); }
.step-3.cell { background: var(--step-3); }
.step-4.cell { background: var(--step-4); }
.plain td.level { white-space: nowrap; }
.legend { display: grid; gap: 0.2rem 1.6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); font-size: 0.85rem; color: var(--ink-soft); }
.legend > div { display: grid; grid-template-columns: 6.4rem 1fr; align-items: baseline; }
.legend dd { margin: 0; }

.sources th .about { font-weight: 400; margin-left: 0.6rem; white-space: nowrap; }
.sources th .trouble { display: block; font-weight: 400; }
.ends { display: flex; justify-content: space-between; color: var(--ink-soft); font-size: 0.8rem; }
.trouble { color: var(--blind); font-size: 0.875rem; }
.trouble.soft { color: var(--ink-soft); }
.state .trouble { font-size: inherit; }
.sources td { white-space: nowrap; }
.strip { display: block; width: 15rem; height: 15px; }
.strip.key { display: inline-block; width: 6px; vertical-align: -2px; }
.long .strip { width: 100%; height: 32px; }
.strip .base { stroke: var(--line); stroke-width: 1; }
.strip .seen { fill: var(--hold); }
.strip .changed { fill: var(--ink); }
.strip .unknown { stroke: var(--blind); stroke-width: 1.5; fill: none; }

.chart { margin-top: 0.6rem; }
.chart svg { display: block; width: 100%; height: auto; overflow: visible; }
.chart text { white-space: pre; }
.chart .narrow { display: none; }
@media (max-width: 52rem) {
  .chart .wide { display: none; }
  .chart .narrow { display: block; max-width: 30rem; }
}
@media (max-width: 40rem) {
  .wide-only { display: none; }
  .strip { width: 7.5rem; }
  .sources th .about { display: block; margin: 0; white-space: normal; }
  .matrix { min-width: 42rem; }
  .matrix th[scope="row"], .matrix .corner { width: 5.6rem; font-size: 0.85rem; }
  .matrix .cell a { padding: 0.5rem 0.4rem 0.6rem; }
  .matrix thead th { padding: 0 0.4rem 0.3rem; }
  .matrix .mark { font-size: 0.7rem; padding: 0.05em 0.4em; }
  .matrix .mark.fresh { padding: 0; }
  .legend { grid-template-columns: 1fr; }
}
`;
