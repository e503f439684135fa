import { type Recognised, readerOf } from "../reader.ts";
import { lastName, pathParts } from "../shared/address.ts";
import { forgejoApi, forgejoHosts, hostedProject, releasesOf } from "../shared/forge.ts";
import { shownAt } from "../shared/repository.ts";

/** The releases of a repository on any Forgejo or Gitea host, which list them as GitHub does. */
export const forgejoReleases = readerOf({
  kind: "forgejo-releases",
  spec: "https://forgejo.org/docs/latest/user/api-usage/",
  noun: "releases",
  cadence: "6h",
  example: "codeberg.org/forgejo/forgejo",
  address: hostedProject(2),
  recognises,
  version: 10,
  request: ({ address }) => forgejoApi(address, "/releases?limit=30"),
  read: (response) => releasesOf(response, "list of Forgejo releases"),
  page: ({ address }) => `https://${address}/releases`,
  leadsTo: shownAt,
  versionsOf: lastName,
});

/** The list of releases or tags; for a single release, the list is watched in its place. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const [owner, name, section = "", ...more] = parts;
  if (!forgejoHosts.has(host) || name === undefined || !["releases", "tags"].includes(section)) return undefined;
  return { address: `${host}/${owner}/${name}`, ...(more.length > 0 && { instead: true }) };
}
