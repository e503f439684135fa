import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Reader, RedirectTarget } from "../reader.ts";
import { lastName } from "./address.ts";
import { parseJson, parseShape, textOf } from "./body.ts";
import { factsFrom } from "./given.ts";
import { jsonIn } from "./json-path.ts";

/** The parts of a reader that all forges share, with the forge's word for a repository and the kind of its releases. */
export function ofRepository(noun: string, releases: string) {
  const why = `a ${noun} moves by its releases`;
  return {
    gives: () => ({ facts: ["public", "archived", "name", "description"] }),
    endings: [
      { fact: "public", becomes: "no" },
      { fact: "archived", becomes: "yes" },
    ],
    states: [{ fact: "archived", is: "yes", says: "is archived: nobody maintains it", ended: true }],
    says: {
      "public yes": "became public",
      "public no": "is no longer public",
      "archived yes": "was archived",
      "archived no": "is no longer archived",
    },
    titleOf: ({ address }) => `${lastName(address)} ${noun}`,
    rather: { kind: releases, why, otherwise: "it has no releases yet" },
  } as const satisfies Partial<Reader>;
}

export interface Repository {
  readonly isPublic: boolean;
  /** Undefined if the forge does not say. */
  readonly isArchived: boolean | null | undefined;
  /** `owner/name`. */
  readonly name: string;
  readonly description: string | null | undefined;
  /** When something last happened there, as the forge writes it. */
  readonly active: string | null | undefined;
}

export function repositoryReading({ isPublic, isArchived, name, description, active }: Repository): Reading {
  return {
    title: name,
    active: instantOf(active ?? undefined),
    facts: factsFrom({ public: isPublic, archived: isArchived, name, description }),
  };
}

/** A private repository, or none: forges answer both alike, and a token may see more than others do. */
export const notPublic: Reading = { facts: { public: "no" }, partial: true };

const shape = z.object({
  full_name: z.string().min(1),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  description: z.string().nullish(),
  pushed_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** A repository in GitHub's format; 404 comes as JSON, too. @throws Failure if a proxy answered instead of the forge */
export function repositoryIn(response: Response, what: string): Reading {
  if (response.status === 404) {
    parseShape(z.object({ message: z.string().min(1) }), parseJson(response), "answer of a forge");
    return notPublic;
  }
  const { full_name: name, archived, description, ...more } = parseShape(shape, parseJson(response), what);
  const active = more.pushed_at ?? more.updated_at;
  return repositoryReading({ isPublic: more.private !== true, isArchived: archived, name, description, active });
}

const shown = z.object({ html_url: z.string().nullish(), full_name: z.string().nullish() });

/** The address for people of a repository, or of a thing in it; for a list, that of its repository. */
export function shownAt({ url: address, response }: RedirectTarget): string | undefined {
  const answer = response && jsonIn(textOf(response));
  const { html_url: page, full_name: name } = shown.safeParse(Array.isArray(answer) ? answer[0] : answer).data ?? {};
  const isOnGitHub = URL.parse(address)?.host === "api.github.com";
  const url = URL.parse(page ?? (name && isOnGitHub ? `https://github.com/${name}` : ""));
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return Array.isArray(answer) ? new URL(url.pathname.split("/", 3).join("/"), url).href : url.href;
}
