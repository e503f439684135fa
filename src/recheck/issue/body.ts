import { claimWords } from "../../model/change-words.ts";
import type { ClaimState } from "../../model/claim.ts";
import type { Conclusion, Config } from "../../model/config.ts";
import { claimKey, conclusionsOn, ratingsInDoubt } from "../../model/dependencies.ts";
import { outOfDateWords } from "../../model/finding.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { cell, cut, link, plainName, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { firstOf, pluralize, weightWords, withoutStop } from "../../model/words.ts";
import { isAnswered } from "../answer/answers.ts";
import { findingsFirst, firstFindings } from "../first-check.ts";
import { answeredPart, closingLines, endingOf, foldedPart, patchPart, unansweredRatings } from "./answer-help.ts";
import { outOfDateList, previousText, questionText } from "./ask.ts";
import { evidenceParts } from "./evidence.ts";
import { clip, countWords, entriesWithin, maxBodyCharacters, maxWords, type Part, wordsOfParts } from "./layout.ts";
import { beginLine } from "./marker.ts";
import {
  askedRatings,
  cellAddress,
  groupReleases,
  groupTriggers,
  type Question,
  type Related,
  ratingAddress,
  ratingName,
  refNumberLinks,
  refs,
  strongestFirst,
  triggerOf,
} from "./question.ts";
import { headline, issueTitle, type Label, labelsOf, recheckLabel } from "./title.ts";

export interface RecheckIssue {
  readonly title: string;
  /** Our section, from its first marker to its last. */
  readonly body: string;
  readonly labels: readonly Label[];
}

/** Renders a recheck issue. `room`: characters that its section may take. Pure. */
export function renderIssue(input: Question, room = maxBodyCharacters): RecheckIssue {
  const { config, marker } = input;
  const isCatchUp = input.trigger === builtIn.catchUp;
  const asks = isCatchUp ? input.firings.filter(({ weight }) => weight === "routine") : input.firings;
  const firings = strongestFirst(asks);
  const trigger = triggerOf({ ...input, firings });
  const ordered = input.trigger === builtIn.notFound ? findingsFirst(firings, config) : firings;
  const groups = groupTriggers(groupReleases(unansweredFirst(ordered, input)));
  const question = { ...input, firings: groups };
  const asked = askedRatings(firings, config);
  const labels = isCatchUp ? catchUpLabels : labelsOf(trigger, asked, firings, config);
  const names = labels.map(({ name }) => name);
  const mark = beginLine(marker, trigger.id, firings, names);
  const body = input.closed ? closedBody(question, asked, mark, room) : openBody(question, asked, mark, room);
  return { title: cut(issueTitle(trigger, groups, config), 200), body, labels };
}

const catchUpLabels: readonly Label[] = [
  recheckLabel,
  { name: "catch-up", color: "c2e0c6", description: "Events between the audit and the first check" },
];

/** Firings without an answer first; in a closed issue the strongest first. */
function unansweredFirst(firings: readonly Firing[], { answers = [], closed, config }: Question): readonly Firing[] {
  if (closed) return firings;
  const isDone = (firing: Firing) => {
    const asked = [...ratingsInDoubt(firing, config)];
    return asked.length > 0 && asked.every((rating) => isAnswered(firing, rating, answers));
  };
  return [...firings.filter((one) => !isDone(one)), ...firings.filter(isDone)];
}

/** The question, then the evidence, then what depends on it; the rest is folded. */
function openBody(question: Question, askedRatings: readonly string[], mark: string, characters: number): string {
  const openRatings = unansweredRatings(question, askedRatings);
  const related = relatedLines(question.related ?? [], question.config).join("\n");
  const also = [...catchUpLine(question), ...outOfDateLines(question), ...(related === "" ? [] : [related])];
  const { paragraphs, left, isListed } = questionText(question, openRatings, also);
  const head = [mark, ...paragraphs].join("\n\n");
  const room = maxWords.shown - countWords(head) - wordsOfEvidence;
  // The events of a catch-up name their ratings, possibly all.
  const depending = question.trigger === builtIn.catchUp ? [] : [dependingPart(question, openRatings, room)];
  const below = [...depending, answeredPart(question, askedRatings), patchPart(question)];
  const folds = foldedPart(question, openRatings, { questions: left, words: maxWords.all - maxWords.shown });
  return arrangeSection(question, { head, above: [], below, folds, isListed }, characters);
}

