import { counted } from "../../describe.ts";
import type { SourceStory } from "../../explain/source.ts";
import { refs } from "../../recheck/question.ts";
import { time } from "../plain.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, html, inward, type Markup, minuteOf, type Piece } from "./markup.ts";
import { calledSource } from "./words.ts";

const order: readonly SourceStory["health"]["state"][] = ["gone", "blind", "unseen", "not seen yet", "seen"];

/** All sources, those that cannot be seen first. */
export function sourcesPage(drawing: Drawing): Markup {
  const all = drawing.sources.toSorted((a, b) => order.indexOf(a.health.state) - order.indexOf(b.health.state));
  const seen = all.filter(({ health }) => health.state === "seen").length;
  return html`<div class="masthead"><h1>Sources</h1>
<p class="state">${seen === all.length ? `All ${counted(all.length, "source")} can be seen.` : `${seen} of ${counted(all.length, "source")} can be seen.`}</p>
<p class="meta">Each stroke is a day of the last 120: <span class="nowrap">${key("low")} seen</span>, <span class="nowrap">${key("high")} changed</span>, <span class="nowrap">${key("gap")} could not be seen</span>; a blank day had no look.</p></div>
${sourceRows(all, drawing, "All sources")}`;
}

function key(shape: "low" | "high" | "gap"): Markup {
  const path = { low: "M1 7h4v7h-4z", high: "M1 0h4v14h-4z", gap: "M1 1.5h4M1 13.25h4" }[shape];
  const name = { low: "seen", high: "changed", gap: "unknown" }[shape];
  return html`<svg class="strip key" aria-hidden="true" viewBox="0 0 6 15"><path class="base" d="M0 14.5H6"/><path class="${name}" d="${path}"/></svg>`;
}

/** A row for each source: its looks as a strip, when it was looked at, and when it will be. */
export function sourceRows(stories: readonly SourceStory[], drawing: Drawing, caption: string): Markup {
  return html`<table class="plain sources"><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">source</th><th scope="col">last 120 days</th><th scope="col" class="wide-only">last look</th><th scope="col" class="wide-only">next, UTC</th></tr></thead>
<tbody>${stories.map((story) => row(story, drawing))}</tbody></table>`;
}

function row({ source, health }: SourceStory, drawing: Drawing): Markup {
  const numbers = [...new Set([...source.cites, ...source.standsFor])].sort((a, b) => a - b);
  const cited = numbers.length > 0 ? ` · ${refs(numbers, 4)}` : "";
  const last = health.lastLook === undefined ? "not yet" : dayOf(health.lastLook);
  return html`<tr${health.state !== "seen" && html` class="troubled"`}><th scope="row">${inward(calledSource(source), drawing.places.source(source.id))}<span class="about">${source.kind}${cited}</span>${trouble(health)}</th><td>${drawing.strips.get(source.id)?.picture}</td><td class="wide-only">${last}</td><td class="wide-only">${nextOf(health, drawing)}</td></tr>`;
}

/** `2026-09-23 06:10`, UTC. */
export function nextOf({ next }: SourceStory["health"], { at }: Drawing): Piece {
  if (next === undefined) return "";
  return next <= at ? "due" : html`<time datetime="${time(next)}">${time(next).slice(0, 16).replace("T", " ")}</time>`;
}

/** Why it cannot be seen, if it cannot. */
export function trouble({ state, trouble: why, lastSeen, blindFrom, covered }: SourceStory["health"]): Piece {
  if (state === "seen") return undefined;
  const says = why ? `: ${why.says}, ${counted(why.count, "look")} in a row` : "";
  const words = {
    "not seen yet": `○ not seen yet${says}`,
    gone: `✗ gone${says}`,
    blind: `○ blind${says}`,
    unseen: `○ could not be seen${says}`,
  }[state];
  const last = lastSeen === undefined ? "" : html`; last seen ${minuteOf(lastSeen)}`;
  const others = covered.length > 0 && "; another source announces the same, so no rating is blind for it";
  const from =
    state === "unseen" &&
    blindFrom !== undefined &&
    covered.length === 0 &&
    html`; blind from ${dayOf(blindFrom)} unless it is seen before`;
  return html`<span class="trouble${state === "not seen yet" && !why && " soft"}">${words}${last}${others}${from}</span>`;
}
