import { outOfDateWords } from "../../model/finding.ts";
import { weightOf } from "../../model/firing.ts";
import { readerState, readerStates } from "../../model/states.ts";
import { asSentence, enumerate, issueName, pluralize, triggerName, weightWords } from "../../model/words.ts";
import { firstFindings } from "../../recheck/first-check.ts";
import { askedRatings, groupReleases, strongestFirst } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { type OpenQuestion, stateSentence } from "../../status/status.ts";
import { type Drawing, issueLink, ratingLinks, sourceTitle } from "./drawing.ts";
import { dayOf, homeLink, html, internalLink, joinMarkup, type Markup, type MarkupPiece } from "./markup.ts";
import { matrixSection, stateMark } from "./matrix.ts";
import { timelinePart } from "./timeline.ts";

export function frontPage(drawing: Drawing): Markup {
  return html`${head(drawing)}
${matrixSection(drawing)}
${auditedPart(drawing)}
${conclusionsPart(drawing)}
${askedPart(drawing)}
${timelinePart(drawing)}
${watchedPart(drawing)}`;
}

function head(drawing: Drawing): Markup {
  const { title, url } = drawing.config.report;
  return html`<div class="masthead">
<h1>${homeLink(title, url)}</h1>
<p class="state">${stateSentence(drawing.status)}</p>
${worstPart(drawing)}
</div>`;
}

function worstPart(drawing: Drawing): Markup {
  const { ratings, open } = drawing.status;
  const worst = readerStates.find((state) => ratings.some(({ level }) => readerState(level) === state));
  const its = ratings.filter(({ level }) => readerState(level) === worst).map(({ rating }) => rating);
  const isCalm = worst === undefined || worst === "up to date";
  const questions =
    open.length > 0 && html`<a class="nowrap" href="#asked">${pluralize(open.length, "question")} to decide</a>`;
  return html`<p class="worst">${!isCalm && html`${stateMark(worst)} ${ratingLinks(its, drawing)}`}${!isCalm && questions && " · "}${questions}</p>`;
}

function auditedPart({ config: { report } }: Drawing): Markup {
  const version = report.version === undefined ? "Last" : `Version ${report.version}, last`;
  return html`<p class="meta">${version} checked by its author against its sources on ${dayOf(report.audited)}.</p>`;
}

function askedPart(drawing: Drawing): Markup {
  const isContrary = ({ firings }: OpenQuestion) => weightOf(firings) === "contrary";
  const newest = ({ firings }: OpenQuestion) => strongestFirst(firings)[0]?.seen ?? 0;
  const open = drawing.status.open.toSorted(
    (a, b) => Number(isContrary(b)) - Number(isContrary(a)) || newest(b) - newest(a),
  );
  const items = open.map((one) => questionItem(one, drawing));
  return html`<section aria-labelledby="asked">
<h2 id="asked">To decide</h2>
${items.length > 0 ? html`<ol class="asked">${items}</ol>` : html`<p class="calm">${drawing.status.lastCheck === undefined ? "Nothing yet." : "Nothing. No event is waiting for an answer."}</p>`}
</section>`;
}

/** Findings of the first check that are listed; their issue has all of them. */
const maxFirstFindings = 20;

function questionItem({ trigger, issue, firings }: OpenQuestion, drawing: Drawing): Markup {
  const { config, places } = drawing;
  const { findings, others } = firstFindings(strongestFirst(firings), config);
  const events = groupReleases(others);
  const [strongest] = events;
  const more = events.length - 1;
  const ratings = askedRatings(firings, config);
  const weight = weightOf(firings);
  return html`<li class="${weight}">
<h3>${internalLink(triggerName(trigger, config), places.trigger(trigger))} <span class="weight ${weight}">${weightWords[weight]}</span></h3>
${
  findings.length > 0 &&
  html`<p>${outOfDateWords(findings.length)}:</p>
<ol>${findings.slice(0, maxFirstFindings).map(({ firing }) => html`<li>${headline(firing, config).sentence}</li>`)}</ol>`
}
<p>${findings.length === 0 && strongest && html`${headline(strongest, config).sentence}, seen ${dayOf(strongest.seen)}${more > 0 && `, and ${more} more`}. `}<span class="nowrap">${issue === undefined ? asSentence(issueName(issue)) : html`Asked in ${issueLink(issue, drawing)}`}.</span></p>
${ratings.length > 0 && html`<p class="about">${ratingLinks(ratings, drawing)}</p>`}
</li>`;
}

