import type { Change } from "../../model/change.ts";
import { changeWords } from "../../model/change-words.ts";
import { conditionsOf, listensTo, readableCondition } from "../../model/condition.ts";
import { claimOf } from "../../model/dependencies.ts";
import { readerState, readerStates } from "../../model/states.ts";
import { aDay, aMinute, day, span } from "../../model/time.ts";
import {
  asSentence,
  enumerate,
  firstOf,
  noiseWords,
  partWords,
  pluralize,
  refNumbers,
  triggerName,
  weightWords,
  withoutStop,
} from "../../model/words.ts";
import { refs } from "../../recheck/issue/question.ts";
import type { EventStory, MatchStory } from "../../status/explain/events.ts";
import type { Consequence } from "../../status/explain/quiet.ts";
import type { SourceStory } from "../../status/explain/source.ts";
import { stripDays } from "../edition.ts";
import { claimsPart } from "./claims.ts";
import { type Drawing, issueLink, ratingLinks, sourceTitle } from "./drawing.ts";
import { filterPart, stateClass } from "./filter.ts";
import {
  dayOf,
  externalLink,
  html,
  internalLink,
  joinMarkup,
  type Markup,
  type MarkupPiece,
  minuteOf,
} from "./markup.ts";
import { ShownEdits, sides, sidesOf } from "./sides.ts";

export function sourcePage(story: SourceStory, drawing: Drawing): Markup {
  const { source, claims } = story;
  const edits = new ShownEdits();
  return html`<div class="masthead">
<h1>${sourceTitle(source)}</h1>
<p class="state">${stateOf(story, drawing)}</p>
<p class="meta">${identity(story, drawing)}</p>
</div>
${checksPart(story, drawing)}
${waitingPart(story, drawing, edits)}
${claims.length > 0 && html`<section aria-labelledby="claims"><h2 id="claims">Claims that rest on it</h2>${claimsPart(claims, drawing, { source: source.id, edits })}</section>`}
${changesPart(story, drawing, edits)}
${picturesPart(story, drawing)}
${noisePart(story)}
${restingPart(story, drawing)}`;
}

function stateOf({ health }: SourceStory, drawing: Drawing): MarkupPiece {
  const { state, lastCheck, last } = health;
  if (state !== "seen" || lastCheck === undefined) return trouble(health);
  const outcome = last === "seen once" ? "a change was seen once" : (last ?? "unchanged");
  return html`Checked ${minuteOf(lastCheck)}: ${outcome}. Next check: ${nextOf(health, drawing)}.`;
}

function identity({ source }: SourceStory, { link, config }: Drawing): Markup {
  const documents = source.citedBy.map((id) => config.documents.get(id)?.title ?? id);
  const parts: MarkupPiece[] = [
    html`${source.kind}, ${externalLink(source.address, link(source))}`,
    ...(source.cites.length > 0 ? [`cited as ${refs(source.cites)}`] : []),
    ...(source.standsFor.length > 0 ? [`watched in place of ${refs(source.standsFor)}, which cannot change`] : []),
    ...(documents.length > 0 ? [`cited by ${enumerate(documents, 4)}`] : []),
    ...(source.announces.length > 0
      ? [`announces ${enumerate(source.announces.map((id) => config.products.get(id)?.name ?? id))}`]
      : []),
  ];
  return html`${joinMarkup(parts, " · ")}`;
}

function checksPart({ source, health }: SourceStory, drawing: Drawing): Markup {
  const { checks, unknown, firstSeen, failures, baseline } = health;
  const since = firstSeen === undefined ? "" : html` since ${dayOf(firstSeen)}`;
  const strip = drawing.strips.get(source.id);
  const troubles = failures.slice(-8).toReversed();
  return html`<section aria-labelledby="checks"><h2 id="checks">Checks</h2>
<div class="long">${strip?.picture}<p class="ends"><span>${dayOf(drawing.at - (stripDays - 1) * aDay)}</span> <span>${dayOf(drawing.at)}</span></p></div>
<p>${strip?.says} In all ${pluralize(checks, "check")}${since}, ${unknown === 0 ? "none failed" : `${unknown} failed`}.</p>
${baseline?.copy && html`<p>Changes since the audit come from ${externalLink(baseline.says, baseline.copy.url)}.</p>`}
${troubles.length > 0 && html`<ul class="failures">${troubles.map(({ says, from, to, count }) => html`<li>${dayOf(from)}${to - from > aDay && html` to ${dayOf(to)}`}: ${says}, ${pluralize(count, "check")}</li>`)}</ul>`}
</section>`;
}

