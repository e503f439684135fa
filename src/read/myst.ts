/** `:::{note} Title`, `:::note`, `:::` */
const colons = /^\s*:{3,}\s*(?:\{[\w:-]{1,40}\}|[\w-]{1,40})?\s*(.*)$/;

/**
 * Markdown without the lines by which MyST and its relatives steer: fences of colons (their title and content stay),
 * the options right below a fence, `(targets)=` and `% comments`. What stands in fenced code is left alone.
 * Spec: https://mystmd.org/guide/syntax-overview
 */
export function directives(markdown: string): string {
  if (!/^\s*:{3,}|^\([\w-]+\)=|^% /m.test(markdown)) return markdown;
  let code = "";
  let opened = false;
  const lines = markdown.split("\n").map((line) => {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (code !== "") {
      if (marks?.startsWith(code) && line.trim() === marks) code = "";
      return line;
    }
    if (marks !== undefined) {
      code = marks;
      return line;
    }
    const fence = colons.exec(line);
    const option = opened && /^\s*:[\w-]+:/.test(line);
    opened = fence !== null || option;
    if (fence) return `\n${fence[1] ?? ""}\n`;
    return option || /^\([\w-]+\)=\s*$|^% /.test(line) ? "" : line;
  });
  return lines.join("\n");
}
