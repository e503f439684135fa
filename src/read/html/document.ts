import { type CheerioAPI, load } from "cheerio/slim";
import { type ChildNode, Document, Element } from "domhandler";

/**
 * Cheerio over a tree. Its time grows with the square of the number of top nodes, which Markdown has many of, so they
 * are put below one element. This changes the tree.
 */
export function documentOver({ children }: { readonly children: ChildNode[] }): CheerioAPI {
  const only = new Element("html", {}, children);
  for (const child of children) child.parent = only;
  const document = new Document([only]);
  only.parent = document;
  return load(document);
}
