import { kindOfResponse } from "../../audit/links.ts";
import { checkInParallel } from "../../audit/parallel-checks.ts";
import { checkElsewhere, type Visit, visit } from "../../audit/visit.ts";
import type { Trouble } from "../../model/check.ts";
import type { Config } from "../../model/config.ts";
import type { Failure } from "../../model/failure.ts";
import { outageOf, outageWords } from "../../model/outage.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { aMinute } from "../../model/time.ts";
import { pluralize } from "../../model/words.ts";
import { pastOfUnproved, type ReadAddress } from "../../onboard/first-check.ts";
import type { WiredWeb } from "../../wire/web.ts";
import { withProgress } from "./progress.ts";
import { type Terminal, Unreachable } from "./terminal.ts";

export interface Probe {
  readonly source: string;
  readonly address: string;
  /** Why it could not be read, or as which kind it can be; undefined if it was read as drafted. */
  readonly says?: string;
  /** The target of a permanent redirect. */
  readonly moved?: string;
}

export interface Probes {
  readonly probes: readonly Probe[];
  /** Sources that were left out because the time or an hourly allowance was used up. */
  readonly later: readonly string[];
  /** By the id of its source. */
  readonly readings: ReadonlyMap<string, Reading>;
  readonly failures: ReadonlyMap<string, Pick<Trouble, "kind" | "says">>;
  /** Sources whose response is of another kind, or which another service knows, by id. */
  readonly came: ReadonlyMap<string, ReadAddress>;
}

/** The result of one check of a source, and the other kind as which it can be read, also in words. */
interface Seen extends Visit {
  readonly came?: ReadAddress;
  readonly rather?: string;
}

export interface ProbeOptions {
  readonly minutes: number;
  readonly options: { readonly json?: boolean };
  readonly out: Terminal;
}

/** Checks each source once, and stores nothing. @throws Unreachable if no host gave a response */
export async function probe(
  all: readonly Source[],
  web: WiredWeb,
  { minutes, options, out }: ProbeOptions,
): Promise<Probes> {
  const hostOf = (source: Source) =>
    URL.parse(web.readers.get(source.kind)?.request(source, web.access).url ?? "")?.host ?? "";
  const check = async ({ kind, address, options }: Source): Promise<Seen> => {
    const visited = await visit({ kind, address, options: options as Record<string, string> }, web);
    const came = kind === "page" ? await readAsReceived(visited, web) : undefined;
    if (came?.browser) return { ...visited, came, rather: "set browser: true: it only shows its text in a browser" };
    if (came?.kind === "page") return { ...visited, came };
    if (came) return { ...visited, came, rather: `write it as ${came.kind}: that is the kind of the response` };
    if (visited.failure?.kind !== "not-found") return visited;
    const other = await checkElsewhere(visited.candidate, web.readers, (candidate) => visit(candidate, web));
    if (!other?.reading) return visited;
    const known = { kind: other.candidate.kind, reading: other.reading };
    return { ...visited, came: known, rather: `write it as ${known.kind}: it is known there` };
  };
  const sights = await withProgress(out, options, (say) => {
    const onChecked = (count: number) => say(`Checking: ${count} of ${pluralize(all.length, "source")}`);
    return checkInParallel(all, hostOf, check, { minutes, stop: web.stop, onChecked });
  });
  const checkedSights = [...sights].filter(([, { failure }]) => failure?.kind !== "deferred");
  const asked = checkedSights.map(([source, { failure }]) => {
    return { host: hostOf(source), failure: failure && troubleOf(failure) };
  });
  const outage = outageOf(asked, { alone: true });
  if (outage && outage.silent === outage.hosts)
    throw new Unreachable(`${outageWords(outage)}. Nothing was written: run it again once they respond`);
  const checked = new Set(checkedSights.map(([source]) => source));
  return {
    probes: checkedSights.map(([{ id, address }, { failure, moved, rather = failure?.message }]) => ({
      source: id,
      address,
      says: rather,
      moved,
    })),
    later: all.filter((source) => !checked.has(source)).map(({ id }) => id),
    readings: new Map(checkedSights.flatMap(([{ id }, { reading }]) => (reading ? [[id, reading]] : []))),
    failures: new Map(checkedSights.flatMap(([{ id }, { failure }]) => (failure ? [[id, troubleOf(failure)]] : []))),
    came: new Map(checkedSights.flatMap(([{ id }, { came }]) => (came ? [[id, came]] : []))),
  };
}

/** The answer in another form than expected: a PDF, a feed, or a page whose text is elsewhere or needs a browser. */
async function readAsReceived(
  { candidate, response, reading: seen, failure }: Visit,
  web: WiredWeb,
): Promise<ReadAddress | undefined> {
  if (seen?.from !== undefined) return { kind: "page", reading: seen };
  if (failure?.kind === "shell" || failure?.kind === "empty") {
    const { reading } = await visit({ ...candidate, options: { ...candidate.options, browser: true } }, web);
    if (reading) return { kind: "page", browser: true, reading };
  }
  const form = response && kindOfResponse(response);
  if (!form || "because" in form || form.kind === "page" || form.kind === "text") return undefined;
  const { reading } = await visit({ kind: form.kind, address: candidate.address }, web);
  return reading && { kind: form.kind, reading };
}

/** Reads archived copies of the sources that do not confirm all statements about them now. `open`: their ids. */
export async function readPast(
  open: readonly string[],
  config: Config,
  readings: ReadonlyMap<string, Reading>,
  web: WiredWeb,
  { minutes, options, out }: ProbeOptions,
): Promise<ReadonlyMap<string, Reading>> {
  return await withProgress(out, options, (say) => {
    say("Comparing with the audit");
    return pastOfUnproved(open, config, readings, web, { within: minutes * aMinute });
  });
}

function troubleOf({ kind, message }: Failure): Pick<Trouble, "kind" | "says"> {
  return { kind, says: message };
}
