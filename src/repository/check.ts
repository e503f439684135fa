import { replayBoth } from "../backtest/replay-both.ts";
import { parseConfig } from "../config/index.ts";
import { batches, checkConfig } from "../config-check/index.ts";
import { GitHubProblem } from "../ports.ts";
import { isSameConfig, readConfig } from "./config-files.ts";
import type { Workshop } from "./home.ts";
import { noteGranted, noteRefusal } from "./refusal.ts";

/**
 * Checks the config of a commit where it is another one than is in use, and writes its check run; what a change would
 * have asked is told from what is stored, and nothing is fetched. Without the permission nothing is written.
 * @throws GitHubProblem
 */
export async function check(home: Workshop, commit: string): Promise<void> {
  const { github, readers, config: before, state } = home;
  const found = (await github.commit(commit)) && (await readConfig(github, commit));
  if (!found || (isSameConfig(found, state.config) && state.broken === undefined)) return;
  const parsed = parseConfig(found.files, readers);
  const output = await checkConfig({ parsed, folder: found.folder, ...(before && { before }) }, (one, other) =>
    replayBoth(one, other, home),
  );
  const { conclusion, title, summary, annotations } = output;
  try {
    await github.check({ commit, conclusion, title, summary, annotations: batches(annotations) });
    await noteGranted(home, "checks: write");
  } catch (error) {
    if (!(error instanceof GitHubProblem) || error.kind !== "forbidden") throw error;
    await noteRefusal(home, error);
  }
}
