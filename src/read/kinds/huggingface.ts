import * as z from "zod";
import { wordSet } from "../../model/cache.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom } from "../shared/given.ts";
import { notPublic } from "../shared/repository.ts";

/** A repository of the Hugging Face Hub: its state, licence, name (which shows a move) and newest commit. */
export const huggingface = readerOf({
  kind: "huggingface",
  spec: "https://huggingface.co/docs/hub/api",
  noun: "huggingface",
  cadence: "6h",
  example: "openai/whisper-large-v3",
  address: z
    .string()
    .max(250)
    .regex(
      /^(?:(?:datasets|spaces)\/)?(?!(?:datasets|spaces)\/)[\w-][\w.-]*\/[\w-][\w.-]*$/,
      "needs owner/name, datasets/owner/name or spaces/owner/name, e.g. openai/whisper-large-v3",
    ),
  recognises,
  gives: () => ({ facts: ["public", "gated", "disabled", "license", "name", "revision"] }),
  version: 2,
  answers: [401, 404],
  request: ({ address }) =>
    jsonAt(`https://huggingface.co/api/${/^(?:datasets|spaces)\//.test(address) ? address : `models/${address}`}`),
  read,
  page: ({ address }) => `https://huggingface.co/${address}`,
  titleOf: ({ address }) => `${address} on Hugging Face`,
  endings: [
    { fact: "disabled", becomes: "yes" },
    { fact: "public", becomes: "no" },
  ],
  states: [{ fact: "disabled", is: "yes", says: "was disabled by its host", ended: true }],
  says: {
    "public yes": "became public",
    "public no": "is no longer public",
    "disabled yes": "was disabled",
    "disabled no": "is no longer disabled",
  },
  // The Hub gives the same response for a private repository and for one that never existed.
});

/** First parts of paths that are no owners. */
const ofHub = wordSet(
  "api blog chat collections docs enterprise inference join learn login models new organizations papers posts pricing settings tasks",
);

/** The page of a repository, or of any of its files. Discussions are separate pages. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  if (host !== "huggingface.co" && host !== "hf.co") return undefined;
  const isOther = parts[0] === "datasets" || parts[0] === "spaces";
  const [owner = "", name, section] = isOther ? parts.slice(1) : parts;
  if (name === undefined || ofHub.has(owner)) return undefined;
  if (section !== undefined && !["blob", "raw", "resolve", "tree", "commits", "viewer"].includes(section))
    return undefined;
  return { address: [...(isOther ? parts.slice(0, 1) : []), owner, name].join("/") };
}

const shape = z.object({
  id: z.string().min(1),
  sha: z.string().nullish(),
  private: z.boolean().optional(),
  disabled: z.boolean().optional(),
  gated: z.union([z.boolean(), z.string()]).optional(),
  tags: z.array(z.string()).default([]),
});

/** @throws Failure if the response comes from an intermediary instead of the Hub */
function read(response: Response): Reading {
  if (response.status !== 200) {
    parseShape(z.object({ error: z.string() }), parseJson(response), "answer of the Hugging Face Hub");
    return notPublic;
  }
  const repository = parseShape(shape, parseJson(response), "repository of the Hugging Face Hub");
  return { title: repository.id, facts: factsOf(repository) };
}

/** For gated repositories the value says how access is granted: `auto` for everybody who asks, `manual` by a person. */
function factsOf({ id, sha, gated = false, tags, ...repository }: z.infer<typeof shape>): Facts {
  return factsFrom({
    public: repository.private !== true,
    gated,
    disabled: repository.disabled === true,
    license: tags.flatMap((tag) => /^license:(.+)$/.exec(tag)?.[1] ?? []),
    name: id,
    revision: sha,
  });
}
