import { readFileSync } from "node:fs";
import { Failure } from "../../src/model/failure.ts";
import type { Response } from "../../src/model/ports/index.ts";
import type { Reading } from "../../src/model/reading.ts";
import type { Source } from "../../src/model/source.ts";
import type { Reader } from "../../src/read/reader.ts";

/** A source of config, as little of it as a reader checks. */
export function source(reader: Reader, options: Record<string, unknown> = {}, address = reader.example): Source {
  return {
    id: "it",
    kind: reader.kind,
    address,
    options,
    cites: [],
    standsFor: [],
    citedBy: [],
    announces: [],
    claims: [],
  } satisfies Source;
}

/** A response with this body. */
export function response(body: string | Uint8Array, more: Partial<Response> = {}): Response {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { url: "https://engine.example/it", status: 200, headers: {}, body: bytes, ...more };
}

/** A file of `fixtures`, as it was sent. */
export function fixture(name: string, more: Partial<Response> = {}): Response {
  return response(new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url))), more);
}

/** What a reader makes of it. */
export async function reading(reader: Reader, from: Response, options: Record<string, unknown> = {}): Promise<Reading> {
  return await reader.read(from, source(reader, options));
}

/** The failure of a reader, in the words that people see; anything else it throws is a defect. */
export async function failure(
  reader: Reader,
  from: Response | string,
  options: Record<string, unknown> = {},
): Promise<string> {
  try {
    await reader.read(typeof from === "string" ? response(from) : from, source(reader, options));
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return "no failure";
}
