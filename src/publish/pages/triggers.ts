import { changeLine } from "../../model/change-words.ts";
import { type Condition, conditionsOf, patternsOf, readableCondition } from "../../model/condition.ts";
import type { Trigger } from "../../model/config.ts";
import { builtIn, reservedTriggers } from "../../model/firing.ts";
import { cut } from "../../model/markdown.ts";
import { asSentence, partWords, pluralize, triggerName } from "../../model/words.ts";
import { figuresText } from "../../recheck/answer/figures.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { ConditionStory, TriggerStory } from "../../status/explain/index.ts";
import { anchorOf, type Drawing, ratingLinks, sourceTitle } from "./drawing.ts";
import { dayOf, html, internalLink, joinMarkup, type Markup, type MarkupPiece, minuteOf } from "./markup.ts";
import { happenedList, historySinceAudit, type TimelineEntry } from "./timeline.ts";

const maxShown = 10;

export function triggersPage(drawing: Drawing): Markup {
  const byTrigger = Map.groupBy(historySinceAudit(drawing), ({ trigger }) => trigger);
  const others = [...new Set([...Object.values(builtIn), ...byTrigger.keys()])].filter(
    (id) => !drawing.config.triggers.has(id) && byTrigger.has(id),
  );
  const firings = drawing.firings.length;
  return html`<div class="masthead"><h1>Triggers</h1>
<p class="state">${pluralize(drawing.triggers.length, "trigger")}; ${pluralize(firings, "event")} met one of them.</p>
<p class="meta">A trigger says what the report wants to be asked about. Relevant: the answer was <em>keep</em> or <em>change</em>; consequential: it was <em>change</em>.</p></div>
${drawing.triggers.map((story) => triggerPart(story, byTrigger.get(story.id) ?? [], drawing))}
${others.map((id) => removedTriggerPart(id, byTrigger.get(id) ?? [], drawing))}`;
}

function triggerPart(story: TriggerStory, happenings: readonly TimelineEntry[], drawing: Drawing): Markup {
  const { id, name, wording, ratings, conditions } = story;
  const { config, figures } = drawing;
  const { confidence, volatility, ask = [] } = config.triggers.get(id) ?? {};
  const facts = [
    ...(volatility === undefined ? [] : [`volatility ${volatility}`]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
    figuresText(figures.get(id) ?? { answered: 0, relevant: 0, consequential: 0 }),
  ];
  return html`<section class="trigger" id="${anchorOf(id)}" aria-labelledby="${anchorOf(id)}-name">
<h2 id="${anchorOf(id)}-name">${name}</h2>
${wording !== undefined && html`<blockquote class="wording"><p>${wording}</p></blockquote>`}
<p class="meta">${facts.join(" · ")}</p>
${ratings.length > 0 && html`<p class="about">Asks about ${ratingLinks(ratings, drawing)}</p>`}
${happenedPart(happenings, drawing)}
${ask.length > 0 && html`<details><summary>What is asked</summary><ul>${ask.map((question) => html`<li>${question}</li>`)}</ul></details>`}
${conditionsPart(config.triggers.get(id), conditions, drawing)}
</section>`;
}

/** The part of a trigger that has no file: it is built in, or config had it. */
function removedTriggerPart(id: string, all: readonly TimelineEntry[], drawing: Drawing): Markup {
  return html`<section class="trigger" id="${anchorOf(id)}" aria-labelledby="${anchorOf(id)}-name">
<h2 id="${anchorOf(id)}-name">${triggerName(id, drawing.config)}</h2>
<p class="meta">${reservedTriggers.has(id) ? "Built in: every report has it." : "No longer among the triggers of the report."}</p>
${happenedPart(all, drawing)}
</section>`;
}

function happenedPart(all: readonly TimelineEntry[], drawing: Drawing): Markup {
  if (all.length === 0) return html`<p class="calm">Nothing has met it yet.</p>`;
  return html`<h3>Events and answers</h3>
${happenedList(all, maxShown, drawing, all[0]?.trigger)}`;
}

function conditionsPart(
  trigger: Trigger | undefined,
  stories: readonly ConditionStory[],
  drawing: Drawing,
): MarkupPiece {
  // Stories have the order of the conditions in the config.
  const all = (trigger ? conditionsOf(trigger) : []).flatMap(({ condition }, i) => {
    const story = stories[i];
    return story ? [{ condition, story }] : [];
  });
  const met = all.filter(({ story: { fired, waiting } }) => fired.length + waiting.length > 0);
  const unmet = all.filter((one) => !met.includes(one));
  const items = (some: typeof all) =>
    html`<ul class="conditions">${some.map(({ condition, story }) => conditionItem(condition, story, trigger, drawing))}</ul>`;
  return [
    met.length > 0 && html`<h3>Its conditions, and what met them</h3>${items(met)}`,
    unmet.length > 0 &&
      html`<details><summary>${pluralize(unmet.length, "condition")} not met</summary>${items(unmet)}</details>`,
  ];
}

function conditionItem(
  condition: Condition,
  story: ConditionStory,
  trigger: Trigger | undefined,
  drawing: Drawing,
): Markup {
  const { means, sources, fired, unmet, waiting, due, part, noise } = story;
  const { config, places } = drawing;
  const names = sources.slice(0, 4).flatMap(({ id }) => {
    const found = config.sources.get(id);
    return found ? [internalLink(sourceTitle(found), places.source(id))] : [];
  });
  const more = sources.length - names.length;
  const unseen = sources.filter(({ state }) => state !== "seen");
  const last = fired[0];
  const lastEvent = last && headline(last, config).text;
  const calm = fired.length + unmet.length + waiting.length === 0 && due === undefined;
  return html`<li><p>${asSentence(readableCondition(condition, config))}${names.length > 0 && html` <span class="about">in ${joinMarkup(names, ", ")}${more > 0 && ` and ${more} more`}</span>`}</p>
<p class="meta">${joinMarkup(
    [
      partWords({ part, condition }, trigger),
      ...(means === undefined ? [] : [`“${means}”`]),
      ...(last
        ? [
            html`met ${pluralize(fired.length, "time")}, last ${dayOf(last.fired)}${lastEvent !== means && `: ${lastEvent}`}`,
          ]
        : []),
      ...waiting.map(({ what, secondCheck }) => html`seen once: ${what}; second check ${minuteOf(secondCheck)}`),
      ...unmet.map(
        ({ happening, because }) => html`not met ${dayOf(happening.since)}: ${whatOf(happening)}: ${because}`,
      ),
      ...(due === undefined ? [] : [html`met ${dayOf(due)} if nothing happens before`]),
      ...(unseen.length > 0 ? [`${unseen.length} of its sources cannot be read`] : []),
      ...(calm
        ? [`no such change was seen${noise > 0 ? `; ${pluralize(noise, "difference")} ignored as noise` : ""}`]
        : []),
    ],
    " · ",
  )}</p>${patternsPart(patternsOf(condition))}</li>`;
}

function patternsPart(patterns: readonly string[]): MarkupPiece {
  if (patterns.length === 0) return undefined;
  const codes = patterns.map((pattern) => html`<code>${cut(pattern, 400)}</code>`);
  return html`<details><summary>the ${patterns.length === 1 ? "pattern" : "patterns"}</summary><p>${joinMarkup(codes, ", ")}</p></details>`;
}

function whatOf({ changes, event }: ConditionStory["unmet"][number]["happening"]): string {
  const [change] = changes;
  return change ? changeLine(change) : event.key;
}
