import { cutLine } from "../model/markdown.ts";
import { isRepositoryPath } from "../model/repository-path.ts";
import { day } from "../model/time.ts";
import { pluralize } from "../model/words.ts";
import type { About } from "./cite/about.ts";
import type { DraftSource, DraftSources, DraftUnwatchable } from "./cite/sources.ts";
import type { Chapter } from "./parse/chapters.ts";
import type { DraftRatings } from "./rate/draft-ratings.ts";
import type { DraftCondition, DraftTrigger } from "./triggers.ts";

/** The content of a drafted `sources.yaml`. */
export interface Draftable {
  readonly path: string;
  /** Other files of the report. */
  readonly chapters: readonly Pick<Chapter, "id" | "title">[];
  /** Whether the ratings are in that file. */
  readonly ratesItself: boolean;
  readonly about: About;
  readonly rated: DraftRatings;
  readonly drafted: DraftSources;
  /** Linked addresses that do not count as references. */
  readonly others: readonly string[];
  readonly numbered: boolean;
}

const mostOthers = 20;

/** A `sources.yaml` with comments for the person who reviews it. */
export function sourcesYaml(draft: Draftable): string {
  const parts = [
    head(draft),
    reportPart(draft),
    ...documentsPart(draft),
    ...ratingParts(draft),
    ...sourceParts(draft),
    ...unwatchablePart(draft.drafted),
    ...othersPart(draft),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function head({ path, chapters, numbered }: Draftable): string[] {
  const more = chapters.length > 0 ? ` and ${pluralize(chapters.length, "more file")}` : "";
  return [
    yamlComment(
      `Drafted from ${path}${more}. General rules read all of this from the text: review it and correct mistakes.`,
    ),
    ...(numbered ? ["# `cites`: numbers of the references with this address."] : []),
    "# Add claims: a statement of the report that rests on the source, with the passage that proves it:",
    "#   claims:",
    "#     offline: { says: it works without a network, quote: renders every zoom level offline }",
  ];
}

function reportPart({ path, about, rated, ratesItself }: Draftable): string[] {
  const { title, url, version, audited, because } = about;
  return [
    "report:",
    `  title: ${yamlScalar(title)}`,
    ...(url ? [`  url: ${yamlScalar(url)}`] : []),
    ...(version ? [`  version: ${JSON.stringify(version)}`] : []),
    `  audited: ${day(audited)} ${yamlComment(because)}`,
    ...((rated.ratings.length === 0 || ratesItself) && isRepositoryPath(path)
      ? [`  text: ${yamlScalar(path)} # pull requests correct this file, too`]
      : []),
    "baseline: archive # compare the first check of a page with its web archive copy nearest the audit",
  ];
}

function documentsPart({ chapters, drafted: { sources, unwatchable } }: Draftable): string[][] {
  const citing = new Set([...sources, ...unwatchable].flatMap(({ citedBy }) => citedBy));
  const lines = chapters
    .filter(({ id }) => citing.has(id))
    .map(({ id, title }) => `  ${key(id)}: { title: ${yamlScalar(title)} }`);
  return lines.length > 0 ? [["documents:", ...lines]] : [];
}

function ratingParts({ rated, drafted }: Draftable): string[][] {
  const { axes, levels, unplaced, names, ratings, rubric } = rated;
  if (ratings.length === 0) return [];
  const order =
    unplaced.length > 0
      ? [yamlComment(`Lowest first; the position of these levels is a guess: ${unplaced.join(", ")}.`)]
      : [];
  return [
    [...order, `levels: ${yamlList(levels)}`],
    [`axes: ${yamlList(axes)}`, "names:", ...[...names].map(([id, name]) => `  ${key(id)}: ${yamlScalar(name)}`)],
    ...(rubric.size > 0
      ? [
          [
            "rubric:",
            ...[...rubric].flatMap(([id, meanings]) => [
              `  ${key(id)}:`,
              ...[...meanings].map(([level, meaning]) => `    ${yamlScalar(level)}: ${yamlScalar(meaning)}`),
            ]),
          ],
        ]
      : []),
    [
      "# Claims (`ratings: [ids]`) and triggers say which sources a rating rests on. A comment names the source that the",
      "# report cites at the rating itself.",
      "# If no source can settle a rating: { level: LEVEL, basis: judgement }.",
      "ratings:",
      ...ratings.map(({ id, level, evidence }) => {
        const sources = [...new Set(evidence.flatMap((address) => drafted.watching.get(address) ?? []))];
        return `  ${key(id)}: ${yamlScalar(level)}${sources.length > 0 ? ` ${yamlComment(sources.join(", "))}` : ""}`;
      }),
    ],
  ];
}

function sourceParts({ drafted: { sources, products } }: Draftable): string[][] {
  if (sources.length === 0) return [];
  const counted =
    '# Releases count if their tags look like v1.2.3 or 1.2.3; declare other shapes: tags: ["name-{version}"].';
  return [
    ...(products.size > 0
      ? [[counted, "products:", ...[...products].map(([id, name]) => `  ${key(id)}: { name: ${yamlScalar(name)} }`)]]
      : []),
    ["sources:", ...sources.flatMap((source, i) => [...(i > 0 ? [""] : []), ...sourceLines(source)])],
  ];
}

function sourceLines(source: DraftSource): string[] {
  const { id, kind, address, options = {}, title, cites, standsFor, citedBy, frozen, announces, instead } = source;
  return [
    ...(frozen
      ? [yamlComment(`looks frozen (${frozen}): this page will never change; add a source that does`, "  ")]
      : []),
    ...(instead && standsFor.length > 0 && cites.length === 0
      ? [yamlComment("the cited page is of one version; this source shows new versions", "  ")]
      : []),
    `  ${key(id)}:`,
    `    ${kind}: ${yamlScalar(address)}`,
    ...Object.entries(options).map(([key, value]) => `    ${key}: ${yamlScalar(value)}`),
    `    title: ${yamlScalar(title)}`,
    ...(announces ? [`    announces: ${yamlScalar(announces)}`] : []),
    ...(cites.length > 0 ? [`    cites: ${yamlList(cites)}`] : []),
    ...(standsFor.length > 0 ? [`    stands-for: ${yamlList(standsFor)}`] : []),
    ...(citedBy.length > 0 ? [`    cited-by: ${yamlList(citedBy)}`] : []),
    ...(frozen ? ["    every: 14d"] : []),
  ];
}

function unwatchablePart({ unwatchable, left }: DraftSources): string[][] {
  const more = left > 0 ? [[yamlComment(`${left} more references were left out: the file is full.`)]] : [];
  if (unwatchable.length === 0) return more;
  return [["unwatchable:", ...unwatchable.flatMap(unwatchableLines)], ...more];
}

function unwatchableLines({ title, address, cites, citedBy, because }: DraftUnwatchable): string[] {
  return [
    `  - title: ${yamlScalar(title)}`,
    ...(address ? [`    url: ${yamlScalar(address)}`] : []),
    ...(cites.length > 0 ? [`    cites: ${yamlList(cites)}`] : []),
    ...(citedBy.length > 0 ? [`    cited-by: ${yamlList(citedBy)}`] : []),
    `    because: ${yamlScalar(because)}`,
  ];
}

function othersPart({ others }: Draftable): string[][] {
  if (others.length === 0) return [];
  const more = others.length - mostOthers;
  return [
    [
      "# Other links of the text; they are not watched:",
      ...others.slice(0, mostOthers).map((address) => yamlComment(`  ${address}`.trim())),
      ...(more > 0 ? [yamlComment(`and ${more} more`)] : []),
    ],
  ];
}

/** The words for volatility that config has by default. */
const usualVolatility = ["High", "Medium", "Low"];

export function triggerYaml(trigger: DraftTrigger): string {
  const { name, wording, confidence, volatility, ratings, on, also, ask = [], notes, stated } = trigger;
  const word = usualVolatility.find((usual) => usual.toLowerCase() === volatility?.toLowerCase());
  const origin = stated
    ? "The report itself says when to recheck this."
    : "A starter: the report does not say when to recheck this.";
  const lines = [
    yamlComment(origin),
    ...notes.map((note) => yamlComment(note)),
    `name: ${yamlScalar(name)}`,
    ...(wording ? [`wording: ${yamlScalar(wording)}`] : []),
    ...(confidence ? [`confidence: ${yamlScalar(confidence)}`] : []),
    ...(word ? [`volatility: ${yamlScalar(word)}`] : []),
    ...(volatility && !word ? [yamlComment(`volatility: ${volatility} (declare its length in sources.yaml)`)] : []),
    ...(ratings.length > 0 ? [`ratings: ${yamlList(ratings)}`] : []),
    ...conditions("on", on),
    ...conditions("also", also),
    ...(ask.length > 0 ? ["ask: |", ...ask.map((question) => `  ${cutLine(question, 300)}`)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function conditions(part: string, all: readonly DraftCondition[]): string[] {
  if (all.length === 0) return [];
  const one = (condition: DraftCondition) =>
    Object.entries(condition).map(([key, value], i) => {
      const written = typeof value === "string" ? yamlScalar(value) : yamlList(value);
      return `  ${i === 0 ? "- " : "  "}${key}: ${written}`;
    });
  return [`${part}:`, ...all.flatMap(one)];
}

/** Words that are no text in YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema). */
const reserved = /^(?:null|true|false)$/i;
const safe = /^[A-Za-z](?:[\w ./+()-]*[\w./+)-])?$/;
const safeAddress = /^https?:\/\/(?:[\w.-]+:\d+\/)?[\w./?=&%~+;@()-]*[\w/=)-]$/;
const safeTime = /^(?:\d{4}-\d{2}-\d{2}|[1-9]\d{0,4}[mhdw])$/;

/** Text as a YAML value on one line: plain if safe, or else in double quotes. */
export function yamlScalar(text: string): string {
  const line = cutLine(text, 1_200);
  if ((safe.test(line) && !reserved.test(line)) || safeAddress.test(line) || safeTime.test(line)) return line;
  return JSON.stringify(line);
}

/** An id as a key. Quoted if YAML may parse it as a number, so that 1e5 and 10e4 remain different. */
function key(id: string): string {
  return (/^[a-z]/.test(id) && !reserved.test(id)) || /[/-]/.test(id) ? id : JSON.stringify(id);
}

export function yamlList(values: readonly (string | number)[]): string {
  return `[${values.map((value) => (typeof value === "number" ? String(value) : yamlScalar(value))).join(", ")}]`;
}

export function yamlComment(text: string, indent = ""): string {
  return `${indent}# ${cutLine(text, 1_200)}`;
}
