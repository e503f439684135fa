import { digest } from "../model/digest.ts";
import { Failure } from "../model/failure.ts";
import type { Fetch, Fetched, FetchOptions, Request, Response } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { Access, Detours, Reader } from "../read/reader.ts";

/**
 * Fetches a source. If it is missing at its own address, the reader says what to ask then. @throws Failure
 */
export async function askFor(
  source: Source,
  reader: Reader,
  { fetch, access }: { readonly fetch: Fetch; readonly access: Access },
  options: FetchOptions = {},
): Promise<Fetched> {
  const request = reader.request(source, access);
  const { answers, robots } = reader;
  try {
    return await fetch.get(request, { ...options, answers, robots });
  } catch (error) {
    const { validators: _, ...others } = options;
    const detours = isMissing(error) ? reader.otherwise?.(source) : undefined;
    const fetched = detours && (await askElsewhere(detours, request, fetch, { ...others, robots }));
    if (!fetched) throw error;
    return fetched;
  }
}

/** Undefined if it is nowhere. What comes from another address counts as another response, even if it has the same bytes. */
async function askElsewhere(
  detours: Detours,
  usual: Request,
  fetch: Fetch,
  options: FetchOptions,
): Promise<Fetched | undefined> {
  let response: Response | undefined;
  for (let step = detours.next(); !step.done; step = detours.next(response)) {
    const { gives } = step.value;
    const request = gives === "hint" ? step.value.request : { ...usual, ...step.value.request };
    const fetched = await fetch.get(request, options).catch((error: unknown) => {
      const saysNothing = gives === "hint" && error instanceof Failure && error.kind === "too-large";
      if (!isMissing(error) && !saysNothing) throw error;
    });
    response = fetched?.kind === "response" ? fetched.response : undefined;
    if (fetched?.kind !== "response" || gives === "hint") continue;
    const moved = gives === "moved source" ? { moved: fetched.moved ?? request.url } : {};
    return { ...fetched, ...moved, hash: digest([fetched.hash, request.url]), validators: {} };
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Failure && error.kind === "not-found";
}
