/** The parts of an entry as a library gives them: any of them may be missing or nonsense. */
export interface RawEntry {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly link?: unknown;
  readonly dates: readonly unknown[];
  readonly html: readonly unknown[];
}

export interface RawFeed {
  readonly title?: unknown;
  readonly language?: unknown;
  readonly entries: readonly RawEntry[];
}
