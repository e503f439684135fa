import { isDeepStrictEqual } from "node:util";
import { blobOf } from "../model/digest.ts";
import type { AppGitHub, RepositoryConfig, RepositoryFile, TreeFile } from "../model/ports/index.ts";
import { sizeExcessOf } from "./text.ts";

/** The folders that may contain config, in order of precedence. */
export const configFolders = ["", ".github/recheck"] as const;
export type Folder = RepositoryConfig["folder"];

const linkMessage = "a symbolic link: config is read only from regular files";

export function pathIn(folder: Folder, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

export function isConfig(path: string): boolean {
  const starts = configFolders.map((folder) => pathIn(folder, ""));
  return starts.some((start) => path.startsWith(start) && isOurs(path.slice(start.length)));
}

function isOurs(path: string): boolean {
  return path === "sources.yaml" || /^triggers\/[^/]+\.ya?ml$/.test(path);
}

/** The folder with config, if there is one, and its files. Only these are listed: a repository may be very large. */
async function filesOfConfig(
  github: Pick<AppGitHub, "filesIn">,
  commit: string,
): Promise<{ readonly folder: Folder; readonly files: readonly TreeFile[] } | undefined> {
  for (const folder of configFolders) {
    const files = await github.filesIn(commit, [folder, pathIn(folder, "triggers")]);
    if (files.some(({ path }) => path === pathIn(folder, "sources.yaml"))) return { folder, files };
  }
  return undefined;
}

/** The config of a commit, if any. Oversized config and files of `lastConfig` are not read. @throws GitHubProblem */
export async function readConfig(
  github: Pick<AppGitHub, "filesIn" | "text">,
  commit: string,
  lastConfig?: RepositoryConfig,
): Promise<RepositoryConfig | undefined> {
  const there = await filesOfConfig(github, commit);
  if (!there) return undefined;
  const { folder, files: listed } = there;
  const configFiles = listed
    .map((file) => ({ ...file, path: file.path.slice(pathIn(folder, "").length) }))
    .filter(({ path }) => isOurs(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const links = configFiles
    .filter(({ link }) => link)
    .map(({ path: file }) => ({ file, line: 1, column: 1, message: linkMessage }));
  const excess = [...sizeExcessOf(configFiles), ...links];
  if (excess.length > 0) return { commit, folder, files: [], excess };
  const texts = new Map(lastConfig?.files.map(({ text }) => [blobOf(text), text]));
  const files: RepositoryFile[] = [];
  for (const { path, sha } of configFiles) {
    const text = texts.get(sha) ?? (await github.text(pathIn(folder, path), commit));
    files.push({ path, text: text ?? "" });
  }
  return { commit, folder, files };
}

export function isSameConfig(one: RepositoryConfig | undefined, other: RepositoryConfig | undefined): boolean {
  const [own, others] = [one, other].map((config) => [config?.folder, config?.files, config?.excess]);
  return isDeepStrictEqual(own, others);
}