function watchedPart(drawing: Drawing): Markup {
  const { config, status, sources, places } = drawing;
  const claims = sources.reduce((sum, one) => sum + one.claims.length, 0);
  const documents = [...config.documents.values()];
  const cited: MarkupPiece =
    documents.length > 0 &&
    html` Also watched: what ${joinMarkup(
      documents.slice(0, 12).map(({ title, url }) => html`<cite>${homeLink(title, url)}</cite>`),
      ", ",
    )} ${documents.length === 1 ? "cites" : "cite"}.`;
  return html`<section aria-labelledby="watched">
<h2 id="watched">What is watched</h2>
<p>${internalLink(pluralize(sources.length, "source"), places.file("sources.html"))}, with ${pluralize(claims, "claim")} of the report proved by them, and ${internalLink(pluralize(config.triggers.size, "trigger"), places.file("triggers.html"))}. ${readableWords(drawing)}${cited}</p>
${status.waiting.length > 0 && html`<p>${pluralize(status.waiting.length, "source")} changed once and ${status.waiting.length === 1 ? "waits" : "wait"} for confirmation: ${enumerate(status.waiting.map(({ source }) => config.sources.get(source)?.title ?? source))}.</p>`}
${config.unwatchable.length > 0 && html`<details><summary>${pluralize(config.unwatchable.length, "source")} cannot be watched at all</summary><ul>${config.unwatchable.map(({ title, url, because }) => html`<li>${homeLink(title, url)}: ${because}</li>`)}</ul></details>`}
</section>`;
}

function readableWords({ sources, places }: Drawing): MarkupPiece {
  const notSeen = sources.filter(({ health }) => health.state !== "seen");
  if (notSeen.length === 0) return "All of them can be read.";
  const unseen = notSeen.filter(({ health }) => health.lastCheck !== undefined);
  const notYet = notSeen.length - unseen.length;
  const names = unseen.slice(0, 6).map(({ source }) => internalLink(sourceTitle(source), places.source(source.id)));
  const more = unseen.length > names.length && ` and ${unseen.length - names.length} more`;
  const paragraphs: Markup[] = [
    ...(unseen.length > 0 ? [html`${unseen.length} cannot be read now: ${joinMarkup(names, ", ")}${more}.`] : []),
    ...(notYet > 0 ? [html`${notYet} ${notYet === 1 ? "has" : "have"} not been checked yet.`] : []),
  ];
  return joinMarkup(paragraphs, " ");
}

function conclusionsPart(drawing: Drawing): Markup | undefined {
  const { config, status } = drawing;
  if (config.conclusions.size === 0) return undefined;
  const states = new Map(status.ratings.map(({ rating, level }) => [rating, readerState(level)]));
  const rows = [...config.conclusions.values()].map(({ id, text }) => {
    const ratings = ratingsBelow(id, config.conclusions).filter((rating) => states.has(rating));
    const worst = readerStates.find((state) => ratings.some((rating) => states.get(rating) === state));
    const shaken = ratings.filter((rating) => worst !== "up to date" && states.get(rating) === worst);
    const name = config.names.get(id);
    return html`<tr><th scope="row">${name !== undefined && html`<span class="name">${name}:</span> `}${text}</th><td>${worst && stateMark(worst)}${shaken.length > 0 && html` <span class="about">because of ${ratingLinks(shaken, drawing)}</span>`}</td></tr>`;
  });
  return html`<section aria-labelledby="conclusions">
<h2 id="conclusions">What rests on them</h2>
<table class="plain"><caption>Conclusions of the report; each has the state of its worst rating</caption>
<thead><tr><th scope="col">conclusion</th><th scope="col">now</th></tr></thead>
<tbody>${rows}</tbody></table>
</section>`;
}

function ratingsBelow(id: string, conclusions: Drawing["config"]["conclusions"]): string[] {
  const ids = new Set([id]);
  for (const one of ids) for (const below of conclusions.get(one)?.restsOn ?? []) ids.add(below);
  return [...ids];
}
