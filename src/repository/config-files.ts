import type { AppGitHub, RepositoryConfig, RepositoryFile, TreeFile } from "../ports.ts";

/** Where config may live, in the order in which it is looked for. */
const folders = ["", ".github/recheck"] as const;
export type Folder = RepositoryConfig["folder"];

/** Files of triggers; more are no config. */
const mostFiles = 500;
/** In bytes; the parser refuses it. */
const largest = 1_000_000;

/** A file's path from the root of the repository. */
export function pathIn(folder: Folder, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

/** Whether a file of the repository is one of config. */
export function isConfig(path: string): boolean {
  return folders.some((folder) => {
    if (!path.startsWith(pathIn(folder, ""))) return false;
    return isOurs(path.slice(pathIn(folder, "").length));
  });
}

function isOurs(path: string): boolean {
  return path === "sources.yaml" || /^triggers\/[^/]+\.ya?ml$/.test(path);
}

/** The folder that holds config, if one does. */
function folderIn(tree: readonly TreeFile[]): Folder | undefined {
  return folders.find((folder) => tree.some(({ path }) => path === pathIn(folder, "sources.yaml")));
}

/** The config of a commit; undefined where there is none. @throws GitHubProblem */
export async function readConfig(
  github: Pick<AppGitHub, "tree" | "text">,
  commit: string,
): Promise<RepositoryConfig | undefined> {
  const { files: tree } = await github.tree(commit);
  const folder = folderIn(tree);
  if (folder === undefined) return undefined;
  const prefix = pathIn(folder, "");
  const found = tree
    .filter(({ path }) => path.startsWith(prefix) && isOurs(path.slice(prefix.length)))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .slice(0, mostFiles);
  const files: RepositoryFile[] = [];
  for (const { path, size } of found) {
    // One character more than the limit tells the parser that it is too large.
    const text = size > largest ? " ".repeat(largest + 1) : ((await github.text(path, commit)) ?? "");
    files.push({ path: path.slice(prefix.length), text });
  }
  return { commit, folder, files };
}

/** Whether two commits hold the same config. */
export function isSameConfig(one: RepositoryConfig | undefined, other: RepositoryConfig | undefined): boolean {
  if (one?.folder !== other?.folder || one?.files.length !== other?.files.length) return false;
  return (one?.files ?? []).every(({ path, text }, at) => {
    const same = other?.files[at];
    return same?.path === path && same.text === text;
  });
}
