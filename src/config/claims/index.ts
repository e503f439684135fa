import { quantities, sameQuantity } from "../../compare/passage/quantity.ts";
import type { Claim, Config, Proof, Reading, Source } from "../../model/model.ts";
import type { ClaimCounts } from "../../model/ports/index.ts";
import type { Reader } from "../../read/reader.ts";
import type { ReportFile } from "../draft/index.ts";
import { reportTextOf } from "../draft/report-text.ts";
import { Ids } from "../draft/sources.ts";
import { type Citing, citationsIn } from "./citations.ts";
import { type ProvingPage, provingPage } from "./page.ts";
import { type Resting, type Rests, restingOn } from "./resting.ts";
import type { CitedSentence } from "./sentences.ts";
import {
  keysOf,
  type Otherwise,
  type ProvedStatement,
  provedOn,
  type Statement,
  saidBy,
  statementsIn,
} from "./statements.ts";

/** Claims that a config lacks: those that the sentences of its report make, each proved by its source as it was read. */
export interface Proposals extends Required<ClaimCounts> {
  readonly claims: readonly Claim[];
  /** Figures that the place of the source which says the same of the same gives otherwise. */
  readonly contrary: readonly ContraryFigure[];
  /** Sources that were read, and do not prove all that is said of them: those first that have another figure. */
  readonly open: readonly string[];
}

/** A figure of the report, and the one that its source has in its place. */
export interface ContraryFigure extends Otherwise {
  readonly source: string;
  readonly says: string;
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
  config: Config,
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
): ProvedStatement | Otherwise | undefined {
  return on?.isOpen() ? provedOn(statement, sentence, on, alone) : undefined;
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
  { proof }: ProvedStatement,
  resting: Resting,
): Proposal {
  const numbers = sentence.marks.flatMap(({ number }) => number ?? []);
  return {
    source: source.id,
    says: saidBy(sentence, statement),
    proof,
    ...resting(sentence, wordsOf(proof), source),
    cites: [...new Set(numbers)].filter((number) => source.cites.includes(number)),
  };
}

type Proposal = Omit<Claim, "id" | "until"> & Rests;

/** One place of a source proves one claim, however often the report says it. */
function add(found: Map<string, Proposal>, key: string, proposal: Proposal): void {
  const before = found.get(key);
  const merged = before && {
    ...before,
    ...together(before, proposal),
    cites: [...new Set([...before.cites, ...proposal.cites])].sort((a, b) => a - b),
  };
  found.set(key, merged ?? proposal);
}

/** The ratings that two places suggest: of one that names them, and another that does not, the first. */
function together(one: Rests, other: Rests): Rests {
  if (one.isNamed !== other.isNamed) {
    const { ratings, isNamed } = one.isNamed ? one : other;
    return { ratings, isNamed };
  }
  return { ratings: [...new Set([...one.ratings, ...other.ratings])], isNamed: one.isNamed };
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

/** Gives claims their ids, and leaves out those that are too many. */
function named(proposals: readonly Proposal[], { sources }: Pick<Config, "sources">): Claim[] {
  const bySource = Map.groupBy(proposals, ({ source }) => source);
  const claims = [...bySource].flatMap(([source, own]) => {
    const ids = new Ids((sources.get(source)?.claims ?? []).map(({ id }) => id));
    return own
      .slice(0, maxClaimsOfSource)
      .map(({ isNamed: _, ...one }): Claim => ({ ...one, id: ids.give(nameOf(one.proof), "claim"), until: [] }));
  });
  return claims.slice(0, maxClaims);
}

function nameOf(proof: Proof): string {
  if ("value" in proof) return proof.of ?? proof.value;
  if ("fact" in proof) return proof.fact;
  return "quote" in proof ? proof.quote.split(" ").slice(0, 5).join(" ") : `no ${proof.absent}`;
}
