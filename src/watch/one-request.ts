import { makeOnce } from "../model/cache.ts";
import type { Config } from "../model/config.ts";
import type { Fetch, Fetched, Validators } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { World } from "./check.ts";
import type { SourceSelection } from "./schedule.ts";

/** Sends one request for an address that several sources read with different options. */

/** Identifies a source's request. Sources with equal requests share the response. */
function requestOf(source: Source, { readers, access }: Asking): string {
  return JSON.stringify([source.kind, readers.get(source.kind)?.request(source, access) ?? source.address]);
}

type Asking = Pick<World, "readers" | "access">;

type Sharers = ReadonlyMap<string, readonly Source[]>;

/** Cache: the sharing sources of each config, by the readers and access that they were computed for. A config never changes. */
const sharersByConfig = new WeakMap<Config, Asking & { readonly sharers: Sharers }>();

function sharersOf({ config, readers, access }: Asking & Pick<World, "config">): Sharers {
  const cached = sharersByConfig.get(config);
  if (cached?.readers === readers && cached.access.githubToken === access.githubToken) return cached.sharers;
  const groups = Map.groupBy(config.sources.values(), (source) => requestOf(source, { readers, access }));
  const sharers = new Map([...groups].filter(([, group]) => group.length > 1));
  sharersByConfig.set(config, { readers, access, sharers });
  return sharers;
}

/** Groups the due sources with all others that share their requests, longest due first. */
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

/** Sends one request for each address, with validators only if all sources have the same. A failure counts for all. */
export function withOneRequestEach(fetch: Fetch, validators: readonly Validators[]): Fetch {
  const [first = {}] = validators;
  const texts = validators.map(({ etag, lastModified, token, of }) => JSON.stringify([etag, lastModified, token, of]));
  const isAgreed = new Set(texts).size === 1;
  const withCommon: Fetch["get"] = (request, options) =>
    fetch.get(request, { ...options, validators: isAgreed && options.validators ? first : {} });
  return rememberAnswers({ ...fetch, get: withCommon }, ({ url }) => url);
}

const maxKeptBytes = 50_000_000;

/** The key of a request whose answer is kept; undefined for others. */
export type AnswerKey = (...request: Parameters<Fetch["get"]>) => string | undefined;

/** Sends requests that have the same key only once, while all answers together are not too large. */
export function rememberAnswers(fetch: Fetch, keyOf: AnswerKey): Fetch {
  const answers = new Map<string, Promise<Fetched>>();
  let bytes = 0;

  async function ask(...request: Parameters<Fetch["get"]>): Promise<Fetched> {
    const fetched = await fetch.get(...request);
    bytes += fetched.kind === "response" ? fetched.response.body.length : 0;
    return fetched;
  }

  return {
    ...fetch,
    get(...request) {
      const key = keyOf(...request);
      const isKept = key !== undefined && (bytes <= maxKeptBytes || answers.has(key));
      return isKept ? makeOnce(answers, key, () => ask(...request)) : fetch.get(...request);
    },
  };
}
