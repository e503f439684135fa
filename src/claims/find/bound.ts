import { type Word, wordsIn } from "../../language/words.ts";

/** Which side of a figure is meant, with the figure or without it: `up to 16 GB`, `3.9 or newer`, `under 13`. */
export type Bound = "upper" | "lower" | "below" | "above";

/** A bound as it is said of a figure: `not before 2027`. */
export type SaidBound = Bound | "not below" | "not above";

/** The opposites of each bound. "Not under 13" is "at least 13": neither of these two denies the other. */
export const oppositesOf: Readonly<Record<SaidBound, readonly SaidBound[]>> = {
  upper: ["lower"],
  lower: ["upper"],
  below: ["above", "not below"],
  above: ["below", "not above"],
  "not below": ["below"],
  "not above": ["above"],
};

/** The words before a figure that make it a bound, in the commonest languages. */
const before: Readonly<Record<Bound, readonly string[]>> = {
  upper: [
    "at most, up to, no more than, not more than, maximum, maximum of, max, until",
    "höchstens, maximal, bis, bis zu, nicht mehr als, überschreitet nicht, übersteigt nicht",
    "au plus, au maximum, jusqu'à, pas plus de, maximum de, dépasse pas, dépassent pas, excède pas",
    "como máximo, a lo sumo, hasta, máximo, máximo de, no más de",
    "al massimo, fino a, massimo, massimo di, non più di",
    "no máximo, até, não mais de, não mais que",
    "maximaal, hoogstens, tot, niet meer dan, maksymalnie, co najwyżej",
    "не более, не больше, максимум, до",
    "最多, 最大, 最高, 至多, 不超过, 不多于, 최대, <=, ≤",
  ],
  lower: [
    "at least, no less than, not less than, no fewer than, minimum, minimum of, min, since",
    "mindestens, wenigstens, ab, nicht weniger als, seit",
    "au moins, au minimum, à partir de, pas moins de, minimum de, depuis",
    "como mínimo, al menos, por lo menos, mínimo, mínimo de, no menos de, a partir de, desde",
    "almeno, come minimo, minimo, minimo di, non meno di, a partire da",
    "no mínimo, pelo menos, ao menos, não menos de, não menos que",
    "minimaal, minstens, ten minste, niet minder dan, vanaf, co najmniej",
    "не менее, не меньше, минимум, как минимум, от",
    "最少, 最小, 最低, 至少, 不少于, 不低于, 최소, >=, ≥",
  ],
  below: [
    "less than, fewer than, below, under, before, weniger als, unter, vor, moins de, avant, inférieur à, inférieure à",
    "menos de, inferior a, antes de, meno di, inferiore a, prima di, prima del, minder dan, onder",
    "mniej niż, poniżej, przed, менее, меньше, ниже, раньше, ранее, <",
  ],
  above: [
    "more than, above, over, after, exceed, exceeds, exceeding, mehr als, über, nach, überschreitet, übersteigt",
    "plus de, après, dépasse, dépasser, supérieur à, supérieure à, más de, superior a, supera, excede, después de",
    "più di, oltre, superiore a, superare, dopo il, mais de, ultrapassa, ultrapassar, depois de",
    "meer dan, boven, overschrijdt, ponad, powyżej, przekracza, więcej niż",
    "более, больше, свыше, выше, позднее, позже, превышает, превышают, превышать, 超过, >",
  ],
};
const behind: Readonly<Record<Bound, readonly string[]>> = {
  upper: [
    ...either("or, and", "less, fewer, lower, older, earlier, below, under, smaller"),
    ...either("oder, und", "weniger, niedriger, älter, früher, kleiner, darunter"),
    ...either("ou, et", "moins, inférieur, inférieure, antérieur, antérieure, antérieures, précédent, précédente"),
    ...either("o, y", "menos, inferior, anterior, anteriores, inferiores"),
    ...either("o, e", "meno, inferiore, precedente, precedenti"),
    ...either("ou, e", "menos, inferior, anterior, anteriores"),
    ...either("of, en", "minder, lager, ouder, eerder"),
    ...either("или, и", "менее, меньше, ниже, старше, ранее"),
    "at most, maximum, max, 以下, 以内, まで, 或更低, 及更低, 이하, 이내, 까지",
  ],
  lower: [
    ...either("or, and", "more, newer, later, higher, above, over, greater, larger, up"),
    ...either("oder, und", "mehr, neuer, höher, später, größer, darüber"),
    ...either("ou, et", "plus, supérieur, supérieure, supérieures, ultérieur, ultérieure, ultérieures"),
    ...either("o, y", "más, superior, posterior, posteriores, superiores"),
    ...either("o, e", "più, superiore, successivo, successiva, successive"),
    ...either("ou, e", "mais, superior, posterior, posteriores"),
    ...either("of, en", "meer, hoger, nieuwer, later"),
    ...either("или, и", "более, больше, выше, новее, позднее"),
    "at least, minimum, min, 以上, 及以上, 或更高, 이상",
  ],
  below: ["未満, 미만"],
  above: ["초과"],
};

