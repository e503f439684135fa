import { fragmentOf } from "../../src/claims/find/fragment.ts";
import { compare } from "../../src/compare/index.ts";
import type { Claim } from "../../src/model/claim.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Block, Reading } from "../../src/model/reading.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import { foreseeClaims, prove } from "../../src/watch/prove.ts";
import type { Hostile } from "./input.ts";

/** All steps of several checks with an answer and an altered one. Everything that is not a Failure is thrown. */
export async function checkAt(input: Hostile, size: number): Promise<string> {
  const reader = readers.get(input.kind);
  if (!reader) throw new Error(`no kind ${input.kind}`);
  const made = input.make(size);
  const body = typeof made === "string" ? Buffer.from(made) : made;
  const address = input.address ?? reader.example;
  const source = sourceOf(input, address);
  const headers: Record<string, string> = input.type === undefined ? {} : { "content-type": input.type };
  let reading: Reading;
  try {
    reading = await reader.read({ url: "https://engine.example/it", status: 200, headers, body }, source);
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") return error.message;
    throw error;
  }
  const at = Date.UTC(2026, 0, 1);
  const check = { at, confirmAfter: 6 * 3_600_000, structured: reader.structured, audited: at };
  const first = compare(undefined, reading, check);
  const other = { ...reading, ...(reading.blocks && { blocks: reading.blocks.map(altered) }) };
  const second = compare(first.memory, other, { ...check, at: at + 1 });
  const third = compare(second.memory, other, { ...check, at: at + 86_400_000 });
  const claims = claimsOf(reading);
  const claiming = { ...source, claims };
  const ground = { comparison: third, reading: other, states: new Map(), at, earlier: first.accepted };
  const { states } = prove(claiming, ground);
  const known = new Map(states.map((state) => [state.claim, state]));
  prove(claiming, { ...ground, states: known });
  foreseeClaims(claiming, { comparison: second, reading: other, states: known }, check);
  for (const { found } of states) if (found !== undefined) fragmentOf({ path: [], kind: "row", text: found });
  return `${reading.blocks?.length ?? 0} blocks, ${reading.items?.length ?? 0} items`;
}

function sourceOf({ kind, options = {} }: Hostile, address: string): Source {
  return { id: "it", kind, address, options, cites: [], standsFor: [], citedBy: [], announces: [], claims: [] };
}

/** The text of every third block says something else. */
function altered(block: Block, i: number): Block {
  return i % 3 === 0 ? { ...block, text: `${block.text.slice(0, -3)} otherwise ${i}` } : block;
}

/** Proofs as reports have them, and some in the answer's own words. */
function claimsOf({ blocks = [], items = [] }: Reading): Claim[] {
  const own = (blocks[3] ?? blocks[0] ?? items[0]?.blocks?.[0])?.text.slice(0, 120) ?? "own words";
  const proofs = [
    { quote: "compiled graphs are an early prototype and likely to fail", prefix: "that", suffix: "today" },
    { quote: own, prefix: own.slice(0, 60), suffix: own.slice(-60) },
    { quote: own.slice(0, 40).split("").reverse().join("") || "own words" },
    { value: "95 GiB", of: "memory of a device" },
    { value: "1", of: own.slice(0, 80) },
    { value: "$5" },
    { absent: own.slice(0, 30) || "deprecated", under: "Notes" },
    { absent: "deprecated" },
  ];
  return proofs.map(
    (proof, i) => ({ id: `c${i}`, source: "it", says: "so", proof, ratings: [], until: [] }) as unknown as Claim,
  );
}