function waitingPart({ waiting }: SourceStory, drawing: Drawing, edits: ShownEdits): MarkupPiece {
  if (waiting.length === 0) return undefined;
  const items = waiting.map(
    ({ change, since, secondCheck, asks }) =>
      html`<li><p>${changeText(change, drawing)}, seen once ${minuteOf(since)}; second check ${minuteOf(secondCheck)}.</p>${sidesOf(change, edits)}${
        asks.length > 0
          ? asks.map((one) => consequencePart(one, drawing, edits))
          : html`<p class="note">No trigger asks about it, even if it is confirmed.</p>`
      }</li>`,
  );
  return html`<section aria-labelledby="waiting"><h2 id="waiting">Waiting for confirmation</h2><ul class="changes">${items}</ul></section>`;
}

function consequencePart(
  { claim, change, triggers, means, contrary }: Consequence,
  { config, places }: Drawing,
  edits: ShownEdits,
): Markup {
  const asked = triggers.map(
    (trigger) =>
      html`${internalLink(triggerName(trigger, config), places.trigger(trigger))}${contrary.includes(trigger) && html` <span class="weight contrary">${weightWords.contrary}</span>`}`,
  );
  const asks = asked.length > 0 ? html`it asks ${joinMarkup(asked, ", ")}` : "no trigger asks about it";
  const why = means.length > 0 && ` (${means.join("; ")})`;
  if (claim === undefined) return html`<p class="note">If it is still there, ${asks}${why}.</p>`;
  const says = claimOf(claim, config)?.says ?? claim;
  const what = change ? `it ${changeWords(change, { says })}` : `it ends “${withoutStop(says)}”`;
  return html`<p class="note">If it is still there, ${what}: ${asks}${why}.</p>${change && sidesOf(change, edits)}`;
}

function changesPart({ happenings }: SourceStory, drawing: Drawing, edits: ShownEdits): Markup {
  return html`<section aria-labelledby="changes"><h2 id="changes">What changed</h2>
${happenings.length > 0 ? html`<ol class="changes">${happenings.toReversed().map((one) => happeningItem(one, drawing, edits))}</ol>` : html`<p class="calm">Nothing since it was first seen.</p>`}</section>`;
}

/** The page before its last change, and after it. Styles and pictures were not fetched. */
function picturesPart({ source }: SourceStory, { pictures }: Drawing): MarkupPiece {
  const taken = pictures.get(source.id) ?? [];
  if (taken.length === 0) return undefined;
  const figures = taken.map(
    ({ at, picture }) =>
      html`<figure class="side"><img src="data:image/webp;base64,${picture}" alt="The page on ${day(at)}"><figcaption class="label">${minuteOf(at)}</figcaption></figure>`,
  );
  return html`<section aria-labelledby="pictures"><h2 id="pictures">In the browser</h2>
<p class="note">The top of the page around its last change, without its styles and pictures.</p>
<div class="sides">${figures}</div></section>`;
}

/** A claim is named by its sentence; the page of its source needs no more. */
function changeText(change: Change, { config }: Drawing): string {
  const says = change.kind === "claim" ? claimOf(change.claim, config)?.says : undefined;
  return asSentence(changeWords(change, { says }));
}

const maxChanges = 3;

