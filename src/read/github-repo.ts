import { z } from "zod";
import { Failure } from "../model/failure.ts";
import type { Facts, Reading, Source } from "../model/model.ts";
import type { Response } from "../model/ports/index.ts";
import { isHtml, parseJson, shaped } from "./formats/body.ts";
import { api, nameOfRepository, onGitHub, repository } from "./formats/github.ts";
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
  gives: () => ({ facts: ["public", "archived", "name", "description"] }),
  structured: true,
  version: 1,
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
  endings: [
    { fact: "public", becomes: "no" },
    { fact: "archived", becomes: "yes" },
  ],
  standings: [{ fact: "archived", is: "yes", says: "is archived: nobody maintains it", ended: true }],
  says: {
    "public yes": "became public",
    "public no": "is no longer public",
    "archived yes": "was archived",
    "archived no": "is no longer archived",
  },
  // GitHub answers for what is not public as for what never was.
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

/** GitHub answers 404 for what is private, and for what never was; a token may see what others do not. */
function read(response: Response): Reading {
  if (response.status === 404) return absent(response);
  const repo = shaped(shape, parseJson(response), "GitHub repository");
  const facts: Facts = {
    public: yesNo(repo.private !== true),
    ...(repo.archived !== undefined && { archived: yesNo(repo.archived) }),
    name: repo.full_name,
    ...(repo.description && { description: repo.description.trim().slice(0, 1_000) }),
  };
  return { title: repo.full_name, facts };
}

function absent(response: Response): Reading {
  const html = isHtml(new TextDecoder().decode(response.body.subarray(0, 2_000)));
  if (html) throw new Failure("wrong-type", { expected: "JSON", found: "HTML" });
  return { facts: { public: "no" }, partial: true };
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}

function sample({ facts }: SampleState, { address }: Source): string {
  if (facts.public === "no") return "";
  return JSON.stringify({
    private: false,
    archived: facts.archived === "yes",
    full_name: facts.name ?? address,
    description: facts.description ?? null,
  });
}
