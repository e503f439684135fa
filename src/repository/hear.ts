import { type Keeping, nothing } from "../answer/asking.ts";
import { hearEdit } from "../answer/boxes.ts";
import { hearPull } from "../answer/pull-end.ts";
import { digest } from "../digest.ts";
import { check, checkHead, isChecked, isOf, wasChecked } from "./check.ts";
import { isConfig } from "./config-files.ts";
import type { Home } from "./home.ts";
import { hearSaid } from "./misplaced.ts";
import type { Heard, News } from "./news.ts";
import { hearSetUp } from "./set-up.ts";

type Given = Pick<Heard, "news" | "at" | "delivery">;

/** News of a repository → what to keep of them. What was heard twice comes to no more than once. @throws GitHubProblem */
export async function hear(home: Home, { news, at, delivery }: Given): Promise<Keeping> {
  const { config } = home;
  switch (news.kind) {
    case "push":
      return await hearPush(home, news);
    case "pull":
      // What we propose ourselves is checked by its push.
      if (news.action !== "closed" && news.commit !== home.state.setUp?.head) await checkHead(home, news);
      if (news.foreign) return nothing;
      if (news.branch === home.state.setUp?.branch) return await hearSetUp(home, news);
      return config ? await hearPull({ ...home, config }, news) : nothing;
    case "rerun":
      return await hearRerun(home, news, delivery);
    case "comment":
      return await hearSaid(home, news, at);
    case "edited":
      return config ? await hearEdit({ ...home, config }, news, at) : nothing;
    default:
      return nothing;
  }
}

async function hearPush(
  home: Home,
  { branch, commit, before, paths }: Extract<News, { kind: "push" }>,
): Promise<Keeping> {
  const { defaultBranch, setUp, config, empty } = home.state;
  // Of a repository without any commit, the branch that is pushed first becomes the default one.
  const isDefault = defaultBranch === undefined || branch === defaultBranch || empty === true;
  const touches = touchesConfig(paths);
  const onto = isDefault ? undefined : defaultBranch;
  // A required check of a pull request waits for its head, whatever it was that was pushed last. What is merged into its
  // branch names files of config that are not its own.
  const isOwed = onto === undefined ? touches && paths !== undefined : await wasChecked(home, onto, before);
  if (touches || isOwed) await check(home, commit, isOwed, { onto });
  // Where nothing is in use yet, whatever is pushed may be a report.
  const isRead = isDefault ? touches || !config : branch === setUp?.branch;
  return isRead ? (tx) => tx.updateRepository({ stale: true }) : nothing;
}

/** Where config could not be read, on the default branch it is tried again, too. */
async function hearRerun(
  home: Home,
  { commit, checked }: Extract<News, { kind: "rerun" }>,
  delivery: string,
): Promise<Keeping> {
  const isAgain = checked ?? (await isChecked(home, commit));
  const { defaultBranch } = home.state;
  const onto = (await isOf(home, defaultBranch, commit)) ? undefined : defaultBranch;
  await check(home, commit, isAgain, { onto, again: isAgain ? digest(delivery) : undefined });
  return commit === home.state.broken ? (tx) => tx.updateRepository({ stale: true }) : nothing;
}

/** Whether a push may have changed config: it did not where all its files are told, and none is one. */
function touchesConfig(paths: readonly string[] | undefined): boolean {
  return paths?.some(isConfig) ?? true;
}
