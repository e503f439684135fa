import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Reader } from "../reader.ts";
import { parseJson, shaped } from "./body.ts";

/**
 * A repository or project, as every forge describes it: whether it is public and archived, its name and description.
 */

/** What all kinds of forges have in common: facts, the ends of such a source, and words for them. */
export const ofRepository = {
  gives: () => ({ facts: ["public", "archived", "name", "description"] }),
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
} as const satisfies Partial<Reader>;

export interface Repository {
  readonly isPublic: boolean;
  /** Undefined where the forge does not say. */
  readonly isArchived: boolean | null | undefined;
  /** `owner/name`. */
  readonly name: string;
  readonly description: string | null | undefined;
}

export function repositoryReading({ isPublic, isArchived, name, description }: Repository): Reading {
  return {
    title: name,
    facts: {
      public: yesNo(isPublic),
      ...(typeof isArchived === "boolean" && { archived: yesNo(isArchived) }),
      name,
      ...(description && { description: description.trim().slice(0, 1_000) }),
    },
  };
}

/**
 * Forges give the same answer for a private repository and for one that never existed; a token may see more than others
 * do.
 */
export const notPublic: Reading = { facts: { public: "no" }, partial: true };

/** A 404, which every forge sends as JSON with a message. @throws Failure where a proxy sent it instead of the forge */
export function absentRepository(response: Response): Reading {
  shaped(z.object({ message: z.string().min(1) }), parseJson(response), "answer of a forge");
  return notPublic;
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
