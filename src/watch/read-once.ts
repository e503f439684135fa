import { digest } from "../model/digest.ts";
import type { Fetched, Response } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Known, Reader } from "../read/reader.ts";

/** Bytes of answers whose readings are kept; the oldest are dropped first. */
const maxBytes = 8_000_000;

type Answered = Extract<Fetched, { kind: "response" }>;

interface Kept {
  readonly bytes: number;
  readonly reading: Reading;
}

/**
 * Reads an answer once for each way of reading it: several sources, of different repositories, that got the same bytes
 * share one reading. Readings are plain data, and nobody may change a shared one.
 */
export class ReadOnce {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** A reader that reads this answer once for each way of reading it, and reads any other response as usual. */
  of(reader: Reader, answer: Pick<Answered, "response" | "hash">): Reader {
    return {
      ...reader,
      read: async (response, source, known) => {
        if (known?.trace || response !== answer.response) return await reader.read(response, source, known);
        const way = wayOf(reader, answer.hash, response, source, known);
        const found = this.#kept.get(way);
        if (found) return found.reading;
        const reading = await reader.read(response, source, known);
        this.#keep(way, { reading, bytes: response.body.length });
        return reading;
      },
    };
  }

  #keep(way: string, kept: Kept): void {
    this.#kept.set(way, kept);
    this.#bytes += kept.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

/** Identifies everything that a reading depends on. */
function wayOf(
  { kind, version }: Reader,
  hash: string,
  { url, status, headers }: Response,
  { address, options }: Source,
  known: Known | undefined,
): string {
  return digest([kind, version, hash, url, status, headers, address, options, known?.region]);
}
