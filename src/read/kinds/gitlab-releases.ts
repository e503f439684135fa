import * as z from "zod";
import { type Recognised, readerOf } from "../reader.ts";
import { lastName, pathParts } from "../shared/address.ts";
import { jsonAt } from "../shared/body.ts";
import { hostAndPath, hostedProject, releasesOf } from "../shared/forge.ts";

/** The releases of a project on any GitLab host, by their tags, whose spelling alone marks pre-releases. */
export const gitlabReleases = readerOf({
  kind: "gitlab-releases",
  spec: "https://docs.gitlab.com/api/releases/",
  noun: "releases",
  cadence: "6h",
  example: "gitlab.com/inkscape/inkscape",
  address: hostedProject(10),
  recognises,
  version: 11,
  request: ({ address }) => {
    const { host, path } = hostAndPath(address);
    return jsonAt(`https://${host}/api/v4/projects/${encodeURIComponent(path)}/releases?per_page=30`);
  },
  read: (response) => releasesOf(response, "list of GitLab releases", release),
  page: ({ address }) => `https://${address}/-/releases`,
  versionsOf: lastName,
});

/** Releases and tags follow `/-/`, as on no other forge; for one release, the list is watched in its place. */
function recognises(url: URL): Recognised | undefined {
  const { parts } = pathParts(url);
  const at = parts.indexOf("-");
  const [section = "", ...more] = parts.slice(at + 1);
  if (at < 2 || !["releases", "tags"].includes(section)) return undefined;
  if (url.searchParams.has("format")) return undefined;
  return { address: [url.host, ...parts.slice(0, at)].join("/"), ...(more.length > 0 && { instead: true }) };
}

/** A release in the shape of the other forges. One dated in the future is not released yet. */
const release = z
  .object({
    tag_name: z.string().min(1),
    name: z.string().nullish(),
    description: z.string().nullish(),
    released_at: z.string().nullish(),
    upcoming_release: z.boolean().nullish(),
    _links: z.object({ self: z.string().nullish() }).nullish(),
  })
  .transform(({ description: body, released_at: published_at, upcoming_release: draft, _links, ...given }) => {
    return { ...given, body, published_at, draft, html_url: _links?.self };
  });
