import { needsDuration, probableSpelling } from "../../config/spellings.ts";
import { date, duration } from "../../config/words.ts";
import { nearestWord } from "../../language/nearest.ts";
import type { Config } from "../../model/config.ts";
import { code, cut, fold } from "../../model/markdown.ts";
import type { IssueComment } from "../../model/ports/index.ts";
import { aDay, anHour, type Duration, day, type Instant } from "../../model/time.ts";
import { pluralize } from "../../model/words.ts";
import { withoutFences } from "../../report/edit/tables.ts";
import { codeList, levelBefore, levelOf, otherLevel, ratingAt, spellingsOf } from "./names.ts";

/** A request in the first line of a comment. */
export type Command =
  /** Without ratings: all that have no answer yet. */
  | { readonly kind: "keep"; readonly ratings: readonly string[]; readonly because?: string }
  | { readonly kind: "change"; readonly rating: string; readonly level: string; readonly because: string }
  /** Correct the sentences as suggested. */
  | { readonly kind: "accept"; readonly because?: string }
  | { readonly kind: "dismiss"; readonly because: string }
  | { readonly kind: "snooze"; readonly until: Instant | "next-event" }
  | { readonly kind: "check" }
  | { readonly kind: "help" };

/** `note` and `says` are Markdown in which the comment's own words are escaped. */
export type ParsedCommand = { readonly command: Command; readonly note?: string } | { readonly says: string };

type Comment = Pick<IssueComment, "body" | "bot">;

export interface CommandContext {
  readonly config: Config;
  /** Ids of the ratings that the recheck asks about. */
  readonly asked: readonly string[];
  readonly at: Instant;
}

const verbs = ["accept", "keep", "change", "dismiss", "snooze", "check", "help"] as const;
const maxReasonCharacters = 1_000;

/** Parses a comment; undefined if it is no command and needs no reply. Pure; never throws. */
export function parseComment(comment: Comment, asking: CommandContext): ParsedCommand | undefined {
  const line = comment.bot ? undefined : commandLine(comment.body);
  if (!line) return undefined;
  const parsed = parseWords(line.words, asking);
  if (!line.more || "says" in parsed) return parsed;
  return { ...parsed, note: "Only the first line of a comment is read: write each command in its own comment." };
}

function parseWords(words: string, asking: CommandContext): ParsedCommand {
  const text = fold(words);
  const [verb = ""] = text.split(" ", 1);
  const rest = text.slice(verb.length).trim();
  switch (verb.toLowerCase()) {
    case "accept": {
      const { before, because } = splitReason(rest);
      if (before !== "")
        return { says: "`/recheck accept` accepts every suggested correction: write nothing after it." };
      return { command: { kind: "accept", because } };
    }
    case "keep":
      return keep(rest, asking);
    case "change":
      return change(rest, asking);
    case "dismiss":
      return dismiss(rest);
    case "snooze":
      return snooze(rest, asking.at);
    case "check":
    case "help":
      return { command: { kind: verb.toLowerCase() === "check" ? "check" : "help" } };
    default:
      return { says: unknownVerb(verb) };
  }
}

function unknownVerb(verb: string): string {
  const known = `\`/recheck\` needs one of ${codeList(verbs, "or")}; \`/recheck help\` explains them.`;
  if (verb === "") return known;
  const meant = nearestWord(verb, verbs);
  return `${code(verb, 60)} is not a command${meant === undefined ? "." : `; did you mean ${code(meant)}?`} ${known}`;
}

function keep(given: string, { asked, config }: CommandContext): ParsedCommand {
  const { before, because } = splitReason(given);
  const named = spellingsOf(asked, config);
  const ratings = new Set<string>();
  for (let rest = skipSeparator(before); rest !== ""; ) {
    const rating = ratingAt(rest, named, config);
    if ("says" in rating) return { says: withReasonMeant(rating.says, before) };
    ratings.add(rating.found);
    rest = skipSeparator(rating.rest);
  }
  return { command: { kind: "keep", ratings: [...ratings], because } };
}

