import { statementsInFile } from "../claims/mine/cited-statements.ts";
import { type Proposals, type Proving, proposeClaims, provingHere, withClaims } from "../claims/mine/index.ts";
import { type ProofsOfSource, siftProofs } from "../claims/mine/sift.ts";
import { type PageToProve, proveStatements } from "../claims/mine/statements.ts";
import { askAboutEntries, setInCondition, withoutConditionsOn } from "../config/edit/condition.ts";
import { changeKind, noteOnPage, openInBrowser } from "../config/edit/source.ts";
import { giveUpSources, leaveOutSources, type OmittedIds, type UnwatchedSource } from "../config/edit/unwatchable.ts";
import { parseConfig } from "../config/index.ts";
import type { Trouble } from "../model/check.ts";
import { inTime } from "../model/concurrency.ts";
import type { Config } from "../model/config.ts";
import { ignoreFailure, refusesToBeRead } from "../model/failure.ts";
import {
  type ReportFindings,
  type RepositoryFile,
  reportLimits,
  type TaskGiver,
  type TriggerCount,
  type Workers,
} from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import { readFrom } from "../model/reading-size.ts";
import type { Source } from "../model/source.ts";
import type { Duration, Instant } from "../model/time.ts";
import { asSentence } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import {
  type Draft,
  type DraftedReport,
  draft,
  type ReportFile,
  type RepositoryContext,
  tableCandidates,
} from "../report/index.ts";
import type { TableCandidate } from "../report/rate/candidates.ts";
import { readingsAtAudit } from "../watch/audit-copy.ts";
import type { World } from "../watch/check.ts";
import {
  askedBy,
  askedPeriod,
  type ConditionsBefore,
  type EntriesToAsk,
  quietBumps,
  timesTooOften,
  triggerCounts,
} from "./question-counts.ts";

/** The results of one check of a draft's sources, by source id. */
export interface FirstAnswers {
  readonly at: Instant;
  readonly readings: ReadonlyMap<string, Reading>;
  readonly failures: ReadonlyMap<string, Pick<Trouble, "kind" | "says">>;
  /** The sources at the audit, if they no longer prove everything that the report says. */
  readonly past?: ReadonlyMap<string, Reading>;
}

/** The reading of an address that has another kind than was drafted, or of a page whose text is elsewhere. */
export interface ReadAddress {
  readonly kind: string;
  /** It is a page that only shows its text in a browser. */
  readonly browser?: true;
  readonly reading: Reading;
}

/** A drafted config, corrected after the first check of its sources. */
export interface SettledDraft extends Drafted {
  /** The claims in the config, and the statements they were taken from. */
  readonly claims: Proposals;
  /** Sources that became `unwatchable`. */
  readonly givenUp: readonly string[];
  /** Triggers that would have asked in the last half year, as far as entries of sources have dates. */
  readonly asked: readonly TriggerCount[];
}

/** The files of a report whose sentences are claims: its own, and chapters that use its references. */
export function citingFiles(
  { chapters = [], ...report }: DraftedReport,
  { citing = [] }: ReportFindings,
): ReportFile[] {
  return [report, ...chapters.filter(({ path }) => citing.includes(path))];
}

interface Drafted {
  readonly files: readonly RepositoryFile[];
  readonly config: Config;
}

type Readers = ReadonlyMap<string, Reader>;

/** The steps for the content of one source, run separately: a slow one delays no other. */
export interface FirstCheckSteps extends Proving {
  /** Counts how often triggers would have asked about the entries of a source. @throws Failure if it takes too much */
  asked(entries: EntriesToAsk, config: Config): Promise<ConditionsBefore>;
}

/** Runs the steps in this thread, without limits. */
export function firstCheckHere(readers: Readers): FirstCheckSteps {
  return { ...provingHere(readers), asked: async (entries, config) => askedBy(entries, config) };
}

/**
 * Corrects a draft by the first check of its sources. Sources that refuse to be read become unwatchable. Repositories
 * without releases are not watched for them. Conditions that would ask too often leave patch releases out. A statement
 * of the report becomes a claim if its source proves it. `reports`: the texts whose sentences are claims.
 */
export async function afterFirstCheck(
  drafted: Drafted,
  reports: readonly ReportFile[],
  check: FirstAnswers,
  readers: Readers,
  steps: FirstCheckSteps = firstCheckHere(readers),
): Promise<SettledDraft> {
  const { givenUp, ...readable } = withoutRefused(withoutUnreleased(drafted, check, readers), check, readers);
  const before = await askedBefore(readable.config, check, steps);
  const { isQuiet, ...quiet } = withoutPatches(readable, before, readers);
  const { readings, past } = check;
  const claims = await proposeClaims(reports, quiet.config, { readings, past, proving: steps });
  const claimed = withClaims(quiet.files, [...claims.claims, ...claims.contradicted], readers);
  const { files, config } = claimed ?? quiet;
  const written = claimed?.written ?? [];
  return {
    files,
    config,
    claims: {
      ...claims,
      claims: written.filter((claim) => claims.claims.includes(claim)),
      contradicted: written.filter((claim) => claims.contradicted.includes(claim)),
    },
    givenUp,
    asked: triggerCounts(config, before, isQuiet),
  };
}

