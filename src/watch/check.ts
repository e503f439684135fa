import { digest } from "../model/digest.ts";
import { Failure } from "../model/failure.ts";
import type { Config, Look, Source } from "../model/model.ts";
import type { Clock, Fetch, Fetched, Store, Validators, Watch, WebArchive, Workers } from "../model/ports/index.ts";
import type { Trace } from "../model/trace.ts";
import type { Access, Reader } from "../read/reader.ts";
import { answerAt, deskFor } from "./desk.ts";
import { type AnsweredLook, type Judged, judgeLook } from "./judge.ts";
import { hasMoved, isReselected } from "./memory.ts";
import { pastAtFirstLook, pastOfClaims } from "./past.ts";
import { lookRecordOf } from "./record.ts";
import { type After, current, mustHold, unchanged, unknown } from "./watch.ts";

/** The world, as one look needs it. */
export interface World {
  readonly config: Config;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly store: Store;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly access: Access;
  /** Where copies of pages are looked for, if anywhere. */
  readonly archive?: WebArchive;
  /** Where answers are read and judged; in this thread, if nowhere else: in replays, whose answers were read before. */
  readonly workers?: Workers;
  /** Hears how near its thresholds a page was read and compared, in this thread. */
  readonly trace?: Trace;
}

/** A look, and what is left to record: nothing where it was kept already. */
export type CheckedLook =
  | { readonly look: Look; readonly kept: true }
  | { readonly look: Look; readonly kept: false; readonly watch: Watch; readonly failure?: Failure };

/**
 * Looks at one source: ask, read, compare, prove, evaluate, keep. What was seen is kept in one transaction, after it was
 * read; a look that saw the same response, or failed, leaves its record to the caller.
 */
export async function check(source: Source, before: Watch | undefined, world: World): Promise<CheckedLook> {
  const at = world.clock.now();
  const watch = current(before, source, at);
  try {
    const reader = readerOf(source, world);
    const proved = provedBy(source, reader);
    const anew = isReadAnew(watch, proved);
    const fetched = await ask(source, reader, anew ? { lastSeen: watch.lastSeen } : watch, world);
    const same = !anew && (fetched.kind === "not-modified" || fetched.hash === watch.hash);
    if (same) mustHold(watch.holds, at);
    const asBefore = async (lastRead = watch.lastRead) => {
      const after = unchanged(source, { ...watch, lastRead }, fetched, at, world.config);
      return watch.trouble ? await keepSeenAgain(after, world) : { ...after, kept: false as const };
    };
    const stayed = watch.returned !== undefined && watch.returned <= at;
    if (same && !watch.pending && !stayed && !(await hasMoved(watch, fetched, world.store))) return await asBefore();
    const isCompared = anew || watch.pending || fetched.moved !== undefined || world.trace !== undefined;
    const lastRead = isCompared ? undefined : watch.lastRead;
    const fingerprint = lastRead && fingerprintOf(fetched, source, reader);
    if (fingerprint !== undefined && fingerprint === lastRead?.fingerprint) return await asBefore();
    const firstPast = pastAtFirstLook(source, reader, at, world);
    const laterPast = pastOfClaims(source, reader, watch, at, world);
    const sight = { source, before, watch, fetched, same, lastRead, at, proved, firstPast, laterPast };
    const look = await judged(sight, reader, world);
    return look ? { look, kept: true } : await asBefore(lastRead && { ...lastRead, fingerprint });
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure("internal", {}, error);
    // Memory goes by the options that it was read with.
    const as = before && isReselected(before, watch) ? before : watch;
    return { ...unknown(source, as, failure, at, world.config), kept: false, failure };
  }
}

/** The validators by which the next look at a source asks; none where even the same response is to be read anew. */
export function validatorsOf(source: Source, before: Watch | undefined, world: World): Validators {
  const watch = current(before, source, world.clock.now());
  const { validators = {} } = watch;
  return isReadAnew(watch, provedBy(source, readerOf(source, world))) ? {} : validators;
}

/** Names that by which its claims are proved: another reader or proof reads the same response anew. */
function provedBy({ claims }: Source, { version }: Reader): string {
  return digest([version, claims.map(({ id, proof }) => [id, proof])]);
}

function isReadAnew({ proved, gone }: Watch, by: string): boolean {
  return proved !== by || gone;
}

/** Bytes of an answer that is looked through in this thread, which takes it 30 ms at most: as long as nothing else goes on. */
const maxLookedThrough = 512 * 1024;

function fingerprintOf(fetched: Fetched, source: Source, reader: Reader): string | undefined {
  if (fetched.kind !== "response" || fetched.response.body.length > maxLookedThrough) return undefined;
  return reader.fingerprint?.(fetched.response, source);
}

/** The end of a trouble is recorded, like its beginning. */
async function keepSeenAgain({ look, watch }: After, { store }: World): Promise<CheckedLook> {
  const { source, at, outcome } = look;
  const record = lookRecordOf({ source, at, outcome, sightings: [], noise: [] });
  await store.commit((tx) => tx.keep({ watch, look: record, claims: [], events: [], firings: [] }), "soon");
  return { look, kept: true };
}

function readerOf(source: Source, { readers }: World): Reader {
  const reader = readers.get(source.kind);
  if (!reader) throw new Error(`no reader of kind ${source.kind}`);
  return reader;
}

function ask(
  source: Source,
  reader: Reader,
  { validators, lastSeen }: Pick<Watch, "validators" | "lastSeen">,
  world: World,
): Promise<Fetched> {
  const { answers, robots } = reader;
  return world.fetch.get(reader.request(source, world.access), { validators, answers, robots, newerThan: lastSeen });
}

/**
 * Judges what a source answered: apart from this program, where there are workers. Undefined, and nothing is kept, where it
 * reads as it did before.
 */
async function judged(sight: AnsweredLook, reader: Reader, world: World): Promise<Look | undefined> {
  const { config, workers, trace } = world;
  const desk = deskFor(sight, world);
  const answer = (question: string, args: readonly unknown[]) => answerAt(desk, question, args);
  for (;;) {
    const judgedNow = async () =>
      workers
        ? ((await workers.run("look", { ...sight, given: await desk.given() }, { shared: config, answer })) as
            | Judged
            | undefined)
        : await judgeLook(sight, desk, { config, reader, trace });
    const found = await judgedNow();
    if (!found || (await desk.keep(found.kept))) return found?.told;
  }
}
