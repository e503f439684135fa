import type { Reading } from "../../model/reading.ts";
import type { Reader } from "../reader.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";
import { factsFrom } from "./given.ts";

/** The parts of a reader that all advisory databases share: titles, and the end of an advisory. */
export const ofAdvisory = {
  noun: "advisory",
  titleOf: ({ address }, { title }) => (title === undefined ? address : `${address}: ${title}`),
  endings: [{ fact: "withdrawn" }],
  states: [{ fact: "withdrawn", says: "was withdrawn", ended: true }],
} as const satisfies Partial<Reader>;

export interface Advisory {
  readonly summary: string | null | undefined;
  /** Markdown. */
  readonly description: string | null | undefined;
  readonly facts: Parameters<typeof factsFrom>[0];
}

export function advisoryReading({ summary, description, facts }: Advisory): Reading {
  const title = summary?.replace(/\s+/g, " ").trim().slice(0, 500);
  return {
    ...(title && { title }),
    blocks: blocksOfMarkdown(description ?? ""),
    facts: factsFrom(facts),
  };
}

const bounds: readonly (readonly [sign: RegExp, words: string])[] = [
  [/^>= ?0$/, "all versions"],
  [/,\s*/g, " "],
  [/>= ?/g, "from "],
  [/<= ?/g, "up to "],
  [/< ?/g, "before "],
  [/> ?/g, "after "],
  [/= ?/g, ""],
];

/** A range of versions without signs, which titles do not show: `>= 1.0, < 1.2` is `from 1.0 before 1.2`. */
export function rangeInWords(range: string): string {
  return bounds.reduce((text, [sign, words]) => text.replace(sign, words), range.trim());
}