function happeningItem(
  { since, at, changes, results, silence, left }: EventStory,
  drawing: Drawing,
  edits: ShownEdits,
): Markup {
  const later = at - since >= aMinute ? `, confirmed ${span(at - since)} later` : "";
  const more = changes.length - maxChanges + left;
  const matching = results.filter(({ outcome }) => outcome !== "silent");
  const silent = results.filter(({ outcome }) => outcome === "silent");
  return html`<li><p class="meta">${dayOf(since)}${later}</p>
${changes.slice(0, maxChanges).map((change) => html`<p>${changeText(change, drawing)}</p>${sidesOf(change, edits)}`)}
${more > 0 && html`<p class="note">and ${more} more</p>`}
${matching.map((one) => matchLine(one, drawing))}
${silence !== undefined && html`<p class="note">No alert: ${silence}.</p>`}
${
  silent.length > 0 &&
  html`<p class="note">No alert: ${joinMarkup(
    silent
      .slice(0, 6)
      .map(
        ({ trigger, because }) =>
          html`${internalLink(triggerName(trigger, drawing.config), drawing.places.trigger(trigger))}${because && `, ${because}`}`,
      ),
    "; ",
  )}.</p>`
}
</li>`;
}

function matchLine({ trigger, outcome, weight, issue, means, because, part }: MatchStory, drawing: Drawing): Markup {
  const name = internalLink(triggerName(trigger, drawing.config), drawing.places.trigger(trigger));
  const asked = issue === undefined ? "" : html`, ${issueLink(issue, drawing)}`;
  if (outcome === "fired") {
    const why = [part === "also" && partWords({ part }), means].filter(Boolean).join(": ");
    return html`<p class="outcome"><span class="weight ${weight ?? "routine"}">${weightWords[weight ?? "routine"]}</span> asked by ${name}${asked}${why !== "" && ` (${why})`}</p>`;
  }
  return html`<p class="outcome">${outcome === "evidence" ? "more evidence for" : "already known to"} ${name}${asked}${because && `: ${because}`}</p>`;
}

const maxNoise = 20;

function noisePart({ noise }: SourceStory): MarkupPiece {
  if (noise.length === 0) return undefined;
  const items = noise
    .slice(0, maxNoise)
    .map(
      ({ change, count, first, last, ...why }) =>
        html`<li><p>${asSentence(changeWords(change))}</p><p class="meta">${noiseWords(why)}; ${count > 1 ? html`${count} times from ${dayOf(first)} to ${dayOf(last)}` : dayOf(last)}</p>${change.kind === "block" && sides(change.before?.text, change.after?.text)}</li>`,
    );
  return html`<section aria-labelledby="noise"><h2 id="noise">Ignored as noise</h2>
<p class="note">Differences that were ignored.</p>
<ul class="changes noise">${items}</ul>${noise.length > maxNoise && html`<p class="note">and ${noise.length - maxNoise} more</p>`}</section>`;
}

function restingPart({ health: { ratings }, source }: SourceStory, drawing: Drawing): MarkupPiece {
  const { config, places } = drawing;
  const byTrigger = [...config.triggers.values()].flatMap((trigger) => {
    const own = conditionsOf(trigger).filter(({ condition }) => listensTo(condition, source));
    const words = new Set(own.map(({ condition }) => readableCondition(condition, config)));
    return words.size > 0 ? [{ trigger: trigger.id, words: firstOf([...words], 4, "; ") }] : [];
  });
  if (ratings.length + byTrigger.length === 0)
    return html`<p class="calm">No trigger listens here, and no rating rests on it.</p>`;
  return html`<section aria-labelledby="resting"><h2 id="resting">Who depends on it</h2>
${byTrigger.length > 0 && html`<ul>${byTrigger.map(({ trigger, words }) => html`<li>${internalLink(triggerName(trigger, config), places.trigger(trigger))}: ${words}</li>`)}</ul>`}
${ratings.length > 0 && html`<p class="about">Ratings that rest on it: ${ratingLinks(ratings, drawing)}</p>`}</section>`;
}

