import type { Config, Source } from "../model/model.ts";
import type { Fetch, Fetched, Validators } from "../model/ports/index.ts";
import type { World } from "./check.ts";
import type { SourceSelection } from "./schedule.ts";

/** Sources that read one address with other options are asked for by one request. */

/** Names the request that a source is asked for by: the same for all that one answer serves. */
function requestOf(source: Source, { readers, access }: Asking): string {
  return JSON.stringify([source.kind, readers.get(source.kind)?.request(source, access) ?? source.address]);
}

type Asking = Pick<World, "readers" | "access">;

/** Sources of a config that one request answers, by that request: those alone that share it. */
type Sharers = ReadonlyMap<string, readonly Source[]>;

/** A config never changes: its sharers are looked for once for each way of asking. */
const known = new WeakMap<Config, Asking & { readonly sharers: Sharers }>();

function sharersOf({ config, readers, access }: Asking & Pick<World, "config">): Sharers {
  const found = known.get(config);
  if (found?.readers === readers && found.access.githubToken === access.githubToken) return found.sharers;
  const groups = Map.groupBy(config.sources.values(), (source) => requestOf(source, { readers, access }));
  const sharers = new Map([...groups].filter(([, group]) => group.length > 1));
  known.set(config, { readers, access, sharers });
  return sharers;
}

/** Of sources, those that are due, and with them those that the same requests answer; the longest due first. */
export function byRequest(
  due: readonly Source[],
  world: Asking & Pick<World, "config">,
  { sources: only }: SourceSelection,
): (readonly Source[])[] {
  const groups = Map.groupBy(due, (source) => requestOf(source, world));
  if (due.length === 0 || only) return [...groups.values()];
  const sharers = sharersOf(world);
  return [...groups].map(([request, group]) => [...new Set([...group, ...(sharers.get(request) ?? [])])]);
}

/** A way into the web that asks once, with validators on which all who want the answer agree; a failure is theirs all. */
export function askingOnce(fetch: Fetch, validators: readonly Validators[]): Fetch {
  const [first = {}] = validators;
  const texts = validators.map(({ etag, lastModified, token, of }) => JSON.stringify([etag, lastModified, token, of]));
  const isAgreed = new Set(texts).size === 1;
  let answer: Promise<Fetched> | undefined;
  return {
    ...fetch,
    get(request, options) {
      answer ??= fetch.get(request, { ...options, validators: isAgreed ? first : {} });
      return answer;
    },
  };
}
