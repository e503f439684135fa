import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type BranchCommit, type Branches, GitHubProblem } from "../../model/ports/index.ts";
import { type Call, callsOf, ifThere } from "./call.ts";
import { client, credentials } from "./client.ts";
import type { GitHubOptions } from "./index.ts";

const hasSha = z.object({ sha: z.string() });
const placeSchema = z.object({ id: z.number(), archived: z.boolean() });
const refSchema = z.object({ object: hasSha });
const commitSchema = z.object({ tree: hasSha });
const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string(), size: z.number().nullish() })),
});
const blobSchema = z.object({ content: z.string(), encoding: z.literal("base64") });

const doing = "write to a branch";
const read = "contents: read";
const write = "contents: write";

/** How often a write is sent whose answer was lost, and the pause before the second time, in milliseconds. */
const mostTries = 3;
const firstPause = 1_000;

/** GitHub's git database: https://docs.github.com/en/rest/git */
export function createBranches(options: GitHubOptions): Branches {
  const { repo, clock, patience = true } = options;
  // A run makes some ten writes here, one after the other: no crowd that would need spacing.
  const Client = client({ ...options, spaced: false });
  const auth = credentials(options.auth, repo, Client, clock);
  const octokit = new Client();
  octokit.hook.before("request", async (request) => {
    request.headers.authorization = `token ${await auth.token()}`;
  });
  return branchesOf(callsOf(octokit, repo, auth, clock), patience ? firstPause : 0);
}

function branchesOf(call: Call, pause: number): Branches {
  const git = "/repos/{owner}/{repo}/git";
  const at = (branch: string) => `${git}/refs/heads/${branch.split("/").map(encodeURIComponent).join("/")}`;

  /** The commit at the head of a branch. */
  async function ref(branch: string): Promise<string | undefined> {
    const route = `GET ${at(branch).replace("/refs/", "/ref/")}`;
    return (await ifThere(call("read a branch", route, {}, refSchema, read)))?.object.sha;
  }

  /** Sends until it is known whether it arrived. */
  async function surely<T>(send: () => Promise<T>, arrived: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof GitHubProblem) || !error.uncertain) throw error;
        const found = await arrived();
        if (found !== undefined) return found;
        if (tries === mostTries) throw error;
        await sleep(pause * tries);
      }
    }
  }

  /** What is made twice is the same thing once: it is named by its content. */
  const make = <T>(what: string, body: object, schema: z.ZodType<T>): Promise<T> =>
    surely(
      () => call(doing, `POST ${git}/${what}`, { ...body }, schema, write),
      async () => undefined,
    );

  async function point(branch: string, commit: string, send: () => Promise<unknown>): Promise<boolean> {
    const isThere = async () => (await ref(branch)) === commit || undefined;
    try {
      return await surely(() => send().then(() => true as const), isThere);
    } catch (error) {
      if (!isOutrun(error)) throw error;
      // The first of two tries may have arrived after we looked.
      return (await isThere()) ?? false;
    }
  }

  return {
    place: () => call("read the repository", "GET /repos/{owner}/{repo}", {}, placeSchema, "metadata: read"),

    async head(branch) {
      const sha = await ref(branch);
      if (sha === undefined) return undefined;
      const route = `GET ${git}/commits/{commit_sha}`;
      const commit = await call("read a commit", route, { commit_sha: sha }, commitSchema, read);
      const parameters = { tree_sha: commit.tree.sha };
      const tree = await call("list files", `GET ${git}/trees/{tree_sha}`, parameters, treeSchema, read);
      return { sha, files: filesIn(tree) };
    },

    async bytes({ sha }) {
      const route = `GET ${git}/blobs/{file_sha}`;
      const { content } = await call("read a file", route, { file_sha: sha }, blobSchema, read);
      return Buffer.from(content, "base64");
    },

    async put(bytes) {
      const content = Buffer.from(bytes).toString("base64");
      const { sha } = await make("blobs", { content, encoding: "base64" }, hasSha);
      return { sha, size: bytes.length };
    },

    async commit({ message, files, parents }) {
      const blob = { mode: "100644", type: "blob" };
      const tree = [...files].map(([path, file]) =>
        typeof file === "string" ? { path, ...blob, content: file } : { path, ...blob, sha: file.sha },
      );
      const made = await make("trees", { tree }, hasSha.extend(treeSchema.shape));
      const { sha } = await make("commits", { message, tree: made.sha, parents }, hasSha);
      return { sha, files: filesIn(made) };
    },

    create: (branch, sha) =>
      point(branch, sha, () =>
        call(doing, `POST ${git}/refs`, { ref: `refs/heads/${branch}`, sha }, z.unknown(), write),
      ),

    forward: (branch, sha) =>
      point(branch, sha, () => call(doing, `PATCH ${at(branch)}`, { sha, force: false }, z.unknown(), write)),

    async force(branch, sha) {
      const moved = await point(branch, sha, () =>
        call(doing, `PATCH ${at(branch)}`, { sha, force: true }, z.unknown(), write),
      );
      if (!moved) throw new GitHubProblem("invalid", `GitHub refused to ${doing} ${branch}`);
    },

    async remove(branch) {
      try {
        await surely(
          () => call("delete a branch", `DELETE ${at(branch)}`, {}, z.unknown(), write),
          async () => ((await ref(branch)) === undefined ? true : undefined),
        );
      } catch (error) {
        if (!isOutrun(error)) throw error;
      }
    },
  };
}

function filesIn({ tree }: z.infer<typeof treeSchema>): BranchCommit["files"] {
  const files = tree.filter(({ type }) => type === "blob");
  return new Map(files.map(({ path, sha, size }) => [path, { sha, size: size ?? 0 }]));
}

/** The branch is there already, has moved on, or is no more. */
function isOutrun(error: unknown): boolean {
  if (!(error instanceof GitHubProblem)) return false;
  if (error.kind === "not-found") return true;
  return error.kind === "invalid" && /already exists|fast.?forward|does not exist/i.test(error.message);
}
