import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * The GitHub action: runs a scan and publishes, by the commands of this program. For a pull request, checks the changed
 * sentences instead. An input NAME arrives as INPUT_NAME:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#inputs
 */
const { INPUT_CONFIG = ".", INPUT_TOKEN = "", INPUT_PUBLISH = "", ...otherVariables } = process.env;
const {
  GITHUB_WORKSPACE = ".",
  GITHUB_EVENT_NAME,
  GITHUB_STEP_SUMMARY,
  GITHUB_REPOSITORY = "",
  RUNNER_TEMP = ".",
} = otherVariables;

const config = join(GITHUB_WORKSPACE, INPUT_CONFIG);
const env = { ...otherVariables, RECHECK_REPO: GITHUB_REPOSITORY, RECHECK_DATA: join(RUNNER_TEMP, "recheck") };
const summary = GITHUB_STEP_SUMMARY ? ["--summary", GITHUB_STEP_SUMMARY] : [];
// The checkout is the merge commit of the pull request: its first parent is the target branch.
if (GITHUB_EVENT_NAME === "pull_request")
  process.exitCode = recheck(["check", "--config", config, "--since", "HEAD^1", "--annotate", ...summary], INPUT_TOKEN);
else process.exitCode = scanAndPublish();

function scanAndPublish(): number {
  const scan = recheck(["scan", "--config", config, "--state-branch", "recheck-state", ...summary], INPUT_TOKEN);
  // The pages are published even if parts of the scan failed: they say when they were last true.
  const publish =
    INPUT_PUBLISH && recheck(["publish", "--config", config, "--out", join(GITHUB_WORKSPACE, INPUT_PUBLISH)]);
  return scan || publish || 0;
}

/** Runs a command as a process of its own and returns its exit code. Only commands that write to GitHub get the token. */
function recheck(command: readonly string[], token?: string): number {
  const main = join(import.meta.dirname, "..", "bin", "recheck.cjs");
  const own = token === undefined ? env : { ...env, GITHUB_TOKEN: token };
  return spawnSync(process.execPath, [main, ...command], { env: own, stdio: "inherit" }).status ?? 1;
}
