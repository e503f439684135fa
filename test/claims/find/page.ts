import { type Words, wordsOfBlocks } from "../../../src/language/words.ts";
import type { Block } from "../../../src/model/reading.ts";

/** Blocks from lines: `# A`, `## B` are headings, `a | b` a row (the first of a run heads its table), else paragraphs. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const path: string[] = [];
  let header: string | undefined;
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    const heading = /^(#+) (.*)$/.exec(line);
    const isRow = line.includes(" | ");
    if (line === "" || !isRow) header = undefined;
    if (line === "") continue;
    if (heading !== null) {
      const [, signs = "", title = ""] = heading;
      path.length = Math.min(path.length, signs.length - 1);
      blocks.push({ path: [...path], kind: "heading", text: title });
      path.push(title);
    } else if (isRow && header === undefined) header = line;
    else if (isRow) blocks.push({ path: [...path], kind: "row", text: line, header });
    else blocks.push({ path: [...path], kind: "paragraph", text: line });
  }
  return blocks;
}

export function pageOf(text: string): Words {
  return wordsOfBlocks(blocksOf(text));
}
