import { type Failure, isNoResponse } from "../../../model/failure.ts";
import type { Reading, Source, Trouble } from "../../../model/model.ts";
import { type LookingTime, lookInTurn } from "../../citations/in-turn.ts";
import { lookElsewhere, type Sight, see, type Web } from "../../citations/see.ts";

/** The outcome of one look at a drafted source. */
export interface Probe {
  readonly source: string;
  readonly address: string;
  /** Why it could not be read; undefined where it could. */
  readonly says?: string;
  /** Where a permanent redirect led. */
  readonly moved?: string;
}

export interface Probed {
  readonly probes: readonly Probe[];
  /** Sources that were left out: the time was over, or an hourly allowance used up. */
  readonly later: readonly string[];
  /** By the id of its source. */
  readonly readings: ReadonlyMap<string, Reading>;
  /** Why others were not read, by the id of their source. */
  readonly failures: ReadonlyMap<string, Pick<Trouble, "kind" | "says">>;
  /** No host gave a response: ours, until shown otherwise. */
  readonly outage: boolean;
}

/** Looks once at each of these sources, and remembers nothing. */
export async function probe(all: readonly Source[], web: Web, turns: LookingTime): Promise<Probed> {
  const hostOf = (source: Source) =>
    URL.parse(web.readers.get(source.kind)?.request(source, web.access).url ?? "")?.host ?? "";
  const look = async ({ kind, address, options }: Source): Promise<Sight & { readonly elsewhere?: string }> => {
    const sight = await see({ kind, address, options: options as Record<string, string> }, web);
    if (sight.failure?.kind !== "not-found") return sight;
    const other = await lookElsewhere(sight.candidate, web.readers, (candidate) => see(candidate, web));
    return other ? { ...sight, elsewhere: other.candidate.kind } : sight;
  };
  const sights = await lookInTurn(all, hostOf, look, turns);
  const done = [...sights].filter(([, { failure }]) => failure?.kind !== "deferred");
  const looked = new Set(done.map(([source]) => source));
  return {
    probes: done.map(([{ id, address }, { failure, moved, elsewhere }]) => ({
      source: id,
      address,
      ...(failure && {
        says: elsewhere === undefined ? failure.message : `write it as ${elsewhere}: it is known there`,
      }),
      ...(moved !== undefined && { moved }),
    })),
    later: all.filter((source) => !looked.has(source)).map(({ id }) => id),
    readings: new Map(done.flatMap(([{ id }, { reading }]) => (reading ? [[id, reading]] : []))),
    failures: new Map(done.flatMap(([{ id }, { failure }]) => (failure ? [[id, troubleOf(failure)]] : []))),
    outage: done.length > 0 && done.every(([, { failure }]) => failure !== undefined && isNoResponse(failure.kind)),
  };
}

function troubleOf({ kind, message }: Failure): Pick<Trouble, "kind" | "says"> {
  return { kind, says: message };
}