/**
 * Changes sources to the kinds of their responses, with the conditions that ask about them. `read`: the readings of the
 * sources that were changed. Those that cannot be changed stay as drafted.
 */
export function adoptReadKinds(
  drafted: Drafted,
  came: ReadonlyMap<string, ReadAddress>,
  readers: Readers,
): Drafted & { readonly read: ReadonlyMap<string, Reading> } {
  const readings = new Map<string, Reading>();
  let now = drafted;
  for (const [id, { kind, browser, reading }] of came) {
    const files = now.files.map(({ path, text }) => {
      if (kind !== "page") return { path, text: asKind(path, text, id, kind, now.config, readers) };
      if (path !== sourcesFile) return { path, text };
      const edited = browser
        ? openInBrowser(text, id)
        : noteOnPage(text, id, `${asSentence(readFrom(reading.from ?? ""))}.`);
      return { path, text: edited ?? text };
    });
    const { config } = parseConfig(files, readers);
    const source = config?.sources.get(id);
    if (!config || source?.kind !== kind || (browser && source.options.browser !== true)) continue;
    now = { files, config };
    readings.set(id, reading);
  }
  return { ...now, read: readings };
}

function asKind(path: string, text: string, id: string, kind: string, { sources }: Config, readers: Readers): string {
  const from = sources.get(id)?.kind ?? "";
  if (path === sourcesFile) return changeKind(text, id, from, kind) ?? text;
  return readers.get(kind)?.gives({}).items ? (askAboutEntries(text, id) ?? text) : text;
}

/** Only pages, feeds and files count: a registry that refuses is limiting our requests. */
function refusedOf({ sources }: Config, { failures }: FirstAnswers): UnwatchedSource[] {
  return [...failures].flatMap(([id, failure]) => {
    const source = sources.get(id);
    if (!source || !refusesToBeRead(failure) || source.announces.length > 0 || !/^https?:/.test(source.address))
      return [];
    return [{ id, url: source.address, because: `it could not be read when this was drafted: ${failure.says}` }];
  });
}

function withoutRefused(
  drafted: Drafted,
  check: FirstAnswers,
  readers: Readers,
): Drafted & { readonly givenUp: readonly string[] } {
  const refused = refusedOf(drafted.config, check);
  const ids = new Set(refused.map(({ id }) => id));
  const sources = drafted.files.find(({ path }) => path === sourcesFile);
  const without = sources && giveUpSources(sources.text, refused);
  if (without === undefined) return { ...drafted, givenUp: [] };
  const files = drafted.files.map(({ path, text }) => ({
    path,
    text: path === sourcesFile ? without : (withoutConditionsOn(text, { sources: ids, products: new Set() }) ?? text),
  }));
  const { config } = parseConfig(files, readers);
  return config ? { files, config, givenUp: [...ids] } : { ...drafted, givenUp: [] };
}

/** Sources for releases that were drafted for a repository without releases. */
function unreleasedIn({ sources }: Config, { readings, failures }: FirstAnswers, readers: Readers): OmittedIds {
  const all = [...sources.values()];
  const watchedAddresses = new Set(all.map(({ kind, address }) => `${readers.get(kind)?.rather?.kind} ${address}`));
  const unreleased = all.filter(({ id, kind, address }) => {
    const isEmpty = readings.get(id)?.items?.length === 0 || failures.get(id)?.kind === "not-found";
    return isEmpty && watchedAddresses.has(`${kind} ${address}`);
  });
  const others = all.filter((source) => !unreleased.includes(source));
  const announced = new Set(others.flatMap(({ announces }) => announces));
  const products = unreleased.flatMap(({ announces }) => announces).filter((product) => !announced.has(product));
  return { sources: new Set(unreleased.map(({ id }) => id)), products: new Set(products) };
}

function withoutUnreleased(drafted: Drafted, check: FirstAnswers, readers: Readers): Drafted {
  const unreleased = unreleasedIn(drafted.config, check, readers);
  const files = drafted.files.map(({ path, text }) => {
    const without = path === sourcesFile ? leaveOutSources : withoutConditionsOn;
    return { path, text: without(text, unreleased) ?? text };
  });
  const { config } = parseConfig(files, readers);
  return config ? { files, config } : drafted;
}

const sourcesFile = "sources.yaml";

/** Over all sources, except those whose entries take too much. */
async function askedBefore(
  config: Config,
  { at, readings }: FirstAnswers,
  steps: FirstCheckSteps,
): Promise<ConditionsBefore> {
  const since = at - askedPeriod;
  const of = async (source: Source): Promise<ConditionsBefore> => {
    const items = (readings.get(source.id)?.items ?? []).filter((item) => item.at !== undefined);
    if (items.length === 0) return [];
    return (await steps.asked({ source, items, since }, config).catch(ignoreFailure)) ?? [];
  };
  return (await Promise.all([...config.sources.values()].map(of))).flat();
}

