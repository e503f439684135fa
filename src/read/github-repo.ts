import * as z from "zod";
import type { Response } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { parseJson, shaped } from "./formats/body.ts";
import { api, nameOfRepository, onGitHub, repository } from "./formats/github.ts";
import { absentRepository, ofRepository, repositoryReading } from "./formats/repository.ts";
import type { Reader, Recognised, SampleState } from "./reader.ts";

/** A repository: whether it is public and archived, its name (which tells that it moved) and description. */
export const githubRepo: Reader = {
  kind: "github-repo",
  spec: "https://docs.github.com/rest/repos/repos#get-a-repository",
  noun: "repo",
  cadence: "6h",
  example: "google-pytorch/torch_tpu",
  address: repository,
  recognises,
  holds: (url) => onGitHub(url)?.repo,
  options: {},
  ...ofRepository,
  structured: true,
  version: 2,
  answers: [404],
  request: (source) => api(source.address),
  read,
  page: (source) => `https://github.com/${source.address}`,
  titleOf: ({ address }) => `${nameOfRepository(address)} repository`,
  rather: {
    kind: "github-releases",
    why: "a repository moves by its releases",
    otherwise: "it has no releases yet",
  },
  // GitHub gives the same answer for a private repository and for one that never existed.
  sample: { body: sample, status: ({ facts }) => (facts.public === "no" ? 404 : 200) },
};

function recognises(url: URL): Recognised | undefined {
  const at = onGitHub(url);
  return at && at.section === undefined ? { address: at.repo } : undefined;
}

const shape = z.object({
  private: z.boolean().optional(),
  archived: z.boolean().optional(),
  full_name: z.string().min(1),
  description: z.string().nullish(),
});

/** GitHub answers 404 for a private repository and for one that never existed; a token may see more than others do. */
function read(response: Response): Reading {
  if (response.status === 404) return absentRepository(response);
  const repo = shaped(shape, parseJson(response), "GitHub repository");
  return repositoryReading({
    isPublic: repo.private !== true,
    isArchived: repo.archived,
    name: repo.full_name,
    description: repo.description,
  });
}

function sample({ facts }: SampleState, { address }: Source): string {
  if (facts.public === "no") return JSON.stringify({ message: "Not Found" });
  return JSON.stringify({
    private: false,
    archived: facts.archived === "yes",
    full_name: facts.name ?? address,
    description: facts.description ?? null,
  });
}
