import type { Source } from "../model/source.ts";
import { day, type Instant } from "../model/time.ts";
import type { SourceStory } from "../status/explain/source.ts";
import { coveredBy, supports } from "../status/freshness.ts";
import type { BlindSpell, Edition } from "./edition.ts";
import type { FeedEntry } from "./feed-rechecks.ts";
import { safeAddress } from "./plain.ts";

interface Spell extends BlindSpell {
  readonly story: SourceStory;
}

export function sightEntries(edition: Edition): FeedEntry[] {
  const all = edition.sources.flatMap((story) =>
    (edition.sights.get(story.source.id)?.spells ?? []).map((spell) => ({ ...spell, story })),
  );
  const spells = uncoveredSpells(all, edition);
  const lost = groups(spells, edition, ({ blindFrom }) => blindFrom);
  const back = groups(
    spells.filter(({ until }) => until !== undefined),
    edition,
    ({ until }) => until ?? 0,
  );
  return [...lost.map((group) => blind(group, edition)), ...back.map((group) => seenAgain(group, edition))];
}

/** Periods without another source for the same products: ratings of a covered source are not blind. */
function uncoveredSpells(all: readonly Spell[], edition: Edition): Spell[] {
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
    // A source may be covered at first, and turn blind when the covering source does.
    const others = coveredBy(story.source, config, () => true).flatMap((id) => byOf.get(id) ?? []);
    const moments = others.map((other) => other.blindFrom).filter((at) => blindFrom < at && at < until);
    const from = [blindFrom, ...moments.sort((a, b) => a - b)].find(
      (at) => coveredBy(story.source, config, (other) => isSeenAt(other, at)).length === 0,
    );
    return from === undefined ? [] : [{ ...spell, blindFrom: from }];
  });
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

function blind(group: Group, edition: Edition): FeedEntry {
  const one = group.spells.length === 1;
  return {
    ...entryOf("blind", group, edition),
    title: `${subject(group)} ${one ? "is" : "are"} blind`,
    says: `${one ? "It was" : "They were"} not read for 7 days, and the ratings that depend on ${one ? "it" : "them"} are blind.`,
    list: group.spells.map((spell) => `${called(spell)}: ${spell.says}`),
  };
}

function seenAgain(group: Group, edition: Edition): FeedEntry {
  return {
    ...entryOf("seen again", group, edition),
    title: `${subject(group)} ${group.spells.length === 1 ? "is" : "are"} seen again`,
    says: "Changes since then are reported separately.",
    list: group.spells.map((spell) => `${called(spell)}: blind since ${day(spell.blindFrom)}`),
  };
}

function entryOf(kind: "blind" | "seen again", { host, day, spells, moments }: Group, { link }: Edition) {
  const [first] = spells;
  const [earliest = 0] = moments.toSorted((a, b) => a - b);
  const address = spells.length === 1 && first ? safeAddress(link(first.story.source)) : undefined;
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
