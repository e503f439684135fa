/** What pages are made of: heads, marks, lists of what happened, texts side by side. */
export const pieceStyle = `.masthead { margin-top: 1.6rem; }
.masthead h1 a { color: inherit; text-decoration-color: var(--line); }
.masthead .over { display: block; font-size: 1rem; color: var(--ink-soft); letter-spacing: 0; font-family: system-ui, sans-serif; margin-bottom: 0.3rem; }
.state { font-size: 1.25rem; line-height: 1.4; margin-top: 0.9rem; max-width: 46rem; }
.meta, .note, .about, .where, .path, .since { color: var(--ink-soft); font-size: 0.875rem; }
.masthead .meta { margin-top: 0.7rem; max-width: 46rem; }
.lead { font-size: 1.1rem; max-width: 46rem; }
.note { max-width: 46rem; }
.calm { color: var(--ink-soft); }
.stopped { margin: 1.2rem 0 0; padding: 0.7rem 1rem; border-left: 4px solid var(--doubt); background: var(--doubt-wash); }
.mark { display: inline-block; padding: 0.05em 0.5em; border-radius: 1em; font: 600 0.75rem/1.6 system-ui, sans-serif; white-space: nowrap; background: var(--fresh); color: var(--on-mark); }
.mark.in-doubt { background: var(--doubt); }
.mark.blind { background: var(--blind); }
.mark.to-review { background: none; color: var(--review); box-shadow: inset 0 0 0 1.5px var(--review); }
.mark.due { background: none; color: var(--due); box-shadow: inset 0 0 0 1.5px var(--due); }
.mark.fresh { background: none; color: var(--fresh); padding: 0; }
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

.firing { padding: 1rem 0 0.4rem; border-top: 1px solid var(--line); }
.firing.contrary { border-top: 2px solid var(--doubt); }
.firing > * + * { margin-top: 0.35rem; }
.firing blockquote, .claim blockquote { border-left: 3px solid var(--line); padding-left: 0.8rem; font-size: 0.9rem; }
.path { margin-top: 0.8rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1px; background: var(--line); border: 1px solid var(--line); margin-top: 0.5rem; font-size: 0.9rem; line-height: 1.5; }
.side { background: var(--sheet); padding: 0.5rem 0.8rem 0.7rem; min-width: 0; }
.side .label { font-size: 0.75rem; color: var(--ink-soft); }
.side .none { color: var(--ink-soft); font-style: italic; }
ins, del { text-decoration-thickness: 1.5px; text-underline-offset: 0.2em; border-radius: 2px; padding: 0.05em 0.1em; color: inherit; }
ins { background: var(--ins); text-decoration-line: underline; }
del { background: var(--del); text-decoration-line: line-through; }

.claims, .told { list-style: none; padding: 0; }
.claims > li, .told > li { margin: 0; padding: 0.55rem 0; border-top: 1px solid var(--line); }
.claims .says { font-weight: 500; }
.claims q { font-style: italic; }
.claims .asks .sign { color: var(--doubt); }
.claims .holds .sign { color: var(--fresh); }
.told > li > * + * { margin-top: 0.3rem; }
.heard, .told .note { font-size: 0.9rem; }
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
