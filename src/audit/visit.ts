import { Failure } from "../model/failure.ts";
import type { AnswerMemory, Fetch, Response, Workers } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Access, Reader } from "../read/reader.ts";
import { askFor, readWhole } from "../watch/ask.ts";
import type { AnswerKey } from "../watch/one-request.ts";

export interface Target {
  readonly kind: string;
  readonly address: string;
  readonly options?: Readonly<Record<string, string | true>>;
}

export interface Web {
  readonly fetch: Fetch;
  readonly access: Access;
  readonly readers: ReadonlyMap<string, Reader>;
  /** Workers that read the links of pages; without them this thread does. */
  readonly workers?: Workers;
  /** Earlier answers of registries of works; without them each is asked again. */
  readonly answers?: AnswerMemory;
}

export interface Visit {
  readonly candidate: Target;
  readonly response?: Response;
  /** The target of a permanent redirect. */
  readonly moved?: string;
  readonly reading?: Reading;
  readonly failure?: Failure;
}

/** Checks once, without remembering anything. Never throws: a failure is part of the result. */
export async function visit(candidate: Target, { fetch, access, readers }: Web): Promise<Visit> {
  const reader = readers.get(candidate.kind);
  if (!reader) throw new Error(`no reader of kind ${candidate.kind}`);
  const source = sourceOf(candidate);
  let received: Pick<Visit, "response" | "moved"> = {};
  try {
    const fetched = await askFor(source, reader, { fetch, access });
    if (fetched.kind !== "response") throw new Failure("status", { status: 304 });
    const { response, moved } = fetched;
    received = {
      response,
      ...(moved !== undefined && { moved: reader.leadsTo?.({ url: response.url, response }, source) ?? moved }),
    };
    const { result: reading } = await readWhole(fetched, fetch, {}, async (whole) =>
      reader.read(whole.kind === "response" ? whole.response : response, source),
    );
    return { candidate, ...received, reading };
  } catch (error) {
    return { candidate, ...received, failure: failureIn(error) };
  }
}

/** Tries other kinds if the service of its own kind does not know the address: a DOI of another agency. */
export async function checkElsewhere(
  { kind, address }: Target,
  readers: ReadonlyMap<string, Reader>,
  check: (candidate: Target) => Promise<Visit>,
): Promise<Visit | undefined> {
  for (const other of readers.get(kind)?.elsewhere ?? []) {
    const visited = await check({ kind: other, address });
    if (visited.reading) return visited;
  }
  return undefined;
}

/** The failure that was thrown; any other error is a defect of ours. */
export function failureIn(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure("internal", {}, error);
}

/** The parts of a source that a reader checks. */
export function sourceOf({ kind, address, options = {} }: Target): Source {
  const none = { cites: [], standsFor: [], citedBy: [], announces: [], claims: [] };
  return { id: "new", kind, address, options, ...none };
}

/** The key of a work's record: the check of a DOI and the check of its work both need it. DOIs ignore case. */
export const recordOf: AnswerKey = ({ url }) =>
  /^https:\/\/api\.(?:crossref|datacite)\.org\//.test(url) ? url.toLowerCase() : undefined;
