import { Parser } from "htmlparser2";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** The words of Markdown that a reader sees before anything is unfolded, counted over the HTML that becomes of it. */
export function wordsBeforeFolds(markdown: string): number {
  const html = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  let shown = "";
  let folds = 0;
  let summaries = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (name === "details") folds++;
      if (name === "summary") summaries++;
      shown += isInline.has(name) ? "" : " ";
    },
    onclosetag(name) {
      if (name === "details") folds--;
      if (name === "summary") summaries--;
      shown += isInline.has(name) ? "" : " ";
    },
    ontext(text) {
      if (folds === 0 || (folds === 1 && summaries > 0)) shown += text;
    },
  });
  parser.end(html);
  return shown.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token)).length;
}

/** Tags within a word: a link or a code span may be a part of it. */
const isInline = new Set(["a", "code", "del", "em", "strong", "sub", "sup"]);
