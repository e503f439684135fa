import { isCorrectedSince, movedFigure, replacedFigure } from "../../claims/find/figures.ts";
import { type Change, type ClaimChange, isMove } from "../../model/change.ts";
import { changePhrases, type Phrase } from "../../model/change-words.ts";
import type { Claim } from "../../model/claim.ts";
import type { Config, Trigger } from "../../model/config.ts";
import { claimOf } from "../../model/dependencies.ts";
import { outOfDateWords } from "../../model/finding.ts";
import { builtIn, type Evidence, type Firing, weightOf } from "../../model/firing.ts";
import { code, cut, fold, name, plainName, words } from "../../model/markdown.ts";
import type { Item } from "../../model/reading.ts";
import { day, period } from "../../model/time.ts";
import { asSentence, pluralize, withNumbers } from "../../model/words.ts";
import { readers } from "../../read/index.ts";
import { sourceStateOfFact } from "../../read/source-states.ts";
import { figureIn } from "../../report/edit/edit-sentence.ts";
import { firstFinding } from "../first-check.ts";
import { askedRatings, type FiringGroup, leadOf } from "./question.ts";

/** Most characters of the report's sentence in a headline about a claim. */
const maxClaimCharacters = 160;
const maxClaimCharactersInTitle = 90;

/** Most versions in one headline. */
const maxVersions = 6;

/** An event in plain words: as Markdown for the body, and as text for a title. */
export interface Headline {
  readonly markdown: string;
  readonly text: string;
  /** The text with a capital at its start, unless it begins with a name: the beginning of a sentence. */
  readonly sentence: string;
}

/** The headline of a firing: `PyTorch 2.13.0 released`, `TPU7x [53] no longer supports “It needs GKE”`. */
export function headline(firing: FiringGroup, config: Config): Headline {
  const finding = firstFinding(firing, config);
  if (finding) {
    const text = title(`${finding.name} ${finding.says}`, 200);
    return { markdown: finding.markdown, text, sentence: text };
  }
  const lead = leadOf(firing);
  if (!lead) return headlineFrom([{ source: firing.event.key }]);
  const means = lead.part === "claim" ? undefined : lead.condition?.means;
  const plainly = changePhrasesOf(firing, lead, config);
  if (means === undefined) return headlineFrom(plainly);
  const meant: Phrase = { config: means };
  // The event may have a name that its meaning lacks: a version, or an entry's title.
  const hasName = firing.event.version !== undefined || "item" in lead.change;
  const { markdown } = headlineFrom(hasName ? [...plainly, ": ", meant] : [meant]);
  const release = productVersion(firing, config);
  return { ...headlineFrom(release.length > 0 ? [...release, ": ", meant] : [meant]), markdown };
}

/** `PyTorch 2.13.0`; a group of releases is listed: `PyTorch 2.14.0, 2.13.1 and 2.13.0`, up to `maxVersions`. */
function productVersion({ event, releases = [] }: FiringGroup, config: Config): Phrase[] {
  const product = event.product === undefined ? undefined : config.products.get(event.product);
  if (!product || event.version === undefined) return [];
  const [, ...others] = releases.map((firing) => firing.event.version ?? "");
  const shown = others.slice(0, maxVersions - 1);
  const more = others.length - shown.length;
  const last = more > 0 ? undefined : shown.pop();
  return [
    ...[{ config: product.name }, " ", { version: event.version }],
    ...shown.flatMap((version): Phrase[] => [", ", { version }]),
    ...(last === undefined ? [] : [" and ", { version: last }]),
    ...(more > 0 ? [` and ${more} more`] : []),
  ];
}

