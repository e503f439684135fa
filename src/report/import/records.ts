/** One entry of a file of a reference manager, whatever its format calls its parts. */
export interface BibliographicRecord {
  /** By which a text cites it: `vaswani2017`. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly title: string;
  readonly doi?: string | undefined;
  readonly arxiv?: string | undefined;
  readonly isbn?: string | undefined;
  /** Texts that hold web addresses, the one that is meant first. */
  readonly links: readonly string[];
  /** Texts that may name a paper by its identifier: `arXiv preprint arXiv:1706.03762`. */
  readonly texts: readonly string[];
  /** As they are written, first author first. */
  readonly authors?: readonly string[];
  readonly year?: number | undefined;
  /** The journal, proceedings or publisher. */
  readonly venue?: string;
  /** As its format calls it, in lower case. */
  readonly type?: string;
  /** Volume, issue and pages, in one text. */
  readonly number?: string;
  /** Its last line, if that is known. */
  readonly end?: number;
}

/** Why an entry, or a part of it, could not be read. */
export interface ImportFault {
  readonly line: number;
  readonly says: string;
}

export interface ImportedRecords {
  readonly records: readonly BibliographicRecord[];
  readonly faults: readonly ImportFault[];
}
