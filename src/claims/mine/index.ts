import { addClaims } from "../../config/edit/claims.ts";
import { parseConfig } from "../../config/index.ts";
import { type ConfigText, textOf, wholeText } from "../../config/text.ts";
import type { Claim, Proof } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { Failure } from "../../model/failure.ts";
import type { ClaimCounts } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Reader } from "../../read/reader.ts";
import { Ids } from "../../report/cite/sources.ts";
import type { ReportFile } from "../../report/index.ts";
import { type CitedStatement, type FileStatements, statementsInFile } from "./cited-statements.ts";
import type { CitedSentence } from "./sentences.ts";
import { type ProofsOfSource, type Proposal, siftProofs } from "./sift.ts";
import { type Mismatch, type Outcome, type PageToProve, type ProvedStatement, proveStatements } from "./statements.ts";

/** Proposed claims: sentences of the report that its sources prove, and the outcome for all others. */
export interface Proposals extends Required<ClaimCounts> {
  readonly claims: readonly Claim[];
  /** Claims that their sources contradict: the first check asks about them. */
  readonly contradicted: readonly Claim[];
  /** Figures of the report for which the source has another one in the same statement, proved at the audit or not. */
  readonly contrary: readonly ContraryFigure[];
  /** Statements that sources neither prove nor contradict, in the order of the report. */
  readonly unconfirmed: readonly UnconfirmedStatement[];
  /** Sources that were read and do not prove every statement that cites them. Those with another figure come first. */
  readonly open: readonly string[];
  /** Files and sources that took too much to compare. No claim was taken from them. */
  readonly beyond: readonly SkippedPart[];
}

/** A source, or a file of the report, that took too much to compare. */
export interface SkippedPart {
  readonly source: string;
  readonly says: string;
}

/** A figure of the report, and the one that its source has in its place. */
export interface ContraryFigure extends Mismatch {
  readonly source: string;
  readonly says: string;
}

/** A statement of the report, and the most similar passage of a source it cites, if any. */
export interface UnconfirmedStatement {
  readonly source: string;
  readonly says: string;
  readonly nearest?: string;
}

const maxClaimsOfSource = 40;
const maxClaims = 400;
const maxProofs = 5_000;

export interface ClaimSearch {
  readonly readings: ReadonlyMap<string, Reading>;
  /** The sources at the audit, for statements that they no longer prove. */
  readonly past?: ReadonlyMap<string, Reading>;
  readonly proving: Proving;
}

/**
 * Finds the claims in a report's sentences. A claim is proposed only if the reading of a cited source proves it at one
 * place. A source without a reading, or one that takes too much to compare, proves none.
 */
export async function proposeClaims(
  reports: readonly ReportFile[],
  config: Config,
  { readings, past = new Map(), proving }: ClaimSearch,
): Promise<Proposals> {
  const { lookUps, beyond: files, ...counts } = await lookUpsIn(reports, config, proving);
  const now = await lookUp(lookUps, readings, proving, config);
  const unproved = lookUps.filter((one) => !isProved(now.outcomes.get(one)) && !now.beyond.has(one.source));
  const before = await lookUp(unproved, past, proving, config);
  const proofs: FoundOnSource[] = [];
  const places = new Set<string>();
  const contrary: ContraryFigure[] = [];
  const open = new Set<string>();
  for (const request of lookUps) {
    const { source, says } = request;
    if (now.beyond.has(source)) continue;
    const outcome = now.outcomes.get(request);
    const isContrary = isOtherwise(outcome);
    if (isContrary && contrary.length < maxProofs) contrary.push({ source, says, ...outcome });
    const ofAudit = !isProved(outcome);
    const proved = ofAudit ? before.outcomes.get(request) : outcome;
    if (!isProved(proved) && !request.isWhole) open.add(source);
    // A sentence that the source contradicts is a claim that it does not prove: the first check asks about it.
    if (!isProved(proved) && isContrary && places.size < maxProofs) {
      const { proof } = outcome;
      const place = JSON.stringify(["contrary", proof]);
      places.add(JSON.stringify([source, place]));
      proofs.push({ ...request, proof, place, ofAudit: false, isContrary: true });
    } else if (isProved(proved) && places.size < maxProofs) {
      places.add(JSON.stringify([source, ofAudit, proved.place]));
      proofs.push({ ...request, ...proved, ofAudit, isContrary: false });
    }
  }
  const { proposals, beyond } = await siftBySource(proofs, config, proving);
  const unread = new Set([...now.beyond.keys(), ...beyond.keys()]);
  const isChecked = (source: string) => readings.has(source) && !unread.has(source);
  const claims = withIds(
    proposals.filter(({ isKnown }) => !isKnown).toSorted((a, b) => Number(a.isContrary) - Number(b.isContrary)),
    config,
  );
  return {
    ...counts,
    claims: claims.filter(({ isContrary }) => !isContrary).map(({ claim }) => claim),
    contradicted: claims.filter(({ isContrary }) => isContrary).map(({ claim }) => claim),
    contrary: contrary.filter(({ source }) => isChecked(source)),
    unconfirmed: unconfirmedIn(lookUps, now.outcomes, before.outcomes).filter(({ source }) => isChecked(source)),
    open: [...new Set([...contrary.map(({ source }) => source), ...open])].filter(isChecked),
    beyond: [
      ...[...files, ...now.beyond, ...beyond].map(([source, { message }]) => ({ source, says: message })),
      ...[...before.beyond].map(([source, { message }]) => ({ source, says: `as it was at the audit: ${message}` })),
    ],
    proved: proposals.filter(({ isContrary }) => !isContrary).length,
    atAudit: proposals.filter(({ ofAudit }) => ofAudit).length,
    unproved: new Set([...unread, ...before.beyond.keys(), ...files.keys()]).size,
  };
}

