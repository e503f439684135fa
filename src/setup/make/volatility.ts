/** How long ratings stay fresh, for the words that reports use. */
const ladder: readonly (readonly [string, string])[] = [
  ["Very high", "45d"],
  ["High", "90d"],
  ["Medium-high", "120d"],
  ["Medium", "180d"],
  ["Medium-low", "270d"],
  ["Low", "365d"],
  ["Very low", "730d"],
];

/** A report's word for volatility as config knows it. */
export function volatilityOf(word: string | undefined): string | undefined {
  const key = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "-");
  return word === undefined ? undefined : ladder.find(([name]) => key(name) === key(word))?.[0];
}

/** The words beside High, Medium and Low have to be declared: then all of them. */
export function durationsFor(words: readonly (string | undefined)[]): readonly (readonly [string, string])[] {
  const used = new Set(words.flatMap((word) => volatilityOf(word) ?? []));
  const plain = ["High", "Medium", "Low"];
  return [...used].every((word) => plain.includes(word))
    ? []
    : ladder.filter(([name]) => used.has(name) || plain.includes(name));
}
