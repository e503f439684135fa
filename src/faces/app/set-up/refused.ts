import { GitHubProblem } from "../../../model/ports/index.ts";
import { noteRefusal } from "../../../recheck/permissions.ts";
import type { AppRepository } from "../sandbox.ts";

/** Undefined if a permission is missing: people then write the config themselves, and there is no retry. */
export async function unlessGitHubRefuses<T>(asked: Promise<T>, repository: AppRepository): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !["forbidden", "invalid"].includes(error.kind)) throw error;
    await repository.store.commit((tx) => tx.updateRepository({ says: error.message }));
    await noteRefusal(repository, error);
    return undefined;
  }
}
