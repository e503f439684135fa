import { generateAtomFeed } from "feedsmith";
import { digest, version } from "../../model/digest.ts";
import type { Config, Instant, Source } from "../../model/model.ts";
import {
  isOver,
  type LookRecord,
  type StoredAnswer,
  type StoredFiring,
  type StoredRecheck,
} from "../../model/ports/index.ts";
import { day, isoTime } from "../../model/time.ts";
import { some, triggerName, verdictCounts } from "../../model/words.ts";
import { headline } from "../../recheck/issue/headline.ts";
import { askedRatings, inOrder } from "../../recheck/issue/question.ts";
import type { SourceStory } from "../explain/source.ts";
import { blindAfter, coveredBy, supports } from "../freshness.ts";
import { type Edition, once, type Sheets } from "./edition.ts";
import { nameOf } from "./json.ts";
import { issueAddress, line, slugOf, webAddress } from "./plain.ts";

/** https://www.rfc-editor.org/rfc/rfc4287 */

/** Entries of one feed, the newest. */
const most = 50;

/** The report's feed and one for each rating. */
export function feeds(edition: Edition): Sheets {
  const all = once(() =>
    [...recheckEntries(edition), ...sightEntries(edition)].sort(
      (a, b) => b.updated - a.updated || (a.key < b.key ? -1 : 1),
    ),
  );
  const { title, url } = edition.config.report;
  const whole = { key: "feed", file: "feed.xml", title: `${title}: evidence`, about: webAddress(url) };
  return new Map([
    ["feed.xml", () => feed(whole, all(), edition)],
    ...[...edition.config.ratings.keys()].map((id): [string, () => string] => {
      const slug = slugOf(id);
      const its = () => all().filter(({ ratings }) => ratings.has(id));
      const name = `${nameOf(id, edition.config)}: evidence, ${title}`;
      const one = { key: `rating/${slug}`, file: `${slug}.xml`, title: name, about: `${slug}.html` };
      return [`ratings/${slug}.xml`, () => feed(one, its(), edition)];
    }),
  ]);
}

interface Head {
  readonly key: string;
  /** Its name within its folder. */
  readonly file: string;
  readonly title: string;
  /** The page that it is about. */
  readonly about: string | undefined;
}

function feed({ key, file, title, about }: Head, entries: readonly Entry[], edition: Edition): string {
  const shown = entries.slice(0, most);
  const { audited } = edition.config.report;
  return generateAtomFeed({
    id: tag(key, edition),
    title: { value: words(title, 300), type: "text" },
    subtitle: { value: asOf(edition), type: "text" },
    // It changes when an entry does, and not because time has passed.
    updated: isoTime(shown.reduce((latest, { updated }) => Math.max(latest, updated), audited)),
    authors: [{ name: "Recheck" }],
    generator: { text: "Recheck", version },
    links: [{ href: file, rel: "self", type: "application/atom+xml" }, ...(about ? [{ href: about }] : [])],
    entries: shown.map((entry) => ({
      id: tag(entry.key, edition),
      title: { value: words(entry.title, 200), type: "text" },
      published: isoTime(entry.published),
      updated: isoTime(entry.updated),
      categories: [{ term: entry.kind.replace(" ", "-"), label: entry.kind }],
      links: entry.link ? [{ href: entry.link, rel: "alternate" }] : [],
      content: { value: html(entry), type: "html" },
    })),
  });
}

/** A file cannot know that time has passed: what it tells was true then. */
function asOf({ status: { lastLook }, staleAfter }: Edition): string {
  if (lastLook === undefined) return "Nobody has looked at any source yet.";
  return `As of ${day(lastLook)}, when sources were last looked at. After ${day(staleAfter)} take the monitor for stopped.`;
}

