import { languageOf } from "./detect.ts";
import { foldText, original, type Stretch } from "./fold.ts";
import { phrasesBySteps } from "./lexicon.ts";
import {
  type DecimalSign,
  decimalSignOf,
  firstOfNumber,
  numberAt,
  type OtherNumber,
  rangeLink,
  scaleAt,
  type WrittenNumber,
} from "./numbers.ts";

/** A figure with its unit, in base units: `95 GiB` and `95GiB` are the same, `95 GB` is another. */
export interface Quantity {
  readonly dimension: string;
  readonly from: number;
  /** The upper end of a range, else equal to `from`. */
  readonly to: number;
  /** Another figure that the same signs may mean: `1.299 kg` is 1.299 or 1299. */
  readonly other?: OtherFigure;
  /** For money, the time that it is paid for, if that follows: `$20/month`, `$1.20 an hour`. */
  readonly per?: string;
}

type OtherFigure = Pick<OtherNumber, "because"> & Stretch;

export interface FoundQuantity extends Quantity {
  /** Its first number, without the unit. */
  readonly number: WrittenNumber;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A figure that begins with a digit: a quantity, or a number without a known unit. */
export interface Figure {
  readonly quantity?: Quantity;
  readonly number: WrittenNumber;
  readonly end: number;
  /** The end of the time for which it is paid, if any. */
  readonly perEnd?: number;
}

/** Signs and codes of each currency. */
const moneys: readonly (readonly [dimension: string, signs: string])[] = [
  ["usd", "$ US$ USD"],
  ["eur", "€ EUR"],
  ["gbp", "£ GBP"],
  ["jpy", "¥ JPY"],
  ["cny", "CNY"],
  ["krw", "₩ KRW"],
  ["inr", "₹ INR Rs Rs."],
  ["chf", "CHF"],
  ["kr", "kr"],
  ["sek", "SEK"],
  ["pln", "PLN"],
  ["czk", "CZK"],
  ["rub", "₽ RUB"],
  ["brl", "R$ BRL"],
];
const currencies: ReadonlyMap<string, string> = new Map(
  moneys.flatMap(([dimension, signs]) => signs.split(" ").map((sign) => [sign, dimension] as const)),
);
const currencySigns = [...currencies.keys()].map((sign) => {
  const escaped = sign.replace(/[$.]/g, "\\$&");
  return /\p{Sc}$/u.test(sign) ? `${escaped} ?` : `${escaped} `;
});
const currency = new RegExp(`(?:${currencySigns.join("|")})(?=\\d)`, "y");
/** The start of a figure: a sign or code of a currency, or a number. */
export const startOfFigure = `[${firstOfNumber}]|(?:${currencySigns.join("|")})\\d`;
export const moneyDimensions: ReadonlySet<string> = new Set(moneys.map(([dimension]) => dimension));
const everyStart = new RegExp(startOfFigure, "g");
const unitWords = phrasesBySteps("figures.unit").flatMap(([, words]) => words);
/** The forms of units. A unit may end before a script without spaces, or a particle: `16GBまで`, `16GB를`. */
const unitForms = [
  `(?:${unitWords.filter((word) => word.includes(" ")).join("|")})(?!\\p{L})`,
  `[%×¢${unitWords.filter((word) => /^[\p{scx=Han}\p{scx=Hang}]$/u.test(word)).join("")}]`,
  "[$€£¥₹₽](?! ?\\d)",
  "°?\\p{sc=Latin}{1,12}(?:/\\p{sc=Latin}{1,6})?",
  "\\p{sc=Cyrillic}{1,12}",
];
const unit = new RegExp(` ?-?(${unitForms.join("|")})`, "uy");
const perSecond = /(?: per | a |\/ ?)(?:second|sec|s)(?![\p{L}\p{N}_])/uy;
/** `5% points` is not a percentage. */
const percentPoints = /(?: |-| -)?points?(?![\p{L}\p{N}_])(?! (?:to|at|out|towards)(?!\p{L}))/uy;
const payer = "(?:user|seat|member|person|developer|account|node|instance|gpu|chip)s?";
const perTime = new RegExp(
  ` ?(?:(?:/ ?|per |an? )(?:${payer}(?: ?/ ?| per | an? | ))?(second|minute|min|hour|hr|h|day|week|month|mo|quarter|year|yr|annum)|` +
    "(hourly|daily|weekly|monthly|quarterly|yearly|annually))(?![\\p{L}\\p{N}_])",
  "iuy",
);
const wordCharacter = /[[\p{L}\p{N}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]]/v;

/** Every figure with a known unit: `$1.20`, `4.7×`, `50–100%`, `1,200 GB/s`. Linear in the text. */
export function quantities(text: string): FoundQuantity[] {
  const folded = foldText(text);
  return figuresIn(folded.text).flatMap(({ quantity, number, start, end }) => {
    if (quantity === undefined) return [];
    const at = original(folded, start, end);
    return [{ ...quantity, ...at, number, text: text.slice(at.start, at.end) }];
  });
}

function figuresIn(text: string): (Figure & { readonly start: number })[] {
  const figures: (Figure & { start: number })[] = [];
  everyStart.lastIndex = 0;
  for (let m = everyStart.exec(text); m !== null; m = everyStart.exec(text)) {
    if (m.index > 0 && wordCharacter.test(text.charAt(m.index - 1))) {
      skipWord(text, m.index);
      continue;
    }
    const figure = figureAt(text, m.index);
    if (figure === undefined) continue;
    everyStart.lastIndex = Math.max(figure.end, m.index + 1);
    figures.push({ ...figure, start: m.index });
  }
  return figures;
}

/** A bare number in the unit that the heading of its column names: `Memory (GB)`, `Price, €`, `Length in mm`. */
export function inUnitOf(number: string, heading: string): Quantity | undefined {
  const units = [...heading.slice(0, 200).matchAll(/[([]([^()[\]]{1,16})[)\]]|,\s([^\s,]{1,8})$|\bin ([^\s,]{1,8})$/g)];
  for (const [, a, b, c] of units) {
    const unit = a ?? b ?? c ?? "";
    const [only, ...more] = quantities(/^[$€£¥]/.test(unit) ? `${unit.charAt(0)}${number}` : `${number} ${unit}`);
    if (only && more.length === 0 && only.start === 0) return only;
  }
  return undefined;
}

/** The decimal sign in the figures of some texts, or that of their language. */
export function decimalSignIn(texts: readonly string[]): DecimalSign | undefined {
  const signs = texts.flatMap((text) =>
    figuresIn(foldText(text).text).flatMap(({ quantity, number }) => (quantity && number.sign) ?? []),
  );
  return decimalSignOf(signs, languageOf(texts.join("\n").slice(0, longestSample)));
}

const longestSample = 20_000;

/** A figure with two meanings in the one that the decimal sign decides. Without a sign it keeps both. */
export function underSign<T extends Pick<Quantity, "from" | "to" | "other">>(
  figure: T,
  sign: DecimalSign | undefined,
): T {
  const { other, ...first } = figure;
  if (other?.because !== "comma" || sign === undefined) return figure;
  return (sign === "," ? { ...first, from: other.from, to: other.to } : first) as T;
}

/** Whether two quantities are equal in one of their meanings. */
export function sameQuantity(a: Quantity, b: Quantity): boolean {
  return holdsBetween(a, b, (one, other) => isSameNumber(one.from, other.from) && isSameNumber(one.to, other.to));
}

/** Whether one figure equals the other, or an end of its range. */
export function holdsQuantity(there: Quantity, wanted: Quantity): boolean {
  if (sameQuantity(there, wanted)) return true;
  return holdsBetween(
    there,
    wanted,
    (one, { from, to }) => from === to && (isSameNumber(one.from, from) || isSameNumber(one.to, from)),
  );
}

/** Whether a relation holds between two figures of one dimension and time, in one of their meanings. */
export function holdsBetween(a: Quantity, b: Quantity, holds: (one: Stretch, other: Stretch) => boolean): boolean {
  // One of two amounts may leave out the time that it is for.
  const isOtherTime = a.per !== undefined && b.per !== undefined && a.per !== b.per;
  if (a.dimension !== b.dimension || isOtherTime) return false;
  const meant = (one: Quantity): Stretch[] => (one.other ? [one, one.other] : [one]);
  return meant(a).some((one) => meant(b).some((other) => holds(one, other)));
}

/** The figure at this offset of folded text: at its number, or at the sign or code of a currency before it. */
export function figureAt(text: string, at: number): Figure | undefined {
  const first = amountAt(text, at);
  if (first === undefined) return undefined;
  const second = rangeEnd(text, first);
  const measured = second?.unit ?? first.unit;
  if (measured === undefined) return { number: first.number, end: first.end };
  const sign = text.charAt(at - 1) === "-" && !wordCharacter.test(text.charAt(at - 2)) ? -1 : 1;
  const [lower, upper] = [first.unit?.factor ?? measured.factor, measured.factor];
  const [one, two] = [first.number, second?.number];
  const spanOf = (from: number, to: number): Stretch => ({
    from: round(from * lower * (two ? 1 : sign)),
    to: round(to * upper * (two ? 1 : sign)),
  });
  const other = one.other ?? two?.other;
  const spans = {
    ...spanOf(one.value, two?.value ?? one.value),
    ...(other && {
      other: {
        ...spanOf(one.other?.value ?? one.value, two ? (two.other?.value ?? two.value) : other.value),
        because: other.because,
      },
    }),
  };
  const end = second?.end ?? first.end;
  const time = isMoney(measured) ? timeAt(text, end) : undefined;
  const amount = { dimension: measured.dimension, ...risingMeaning(spans) };
  if (time === undefined) return { quantity: amount, number: one, end };
  return { quantity: { ...amount, per: time.per }, number: one, end, perEnd: time.end };
}

/** Keeps the meaning in which a range rises: `900–1.299 €`. */
function risingMeaning(spans: Pick<Quantity, "from" | "to" | "other">): Pick<Quantity, "from" | "to" | "other"> {
  const { from, to, other } = spans;
  if (other === undefined || from <= to) return spans;
  return other.from <= other.to ? { from: other.from, to: other.to } : { from, to };
}

interface Amount {
  readonly number: WrittenNumber;
  readonly unit?: Unit;
  readonly end: number;
}

function amountAt(text: string, at: number): Amount | undefined {
  currency.lastIndex = at;
  const led = /\d/.test(text.charAt(at)) ? undefined : currency.exec(text)?.[0];
  const number = numberAt(text, at + (led?.length ?? 0), led !== undefined);
  if (number === undefined) return undefined;
  const { value, end } = number;
  if (Number.isNaN(value)) return { number, end };
  const dimension = currencies.get(led?.trim() ?? "");
  if (dimension !== undefined) return { number, ...money(text, dimension, number) };
  return { number, end, ...(unitAt(text, end) ?? scaledUnitAt(text, number)) };
}

/** `1.5 million`, `3,2 Mrd. €`, `100k users` */
function scaledUnitAt(text: string, number: WrittenNumber): Pick<Amount, "unit" | "end"> | undefined {
  const scale = scaleAt(text, number);
  if (scale === undefined) return undefined;
  const measure = unitAt(text, scale.end);
  if (measure === undefined || measure.unit.dimension === "ratio")
    return { unit: { dimension: "count", factor: scale.factor }, end: scale.end };
  return { unit: { ...measure.unit, factor: measure.unit.factor * scale.factor }, end: measure.end };
}

function timeAt(text: string, at: number): { per: string; end: number } | undefined {
  perTime.lastIndex = at;
  const [, unit, adverb] = perTime.exec(text) ?? [];
  const said = (unit ?? adverb)?.toLowerCase();
  const per = said && times.find(([spellings]) => spellings.test(said))?.[1];
  return per ? { per, end: perTime.lastIndex } : undefined;
}

const times: readonly (readonly [RegExp, string])[] = [
  [/^sec/, "second"],
  [/^min/, "minute"],
  [/^h/, "hour"],
  [/^da/, "day"],
  [/^w/, "week"],
  [/^mo/, "month"],
  [/^q/, "quarter"],
  [/^(?:y|an)/, "year"],
];

function money(text: string, dimension: string, number: WrittenNumber): Pick<Amount, "unit" | "end"> {
  unit.lastIndex = number.end;
  const letter = scales.get(unit.exec(text)?.[1]?.toLowerCase() ?? "");
  if (letter !== undefined && !wordCharacter.test(text.charAt(unit.lastIndex)))
    return { unit: { dimension, factor: letter }, end: unit.lastIndex };
  const scale = scaleAt(text, number);
  return { unit: { dimension, factor: scale?.factor ?? 1 }, end: scale?.end ?? number.end };
}

function unitAt(text: string, at: number): { unit: Unit; end: number } | undefined {
  unit.lastIndex = at;
  const match = unit.exec(text);
  const spelling = match?.[1];
  if (spelling === undefined) return undefined;
  const end = unit.lastIndex;
  percentPoints.lastIndex = end;
  if (unitOf(spelling)?.dimension === "percent" && percentPoints.test(text)) return undefined;
  const whole = wordCharacter.test(text.charAt(end)) ? undefined : unitOf(spelling);
  if (whole !== undefined) return withRate(text, spelling, { unit: whole, end });
  const slash = spelling.indexOf("/");
  const short = slash < 0 ? undefined : unitOf(spelling.slice(0, slash));
  return short === undefined ? undefined : { unit: short, end: end - (spelling.length - slash) };
}

/** `5.3 TB per second` is `5.3 TB/s`. */
function withRate(text: string, spelling: string, measure: { unit: Unit; end: number }): { unit: Unit; end: number } {
  perSecond.lastIndex = measure.end;
  if (spelling.includes("/") || !perSecond.test(text)) return measure;
  const rate = unitOf(`${spelling} per second`);
  return rate === undefined ? measure : { unit: rate, end: perSecond.lastIndex };
}

/** The upper end of a range that is written as one figure: `50–100%`, `1.2x to 3.2x`, `$5–$10`. */
function rangeEnd(text: string, first: Amount): Amount | undefined {
  if (Number.isNaN(first.number.value)) return undefined;
  rangeLink.lastIndex = first.end;
  if (!rangeLink.test(text)) return undefined;
  const second = amountAt(text, rangeLink.lastIndex);
  if (second === undefined || Number.isNaN(second.number.value)) return undefined;
  if (second.unit === undefined) return isMoney(first.unit) ? { ...second, unit: first.unit } : undefined;
  return first.unit === undefined || first.unit.dimension === second.unit.dimension ? second : undefined;
}

function isMoney(measure: Unit | undefined): measure is Unit {
  return measure !== undefined && moneyDimensions.has(measure.dimension);
}

function skipWord(text: string, at: number): void {
  let end = at;
  while (end < text.length && wordCharacter.test(text.charAt(end))) end++;
  everyStart.lastIndex = Math.max(end, at + 1);
}

function isSameNumber(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

function round(n: number): number {
  return Number(n.toPrecision(12));
}

/** Units of measure as people write them. `GB` and `GiB` have the same dimension and differ in size. */
export interface Unit {
  /** `bytes`, `bytes/s`, `percent`, `usd` … Only figures of the same dimension are compared. */
  readonly dimension: string;
  /** Its size in base units. */
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
  ["percent", 1, "%"],
  ["ratio", 1, "x × X"],
  ["second", 1e-9, "ns"],
  ["second", 1e-6, "us"],
  ["second", 1e-3, "ms"],
  ["second", 1, "s sec secs"],
  ["second", 60, "min mins"],
  ["second", 3600, "h hr hrs"],
  ["second", 86_400, "day"],
  ["second", 604_800, "week"],
  ["month", 1, "month mo"],
  ["month", 12, "yr yrs"],
  ["metre", 1e-9, "nm"],
  ["metre", 1e-3, "mm"],
  ["metre", 1e-2, "cm"],
  ["metre", 1e3, "km"],
  ["gram", 1000, "kg"],
  ["celsius", 1, "°C"],
  ["fahrenheit", 1, "°F"],
  ["watt", 1e-3, "mW"],
  ["frames/s", 1, "fps"],
  ["tokens/s", 1, "tokens/s tok/s tokens/sec tokens/second tps"],
  ["usd", 0.01, "¢"],
];

/** Letters after a sum of money: `$2.5B`. */
const scales: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["m", 1e6],
  ["b", 1e9],
  ["t", 1e12],
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
for (const [sign, dimension] of currencies) add(sign, dimension, 1);
for (const [dimension, factor, spellings] of simple) for (const s of spellings.split(" ")) add(s, dimension, factor);

for (const [unit, words] of phrasesBySteps("figures.unit")) {
  const { dimension, factor } = unitOf(unit) ?? { dimension: unit, factor: 1 };
  for (const word of words) add(word, dimension, factor);
}

/** The unit of this spelling. Case matters only to distinguish units: `GB` and `Gb`, `mW` and `MW`. */
function unitOf(spelling: string): Unit | undefined {
  return exact.get(spelling) ?? anyCase.get(spelling.toLowerCase());
}
