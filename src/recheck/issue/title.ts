import type { Change } from "../../model/change.ts";
import { changePhrases, type Phrase } from "../../model/change-words.ts";
import type { Config, Trigger } from "../../model/config.ts";
import { type Evidence, type Firing, weightOf } from "../../model/firing.ts";
import { code, cut, fold, name, plain, words } from "../../model/markdown.ts";
import type { Item } from "../../model/reading.ts";
import { claimOf } from "../../model/rests.ts";
import { period } from "../../model/time.ts";
import { asSentence } from "../../model/words.ts";
import { readers } from "../../read/index.ts";
import { askedRatings, leadOf, refs, type Told } from "./question.ts";

/** Characters of the report's sentence by which a claim is named in a headline. */
const maxClaimCharacters = 160;
/** The same in a title. */
const maxClaimCharactersInTitle = 90;

/** Versions that one headline names, at most. */
const maxVersions = 6;

/** Whether a headline quotes all that a claim says. */
export function shownWhole(says: string): boolean {
  return says.length <= maxClaimCharacters;
}

/** Says what happened in plain words: as Markdown for the body, and as text for a title. */
export interface Headline {
  readonly markdown: string;
  readonly text: string;
  /**
   * The text with a capital at its start where it begins with our words or a sentence of config; names stay as they
   * are.
   */
  readonly sentence: string;
}

/** Says what a firing tells: `PyTorch 2.13.0 released`, `torch_tpu became public`, `TPU7x, ref 53: claim altered`. */
export function headline(firing: Told, config: Config): Headline {
  return headlineOf(firing, config, false);
}

/** The same without the source, which is named beside it: `Claim altered: “It runs on two boards”`. */
export function headlineBesideSource(firing: Told, config: Config): string {
  return headlineOf(firing, config, true).markdown;
}

function headlineOf(firing: Told, config: Config, isBeside: boolean): Headline {
  const lead = leadOf(firing);
  if (!lead) return said([{ source: firing.event.key }]);
  const means = lead.part === "claim" ? undefined : lead.condition?.means;
  const plainly = happening(firing, lead, config, isBeside);
  if (means === undefined) return said(plainly);
  const meant: Phrase = { config: means };
  const markdown = named(firing, lead) ? said([...plainly, ": ", meant]).markdown : said([meant]).markdown;
  return { ...said([...release(firing, config), meant]), markdown };
}

/** Whether the event has a name that its meaning does not include: a version, or an entry's title. */
function named({ event }: Firing, { change }: Evidence): boolean {
  return event.version !== undefined || "item" in change;
}

/** Names the release in front of its meaning. */
function release(firing: Told, config: Config): Phrase[] {
  const pieces = productVersion(firing, config);
  return pieces.length > 0 ? [...pieces, ": "] : [];
}

