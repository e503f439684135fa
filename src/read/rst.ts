import type { Block } from "../model.ts";
import { blocksOf } from "./html.ts";
import { bodyHtml, substitutionsOf } from "./rst/body.ts";

/**
 * reStructuredText as blocks, by way of HTML as Markdown is: sections, lists, tables, literal blocks, and what
 * Sphinx's common directives hold.
 * Spec: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
 *
 * @throws Failure `too-many`
 */
export function blocksOfRst(text: string): Block[] {
  return blocksOf(rstHtml(text));
}

/** As HTML: for what else may hold it. */
export function rstHtml(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll("\t", "        ").trimEnd());
  return bodyHtml(lines, { styles: [], substitutions: substitutionsOf(lines), depth: 0 });
}
