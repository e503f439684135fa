import type { ItemMemory } from "../compare/items.ts";
import { anyOf } from "../language/lexicon.ts";
import type { Change } from "../model/change.ts";
import { conditionsOf } from "../model/condition.ts";
import type { Config, Trigger } from "../model/config.ts";
import type { Notes } from "../model/firing.ts";
import { cut } from "../model/markdown.ts";
import { hasMatch } from "../model/options.ts";
import type { UnnamedEntry } from "../model/ports/index.ts";
import type { Block, Item } from "../model/reading.ts";
import type { Origin, Source } from "../model/source.ts";
import {
  type Product,
  parseVersion,
  settleVersion,
  shapedVersion,
  spellings,
  type Version,
  versionAt,
  versionInTag,
  withoutBrackets,
} from "../model/version.ts";

/**
 * The version that a title announces: a feed title, heading, docs title or table cell that is *about* a release. The
 * product's name (or alias) must be a whole word. The version (at least two parts) follows directly, or after a word
 * such as Toolkit, Core or SDK. Only announcing words may precede the name (`Introducing`, `What's new in`), and only
 * punctuation or release words may follow the version (`Release Blog`, `is now available`). So "Llama on PyTorch 2.12",
 * "What's new since PyTorch 2.12", "PyTorch 2.12 on Jetson" and "Running PyTorch 2 models" announce nothing. A title in
 * the form of the product's tags announces its version, too.
 */
export function recognise(title: string, product: Product): Version | undefined {
  const text = title.slice(0, maxTitle).replace(signs, "").replace(/\s+/g, " ").trim().replaceAll("’", "'");
  const lower = sameLengthLower(text);
  const tag = shapedVersion(text, product);
  if (tag !== undefined) return settleVersion(tag, product);
  for (const name of [product.name, ...product.aliases]) {
    const wanted = sameLengthLower(name);
    if (wanted === "") continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      const version = announcedVersion(text, at, at + name.length);
      const settledVersion = version && settleVersion(version, product);
      if (settledVersion !== undefined) return settledVersion;
    }
  }
  return undefined;
}

/** The first product that an entry of a source announces, and its version. */
export function announcedBy(item: Omit<Item, "id">, source: Origin, config: Config) {
  for (const id of source.announces) {
    const product = config.products.get(id);
    const version = product && versionOf(item, product, source.announces.length === 1);
    if (version) return { product, version };
  }
  return undefined;
}

/**
 * A tag, a package version or a bare version in the title belongs to the source's only product. Any other title must name its
 * product or have the shape of its tags. Without declared shapes, the tag or the title may name the product.
 */
function versionOf({ title, version }: Omit<Item, "id">, product: Product, only: boolean): Version | undefined {
  if (version !== undefined && only) {
    const parsed = parseVersion(version, product);
    // A version with an unknown suffix is not a release, even if its title looks like one.
    if (parsed || product.tags.length > 0 || /^v?\d/i.test(version)) return parsed;
    return recognise(version, product) ?? recognise(title, product);
  }
  const bare = only && /\d\.\d/.test(title) ? parseVersion(title, product) : undefined;
  return recognise(title, product) ?? bare ?? (version === undefined ? undefined : versionInTag(version, product));
}

const maxTitle = 2000;
/** Trade marks, emoji, and the bracketed word that mailing lists use for announcements. */
const signs = new RegExp(`^\\[${anyOf("releases.tag")}\\] |\\p{Extended_Pictographic}\\uFE0F?`, "giu");
/** A new title begins after one of these. */
const opener = /^.*(?:[:|–—•·!?] ?| - )/;
/** A maker's name, as in `NVIDIA CUDA`; other names are declared as `aliases`. */
const acronym = /(?<![^ ])[A-Z]{2,12} /g;
const announcing = new RegExp(`^(?:${anyOf("releases.announcing")} ){0,4}$`);
const linking = new RegExp(`^(?: ${anyOf("releases.kind")}){0,3}[ @/_-]v?(?=\\d)`, "i");
const belongs = new RegExp(
  `^(?:$| ?[:|()–—•·,;!?](?!\\d)|\\.(?:$| )| - | ${anyOf("releases.behind")}(?![\\p{L}\\p{N}]))`,
  "iu",
);
/** Words after the version which show that it is still to come, or should not be used. */
const upcoming = new RegExp(
  `^(?: ${anyOf("releases.auxiliary")}(?= )){0,5} (?:an? )?${anyOf("releases.to-come")}(?![\\p{L}\\p{N}])`,
  "iu",
);
const upcomingApart = new RegExp(
  `^ ?[:|()–—•·,;-] ?(?:an? |the )?${anyOf("releases.to-come-apart")}(?![\\p{L}\\p{N}])`,
  "iu",
);

function announcedVersion(text: string, at: number, end: number): Version | undefined {
  if (!isAbout(text.slice(Math.max(0, at - 80), at))) return undefined;
  const rest = text.slice(end, end + 160);
  const link = linking.exec(rest)?.[0];
  if (link === undefined) return undefined;
  const spelled = withoutBrackets(rest.slice(link.length));
  for (const length of spellings(spelled)) {
    const version = versionAt(spelled.slice(0, length));
    if (version === undefined || version.parts.length < 2) continue;
    const behind = spelled.slice(length);
    if (!belongs.test(behind.replace(/^ \([A-Za-z0-9.]{1,20}\)/, ""))) continue;
    return upcoming.test(behind) || upcomingApart.test(behind) ? undefined : version;
  }
  return undefined;
}

