import { problemIn } from "../../../model/ports/index.ts";
import { noteRefusal } from "../../../recheck/permissions.ts";
import type { AppRepository } from "../sandbox.ts";

/** Returns undefined if a permission is missing: then people write the config themselves, and there is no retry. */
export async function unlessGitHubRefuses<T>(asked: Promise<T>, repository: AppRepository): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const problem = problemIn(error, "forbidden", "invalid");
    await repository.store.commit((tx) => tx.updateRepository({ says: problem.message }));
    await noteRefusal(repository, problem);
    return undefined;
  }
}