function skipSeparator(text: string): string {
  return text.replace(/^(?:[\s,;:.]|&(?=\s)|and\s|all(?: ratings)?(?=[\s,;.]|$))+/i, "");
}

/** Adds a hint if somebody seems to give a reason without the word `because`. */
function withReasonMeant(says: string, words: string): string {
  return words.split(/[\s,;]+/).length > 3 ? `${says} Put the reason after the word \`because\`.` : says;
}

function change(rest: string, asking: CommandContext): ParsedCommand {
  const { before, because } = splitReason(rest);
  const text = before.replace(/^[\s,:]+/, "");
  if (text === "" || asking.asked.length === 0) return { says: usage(asking) };
  const rating = ratingAt(text, spellingsOf(asking.asked, asking.config), asking.config);
  if ("says" in rating) return { says: `${rating.says} ${usage(asking)}` };
  const named = rating.rest.replace(/^(?:[\s,:]|[-–—](?=\s))+/, "");
  const level = newLevel(named, asking.config);
  if ("says" in level) return { says: `${tooMuch(named, asking) ?? level.says} ${usage(asking, rating.found)}` };
  const now = asking.config.ratings.get(rating.found)?.level;
  if (now === level.found) {
    const kept = code(`/recheck keep ${rating.found}`);
    return { says: `${code(rating.found)} is already ${code(now, 80)}; to keep it, write ${kept}.` };
  }
  if (because === undefined) return { says: `The reason is missing. ${usage(asking, rating.found, level.found)}` };
  return { command: { kind: "change", rating: rating.found, level: level.found, because } };
}

/** The error about words after a complete command: a reason without `because`, or a second rating. */
function tooMuch(text: string, { config }: CommandContext): string | undefined {
  const found = levelBefore(text.replace(arrow, ""), config);
  if (!found || found.rest === "") return undefined;
  const behind = code(found.rest.replace(/^[\s,:;]+/, ""), 60);
  return `Cannot read ${behind} after the level: put the reason after the word \`because\`, and each rating into its own comment.`;
}

const arrow = /^(?:to\s|→|->|=) ?/i;

function newLevel(text: string, config: Config): ReturnType<typeof levelOf> {
  const level = levelOf(text, config);
  const bare = text.replace(arrow, "");
  if (bare === text || ("found" in level && config.levels.length > 0)) return level;
  return levelOf(bare, config);
}

function usage({ asked, config }: CommandContext, rating = asked[0], level?: string): string {
  if (rating === undefined) return "No rating is affected here, so none can be changed.";
  const other = level ?? otherLevel(rating, config) ?? "VALUE";
  return `Write it as ${code(`/recheck change ${rating} ${other} because …`, 300)}, the reason on the same line.`;
}

function dismiss(rest: string): ParsedCommand {
  const { because } = splitReason(rest);
  if (because !== undefined) return { command: { kind: "dismiss", because } };
  return { says: "The reason is missing: write it as `/recheck dismiss because …`, on the same line." };
}

/** Splits a command from its reason. Three dots copied from the help are not a reason. */
function splitReason(text: string): { before: string; because?: string } {
  const at = /(?:^|\s)because(?=[\s:,–—-]|$)/i.exec(text);
  if (!at) return { before: text };
  const reason = cut(text.slice(at.index + at[0].length).replace(/^[\s:,–—-]+/, ""), maxReasonCharacters);
  return { before: text.slice(0, at.index).trim(), ...(/[\p{L}\p{N}]/u.test(reason) && { because: reason }) };
}

/** GitHub's limit for a comment. */
const maxCommentCharacters = 65_536;
const maxCommandCharacters = 4_000;

export interface CommandLine {
  readonly words: string;
  /** Whether more lines begin with `/recheck`. */
  readonly more: boolean;
}

/**
 * The first line of a comment, if it is a command. Quoted lines and their lazy continuations are skipped; a line
 * indented by four spaces is code. Pure, linear.
 */
