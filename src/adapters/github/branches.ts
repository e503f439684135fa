import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type BranchCommit, type Branches, GitHubProblem, tolerate } from "../../model/ports/index.ts";
import { type Call, callsOf, isOutrun } from "./call.ts";
import { client, credentials, writerOf } from "./client.ts";
import { blobAt, blobsIn, encodePath, hasSha, list, treeSchema } from "./files.ts";
import type { GitHubOptions } from "./index.ts";

const placeSchema = z.object({ id: z.number(), archived: z.boolean() });
const refSchema = z.object({ object: hasSha });
const commitSchema = z.object({ tree: hasSha });

const doing = "write to a branch";
const permission = "contents: read";
const write = "contents: write";

/** How often a write is sent if its answer was lost, and the pause before the second time, in milliseconds. */
const maxTries = 3;
const firstPause = 1_000;

/** GitHub's git database: https://docs.github.com/en/rest/git */
export function createBranches(options: GitHubOptions): Branches {
  const { repo, clock, patience = true } = options;
  const auth = credentials(options.auth, repo, options);
  // A run makes about ten writes here, one after the other, so they need no pauses.
  const octokit = new (client({ ...options, spaced: false, token: auth.token }))();
  const call = callsOf(octokit, repo, { auth, as: writerOf(options.auth), clock, audit: options.audit });
  const pause = patience ? firstPause : 0;
  return { ...objectsOf(call, pause), ...headsOf(call, pause) };
}

const git = "/repos/{owner}/{repo}/git";

/** Creates files and commits. Their ids are hashes of their content, so creating one twice makes no difference. */
function objectsOf(call: Call, pause: number): Pick<Branches, "bytes" | "put" | "commit"> {
  const make = <T>(kind: string, body: object, schema: z.ZodType<T>): Promise<T> =>
    retryUntilKnown(
      () => call(doing, `POST ${git}/${kind}`, { ...body }, schema, write),
      async () => undefined,
      pause,
    );

  return {
    bytes: ({ sha }) => blobAt(call, sha),

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
  };
}

function headsOf(call: Call, pause: number): Omit<Branches, "bytes" | "put" | "commit"> {
  /** Whether this commit is the head of the branch after `send`; false if another commit came first. */
  async function point(branch: string, commit: string, send: () => Promise<unknown>): Promise<boolean> {
    const isThere = async () => (await headOf(call, branch)) === commit || undefined;
    try {
      return await retryUntilKnown(() => send().then(() => true as const), isThere, pause);
    } catch (error) {
      if (!isOutrun(error)) throw error;
      // The first of two tries may arrive after this check.
      return (await isThere()) ?? false;
    }
  }

  const move = (branch: string, sha: string, force: boolean) =>
    point(branch, sha, () => call(doing, `PATCH ${refAt(branch)}`, { sha, force }, z.unknown(), write));

  return {
    place: () => call("read the repository", "GET /repos/{owner}/{repo}", {}, placeSchema, "metadata: read"),

    async head(branch) {
      const sha = await headOf(call, branch);
      if (sha === undefined) return undefined;
      const route = `GET ${git}/commits/{commit_sha}`;
      const commit = await call("read a commit", route, { commit_sha: sha }, commitSchema, permission);
      return { sha, files: filesIn(await list(call, commit.tree.sha)) };
    },

    create: (branch, sha) =>
      point(branch, sha, () =>
        call(doing, `POST ${git}/refs`, { ref: `refs/heads/${branch}`, sha }, z.unknown(), write),
      ),

    forward: (branch, sha) => move(branch, sha, false),

    async force(branch, sha) {
      const isMoved = await move(branch, sha, true);
      if (!isMoved) throw new GitHubProblem("invalid", `GitHub refused to ${doing} ${branch}`);
    },

    async remove(branch) {
      const send = () => call("delete a branch", `DELETE ${refAt(branch)}`, {}, z.unknown(), write);
      const isGone = async () => (await headOf(call, branch)) === undefined || undefined;
      try {
        await retryUntilKnown(send, isGone, pause);
      } catch (error) {
        if (!isOutrun(error)) throw error;
      }
    },
  };
}

async function headOf(call: Call, branch: string): Promise<string | undefined> {
  const route = `GET ${refAt(branch).replace("/refs/", "/ref/")}`;
  return (await tolerate(call("read a branch", route, {}, refSchema, permission), "not-found"))?.object.sha;
}

function refAt(branch: string): string {
  return `${git}/refs/heads/${encodePath(branch)}`;
}

/** Sends until it is known whether it arrived; `pause` in milliseconds, longer each time. */
async function retryUntilKnown<T>(
  send: () => Promise<T>,
  arrived: () => Promise<T | undefined>,
  pause: number,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof GitHubProblem) || !error.uncertain) throw error;
      const found = await arrived();
      if (found !== undefined) return found;
      if (tries === maxTries) throw error;
      await sleep(pause * tries);
    }
  }
}

function filesIn(tree: z.infer<typeof treeSchema>): BranchCommit["files"] {
  return new Map(blobsIn(tree).map(({ path, sha, size }) => [path, { sha, size }]));
}