/** Whether the text before the name allows the title to be an announcement: nothing, or announcing words. */
function isAbout(lead: string): boolean {
  return announcing.test(lead.replace(opener, "").replace(acronym, "").toLowerCase());
}

function sameLengthLower(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Entries of a list that are searched for versions, at most. */
const maxSearchedEntries = 200;
/** How many of the newest entries must name no version, if the gaps between earlier versions were small. */
const minUnnamed = 5;
/** The same if only one version is known. */
const minUnnamedAfterOne = 10;

/** Finds a source that announces products but names no version of them, or no longer does. */
export function unnamedIn(items: ItemMemory | undefined, source: Source, config: Config): UnnamedEntry | undefined {
  if (source.announces.length === 0 || items === undefined) return undefined;
  const versionIn = (id: string) => {
    const item = items.known[id];
    return item && announcedBy(item, source, config)?.version.text;
  };
  const dateOf = (id: string) => items.known[id]?.at ?? 0;
  const listed = items.window.toSorted((a, b) => dateOf(b) - dateOf(a)).slice(0, maxSearchedEntries);
  const [first] = listed;
  if (first === undefined) return undefined;
  const { version, title = first } = items.known[first] ?? {};
  const places = listed.flatMap((id, place) => (versionIn(id) === undefined ? [] : [place]));
  if (places.length > 0 && !hasStopped(places, listed, items)) return undefined;
  const named = listed[places[0] ?? -1] ?? Object.keys(items.known).findLast((id) => versionIn(id) !== undefined);
  const last = named === undefined ? undefined : versionIn(named);
  return { newest: (version ?? title).slice(0, 200), last, ...(version === undefined && { titled: true }) };
}

/** Whether more tags in a row lack a version now than ever between two versions. Titles may be about other things. */
function hasStopped(places: readonly number[], listed: readonly string[], { known }: ItemMemory): boolean {
  const [first = 0] = places;
  const between = places.slice(1).map((place, i) => place - (places[i] ?? 0) - 1);
  const enough = between.length === 0 ? minUnnamedAfterOne : Math.max(minUnnamed, 2 * Math.max(...between) + 1);
  return first >= enough && listed.slice(0, first).every((id) => known[id]?.version !== undefined);
}

/** Paragraphs quoted in an issue, at most. */
const maxParagraphs = 3;
const maxParagraphCharacters = 600;
/** Headings shown if no paragraph is. */
const maxHeadings = 8;
const maxTerms = 24;
/** Blocks of one release's notes that are searched, at most. */
const maxBlocks = 5_000;

/**
 * The paragraphs of release notes that name the subjects of a trigger. Undefined if the change is no entry with a text,
 * or the trigger has no names to search for. Pure.
 */
export function notesOn(change: Change, trigger: Trigger | undefined, config: Config): Notes | undefined {
  if (!trigger || !("item" in change) || change.item.blocks === undefined) return undefined;
  const terms = termsOf(trigger, config);
  const patterns = conditionsOf(trigger).flatMap(({ condition }) =>
    "matches" in condition && condition.matches !== undefined ? [condition.matches] : [],
  );
  if (terms.length + patterns.length === 0) return undefined;
  const isAboutTopic = ({ kind, text }: Block) =>
    kind !== "heading" &&
    (terms.some((term) => names(text, term)) || patterns.some((pattern) => hasMatch(pattern, text)));
  const matches = change.item.blocks.slice(0, maxBlocks).filter(isAboutTopic);
  const headings = change.item.blocks.flatMap(({ kind, text }) => (kind === "heading" ? [text.slice(0, 200)] : []));
  return {
    about: terms,
    ...(matches.length === 0 && headings.length > 0 && { headings: headings.slice(0, maxHeadings) }),
    paragraphs: matches.slice(0, maxParagraphs).map(quote),
    more: Math.max(0, matches.length - maxParagraphs),
  };
}

function quote({ path, text }: Block): string {
  const heading = path.at(-1);
  return cut([...(heading === undefined ? [] : [heading]), text].join("\n"), maxParagraphCharacters);
}

/** Names in the questions and ratings of a trigger, except those of the products that the report watches. */
export function termsOf({ ask, ratings, wording = "", name }: Trigger, config: Config): string[] {
  const productNames = [...config.products.values()].flatMap(({ id, name, aliases }) => [id, name, ...aliases]);
  const products = new Set(productNames.map((one) => one.toLowerCase()));
  const titles = ratings.flatMap((id) => id.split("/").map((part) => config.names.get(part) ?? part));
  const texts = [...ask, ...titles, wording, name];
  const spans = texts.flatMap((text) => [...text.matchAll(/`([^`]{2,60})`/g)].map(([, span = ""]) => span));
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? []).filter(isName);
  const terms = [...new Set([...spans, ...words])].filter((term) => !products.has(term.toLowerCase()));
  return terms.slice(0, maxTerms);
}

/** Whether a word can only be a name: `MPS`, `ROCm`, `torch.compile`, `torch_xla`. */
function isName(word: string): boolean {
  if (word.length < 3 || /^[\d.-]+$/.test(word)) return false;
  return /\p{Lu}.*\p{Lu}/u.test(word) || /\p{L}[._]\p{L}/u.test(word) || /\p{L}\d|\d\p{L}/u.test(word);
}

function names(text: string, term: string): boolean {
  const [whole, sought] = [text.toLowerCase(), term.toLowerCase()];
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = whole.indexOf(sought); at >= 0; at = whole.indexOf(sought, at + 1)) {
    if (!isWord(whole[at - 1]) && !isWord(whole[at + sought.length])) return true;
  }
  return false;
}
