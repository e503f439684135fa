import { wordSet } from "../../model/cache.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { forgejoApi, forgejoHosts, hostedProject } from "../shared/forge.ts";
import { ofRepository, repositoryIn, shownAt } from "../shared/repository.ts";

/** A repository on any Forgejo or Gitea host: whether it is public and archived, its name and its description. */
export const forgejoRepo = readerOf({
  kind: "forgejo-repo",
  spec: "https://codeberg.org/api/swagger#/repository/repoGet",
  noun: "repo",
  cadence: "6h",
  example: "codeberg.org/forgejo/forgejo",
  address: hostedProject(2),
  recognises,
  holds,
  ...ofRepository("repository", "forgejo-releases"),
  version: 3,
  answers: [404],
  request: ({ address }) => forgejoApi(address),
  read: (response) => repositoryIn(response, "Forgejo repository"),
  page: ({ address }) => `https://${address}`,
  leadsTo: shownAt,
});

/** The front page of a repository or of one of its branches. */
function recognises(url: URL): Recognised | undefined {
  const { parts } = pathParts(url);
  const address = holds(url);
  const isFront = parts.length === 2 || (parts[2] === "src" && parts[3] === "branch" && parts.length === 5);
  return address !== undefined && isFront ? { address } : undefined;
}

/** First parts of paths that are no owners. */
const ofForgejo = wordSet("api assets explore notifications org repo swagger user -");

/** The repository of any of its pages. */
function holds(url: URL): string | undefined {
  const { host, parts } = pathParts(url);
  const [owner, name] = parts;
  if (!forgejoHosts.has(host) || owner === undefined || name === undefined || ofForgejo.has(owner)) return undefined;
  return `${host}/${owner}/${name.replace(/\.git$/, "")}`;
}