/** Nothing of ours is alive in it but paragraphs and lists. */
function html({ says, list }: Entry): string {
  const items = list.map((one) => `<li>${escaped(words(one, 300))}</li>`).join("");
  return `<p>${escaped(words(says, 1_000))}</p>${items === "" ? "" : `<ul>${items}</ul>`}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A title must not be empty. */
function words(text: string, most: number): string {
  return line(text, most) || "without a name";
}

/** Two reports may stand on one host, and one report in two places. https://www.rfc-editor.org/rfc/rfc4151 */
function tag(key: string, { config, repository }: Edition): string {
  const { url, title } = config.report;
  const authority = [url, repository].map((one) => URL.parse(one ?? "")?.hostname).find(isName) ?? "recheck.invalid";
  const specific = key.replace(/[^A-Za-z0-9\-._~/:]/g, (character) => encodeURIComponent(character));
  return `tag:${authority},2026:recheck/${digest(url ?? repository ?? title)}/${specific}`;
}

function isName(host: string | undefined): boolean {
  return host !== undefined && /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.[a-z][a-z0-9-]*$/.test(host);
}

/** What a recheck was opened for, and how it was answered: an entry each. */
function recheckEntries(edition: Edition): Entry[] {
  const firings = Map.groupBy(edition.firings, ({ recheck }) => recheck);
  const answers = Map.groupBy(edition.answers, ({ recheck }) => recheck);
  return edition.rechecks.flatMap((recheck) => {
    const fed = firings.get(recheck.id) ?? [];
    const settled = newest(answers.get(recheck.id) ?? []);
    return [opened(recheck, fed, edition), ...answered(recheck, fed, settled, edition)];
  });
}

/** Firings that one entry tells of. */
const mostFirings = 20;

function opened(recheck: StoredRecheck, firings: readonly StoredFiring[], { config, repository }: Edition): Entry {
  const ordered = inOrder(firings);
  const [strongest] = ordered;
  const asked = askedRatings(firings, config);
  const joined = firings.map(({ joined }) => joined ?? recheck.opened);
  const what = strongest ? `: ${headline(strongest, config).text}` : "";
  const more = ordered.length - mostFirings;
  return {
    key: `opened/${digest(recheck.marker)}`,
    kind: "opened",
    title: `${triggerName(recheck.trigger, config)}${what}`,
    published: recheck.opened,
    updated: joined.reduce((latest, at) => Math.max(latest, at), recheck.opened),
    link: issueAddress(recheck.issue, repository),
    says: asked.length > 0 ? `It asks about ${inWords(asked, config)}. What was seen:` : "What was seen:",
    list: [
      ...ordered
        .slice(0, mostFirings)
        .map((firing) => `${headline(firing, config).text} (${firing.weight}, seen ${day(firing.seen)})`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    ratings: new Set(asked),
  };
}

function answered(
  recheck: StoredRecheck,
  firings: readonly StoredFiring[],
  settled: readonly StoredAnswer[],
  { config, repository }: Edition,
): Entry[] {
  const end = isOver(recheck) ? recheck : undefined;
  const moments = [...settled.flatMap(({ settled }) => settled ?? []), ...(end ? [end.closed] : [])];
  const [first] = moments;
  if (first === undefined) return [];
  const asked = askedRatings(firings, config);
  return [
    {
      key: `answered/${digest(recheck.marker)}`,
      kind: "answered",
      title: `${triggerName(recheck.trigger, config)}: ${verdictOf(settled, end?.verdict?.kind === "dismiss")}`,
      published: moments.reduce((earliest, at) => Math.min(earliest, at), first),
      updated: moments.reduce((latest, at) => Math.max(latest, at), first),
      link: issueAddress(recheck.issue, repository),
      says: end ? "The recheck is closed." : "The recheck is still open for other ratings.",
      list: settled.map(
        ({ rating, verdict, level }) =>
          `${nameOf(rating, config)}: ${verdict === "keep" || level === undefined ? "kept" : `changed to ${level}`}`,
      ),
      ratings: new Set([...asked, ...settled.map(({ rating }) => rating)]),
    },
  ];
}

/** `1 changed, 3 kept`, `dismissed`, or closed without a word. */
function verdictOf(settled: readonly StoredAnswer[], dismissed: boolean): string {
  if (dismissed) return "dismissed, no rating changes";
  return verdictCounts(settled) || "closed, no rating was reviewed";
}

/** The newest settled answer about each rating. */
function newest(answers: readonly StoredAnswer[]): StoredAnswer[] {
  const settled = answers.filter((answer) => answer.settled !== undefined).toSorted((a, b) => a.at - b.at);
  return [...new Map(settled.map((answer) => [answer.rating, answer])).values()];
}

const mostNames = 12;

function inWords(ratings: readonly string[], config: Config): string {
  return some(
    ratings.map((id) => nameOf(id, config)),
    mostNames,
  );
}

/** A time in which a source could not be seen for so long that it was blind. */
interface Spell {
  readonly story: SourceStory;
  readonly blindFrom: Instant;
  readonly says: string;
  /** When it was seen again. */
  readonly until?: Instant;
}

/** Sources that turned blind, and that are seen again: those of one host on one day together. */
function sightEntries(edition: Edition): Entry[] {
  const all = edition.sources.flatMap((story) => spellsOf(story, edition));
  const spells = uncovered(all, edition);
  const lost = groups(spells, edition, ({ blindFrom }) => blindFrom);
  const back = groups(
    spells.filter(({ until }) => until !== undefined),
    edition,
    ({ until }) => until ?? 0,
  );
  return [...lost.map((group) => blind(group, edition)), ...back.map((group) => seenAgain(group, edition))];
}

/** The times in which no other source announced the same either: what rests on a covered source is not blind. */
function uncovered(all: readonly Spell[], edition: Edition): Spell[] {
  const { config, watches } = edition;
  const byOf = Map.groupBy(all, ({ story }) => story.source.id);
  const isSeenAt = (source: Source, at: Instant) => {
    const watch = watches.get(source.id);
    const wasSeen = watch?.firstSeen !== undefined && watch.firstSeen <= at;
    const isIn = ({ blindFrom, until = Infinity }: Spell) => blindFrom <= at && at < until;
    return wasSeen && supports(source, config, watch, at) && byOf.get(source.id)?.some(isIn) !== true;
  };
  return all.flatMap((spell) => {
    const { story, blindFrom, until = edition.at + 1 } = spell;
    // It may be covered at first, and blind from the moment at which another one turns blind.
    const others = coveredBy(story.source, config, () => true).flatMap((id) => byOf.get(id) ?? []);
    const moments = others.map((other) => other.blindFrom).filter((at) => blindFrom < at && at < until);
    const from = [blindFrom, ...moments.sort((a, b) => a - b)].find(
      (at) => coveredBy(story.source, config, (other) => isSeenAt(other, at)).length === 0,
    );
    return from === undefined ? [] : [{ ...spell, blindFrom: from }];
  });
}

function spellsOf(story: SourceStory, { looks, watches, at }: Edition): Spell[] {
  const watch = watches.get(story.source.id);
  if (watch?.firstSeen === undefined) return [];
  const found: Spell[] = [];
  let failing: LookRecord["failure"];
  const end = (until?: Instant) => {
    if (failing && failing.since + blindAfter <= (until ?? at)) {
      const { says, since } = failing;
      found.push({ story, blindFrom: since + blindAfter, says, ...(until !== undefined && { until }) });
    }
    failing = undefined;
  };
  for (const look of (looks.get(story.source.id) ?? []).toReversed()) {
    if (look.outcome === "unknown") failing = look.failure ?? failing;
    else end(look.at);
  }
  // What is remembered of the source knows of looks that were not recorded.
  failing = watch.trouble;
  end();
  return found;
}

interface Group {
  readonly host: string;
  readonly day: string;
  readonly spells: readonly Spell[];
  readonly moments: readonly Instant[];
}

function groups(spells: readonly Spell[], edition: Edition, momentOf: (spell: Spell) => Instant): Group[] {
  const found = Map.groupBy(spells, (spell) => `${hostOf(spell, edition)} ${day(momentOf(spell))}`);
  return [...found].map(([key, its]) => {
    const [host = "", day = ""] = key.split(" ");
    return { host, day, spells: its, moments: its.map(momentOf) };
  });
}

function hostOf({ story: { source } }: Spell, { link }: Edition): string {
  return URL.parse(link(source) ?? "")?.host || source.kind;
}

function blind(group: Group, edition: Edition): Entry {
  const one = group.spells.length === 1;
  return {
    ...entryOf("blind", group, edition),
    title: `${subject(group)} ${one ? "is" : "are"} blind`,
    says: `${one ? "It was" : "They were"} not seen for 7 days: what rests on ${one ? "it" : "them"} is blind.`,
    list: group.spells.map((spell) => `${called(spell)}: ${spell.says}`),
  };
}

function seenAgain(group: Group, edition: Edition): Entry {
  return {
    ...entryOf("seen again", group, edition),
    title: `${subject(group)} ${group.spells.length === 1 ? "is" : "are"} seen again`,
    says: "What changed meanwhile is told by itself.",
    list: group.spells.map((spell) => `${called(spell)}: blind since ${day(spell.blindFrom)}`),
  };
}

function entryOf(kind: "blind" | "seen again", { host, day, spells, moments }: Group, { link }: Edition) {
  const [first] = spells;
  const [earliest = 0] = moments.toSorted((a, b) => a - b);
  const address = spells.length === 1 && first ? webAddress(link(first.story.source)) : undefined;
  return {
    key: `${kind.replace(" ", "-")}/${host}/${day}`,
    kind,
    published: earliest,
    updated: moments.reduce((latest, at) => Math.max(latest, at), earliest),
    ...(address && { link: address }),
    ratings: new Set(spells.flatMap(({ story }) => story.health.ratings)),
  };
}

function subject({ spells, host }: Group): string {
  const [first] = spells;
  return spells.length === 1 && first ? called(first) : `${spells.length} sources at ${host}`;
}

function called({ story: { source } }: Spell): string {
  return source.title ?? source.id;
}

/** One entry of a feed, before it is XML: texts as they are, for people. */
export interface Entry {
  /** The same for as long as it tells of the same; unique within the report. */
  readonly key: string;
  readonly kind: "opened" | "answered" | "blind" | "seen again";
  readonly title: string;
  readonly published: Instant;
  readonly updated: Instant;
  /** Where a person reads on. */
  readonly link?: string;
  readonly says: string;
  readonly list: readonly string[];
  /** The ratings whose feeds tell of it too. */
  readonly ratings: ReadonlySet<string>;
}