export function sourcesPage(drawing: Drawing): Markup {
  const all = drawing.sources;
  const groups = readerStates.flatMap((state) => {
    const stories = all.filter(({ health }) => readerState(health.state) === state);
    return stories.length > 0 ? [{ state, stories, count: stories.length }] : [];
  });
  const seen = groups.find(({ state }) => state === "up to date")?.count ?? 0;
  return html`<div class="masthead"><h1>Sources</h1>
<p class="state">${seen === all.length ? `All ${pluralize(all.length, "source")} can be read.` : `${seen} of ${pluralize(all.length, "source")} can be read.`}</p>
<p class="meta">Each stroke is a day of the last 120: <span class="nowrap">${key("seen")} unchanged</span>, <span class="nowrap">${key("changed")} changed</span>, <span class="nowrap">${key("unknown")} could not be read</span>; a blank day had no check.</p></div>
${filterPart(groups, { what: "sources", isNumbered: false })}
${sourceTable(groups, drawing, "All sources")}`;
}

function key(name: "seen" | "changed" | "unknown"): Markup {
  const path = { seen: "M1 7h4v7h-4z", changed: "M1 0h4v14h-4z", unknown: "M1 1.5h4M1 13.25h4" }[name];
  return html`<svg class="strip key" aria-hidden="true" viewBox="0 0 6 15"><path class="base" d="M0 14.5H6"/><path class="${name}" d="${path}"/></svg>`;
}

type Group = { readonly state: string; readonly stories: readonly SourceStory[] };

/** If there are several groups, each has its state as a heading. */
export function sourceTable(groups: readonly Group[], drawing: Drawing, caption: string): Markup {
  const heading = (state: string) =>
    groups.length > 1 && html`<tr><th scope="rowgroup" colspan="4" class="group">${asSentence(state)}</th></tr>`;
  return html`<table class="plain sources filtered"><caption class="visually-hidden">${caption}</caption>
<thead><tr><th scope="col">source</th><th scope="col">last 120 days</th><th scope="col" class="wide-only">last check</th><th scope="col" class="wide-only">next check</th></tr></thead>
${groups.map(({ state, stories }) => html`<tbody class="${stateClass(state)}">${heading(state)}${stories.map((story) => row(story, drawing))}</tbody>`)}</table>`;
}

function row({ source, health }: SourceStory, drawing: Drawing): Markup {
  const numbers = [...new Set([...source.cites, ...source.standsFor])].sort((a, b) => a - b);
  const cited = numbers.length > 0 ? ` · ${refs(numbers, refNumbers(numbers, 4))}` : "";
  const last = health.lastCheck === undefined ? "not yet" : dayOf(health.lastCheck);
  return html`<tr><th scope="row">${internalLink(sourceTitle(source), drawing.places.source(source.id))}<span class="about">${source.kind}${cited}</span>${trouble(health)}</th><td>${drawing.strips.get(source.id)?.picture}</td><td class="wide-only">${last}</td><td class="wide-only">${nextOf(health, drawing)}</td></tr>`;
}

function nextOf({ next }: SourceStory["health"], { at }: Drawing): MarkupPiece {
  return next === undefined ? "" : next <= at ? "due" : minuteOf(next);
}

function trouble({ state, trouble: why, lastSeen, blindFrom, covered }: SourceStory["health"]): MarkupPiece {
  if (state === "seen") return undefined;
  const says = why ? `: ${why.says}, ${pluralize(why.count, "check")} in a row` : "";
  const name = state === "gone" ? "✗ gone" : `○ ${state === "not read yet" ? state : readerState(state)}`;
  const last = lastSeen === undefined ? "" : html`; last read ${minuteOf(lastSeen)}`;
  const others = covered.length > 0 && "; another source announces the same, so its ratings stay checkable";
  const isFailing = state === "unseen" && covered.length === 0;
  const from =
    isFailing &&
    blindFrom !== undefined &&
    html`; its ratings count as not checkable from ${dayOf(blindFrom)} unless it is read before`;
  return html`<span class="trouble${state === "not read yet" && !why && " soft"}">${name}${says}${last}${others}${from}</span>`;
}
