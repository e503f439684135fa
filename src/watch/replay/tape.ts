import { createHash } from "node:crypto";
import type { Memory } from "../../compare/index.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Trouble } from "../../model/check.ts";
import type { Config } from "../../model/config.ts";
import { Failure, type FailureKind, failureKinds } from "../../model/failure.ts";
import { builtIn } from "../../model/firing.ts";
import {
  type CheckRecord,
  type Clock,
  type Fetch,
  type Fetched,
  isOver,
  type Response,
  type Snapshot,
  type Store,
} from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";
import type { Access, Reader } from "../../read/reader.ts";
import type { ReplaySettings } from "./play.ts";

export interface Frame {
  readonly at: Instant;
  /** Undefined: the same as before. */
  readonly response?: Response;
  /** A failure instead of a response, until the next frame. */
  readonly failure?: Failure;
  /** The target of a permanent redirect. */
  readonly moved?: string;
}

/** A source's answers over time, oldest first. */
export interface Tape {
  readonly source: Source;
  readonly frames: readonly Frame[];
  /** Until then the source was seen, even without records (default: until the end). */
  readonly seenUntil?: Instant;
  /** The version with which its first check was compared. */
  readonly atFirst?: string | undefined;
}

/** Requests to GitHub are made as if with a token, but responses without one are recognised, too. */
export const access: Access = { githubToken: true };

/** A web that answers every source from its tape, at the clock's time. */
export function tapeFetch(tapes: readonly Tape[], readers: ReadonlyMap<string, Reader>, clock: Clock): Fetch {
  const byAddress = new Map<string | undefined, readonly Frame[]>(
    tapes.flatMap(({ source, frames, atFirst }) => {
      const reader = readers.get(source.kind);
      const first = atFirst === undefined ? undefined : reader?.atFirst?.(source)?.url;
      const version = { url: first ?? "", status: 200, headers: {}, body: new TextEncoder().encode(atFirst) };
      const present = [reader?.request(source, access).url, frames] as const;
      return first === undefined ? [present] : [present, [first, [{ at: 0, response: version }]] as const];
    }),
  );
  return {
    async get({ url }, { answers }): Promise<Fetched> {
      const past = byAddress.get(url)?.filter(({ at }) => at <= clock.now()) ?? [];
      const last = past.at(-1);
      if (last?.failure) throw last.failure;
      const response = past.findLast((frame) => frame.response !== undefined)?.response;
      const status = response?.status ?? 404;
      if (!response || (status >= 300 && !answers?.includes(status))) {
        throw new Failure(status === 404 || status === 410 ? "not-found" : "status", { status });
      }
      const moved = past.findLast(({ failure }) => !failure)?.moved;
      return { kind: "response", response, validators: {}, hash: hashOf(response), ...(moved && { moved }) };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
}

const hashes = new WeakMap<Response, string>();

function hashOf(response: Response): string {
  return makeOnce(hashes, response, () =>
    createHash("sha256").update(`${response.url}\n`).update(response.body).digest("hex"),
  );
}

export interface StoredPast {
  readonly tapes: readonly Tape[];
  readonly answers: ReplaySettings["answers"];
}

/** A number above the checks and snapshots of any source. */
const everyRow = 10_000;

/** The stored checks and snapshots of every source in config, since the first check of its present address. */
export async function storedTapes(config: Config, store: Store): Promise<StoredPast> {
  const watches = new Map((await store.watches()).map((watch) => [watch.source, watch]));
  const tapes: Tape[] = [];
  for (const source of config.sources.values()) {
    const checks = await store.checks(source.id, everyRow);
    const watch = watches.get(source.id);
    const tape = tapeOf(source, checks, await store.snapshots(source.id, everyRow), watch?.unknown ?? 0);
    if (tape.frames.length === 0) continue;
    const { atFirst }: Memory = source.kind === "lines" ? JSON.parse((await store.memory(source.id)) ?? "{}") : {};
    tapes.push({ ...tape, seenUntil: watch?.lastSeen ?? 0, ...(atFirst !== undefined && { atFirst }) });
  }
  const fed = Map.groupBy(await store.firings(), ({ recheck }) => recheck);
  const answers = (await store.rechecks()).filter(isOver).flatMap(({ id, trigger, closed }) => {
    // *Catch up* asks for many triggers at once.
    const asks = trigger === builtIn.catchUp ? (fed.get(id) ?? []).map((firing) => firing.trigger) : [trigger];
    return [...new Set(asks)].map((one) => ({ trigger: one, at: closed }));
  });
  return { tapes, answers };
}

/** A tape from lists that are newest first. `unknown`: how many checks of the present address failed. */
function tapeOf(source: Source, checks: readonly CheckRecord[], snapshots: readonly Snapshot[], unknown: number): Tape {
  // A source with a changed address started again, with a first check or with failed checks.
  const first = checks.find(({ outcome }) => outcome === "first")?.at ?? Infinity;
  const failedFirst = checks.filter(({ failure }) => failure).slice(0, unknown);
  const start = Math.min(first, failedFirst.at(-1)?.at ?? Infinity);
  const gone = checks.some(({ happenings = [] }) =>
    happenings.some(({ changes: [first] }) => first?.change.kind === "link" && first.change.to === "gone"),
  );
  const frames = new Map<Instant, Frame>();
  for (const { at, failure, moved } of checks) {
    frames.set(at, { at, failure: failure && failureOf(failure, gone), ...(moved && { moved }) });
  }
  for (const { at, response } of snapshots) frames.set(at, { ...(frames.get(at) ?? { at }), response });
  const inOrder = [...frames.values()].filter(({ at }) => at >= start).sort((a, b) => a.at - b.at);
  const firstAnswer = inOrder.findIndex(({ response, failure }) => response !== undefined || failure !== undefined);
  return { source, frames: firstAnswer < 0 ? [] : inOrder.slice(firstAnswer) };
}

/** A name that did not resolve counts towards *gone* only if the source was found to be gone. */
function failureOf({ kind, says }: Trouble, gone: boolean): Failure {
  const failureKind = failureKinds.find((one): one is FailureKind => one === kind) ?? "internal";
  return new Failure(failureKind, { said: says, ...(failureKind === "dns" && !gone && { code: "EAI_AGAIN" }) });
}
