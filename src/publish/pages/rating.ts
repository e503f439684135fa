import type { Rating } from "../../model/config.ts";
import { conclusionsOn, sourcesUnder } from "../../model/dependencies.ts";
import { causeName, readerState } from "../../model/states.ts";
import { period } from "../../model/time.ts";
import { asSentence, pluralize } from "../../model/words.ts";
import { freshFor } from "../../status/freshness.ts";
import type { RatingStatus } from "../../status/status.ts";
import { claimsPart } from "./claims.ts";
import { answerWords, type Drawing, meaningOf } from "./drawing.ts";
import { dayOf, html, internalLink, joinMarkup, type Markup, type MarkupPiece } from "./markup.ts";
import { sinceText, stateMark } from "./matrix.ts";
import { firingPart, ShownEdits } from "./sides.ts";
import { sourceTable } from "./source.ts";

/** Events that are shown in full; older ones are folded. */
const maxShown = 12;

export function ratingPage(rating: Rating, drawing: Drawing): Markup {
  const { config, status } = drawing;
  const now = status.ratings.find((one) => one.rating === rating.id);
  const parts = rating.id.split("/").map((part) => config.names.get(part) ?? part);
  const title =
    parts.length > 1
      ? html`<span class="over">${parts.slice(0, -1).join(" · ")}</span> ${parts.at(-1)}`
      : html`${parts[0]}`;
  const edits = new ShownEdits();
  return html`<div class="masthead">
<h1>${title}</h1>
<p class="state"><span class="level">${rating.level}</span>${now && html` ${stateMark(readerState(now.level))} <span class="since">${sinceText(now)}</span>`}</p>
<p class="meta">${now && whyOf(now, rating, drawing)}</p>
</div>
${rubricPart(rating, drawing)}
${eventsPart(rating, drawing, edits)}
${claimsOf(rating, drawing, edits)}
${verdictsPart(rating, drawing)}
${restingPart(rating, drawing)}
${sourcesPart(rating, drawing)}`;
}

function whyOf(now: RatingStatus, rating: Rating, drawing: Drawing): MarkupPiece {
  const { config, places } = drawing;
  const { level, because } = now;
  const placeOf = level === "blind" ? places.source : places.trigger;
  const links = because.map((id) => internalLink(causeName(id, level, config), placeOf(id)));
  return html`${asSentence(meaningOf[level])}${links.length > 0 && html`: ${joinMarkup(links, ", ")}`}. ${pace(rating, drawing)}`;
}

function pace(rating: Rating, { config }: Drawing): Markup {
  const volatility = rating.volatility ?? "";
  const length = period(freshFor(rating, config));
  const reviewed =
    rating.reviewed === undefined
      ? html`audited ${dayOf(config.report.audited)}`
      : html`reviewed ${dayOf(rating.reviewed)}`;
  const owners = rating.owners.length > 0 ? ` Owned by ${rating.owners.join(", ")}.` : "";
  const basis = rating.basis === "judgement" ? " A judgement that no source can settle." : "";
  return html`Last ${reviewed}, to be reviewed every ${length}${volatility !== "" && ` (volatility ${volatility})`}.${basis}${owners}`;
}

function rubricPart(rating: Rating, { config }: Drawing): MarkupPiece {
  const rubric = config.rubric.get(rating.id) ?? config.rubric.get(rating.id.split("/").at(-1) ?? "");
  if (!rubric) return undefined;
  const levels = [...rubric].sort(([a], [b]) => config.levels.indexOf(b) - config.levels.indexOf(a));
  return html`<section aria-labelledby="levels"><h2 id="levels">What the levels mean</h2>
<dl class="rubric">${levels.map(([level, meaning]) => html`<div${level === rating.level && html` class="current"`}><dt>${level}${level === rating.level && html` <span class="now">now</span>`}</dt><dd>${meaning}</dd></div>`)}</dl></section>`;
}

function eventsPart(rating: Rating, drawing: Drawing, edits: ShownEdits): Markup {
  const all = drawing.touching.get(rating.id) ?? [];
  const open = new Set(drawing.open.map(({ id }) => id));
  const rank = (one: (typeof all)[number]) => (open.has(one.id) ? 0 : 2) + (one.weight === "contrary" ? 0 : 1);
  const sorted = all.toSorted((a, b) => rank(a) - rank(b) || b.seen - a.seen);
  const [shown, others] = [sorted.slice(0, maxShown), sorted.slice(maxShown, 100)];
  return html`<section aria-labelledby="seen"><h2 id="seen">What was seen</h2>
${all.length === 0 && html`<p class="calm">No event since the audit concerns it.</p>`}
${shown.map((firing) => firingPart(firing, drawing, edits))}
${others.length > 0 && html`<details><summary>${pluralize(others.length, "more event")}</summary>${others.map((firing) => firingPart(firing, drawing, edits))}</details>`}
</section>`;
}

function claimsOf(rating: Rating, drawing: Drawing, edits: ShownEdits): MarkupPiece {
  const claims = drawing.sources.flatMap((story) => story.claims).filter(({ ratings }) => ratings.includes(rating.id));
  if (claims.length === 0) return undefined;
  return html`<section aria-labelledby="claims"><h2 id="claims">Claims it rests on</h2>${claimsPart(claims, drawing, { rating: rating.id, edits })}</section>`;
}

function verdictsPart(rating: Rating, drawing: Drawing): MarkupPiece {
  const given = drawing.answers.filter((one) => one.rating === rating.id).toReversed();
  if (given.length === 0) return undefined;
  const rows = given.map(
    ({ at, verdict, level, because, by, recheck, settled }) =>
      html`<li>${dayOf(at)} <strong>${verdict === "keep" ? "kept" : html`changed to ${level}`}</strong> by ${by}${because !== undefined && html`: “${because}”`} <span class="about">${answerWords(drawing.recheck.get(recheck), drawing)}${settled === undefined && ", not in the report's config yet"}</span></li>`,
  );
  return html`<section aria-labelledby="verdicts"><h2 id="verdicts">Verdicts</h2><ol class="verdicts">${rows}</ol></section>`;
}

function restingPart(rating: Rating, { config }: Drawing): MarkupPiece {
  const above = conclusionsOn([rating.id], config);
  if (above.length === 0) return undefined;
  const items = above.map(
    ({ id, text }) => html`<li>${config.names.has(id) && `${config.names.get(id)}: `}${text}</li>`,
  );
  return html`<section aria-labelledby="above"><h2 id="above">What rests on it</h2><ul>${items}</ul></section>`;
}

function sourcesPart(rating: Rating, drawing: Drawing): MarkupPiece {
  const under = new Set(sourcesUnder(rating, drawing.config));
  const own = drawing.sources.filter(({ source }) => under.has(source.id));
  if (own.length === 0) return undefined;
  return html`<section aria-labelledby="sources"><h2 id="sources">${pluralize(own.length, "source")} it rests on</h2>${sourceTable([{ state: "all", stories: own }], drawing, "Sources that this rating rests on")}</section>`;
}
