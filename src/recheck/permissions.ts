import type { Clock, GitHubProblem, RepositoryState, Store } from "../model/ports/index.ts";

interface Noting {
  readonly state: RepositoryState;
  readonly store: Store;
  readonly clock: Clock;
}

/** Stores, for the overview, that GitHub does not grant a permission, with the time of the first refusal. */
export async function noteRefusal(
  repository: Noting,
  { kind, needs }: Pick<GitHubProblem, "kind" | "needs">,
): Promise<void> {
  const { refused = {} } = repository.state;
  if (kind !== "forbidden" || needs === undefined || refused[needs] !== undefined) return;
  const at = repository.clock.now();
  await repository.store.commit((tx) => tx.updateRepository({ refused: { ...refused, [needs]: at } }));
}

/** Clears refusals of permissions that were just used: the webhook about their acceptance may have been lost. */
export async function noteGranted({ state, store }: Noting, ...permissions: readonly string[]): Promise<void> {
  const { refused = {} } = state;
  if (!permissions.some((permission) => refused[permission] !== undefined)) return;
  const left = Object.entries(refused).filter(([permission]) => !permissions.includes(permission));
  await store.commit((tx) => tx.updateRepository({ refused: Object.fromEntries(left) }));
}

/** A link to the settings page on which people accept permissions and end a suspension. */
export function settingsLink({ web = "", name, organization, installation }: RepositoryState): string {
  const origin = URL.parse(web)?.origin;
  if (origin === undefined) return "the installation's settings";
  const owner = organization ? `/organizations/${encodeURIComponent(name.split("/")[0] ?? "")}` : "";
  return `[the installation's settings](${origin}${owner}/settings/installations/${installation})`;
}