/** Statements without proof, each sentence once. */
function unconfirmedIn(
  lookUps: readonly LookUp[],
  now: ReadonlyMap<LookUp, Outcome>,
  before: ReadonlyMap<LookUp, Outcome>,
): UnconfirmedStatement[] {
  const isAnswered = (one: LookUp) => isProved(now.get(one)) || isProved(before.get(one)) || isOtherwise(now.get(one));
  // A sentence is closed if the whole is proved or a part is contradicted.
  const closed = lookUps.filter((one) => (one.isWhole ? isAnswered(one) : isOtherwise(now.get(one))));
  const closedSentences = new Set(closed.map(({ sentence }) => sentence));
  const ofStatement = Map.groupBy(lookUps, ({ sentence, statement }) => JSON.stringify([sentence, statement]));
  const unconfirmed = [...ofStatement.values()].flatMap((sources): UnconfirmedStatement[] => {
    if (sources.some((one) => isAnswered(one) || closedSentences.has(one.sentence))) return [];
    const open = sources.flatMap((one) => {
      const outcome = now.get(one);
      if (!outcome || !("unconfirmed" in outcome)) return [];
      return [{ source: one.source, says: one.says, nearest: outcome.nearest }];
    });
    const [first] = open.toSorted((a, b) => Number(b.nearest !== undefined) - Number(a.nearest !== undefined));
    return first ? [first] : [];
  });
  return [...new Map(unconfirmed.map((one) => [one.says, one])).values()].slice(0, maxProofs);
}

/** The sources that are worth a check: those that sentences with a statement cite. */
export async function sourcesToRead(
  reports: readonly ReportFile[],
  config: Config,
  proving: Pick<Proving, "stated">,
): Promise<Set<string>> {
  const { lookUps } = await lookUpsIn(reports, config, proving);
  return new Set(lookUps.map(({ source }) => source));
}

interface LookUp extends Omit<CitedStatement, "sentence" | "sources"> {
  readonly sentence: CitedSentence;
  readonly source: string;
}

type FoundOnSource = LookUp & ProvedStatement & { readonly ofAudit: boolean; readonly isContrary: boolean };

type TooMuch = ReadonlyMap<string, Failure>;

async function lookUpsIn(reports: readonly ReportFile[], config: Config, proving: Pick<Proving, "stated">) {
  const lookUps: LookUp[] = [];
  const counts = { considered: 0, stated: 0, left: 0, cut: false };
  const beyond = new Map<string, Failure>();
  for (const file of reports) {
    const statements = await resultWithinLimits(file.path, () => proving.stated(file, config), beyond);
    if (!statements) continue;
    counts.considered += statements.sentences.length;
    counts.stated += statements.statements.filter(({ isWhole }) => !isWhole).length;
    counts.left += statements.left;
    counts.cut ||= statements.cut;
    for (const { sentence: place, sources, ...one } of statements.statements) {
      const sentence = statements.sentences[place];
      if (sentence) for (const source of sources) lookUps.push({ ...one, sentence, source });
    }
  }
  return { lookUps, beyond, ...counts };
}

const maxStatementsOfSource = 500;