type IsQuiet = (trigger: string, index: number) => boolean;

/** Limits conditions to releases that are not patches, if they ask too often and there were such releases. */
function withoutPatches(
  { files, config }: Drafted,
  before: ConditionsBefore,
  readers: Readers,
): Drafted & { readonly isQuiet: IsQuiet } {
  const quietPlaces = new Set<string>();
  const changed = files.map((file) => {
    const trigger = config.triggers.get(file.path.replace(/^triggers\/|\.yaml$/g, ""));
    const text = (trigger?.on ?? []).reduce((written, _, index) => {
      const times = trigger && timesTooOften(trigger.id, index, before);
      if (!trigger || times === undefined) return written;
      const spelling = `[${quietBumps.join(", ")}] # of all releases there were ${times} in half a year`;
      const quieter = setInCondition(written, { part: "on", index }, "bump", { value: [...quietBumps], spelling });
      if (quieter !== undefined) quietPlaces.add(placeOf(trigger.id, index));
      return quieter ?? written;
    }, file.text);
    return text === file.text ? file : { ...file, text };
  });
  const { config: after } = changed.some((file, i) => file !== files[i]) ? parseConfig(changed, readers) : {};
  if (!after) return { files, config, isQuiet: () => false };
  return { files: changed, config: after, isQuiet: (trigger, index) => quietPlaces.has(placeOf(trigger, index)) };
}

function placeOf(trigger: string, index: number): string {
  return `${trigger} ${index}`;
}

/** The time that an archive may take for all pages of a draft. */
export interface PastAudit {
  readonly within: Duration;
  /** Whether no further page may be requested, even if there is time. */
  readonly stopped?: () => boolean;
}

/** Reads copies from the audit, within the time. `open`: ids of sources that do not prove everything. */
export async function pastOfUnproved(
  open: readonly string[],
  config: Config,
  now: ReadonlyMap<string, Reading>,
  web: Pick<World, "readers" | "archive" | "clock" | "workers">,
  { within, stopped = () => false }: PastAudit,
): Promise<ReadonlyMap<string, Reading>> {
  const sources = open.flatMap((id) => config.sources.get(id) ?? []);
  const readings = new Map<string, Reading>();
  let isOver = false;
  const ask = async () => {
    const copies = readingsAtAudit(sources, now, { ...web, config }, () => isOver || stopped());
    for await (const [id, reading] of copies) if (!isOver) readings.set(id, reading);
  };
  try {
    await inTime(ask(), within, () => {});
  } finally {
    isOver = true;
  }
  return readings;
}

type Giver = Required<TaskGiver>;

/** What is known about a report's repository, without the readers. */
export type AroundReport = Omit<RepositoryContext, "readers">;

export interface ReportToDraft {
  readonly report: DraftedReport;
  readonly around: AroundReport;
  /** Ids of the tables that rate, if people chose them. */
  readonly chosen?: readonly string[] | undefined;
}

/** The tasks of workers that process a report and the sources of its draft. */
export function draftTasksBy(readers: ReadonlyMap<string, Reader>) {
  return {
    draft: ({ report, around, chosen }: ReportToDraft) => draft(report, { ...around, readers }, chosen),
    tables: (report: DraftedReport) => tableCandidates(report),
    stated: (file: ReportFile, { shared }: Giver) => statementsInFile(file, shared as Config, readers),
    prove: (page: PageToProve) => proveStatements(page),
    sift: (proofs: ProofsOfSource, { shared }: Giver) => siftProofs(proofs, shared as Config),
    asked: (entries: EntriesToAsk, { shared }: Giver) => askedBy(entries, shared as Config),
  };
}

/** Drafts a config for a report. @throws Failure if that takes too much */
export async function draftIn(workers: Workers, toDraft: ReportToDraft): Promise<Draft | undefined> {
  return (await workers.run("draft", toDraft, reportLimits)) as Draft | undefined;
}

/** The tables of a report that may rate something. @throws Failure if finding them takes too much */
export async function tableCandidatesIn(workers: Workers, report: DraftedReport): Promise<TableCandidate[]> {
  return (await workers.run("tables", report, reportLimits)) as TableCandidate[];
}

export function firstCheckIn(workers: Workers): FirstCheckSteps {
  return {
    stated: async (file, config) =>
      (await workers.run("stated", file, { shared: config, ...reportLimits })) as ReturnType<typeof statementsInFile>,
    prove: async (page) => (await workers.run("prove", page)) as ReturnType<typeof proveStatements>,
    sift: async (proofs, config) =>
      (await workers.run("sift", proofs, { shared: config })) as ReturnType<typeof siftProofs>,
    asked: async (entries, config) =>
      (await workers.run("asked", entries, { shared: config })) as ReturnType<typeof askedBy>,
  };
}
