import type { Config } from "../model.ts";

/** Words of a text as people tell labels apart: without case, marks and markup. */
export function tokens(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** What a cell of Markdown shows: without emphasis, code, links, images, footnotes and HTML. Linear. */
export function shownText(markdown: string): string {
  return markdown
    .replace(/<[^<>]*>/g, " ")
    .replace(/\[\^[^[\]]*\]/g, " ")
    .replace(/\]\([^()]*\)/g, "] ")
    .replace(/\\(?=\p{P})/gu, "");
}

/** How well a label names one part of a rating's id. */
export type Fit = "exact" | "near" | "none";

/** A label is *near* where one of both holds all words of the other, in their order and next to each other. */
export function fitOf(label: string, part: string, config: Config): Fit {
  const words = tokens(label);
  if (words.length === 0) return "none";
  const names = [config.names.get(part) ?? part, part].map(tokens);
  if (names.some((name) => name.join(" ") === words.join(" "))) return "exact";
  return names.some((name) => holds(name, words) || holds(words, name)) ? "near" : "none";
}

function holds(whole: readonly string[], piece: readonly string[]): boolean {
  return piece.length > 0 && ` ${whole.join(" ")} `.includes(` ${piece.join(" ")} `);
}
