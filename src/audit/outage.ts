import { Failure } from "../model/failure.ts";
import { isSilence, type Outage, outageOf } from "../model/outage.ts";
import type { Sighted } from "./findings.ts";

/** Detects an outage of our own network. `alone`: nothing else shows that there is a network. */
export function outageIn(sighted: readonly Sighted[], how: { readonly alone?: boolean } = {}): Outage | undefined {
  const checked = sighted.filter(({ failure }) => failure?.kind !== "deferred");
  return outageOf(checked.map(askedFor), how);
}

function askedFor({ cited, failure }: Sighted) {
  return { host: new URL(cited.address).host, failure: failure && { kind: failure.kind, says: failure.message } };
}

/** Whether no response came back, which an outage of our own may explain. */
export function isSilent({ failure }: Sighted): boolean {
  return isSilence(failure);
}

/** In an outage of our own, a name that does not resolve does not mean that its host is gone. */
export function blameOwnNetwork(sighted: Sighted): Sighted {
  const { failure } = sighted;
  return failure?.kind === "dns" ? { ...sighted, failure: new Failure("connect", { said: failure.message }) } : sighted;
}
