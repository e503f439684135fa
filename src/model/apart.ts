/** A part of a text, and how many characters are left out before and after it. */
export interface CutText {
  readonly text: string;
  readonly before: number;
  readonly after: number;
}

/** The number of characters that two texts share at their start, and in the rest at their end. */
export function sharedLengths(one: string, other: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}

/** Cuts both texts to the words that differ. `around`: shared characters to keep; `most`: differing ones. */
export function cutToDifference(one: string, other: string, around: number, most: number): [CutText, CutText] {
  const { start, end } = sharedLengths(one, other);
  const cut = (text: string): CutText => {
    const from = wordStart(text, start - around);
    const isLong = text.length - end - start > most;
    const to = wordEnd(text, isLong ? start + most : text.length - end + around);
    return { text: text.slice(from, to).trim(), before: from, after: text.length - to };
  };
  return [cut(one), cut(other)];
}

/** The text after these edits. The longest is made first, because a passage may contain another one. */
export function withEdits(
  text: string,
  edits: readonly { readonly before?: string | undefined; readonly after?: string | undefined }[],
): string {
  return edits
    .toSorted((a, b) => (b.before?.length ?? 0) - (a.before?.length ?? 0))
    .reduce((edited, { before = "", after = "" }) => edited.replace(before, () => after), text);
}

export function withEllipses({ text, before, after }: CutText): string {
  return `${before > 0 ? "… " : ""}${text}${after > 0 ? " …" : ""}`;
}

/** The start of the next word, if one is close. */
function wordStart(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < 40 ? space + 1 : at;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  return space >= 0 && at - space < 40 ? space : at;
}
