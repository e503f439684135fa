import * as z from "zod";
import type { Response } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { pathParts } from "./formats/address.ts";
import { parseJson, shaped } from "./formats/body.ts";
import { forgejoHosts, hostedProject, lastName } from "./formats/forge.ts";
import { absentRepository, ofRepository, repositoryReading } from "./formats/repository.ts";
import type { Reader, Recognised, SampleState } from "./reader.ts";

/** A repository on any Forgejo or Gitea host: whether it is public and archived, its name and its description. */
export const forgejoRepo: Reader = {
  kind: "forgejo-repo",
  spec: "https://codeberg.org/api/swagger#/repository/repoGet",
  noun: "repo",
  cadence: "6h",
  example: "codeberg.org/forgejo/forgejo",
  address: hostedProject(2),
  recognises,
  holds,
  options: {},
  ...ofRepository,
  structured: true,
  version: 2,
  answers: [404],
  request: ({ address }) => {
    const [host, ...path] = address.split("/");
    return { url: `https://${host}/api/v1/repos/${path.join("/")}`, accept: "application/json" };
  },
  read,
  page: ({ address }) => `https://${address}`,
  titleOf: ({ address }) => `${lastName(address)} repository`,
  rather: {
    kind: "forgejo-releases",
    why: "a repository moves by its releases",
    otherwise: "it has no releases yet",
  },
  // It gives the same answer for a private repository and for one that never existed.
  sample: { body: sample, status: ({ facts }) => (facts.public === "no" ? 404 : 200) },
};

/** The front page of a repository, and of one of its branches. */
function recognises(url: URL): Recognised | undefined {
  const { parts } = pathParts(url);
  const address = holds(url);
  const isFront = parts.length === 2 || (parts[2] === "src" && parts[3] === "branch" && parts.length === 5);
  return address !== undefined && isFront ? { address } : undefined;
}

/** First parts of paths that are no owners. */
const ofForgejo = new Set("api,assets,explore,notifications,org,repo,swagger,user,-".split(","));

/** The repository that any of its pages belongs to. */
function holds(url: URL): string | undefined {
  const { host, parts } = pathParts(url);
  const [owner, name] = parts;
  if (!forgejoHosts.has(host) || owner === undefined || name === undefined || ofForgejo.has(owner)) return undefined;
  return `${host}/${owner}/${name.replace(/\.git$/, "")}`;
}

const shape = z.object({
  full_name: z.string().min(1),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  description: z.string().nullish(),
});

function read(response: Response): Reading {
  if (response.status === 404) return absentRepository(response);
  const { full_name: name, archived, description, ...more } = shaped(shape, parseJson(response), "Forgejo repository");
  return repositoryReading({ isPublic: more.private !== true, isArchived: archived, name, description });
}

function sample({ facts }: SampleState, { address }: Source): string {
  if (facts.public === "no") return JSON.stringify({ message: "The target couldn't be found." });
  return JSON.stringify({
    full_name: facts.name ?? address.split("/").slice(1).join("/"),
    private: false,
    archived: facts.archived === "yes",
    description: facts.description ?? "",
  });
}
