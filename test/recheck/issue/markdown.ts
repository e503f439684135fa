import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}

/** What a reader of GitHub gets from a body, by kind. */
export interface Rendered {
  /** What stands outside code: where mentions and references come alive. Line by line of the tree's text nodes. */
  readonly text: string;
  readonly code: string;
  readonly html: readonly string[];
  readonly links: readonly string[];
  readonly kinds: ReadonlySet<string>;
}

/** Reads Markdown as GitHub does: CommonMark with GFM's tables, tasks, strikethrough, footnotes and bare links. */
export function rendered(body: string): Rendered {
  const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node;
  const text: string[] = [];
  const code: string[] = [];
  const html: string[] = [];
  const links: string[] = [];
  const kinds = new Set<string>();
  const walk = (node: Node): void => {
    kinds.add(node.type);
    if (node.type === "text") text.push(node.value ?? "");
    if (node.type === "code" || node.type === "inlineCode") code.push(node.value ?? "");
    if (node.type === "html") html.push(node.value ?? "");
    if (node.url !== undefined) links.push(node.url);
    node.children?.forEach(walk);
  };
  walk(tree);
  return { text: text.join("\n"), code: code.join("\n"), html, links, kinds };
}

/** What GitHub makes of text outside code after it was rendered. */
const alive = [
  /(?:^|[^\w`])@[a-z\d]/i,
  /(?:^|[^\w&])#\d/,
  /GH-\d/i,
  /[\w.-]\/[\w.-]+#\d/,
  /https?:\/\//i,
  /www\.[a-z\d]/i,
  /[\w.+-]@[\w-]+\.\w/,
];

/** Mentions, references and addresses that would come alive. */
export function living(text: string): string[] {
  return alive.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
}
