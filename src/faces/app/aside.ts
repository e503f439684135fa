import type { Parsed } from "../../config/index.ts";
import type { CheckOutput } from "../../config-check/index.ts";
import type { RepositoryConfig } from "../../ports.ts";
import type { AroundReport, Aside, Trial } from "../../repository/aside.ts";
import type { Draft, ReportFile } from "../../setup/draft.ts";
import { createThread } from "./thread.ts";

/** What is asked of the thread. */
export type Job =
  | { readonly kind: "parse"; readonly config: RepositoryConfig }
  | { readonly kind: "check"; readonly trial: Trial }
  | { readonly kind: "draft"; readonly report: ReportFile; readonly around: AroundReport };

/** What the thread is given. */
export interface Given {
  /** The store's. */
  readonly file: string;
}

const entry = new URL(import.meta.url.endsWith(".ts") ? "./aside-thread.ts" : "./aside-thread.js", import.meta.url);

/** What 10,000 sources take, many times over. */
const limits = { patience: 20_000, megabytes: 512, rest: 60_000 };

/** Two threads: no trial of a stranger's holds up reading the config that is in use. */
export function createAside(file: string): Aside & { close(): Promise<void> } {
  const given: Given = { file };
  const reads = createThread({ entry, given, ...limits });
  const tries = createThread({ entry, given, ...limits });
  const parseJob = (config: RepositoryConfig): Job => ({ kind: "parse", config });
  const checkJob = (trial: Trial): Job => ({ kind: "check", trial });
  const draftJob = (report: ReportFile, around: AroundReport): Job => ({ kind: "draft", report, around });
  return {
    parse: async (config) => (await reads.ask(parseJob(config))) as Parsed | undefined,
    parseProposed: async (config) => (await tries.ask(parseJob(config))) as Parsed | undefined,
    check: async (trial) => (await tries.ask(checkJob(trial))) as CheckOutput | undefined,
    draft: async (report, around) => (await tries.ask(draftJob(report, around))) as Draft | undefined,
    async close() {
      await reads.close();
      await tries.close();
    },
  };
}
