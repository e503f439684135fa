/** One entry of a bibliography in any format. */
export interface BibliographicRecord {
  /** The key with which a text cites it: `vaswani2017`. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly title: string;
  readonly doi?: string | undefined;
  readonly arxiv?: string | undefined;
  readonly isbn?: string | undefined;
  /** Texts with web addresses, the most important first. */
  readonly links: readonly string[];
  /** Texts that may contain the identifier of a paper: `arXiv preprint arXiv:1706.03762`. */
  readonly texts: readonly string[];
  /** As written, in order. */
  readonly authors?: readonly string[];
  readonly year?: number | undefined;
  /** The journal, proceedings or publisher. */
  readonly venue?: string;
  /** The format's name for it, in lower case. */
  readonly type?: string;
  /** Volume, issue and pages, in one text. */
  readonly number?: string;
  /** Its last line, if known. */
  readonly end?: number;
}

/** Why an entry, or part of it, could not be parsed. */
export interface ImportFault {
  readonly line: number;
  readonly says: string;
}

export interface ImportedRecords {
  readonly records: readonly BibliographicRecord[];
  readonly faults: readonly ImportFault[];
}
