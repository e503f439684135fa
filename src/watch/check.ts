import type { Memory } from "../compare/index.ts";
import type { Check } from "../model/check.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import { Failure, type FailureKind, ignoreFailure } from "../model/failure.ts";
import type { Trace } from "../model/heuristics.ts";
import { version } from "../model/own-version.ts";
import type {
  AnswerMemory,
  Clock,
  Fetch,
  Fetched,
  Store,
  Validators,
  Watch,
  WebArchive,
  Workers,
} from "../model/ports/index.ts";
import { StoreProblem } from "../model/problem.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import type { Access, Reader } from "../read/reader.ts";
import { askFor, readWhole } from "./ask.ts";
import { callStore, checkStoreFor } from "./check-store.ts";
import type { CheckOutcome, FetchedCheck } from "./judge.ts";
import { pastAtFirstCheck, pastOfClaims } from "./past.ts";
import { checkRecordOf } from "./record.ts";
import { currentWatch, failedAfter, isReselected, mustHold, type Update, unchangedAfter } from "./watch.ts";
import { readerOf, workersOf } from "./workers.ts";

export interface World {
  readonly config: Config;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly store: Store;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly access: Access;
  readonly archive?: WebArchive;
  /** Earlier answers of registries of works. */
  readonly answers?: AnswerMemory;
  /** Workers that parse and judge responses. Without them that happens in this thread, as in replays. */
  readonly workers?: Workers;
  /** Receives how close a page came to thresholds when it was parsed and compared in this thread. */
  readonly trace?: Trace;
}

/** A check, with the part that its caller still has to store. */
export type CheckedSource = StoredCheck | (Update & { readonly outcome: "unchanged" }) | FailedCheck;

interface StoredCheck {
  readonly outcome: "kept";
  readonly check: Check;
}

export interface FailedCheck extends Update {
  readonly outcome: "failed";
  readonly failure: Failure;
}

/**
 * Checks one source: fetch, parse, compare, prove, evaluate, store. News is stored in one transaction after parsing. Checks
 * that failed or saw nothing new are returned, so that the caller can store many in one write. @throws StoreProblem
 */
export async function check(source: Source, before: Watch | undefined, world: World): Promise<CheckedSource> {
  const at = world.clock.now();
  const watch = currentWatch(before, source, at);
  const judged: Judged = {};
  try {
    return await fetchAndJudge(source, before, watch, { at, world, judged });
  } catch (error) {
    // This is not the source's fault, and no further check could be stored.
    if (error instanceof StoreProblem) throw error;
    const failure = error instanceof Failure ? error : new Failure("internal", {}, error);
    // The memory was parsed with the source's earlier options. The watch keeps them until the source is parsed with the new
    // ones.
    const stays = before && isReselected(before, watch) ? before : watch;
    const after = failedAfter(source, stays, failure, at, world.config);
    const isOfPage = ofResponse.has(failure.kind) && failure.facts.text === undefined;
    const unread = stays === watch && isOfPage ? judged.response : undefined;
    return { ...after, ...(unread && { watch: { ...after.watch, unread } }), outcome: "failed", failure };
  }
}

/** Digest of a parsed response and of the version that parsed it. */
interface Judged {
  response?: string | undefined;
}

/** Failures that depend on the response alone, and not on earlier ones. */
const ofResponse: ReadonlySet<string> = new Set<FailureKind>([
  "empty",
  "wrong-type",
  "malformed",
  "too-many",
  "too-deep",
  "too-new",
  "bot-wall",
  "consent-wall",
  "login-wall",
  "missing-page",
  "error-page",
  "shell",
  "no-text",
]);

/** The program's version is part of the digest, because a new version may recognise other walls and errors. */
function responseDigest(fetched: Fetched, proved: string): string | undefined {
  if (fetched.kind !== "response") return undefined;
  const { url, status, headers } = fetched.response;
  return digest([version, proved, fetched.hash, url, status, headers["content-type"] ?? ""]);
}

/**
 * Compares as cheaply as possible: by the response's hash, then by its fingerprint, and else by parsing it. `watch`:
 * the state at the beginning of this check, made from `before`. @throws Failure
 */
