import type { Clock, GitHubProblem, RepositoryState, Store } from "../ports.ts";

/** Notes a permission that GitHub does not grant, for the overview to tell. Of one that is known, the first time stays. */
export async function noteRefusal(
  home: { readonly state: RepositoryState; readonly store: Store; readonly clock: Clock },
  { kind, needs }: Pick<GitHubProblem, "kind" | "needs">,
): Promise<void> {
  const { refused = {} } = home.state;
  if (kind !== "forbidden" || needs === undefined || refused[needs] !== undefined) return;
  const at = home.clock.now();
  await home.store.commit((tx) => tx.updateRepository({ refused: { ...refused, [needs]: at } }));
}
