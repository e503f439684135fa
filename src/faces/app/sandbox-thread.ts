import { openStore } from "../../adapters/store/open.ts";
import { type Employer, serve } from "../../adapters/threads/serve.ts";
import type { Store, Workers } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import { firstCheckHere, firstCheckIn } from "../../onboard/first-check.ts";
import { readers } from "../../read/index.ts";
import { readersIn } from "../../watch/workers.ts";
import { parse, tryOut } from "./config/trial.ts";
import type { Job, Sandbox } from "./sandbox.ts";
import { claimsFor } from "./set-up/claims.ts";

serve((job, employer) => {
  const { task, args, storeFile } = job as Job;
  const run: (...all: never[]) => unknown = tasksOf(storeFile, employer)[task];
  return run(...(args as never[]));
});

function tasksOf(storeFile: string, { ask, soFar }: Employer): Omit<Sandbox, "parseProposed" | "draft"> {
  return {
    parse: async (config) => parse(config, readers),
    check: (trial) =>
      reading(storeFile, trial.repository, (store) => tryOut(trial, { readers, store, scratch }, soFar)),
    claims: (drafted) => {
      const workers: Workers = { run: (task, input) => ask("task", [task, input]) };
      // Steps that need the config run here: they cost no more than the report and the number of entries.
      const through = { ...firstCheckHere(readers), prove: firstCheckIn(workers).prove };
      const its = { readers: readersIn(workers, readers), through };
      return reading(storeFile, drafted.repository, (store) => claimsFor(drafted, { ...its, store }));
    },
  };
}

/** Reads the store beside the server, which writes it; undefined if it cannot be read. */
async function reading<T>(
  file: string,
  repository: number,
  reader: (store: Store | undefined) => Promise<T>,
): Promise<T> {
  const database = await openStore(file, { readonly: true }).catch((error) => {
    if (error instanceof StoreProblem) return undefined;
    throw error;
  });
  return await reader(database?.repository(repository)).finally(() => database?.close());
}

async function scratch() {
  const database = await openStore(":memory:");
  return { store: database.repository("scratch"), close: () => database.close() };
}
