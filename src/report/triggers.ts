import { groupByEach } from "../model/cache.ts";
import { reservedTriggers } from "../model/firing.ts";
import type { Ending, Reader } from "../read/reader.ts";
import type { NameMatcher } from "./cite/match-names.ts";
import { type DraftSource, Ids } from "./cite/sources.ts";
import { comparableWords, distinctiveWords } from "./rate/words.ts";
import type { Topic } from "./recheck-tables.ts";

type Readers = ReadonlyMap<string, Reader>;

/** A trigger for a file of its own. */
export interface DraftTrigger extends Partial<Topic> {
  readonly id: string;
  readonly name: string;
  /** Comments above it. */
  readonly notes: readonly string[];
  readonly ratings: readonly string[];
  readonly on: readonly DraftCondition[];
  readonly also: readonly DraftCondition[];
  /** What to decide besides its ratings, which an issue asks about by itself. */
  readonly ask?: readonly string[];
  readonly stated: boolean;
}

/** The keys and values of one condition. */
export type DraftCondition = Readonly<Record<string, string | readonly string[]>>;

/** A rating with its id. */
export interface DraftRating {
  readonly id: string;
  /** The name on the first axis. */
  readonly first: string;
  readonly level: string;
  /** Addresses that the rating's own cell cites. */
  readonly evidence: readonly string[];
}

/** Limits of a draft, so that people can read it. */
const mostConditions = 24;
const mostTriggers = 60;

/** A trigger for each recheck topic of the report, and one for each rated thing that no topic covers. */
export function triggersOf(
  topics: readonly Topic[],
  ratings: readonly DraftRating[],
  sources: readonly DraftSource[],
  naming: NameMatcher,
  readers: Readers,
): DraftTrigger[] {
  const ids = new Ids([...reservedTriggers, linksId]);
  const firsts = [...new Set(ratings.map(({ first }) => first))];
  const stated = topics.map((topic): DraftTrigger => {
    const inName = naming.namesIn(topic.name);
    const names = inName.length > 0 ? inName : naming.namesIn(topic.wording);
    const about = [...sourcesOfTopic(topic, sources), ...sourcesAbout(names, sources)];
    return {
      ...topic,
      ...triggerParts(names, about, ratings, readers),
      id: ids.give(topic.name, "topic"),
      stated: true,
    };
  });
  const asked = new Set(stated.flatMap((trigger) => trigger.ratings));
  const silent = firsts.filter((first) => !ratings.some((rating) => rating.first === first && asked.has(rating.id)));
  const starters = silent.flatMap((first): DraftTrigger[] => {
    const own = sourcesAbout([first], sources);
    if (own.length === 0) return [];
    return [
      {
        ...triggerParts([first], own, ratings, readers),
        id: ids.give(first, "subject"),
        name: first,
        stated: false,
      },
    ];
  });
  const triggers = [...stated, ...starters].slice(0, mostTriggers);
  return triggers.concat(linksTrigger(sources, triggers, readers) ?? []);
}

function sourcesAbout(names: readonly string[], sources: readonly DraftSource[]): DraftSource[] {
  return sources.filter((source) => source.names.some((name) => names.includes(name)));
}

/** Sources that a topic's words name: by products, or by rare words of their titles. */
function sourcesOfTopic({ name, wording }: Topic, sources: readonly DraftSource[]): DraftSource[] {
  const words = new Set(comparableWords(`${name} ${wording}`));
  const distinctive = new Set(distinctiveWords(`${name} ${wording}`).filter((token) => token.length > 3));
  const holding = groupByEach(sources, ({ title }) => distinctiveWords(title));
  const rare = new Set([...distinctive].filter((token) => (holding.get(token)?.length ?? 0) <= 2));
  return sources.filter(({ title, announces, names }) => {
    if (announces !== undefined && words.has(announces)) return true;
    return names.length === 0 && distinctiveWords(title).some((token) => rare.has(token));
  });
}

/**
 * `asked`: the ratings of the trigger. A source that is cited for some of them asks about these alone, unless it
 * announces a release or the end of the thing itself.
 */
