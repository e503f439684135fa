import { RecentlyUsed } from "../model/cache.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import type { Fetch, Fetched, Response, Validators } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { day } from "../model/time.ts";
import type { Known, Reader } from "../read/reader.ts";
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
export function askingOnce(fetch: Fetch, validators: readonly Validators[]): Fetch {
  const [first = {}] = validators;
  const texts = validators.map(({ etag, lastModified, token, of }) => JSON.stringify([etag, lastModified, token, of]));
  const isAgreed = new Set(texts).size === 1;
  const answers = new Map<string, Promise<Fetched>>();
  return {
    ...fetch,
    get(request, options) {
      const answer =
        answers.get(request.url) ??
        fetch.get(request, { ...options, validators: isAgreed && options.validators ? first : {} });
      answers.set(request.url, answer);
      return answer;
    },
  };
}

/** Size in bytes of the responses whose readings are cached. */
const maxBytes = 8_000_000;

type Answered = Extract<Fetched, { kind: "response" }>;

/**
 * Parses a response once for each way of parsing it. Sources of different repositories that got the same bytes share one
 * reading. Readings are plain data; a shared one must not be changed.
 */
export class ReadOnce {
  readonly #kept = new RecentlyUsed<string, Reading>(maxBytes);

  /** A reader that parses this response once for each way of parsing it, and any other response as usual. */
  of(reader: Reader, answer: Pick<Answered, "response" | "hash">): Reader {
    return {
      ...reader,
      read: async (response, source, known) => {
        if (known?.trace || response !== answer.response) return await reader.read(response, source, known);
        const key = cacheKey(reader, answer.hash, response, source, known);
        const cached = this.#kept.get(key);
        if (cached) return cached;
        const reading = await reader.read(response, source, known);
        this.#kept.set(key, reading, response.body.length);
        return reading;
      },
    };
  }
}

/** Identifies everything that a reading depends on. */
function cacheKey(
  { kind, version }: Reader,
  hash: string,
  { url, status, headers }: Response,
  { address, options }: Source,
  known: Known | undefined,
): string {
  return digest([
    kind,
    version,
    hash,
    url,
    status,
    headers,
    address,
    options,
    known?.region,
    known?.atFirst,
    known?.at && day(known.at).slice(0, 4),
  ]);
}
