import { around, order } from "./marker.ts";

/** Boxes that a person ticks to have something done. Each is told by the hidden id behind it, not by its words. */

const shape = /^[-*+] \[([ xX])\] <!-- recheck:do ([a-z0-9][a-z0-9 -]{0,4000}) -->/;

/** `- [ ] keep all ratings`. `id`: lower-case letters, digits, hyphens and spaces; `words`: Markdown of our own making. */
export function boxLine(id: string, words: string): string {
  return `- [ ] ${order}${id} -->${words}`;
}

/** The ids of the boxes that are ticked in the bot's section. Text of sources stands in fences, and is none. */
export function tickedBoxes(body: string): string[] {
  const ticked: string[] = [];
  let fence = "";
  for (const line of around(body).section.split(/\r?\n/)) {
    const [marks = ""] = /^`{3,}/.exec(line) ?? [];
    if (fence) {
      if (marks.length >= fence.length && marks === line.trimEnd()) fence = "";
    } else if (marks) fence = marks;
    else {
      const [, tick = " ", id = ""] = shape.exec(line) ?? [];
      if (tick !== " ") ticked.push(id);
    }
  }
  return [...new Set(ticked)];
}

/** The ids of the boxes that are ticked after an edit, and were not before. */
export function newTicks(before: string, after: string): string[] {
  const old = new Set(tickedBoxes(before));
  return tickedBoxes(after).filter((id) => !old.has(id));
}