function either(links: string, words: string): string[] {
  return links.split(", ").flatMap((link) => words.split(", ").map((word) => `${link} ${word}`));
}

/** The keys of each phrase, as they stand on a page. A sign is told by the figure behind it. */
function keyed(listed: Readonly<Record<Bound, readonly string[]>>): ReadonlyMap<string, Bound> {
  const sides: readonly Bound[] = ["upper", "lower", "below", "above"];
  return new Map(
    sides.flatMap((side) =>
      listed[side]
        .flatMap((line) => line.split(", "))
        .map((phrase): [string, Bound] => [keysOf(/^[<>≤≥]/.test(phrase) ? [phrase] : termKeys(phrase)), side]),
    ),
  );
}

const termKeys = (text: string) => wordsIn(text).map(({ term }) => term.key);
const keysOf = (keys: readonly string[]) => keys.join(" ");

/** The phrases by their keys, once a bound is asked for: most programs ask for none, and making them takes a while. */
let known: Record<"leading" | "trailing", ReadonlyMap<string, Bound>> | undefined;

function phrases() {
  known ??= { leading: keyed(before), trailing: keyed(behind) };
  return known;
}

/** Words of such a bound, at most. */
const boundWords = 3;

/** Words that deny what follows, and how many others may stand between: `not yet been`, `no longer officially`. */
export const denials: ReadonlySet<string> = new Set(
  `not never neither nor nicht nie niemals weder pas jamais nunca jamás tampoco non não niet nooit nie nigdy не никогда
  inte aldrig ikke aldri`.split(/\s+/),
);
export const maxBetween = 2;

/** Whether a denial of this bound says the opposite bound, and does not deny the figure: `not before 2027`. */
export function isStrict(bound: Bound | undefined): bound is "below" | "above" {
  return bound === "below" || bound === "above";
}

/** The bound that the words before a figure make of it, all of them together. */
export function boundOf(keys: readonly string[]): Bound | undefined {
  return phrases().leading.get(keysOf(keys));
}

/** The bound right beside the figure at this place: before it, or behind it and one word of what it counts. */
export function boundAt(text: string, words: readonly Word[], at: number): SaidBound | undefined {
  const keys = words.map(({ term }) => term.key);
  const between = (word: number) => text.slice(words[word - 1]?.end ?? 0, words[word]?.start);
  for (let from = /[,;)/]/.test(between(at)) ? at : Math.max(0, at - boundWords); from < at; from++) {
    const bound = boundOf(keys.slice(from, at));
    if (bound === undefined) continue;
    const isDenied = keys.slice(Math.max(0, from - maxBetween - 1), from).some((key) => denials.has(key));
    return isDenied && isStrict(bound) ? `not ${bound}` : bound;
  }
  const isFigure = (word: number) => /\d/.test(text.slice(words[word]?.start, words[word]?.end));
  for (const from of isFigure(at + 1) ? [at + 1] : [at + 1, at + 2])
    for (let to = Math.min(keys.length, from + boundWords); to > from; to--) {
      const phrase = keys.slice(from, to);
      const bound = phrases().trailing.get(keysOf(phrase));
      if (bound === undefined || /[^\s(]/.test(between(from))) continue;
      // "8 GB (maximum 16 GB)": such words may be those of the next figure.
      const isOfNext = boundOf(phrase) !== undefined && to < keys.length && isFigure(to) && !/\S/.test(between(to));
      return isOfNext ? undefined : bound;
    }
  return undefined;
}
