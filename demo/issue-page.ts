import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { escaped } from "./web/html.ts";

/** An issue as a person sees it, in the proportions and colours of GitHub's page. */

export interface ShownIssue {
  readonly title: string;
  readonly body?: string | null;
  readonly labels: readonly (string | { readonly name?: string })[];
  /** Texts of its comments, the oldest first. GitHub's own `comments` is their number. */
  readonly said?: readonly string[];
}

export function issuePage({ title, body, labels, said = [] }: ShownIssue): string {
  const names = labels.map((label) => (typeof label === "string" ? label : (label.name ?? "")));
  const articles = [body ?? "", ...said].map(
    (text, i) => `<h2>${i === 0 ? "Description" : "Comment"}</h2><article>${rendered(text)}</article>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style>
<main><h1>${escaped(title)}</h1><p class="labels">${names.map((name) => `<span>${escaped(name)}</span>`).join("")}</p>${articles.join("\n")}</main></html>`;
}

function rendered(text: string): string {
  const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  // Like GitHub: lines break where the text does, boxes have names, tables can be scrolled by keyboard, and a diff is
  // coloured line by line.
  const named = html
    .replace(/<input type="checkbox" disabled=""( checked="")?/g, (box, isDone) => {
      return `${box} aria-label="${isDone ? "Completed" : "Incomplete"} task"`;
    })
    .replaceAll("<table>", '<table tabindex="0">');
  const broken = named.replace(/<p>[\s\S]*?<\/p>/g, (paragraph) => paragraph.replaceAll("\n", "<br>"));
  return broken.replace(/(<code class="language-diff">)([\s\S]*?)(<\/code>)/g, (_, open, diff, close) => {
    const lines = String(diff).split("\n").map(colouredLine);
    return `${open}${lines.join("\n")}${close}`;
  });
}

function colouredLine(line: string): string {
  const sign = line[0];
  return sign === "+" || sign === "-" ? `<span class="${sign === "+" ? "added" : "gone"}">${line}</span>` : line;
}

const style = `
  body { font: 15px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; margin: 24px auto; max-width: 812px; padding: 0 16px; overflow-wrap: anywhere; }
  h1 { font-weight: 400; font-size: 27px; line-height: 1.25; margin: 0 0 10px; }
  .labels span { display: inline-block; border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 9px; margin: 0 5px 8px 0; font-size: 12px; font-weight: 500; background: #f6f8fa; }
  article { border: 1px solid #d1d9e0; border-radius: 6px; padding: 12px 18px 4px; margin-top: 8px; }
  summary { padding: 2px 0; } h2 { position: absolute; clip-path: inset(50%); } h3 { font-size: 18px; margin: 20px 0 10px; } p, ul, table, pre, blockquote, details { margin: 0 0 12px; }
  code { background: #818b981f; border-radius: 6px; padding: 2px 5px; font: 12.5px ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
  pre { background: #f6f8fa; border-radius: 6px; padding: 12px; overflow: auto; } pre code { background: none; padding: 0; white-space: pre-wrap; }
  table { border-collapse: collapse; display: block; overflow-x: auto; } td, th { border: 1px solid #d1d9e0; padding: 5px 12px; text-align: left; overflow-wrap: normal; }
  ul { padding-left: 26px; } li:has(> input) { list-style: none; margin-left: -20px; } a { color: #0969da; text-decoration: none; }
  .added { background: #dafbe1; color: #116329; } .gone { background: #ffebe9; color: #82071e; } hr { border: 0; border-top: 1px solid #d1d9e0; }
`;
