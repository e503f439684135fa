import { isOnPage } from "../claims/find/quote.ts";
import { type CompareOptions, type Comparison, compare, type Memory } from "../compare/index.ts";
import { lossesSince } from "../compare/losses.ts";
import { wordsOfBlocks } from "../language/words.ts";
import { RecentlyUsed } from "../model/cache.ts";
import type { ClaimState } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import { Failure } from "../model/failure.ts";
import type { Fetched, Response } from "../model/ports/index.ts";
import type { Block, Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { day } from "../model/time.ts";
import type { Known, Reader } from "../read/reader.ts";
import type { CopyToMatch, Side, SideTexts } from "./archived-changes.ts";
import type { CopyToRead, ReadCopy } from "./audit-copy.ts";
import type { JudgedPast, PastToJudge } from "./past.ts";
import { prove, unprovedClaims } from "./prove.ts";

/**
 * Reads one response: once for all sources that got it; or, as a copy from a web archive, to find whether it is of the same page, and
 * which side of a change it shows. Only threads for pages load this file and the code to compare and prove.
 */

/** Size in bytes of the responses whose readings are cached. */
const maxBytes = 8_000_000;

type Answered = Extract<Fetched, { kind: "response" }>;

/** Parses a response once for each way of parsing, for all repositories. A shared reading must not be changed. */
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
  { region, atFirst, at }: Known = {},
): string {
  const year = at && day(at).slice(0, 4);
  return digest([kind, version, hash, url, status, headers, address, options, region, atFirst, year]);
}

/** Parses a copy like the page itself. It must look like the same page: not a part of it, and not in another language. */
export async function readCopy(
  { source, found: { copy, response }, memory }: CopyToRead,
  reader: Reader | undefined,
): Promise<ReadCopy> {
  const of = `the copy of ${day(copy.at)}`;
  try {
    const reading = await reader?.read(response, source);
    if (!reading?.blocks || !memory.page) return { says: `${of} contains no text` };
    const now: Reading = { blocks: memory.page.accepted, language: memory.language };
    const then: Memory = { page: { ...memory.page, accepted: reading.blocks }, language: reading.language };
    const text = { mayBeHalf: true };
    const [apart] = [
      ...lossesSince({ page: memory.page, language: memory.language }, reading, text),
      ...lossesSince(then, now, text),
    ];
    return apart ? { says: `${of} and the page cannot be compared: ${apart.failure.message}` } : { copy, reading };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { says: `${of}: ${error.message}` };
  }
}

/** Parses a copy and finds the side that it shows; undefined if it shows neither. @throws Failure if it cannot be parsed */
export async function shownSide(
  { source, response, sides: { before, after }, memory }: CopyToMatch,
  reader: Reader | undefined,
): Promise<Side | undefined> {
  const blocks = (await reader?.read(response, source))?.blocks;
  if (!blocks) return undefined;
  const words = wordsOfBlocks(blocks);
  const holds = (text: string) => isOnPage(words, text);
  const shows = ({ says, lacks }: SideTexts) => says.every(holds) && !lacks.some(holds);
  if (before && shows(before)) return "before";
  if (after && shows(after) && (memory === undefined || sharesHalf(blocks, memory))) return "after";
  return undefined;
}

/** Whether half of a copy's text is on the page now. Otherwise it is something else that merely lacks a passage. */
function sharesHalf(blocks: readonly Block[], memory: string): boolean {
  const { page }: Memory = JSON.parse(memory);
  const texts = new Set(page?.accepted.map(({ text }) => text));
  return blocks.filter(({ text }) => texts.has(text)).length >= blocks.length / 2;
}

/** Compares a page with its copy, and proves its claims by both. Pure. */
export function judgePast({ source, memory, reading, claimStates, as, at }: PastToJudge, config: Config): JudgedPast {
  const options = { at, confirmAfter: 0, structured: true, audited: config.report.audited, atAudit: source.atAudit };
  const comparison = compareWithCopy(JSON.parse(memory ?? "{}"), reading, options);
  const states = statesBefore(claimStates, reading !== undefined);
  const earlier = reading?.blocks ?? comparison.accepted;
  const isFirst = as === "past";
  const judged = isFirst ? source : { ...source, claims: unprovedClaims(source, claimStates) };
  const proof = prove(judged, { comparison, reading: undefined, states, at, earlier });
  const changes = isFirst ? [...comparison.changes, ...proof.changes] : proof.changes;
  return { changes, states: proof.states, noise: isFirst ? comparison.noise : [] };
}

/** The earlier states of claims. If there is a copy, claims that were never found are left out: it may have them. */
function statesBefore(known: readonly ClaimState[], hasCopy: boolean): Map<string, ClaimState> {
  const kept = known.filter(({ status }) => !hasCopy || status !== "not found");
  return new Map(kept.map((state) => [state.claim, state]));
}

function compareWithCopy(memory: Memory, then: Reading | undefined, options: CompareOptions): Comparison {
  const { page, language } = memory;
  const now = { blocks: page?.accepted ?? [], region: page?.region, language };
  const baseline = { blocks: then?.blocks ?? now.blocks, region: then ? then.region : now.region, language };
  return compare(compare(undefined, baseline, options).memory, now, options);
}