function conditionsOf(
  sources: readonly DraftSource[],
  triggerRatings: readonly string[],
  readers: Readers,
): Pick<DraftTrigger, "on" | "also"> & { readonly left: number } {
  const each = [...new Set(sources)];
  const limited = (condition: DraftCondition, { ratings = [] }: DraftSource): DraftCondition => {
    const some = triggerRatings.filter((id) => ratings.includes(id));
    const isOfAll =
      some.length === 0 || some.length === triggerRatings.length || "release" in condition || "fact" in condition;
    return isOfAll ? condition : { ...condition, ratings: some };
  };
  const unique = (all: readonly DraftCondition[]) => [
    ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
  ];
  const all = unique(
    each
      .filter(({ frozen }) => !frozen)
      .map((source) => limited(conditionOf(source, readers.get(source.kind)), source)),
  );
  // A dead link concerns everything at once: use it only if nothing else can change.
  const moving = all.filter((one) => !("link" in one));
  const on = moving.length > 0 ? moving : all;
  const also = unique(each.filter(({ frozen }) => frozen).map((source) => limited({ link: source.id }, source)));
  const left = Math.max(0, on.length - mostConditions) + Math.max(0, also.length - mostConditions);
  return { on: on.slice(0, mostConditions), also: also.slice(0, mostConditions), left };
}

/**
 * The best condition for a kind of source: new entry, commit, issue, ending fact, changed text. For a source only in
 * table rows, or a home page: that it is gone.
 */
function conditionOf(
  { id, address, options = {}, announces, onlyInRows }: DraftSource,
  reader: Reader | undefined,
): DraftCondition {
  if (announces !== undefined) return { release: announces };
  const gives = reader?.gives(options) ?? {};
  const worst = reader?.endings?.at(-1);
  if (gives.commits) return { commit: id };
  if (gives.items) return { item: id };
  if (gives.issue) return { issue: id };
  if (worst) return endingCondition(id, worst);
  return gives.text && !onlyInRows && !isHomePage(address) ? { change: id } : { link: id };
}

/** Whether an address is a home page: it changes often, and its changes mean little. */
function isHomePage(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:index\.html?)?$/i.test(url.pathname) && url.search === "";
}

function endingCondition(id: string, { fact, becomes }: Ending): DraftCondition {
  return { fact: id, name: fact, ...(becomes !== undefined && { becomes }) };
}

function triggerParts(
  names: readonly string[],
  sources: readonly DraftSource[],
  ratings: readonly DraftRating[],
  readers: Readers,
): Pick<DraftTrigger, "ratings" | "on" | "also" | "notes"> {
  const triggerRatings = ratings.filter(({ first }) => names.includes(first));
  const ratingIds = triggerRatings.map(({ id }) => id);
  const { on, also, left } = conditionsOf(sources, ratingIds, readers);
  return {
    ratings: ratingIds,
    on,
    also,
    notes: [
      ...(triggerRatings.length > 0 ? ["Remove ratings that this trigger is not about."] : []),
      ...(on.some((one) => "change" in one)
        ? ["`change` fires on any change of a page; `under: HEADING` or `matches: PATTERN` limits it."]
        : []),
      ...(on.length === 0 ? ["No cited source announces this: add one that does (a feed, releases, an issue)."] : []),
      ...(left > 0 ? [`${left} more sources are about this; only the first ones are listed.`] : []),
    ],
  };
}

const linksId = "links";

/** A trigger for dead links and other endings that no other trigger covers. */
function linksTrigger(
  sources: readonly DraftSource[],
  triggers: readonly DraftTrigger[],
  readers: Readers,
): DraftTrigger | undefined {
  const conditions = triggers.flatMap(({ on, also }) => [...on, ...also]);
  const asked = new Set(conditions.map(({ ratings: _, ...one }) => JSON.stringify(one)));
  const on = sources
    .flatMap(({ id, kind }): DraftCondition[] => {
      return readers.get(kind)?.endings?.map((ending) => endingCondition(id, ending)) ?? [{ link: id }];
    })
    .filter((one) => !asked.has(JSON.stringify(one)));
  if (on.length === 0) return undefined;
  return {
    id: linksId,
    name: "Cited addresses",
    ratings: [],
    on,
    also: [],
    ask: ["Does the report need another address, another source, or a note?"],
    notes: ["Cited addresses that are gone or have moved; repositories that are archived or no longer public."],
    stated: false,
  };
}