function changePhrasesOf(firing: FiringGroup, lead: Evidence, config: Config): Phrase[] {
  const { change, condition } = lead;
  if (condition?.kind === "silence") {
    return [...citedPhrases(lead.source, undefined, config), `: nothing new for ${period(condition.for)}`];
  }
  if (condition?.kind === "unreviewed") return [`not reviewed for ${period(condition.for)}`];
  const version = lead.part === "claim" ? [] : productVersion(firing, config);
  if (version.length > 0 && "item" in change) return [...version, releaseVerb(change)];
  const claim = change.kind === "claim" ? claimOf(lead.claim ?? change.claim, config) : undefined;
  const count = firing.evidence.filter((each) => each.source === lead.source && each.change.kind === "block").length;
  const isOneBlock = change.kind === "block" && change.before && change.after && count === 1;
  return changePhrases(change, {
    subject: citedPhrases(lead.source, claim ?? claimOf(lead.claim, config), config),
    says: claim?.says,
    ...(change.kind === "claim" &&
      claim && { figure: figureAsWritten(claim, change), isCorrected: isCorrectedSince(claim, change) }),
    ...(isOneBlock && { figure: replacedFigure(change.before.text, change.after.text) }),
    became: change.kind === "fact" ? factVerb(lead, change, config) : undefined,
    count,
  });
}

function releaseVerb(change: Extract<Change, { item: Item }>): string {
  if (change.kind === "item-withdrawn") return " withdrawn";
  return change.kind === "item-added" && change.item.pre ? " released as a pre-release" : " released";
}

/** The words of a kind of source for the new value of a fact. */
function factVerb(lead: Evidence, change: Extract<Change, { kind: "fact" }>, config: Config): Phrase[] | undefined {
  const { kind = "", address = "" } = config.sources.get(lead.source) ?? {};
  const { name, first, before, after } = change;
  if (typeof first === "object") return [` ${first.says}`];
  const reader = readers.get(kind);
  const stateOf = (value: string | undefined) =>
    value === undefined ? undefined : sourceStateOfFact(reader, address, { fact: name, value, at: lead.seen })?.says;
  const verb = first === undefined ? reader?.says?.[`${name} ${after ?? ""}`] : undefined;
  const newState = stateOf(before) === stateOf(after) ? undefined : stateOf(after);
  const says = verb ?? newState;
  if (says) return [` ${says}`];
  if (kind !== "report" || !name.endsWith(" freshness") || !after) return undefined;
  return [": ", { config: name.replace(/ freshness$/, "") }, " is ", { version: after }];
}

/**
 * A source with the reference numbers that cite it, those of the claim if it has some. Its name is its title in config, else
 * its address (`owner/name`), or its id if the address is a URL.
 */
function citedPhrases(source: string, claim: Claim | undefined, config: Config): Phrase[] {
  const watched = config.sources.get(source);
  if (!watched) return [{ code: source }, " (no longer watched)"];
  const { title, address, cites } = watched;
  const name: Phrase = title ? { config: title } : { code: /^https?:/.test(address) ? source : address };
  return [name, withNumbers("", claim?.cites.length ? claim.cites : cites)];
}

/** The figure that a source has replaced, as the report writes it; undefined if that is not certain. */
export function figureAsWritten(claim: Claim, change: ClaimChange): ReturnType<typeof movedFigure> {
  const figure = isMove(change) ? undefined : movedFigure(claim, change);
  return figure && (figureIn(claim.says, figure) ?? figure);
}

/** The source of a claim, in Markdown: `Tensor 7 documentation [53]`. */
export function citedSource(claim: Claim, config: Config): string {
  return headlineFrom(citedPhrases(claim.source, claim, config)).markdown;
}

/** A figure as a source writes it, in Markdown: nothing but its number, signs and unit. */
export function figureText(figure: string): string {
  return words(plainFigure(figure));
}

function plainFigure(figure: string): string {
  return cut(fold(figure).replace(/[^\p{L}\p{N}\p{Sc} .,+%°/×-]+/gu, " "), 40);
}

/** "the tracker has closed" gets a capital; "torchax has closed" begins with a name and does not. */
const article = /^(?:the|an?|no) /;

function headlineFrom(pieces: readonly Phrase[]): Headline {
  const [first] = pieces;
  const markdown = pieces.map(inMarkdown).join("");
  const text = pieces.map(inText).join("");
  const begins = typeof first === "string" || article.test(markdown);
  const begun = (words: string) => (begins ? asSentence(words) : words);
  return { markdown: begun(markdown), text, sentence: begun(text) };
}

