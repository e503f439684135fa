import { z } from "zod";
import { type AppGitHub, GitHubProblem } from "../../ports.ts";
import { type Call, ifThere } from "./call.ts";

/** Larger files are not read. */
const largest = 10_000_000;

const time = z.string().transform((text) => Date.parse(text));
const commitSchema = z.object({
  sha: z.string(),
  commit: z.object({ tree: z.object({ sha: z.string() }), committer: z.object({ date: time }) }),
  author: z.object({ login: z.string().optional() }).nullish(),
});
const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), size: z.number().nullish() })),
});
const sha = z.object({ sha: z.string() });
const read = "contents: read";
const write = "contents: write";

type Files = Pick<AppGitHub, "commit" | "tree" | "text" | "changed" | "push" | "deleteBranch">;

/** Commits, trees and files: https://docs.github.com/en/rest/git */
export function filesOf(call: Call): Files {
  const commits = "GET /repos/{owner}/{repo}/commits";
  const commit = (ref: string) =>
    ifThere(unlessEmpty(call("read a commit", `${commits}/{ref}`, { ref }, commitSchema, read)));

  return {
    async commit(ref) {
      const found = await commit(ref);
      if (!found) return undefined;
      const by = found.author?.login;
      return { sha: found.sha, at: found.commit.committer.date, ...(by !== undefined && { by }) };
    },

    async tree(ref) {
      const route = "GET /repos/{owner}/{repo}/git/trees/{tree_sha}";
      const { tree } = await call("list files", route, { tree_sha: ref, recursive: "1" }, treeSchema, read);
      return tree.filter(({ type }) => type === "blob").map(({ path, size }) => ({ path, size: size ?? 0 }));
    },

    async text(path, ref) {
      const route = `GET /repos/{owner}/{repo}/contents/${encoded(path)}`;
      const raw = { ref, mediaType: { format: "raw" } };
      const text = await ifThere(call("read a file", route, raw, z.unknown(), read));
      return typeof text === "string" && text.length <= largest ? text : undefined;
    },

    async changed(path, ref) {
      const one = z.array(commitSchema);
      const [newest] = await call("list commits", commits, { path, sha: ref, per_page: 1 }, one, read);
      return newest?.commit.committer.date;
    },

    async push({ branch, parent, message, files }) {
      const git = "POST /repos/{owner}/{repo}/git";
      const base = await commit(parent);
      if (!base) throw new GitHubProblem("not-found", `there is no commit ${parent}`);
      const tree = files.map(({ path, text }) => ({ path, mode: "100644", type: "blob", content: text }));
      const doing = `write to the branch ${branch}`;
      const made = await call(doing, `${git}/trees`, { base_tree: base.commit.tree.sha, tree }, sha, write);
      const parents = [parent];
      const next = await call(doing, `${git}/commits`, { message, tree: made.sha, parents }, sha, write);
      if (await commit(branch)) {
        const route = `PATCH /repos/{owner}/{repo}/git/refs/heads/${encoded(branch)}`;
        await call(doing, route, { sha: next.sha, force: true }, z.unknown(), write);
      } else {
        await call(doing, `${git}/refs`, { ref: `refs/heads/${branch}`, sha: next.sha }, z.unknown(), write);
      }
      return next.sha;
    },

    async deleteBranch(branch) {
      const route = `DELETE /repos/{owner}/{repo}/git/refs/heads/${encoded(branch)}`;
      await call("delete a branch", route, {}, z.unknown(), write).catch(goneAlready);
    },
  };
}

/** Slashes stay: they part folders. */
function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** 409: a repository without any commit. 422: no such commit. */
async function unlessEmpty<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof GitHubProblem) || error.kind !== "invalid") throw error;
    throw new GitHubProblem("not-found", error.message, { cause: error });
  }
}

function goneAlready(problem: unknown): void {
  const gone = problem instanceof GitHubProblem && ["not-found", "invalid"].includes(problem.kind);
  if (!gone) throw problem;
}
