import { quantities, sameQuantity } from "../../compare/passage/quantity.ts";
import { wordsIn } from "../../compare/passage/words.ts";
import type { Claim, Config, Proof, Reading, Source } from "../../model/model.ts";
import type { ClaimCounts } from "../../model/ports/index.ts";
import type { Reader } from "../../read/reader.ts";
import { webAddress } from "../draft/addresses.ts";
import type { ReportFile } from "../draft/index.ts";
import { type ReportText, reportTextOf } from "../draft/report-text.ts";
import { Ids } from "../draft/sources.ts";
import { kindOf } from "../draft/watched.ts";
import { reportLine } from "../draft/words.ts";
import { proveFacts } from "./facts.ts";
import { proveFigure } from "./figures.ts";
import { type ProvingPage, provingPage } from "./page.ts";
import { absentIn, proveAbsent, proveQuoted, proveStanding, quotedIn, standingsIn } from "./passages.ts";
import { figurePhrases, isPlain } from "./phrases.ts";
import { type Resting, restingOn } from "./resting.ts";
import { type CitedSentence, citedSentences } from "./sentences.ts";

/** Claims that a config lacks: those that the sentences of its report make, each proved by its source as it was read. */
export interface Proposals extends Required<ClaimCounts> {
  readonly claims: readonly Claim[];
  /** Figures that the place of the source which says the same of the same gives otherwise. */
  readonly contrary: readonly ContraryFigure[];
  /** Sources that were read, and do not prove all that is said of them: those first that have another figure. */
  readonly open: readonly string[];
}

/** A figure of the report, and the one that its source has in its place. */
export interface ContraryFigure {
  readonly source: string;
  readonly says: string;
  readonly figure: string;
  readonly there: string;
}

/** Claims that are proposed at most, of one source and of all. */
const maxClaimsOfSource = 40;
const maxClaims = 400;
const maxProofs = 5_000;

/**
 * Finds the claims in a report's sentences. Nothing is proposed but what the reading of a cited source proves, at one
 * place; a source without a reading proves nothing. `past`: as they were at the audit, for whatever they do not prove any
 * more. Pure.
 */
export function proposeClaims(
  reports: readonly ReportFile[],
  config: Pick<Config, "sources" | "ratings" | "names">,
  readings: ReadonlyMap<string, Reading>,
  readers: ReadonlyMap<string, Reader>,
  past: ReadonlyMap<string, Reading> = new Map(),
): Proposals {
  const [pages, pastPages] = [pagesOf(config, readings), pagesOf(config, past)];
  const resting = restingOn(config);
  const all = new Map<string, Proposal>();
  const contrary: ContraryFigure[] = [];
  const open = new Set<string>();
  const ofAudit = new Set<string>();
  const counts = { considered: 0, stated: 0, left: 0, cut: false };
  for (const { path, text } of reports) {
    const read = reportTextOf(path, text);
    const { cited, left } = citationsIn(read, config, readers);
    counts.considered += cited.length;
    counts.left += left;
    counts.cut ||= read.cut;
    for (const citing of cited) {
      for (const statement of statementsIn(citing.sentence)) {
        const named = citing.sourcesAt(statement.to);
        const sources = named.length > 0 ? named : citing.sourcesOfHostAt(statement.to);
        counts.stated += sources.length > 0 ? 1 : 0;
        for (const source of sources) {
          const outcome = lookUp(statement, citing.sentence, pages(source.id), named.length === 1);
          const isProved = outcome !== undefined && "proof" in outcome;
          const before = isProved
            ? undefined
            : lookUp(statement, citing.sentence, pastPages(source.id), named.length === 1);
          if (outcome && "there" in outcome && contrary.length < maxProofs)
            contrary.push({ source: source.id, says: saidBy(citing.sentence, statement), ...outcome });
          const found = isProved ? outcome : before;
          if (!found || !("proof" in found)) open.add(source.id);
          else if (all.size < maxProofs) {
            const key = JSON.stringify([source.id, isProved, found.place]);
            if (!isProved) ofAudit.add(key);
            add(all, key, proposalOf(citing, statement, source, found, resting));
          }
        }
      }
    }
  }
  const proved = withoutParts([...all.values()]);
  const fresh = proved.filter((proposal) => !isKnown(proposal, config.sources.get(proposal.source)?.claims ?? []));
  const before = new Set([...all].flatMap(([key, one]) => (ofAudit.has(key) ? [one] : [])));
  return {
    ...counts,
    claims: named(fresh, config),
    contrary,
    open: [...new Set([...contrary.map(({ source }) => source), ...open])].filter((id) => readings.has(id)),
    proved: proved.length,
    atAudit: proved.filter((one) => before.has(one)).length,
  };
}