async function fetchAndJudge(
  source: Source,
  before: Watch | undefined,
  watch: Watch,
  { at, world, judged }: { readonly at: Instant; readonly world: World; readonly judged: Judged },
): Promise<CheckedSource> {
  const reader = readerOf(source.kind, world.readers);
  const proved = proofDigest(source, reader);
  const parsesAgain = mustParseAgain(watch, proved);
  const validators = parsesAgain ? undefined : watch.validators;
  const fetched = await askFor(source, reader, world, { validators, newerThan: watch.lastSeen });
  const same = !parsesAgain && (fetched.kind === "not-modified" || fetched.hash === watch.hash);
  if (same) mustHold(watch.holds, at);
  const unchangedCheck = async (lastRead = watch.lastRead, whole = fetched): Promise<CheckedSource> => {
    const after = unchangedAfter(source, { ...watch, lastRead }, whole, at, world.config);
    return watch.trouble ? await storeRecovery(after, world) : { ...after, outcome: "unchanged" };
  };
  // A value that returned is reported when it has lasted, and a held text is accepted. Then even an identical response
  // is judged.
  const hasStayed = watch.returned !== undefined && watch.returned <= at;
  if (same && !watch.pending && !hasStayed && !(await hasMoved(watch, fetched, world.store)))
    return await unchangedCheck();
  const isCompared = parsesAgain || watch.pending || fetched.moved !== undefined || world.trace !== undefined;
  const lastRead = isCompared ? undefined : watch.lastRead;
  const fingerprint = lastRead && fingerprintOf(fetched, source, reader);
  if (fingerprint !== undefined && fingerprint === lastRead?.fingerprint) return await unchangedCheck();
  // If there is a second request, a failure may be caused by its response.
  const isAlone = watch.firstSeen !== undefined || reader.atFirst?.(source) === undefined;
  judged.response = isAlone ? responseDigest(fetched, proved) : undefined;
  const { trouble, unread } = watch;
  if (trouble && unread !== undefined && unread === judged.response)
    throw new Failure(trouble.kind as FailureKind, { said: trouble.says });
  const firstPast = pastAtFirstCheck(source, reader, at, world);
  const laterPast = pastOfClaims(source, reader, watch, at, world);
  const atFirst = watch.firstSeen === undefined ? await versionAtFirst(source, reader, world) : undefined;
  const neighbour = await neighbourOf(source, watch, reader, world);
  const fetchedCheck = { source, before, watch, same, lastRead, at, proved, firstPast, laterPast, atFirst, neighbour };
  const judgeWhole = (whole: Fetched) => {
    judged.response = isAlone ? responseDigest(whole, proved) : undefined;
    return judgeAndStore({ ...fetchedCheck, fetched: whole }, world);
  };
  const reading = await readWhole(fetched, world.fetch, { newerThan: watch.lastSeen }, judgeWhole);
  const { fetched: whole, result: stored } = reading;
  if (stored) return { outcome: "kept", check: stored };
  // The text at another address may change while its page stays the same.
  const learned = lastRead && { ...lastRead, fingerprint: whole === fetched ? fingerprint : undefined };
  return await unchangedCheck(learned, whole);
}

async function versionAtFirst(source: Source, reader: Reader, { fetch }: World) {
  const request = reader.atFirst?.(source);
  const fetched = request && (await fetch.get(request, { robots: reader.robots }));
  return fetched?.kind === "response" ? fetched.response : undefined;
}

/** Fetches the page that may have made the waiting changes too; undefined if none is known or it cannot be fetched. */
async function neighbourOf(source: Source, { neighbour, pending }: Watch, reader: Reader, { fetch, access }: World) {
  if (neighbour === undefined || !pending) return undefined;
  const request = { ...reader.request(source, access), url: neighbour };
  const fetched = await fetch.get(request, { robots: reader.robots }).catch(ignoreFailure);
  return fetched?.kind === "response" ? fetched.response : undefined;
}

/** Whether there is a permanent redirect that was not reported yet, or an earlier one has ended. */
async function hasMoved({ source, moved }: Watch, { moved: address }: Fetched, store: Store): Promise<boolean> {
  if (address === undefined) return moved !== undefined;
  const memory: Memory = JSON.parse((await store.memory(source)) ?? "{}");
  return memory.moved?.address !== address || !memory.moved.told;
}

/** The validators of the next request. There are none if even an identical response must be parsed again. */
export function validatorsOf(source: Source, before: Watch | undefined, world: World): Validators {
  const watch = currentWatch(before, source, world.clock.now());
  const { validators = {} } = watch;
  return mustParseAgain(watch, proofDigest(source, readerOf(source.kind, world.readers))) ? {} : validators;
}

/** A digest of the reader's version and the proofs. If it changes, the same response is parsed again. */
function proofDigest({ claims }: Source, { version }: Reader): string {
  return digest([version, claims.map(({ id, proof }) => [id, proof])]);
}

function mustParseAgain({ proved, gone }: Watch, by: string): boolean {
  return proved !== by || gone;
}

/** Longest response in bytes that is fingerprinted in this thread, which blocks it for up to 30 ms. */
const maxFingerprintedBytes = 512 * 1024;

function fingerprintOf(fetched: Fetched, source: Source, reader: Reader): string | undefined {
  if (fetched.kind !== "response" || fetched.response.body.length > maxFingerprintedBytes) return undefined;
  return reader.fingerprint?.(fetched.response, source);
}

/** Stores at once a check that ends a trouble, so that `explain` can show when it ended. */
async function storeRecovery({ check, watch }: Update, { store }: World): Promise<StoredCheck> {
  const { source, at, outcome } = check;
  const record = checkRecordOf({ source, at, outcome });
  await store.commit((tx) => tx.keep({ watch, check: record, claims: [], events: [], firings: [] }), "soon");
  return { outcome: "kept", check };
}

/** Undefined if the response reads as before. Judges again if the store changed. */
async function judgeAndStore(fetchedCheck: FetchedCheck, world: World): Promise<Check | undefined> {
  const checkStore = checkStoreFor(fetchedCheck, world);
  const workers = await workersOf(world);
  const callMethod = (question: string, args: readonly unknown[]) => callStore(checkStore, question, args);
  for (;;) {
    const task = { ...fetchedCheck, preloaded: await checkStore.preloaded() };
    const outcome = (await workers.run("check", task, { shared: world.config, answer: callMethod })) as
      | CheckOutcome
      | undefined;
    if (!outcome || (await checkStore.keep(outcome.kept))) return outcome?.check;
  }
}
