/** Units of measure, as people write them. `GB` and `GiB` share a dimension, and differ in size. */
export interface Unit {
  /** What is measured: `bytes`, `bytes/s`, `percent`, `usd` … Figures compare within one dimension only. */
  readonly dimension: string;
  /** How many base units it is. */
  readonly factor: number;
}

const decimal: readonly [string, string, number][] = [
  ["k", "kilo", 1e3],
  ["K", "kilo", 1e3],
  ["M", "mega", 1e6],
  ["G", "giga", 1e9],
  ["T", "tera", 1e12],
  ["P", "peta", 1e15],
  ["E", "exa", 1e18],
];
const binary: readonly [string, string, number][] = [
  ["Ki", "kibi", 2 ** 10],
  ["Mi", "mebi", 2 ** 20],
  ["Gi", "gibi", 2 ** 30],
  ["Ti", "tebi", 2 ** 40],
  ["Pi", "pebi", 2 ** 50],
];

const simple: readonly [dimension: string, factor: number, spellings: string][] = [
  ["percent", 1, "% percent"],
  ["ratio", 1, "x × X times"],
  ["second", 1e-9, "ns nanosecond nanoseconds"],
  ["second", 1e-6, "us microsecond microseconds"],
  ["second", 1e-3, "ms millisecond milliseconds"],
  ["second", 1, "s sec secs second seconds"],
  ["second", 60, "min mins minute minutes"],
  ["second", 3600, "h hr hrs hour hours"],
  ["second", 86_400, "day days"],
  ["second", 604_800, "week weeks"],
  ["month", 1, "month months mo"],
  ["month", 12, "year years yr yrs"],
  ["metre", 1e-9, "nm"],
  ["metre", 1e-3, "mm"],
  ["metre", 1e-2, "cm"],
  ["metre", 1e3, "km"],
  ["gram", 1, "grams"],
  ["gram", 1000, "kg"],
  ["celsius", 1, "°C"],
  ["fahrenheit", 1, "°F"],
  ["watt", 1e-3, "mW"],
  ["frames/s", 1, "fps"],
  ["tokens/s", 1, "tokens/s tok/s tokens/sec tokens/second tps"],
  ["usd", 1, "USD dollar dollars"],
  ["usd", 0.01, "cent cents ¢"],
  ["eur", 1, "EUR euro euros"],
  ["gbp", 1, "GBP"],
  ["count", 1e3, "thousand"],
  ["count", 1e6, "million"],
  ["count", 1e9, "billion"],
  ["count", 1e12, "trillion"],
];

/** Signs that stand before the figure. */
export const currencies: ReadonlyMap<string, string> = new Map([
  ["$", "usd"],
  ["€", "eur"],
  ["£", "gbp"],
  ["¥", "jpy"],
]);

/** What may follow a sum of money: `$2.5B`, `$400 million`. */
export const scales: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["thousand", 1e3],
  ["m", 1e6],
  ["million", 1e6],
  ["b", 1e9],
  ["bn", 1e9],
  ["billion", 1e9],
  ["t", 1e12],
  ["trillion", 1e12],
]);

const exact = new Map<string, Unit>();
const anyCase = new Map<string, Unit>();

function add(spelling: string, dimension: string, factor: number): void {
  if (!exact.has(spelling)) exact.set(spelling, { dimension, factor });
  const lower = spelling.toLowerCase();
  if (lower.length > 1 && !anyCase.has(lower)) anyCase.set(lower, { dimension, factor });
}

function addRated(spelling: string, dimension: string, factor: number): void {
  add(spelling, dimension, factor);
  for (const per of ["/s", "/sec", "/second", " per second"]) add(`${spelling}${per}`, `${dimension}/s`, factor);
}

// Bytes come before bits: a careless "gb" means gigabytes.
for (const [sign, word, factor] of [...binary, ...decimal]) {
  addRated(`${sign}B`, "bytes", factor);
  add(`${sign}Bps`, "bytes/s", factor);
  addRated(`${word}byte`, "bytes", factor);
  addRated(`${word}bytes`, "bytes", factor);
}
for (const [sign, word, factor] of [...binary, ...decimal]) {
  addRated(`${sign}b`, "bits", factor);
  add(`${sign}bps`, "bits/s", factor);
  addRated(`${sign}bit`, "bits", factor);
  addRated(`${word}bit`, "bits", factor);
  addRated(`${word}bits`, "bits", factor);
}
for (const [sign, , factor] of [["", "", 1] as const, ...decimal]) {
  for (const spelling of ["FLOPS", "FLOPs", "FLOP/s", "FLOP", "FLOPs/s"]) add(`${sign}${spelling}`, "flops", factor);
  add(`${sign}OPS`, "ops", factor);
  add(`${sign}Hz`, "hertz", factor);
  add(`${sign}T/s`, "transfers/s", factor);
  add(`${sign}W`, "watt", factor);
  add(`${sign}Wh`, "watt-hour", factor);
}
for (const [dimension, factor, spellings] of simple) for (const s of spellings.split(" ")) add(s, dimension, factor);
add("tokens per second", "tokens/s", 1);

/** The unit of this spelling; case tells `GB` from `Gb` and `mW` from `MW`, else it is forgiven. */
export function unitOf(spelling: string): Unit | undefined {
  return exact.get(spelling) ?? anyCase.get(spelling.toLowerCase());
}
