import type { Clock, GitHub, Store, StoredComment } from "../ports.ts";
import { mayArrive, once } from "./writing.ts";

interface Desk {
  readonly store: Store;
  readonly clock: Clock;
  readonly github: GitHub;
  /** Why no more may be written now; undefined where it may. */
  readonly full: () => Promise<string | undefined>;
}

/** Writes a comment exactly once: what became of it, or why it waits. @throws GitHubProblem */
export async function writeComment(
  comment: StoredComment,
  issue: number,
  { store, clock, github, full }: Desk,
): Promise<"written" | "there" | { readonly because: string }> {
  if (comment.attempted !== undefined && (await github.findComment(issue, comment.marker))) return "there";
  const because = mayArrive(comment, clock.now()) ?? (await full());
  if (because !== undefined) return { because };
  await store.updateComment(comment.id, { attempted: clock.now() });
  await store.countCreation(clock.now());
  await once(
    () => store.updateComment(comment.id, { attempted: undefined }),
    () => github.createComment(issue, comment.body).then(() => true),
    async () => (await github.findComment(issue, comment.marker)) || undefined,
  );
  return "written";
}
