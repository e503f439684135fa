import type { Block, Reading } from "../model/reading.ts";

/** Tells a page that its makers rewrote from another version of it by the parts around its content. Pure. */

/** All of a page, and the content among it. */
export interface FramedPage {
  readonly whole: Pick<Reading, "title" | "language" | "blocks">;
  readonly content: readonly Block[];
}

/** Fewer texts around the content do not tell one page from another. */
const leastAround = 8;
/** A server that answers in another language, or with another page, also changes its menus. */
const leastKept = 0.5;

/** Whether the menus, headers and footers are as before, in a page that declares the same language. */
export function isFrameKept(before: FramedPage, after: FramedPage): boolean {
  if (before.whole.language !== after.whole.language) return false;
  const [olds, news] = [textsAround(before), textsAround(after)];
  return olds.size >= leastAround && olds.intersection(news).size >= leastKept * Math.max(olds.size, news.size);
}

function textsAround({ whole, content }: FramedPage): Set<string> {
  const texts = new Set(content.map(({ text }) => text));
  return new Set((whole.blocks ?? []).flatMap(({ text }) => (texts.has(text) ? [] : [text])));
}
