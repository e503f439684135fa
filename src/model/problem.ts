/** A mistake in a config file, its place, and a suggestion. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The nearest right word. */
  readonly suggestion?: string;
}
