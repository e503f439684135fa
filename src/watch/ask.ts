import { hash } from "node:crypto";
import { digest } from "../model/digest.ts";
import { Failure, mayPass } from "../model/failure.ts";
import type { Fetch, Fetched, FetchOptions, Request, Response } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { withText } from "../read/html/embedded.ts";
import type { Access, Detours, Reader } from "../read/reader.ts";
import { decode, isHtml } from "../read/shared/body.ts";

/** Fetches a source. If it is missing at its own address, the reader says what to ask then. @throws Failure */
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

/** Undefined if no address has it. A response from another address counts as a different one, even with the same bytes. */
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

const maxText = 5_000_000;

/**
 * Reads an answer. A page without text may name the address of its text: then that is fetched, and both are read as one
 * page. Such an answer has no validators, because the page stays the same when its text changes. @throws Failure
 */
export async function readWhole<T>(
  fetched: Fetched,
  fetch: Fetch,
  options: FetchOptions,
  parse: (fetched: Fetched) => Promise<T>,
): Promise<{ readonly fetched: Fetched; readonly result: T }> {
  try {
    return { fetched, result: await parse(fetched) };
  } catch (error) {
    const address = error instanceof Failure ? error.facts.text : undefined;
    const text = typeof address === "string" && (await textAt(address, fetch, options));
    if (fetched.kind !== "response" || !text) throw error;
    const { response } = fetched;
    const body = Buffer.from(withText(decode(response), text.address, text.text));
    const headers = { ...response.headers, "content-type": "text/html; charset=utf-8" };
    const whole = {
      ...fetched,
      response: { ...response, headers, body },
      validators: {},
      hash: hash("sha256", body, "hex"),
    };
    return { fetched: whole, result: await parse(whole) };
  }
}

/** The text at an address that a page has named; undefined if there is none. @throws Failure if it may come at the next check */
async function textAt(url: string, fetch: Fetch, options: FetchOptions) {
  try {
    const request = { url, accept: "application/json,text/markdown,text/plain;q=0.9,*/*;q=0.1" };
    const fetched = await fetch.get(request, { ...options, validators: {}, robots: true });
    if (fetched.kind !== "response" || fetched.response.body.length > maxText) return undefined;
    const { response } = fetched;
    const text = decode(response);
    const isOfHost = new URL(response.url).origin === new URL(url).origin;
    return isOfHost && !isHtml(text) ? { address: url, text } : undefined;
  } catch (error) {
    if (error instanceof Failure && !mayPass(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Failure && error.kind === "not-found";
}