/** `PyTorch 2.13.0`; several told together are listed: `PyTorch 2.14.0, 2.13.1 and 2.13.0`, up to `maxVersions`. */
function productVersion({ event, releases = [] }: Told, config: Config): Phrase[] {
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

function happening(firing: Told, lead: Evidence, config: Config, isBeside: boolean): Phrase[] {
  const { change, condition } = lead;
  if (condition?.kind === "silence") {
    return [...called(lead.source, config), `: nothing new for ${period(condition.for)}`];
  }
  if (condition?.kind === "unreviewed") return [`not reviewed for ${period(condition.for)}`];
  const version = lead.part === "claim" ? [] : productVersion(firing, config);
  if (version.length > 0 && "item" in change) return [...version, released(change)];
  const isCited = change.kind === "claim" || change.kind === "link";
  return changePhrases(change, {
    subject: change.kind === "claim" && isBeside ? [] : isCited ? cited(lead, config) : called(lead.source, config),
    says: change.kind === "claim" ? claimOf(lead.claim ?? change.claim, config)?.says : undefined,
    became: change.kind === "fact" ? became(lead, change, config) : undefined,
    count: firing.evidence.filter((each) => each.source === lead.source && each.change.kind === "block").length,
  });
}

function released(change: Extract<Change, { item: Item }>): string {
  if (change.kind === "item-withdrawn") return " withdrawn";
  return change.kind === "item-added" && change.item.pre ? " released as a pre-release" : " released";
}

/** The words of a kind of source for what a fact became. */
function became(lead: Evidence, change: Extract<Change, { kind: "fact" }>, config: Config): Phrase[] | undefined {
  const { kind = "" } = config.sources.get(lead.source) ?? {};
  const known = readers.get(kind)?.says?.[`${change.name} ${change.after ?? ""}`];
  if (known) return [` ${known}`];
  if (kind !== "report" || !change.name.endsWith(" freshness") || !change.after) return undefined;
  return [": ", { config: change.name.replace(/ freshness$/, "") }, " is ", { version: change.after }];
}

/** The name of a source: its title in config, else `owner/name` and the like; the id where the address is a URL. */
function called(id: string, config: Config): Phrase[] {
  const { title, address = id } = config.sources.get(id) ?? {};
  if (title) return [{ config: title }];
  return [{ code: /^https?:/.test(address) ? id : address }];
}

/** The source with the reference numbers that cite it. */
function cited(lead: Evidence, config: Config): Phrase[] {
  const claim = claimOf(lead.claim, config);
  const numbers = claim?.cites.length ? claim.cites : (config.sources.get(lead.source)?.cites ?? []);
  return numbers.length > 0 ? [...called(lead.source, config), `, ${refs(numbers)}`] : called(lead.source, config);
}

/** Tells "the tracker has closed", a sentence to capitalise, from "torchax has closed", which begins with a name. */
const article = /^(?:the|an?|no) /;

function said(pieces: readonly Phrase[]): Headline {
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
  if ("version" in piece) return words(plain(piece.version, 40));
  return name(piece.source);
}

function inText(piece: Phrase): string {
  if (typeof piece === "string") return piece;
  if ("source" in piece) return plain(piece.source);
  if ("says" in piece) return title(piece.says, maxClaimCharactersInTitle);
  if ("version" in piece) return plain(piece.version, 40);
  return title("config" in piece ? piece.config : piece.code, 120);
}

/** Cleans words of config for a title, in which GitHub renders only code spans and references. */
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

const contrary: Label = {
  name: "contrary",
  color: "d73a4a",
  description: "Something says otherwise than the report, or was awaited",
};

/**
 * Labels for values of the first axis, at most: a trigger that asks about more gets none, as they would not help to
 * find it.
 */
const maxValueLabels = 20;

/** The labels of a recheck: what it is, whom it concerns, and how it was declared. */
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
    { name: "recheck", color: "0e8a16", description: "A source has moved under a rating" },
    ...values.map((value) => label(axis ?? "", value, "1d76db", "Ratings that are asked about")),
    ...(trigger.volatility ? [label("volatility", trigger.volatility, "fbca04", "How fast this goes stale")] : []),
    ...(trigger.confidence ? [label("confidence", trigger.confidence, "c5def5", "As the report has it")] : []),
    ...(weightOf(firings) === "contrary" ? [contrary] : []),
  ];
}

/** Cuts the name to GitHub's 50 characters, and drops commas, which would split it in a filter. */
function label(kind: string, value: string, color: string, description: string): Label {
  const name = fold(`${kind}: ${value.toLowerCase()}`)
    .replace(/[,`@#]/g, " ")
    .replace(/ +/g, " ");
  return { name: cut(name, 50), color, description };
}

/** GitHub's limit for the assignees of an issue. */
const maxAssignees = 10;

const login = /^[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}$/;

/** Logins of those who own a rating that is asked about; a team or a name with spaces cannot be assigned. */
export function assigneesOf(firings: readonly Firing[], config: Config): string[] {
  const owners = askedRatings(firings, config).flatMap((id) => config.ratings.get(id)?.owners ?? []);
  const logins = owners.map((owner) => owner.replace(/^@/, "")).filter((owner) => login.test(owner));
  return [...new Set(logins)].slice(0, maxAssignees);
}
