import * as z from "zod";
import { makeOnce } from "../../model/cache.ts";
import { blobOf } from "../../model/digest.ts";
import { type AppGitHub, type EditableFile, GitHubProblem, type TreeFile, tolerate } from "../../model/ports/index.ts";
import { type Call, isOutrun, time } from "./call.ts";

const maxCharacters = 10_000_000;

/** No such commit: 404, or 422 with the kind *invalid*. */
const unknown = ["not-found", "invalid"] as const;

const commitSchema = z.object({
  sha: z.string(),
  commit: z.object({ tree: z.object({ sha: z.string() }), committer: z.object({ date: time }) }),
  author: z.object({ login: z.string().optional() }).nullish(),
});
export const treeSchema = z.object({
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().nullish(),
    }),
  ),
  truncated: z.boolean().nullish(),
});
type Listed = z.infer<typeof treeSchema>;
export const hasSha = z.object({ sha: z.string() });
const blobSchema = z.object({ content: z.string(), encoding: z.literal("base64") });
const comparison = z.object({ merge_base_commit: hasSha });
const difference = comparison.extend({
  files: z
    .array(z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().nullish() }))
    .default([]),
});
/** The most files that GitHub lists for a comparison. */
const maxDifferingFiles = 300;
const permission = "contents: read";
const write = "contents: write";

/** Commits, trees and files: https://docs.github.com/en/rest/git */
export function filesOf(call: Call) {
  return { ...readingOf(call), ...writingOf(call) };
}

const commits = "GET /repos/{owner}/{repo}/commits";
const compare = "GET /repos/{owner}/{repo}/compare/{basehead}";

function readingOf(call: Call) {
  let lastListings: { readonly ref: string; readonly listed: Listings } | undefined;
  return {
    async commit(ref) {
      const headCommit = await commitAt(call, ref);
      if (!headCommit) return undefined;
      const by = headCommit.author?.login;
      return { sha: headCommit.sha, ...(by !== undefined && { by }) };
    },

    async mergeBase(base, head) {
      // Only the first page lists the changed files and their diffs.
      const query = { basehead: `${base}...${head}`, per_page: 1, page: 2 };
      const comparing = call("compare commits", compare, query, comparison, permission);
      return (await tolerate(comparing, ...unknown))?.merge_base_commit.sha;
    },

    async difference(base, head) {
      const query = { basehead: `${base}...${head}`, per_page: 1, page: 1 };
      const comparison = await tolerate(call("compare commits", compare, query, difference, permission), ...unknown);
      if (!comparison) return undefined;
      const files = comparison.files.map(({ filename: path, status, previous_filename: renamed }) => ({
        path,
        ...(status !== "added" && { from: renamed ?? path }),
        ...(status === "removed" && { removed: true as const }),
      }));
      return { began: comparison.merge_base_commit.sha, files, whole: files.length < maxDifferingFiles };
    },

    async tree(ref) {
      const listing = await list(call, ref, true);
      return listing.truncated
        ? { files: await inParts(call, ref), whole: false }
        : { files: blobsIn(listing), whole: true };
    },

    async filesIn(ref, folders) {
      // Config is sought in one folder after the other.
      if (lastListings?.ref !== ref) lastListings = { ref, listed: listings(call) };
      const { listed } = lastListings;
      const treeFiles: TreeFile[] = [];
      for (const folder of folders) {
        const entry = folder === "" ? { sha: ref, type: "tree" } : await entryAt(listed, ref, folder);
        if (entry?.type === "tree")
          treeFiles.push(...blobsIn(await listed(entry.sha), folder === "" ? "" : `${folder}/`));
      }
      return treeFiles;
    },

    async text(path, ref) {
      const route = `GET /repos/{owner}/{repo}/contents/${encodePath(path)}`;
      const raw = { ref, mediaType: { format: "raw" } };
      const text = await tolerate(call("read a file", route, raw, z.unknown(), permission), "not-found");
      return typeof text === "string" && text.length <= maxCharacters ? text : undefined;
    },

    async editable(paths, ref) {
      const filesByPath = new Map<string, EditableFile>();
      const commit = await commitAt(call, ref);
      const entries = commit ? await entriesAt(call, commit.commit.tree.sha, paths) : [];
      for (const [path, entry] of entries) {
        const file = await readEditable(call, entry);
        if (file) filesByPath.set(path, file);
      }
      return filesByPath;
    },

    async changed(path, ref) {
      const one = z.array(commitSchema);
      const [newest] = await call("list commits", commits, { path, sha: ref, per_page: 1 }, one, permission);
      return newest?.commit.committer.date;
    },
  } satisfies Partial<AppGitHub>;
}

