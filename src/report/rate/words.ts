/** Text of a report as it goes into a file or is compared: one line, nothing hidden in it. */
export function reportLine(text: string, most = 200): string {
  const folded = text
    .slice(0, most * 4 + 200)
    .replace(/[\p{Cf}\p{Cs}\p{Co}\ufffe\uffff]/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const characters = [...folded];
  return characters.length <= most
    ? folded
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** Words as they are compared: `NVIDIA CUDA (H100)` → nvidia, cuda, h100; `torch.compile` and `c++` are one. */
export function tokensOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.+#]+[\p{L}\p{N}]+)*[+#]*/gu);
  return found ?? [];
}

const joining = new Set(
  "a an and or of the in on for with by to from at as is are be its it this that vs versus via per into over new each any all other both not no use using used de la le der die das und et y".split(
    " ",
  ),
);

/** Words that tell one thing from another. */
export function tellingTokens(text: string): string[] {
  return tokensOf(text).filter((token) => token.length > 1 && !joining.has(token));
}

/** `NVIDIA CUDA (H100/Blackwell)` without what stands in brackets after it; with it, where nothing else is there. */
export function shortName(text: string): string {
  const line = reportLine(text, 200);
  const at = line.search(/ ?[([]/);
  return (
    (at > 1 ? line.slice(0, at) : line)
      .replace(/[\s:*†‡§]+$/, "")
      .slice(0, 80)
      .trim() || line.slice(0, 80)
  );
}

/** The beginning of a file, with one kind of end of a line: what Unicode calls a separator of lines ends none in any format. */
export function fileText(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/\r\n?/g, "\n")
    .replace(/[\u2028\u2029]/g, " ")
    .replace(/^\ufeff/, "");
}
