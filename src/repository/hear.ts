import type { Instant } from "../model.ts";
import type { Transaction } from "../ports.ts";
import { isConfig } from "./config-files.ts";
import type { Home } from "./home.ts";
import type { News } from "./news.ts";

/** What is to be kept of what was heard, in one transaction. */
export type Keeping = (tx: Transaction) => Promise<void>;

const nothing: Keeping = async () => {};

/** News of a repository → what to keep of them. What was heard twice comes to no more than once. @throws GitHubProblem */
export async function hear(home: Home, news: News, _at: Instant): Promise<Keeping> {
  switch (news.kind) {
    case "push":
      return hearPush(home, news);
    default:
      return nothing;
  }
}

function hearPush({ state }: Home, { branch, paths }: Extract<News, { kind: "push" }>): Keeping {
  const isDefault = state.defaultBranch === undefined || branch === state.defaultBranch;
  if (!isDefault || !touchesConfig(paths)) return nothing;
  return (tx) => tx.updateRepository({ stale: true });
}

/** Whether a push may have changed config: it did not where all its files are told, and none is one. */
export function touchesConfig(paths: readonly string[] | undefined): boolean {
  return paths?.some(isConfig) ?? true;
}
