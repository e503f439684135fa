import { Failure } from "../../../model/failure.ts";
import type { Look, Reading, Source } from "../../../model/model.ts";
import type { Fetch, Fetched, Response } from "../../../model/ports/index.ts";
import type { Access, Reader } from "../../../read/reader.ts";
import { check, type World } from "../../../watch/check.ts";
import { settle } from "../../../watch/scan.ts";
import type { Candidate, Tried } from "./proposal.ts";
import { givesNow } from "./propose.ts";

/** All that looking at candidates needs of the world. */
export interface Web {
  readonly fetch: Fetch;
  readonly access: Access;
  readonly readers: ReadonlyMap<string, Reader>;
}

/** The outcome of a look at a candidate. */
export interface Sight {
  readonly candidate: Pick<Candidate, "kind" | "address" | "options">;
  readonly response?: Response;
  /** Where a permanent redirect led. */
  readonly moved?: string;
  readonly reading?: Reading;
  readonly failure?: Failure;
}

/** Requests for one address that is to be added; robots.txt and redirects not counted. */
const most = 6;

/** Looks at candidates, each through its own reader, and no more of them than is polite. */
export class Prober {
  readonly web: Web;
  readonly tried: Tried[] = [];

  constructor(web: Web) {
    this.web = web;
  }

  get spent(): boolean {
    return this.tried.length >= most;
  }

  async look(candidate: Sight["candidate"]): Promise<Sight> {
    const sight = await see(candidate, this.web);
    const { failure, reading } = sight;
    const says = failure?.message ?? (reading ? givesNow(reading) : "");
    this.tried.push({ kind: candidate.kind, address: candidate.address, says, seen: failure === undefined });
    return sight;
  }
}

/** One look that nothing is remembered of. Never throws: what went wrong is part of the sight. */
export async function see(candidate: Sight["candidate"], { fetch, access, readers }: Web): Promise<Sight> {
  const reader = readers.get(candidate.kind);
  if (!reader) throw new Error(`no reader of kind ${candidate.kind}`);
  const source = sourceOf(candidate);
  let came: Pick<Sight, "response" | "moved"> = {};
  try {
    const { answers, robots } = reader;
    const fetched = await fetch.get(reader.request(source, access), { answers, robots });
    if (fetched.kind !== "response") throw new Failure("status", { status: 304 });
    came = { response: fetched.response, ...(fetched.moved !== undefined && { moved: fetched.moved }) };
    return { candidate, ...came, reading: await reader.read(fetched.response, source) };
  } catch (error) {
    return { candidate, ...came, failure: failureIn(error) };
  }
}

/** The same address by the first kind whose service knows it, where that of its own kind does not: a DOI of another agency. */
export async function lookElsewhere(
  { kind, address }: Sight["candidate"],
  readers: ReadonlyMap<string, Reader>,
  look: (candidate: Sight["candidate"]) => Promise<Sight>,
): Promise<Sight | undefined> {
  for (const other of readers.get(kind)?.elsewhere ?? []) {
    const sight = await look({ kind: other, address });
    if (sight.reading) return sight;
  }
  return undefined;
}

/** A failure as it was told; anything else that was thrown is a defect of ours. */
export function failureIn(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure("internal", {}, error);
}

/** As little of a source as a reader looks at. */
export function sourceOf({ kind, address, options = {} }: Sight["candidate"]): Source {
  const none = { cites: [], standsFor: [], citedBy: [], announces: [], claims: [] };
  return { id: "new", kind, address, options, ...none };
}

/** Asks for nothing twice: what was shown is what the first look keeps. */
export function remembering(fetch: Fetch): Fetch {
  const known = new Map<string, Promise<Fetched>>();
  return {
    get(request, options) {
      const key = JSON.stringify([request.url, request.accept, options.answers]);
      const before = known.get(key);
      if (before) return before;
      const answer = fetch.get(request, { ...options, validators: undefined });
      known.set(key, answer);
      return answer;
    },
    githubAllowance: () => fetch.githubAllowance(),
    close: () => fetch.close(),
  };
}

/** The first look at a source that is in config by now; it is kept as any look of a scan is. */
export async function firstLook(source: Source, world: World): Promise<Look> {
  const before = (await world.store.watches()).find((watch) => watch.source === source.id);
  const checked = await check(source, before, world);
  if (!checked.kept && checked.failure) await settle(source, before, checked, world);
  else if (!checked.kept) await world.store.touch([checked.watch]);
  return checked.look;
}
