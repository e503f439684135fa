import { Failure, isNoResponse } from "../../model/failure.ts";
import type { Sighted } from "./findings.ts";

/** Most hosts gave no response at all: that is ours, not theirs. */
export function outageIn(sighted: readonly Sighted[]): string | undefined {
  const looked = sighted.filter(({ failure }) => failure?.kind !== "deferred");
  const hosts = Map.groupBy(looked, ({ cited }) => new URL(cited.address).host);
  const silent = [...hosts.values()].filter((all) => all.every(isSilent)).length;
  if (hosts.size < 3 || silent * 2 <= hosts.size) return undefined;
  return `${silent} of ${hosts.size} hosts gave no response: is there a network? Nothing is said of what they hold.`;
}

/** Whether no response came back: it may be ours. */
export function isSilent({ failure }: Sighted): boolean {
  return failure !== undefined && isNoResponse(failure.kind);
}

/** While most hosts are silent, a name that does not resolve is not a host that is gone. */
export function asUnseen(sighted: Sighted): Sighted {
  return sighted.failure?.kind === "dns" ? { ...sighted, failure: new Failure("connect") } : sighted;
}
