import { createHash } from "node:crypto";
import { Failure } from "../failure.ts";
import type { Instant, Source } from "../model.ts";
import type { Clock, Fetch, Fetched } from "../ports.ts";
import type { Access, Reader, Response } from "../read/reader.ts";

/** What a source answered at one moment, and answers until the next. */
export interface Frame {
  readonly at: Instant;
  /** Undefined: the same as before. */
  readonly response?: Response;
  /** Instead of an answer, until the next. */
  readonly failure?: Failure;
  /** Where a permanent redirect led. */
  readonly moved?: string;
}

/** A source's answers over time, oldest first. */
export interface Tape {
  readonly source: Source;
  readonly frames: readonly Frame[];
  /** Until then it was seen, whatever was recorded; else until the end. */
  readonly seenUntil?: Instant;
}

/** GitHub's answers are asked for as with a token; one that came without is read by its first bytes all the same. */
export const access: Access = { githubToken: true };

/** A web that answers every source from its tape, as it stood at the clock's time. */
export function tapeFetch(tapes: readonly Tape[], readers: ReadonlyMap<string, Reader>, clock: Clock): Fetch {
  const byAddress = new Map(
    tapes.map((tape) => [readers.get(tape.source.kind)?.request(tape.source, access).url, tape.frames]),
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
  const known = hashes.get(response);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(response.body).digest("hex");
  hashes.set(response, hash);
  return hash;
}
