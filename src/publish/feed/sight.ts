import type { SourceStory } from "../../explain/source.ts";
import { blindAfter } from "../../freshness.ts";
import type { Instant } from "../../model.ts";
import type { LookRecord } from "../../ports.ts";
import type { Edition } from "../edition.ts";
import { date, webAddress } from "../plain.ts";
import type { Entry } from "./entry.ts";

/** A time in which a source could not be seen for so long that it was blind. */
interface Spell {
  readonly story: SourceStory;
  readonly blindFrom: Instant;
  readonly says: string;
  /** When it was seen again. */
  readonly until?: Instant;
}

/** Sources that turned blind, and that are seen again: those of one host on one day together. */
export function sightEntries(edition: Edition): Entry[] {
  const spells = edition.sources.flatMap((story) => spellsOf(story, edition));
  const lost = groups(spells, edition, ({ blindFrom }) => blindFrom);
  const back = groups(
    spells.filter(({ until }) => until !== undefined),
    edition,
    ({ until }) => until ?? 0,
  );
  return [...lost.map((group) => blind(group, edition)), ...back.map((group) => seenAgain(group, edition))];
}

function spellsOf(story: SourceStory, { looks, watches, at, config }: Edition): Spell[] {
  const watch = watches.get(story.source.id);
  if (watch?.firstSeen === undefined || isAnnouncedElsewhere(story, config.sources.values())) return [];
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

/** Others say the same: ratings do not turn blind for its sake. */
function isAnnouncedElsewhere({ source }: SourceStory, all: Iterable<SourceStory["source"]>): boolean {
  if (source.claims.length > 0 || source.announces.length === 0) return false;
  const others = [...all].filter((other) => other !== source);
  return source.announces.every((product) => others.some(({ announces }) => announces.includes(product)));
}

interface Group {
  readonly host: string;
  readonly day: string;
  readonly spells: readonly Spell[];
  readonly moments: readonly Instant[];
}

function groups(spells: readonly Spell[], edition: Edition, momentOf: (spell: Spell) => Instant): Group[] {
  const found = Map.groupBy(spells, (spell) => `${hostOf(spell, edition)} ${date(momentOf(spell))}`);
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
    title: `${subject(group)} cannot be seen`,
    says: `${one ? "It was" : "They were"} not seen for 7 days: what rests on ${one ? "it" : "them"} is blind.`,
    list: group.spells.map((spell) => `${called(spell)}: ${spell.says}`),
  };
}

function seenAgain(group: Group, edition: Edition): Entry {
  return {
    ...entryOf("seen again", group, edition),
    title: `${subject(group)} ${group.spells.length === 1 ? "is" : "are"} seen again`,
    says: "What changed meanwhile is told by itself.",
    list: group.spells.map((spell) => `${called(spell)}: blind since ${date(spell.blindFrom)}`),
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