function writingOf(call: Call) {
  const git = "/repos/{owner}/{repo}/git";
  return {
    async push({ branch, parent, over = [], message, files, note }) {
      const base = await commitAt(call, parent);
      if (!base) throw new GitHubProblem("not-found", `there is no commit ${parent}`);
      const modes = await modesOf(
        call,
        base.commit.tree.sha,
        files.map(({ path }) => path),
      );
      const tree = files.map(({ path, text }) => ({ path, mode: modes.get(path), type: "blob", content: text }));
      const doing = `write to the branch ${branch}`;
      const post = (kind: string, body: object) => call(doing, `POST ${git}/${kind}`, { ...body }, hasSha, write);
      const made = await post("trees", { base_tree: base.commit.tree.sha, tree });
      const commit = await post("commits", { message, tree: made.sha, parents: [parent] });
      await note?.(commit.sha);
      const tip = (await commitAt(call, branch))?.sha;
      if (tip !== undefined && ![commit.sha, parent, ...over].includes(tip)) return undefined;
      const route = tip === undefined ? `POST ${git}/refs` : `PATCH ${git}/refs/heads/${encodePath(branch)}`;
      // If no file may be replaced, GitHub itself ensures that.
      const how = tip === undefined ? { ref: `refs/heads/${branch}` } : { force: tip !== parent };
      try {
        if (tip !== commit.sha) await call(doing, route, { sha: commit.sha, ...how }, z.unknown(), write);
      } catch (error) {
        const isTaken = isOutrun(error) && error instanceof GitHubProblem && error.kind === "invalid";
        if (!isTaken) throw error;
        if ((await commitAt(call, branch))?.sha !== commit.sha) return undefined;
      }
      return commit.sha;
    },

    async deleteBranch(branch) {
      const route = `DELETE ${git}/refs/heads/${encodePath(branch)}`;
      await tolerate(call("delete a branch", route, {}, z.unknown(), write), "not-found", "invalid");
    },
  } satisfies Partial<AppGitHub>;
}

function commitAt(call: Call, ref: string): Promise<z.infer<typeof commitSchema> | undefined> {
  return tolerate(call("read a commit", `${commits}/{ref}`, { ref }, commitSchema, permission), ...unknown);
}

export function list(call: Call, sha: string, recursive = false): Promise<Listed> {
  const route = "GET /repos/{owner}/{repo}/git/trees/{tree_sha}";
  return call("list files", route, { tree_sha: sha, ...(recursive && { recursive: "1" }) }, treeSchema, permission);
}

type Entry = Listed["tree"][number];

/** The entries at paths of a tree, requested folder by folder, each folder once. Missing ones are left out. */
async function entriesAt(call: Call, root: string, paths: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
  const listed = listings(call);
  const found = new Map<string, Entry>();
  for (const path of paths) {
    const entry = await entryAt(listed, root, path);
    if (entry) found.set(path, entry);
  }
  return found;
}

type Listings = (sha: string) => Promise<Listed>;

function listings(call: Call): Listings {
  const listed = new Map<string, Promise<Listed>>();
  return (sha) => makeOnce(listed, sha, () => list(call, sha));
}

async function entryAt(listed: Listings, root: string, path: string): Promise<Entry | undefined> {
  let entry: Entry | undefined;
  for (const name of path.split("/")) {
    if (entry && entry.type !== "tree") return entry.mode === symbolicLink ? entry : undefined;
    entry = (await listed(entry?.sha ?? root)).tree.find((one) => one.path === name);
    if (!entry) return undefined;
  }
  return entry;
}

/** Reads a blob and compares it with its hash, because a proxy may cut an answer. @throws GitHubProblem */
export async function blobAt(call: Call, sha: string): Promise<Buffer> {
  const route = "GET /repos/{owner}/{repo}/git/blobs/{file_sha}";
  const { content } = await call("read a file", route, { file_sha: sha }, blobSchema, permission);
  const bytes = Buffer.from(content, "base64");
  if (blobOf(bytes) === sha) return bytes;
  throw new GitHubProblem("unavailable", `GitHub's answer does not hold the whole file ${sha}`);
}

async function readEditable(call: Call, { mode, type, sha, size }: Entry): Promise<EditableFile | undefined> {
  if (mode === symbolicLink) return { byHand: "it is a symbolic link" };
  if (type !== "blob") return undefined;
  if ((size ?? 0) > maxCharacters) return { byHand: "it is larger than 10 MB" };
  const bytes = await blobAt(call, sha);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { byHand: "it is not in UTF-8, so an edit would damage it" };
  }
}

/** The mode that each file keeps; a new file gets the ordinary one. A link is not overwritten. @throws GitHubProblem */
async function modesOf(call: Call, root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const modes = new Map<string, string>();
  const entries = await entriesAt(call, root, paths);
  for (const path of paths) {
    const entry = entries.get(path);
    if (entry?.mode === symbolicLink) throw new GitHubProblem("invalid", `${path} is a symbolic link`);
    modes.set(path, entry?.type === "blob" ? entry.mode : "100644");
  }
  return modes;
}

/** Used if GitHub does not list all files at once: lists those at the root and in the relevant folders. */
async function inParts(call: Call, sha: string, within = ""): Promise<TreeFile[]> {
  const tree = await list(call, sha);
  const files = blobsIn(tree, within);
  for (const { path, type, sha } of tree.tree) {
    const isWanted = type === "tree" && foldersThatMatter.includes(within + path);
    if (isWanted) files.push(...(await inParts(call, sha, `${within}${path}/`)));
  }
  return files;
}

const foldersThatMatter = ["triggers", "docs", ".github", ".github/recheck", ".github/recheck/triggers"];

export function blobsIn({ tree }: Listed, within = ""): TreeFile[] {
  const blobs = tree.filter(({ type }) => type === "blob");
  return blobs.map(({ path, mode, sha, size }) => ({
    path: within + path,
    sha,
    size: size ?? 0,
    ...(mode === symbolicLink && { link: true }),
  }));
}

const symbolicLink = "120000";

/** Slashes separate folders, so they are not encoded. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
