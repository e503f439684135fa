import type { Trouble } from "./check.ts";
import { isNoResponse } from "./failure.ts";

/** A failure in words. */
type Said = Pick<Trouble, "kind" | "says">;

/** One thing that was asked for: its host, and its failure, if it failed. */
export interface Asked {
  readonly host: string;
  readonly failure?: Said | undefined;
}

/** An outage of ours, which is held against no host. */
export interface Outage {
  readonly hosts: number;
  /** Hosts that gave no response. */
  readonly silent: number;
  /** The failure that most of the silent ones met. */
  readonly cause: string;
}

/** Whether no response came back, which an outage of ours may explain. */
export function isSilence(failure: Pick<Said, "kind"> | undefined): boolean {
  return failure !== undefined && isNoResponse(failure.kind);
}

/**
 * Finds an outage of ours: at least three hosts were tried, and more than half of them gave no response. `alone`:
 * nothing else shows that there is a network, so the silence of all is an outage too, however few they are.
 */
export function outageOf(asked: readonly Asked[], { alone = false } = {}): Outage | undefined {
  const hosts = Map.groupBy(asked, ({ host }) => host);
  const silent = [...hosts.values()].filter((all) => all.every(({ failure }) => isSilence(failure)));
  const isOurs =
    hosts.size >= 3 ? silent.length > hosts.size / 2 : alone && hosts.size > 0 && silent.length === hosts.size;
  const cause = causeOfSilence(silent.flat().flatMap(({ failure }) => failure ?? []));
  return isOurs && cause !== undefined ? { hosts: hosts.size, silent: silent.length, cause } : undefined;
}

/** `TLS failed: the certificate has expired`: the failure that most of those without a response met. */
export function causeOfSilence(failures: readonly Said[]): string | undefined {
  const [most = []] = [...Map.groupBy(failures.filter(isSilence), ({ kind }) => kind).values()].sort(
    (a, b) => b.length - a.length,
  );
  // Whoever was not asked because of others says so behind their cause.
  return most.map(({ says }) => says).sort((a, b) => a.length - b.length)[0];
}

/** `5 of 6 hosts gave no response: no connection: the proxy cannot be reached`. */
export function outageWords({ hosts, silent, cause }: Outage): string {
  return `${hosts === 1 ? "The only host" : `${silent} of ${hosts} hosts`} gave no response: ${cause}`;
}
