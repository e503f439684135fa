import { Fences } from "./fences.ts";

/** A tag of a component alone on its line: `<Steps>`, `<Step title="Install">`, `<Card href="/a" />`, `</Steps>`. */
const tagLine = /^( *)<(\/?)[A-Z][\w.]*(\s.*?)?(\/?)>\s*$/;
const closing = /^ *<\/[A-Z][\w.]*>\s*$/m;
const titled = /\stitle=(?:"([^"]*)"|'([^']*)')/;

/**
 * MDX without the tags of its components, which may indent their text as they like. Their titles are shown, and so they
 * stay; comments are not. Spec: https://mdxjs.com/docs/what-is-mdx/
 */
export function withoutComponents(markdown: string): string {
  if (!closing.test(markdown)) return markdown;
  const code = new Fences();
  /** How far the text of each open component is indented; undefined before its first line. */
  const indents: (number | undefined)[] = [];
  let outermost = 0;
  const lines = markdown.split("\n").map((line) => {
    const isCode = code.hold(line);
    const [, before = "", end, attributes = "", isEmpty] = (isCode ? null : tagLine.exec(line)) ?? [];
    if (end !== undefined) {
      if (indents.length === 0) outermost = before.length;
      if (end) indents.pop();
      else if (!isEmpty) indents.push(undefined);
      const [, double, single] = titled.exec(attributes) ?? [];
      return `\n${" ".repeat(outermost)}${double ?? single ?? ""}\n`;
    }
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (indents.length > 0 && line.trim() !== "") indents[indents.length - 1] ??= indent;
    const surplus = Math.min(indent, Math.max(0, (indents.at(-1) ?? 0) - outermost));
    const text = line.slice(surplus);
    return isCode ? text : text.replace(/\{\/\*.*?\*\/\}/g, "");
  });
  return lines.join("\n");
}
