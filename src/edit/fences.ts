/** Markdown with blanks in place of its fenced code (https://spec.commonmark.org/0.31.2/#fenced-code-blocks): every offset stays. */
export function withoutFences(text: string): string {
  let fence = "";
  return text
    .split("\n")
    .map((line) => {
      const [, marks = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      const inside = fence !== "" || marks !== "";
      if (fence === "") fence = marks;
      else if (marks.startsWith(fence) && line.trim() === marks) fence = "";
      return inside ? " ".repeat(line.length) : line;
    })
    .join("\n");
}