function inMarkdown(piece: Phrase): string {
  if (typeof piece === "string") return piece;
  if ("config" in piece) return words(piece.config, 120);
  if ("says" in piece) return words(piece.says, maxClaimCharacters);
  if ("code" in piece) return code(piece.code, 120);
  if ("version" in piece) return words(plainName(piece.version, 40));
  if ("figure" in piece) return figureText(piece.figure);
  return name(piece.source);
}

function inText(piece: Phrase): string {
  if (typeof piece === "string") return piece;
  if ("source" in piece) return plainName(piece.source);
  if ("figure" in piece) return plainFigure(piece.figure);
  if ("says" in piece) return title(piece.says, maxClaimCharactersInTitle);
  if ("version" in piece) return plainName(piece.version, 40);
  return title("config" in piece ? piece.config : piece.code, 120);
}

/** The title of an open issue: what is no longer true, or a question about the heaviest event if it concerns ratings. */
export function issueTitle({ id, name }: Trigger, firings: readonly FiringGroup[], config: Config): string {
  const [heaviest] = firings;
  if (!heaviest) return title(name, 200);
  if (id === builtIn.catchUp) {
    const count = firings.reduce((sum, { releases = [1] }) => sum + releases.length, 0);
    return `${name}: ${pluralize(count, "event")} since the audit of ${day(config.report.audited)}`;
  }
  const { sentence } = headline(heaviest, config);
  if (id === builtIn.notFound) {
    const { length } = firings.filter((firing) => firstFinding(firing, config));
    return length > 1 ? `${outOfDateWords(length)}: ${sentence}` : sentence;
  }
  if (leadOf(heaviest)?.part === "claim" || askedRatings(firings, config).length === 0) return sentence;
  return `${cut(sentence, 140)}; is “${title(name, 50)}” still right?`;
}

/** Cleans words of config for a title: GitHub renders code spans and references there. */
export function title(text: string, most: number): string {
  return cut(
    fold(text)
      .replace(/[`@#<>]/g, " ")
      .replace(/ +/g, " ")
      .trim(),
    most,
  );
}

export interface Label {
  readonly name: string;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
}

export const recheckLabel: Label = {
  name: "recheck",
  color: "0e8a16",
  description: "A source of the report has changed",
};

const contrary: Label = {
  name: "contrary",
  color: "d73a4a",
  description: "Against the report, or the report waits for it",
};

/** Most labels for values of the first axis: more would not help to find the issue. */
const maxValueLabels = 20;

/** The labels of a recheck: `recheck`, its rows, its declared volatility and confidence, and `contrary`. */
export function labelsOf(
  trigger: Trigger,
  asked: readonly string[],
  firings: readonly Firing[],
  config: Config,
): Label[] {
  const [axis] = config.axes;
  const ratings = trigger.ratings.length > 0 ? trigger.ratings : asked;
  const values =
    axis === undefined ? [] : [...new Set(ratings.map((id) => id.split("/")[0] ?? id))].slice(0, maxValueLabels);
  return [
    recheckLabel,
    ...values.map((value) => label(axis ?? "", value, "1d76db", "Asks about these ratings")),
    ...(trigger.volatility ? [label("volatility", trigger.volatility, "fbca04", "How fast this goes stale")] : []),
    ...(trigger.confidence ? [label("confidence", trigger.confidence, "c5def5", "How sure the report is")] : []),
    ...(weightOf(firings) === "contrary" ? [contrary] : []),
  ];
}

/** A label with its name cut to GitHub's 50 characters, and without commas, which would split it in a filter. */
function label(kind: string, value: string, color: string, description: string): Label {
  const name = fold(`${kind}: ${value.toLowerCase()}`)
    .replace(/[,`@#]/g, " ")
    .replace(/ +/g, " ");
  return { name: cut(name, 50), color, description };
}

const maxAssignees = 10;

const login = /^[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}$/;

/** Logins of the owners of the ratings in question; a team or a name with spaces cannot be assigned. */
export function assigneesOf(firings: readonly Firing[], config: Config): string[] {
  const owners = askedRatings(firings, config).flatMap((id) => config.ratings.get(id)?.owners ?? []);
  const logins = owners.map((owner) => owner.replace(/^@/, "")).filter((owner) => login.test(owner));
  return [...new Set(logins)].slice(0, maxAssignees);
}