function lookUp(
  statement: Statement,
  sentence: CitedSentence,
  on: PageOfSource | undefined,
  alone: boolean,
): Proved | Otherwise | undefined {
  if (!on || isTitle(sentence, on.page) || !on.isOpen()) return undefined;
  return statement.prove(on.page, on.reading, alone);
}

/** A sentence that only names what it cites says nothing of it. */
function isTitle({ text }: CitedSentence, { title }: ProvingPage): boolean {
  return wordsIn(text).every(({ term }) => term.weight < 1 || title.has(term.stem));
}

/** The sources that sentences with something to prove cite: those that are worth a look. */
export function sourcesToRead(
  reports: readonly ReportFile[],
  config: Pick<Config, "sources">,
  readers: ReadonlyMap<string, Reader>,
): Set<string> {
  const ids = reports.flatMap(({ path, text }) => {
    const { cited } = citationsIn(reportTextOf(path, text), config, readers);
    return cited.flatMap(({ sentence, sourcesAt, sourcesOfHostAt }) =>
      statementsIn(sentence).flatMap(({ to }) => [...sourcesAt(to), ...sourcesOfHostAt(to)].map(({ id }) => id)),
    );
  });
  return new Set(ids);
}

function proposalOf(
  { sentence }: Citing,
  statement: Statement,
  source: Source,
  { proof }: Proved,
  resting: Resting,
): Proposal {
  const numbers = sentence.marks.flatMap(({ number }) => number ?? []);
  return {
    source: source.id,
    says: saidBy(sentence, statement),
    proof,
    ratings: resting(sentence, wordsOf(proof)),
    cites: [...new Set(numbers)].filter((number) => source.cites.includes(number)),
  };
}

type Proposal = Omit<Claim, "id" | "until">;

/** One place of a source proves one claim, however often the report says it. */
function add(found: Map<string, Proposal>, key: string, proposal: Proposal): void {
  const before = found.get(key);
  const merged = before && {
    ...before,
    ratings: [...new Set([...before.ratings, ...proposal.ratings])],
    cites: [...new Set([...before.cites, ...proposal.cites])].sort((a, b) => a - b),
  };
  found.set(key, merged ?? proposal);
}

/** A passage that stands within another one is proved by that. */
function withoutParts(proposals: readonly Proposal[]): Proposal[] {
  const quotes = proposals.flatMap(({ source, proof }) => ("quote" in proof ? [{ source, quote: proof.quote }] : []));
  return proposals.filter(({ source, proof }) => {
    if (!("quote" in proof)) return true;
    return !quotes.some(
      (other) =>
        other.source === source && other.quote.length > proof.quote.length && holdsWords(other.quote, proof.quote),
    );
  });
}

/** A sentence of the report, with the sources that it cites by the place of what it says. */
export interface Citing {
  readonly sentence: CitedSentence;
  /** Of what stands before this place. */
  readonly sourcesAt: (to: number) => readonly Source[];
  /** Those at a host that is cited without a page: any of them may be meant. */
  readonly sourcesOfHostAt: (to: number) => readonly Source[];
}

/** More sources than these are not cited for one figure. */
const maxSourcesOfSentence = 6;

