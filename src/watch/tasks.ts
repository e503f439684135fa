import { compare } from "../compare/index.ts";
import type { Config } from "../model/config.ts";
import type { Trace } from "../model/heuristics.ts";
import type { TaskGiver, Workers } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Reader } from "../read/reader.ts";
import type { CopyToMatch, Side } from "./archived-changes.ts";
import type { CopyToRead, FirstReading, ReadCopy } from "./audit-copy.ts";
import { type Preloaded, remoteCheckStore } from "./check-store.ts";
import { type CheckOutcome, type FetchedCheck, judgeCheck } from "./judge.ts";
import { judgePast, ReadOnce, readCopy, shownSide } from "./one-response.ts";
import type { JudgedPast, PastToJudge } from "./past.ts";
import { type ResponseToRead, readerOf } from "./workers.ts";

/** The tasks of workers, by name: all work on untrusted content. Input is plain data; `trace` gets near thresholds. */
export function tasksBy(readers: ReadonlyMap<string, Reader>, trace?: Trace) {
  const readOnce = new ReadOnce();
  return {
    check(
      { preloaded, ...check }: FetchedCheck & { readonly preloaded: Preloaded },
      { shared, answer }: Required<TaskGiver>,
    ): Promise<CheckOutcome | undefined> {
      const { source, fetched } = check;
      const kindReader = readerOf(source.kind, readers);
      // Only an answer to another source's request is read again: most sources have an address of their own.
      const isShared = fetched.kind === "response" && fetched.at !== undefined;
      const reader = isShared ? readOnce.of(kindReader, fetched) : kindReader;
      return judgeCheck(check, remoteCheckStore({ source, preloaded }, answer), {
        config: shared as Config,
        reader,
        trace,
      });
    },
    copy: async (toRead: CopyToRead): Promise<ReadCopy> =>
      await readCopy(toRead, readerOf(toRead.source.kind, readers)),
    memory: ({ reading, options }: FirstReading) => compare(undefined, reading, options).memory,
    past: (toJudge: PastToJudge, { shared }: Required<TaskGiver>): JudgedPast => judgePast(toJudge, shared as Config),
    shows: async (toMatch: CopyToMatch): Promise<Side | undefined> =>
      await shownSide(toMatch, readerOf(toMatch.source.kind, readers)),
    async read({ source, response, region }: ResponseToRead): Promise<Reading> {
      return await readerOf(source.kind, readers).read(response, source, { region });
    },
  };
}

/** Does the tasks in this thread, each with fresh state. @throws Error if there is no such task */
export function tasksHere(readers: ReadonlyMap<string, Reader>, trace?: Trace): Workers {
  return {
    async run(task, input, asker) {
      const tasks: { readonly [name: string]: (input: never, giver: Required<TaskGiver>) => unknown } = tasksBy(
        readers,
        trace,
      );
      const method = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
      if (!method) throw new Error(`no task ${task}`);
      return await method(input as never, asker as Required<TaskGiver>);
    },
  };
}
