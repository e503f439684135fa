/** Files by their path, each drawn when it is asked for: a server is asked for one of thousands. */
export type Sheets = ReadonlyMap<string, () => string>;

/** All of them, as they are written. */
export function drawn(sheets: Sheets): ReadonlyMap<string, string> {
  return new Map([...sheets].map(([path, draw]) => [path, draw()]));
}

/** What several of them need, worked out for the first that is drawn. */
export function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}