/** Compares statements with their sources, page by page. A page that takes too much affects only its statements. */
async function lookUp(
  lookUps: readonly LookUp[],
  readings: ReadonlyMap<string, Reading>,
  proving: Proving,
  { sources }: Pick<Config, "sources">,
): Promise<{ readonly outcomes: ReadonlyMap<LookUp, Outcome>; readonly beyond: TooMuch }> {
  const outcomes = new Map<LookUp, Outcome>();
  const beyond = new Map<string, Failure>();
  const onPage = async ([source, all]: [string, LookUp[]]): Promise<void> => {
    const reading = readings.get(source);
    if (!reading) return;
    const statements = all.slice(0, maxStatementsOfSource);
    const page = { reading, called: sources.get(source)?.title, asked: statements };
    const found = await resultWithinLimits(source, () => proving.prove(page), beyond);
    statements.forEach((one, i) => void outcomes.set(one, found?.[i]));
  };
  await Promise.all([...Map.groupBy(lookUps, ({ source }) => source)].map(onPage));
  return { outcomes, beyond };
}

function isProved(outcome: Outcome): outcome is ProvedStatement {
  return outcome !== undefined && "place" in outcome;
}

function isOtherwise(outcome: Outcome): outcome is Mismatch {
  return outcome !== undefined && "figure" in outcome;
}

/** The claims that proofs make, in the order in which their sources are cited. */
async function siftBySource(
  findings: readonly FoundOnSource[],
  config: Config,
  proving: Proving,
): Promise<{ readonly proposals: readonly Proposal[]; readonly beyond: TooMuch }> {
  const beyond = new Map<string, Failure>();
  const ofSource = async ([source, all]: [string, FoundOnSource[]]): Promise<readonly Proposal[]> => {
    return (await resultWithinLimits(source, () => proving.sift({ source, found: all }, config), beyond)) ?? [];
  };
  const proposals = await Promise.all([...Map.groupBy(findings, ({ source }) => source)].map(ofSource));
  return { proposals: proposals.flat(), beyond };
}

/** Leaves out a step that takes too much. A step that ends because Recheck stops is thrown. */
async function resultWithinLimits<T>(
  name: string,
  step: () => Promise<T>,
  beyond: Map<string, Failure>,
): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "deferred") throw error;
    beyond.set(name, error);
    return undefined;
  }
}

/** Gives claims their ids, and drops those above the limits. */
function withIds(
  proposals: readonly Proposal[],
  { sources }: Pick<Config, "sources">,
): { readonly claim: Claim; readonly isContrary: boolean }[] {
  const bySource = Map.groupBy(proposals, ({ source }) => source);
  const claims = [...bySource].flatMap(([source, own]) => {
    const ids = new Ids((sources.get(source)?.claims ?? []).map(({ id }) => id));
    return own.slice(0, maxClaimsOfSource).map(({ isKnown: _, ofAudit: __, isContrary, ...one }) => ({
      claim: { ...one, id: ids.give(nameOf(one.proof), "claim"), until: [] },
      isContrary,
    }));
  });
  return claims.slice(0, maxClaims);
}

function nameOf(proof: Proof): string {
  if ("value" in proof) return proof.of ?? proof.value;
  if ("fact" in proof) return proof.fact;
  return "quote" in proof ? proof.quote.split(" ").slice(0, 5).join(" ") : `no ${proof.absent}`;
}

/**
 * The steps that find claims, each on one file or one page: a slow one delays no other. All data are plain.
 * @throws Failure if a step takes too much
 */
export interface Proving {
  stated(file: ReportFile, config: Config): Promise<FileStatements>;
  prove(page: PageToProve): Promise<readonly Outcome[]>;
  sift(proofs: ProofsOfSource, config: Config): Promise<readonly Proposal[]>;
}

/** Runs the steps in this thread, without limits. */
export function provingHere(readers: ReadonlyMap<string, Reader>): Proving {
  return {
    stated: async (file, config) => statementsInFile(file, config, readers),
    prove: async (page) => proveStatements(page),
    sift: async (proofs, config) => siftProofs(proofs, config),
  };
}

export interface WithClaims<F extends ConfigText> {
  readonly files: readonly (F | { readonly path: string; readonly text: string })[];
  readonly config: Config;
  readonly written: readonly Claim[];
}

/**
 * Writes claims into `sources.yaml`; comments and spelling stay. Undefined if there are none, or if the result would
 * not be a valid config.
 */
export function withClaims<F extends ConfigText>(
  files: readonly F[],
  claims: readonly Claim[],
  readers: ReadonlyMap<string, Reader>,
): WithClaims<F> | undefined {
  const sources = files.find(({ path }) => /(?:^|\/)sources\.ya?ml$/.test(path));
  if (!sources || typeof textOf(sources) !== "string" || claims.length === 0) return undefined;
  const { text, uneditable } = addClaims(wholeText(sources), claims);
  const written = claims.filter((claim) => !uneditable.includes(claim));
  if (written.length === 0) return undefined;
  const after = files.map((file) => (file === sources ? { path: file.path, text } : file));
  const { config } = parseConfig(after, readers);
  return config && { files: after, config, written };
}
