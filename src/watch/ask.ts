import { Failure } from "../model/failure.ts";
import type { Fetch, Fetched, FetchOptions } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { Access, Reader } from "../read/reader.ts";

/**
 * Fetches a source. If it is missing at its own address, the reader's other address is tried; a response from there counts as a
 * permanent redirect. @throws Failure
 */
export async function askFor(
  source: Source,
  reader: Reader,
  { fetch, access }: { readonly fetch: Fetch; readonly access: Access },
  options: FetchOptions = {},
): Promise<Fetched> {
  const request = reader.request(source, access);
  const { answers, robots } = reader;
  const fetchOptions = { ...options, answers, robots };
  try {
    return await fetch.get(request, fetchOptions);
  } catch (error) {
    const other = isMissing(error) ? reader.otherwise?.(source) : undefined;
    if (other === undefined) throw error;
    const fetched = await fetch.get({ ...request, url: other }, fetchOptions).catch((again: unknown) => {
      throw isMissing(again) ? error : again;
    });
    return { ...fetched, moved: fetched.moved ?? other };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Failure && error.kind === "not-found";
}
