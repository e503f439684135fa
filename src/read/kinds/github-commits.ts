import * as z from "zod";
import type { Source } from "../../model/source.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { lastName } from "../shared/address.ts";
import { commitsOf, commitsRequest, type History, historyPath } from "../shared/commits.ts";
import { looksPinned, onGitHub, repository } from "../shared/github.ts";
import { shownAt } from "../shared/repository.ts";

/** Commits of a repository, or of one branch or below one path: from the API with a token, else from Atom. */
export const githubCommits = readerOf({
  kind: "github-commits",
  spec: "https://docs.github.com/rest/commits/commits#list-commits",
  noun: "commits",
  cadence: "6h",
  example: "pytorch/ao",
  address: repository,
  recognises,
  options: {
    path: z.string().min(1).max(500).optional().describe("Only commits below this file or folder."),
    branch: z.string().min(1).max(250).optional().describe("The branch (default: the repository's default branch)."),
  },
  gives: () => ({ items: true, commits: true }),
  version: 1,
  request: (source, access) => commitsRequest(historyOf(source), access),
  read: commitsOf,
  page: (source) => `https://github.com/${historyPath(historyOf(source))}`,
  leadsTo: shownAt,
  titleOf: ({ address, options: { path } }) =>
    path === undefined ? `${lastName(address)} commits` : `${path} in ${lastName(address)}`,
});

/** The history of a repository, of a branch, or below one path, and feeds of these. */
function recognises(url: URL): Recognised | undefined {
  const { repo, section, rest } = onGitHub(url) ?? {};
  if (repo === undefined || rest === undefined) return undefined;
  if (section === "tree") return folder(repo, rest);
  if (section !== "commits" && section !== "commits.atom") return undefined;
  return folder(
    repo,
    rest.map((part, i) => (i === rest.length - 1 ? part.replace(/\.atom$/, "") : part)),
  );
}

function folder(repo: string, [branch, ...path]: readonly string[]): Recognised | undefined {
  if (branch === undefined || path.length === 0) return { address: repo };
  return looksPinned(branch) ? undefined : { address: repo, options: { path: path.join("/"), branch } };
}

function historyOf({ address, options }: Source): History {
  const path = typeof options.path === "string" ? options.path.replace(/^\/|\/$/g, "") : undefined;
  return {
    repo: address,
    ...(path && { path }),
    ...(typeof options.branch === "string" && { branch: options.branch }),
  };
}
