export interface CitedWork {
  /** Its first and last line in the document, from 1. */
  readonly line: number;
  readonly end: number;
  /** The name by which a text cites it: `vaswani2017`. */
  readonly key?: string;
  /** The whole entry as readers see it, without markup. */
  readonly text: string;
  /** Its parts, if the format names them or a known style separates them; undefined if unknown. */
  readonly title?: string;
  /** As written, in order: `Hargrave, Lawrence` or `Lawrence Hargrave`. */
  readonly authors?: readonly string[];
  readonly year?: number;
  /** The journal, proceedings, series or server. */
  readonly venue?: string;
  /** The type of a structured format, in lower case: `article`, `book`, `phdthesis`. */
  readonly type?: string;
  /** It is below a heading of references, or in a file with such a name. */
  readonly isListed?: true;
  /** The parts come from named fields, not from the order of words. */
  readonly isStructured: boolean;
  readonly doi?: string;
  /** An arXiv number without its version: `1706.03762`, `hep-th/9901001`. */
  readonly arxiv?: string;
  readonly pmid?: string;
  readonly links: readonly string[];
}

export interface RegisteredWork {
  readonly title: string;
  /** Other titles: with the subtitle, or in the original language. */
  readonly otherTitles?: readonly string[];
  readonly authors: readonly RegisteredAuthor[];
  /** The years that a citation may give: online, in print, each version. */
  readonly years: readonly number[];
  readonly venues: readonly string[];
  /** Some styles give it in place of the proceedings. */
  readonly publisher?: string;
  readonly volume?: string;
  readonly pages?: string;
  readonly doi?: string;
  readonly arxiv?: string;
  readonly isPreprint: boolean;
  /** A book, thesis, report or data set: not an article. */
  readonly isOther?: boolean;
  /** The DOI of the published version of a preprint. */
  readonly publishedAs?: string;
  readonly isRetracted: boolean;
}

export interface RegisteredAuthor {
  readonly family: string;
  readonly given?: string;
}
