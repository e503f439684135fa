import { Failure, isNoResponse, silentInOutage } from "../../model/failure.ts";
import type { Sighted } from "./findings.ts";

/** Says in a sentence that there is an outage of ours; undefined where there is none. */
export function outageIn(sighted: readonly Sighted[]): string | undefined {
  const looked = sighted.filter(({ failure }) => failure?.kind !== "deferred");
  const byHost = Map.groupBy(looked, ({ cited }) => new URL(cited.address).host);
  const hosts = new Map([...byHost].map(([host, all]) => [host, !all.every(isSilent)]));
  const silent = silentInOutage(hosts);
  if (silent === undefined) return undefined;
  return `${silent} of ${hosts.size} hosts gave no response: is there a network? Nothing is said of what they hold.`;
}

/** Whether no response came back, which an outage of ours may explain. */
export function isSilent({ failure }: Sighted): boolean {
  return failure !== undefined && isNoResponse(failure.kind);
}

/** While most hosts are silent, a name that does not resolve does not mean that its host is gone. */
export function asUnseen(sighted: Sighted): Sighted {
  return sighted.failure?.kind === "dns" ? { ...sighted, failure: new Failure("connect") } : sighted;
}
