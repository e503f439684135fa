import type { AppGitHub } from "../ports.ts";

/**
 * Deletes a branch of ours whose pull request has ended, as long as `done` is what it holds: what people committed beyond
 * that is theirs. GitHub may have deleted it already. @throws GitHubProblem
 */
export async function dropBranch(
  github: Pick<AppGitHub, "commit" | "deleteBranch">,
  branch: string,
  done: string | undefined,
): Promise<void> {
  if (done !== undefined && (await github.commit(branch))?.sha === done) await github.deleteBranch(branch);
}
