import { GitHubProblem, type Pull, type StoredPull } from "../ports.ts";
import { dropBranch } from "../repository/own-branch.ts";
import type { Asking } from "./asking.ts";

/** Opens a pull request, once: where the answer got lost, it is looked for. @throws GitHubProblem */
export async function openPull(
  draft: { readonly title: string; readonly body: string; readonly branch: string; readonly base: string },
  mark: string,
  { github, store, clock }: Pick<Asking, "github" | "store" | "clock">,
): Promise<Pull> {
  await store.countCreation(clock.now());
  try {
    return await github.createPull({ ...draft, body: `${draft.body}\n\n${end}` });
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !error.uncertain) throw error;
    const found = await github.pullOf(draft.branch).catch(() => undefined);
    if (!found?.body.includes(mark)) throw error;
    return found;
  }
}

/** Undefined where it is not there, or not open to us any more. @throws GitHubProblem */
export async function readPull(github: Asking["github"], number: number): Promise<Pull | undefined> {
  try {
    return await github.pull(number);
  } catch (error) {
    if (error instanceof GitHubProblem && error.kind === "not-found") return undefined;
    return unlessRefused(error);
  }
}

/** 403: a permission is missing, or it is locked. 422: a rule of the repository is against it. @throws what is neither */
export function refusalIn(error: unknown): GitHubProblem {
  if (error instanceof GitHubProblem && ["forbidden", "locked", "invalid"].includes(error.kind)) return error;
  throw error;
}

/** @throws what is no refusal */
export function unlessRefused(error: unknown): undefined {
  refusalIn(error);
}

/**
 * Deletes the branch of a pull request that has ended, where all that is on it was merged, or is ours alone.
 * @throws GitHubProblem
 */
export async function dropBranchOf(
  { branch, head, shared }: Pick<StoredPull, "branch" | "head" | "shared">,
  { merged, head: last }: Pick<Pull, "merged" | "head">,
  github: Asking["github"],
): Promise<void> {
  const ours = shared ? undefined : head;
  await dropBranch(github, branch, merged ? last : ours).catch(unlessRefused);
}

const end = "<!-- recheck:end -->";

/** A new text in place of ours: what people wrote around it stays, and so do their ticks in it. */
export function updatedBody(old: string, body: string): string {
  const [mark = ""] = body.split("\n", 1);
  const from = Math.max(0, old.indexOf(mark));
  const to = old.indexOf(end, from);
  const ticked = new Set(old.split(/\r?\n/).flatMap((line) => (/^- \[[xX]\] /.test(line) ? [line.slice(6)] : [])));
  const lines = body
    .split("\n")
    .map((line) => (line.startsWith("- [ ] ") && ticked.has(line.slice(6)) ? `- [x] ${line.slice(6)}` : line));
  return `${old.slice(0, from)}${lines.join("\n")}\n\n${end}${to < 0 ? "" : old.slice(to + end.length)}`;
}
