import * as z from "zod";
import { wordSet } from "../../model/cache.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, parseJson, parseShape } from "../shared/body.ts";
import { hostAndPath, hostedProject } from "../shared/forge.ts";
import { notPublic, ofRepository, repositoryReading } from "../shared/repository.ts";

/** A project on any GitLab host. Asked by GraphQL: without a token, REST does not say whether it is archived. */
export const gitlabProject = readerOf({
  kind: "gitlab-project",
  spec: "https://docs.gitlab.com/api/graphql/reference/#project",
  noun: "project",
  cadence: "6h",
  example: "gitlab.com/inkscape/inkscape",
  address: hostedProject(10),
  recognises,
  holds,
  ...ofRepository("project", "gitlab-releases"),
  version: 3,
  request: ({ address }) => {
    const { host, path } = hostAndPath(address);
    const query = `{project(fullPath:${JSON.stringify(path)}){fullPath archived visibility description lastActivityAt}}`;
    return jsonAt(`https://${host}/api/graphql?query=${encodeURIComponent(query)}`);
  },
  read,
  page: ({ address }) => `https://${address}`,
});

/** Public hosts besides those named `gitlab.…`. Other addresses do not show which forge they belong to. */
const hosts = new Set(["salsa.debian.org", "invent.kde.org", "framagit.org"]);
/** First parts of paths that are no groups or people. */
const ofGitLab = wordSet("- admin api assets dashboard explore groups help public search snippets users");
/** Sections that followed a project's name directly, before there was `/-/`. */
const sections = wordSet(
  "blob branches commit commits issues merge_requests milestones pipelines raw releases tags tree wiki wikis",
);

/** The front page of a project or of one of its branches. */
function recognises(url: URL): Recognised | undefined {
  const { parts } = pathParts(url);
  const at = parts.indexOf("-");
  const address = holds(url);
  if (address === undefined || (at >= 0 && (parts[at + 1] !== "tree" || parts.length > at + 3))) return undefined;
  return at < 0 && address.split("/").length - 1 < parts.length ? undefined : { address };
}

/** The project of any of its pages. */
function holds(url: URL): string | undefined {
  const { host, parts } = pathParts(url);
  if ((!host.startsWith("gitlab.") && !hosts.has(host)) || ofGitLab.has(parts[0] ?? "")) return undefined;
  const end = parts.findIndex((part, i) => part === "-" || (i > 1 && sections.has(part)));
  const path = end < 0 ? parts : parts.slice(0, end);
  return path.length < 2 ? undefined : [url.host, ...path].join("/").replace(/\.git$/, "");
}

const shape = z.object({
  errors: z.array(z.unknown()).max(0).nullish(),
  data: z.object({
    project: z
      .object({
        fullPath: z.string().min(1),
        archived: z.boolean().nullish(),
        visibility: z.string().nullish(),
        description: z.string().nullish(),
        lastActivityAt: z.string().nullish(),
      })
      .nullable(),
  }),
});

/** `null`: private or missing; with errors: unknown. Spec: https://spec.graphql.org/October2021/#sec-Errors */
function read(response: Response): Reading {
  const { project } = parseShape(shape, parseJson(response), "project of GitLab").data;
  if (!project) return notPublic;
  const { fullPath: name, archived: isArchived, visibility, description, lastActivityAt: active } = project;
  return repositoryReading({ isPublic: visibility !== "private", isArchived, name, description, active });
}
