import { openStore } from "../../adapters/store/open.ts";
import type { Database } from "../../adapters/store/store.ts";
import { type Employer, serve } from "../../adapters/threads/serve.ts";
import { findingsOfChange } from "../../audit/check/findings.ts";
import { changedSentences } from "../../claims/mine/changed.ts";
import type { Workers } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import { firstCheckHere, firstCheckIn } from "../../onboard/first-check.ts";
import { readers } from "../../read/index.ts";
import { draft } from "../../report/index.ts";
import { readersIn } from "../../watch/workers.ts";
import { parse, tryOut } from "./config/trial.ts";
import type { Job } from "./sandbox.ts";
import { claimsFor } from "./set-up/claims.ts";

serve((job, employer) => answerTo(job as Job, employer));

async function answerTo(job: Job, { ask, soFar }: Employer): Promise<unknown> {
  if (job.kind === "parse") return parse(job.config, readers);
  if (job.kind === "draft") return draft(job.report, { ...job.around, readers }, job.chosen);
  if (job.kind === "report change") return changedSentences(job.files);
  if (job.kind === "report findings") return findingsOfChange(job.change);
  const stored = await openStored(job.storeFile);
  try {
    if (job.kind === "claims") {
      const workers: Workers = { run: (task, input) => ask("task", [task, input]) };
      // Steps that need the config run here: they cost no more than the report and the number of entries.
      const through = { ...firstCheckHere(readers), prove: firstCheckIn(workers).prove };
      const store = stored?.repository(job.drafted.repository);
      return await claimsFor(job.drafted, { readers: readersIn(workers, readers), store, through });
    }
    const store = stored?.repository(job.trial.repository);
    return await tryOut(job.trial, { readers, store, scratch }, soFar);
  } finally {
    await stored?.close();
  }
}

/** Opens the store for reading beside the server, which writes it; undefined if it cannot be read. */
async function openStored(storeFile: string): Promise<Database | undefined> {
  try {
    return await openStore(storeFile, { readonly: true });
  } catch (error) {
    if (error instanceof StoreProblem) return undefined;
    throw error;
  }
}

async function scratch() {
  const database = await openStore(":memory:");
  return { store: database.repository("scratch"), close: () => database.close() };
}
