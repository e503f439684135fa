import { pathIn } from "../../config/files.ts";
import { isMove } from "../../model/change.ts";
import { claimChangeWords } from "../../model/change-words.ts";
import type { Config } from "../../model/config.ts";
import { claimKey } from "../../model/dependencies.ts";
import { outOfDateWords } from "../../model/finding.ts";
import { builtIn, type Evidence } from "../../model/firing.ts";
import { code, cutLine, fence, ownLink, paragraph, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { asSentence, firstOf, pluralize, upTo, withoutStop } from "../../model/words.ts";
import type { FileChange } from "../../report/edit/splice.ts";
import { codeList, otherLevel } from "../answer/names.ts";
import type { OfferedSentence } from "../correct.ts";
import { type FirstFinding, firstFindings } from "../first-check.ts";
import { countWords, entriesWithin, maxWords } from "./layout.ts";
import { boxLine } from "./marker.ts";
import { changedLine, type PageOf, placeLink, type Question, ratingName, shownPatch, triggerOf } from "./question.ts";
import { citedSource, figureAsWritten, figureText, headline } from "./title.ts";

const most = { ratings: 8, owners: 6, diffs: 3 } as const;
/** How many sentences are quoted: as many as fit. */
const quotedSentences = [4, 3, 2, 1] as const;

/** The question of an open issue: its paragraphs, and the questions of its trigger that had no room. */
export interface QuestionText {
  readonly paragraphs: readonly string[];
  readonly left: readonly string[];
  /** The paragraphs list the findings of the first check. */
  readonly isListed: boolean;
}

/**
 * The question: first the sentences that may be untrue, with their correction, then the ratings, then what happens
 * without an answer. `ratings`: those without an answer; `also`: lines below it, which count towards its words.
 */
export function questionText(question: Question, ratings: readonly string[], also: readonly string[]): QuestionText {
  const { ask } = triggerOf(question);
  const findings = listedFindings(question);
  const below = [...ratingParagraphs(question, ratings), ...(findings.length > 0 ? [] : newsParagraph(question))];
  const isWithSentence = (question.offer?.corrections.length ?? 0) > 0;
  const move = isWithSentence ? [] : correctionLine(question, []);
  const end = [...move, endParagraph(question, ratings), ...also, ...correctionDiff(question)];
  const room = maxWords.asking - countWords([...below, ...end].join("\n")) - toDecideWords;
  const all =
    findings.length > 0
      ? [[findingsParagraph(findings, question), ...correctionLine(question, question.offer?.sentences ?? [])]]
      : quotedSentences.map((count) => sentenceParagraphs(question, count));
  const sentences = all.find((paragraphs) => countWords(paragraphs.join("\n")) <= room) ?? all.at(-1) ?? [];
  const lines = ask.map((line) => `- [ ] ${paragraph(line)}`);
  const fit = entriesWithin(lines, room - countWords(sentences.join("\n")));
  const toDecide = fit > 0 ? [`To decide:\n\n${lines.slice(0, fit).join("\n")}`] : [];
  const paragraphs = [...sentences, ...below, ...toDecide, ...end];
  return { paragraphs, left: ask.slice(fit), isListed: findings.length > 0 };
}

/** Words of `To decide:` and of the heading of the evidence. */
const toDecideWords = 3;

/** Findings of the first check that are listed above the evidence. */
const maxFirstFindings = 30;

/** The findings of the first check, worst first, each with its line in the report if known. */
export function outOfDateList(findings: readonly FirstFinding[], page?: PageOf): string {
  const lines = findings.map((finding) => `1. ${findingLine(finding, page)}`);
  return upTo(maxFirstFindings, lines, (more) => `\nand ${more} more.`).join("\n");
}

export function findingLine({ markdown, place }: FirstFinding, page?: PageOf): string {
  return place ? `${placeLink(place, page)}: ${markdown}` : markdown;
}

/** The findings that an issue lists in place of its events, and of its sentences if there are several. */
function listedFindings({ trigger, firings, config, places, offer }: Question): readonly FirstFinding[] {
  const findings = trigger === builtIn.notFound ? firstFindings(firings, config, places).findings : [];
  return findings.length > 1 || offer?.sentences.length !== 1 ? findings : [];
}

function findingsParagraph(findings: readonly FirstFinding[], { firings, page }: Question): string {
  const lead = `**${outOfDateWords(findings.length)}**, seen ${day(firings[0]?.seen ?? 0)}. Should ${findings.length === 1 ? "it" : "they"} be corrected?`;
  return `${lead}\n\n${outOfDateList(findings, page)}`;
}

function sentenceParagraphs(question: Question, most: number): string[] {
  const { offer } = question;
  const sentences = offer?.sentences ?? [];
  if (sentences.length === 0) return [];
  const texts = sentences.map((one) => sentenceText(one, question));
  const asks =
    sentences.length === 1
      ? `**Is this sentence still right?** ${texts[0]}`
      : `**Are these ${sentences.length} sentences still right?**\n\n${upTo(most, texts)
          .map((text) => `- ${text}`)
          .join("\n")}`;
  return [asks, ...correctionLine(question, sentences)];
}

/**
 * How to correct the sentences whose new wording is certain, or why none is. Moved addresses are corrected with them, or,
 * without sentences, alone.
 */
function correctionLine(question: Question, sentences: readonly OfferedSentence[]): string[] {
  const { offer, commands } = question;
  const count = offer?.corrections.length ?? 0;
  if (count === 0 && sentences.length > 0) return [whyNoEdit(sentences)];
  const some = count === 1 ? "the sentence and its claim" : `${count} sentences and their claims`;
  const edits = [
    ...(count > 0 ? [`correct ${sentences.every(isCorrected) ? "the claim" : some}`] : []),
    ...(offer?.moves.length ? ["cite the new address"] : []),
  ].join(", and ");
  if (edits === "") return [];
  if (commands) return [boxLine("accept", `${asSentence(edits)} as below: \`/recheck accept\``)];
  return [`To ${edits}, edit ${editLinks(offer?.changes, question)}, or use the patch at the end with \`git apply\`.`];
}

/** A source may have a name in lower case, so it does not begin a sentence. */
function sentenceText(sentence: OfferedSentence, question: Question): string {
  const { claim, change, figure, firing, path, places, like = [] } = sentence;
  const { config, page } = question;
  const [first] = places;
  const others = new Set(places.map(({ line }) => line).filter((line) => line !== first?.line));
  const where = first && path !== undefined ? `${placeLink({ file: path, line: first.line }, page)}: ` : "";
  const twins = others.size > 0 ? ` (also in ${[...others].map((line) => `line ${line}`).join(", ")})` : "";
  const again = isCorrected(sentence) ? " (corrected in the report, but not in its claim)" : twins;
  const says = `“${words(withoutStop(claim.says), 160)}”${again}`;
  const alike = like.length > 0 ? ` Check ${like.map((line) => `line ${line}`).join(", ")}, too: the same figure.` : "";
  const since = `since ${day(firing.seen)}`;
  const source = citedSource(claim, config);
  const written = figure && change && figureAsWritten(claim, change);
  if (written) return `${where}${says}; ${source} has said **${figureText(written.now)}** ${since}.${alike}`;
  if (change === undefined || isMove(change) || change.isFileGone)
    return `${where}${says}. ${headline(firing, config).markdown} (${since}).`;
  return `${where}${says}; ${source} ${claimChangeWords(change).since} ${since}.`;
}

/** Whether only the claim still has the old figure. */
function isCorrected({ figure, path, places, says }: Omit<OfferedSentence, "claim" | "firing">): boolean {
  return figure !== undefined && path !== undefined && places.length === 0 && says === undefined;
}

function whyNoEdit(sentences: readonly OfferedSentence[]): string {
  const [says = "the new wording is not certain"] = sentences.flatMap((one) => one.says ?? []);
  return `No edit is offered, because ${says}: edit the report and its claims by hand.`;
}

function editLinks(changes: readonly FileChange[] = [], { page }: Question): string {
  return changes.map((change) => placeLink({ file: change.path, line: changedLine(change) }, page)).join(" and ");
}

function correctionDiff({ offer, commands }: Question): string[] {
  if (!offer || offer.corrections.length === 0) return [];
  const keys = new Set(offer.corrections.map(({ claim }) => claimKey(claim)));
  const edits = offer.sentences
    .filter(({ claim }) => keys.has(claimKey(claim)))
    .flatMap(({ places }) => places.slice(0, 1));
  const lines = edits
    .slice(0, most.diffs)
    .flatMap(({ text, after = text }) => [`- ${shorten(text)}`, `+ ${shorten(after)}`]);
  if (lines.length > 0) return [fence(lines, "diff")];
  // The report is corrected already. By hand, the patch at the end shows the same.
  const patch = commands ? shownPatch(offer.changes) : undefined;
  return patch === undefined ? [] : [patch];
}

function shorten(text: string): string {
  return cutLine(text, 240);
}

function ratingParagraphs(question: Question, askedRatings: readonly string[]): string[] {
  const { commands } = question;
  const isAnswered = question.answers?.some(({ rating }) => question.config.ratings.has(rating)) === true;
  if (askedRatings.length === 0 && isAnswered) return [];
  if (askedRatings.length === 0) return commands ? [boxLine("keep", "Keep the report as it is: `/recheck keep`")] : [];
  const ratings = levelNames(askedRatings, question.config);
  const asks =
    askedRatings.length === 1
      ? "**Is this rating still right?**"
      : `**Are these ${askedRatings.length} ratings still right?**`;
  if (!commands)
    return [`${asks} ${ratings}. Edit ${sourcesLink(question)} (level or \`reviewed:\`), and close this issue.`];
  const all =
    askedRatings.length === 1 ? "Keep it" : askedRatings.length === 2 ? "Keep both" : `Keep all ${askedRatings.length}`;
  const [example = ""] = askedRatings;
  const level = otherLevel(example, question.config) ?? "VALUE";
  const change = code(`/recheck change ${example} ${level} because …`);
  return [`${asks} ${ratings}`, boxLine("keep", `${all}: \`/recheck keep\`; else ${change}`)];
}

/** `Google TPU · Maturity **Medium**, Kernels **Low**`: the first part of an id once for ratings that share it. */
function levelNames(ids: readonly string[], config: Config): string {
  let row: string | undefined;
  const names = ids.map((id) => {
    const [first] = config.axes.length === 2 ? id.split("/") : [];
    const name =
      first !== undefined && first === row ? ratingName(id.slice(first.length + 1), config) : ratingName(id, config);
    row = first;
    return `${name} **${words(config.ratings.get(id)?.level ?? "", 80)}**`;
  });
  return firstOf(names, most.ratings);
}

/** `sources.yaml`, at the line of the first rating if the file is known. */
function sourcesLink({ kept = [], page, folder = "" }: Question): string {
  const path = kept[0]?.path ?? pathIn(folder, "sources.yaml");
  const address = page?.(path);
  const at = kept[0] ? `#L${changedLine(kept[0])}` : "";
  return address === undefined ? code(path) : ownLink(code(path), `${address}${at}`);
}

/** The heaviest event besides those about a sentence above or about the same edit of its page, and the number of others. */
function newsParagraph({ firings, offer, config, trigger }: Question): string[] {
  const above = new Set(offer?.sentences.map(({ claim }) => claimKey(claim)));
  const ofSentences = firings.filter(({ evidence }) => evidence.some(({ claim = "" }) => above.has(claim)));
  const edits = new Set(ofSentences.flatMap(({ evidence }) => evidence.map(editOfPage)));
  const others = firings.filter(
    (one) => !ofSentences.includes(one) && !one.evidence.every((piece) => edits.has(editOfPage(piece))),
  );
  const [first] = others;
  if (firings.length === 0) return ["Nothing is asked here any more: another issue asks about these events."];
  // The catch-up already gives the number.
  if (!first || trigger === builtIn.catchUp) return [];
  const more = others.length > 1 ? ` ${pluralize(others.length - 1, "more event")} below.` : "";
  const awaited = first.evidence.some(({ condition }) => condition?.awaited) ? ", which the report waits for" : "";
  const word = above.size > 0 ? "Also new" : "What changed";
  return [`${word}, ${day(first.seen)}: ${headline(first, config).markdown}${awaited}.${more}`];
}

/** Groups firings by page and check. Events that the report expects are separate. */
function editOfPage({ source, seen, condition }: Evidence): string {
  return JSON.stringify([source, seen, condition?.awaited === true]);
}

/** What happens without an answer, who should answer, and the previous recheck. */
function endParagraph(question: Question, askedRatings: readonly string[]): string {
  const { trigger, config, previous, snoozed, pending, offer } = question;
  const owners = [...new Set(askedRatings.flatMap((id) => config.ratings.get(id)?.owners ?? []))].slice(0, most.owners);
  const them = askedRatings.length === 1 ? "the rating stays" : `${pluralize(askedRatings.length, "rating")} stay`;
  const isWritten = pending?.pull !== undefined && pending.patch === undefined;
  const isAllAnswered = isWritten && askedRatings.length === 0 && !offer?.sentences.length;
  const until = snoozed === "next-event" ? "something new is seen" : snoozed === undefined ? undefined : day(snoozed);
  return [
    ...(until === undefined ? [] : [`*Snoozed until ${until}.*`]),
    ...(askedRatings.length > 0 ? [`Without an answer, ${them} in question.`] : []),
    isAllAnswered
      ? `Everything is answered: merge #${pending?.pull} to close this issue.`
      : trigger === builtIn.notFound
        ? "Closing this issue answers all of it."
        : "No change needed? Close this issue; it will not come back for the same evidence.",
    ...(owners.length > 0 ? [`Asked: ${codeList(owners, "and")}.`] : []),
    ...(previous ? [previousText(previous)] : []),
  ].join(" ");
}

export function previousText({ issue, closed, gone }: NonNullable<Question["previous"]>): string {
  const on = closed === undefined ? "" : ` on ${day(closed)}`;
  if (gone) return `Follows #${issue}, deleted or moved away${on}.`;
  return `Follows #${issue}${closed === undefined ? "" : `, closed${on}`}.`;
}
