import { readFileSync } from "node:fs";
import { XmlDocument as Documents, RelaxNGValidator, type XmlDocument, type XmlElement } from "libxml2-wasm";

/** Reads XML as strictly as libxml2 does. @throws where it is not well-formed */
export function withXml<T>(text: string, work: (document: XmlDocument) => T): T {
  const document = Documents.fromString(text);
  try {
    return work(document);
  } finally {
    document.dispose();
  }
}

const grammar = Documents.fromString(readFileSync(new URL("atom.rng", import.meta.url), "utf8"));
const atom = RelaxNGValidator.fromDoc(grammar);
const ns = { a: "http://www.w3.org/2005/Atom" };

export interface ReadEntry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly published: string;
  readonly content: string;
  readonly kind: string;
}

/**
 * A feed that keeps to RFC 4287: by the grammar, and by what no grammar says.
 * @throws where it does not
 */
export function readAtom(text: string): { id: string; title: string; updated: string; entries: ReadEntry[] } {
  return withXml(text, (document) => {
    atom.validate(document);
    const all = (path: string, from: XmlElement = document.root) => from.find(path, ns) as XmlElement[];
    const told = (path: string, from?: XmlElement) => all(path, from)[0]?.content.trim() ?? "";
    const entries = all("a:entry").map((entry) => ({
      id: told("a:id", entry),
      title: told("a:title", entry),
      updated: told("a:updated", entry),
      published: told("a:published", entry),
      content: told("a:content", entry),
      kind: all("a:category", entry)[0]?.attr("term")?.content ?? "",
    }));
    const ids = [told("a:id"), ...entries.map(({ id }) => id)];
    // 4.1.1: entries with one id would be one entry. 4.2.7.1: of the links that are alternates, one of a type.
    if (new Set(ids).size < ids.length) throw new Error(`an id twice: ${ids.join(" ")}`);
    for (const holder of [document.root, ...all("a:entry")]) {
      const alternates = all("a:link[not(@rel) or @rel='alternate']", holder);
      if (alternates.length > 1) throw new Error("two alternates");
    }
    // 4.2.15: an entry was not updated before it was published.
    for (const { updated, published } of entries) if (updated < published) throw new Error(`${updated} ${published}`);
    return { id: told("a:id"), title: told("a:title"), updated: told("a:updated"), entries };
  });
}
