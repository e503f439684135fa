import type { Logger } from "pino";
import type { AuditedScan } from "../../audit/first-scan.ts";
import type { Synced } from "../../recheck/run.ts";
import type { Sent } from "../../status/messages/send.ts";
import type { Metrics } from "./metrics.ts";

/** Reports the results of runs in the log and in metrics. A result that repeats is logged once. */
export interface RunLog {
  scanned(done: AuditedScan): void;
  synced(done: Synced): void;
  told(done: Sent): void;
}

export function createRunLog(log: Logger, metrics?: Metrics): RunLog {
  let sentences = new Set<string>();
  let untold = new Set<string>();
  let unaudited: string | undefined;
  return {
    scanned({ checks, firings, outage, unaudited: says }) {
      metrics?.scanned({ checks });
      if (says !== undefined && says !== unaudited) log.warn(says);
      unaudited = says;
      if (checks.length === 0) return;
      const unknown = checks
        .filter(({ outcome }) => outcome === "unknown")
        .map(({ source, failure }) => `${source}: ${failure?.says}`);
      log.info({ checks: checks.length, fired: firings.length, outage, unknown }, "scanned");
    },
    synced({ problems, left, wouldOpen: _, wouldUpdate: __, waiting, ...done }) {
      const counts = Object.entries(done).flatMap(([what, list]) => (list.length > 0 ? [[what, list.length]] : []));
      if (counts.length > 0) log.info(Object.fromEntries(counts), "GitHub is up to date");
      const now = new Set([
        ...problems.map(({ says }) => says),
        ...done.gone.map((issue) => `#${issue} was deleted or moved: it counts as closed`),
        ...waiting.flatMap(({ trigger, because, until }) =>
          until === undefined ? [] : [`the issue of ${trigger} waits: ${because}`],
        ),
        ...left.map(({ issue, because }) => `#${issue} is unchanged: ${because}`),
      ]);
      for (const says of now) if (!sentences.has(says)) log.warn({ waiting: waiting.length }, says);
      sentences = now;
    },
    told({ sent, problems }) {
      if (sent.length > 0) log.info({ messages: sent.length }, "sent messages");
      const now = new Set(problems.map(({ channel, says }) => `${channel}: ${says}`));
      for (const says of now) if (!untold.has(says)) log.warn(says);
      untold = now;
    },
  };
}
