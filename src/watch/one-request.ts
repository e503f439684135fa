import type { Source } from "../model/model.ts";
import type { Fetch, Fetched, Validators } from "../model/ports/index.ts";
import type { World } from "./check.ts";

/** Sources that read one address with other options are asked for by one request. */

/** Names the request that a source is asked for by: the same for all that one answer serves. */
function requestOf(source: Source, { readers, access }: Pick<World, "readers" | "access">): string {
  return JSON.stringify([source.kind, readers.get(source.kind)?.request(source, access) ?? source.address]);
}

/** Of sources, those that are due, and with them those that the same requests answer; the longest due first. */
export function byRequest(
  due: readonly Source[],
  all: Iterable<Source>,
  world: Pick<World, "readers" | "access">,
): (readonly Source[])[] {
  const groups = new Map<string, Set<Source>>(due.map((source) => [requestOf(source, world), new Set<Source>()]));
  for (const source of [...due, ...all]) groups.get(requestOf(source, world))?.add(source);
  return [...groups.values()].map((group) => [...group]);
}

/** A way into the web that asks once, with validators on which all who want the answer agree; a failure is theirs all. */
export function askingOnce(fetch: Fetch, validators: readonly Validators[]): Fetch {
  const [first = {}] = validators;
  const isAgreed =
    new Set(validators.map(({ etag, lastModified, token }) => JSON.stringify([etag, lastModified, token]))).size === 1;
  let answer: Promise<Fetched> | undefined;
  return {
    ...fetch,
    get(request, options) {
      answer ??= fetch.get(request, { ...options, validators: isAgreed ? first : {} });
      return answer;
    },
  };
}
