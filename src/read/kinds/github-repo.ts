import { type Recognised, readerOf } from "../reader.ts";
import { api, onGitHub, repository } from "../shared/github.ts";
import { ofRepository, repositoryIn, shownAt } from "../shared/repository.ts";

/** A repository: whether it is public and archived, its name (which shows a move) and description. */
export const githubRepo = readerOf({
  kind: "github-repo",
  spec: "https://docs.github.com/rest/repos/repos#get-a-repository",
  noun: "repo",
  cadence: "6h",
  example: "google-pytorch/torch_tpu",
  address: repository,
  recognises,
  holds: (url) => onGitHub(url)?.repo,
  ...ofRepository("repository", "github-releases"),
  version: 3,
  answers: [404],
  request: (source) => api(source.address),
  read: (response) => repositoryIn(response, "GitHub repository"),
  page: (source) => `https://github.com/${source.address}`,
  leadsTo: shownAt,
});

function recognises(url: URL): Recognised | undefined {
  const at = onGitHub(url);
  return at && at.section === undefined ? { address: at.repo } : undefined;
}