/** The sentences of a report that cite sources of a config. */
export function citationsIn(
  read: Pick<ReportText, "parts" | "tables">,
  { sources }: Pick<Config, "sources">,
  readers: ReadonlyMap<string, Reader>,
): { readonly cited: readonly Citing[]; readonly left: number } {
  const byNumber = new Map<number, Source[]>();
  const byAddress = new Map<string, Source[]>();
  const byHost = new Map<string, Source[]>();
  for (const source of sources.values()) {
    for (const number of source.cites) byNumber.set(number, [...(byNumber.get(number) ?? []), source]);
    const key = addressKey(source);
    byAddress.set(key, [...(byAddress.get(key) ?? []), source]);
    const page = readers.get(source.kind)?.page(source);
    if (page !== undefined && page !== source.address) byAddress.set(pageKey(page), [source]);
    const host = URL.parse(page ?? source.address)?.host ?? "";
    byHost.set(host, [...(byHost.get(host) ?? []), source]);
  }
  const sourcesOf = ({ number, address }: CitedSentence["marks"][number]): Source[] => {
    if (number !== undefined) return byNumber.get(number) ?? [];
    const web = webAddress(address ?? "");
    if (web === undefined) return [];
    const watched = kindOf(web, readers);
    return byAddress.get(pageKey(web)) ?? ("kind" in watched ? (byAddress.get(addressKey(watched)) ?? []) : []);
  };
  const { sentences, left } = citedSentences(read);
  const cited = sentences.flatMap((sentence): Citing[] => {
    const marks = sentence.marks.map((mark) => ({ at: mark.at, sources: sourcesOf(mark) }));
    const hosts = sentence.marks.map(({ at, host = "" }) => ({ at, sources: byHost.get(host) ?? [] }));
    if ([...marks, ...hosts].every((mark) => mark.sources.length === 0)) return [];
    return [{ sentence, sourcesAt: (to) => at(marks, to), sourcesOfHostAt: (to) => at(hosts, to) }];
  });
  return { cited, left };
}

function addressKey({ kind, address }: Pick<Source, "kind" | "address">): string {
  return /^https?:/.test(address) ? pageKey(address) : `${kind} ${address.toLowerCase()}`;
}

