/** Scales that reports rate by, lowest first; what stands on one line means the same. `base`: always there. */
interface Scale {
  readonly steps: readonly (readonly string[])[];
  readonly base: readonly string[];
}

const scales: readonly Scale[] = [
  {
    steps: [
      ["very low"],
      ["low"],
      ["low medium", "medium low", "med low", "low to medium"],
      ["medium", "moderate", "mid", "med"],
      ["medium high", "high medium", "med high", "medium to high"],
      ["high"],
      ["very high"],
    ],
    base: ["Low", "Medium", "High"],
  },
  {
    steps: [["hold", "avoid", "caution"], ["assess"], ["trial"], ["adopt"]],
    base: ["Hold", "Assess", "Trial", "Adopt"],
  },
  {
    steps: [
      ["none", "no", "not supported", "unsupported", "missing", "absent", "✗", "✘", "✖", "×", "❌", "☒"],
      ["planned"],
      ["experimental", "preview", "beta"],
      ["limited"],
      ["partial", "partially", "some", "partly", "⚠", "🟡", "◐", "◑", "~"],
      ["full", "yes", "supported", "complete", "✓", "✔", "✅", "☑", "🟢"],
      ["native"],
    ],
    base: [],
  },
  {
    steps: [
      ["bad", "very poor"],
      ["poor"],
      ["fair", "average", "ok", "okay", "adequate"],
      ["good"],
      ["very good"],
      ["excellent"],
    ],
    base: ["Poor", "Fair", "Good"],
  },
  { steps: [["weak"], ["moderate", "medium"], ["strong"], ["very strong"]], base: ["Weak", "Moderate", "Strong"] },
  {
    steps: [
      ["red", "🔴"],
      ["orange", "🟠"],
      ["amber", "yellow", "🟡"],
      ["green", "🟢"],
    ],
    base: [],
  },
  {
    steps: [
      ["deprecated"],
      ["prototype", "experimental"],
      ["alpha"],
      ["beta", "preview"],
      ["rc", "release candidate"],
      ["stable", "ga", "generally available", "production", "production ready"],
    ],
    base: [],
  },
  { steps: [["immature"], ["emerging"], ["maturing", "developing"], ["mature"]], base: [] },
  { steps: [["bronze"], ["silver"], ["gold"], ["platinum"]], base: [] },
  {
    steps: [
      ["★", "⭐"],
      ["★★", "⭐⭐"],
      ["★★★", "⭐⭐⭐"],
      ["★★★★", "⭐⭐⭐⭐"],
      ["★★★★★", "⭐⭐⭐⭐⭐"],
    ],
    base: [],
  },
  {
    steps: [["f"], ["e"], ["d-"], ["d"], ["d+"], ["c-"], ["c"], ["c+"], ["b-"], ["b"], ["b+"], ["a-"], ["a"], ["a+"]],
    base: [],
  },
];

const ranks: readonly ReadonlyMap<string, number>[] = scales.map(
  ({ steps }) => new Map(steps.flatMap((words, rank) => words.map((word) => [word, rank]))),
);

/** Where there is nothing to rate, or nobody knows. */
const blanks = new Set([
  "",
  "-",
  "–",
  "—",
  "n/a",
  "na",
  "n.a.",
  "?",
  "tbd",
  "unknown",
  "not rated",
  "not applicable",
  "…",
  "...",
]);

/** What a cell says of a level: `High (baseline)` → High; undefined where it says none. */
export function levelIn(cell: string): string | undefined {
  const [line = ""] = cell.replace(/[\ufe0e\ufe0f*_`†‡§]/g, "").split("\n");
  const [first = ""] = line.split(/\s*[([]|\s+[–—:-]\s+|[:;,]\s+/);
  const word = first.replace(/\s+/g, " ").trim();
  const stars = word.replace(/[☆\s]/g, "");
  const bare = /^[★⭐]+$/.test(stars) ? stars : word.replace(/^[^\p{L}\p{N}]+(?=\p{L})/u, "");
  return blanks.has(bare.toLowerCase()) || bare.length > 24 ? undefined : bare;
}

export function isBlank(cell: string): boolean {
  const [bare = ""] = cell.split(/\s*[([\n]/);
  return blanks.has(bare.trim().toLowerCase());
}

function keyOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .replace(/^([a-f]) ?$/, "$1")
    .trim();
}

/** Whether a word is a level of any scale. */
export function isLevel(word: string): boolean {
  return ranks.some((rank) => rank.has(keyOf(word)));
}

/** The levels that these words are of, lowest first. */
export interface Levels {
  readonly levels: readonly string[];
  /** From a word, as it is written, to its level. */
  readonly of: ReadonlyMap<string, string>;
  /** Levels whose place among the others nobody told. */
  readonly unplaced: readonly string[];
  /** How many of the words, each time they stand there, are of the scale. */
  readonly known: number;
}

/** The scale that most of these words are of; words of none are put last. */
export function levelsOf(words: readonly string[]): Levels {
  const shares = ranks.map((rank) => words.filter((word) => rank.has(keyOf(word))).length);
  const known = shares.reduce((most, share) => Math.max(most, share), 0);
  const at = shares.indexOf(known);
  const rank = ranks[at] ?? new Map<string, number>();
  const byRank = new Map<number, string>();
  const of = new Map<string, string>();
  const unplaced: string[] = [];
  for (const word of new Set(known > 0 ? [...words, ...baseFor(words, at)] : words)) {
    const place = rank.get(keyOf(word));
    const level =
      place === undefined ? (unplaced.find((one) => keyOf(one) === keyOf(word)) ?? word) : (byRank.get(place) ?? word);
    if (place === undefined && !unplaced.includes(level)) unplaced.push(level);
    if (place !== undefined) byRank.set(place, level);
    of.set(word, level);
  }
  const placed = [...byRank].sort(([a], [b]) => a - b).map(([, level]) => level);
  return { levels: [...placed, ...unplaced], of, unplaced, known };
}

function baseFor(words: readonly string[], at: number): readonly string[] {
  const { base = [] } = scales[at] ?? {};
  return words.length > 0 ? base : [];
}