const wordsOfSummaries = 12;

/** Minimum words of the evidence, with the parts below it. */
const wordsOfEvidence = 100;

function closedBody(question: Question, askedRatings: readonly string[], mark: string, room: number): string {
  const { config, previous } = question;
  const follows = previous ? [previousText(previous)] : [];
  const between = question.trigger === builtIn.catchUp ? [betweenText(question)] : [];
  // A person's reason comes last.
  const summary = [...between, ...follows, endingOf(question, askedRatings) ?? ""].join(" ");
  const above = [answeredPart(question, askedRatings), standingPart(unansweredRatings(question, askedRatings), config)];
  const folds = foldedPart(question, askedRatings);
  return arrangeSection(question, { head: `${mark}\n\n${summary}`, above, below: [], folds }, room);
}

interface Arranged {
  readonly head: string;
  readonly above: readonly Part[];
  readonly below: readonly Part[];
  readonly folds: Part;
  readonly isListed?: boolean;
}

/** The evidence gets the words that the rest leaves. */
function arrangeSection(
  question: Question,
  { head, above, below, folds, isListed = false }: Arranged,
  room: number,
): string {
  const tail = closingLines(question).join("\n\n");
  const around = countWords(head) + countWords(tail) + wordsOfParts([...above, ...below]);
  const [shown, all] = [maxWords.shown - around - wordsOfSummaries, maxWords.all - around - wordsOfParts([folds])];
  const evidence = evidenceParts({ ...question, isListed }, shown, all);
  return clip(head, [...above, ...evidence, ...below, folds], tail, room);
}

function outOfDateLines({ outOfDate = [], config, page, places }: Question): string[] {
  const { findings } = firstFindings(outOfDate, config, places);
  if (findings.length === 0) return [];
  const lead = `**${outOfDateWords(findings.length)}**, and another issue asks about it:`;
  return [`${lead}\n\n${outOfDateList(findings, page)}`];
}

function catchUpLine(question: Question): string[] {
  if (question.trigger !== builtIn.catchUp) return [];
  const all = "Set `report.audited` in `sources.yaml` to a later date to confirm all ratings up to that date.";
  return [`${betweenText(question)} ${all}`];
}

function betweenText({ config, firings }: Question): string {
  const since = day(config.report.audited);
  return `**${pluralize(firings.length, "event")} ${weightWords.routine}, between the audit of ${since} and the first check.**`;
}

const maxRelatedEvents = 5;

const maxRelatedIssues = 12;

/** Events that other open rechecks share with these firings: one release can affect many ratings. */
export function relatedTo(
  firings: readonly Firing[],
  others: readonly { readonly issue: number; readonly firings: readonly Firing[] }[],
): Related[] {
  const byKey = new Map<string, { firing: Firing; issues: Set<number> }>();
  for (const firing of firings) byKey.set(firing.event.key, { firing, issues: new Set() });
  for (const { issue, firings: theirs } of others) {
    for (const { event } of theirs) byKey.get(event.key)?.issues.add(issue);
  }
  return [...byKey.values()].flatMap(({ firing, issues }) =>
    issues.size > 0 ? [{ firing, issues: [...issues].sort((a, b) => a - b) }] : [],
  );
}

/** `Also asked about in #12, #13: PyTorch 2.13.0`, a line for each set of issues. */
function relatedLines(related: readonly Related[], config: Config): string[] {
  const together = Map.groupBy(related.slice(0, maxRelatedEvents), ({ issues }) => issues.join(" "));
  return [...together.values()].map((events) => {
    const numbers = events[0]?.issues.map((issue) => `#${issue}`) ?? [];
    const where = firstOf(numbers, maxRelatedIssues);
    return `Also asked about in ${where}: ${events.map(({ firing }) => eventName(firing, config)).join("; ")}`;
  });
}

function eventName(firing: Firing, config: Config): string {
  const { event } = firing;
  const product = event.product === undefined ? undefined : config.products.get(event.product);
  if (!product || event.version === undefined) return headline(firing, config).markdown;
  return `${words(product.name, 80)} ${words(plainName(event.version, 40))}`;
}