function pageKey(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.host}${url.pathname.replace(/\/$/, "")}${url.search}` : address;
}

/** The sources of the citation that follows this place; of all where they stand at one place. */
function at(marks: readonly { at: number; sources: readonly Source[] }[], to: number): Source[] {
  const places = new Set(marks.map((mark) => mark.at));
  const next = marks.reduce(
    (least, mark) => (mark.at >= to ? Math.min(least, mark.at) : least),
    Number.POSITIVE_INFINITY,
  );
  const meant = places.size === 1 ? marks : marks.filter((mark) => mark.at === next);
  const sources = [...new Set(meant.flatMap((mark) => mark.sources))];
  return sources.length <= maxSourcesOfSentence ? sources : [];
}

interface PageOfSource {
  readonly page: ProvingPage;
  readonly reading: Reading;
  /** Whether one more statement may be looked up on it. */
  readonly isOpen: () => boolean;
}

/** Statements that are looked up on one source: what a report says a thousand times, it has said. */
const maxStatementsOfSource = 500;

function pagesOf(
  { sources }: Pick<Config, "sources">,
  readings: ReadonlyMap<string, Reading>,
): (id: string) => PageOfSource | undefined {
  const made = new Map<string, PageOfSource>();
  return (id) => {
    const reading = readings.get(id);
    if (!reading) return undefined;
    let asked = 0;
    const isOpen = () => ++asked <= maxStatementsOfSource;
    const known = made.get(id) ?? { page: provingPage(reading, sources.get(id)?.title), reading, isOpen };
    made.set(id, known);
    return known;
  };
}

/** One thing that a sentence says, and how a source would prove it. */
interface Statement {
  readonly from: number;
  readonly to: number;
  /** `alone`: no other source is cited for it. */
  prove(page: ProvingPage, reading: Reading, alone: boolean): Proved | Otherwise | undefined;
}

interface Proved {
  readonly proof: Proof;
  /** Where it is proved: of two statements that are proved there, one is a claim. */
  readonly place: string;
}

/** The source has another figure in this one's place. */
type Otherwise = Pick<ContraryFigure, "figure" | "there">;

function atItself(proof: Proof | undefined): Proved | undefined {
  return proof && { proof, place: JSON.stringify("quote" in proof ? keysOf(proof.quote) : proof) };
}

function statementsIn(sentence: CitedSentence): Statement[] {
  const { text, row = "", column = "" } = sentence;
  const beside = [row, column].filter((name) => name !== "");
  const figures = figurePhrases(text).flatMap((figure): Statement[] => {
    if (!isPlain(text, figure)) return [];
    const { start: from, end: to } = figure;
    const prove = (page: ProvingPage, _: Reading, alone: boolean) => {
      const outcome = proveFigure(figure, page, beside);
      // Of several sources each has its own figures.
      if (outcome.kind === "contrary" && alone) return { figure: figure.text, there: outcome.there };
      return outcome.kind === "proved" ? outcome : undefined;
    };
    return [{ from, to, prove }];
  });
  const quotes = quotedIn(text).map(
    (quoted): Statement => ({ ...quoted, prove: (page) => atItself(proveQuoted(quoted, page)) }),
  );
  const stands = standingsIn(text).map(
    (standing): Statement => ({
      from: standing.from,
      to: standing.to,
      prove: (page) => atItself(proveStanding(standing, page)),
    }),
  );
  const absent = absentIn(text).map(
    (name): Statement => ({
      ...name,
      prove: (page, _, alone) => (alone ? atItself(proveAbsent(name, text, page)) : undefined),
    }),
  );
  const fact: Statement = {
    from: 0,
    to: text.length,
    prove: (_, { facts = {} }, alone) => (alone ? atItself(proveFacts(text, column, facts)[0]) : undefined),
  };
  return [
    ...figures,
    ...quotes,
    ...stands,
    ...absent,
    ...(/\b(?:licen[cs]|archiv|deprecat|open\b|closed\b|merged|withdrawn|retracted|status)/i.test(`${column} ${text}`)
      ? [fact]
      : []),
  ];
}

const maxSaidCharacters = 240;

/** The report's own words; of a long sentence, those around what is proved. */
function saidBy({ text, row, column }: CitedSentence, { from, to }: Statement): string {
  const line = reportLine(text, 4_000);
  const cell = row === undefined ? line : `${reportLine(row, 80)}, ${reportLine(column ?? "", 80)}: ${line}`;
  if (cell.length <= maxSaidCharacters || row !== undefined) return reportLine(cell, maxSaidCharacters);
  const before = Math.max(0, text.lastIndexOf(";", from) + 1, to - maxSaidCharacters + 60);
  const start = before === 0 ? 0 : text.indexOf(" ", before) + 1;
  const clause = text.slice(start).split(";")[0] ?? "";
  return reportLine(`${start > 0 && text[start - 2] !== ";" ? "… " : ""}${clause}`, maxSaidCharacters);
}

function wordsOf(proof: Proof): string {
  if ("quote" in proof) return proof.quote;
  return "value" in proof ? (proof.of ?? "") : "";
}

/** Whether config has a claim that this one repeats. */
function isKnown({ proof }: Proposal, claims: readonly Claim[]): boolean {
  return claims.some(({ proof: known }) => {
    if ("fact" in proof || "fact" in known) return "fact" in proof && "fact" in known && proof.fact === known.fact;
    if ("absent" in proof || "absent" in known)
      return "absent" in proof && "absent" in known && proof.absent === known.absent;
    const [own, other] = [proof, known].map((one) => ("quote" in one ? one.quote : one.value));
    return says(other ?? "", own ?? "") || says(own ?? "", other ?? "");
  });
}

function says(whole: string, part: string): boolean {
  if (holdsWords(whole, part)) return true;
  const figures = quantities(part);
  return figures.length > 0 && figures.every((one) => quantities(whole).some((other) => sameQuantity(one, other)));
}

function holdsWords(whole: string, part: string): boolean {
  return ` ${keysOf(whole)} `.includes(` ${keysOf(part)} `);
}

function keysOf(text: string): string {
  return wordsIn(text)
    .map(({ term }) => term.key)
    .join(" ");
}

/** Gives claims their ids, and leaves out those that are too many. */
function named(proposals: readonly Proposal[], { sources }: Pick<Config, "sources">): Claim[] {
  const bySource = Map.groupBy(proposals, ({ source }) => source);
  const claims = [...bySource].flatMap(([source, own]) => {
    const ids = new Ids((sources.get(source)?.claims ?? []).map(({ id }) => id));
    return own
      .slice(0, maxClaimsOfSource)
      .map((one): Claim => ({ ...one, id: ids.give(nameOf(one.proof), "claim"), until: [] }));
  });
  return claims.slice(0, maxClaims);
}

function nameOf(proof: Proof): string {
  if ("value" in proof) return proof.of ?? proof.value;
  if ("fact" in proof) return proof.fact;
  return "quote" in proof ? proof.quote.split(" ").slice(0, 5).join(" ") : `no ${proof.absent}`;
}
