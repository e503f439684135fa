import { digest } from "../model/digest.ts";
import type { Fetched, Response } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import { RecentlyUsed } from "../model/recently-used.ts";
import type { Source } from "../model/source.ts";
import { day } from "../model/time.ts";
import type { Known, Reader } from "../read/reader.ts";

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
