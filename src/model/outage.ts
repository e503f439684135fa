import type { Trouble } from "./check.ts";
import { isNoResponse } from "./failure.ts";

type FailureText = Pick<Trouble, "kind" | "says">;

export interface HostOutcome {
  readonly host: string;
  readonly failure?: FailureText | undefined;
}

/** A failure of our own network, for which no host is blamed. */
export interface Outage {
  readonly hosts: number;
  /** Hosts that gave no response. */
  readonly silent: number;
  /** The most frequent failure among the silent hosts. */
  readonly cause: string;
}

/** Whether no response came back, which an outage may explain. */
export function isSilence(failure: Pick<FailureText, "kind"> | undefined): boolean {
  return failure !== undefined && isNoResponse(failure.kind);
}

/**
 * Finds an outage: at least three hosts were tried, and more than half of them gave no response. `alone`: there is no
 * other sign of a working network, so that the silence of all hosts counts even if they are few.
 */
export function outageOf(outcomes: readonly HostOutcome[], { alone = false } = {}): Outage | undefined {
  const hosts = Map.groupBy(outcomes, ({ host }) => host);
  const silent = [...hosts.values()].filter((all) => all.every(({ failure }) => isSilence(failure)));
  const isOurs =
    hosts.size >= 3 ? silent.length > hosts.size / 2 : alone && hosts.size > 0 && silent.length === hosts.size;
  const cause = causeOfSilence(silent.flat().flatMap(({ failure }) => failure ?? []));
  return isOurs && cause !== undefined ? { hosts: hosts.size, silent: silent.length, cause } : undefined;
}

/** `TLS failed: the certificate has expired`: the most frequent failure without a response. */
export function causeOfSilence(failures: readonly FailureText[]): string | undefined {
  const [most = []] = [...Map.groupBy(failures.filter(isSilence), ({ kind }) => kind).values()].sort(
    (a, b) => b.length - a.length,
  );
  // Requests skipped because of others repeat their cause at the beginning of a longer sentence.
  const [cause] = [...new Set(most.map(({ says }) => says))]
    .map((says) => ({ says, count: most.filter((other) => other.says.startsWith(says)).length }))
    .sort((a, b) => b.count - a.count || a.says.length - b.says.length);
  return cause?.says;
}

/** `5 of 6 hosts gave no response: no connection: the proxy cannot be reached`. */
export function outageWords({ hosts, silent, cause }: Outage): string {
  return `${hosts === 1 ? "The only host" : `${silent} of ${hosts} hosts`} gave no response: ${cause}`;
}
