import { isAsking } from "../../model/ports/index.ts";
import { replyMark } from "../issue/comment.ts";
import { readIssue } from "../observe.ts";
import { commandLine } from "./command.ts";
import { hearComment } from "./comment.ts";
import { fullRechecks, type WatchedRepository } from "./repository.ts";

/**
 * Hears all over what people have said in the issue of a recheck that was not remembered: what they answered holds. What
 * was replied to them then is not written again. Of an issue that they have opened again, which asks all of it anew,
 * nobody tells what they said since. @throws GitHubProblem
 */
export async function hearAgain(repository: WatchedRepository, issue: number): Promise<void> {
  const { github, store } = repository;
  if ((await readIssue(github, issue))?.reopened) return;
  const all = await github.commentsIn(issue);
  const replies = all.filter(({ bot }) => bot).map(({ body }) => body);
  for (const said of all) {
    if (said.bot || said.edited || !commandLine(said.body)) continue;
    const one = (await fullRechecks(repository)).find(({ recheck }) => recheck.issue === issue && isAsking(recheck));
    if (!one) return;
    const marker = replyMark(`comment ${said.id}`);
    const { id: comment, at, body, by, bot } = said;
    const keep = await hearComment(repository, { kind: "comment", issue, comment, body, by, bot }, at);
    await store.commit(async (tx) => {
      const isReplied = replies.some((reply) => reply.includes(marker));
      if (isReplied) await tx.say({ recheck: one.recheck.id, marker, body: "", done: true });
      await keep(tx);
    });
  }
}