export function commandLine(body: string): CommandLine | undefined {
  const lines = body.slice(0, maxCommentCharacters).split(/\r\n|\r|\n/);
  const ownLines = withoutQuotes(lines);
  const first = ownLines.findIndex((line) => line.trim() !== "");
  const words = commandIn(ownLines[first] ?? "");
  if (words === undefined) return undefined;
  return {
    words: words.slice(0, maxCommandCharacters),
    more: withoutFences(ownLines.slice(first + 1).join("\n"))
      .split("\n")
      .some((line) => commandIn(line) !== undefined),
  };
}

/** The words after `/recheck`, if a line begins with it. */
function commandIn(line: string): string | undefined {
  const start = line.search(/\S/);
  if (start < 0 || start > 3 || line.slice(0, start).includes("\t")) return undefined;
  const rest = line.slice(start);
  if (!/^\/recheck(?:[\s:]|$)/i.test(rest)) return undefined;
  return rest.slice("/recheck".length).replace(/^:/, "").trim();
}

/**
 * The lines without block quotes: a line right below a quote continues it (https://spec.commonmark.org/0.31.2/#block-quotes).
 */
function withoutQuotes(lines: readonly string[]): string[] {
  let quoted = false;
  return lines.filter((line) => {
    if (/^ {0,3}>/.test(line)) quoted = true;
    else if (line.trim() === "") quoted = false;
    return !quoted;
  });
}

const snoozeNeeds = "`/recheck snooze` needs a date, a length of time or `until-next-event`, such as";

/** A person who writes `3m` probably means months. */
const shortestSnooze: Duration = anHour;
/** After a longer time, nobody remembers the question. */
const longestSnooze: Duration = 2 * 365 * aDay;

/** `2026-12-24`, `14d`, `until-next-event`; a date is its first instant, UTC. */
function snooze(text: string, at: Instant): ParsedCommand {
  const written = text
    .toLowerCase()
    .replaceAll("`", "")
    .replace(/[‐-―−]/g, "-")
    .trim();
  const example = `${snoozeNeeds} ${code(`/recheck snooze ${day(at + 14 * aDay)}`)} or \`/recheck snooze 14d\`.`;
  if (written === "") return { says: example };
  if (/^(?:until[ -])?(?:the[ -])?next[ -]event$/.test(written)) {
    return { command: { kind: "snooze", until: "next-event" } };
  }
  const word = written
    .replace(/^(?:until|for) /, "")
    .replace(/\.$/, "")
    .trim();
  const length = duration.safeParse(word);
  if (length.success) return withinReach(word, at + length.data, at, example);
  const named = date.safeParse(word);
  if (named.success) {
    if (named.data > at) return withinReach(word, named.data, at, example);
    return { says: `${code(word)} is not in the future; today is ${day(at)}. ${example}` };
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return { says: `There is no day ${code(word)}. ${example}` };
  const meant = probableSpelling(needsDuration, word);
  const hint = meant === undefined ? "" : `; did you mean ${code(meant)}?`;
  return { says: `${code(word, 60)} is neither a date nor a length of time${hint || "."} ${example}` };
}

function withinReach(word: string, until: Instant, at: Instant, example: string): ParsedCommand {
  if (until - at > longestSnooze) {
    const last = code(day(at + longestSnooze));
    return { says: `${code(word)} is more than two years away: the last possible day is ${last}. ${example}` };
  }
  const minutes = /^(\d+)m$/.exec(word)?.[1];
  if (minutes === undefined || until - at >= shortestSnooze) return { command: { kind: "snooze", until } };
  const months = Number(minutes) * 30;
  const hint = at + months * aDay <= at + longestSnooze ? `; for months, write ${code(`${months}d`)}` : "";
  return {
    says: `${code(word)} means ${pluralize(Number(minutes), "minute")}, and the shortest snooze is an hour${hint}. ${example}`,
  };
}