const most = { ratings: 4, claims: 2, conclusions: 2 } as const;

/**
 * What depends on the answer: the meaning of each rating's level, the conclusions, and other unsupported sentences
 * under these ratings. `room`: limit of words.
 */
function dependingPart(question: Question, asked: readonly string[], room: number): Part {
  const { config } = question;
  const entries = [
    ...asked.slice(0, most.ratings).flatMap((id) => meaningOf(id, config)),
    ...conclusionLines(asked, config),
    ...(question.trigger === builtIn.notFound ? [] : otherClaimLines(question, asked)),
  ];
  const fit = entries.slice(0, Math.max(1, entriesWithin(entries, room)));
  return { head: ["### What depends on it", ""], entries: fit.map((line) => `- ${line}`), one: "dependent" };
}

/** A rating's name and level, linked to its row in the report and to its own page, with the meaning of the level. */
function meaningOf(id: string, config: Config): string[] {
  const level = config.ratings.get(id)?.level ?? "";
  const rubric = config.rubric.get(id) ?? config.rubric.get(id.split("/").at(-1) ?? "");
  const meaning = rubric?.get(level);
  const page = ratingAddress(id, config);
  if (meaning === undefined && page === undefined) return [];
  const pages = page === undefined ? "" : ` · ${link("page", page)}`;
  const means = meaning === undefined ? "" : `: ${words(meaning, 240)}`;
  return [`${link(ratingName(id, config), cellAddress(id, config))}, **${words(level, 80)}**${means}${pages}`];
}

function conclusionLines(asked: readonly string[], config: Config): string[] {
  const all = conclusionsOn(asked, config);
  if (all.length === 0) return [];
  const texts = all.map(({ text }: Conclusion) => `*${words(text, 70)}*`);
  return [`${all.length === 1 ? "A conclusion" : "Conclusions"}: ${firstOf(texts, most.conclusions, "; ")}`];
}

/** Sentences under these ratings that lost their support in another recheck, or whose source is gone. */
function otherClaimLines({ config, claims, firings }: Question, ratings: readonly string[]): string[] {
  const states = new Map<string, ClaimState>(claims.map((state) => [state.claim, state]));
  const pieces = firings.flatMap(({ evidence }) => evidence);
  const asking = new Set(pieces.flatMap(({ claim, change }) => (change.kind === "link" ? [] : claim)));
  const gone = new Set(
    pieces.flatMap(({ source, change }) => (change.kind === "link" && change.to === "gone" ? source : [])),
  );
  const lines = [...config.sources.values()].flatMap((source) =>
    source.claims.flatMap((claim) => {
      const state = states.get(claimKey(claim));
      const isOther = !asking.has(claimKey(claim)) && claim.ratings.some((rating) => ratings.includes(rating));
      const isSupported = state === undefined || state.status === "supported";
      if (!isOther || (isSupported && !gone.has(source.id))) return [];
      const numbers = claim.cites.length > 0 ? claim.cites : source.cites;
      const cited = numbers.length > 0 ? `, ${refs(numbers, refNumberLinks(numbers, config, 3))}` : "";
      if (isSupported) return [`“${words(withoutStop(claim.says), 120)}”${cited}: **its source is gone**`];
      const { since } = claimWords[state.status];
      return [`“${words(withoutStop(claim.says), 120)}”${cited}: **its source ${since}** since ${day(state.since)}`];
    }),
  );
  return [...new Set(lines)].slice(0, most.claims);
}

/** A row for each rating without an answer: its present level, and when a person last reviewed it. */
function standingPart(unanswered: readonly string[], config: Config): Part {
  const entries = unanswered.map((id) => {
    const { level = "", reviewed } = config.ratings.get(id) ?? {};
    const since = reviewed === undefined ? `${day(config.report.audited)} (audit)` : day(reviewed);
    return `| ${cell(ratingName(id, config))} | **${cell(words(level, 80))}** | ${since} |`;
  });
  const head = ["### The ratings now", "", "| rating | now | last reviewed |", "|---|---|---|"];
  return { head, entries, one: "rating" };
}
