/** A map, or a weak one. */
interface Made<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key, which is made at first use. */
export function makeOnce<K, V>(made: Made<K, V>, key: K, make: () => V): V {
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make();
  made.set(key, value);
  return value;
}

/** The words of a text, which has one space between them. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** The name above each word: `{ csv: "csv tsv" }` gives `csv` for `tsv`. */
export function namesByWord<N extends string>(wordsOf: Readonly<Record<N, string>>): ReadonlyMap<string, N> {
  const all = Object.entries(wordsOf) as [N, string][];
  return new Map(all.flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const)));
}

/** The things of each key, in their order; a thing may have several keys. */
export function groupByEach<T, K>(all: Iterable<T>, keysOf: (one: T) => Iterable<K>): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) for (const key of new Set(keysOf(one))) makeOnce(groups, key, () => []).push(one);
  return groups;
}

/** Caches a function of a text in two halves, each for `most` characters of texts: only the older one is dropped. */
export function cacheByText<T>(most: number, answer: (text: string) => T): (text: string) => T {
  let newer = new Map<string, T>();
  let older: ReadonlyMap<string, T> = new Map();
  let size = 0;
  return (text) => {
    const before = newer.get(text) ?? older.get(text);
    if (before !== undefined) return before;
    const fresh = answer(text);
    size += text.length;
    if (size > most) {
      older = newer;
      newer = new Map();
      size = text.length;
    }
    newer.set(text, fresh);
    return fresh;
  };
}

/** A cache with a limit on total weight: the least recently used entries are dropped first. */
export class RecentlyUsed<K, V> {
  /** Least recently used first. */
  readonly #kept = new Map<K, { readonly value: V; readonly weight: number }>();
  readonly #most: number;
  #weight = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  /** The newest entry is always kept, even above the limit. */
  set(key: K, value: V, weight = 1): void {
    this.delete(key);
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#weight = 0;
  }
}
