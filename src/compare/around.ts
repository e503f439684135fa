import type { Block, Reading } from "../model/reading.ts";

/** Recognises a page that was rewritten, as opposed to another page, by the menus around its content. Pure. */

export interface FramedPage {
  readonly whole: Pick<Reading, "title" | "language" | "blocks">;
  readonly content: readonly Block[];
}

/** The fewest texts around the content that identify a page. */
const leastAround = 8;
/** The share of these texts that must remain. In another language, or on another page, the menus change too. */
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
