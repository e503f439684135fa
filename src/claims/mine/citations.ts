import { plainWords } from "../../language/fold.ts";
import { phrasesOf } from "../../language/lexicon.ts";
import { groupByEach, makeOnce } from "../../model/cache.ts";
import type { Config } from "../../model/config.ts";
import { addressKey, type Source } from "../../model/source.ts";
import type { Reader } from "../../read/reader.ts";
import { webAddress } from "../../report/cite/addresses.ts";
import { kindOf } from "../../report/cite/sources.ts";
import type { ReportText } from "../../report/parse/report-text.ts";
import { type CitationMark, type CitedSentence, citationsAfter, citedSentences } from "./sentences.ts";

export interface Citing {
  readonly sentence: CitedSentence;
  /** The sources for the text before this offset. */
  readonly sourcesAt: (to: number) => readonly Source[];
  /** Sources at a host that is cited without a page (any of them may be meant), and sources cited by name alone. */
  readonly sourcesOfHostAt: (to: number) => readonly Source[];
}

/** With more sources than these, none is cited for a figure. */
const maxSourcesOfSentence = 6;

export function citationsIn(
  text: Pick<ReportText, "parts" | "tables">,
  { sources }: Pick<Config, "sources">,
  readers: ReadonlyMap<string, Reader>,
): { readonly cited: readonly Citing[]; readonly left: number } {
  const byNumber = groupByEach(sources.values(), ({ cites }) => cites);
  const byAddress = new Map<string, Source[]>();
  const byHost = new Map<string, Source[]>();
  for (const source of sources.values()) {
    makeOnce(byAddress, keyOf(source), () => []).push(source);
    const page = readers.get(source.kind)?.page(source);
    if (page !== undefined && page !== source.address) byAddress.set(addressKey(page), [source]);
    const host = URL.parse(page ?? source.address)?.host ?? "";
    makeOnce(byHost, host, () => []).push(source);
  }
  const sourcesOf = ({ number, address }: CitationMark): Source[] => {
    if (number !== undefined) return byNumber.get(number) ?? [];
    const web = webAddress(address ?? "");
    if (web === undefined) return [];
    const watched = kindOf(web, readers);
    return byAddress.get(addressKey(web)) ?? ("kind" in watched ? (byAddress.get(keyOf(watched)) ?? []) : []);
  };
  const titled = [...sources.values()].map((source) => ({ source, words: new Set(sourceWords(source.title ?? "")) }));
  /** The sources of a host, or the only source with this name, if no other has a similar one. */
  const sourcesNamed = ({ host, name }: CitationMark): Source[] => {
    if (host !== undefined) return byHost.get(host.toLowerCase()) ?? [];
    const wanted = sourceWords(name ?? "");
    const called = titled.filter(({ words }) => wanted.length > 1 && wanted.every((word) => words.has(word)));
    return called.length === 1 ? called.map(({ source }) => source) : [];
  };
  const { sentences, left } = citedSentences(text);
  const cited = sentences.flatMap((sentence): Citing[] => {
    const marks = sentence.marks.map((mark) => ({ at: mark.at, sources: sourcesOf(mark) }));
    const hosts = sentence.marks.map((mark) => ({ at: mark.at, sources: sourcesNamed(mark) }));
    if ([...marks, ...hosts].every((mark) => mark.sources.length === 0)) return [];
    return [{ sentence, sourcesAt: (to) => sourcesAfter(marks, to), sourcesOfHostAt: (to) => sourcesAfter(hosts, to) }];
  });
  return { cited, left };
}

const kind = phrasesOf("statements.manual");
const unnaming = phrasesOf("statements.unnaming");

function sourceWords(called: string): string[] {
  return plainWords(called).flatMap((word) => (unnaming.has(word) ? [] : kind.has(word) ? "docs" : word));
}

/** A page's address alone: it may be watched as a page or as a feed. */
function keyOf({ kind, address }: Pick<Source, "kind" | "address">): string {
  return /^https?:/.test(address) ? addressKey(address) : `${kind} ${addressKey(address)}`;
}

function sourcesAfter(marks: readonly { at: number; sources: readonly Source[] }[], to: number): Source[] {
  const sources = [...new Set(citationsAfter(marks, to).flatMap((mark) => mark.sources))];
  return sources.length <= maxSourcesOfSentence ? sources : [];
}
